"""One line of help for every issue of evaluation: what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluator.calling import registry
from evaluator.help import calls, fit, resources
from evaluator.help.case import Case, Subject, about_near
from evaluator.help.names import IDIOMS, capitals
from evaluator.help.signatures import signature
from evaluator.issues import every
from evaluator.program import modules
from evaluator.resource_types import exists as types_exist
from lexer_parser.tree import nodes


def line(case: Case) -> str | None:
    """What helps in this case: what the case itself tells, or what is said of its code."""
    code = case.error.code
    row = every().get(code)
    for help in (SPECIAL.get(code), row.help if row is not None else None):
        text = help(case) if callable(help) else help and help.format_map(_Known(case.found))
        if text:
            return text
    return None


class _Known(dict[str, str]):
    """The names in a line with what stands for them; `…` for one that is not known."""

    def __missing__(self, name: str) -> str:
        return "…"


# --- lines that depend on the case


def _not_numeric(case: Case) -> str | None:
    node = case.node
    if isinstance(node, nodes.Minus) and isinstance(node.expr, nodes.Name | nodes.Minus):
        return "A comment begins with `#`; a minus stands before numbers."
    if isinstance(node, nodes.Arithmetic) and node.operator == "*" and isinstance(node.right, nodes.Splat):
        return "There is no operator for powers: multiply, `2 * 2 * 2`."
    if isinstance(node, nodes.Arithmetic) and isinstance(node.left, nodes.String | nodes.Concat):
        if node.operator == "%":
            return "A text is filled in by `sprintf('%s items', 3)`, or `\"${n} items\"`."
        if node.operator == "*":
            return "`*` multiplies numbers; a text is repeated by `sprintf`, or joined from a list."
    if isinstance(case.node, nodes.Access):
        return "The elements of an array are counted from 0, `$list[0]`; only a hash has names as keys."
    if case.found.get("value") == "":
        return "The value is undef or empty: is the variable set, does the hash have the key?"
    told = _minus_after_word(case.node) or _path_without_quotes(case)
    word = case.found.get("value")
    if told is None and isinstance(case.node, nodes.Arithmetic):
        sides = (case.node.left, case.node.right)
        if any(isinstance(side, nodes.Name) and side.value == word for side in sides):
            return f"Without a dollar `{word}` is a text; a variable is `${word}`, a word with a hyphen needs quotes."
    return told


def _path_without_quotes(case: Case) -> str | None:
    """`cd /tmp`: a slash with a blank before it and none behind."""
    node, span = case.node, case.error.span
    if not (
        isinstance(node, nodes.Arithmetic) and node.operator == "/" and isinstance(node.right, nodes.Name)
    ):
        return None
    if span is None or re.fullmatch(r"\s+/", span.source.text[node.left.end : node.right.start]) is None:
        return None
    path = re.match(r"[\w./-]+", span.source.text[node.right.start :])
    return f"`/` divides; a path stands in quotes: `'/{path and path[0]}'`."


def _minus_after_word(node: object) -> str | None:
    """A word and a minus: `return -1`, which is no call, or `my-host` without quotes."""
    if not (
        isinstance(node, nodes.Arithmetic) and node.operator == "-" and isinstance(node.left, nodes.Name)
    ):
        return None
    word = node.left.value
    if registry.lookup(word) is not None:
        return f"This subtracts from the word `{word}`; a call has parentheses here: `{word}(-1)`."
    return f"This subtracts from the word `{word}`; a text with `-` stands in quotes, a variable has its `$`."


def _not_applicable(case: Case) -> str | None:
    operator, left = case.found.get("operator"), case.found.get("left", "")
    if "Undef" in left and operator == "[]":
        return (
            "What stands before the bracket is undef; `$hash.dig('a', 'b')` gives undef then, and no error."
        )
    if "Undef" in left:
        return "The value is undef: is the variable set, does the hash have the key?"
    if operator == "[]":
        return (
            "Only strings, arrays, hashes, types and references have parts; `type($x)` tells what a value is."
        )
    return None


def _comparison(case: Case) -> str | None:
    """`1 < $x < 3`."""
    left = getattr(case.node, "left", None)
    return "Compare twice: `1 < $x and $x < 3`." if isinstance(left, nodes.Comparison) else None


def _template(case: Case) -> str | None:
    """`inline_epp("<%= $x %>")`."""
    if case.arguments and isinstance(case.arguments[0], nodes.Concat):
        return "Put the template in single quotes: in double quotes `$x` is replaced before it is a template."
    return None


def _index_of_text(case: Case) -> str | None:
    """A text where a hash is meant, `$name['first']`, or a type without capital, `package['a']`."""
    node = case.node
    left = getattr(node, "left", None)
    if isinstance(left, nodes.Name) and isinstance(node, nodes.Access):
        if registry.lookup(left.value) is not None and not types_exist(left.value):
            return f"A function is called with parentheses: `{left.value}(…)`."
        return f"A reference begins with a capital: `{capitals(left.value)}[…]`."
    if isinstance(node, nodes.Access):
        return "What stands before the bracket is a text, and no hash: its characters are counted from 0."
    return None


def _in_ruby(case: Case, name: str) -> str | None:
    """What is said of a function that a module has in Ruby; None of another one."""
    for folder in modules.RUBY_FOLDERS.values():
        ruby = modules.ruby_functions(case.runtime.settings.modulepath, folder).get(registry.plain_name(name))
        if ruby is not None:
            case.error.suggestion = None
            case.error.needs = "permission:ruby"
            return f"It is written in Ruby, in {ruby[1]}, which runs only with the permission `ruby`."
    return None


def _unknown_backend(case: Case) -> str | None:
    return _in_ruby(case, case.found["function"])


def _unknown_function(case: Case) -> str | None:
    name, node = case.found.get("name", ""), case.node
    if name in IDIOMS:
        return IDIOMS[name]
    if (ruby := _in_ruby(case, name)) is not None:
        return ruby
    if types_exist(name):
        first = node.arguments[0] if isinstance(node, nodes.Call) and node.arguments else None
        title = first.value if isinstance(first, nodes.String | nodes.Name) else "title"
        return f"`{name}` is a type of resources, no function: write `{name} {{ '{title}': }}`."
    if case.runtime.names.find_class(name) is not None:
        case.error.suggestion = None
        return f"`{name}` is a class, no function: write `include {name}`."
    if isinstance(node, nodes.MethodCall) and isinstance(node.receiver, nodes.Name) and not node.arguments:
        case.error.suggestion = None
        word = node.receiver.value
        if name == "pp":
            return f"A class is named without its file: `include {word}`."
        return f"A dot calls a function, and `{word}` is a text; a key has brackets: `['{word}']['{name}']`."
    if case.error.suggestion is None and isinstance(node, nodes.MethodCall) and not node.arguments:
        receiver = node.receiver
        if isinstance(receiver, nodes.Variable | nodes.Access):
            text = Subject(case.places[-1].span.source, receiver).text or "$hash"
            return f"A dot calls a function; the value of a key is `{text}['{name}']`."
    return about_near(case)


def _number_text(case: Case) -> str | None:
    text, wanted = case.found["value"], case.found["type"]
    if wanted == "Integer" and re.fullmatch(r"-?\d+\.\d+", text):
        return f"Convert it by way of a float: `Integer(Float('{text}'))`."
    if wanted == "Integer" and re.fullmatch(r"(?=.*\d)[\da-fA-F]+|[\dA-F]+", text):
        return f"Hexadecimal digits stand behind 0x: `Integer('0x{text}')`."
    if wanted in ("Integer", "Float", "Numeric"):
        return "Only digits can become a number; test the text first: `$text =~ /^\\d+$/`."
    if wanted == "Boolean":
        return "Only 'true', 'yes', 'y', 'false', 'no' and 'n' become booleans, in any case of letters."
    if wanted == "a SemVer":
        return "A version has three numbers: `SemVer('1.2.0')`."
    return None


def _undef(case: Case) -> str | None:
    if case.found["actual"] in ("Undef", "nil"):
        return "The value is undef: is the variable set, does the hash have the key?"
    return None


def _not_instantiable(case: Case) -> str | None:
    """`Notice('hi')`."""
    name = case.node.functor.value if isinstance(getattr(case.node, "functor", None), nodes.TypeName) else ""
    if registry.lookup(name.lower()) is not None and not types_exist(name.lower()):
        return f"The name of a function is in lower case: `{name.lower()}(…)`."
    return None


def _no_such_call(case: Case) -> str | None:
    """`lookup('port', '80')`."""
    second = case.arguments[1] if case.called == "lookup" and len(case.arguments) == 2 else None
    if isinstance(second, nodes.String | nodes.Name | nodes.Integer | nodes.Boolean | nodes.Array):
        return (
            "The second argument is a type; a default has its name: `lookup('key', { default_value => … })`."
        )
    return None


SPECIAL: dict[str, Callable[[Case], str | None]] = {
    "NOT_NUMERIC": _not_numeric,
    "OPERATOR_NOT_APPLICABLE": _not_applicable,
    "OPERATOR_NOT_APPLICABLE_WHEN": _not_applicable,
    "COMPARISON_NOT_POSSIBLE": _comparison,
    "INVALID_EPP": _template,
    "CONVERSION": _number_text,
    "NOT_INSTANTIABLE": _not_instantiable,
    "NO_SUCH_CALL": _no_such_call,
    "VALUE_NOT_CONVERTIBLE": _undef,
    "NO_CONVERSION": _undef,
    "NO_IMPLICIT_CONVERSION": _undef,
    **dict.fromkeys(("TYPE_MISMATCH", "ASSERTION_FAILED", "LOOKUP_TYPE", "VALIDATION_FAILED"), fit.advice),
    **dict.fromkeys(
        (
            *("ARGUMENT_COUNT", "ARGUMENT_COUNT_GIVEN", "ARGUMENT_COUNT_FOR", "ARGUMENT_COUNT_OF"),
            *("ARGUMENTS_REJECTED", "ARGUMENT_REQUIRED", "ARGUMENT_MUST_BE", "VALIDATION_EXPECTED"),
        ),
        signature,
    ),
    "ARGUMENT_MISMATCH": calls.argument,
    "LAMBDA_MISMATCH": calls.lambda_parameters,
    "MISSING_LAMBDA": calls.missing_lambda,
    "WRONG_TYPE": fit.advice,
    "BAD_STRING_SLICE_KEY_TYPE": _index_of_text,
    "UNKNOWN_FUNCTION": _unknown_function,
    "HIERA_UNKNOWN_FUNCTION": _unknown_backend,
    "UNKNOWN_RESOURCE_TYPE": about_near,
    "RUNTIME_ERROR": signature,
    **resources.SPECIAL,
}
