"""The rules of help for errors of evaluation: a line for one situation, where the line of the issue is too general.

First the functions that recognize a situation, then the table `RULES`. A row has the code of an error or several of
them, a function, and the line, with the words of the error and of the match in braces. The rows for a code are tried in
order. If none recognizes its situation, the line of the issue's row is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from evaluator.calling import registry
from evaluator.facts import forms
from evaluator.help.context import ErrorContext, Subject
from evaluator.help.near_names import IDIOMS
from evaluator.program import modules
from evaluator.resource_types import is_known as is_resource_type
from evaluator.types.learner_wording import expects_resource
from lexer_parser.diagnostics import Rule, RuleMatch, RuleTable, Test
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import capitalize_segments

STRINGS = (nodes.String, nodes.Concat)
Condition = Callable[[ErrorContext], bool]


class HelpRule(Rule[[ErrorContext]]):
    """A rule that may also correct what was found before.

    Attributes:
        needs: The requirement of the session that replaces the one in the issue's row; None to keep that one.
        drops_suggestion: True if a near name would mislead.
    """

    def __init__(
        self,
        applies_to: str | tuple[str, ...],
        test: Test[[ErrorContext]],
        message: str,
        *,
        needs: str | None = None,
        drops_suggestion: bool = False,
    ) -> None:
        super().__init__(applies_to, test, message)
        self.needs = needs
        self.drops_suggestion = drops_suggestion


def always(context: ErrorContext) -> bool:
    """Return True, for the last rule of a code."""
    return True


def match_found(word: str, find: Callable[[ErrorContext], str | None]) -> Test[[ErrorContext]]:
    """Return a test for what a function finds: a string, which becomes a word of the message."""

    def test(context: ErrorContext) -> RuleMatch | None:
        result: Any = find(context)  # a string, which mypy would take for any argument of the match
        return RuleMatch(**{word: result}) if result is not None else None

    return test


def is_builtin_function(name: str) -> bool:
    """Return True for the name of a built-in function that is no resource type."""
    return registry.find_function(name) is not None and not is_resource_type(name)


# --- Operators


def is_arithmetic(operator: str, *left: type[nodes.Node]) -> Condition:
    """Return a test for an operator, and for the node on its left if classes are given."""

    def test(context: ErrorContext) -> bool:
        node = context.node
        is_operation = isinstance(node, nodes.Arithmetic) and node.operator == operator
        return is_operation and (not left or isinstance(node.left, left))

    return test


def is_dashed_comment(context: ErrorContext) -> bool:
    """Recognize `-- a comment`."""
    return isinstance(context.node, nodes.Minus) and isinstance(context.node.expr, nodes.Name | nodes.Minus)


def is_power(context: ErrorContext) -> bool:
    """Recognize `2 ** 3`."""
    return is_arithmetic("*")(context) and isinstance(context.node.right, nodes.Splat)


def find_minus_after_word(context: ErrorContext) -> RuleMatch | None:
    """Recognize `my-host` without quotes."""
    return RuleMatch(word=context.node.left.value) if is_arithmetic("-", nodes.Name)(context) else None


def find_minus_after_function(context: ErrorContext) -> RuleMatch | None:
    """Recognize `return -1`, which is no call."""
    match = find_minus_after_word(context)
    is_call = match is not None and registry.find_function(context.node.left.value) is not None
    return match if is_call else None


def find_unquoted_path(context: ErrorContext) -> RuleMatch | None:
    """Recognize `cd /tmp`: a slash with a blank before it and none behind."""
    node, span = context.node, context.error.span
    if span is None or not is_arithmetic("/")(context) or not isinstance(node.right, nodes.Name):
        return None
    if re.fullmatch(r"\s+/", span.source.text[node.left.end : node.right.start]) is None:
        return None
    path = re.match(r"[\w./-]+", span.source.text[node.right.start :])
    return RuleMatch(path=path[0] if path else None)


def is_word_in_arithmetic(context: ErrorContext) -> bool:
    """Recognize `port + 1`."""
    node, word = context.node, context.words.get("value")
    sides = (node.left, node.right) if isinstance(node, nodes.Arithmetic) else ()
    return any(isinstance(side, nodes.Name) and side.value == word for side in sides)


def is_left_undef(context: ErrorContext) -> bool:
    """Return True if the left operand is undef."""
    return "Undef" in context.words.get("left", "")


def is_access_operator(context: ErrorContext) -> bool:
    """Return True for an error of `value[key]`."""
    return context.words.get("operator") == "[]"


def is_undef_accessed(context: ErrorContext) -> bool:
    """Recognize `$hash['a']['b']` without a key `a`."""
    return is_access_operator(context) and is_left_undef(context)


def find_name_accessed(context: ErrorContext) -> RuleMatch | None:
    """Recognize `package['a']`."""
    node = context.node
    if isinstance(node, nodes.Access) and isinstance(node.left, nodes.Name):
        return RuleMatch(word=node.left.value, type=capitalize_segments(node.left.value))
    return None


def find_function_accessed(context: ErrorContext) -> RuleMatch | None:
    """Recognize `notice['a']`."""
    match = find_name_accessed(context)
    return match if match is not None and is_builtin_function(context.node.left.value) else None


# --- Calls


def find_usage_elsewhere(context: ErrorContext) -> RuleMatch | None:
    """Find the name of a function whose forms take more than a line."""
    name = context.called or context.words.get("function")
    return RuleMatch(called=name) if name and context.find_function() is not None else None


def find_unknown_type(context: ErrorContext) -> RuleMatch | None:
    """Recognize `function f(Strin $x)`: a name that is not a data type refers to resources."""
    is_resource = context.mismatch is not None and expects_resource(context.mismatch)
    near = context.error.suggestion if is_resource else None
    return RuleMatch(near=near) if near else None


def has_one_or_two_parameters(context: ErrorContext) -> bool:
    """Return True for a function whose lambda has one parameter or two."""
    least, most = context.words["least"], context.words["most"]
    return least != most and least != "0" and most != "None"  # the maximum is "None" for any number


def has_two_parameters(context: ErrorContext) -> bool:
    """Return True for a function whose lambda has two parameters."""
    return "2" in (context.words["least"], context.words["most"])


def find_missing_lambda(context: ErrorContext) -> RuleMatch:
    """Find the text of the receiver."""
    arguments = context.arguments
    subject = Subject(context.places[-1].span.source, arguments[0]) if arguments else None
    return RuleMatch(receiver=(subject.text if subject is not None else None) or "$list")


def find_ruby_function(context: ErrorContext) -> RuleMatch | None:
    """Recognize a function that a module has in Ruby."""
    for folder in modules.RUBY_FOLDERS.values():
        functions = modules.find_ruby_functions(context.runtime.settings.modulepath, folder)
        ruby = functions.get(registry.to_plain_name(context.words["name"]))
        if ruby is not None:
            return RuleMatch(path=ruby.path_in_root, name=context.words["name"])
    return None


def find_legacy_fact(context: ErrorContext) -> str | None:
    """Return the expression for a variable of a legacy fact: `$facts['os']['family']`."""
    path = forms.NAMES.get(context.words["name"].removeprefix("::"))
    return None if path is None else "$facts['" + path.replace(".", "']['") + "']"


def find_called_resource_type(context: ErrorContext) -> RuleMatch | None:
    """Recognize `file('/a')`."""
    node = context.node
    if not is_resource_type(context.words["name"]):
        return None
    first = node.arguments[0] if isinstance(node, nodes.Call) and node.arguments else None
    return RuleMatch(title=first.value if isinstance(first, nodes.String | nodes.Name) else "title")


def is_class_name(context: ErrorContext) -> bool:
    """Return True if the name is that of a class."""
    return context.runtime.names.find_class(context.words["name"]) is not None


def is_function_name(context: ErrorContext) -> bool:
    """Return True if the name is that of a function."""
    return context.runtime.names.find_function(context.words["name"]) is not None


def find_word_with_dot(context: ErrorContext) -> RuleMatch | None:
    """Recognize `data.key`."""
    node = context.node
    if isinstance(node, nodes.MethodCall) and isinstance(node.receiver, nodes.Name) and not node.arguments:
        return RuleMatch(word=node.receiver.value)
    return None


def find_class_with_extension(context: ErrorContext) -> RuleMatch | None:
    """Recognize `include web.pp`, which calls `pp`."""
    return find_word_with_dot(context) if context.words["name"] == "pp" else None


def find_key_with_dot(context: ErrorContext) -> RuleMatch | None:
    """Recognize `$hash.key`."""
    node = context.node
    if context.error.suggestion is not None or not isinstance(node, nodes.MethodCall) or node.arguments:
        return None
    if not isinstance(node.receiver, nodes.Variable | nodes.Access):
        return None
    return RuleMatch(receiver=Subject(context.places[-1].span.source, node.receiver).text or "$hash")


find_near_name = match_found("near", lambda context: context.error.suggestion)


def is_default_as_type(context: ErrorContext) -> bool:
    """Recognize `lookup('port', '80')`."""
    second = context.arguments[1] if context.called == "lookup" and len(context.arguments) == 2 else None
    return isinstance(second, nodes.String | nodes.Name | nodes.Integer | nodes.Boolean | nodes.Array)


def find_capitalized_function(context: ErrorContext) -> RuleMatch | None:
    """Recognize `Notice('hi')`."""
    functor = getattr(context.node, "functor", None)
    name = functor.value.lower() if isinstance(functor, nodes.TypeName) else ""
    return RuleMatch(name=name) if is_builtin_function(name) else None


def is_conversion(*types: str, pattern: str = "(?s:.*)") -> Condition:
    """Return a test for a conversion to one of some types, and for the converted string."""

    def test(context: ErrorContext) -> bool:
        return context.words["type"] in types and re.fullmatch(pattern, context.words["value"]) is not None

    return test


# --- Resources


def find_missing_parameter(context: ErrorContext) -> RuleMatch | None:
    """Recognize an included class that has a parameter without a default."""
    kind, title = context.resource_key or ("", "")
    return (
        RuleMatch(owner=title) if kind == "class" and not isinstance(context.node, nodes.Resource) else None
    )


def is_declared_twice_here(context: ErrorContext) -> bool:
    """Recognize one declaration that is evaluated twice."""
    first = next((note.span for note in context.error.notes if note.span is not None), None)
    last = context.places[-1].span if context.places else None
    return first is not None and last is not None and (first.source, first.start) == (last.source, last.start)


def find_duplicate_class(context: ErrorContext) -> RuleMatch | None:
    """Recognize a class that is declared twice."""
    kind, title = context.resource_key or ("", "")
    return RuleMatch(name=title) if kind == "class" else None


def find_duplicate_resource(context: ErrorContext) -> RuleMatch:
    """Find the reference to the resource."""
    kind, _, title = context.words["resource"].partition("[")
    return RuleMatch(reference=f"{kind}['{title.removesuffix(']')}']")


def find_define_as_class(context: ErrorContext) -> RuleMatch | None:
    """Recognize `include` of a define."""
    name = context.words["name"].removeprefix("::")
    return RuleMatch(name=name) if context.runtime.names.find_define(name) is not None else None


def is_path(context: ErrorContext) -> bool:
    """Recognize `include 'web.pp'`."""
    name = context.words["name"]
    return "/" in name or name.endswith(".pp")


def find_file_of_class(context: ErrorContext) -> RuleMatch | None:
    """Find the file of a module in which the class would be looked for."""
    module, _, rest = context.words["name"].partition("::")
    file = PurePosixPath(module, "manifests", f"{rest.replace('::', '/') or 'init'}.pp")
    return RuleMatch(file=file) if context.runtime.settings.modulepath else None


NOT_APPLICABLE = ("OPERATOR_NOT_APPLICABLE", "OPERATOR_NOT_APPLICABLE_WHEN")
NO_CONVERSION = ("VALUE_NOT_CONVERTIBLE", "NO_CONVERSION", "NO_IMPLICIT_CONVERSION")
UNKNOWN_CLASS = ("CLASS_NOT_FOUND", "DECLARED_CLASS_NOT_FOUND")
UNKNOWN_TYPE = ("RESOURCE_TYPE_NOT_FOUND", "COLLECTED_TYPE_UNKNOWN")
WRONG_CALL = (
    *("ARGUMENT_COUNT", "ARGUMENT_COUNT_GIVEN", "ARGUMENT_COUNT_FOR", "ARGUMENT_COUNT_OF"),
    *("ARGUMENTS_REJECTED", "ARGUMENT_REQUIRED", "ARGUMENT_MUST_BE", "VALIDATION_EXPECTED"),
    *("RUNTIME_ERROR", "ARGUMENT_MISMATCH"),
)
WRONG_VALUE = (
    *("TYPE_MISMATCH", "ASSERTION_FAILED", "LOOKUP_TYPE", "VALIDATION_FAILED", "WRONG_TYPE"),
    *("ARGUMENT_MISMATCH", "PARAMETER_MISMATCH"),
)
VALUE_IS_UNDEF = "The value is undef: is the variable set, does the hash have the key?"
ABOUT_NEAR = "`?{near}` describes `{near}`."

RULES = RuleTable(
    (
        # Operators
        HelpRule("NOT_NUMERIC", is_dashed_comment, "A comment begins with `#`; a minus precedes numbers."),
        HelpRule("NOT_NUMERIC", is_power, "There is no operator for powers: multiply, `2 * 2 * 2`."),
        HelpRule(
            "NOT_NUMERIC",
            is_arithmetic("%", *STRINGS),
            "Insert values into a string with `sprintf('%s items', 3)`, or `\"${{n}} items\"`.",
        ),
        HelpRule(
            "NOT_NUMERIC",
            is_arithmetic("*", *STRINGS),
            "`*` multiplies numbers; repeat a string with `sprintf`, or join a list of strings.",
        ),
        HelpRule(
            "NOT_NUMERIC",
            lambda context: isinstance(context.node, nodes.Access),
            "The elements of an array are counted from 0, `$list[0]`; only a hash has names as keys.",
        ),
        HelpRule(
            "NOT_NUMERIC",
            lambda context: context.words.get("value") == "",
            "The value is undef or empty: is the variable set, does the hash have the key?",
        ),
        HelpRule(
            "NOT_NUMERIC",
            find_minus_after_function,
            "This subtracts from the word `{word}`; write a call with parentheses: `{word}(-1)`.",
        ),
        HelpRule(
            "NOT_NUMERIC",
            find_minus_after_word,
            "This subtracts from the word `{word}`; write a string with `-` in quotes, a variable with `$`.",
        ),
        HelpRule("NOT_NUMERIC", find_unquoted_path, "`/` divides; write a path in quotes: `'/{path}'`."),
        HelpRule(
            "NOT_NUMERIC",
            is_word_in_arithmetic,
            "Without a dollar `{value}` is a string; a variable is `${value}`, a word with a hyphen needs "
            "quotes.",
        ),
        HelpRule(
            NOT_APPLICABLE,
            is_undef_accessed,
            "The value before the bracket is undef; `$hash.dig('a', 'b')` returns undef in this case, "
            "without an error.",
        ),
        HelpRule(NOT_APPLICABLE, is_left_undef, VALUE_IS_UNDEF),
        HelpRule(
            NOT_APPLICABLE,
            is_access_operator,
            "Only strings, arrays, hashes, types and references have parts; `type($x)` shows what a value "
            "is.",
        ),
        HelpRule(
            "COMPARISON_NOT_POSSIBLE",
            lambda context: isinstance(getattr(context.node, "left", None), nodes.Comparison),
            "Compare twice: `1 < $x and $x < 3`.",
        ),
        HelpRule(
            "BAD_STRING_SLICE_KEY_TYPE",
            find_function_accessed,
            "A function is called with parentheses: `{word}(…)`.",
        ),
        HelpRule(
            "BAD_STRING_SLICE_KEY_TYPE",
            find_name_accessed,
            "A reference begins with a capital letter: `{type}[…]`.",
        ),
        HelpRule(
            "BAD_STRING_SLICE_KEY_TYPE",
            lambda context: isinstance(context.node, nodes.Access),
            "The value before the bracket is a string, not a hash: its characters are counted from 0.",
        ),
        # Conversions
        HelpRule(
            "CONVERSION",
            is_conversion("Integer", pattern=r"-?\d+\.\d+"),
            "Convert it to a float first: `Integer(Float('{value}'))`.",
        ),
        HelpRule(
            "CONVERSION",
            is_conversion("Integer", pattern=r"(?=.*\d)[\da-fA-F]+|[\dA-F]+"),
            "Write hexadecimal digits after 0x: `Integer('0x{value}')`.",
        ),
        HelpRule(
            "CONVERSION",
            is_conversion("Integer", "Float", "Numeric"),
            "Only digits can be converted to a number; test the string first: `$text =~ /^\\d+$/`.",
        ),
        HelpRule(
            "CONVERSION",
            is_conversion("Boolean"),
            "Only 'true', 'yes', 'y', 'false', 'no' and 'n' are converted to Booleans, in upper or lower "
            "case.",
        ),
        HelpRule("CONVERSION", is_conversion("a SemVer"), "A version has three numbers: `SemVer('1.2.0')`."),
        HelpRule(NO_CONVERSION, lambda context: context.words["actual"] in ("Undef", "nil"), VALUE_IS_UNDEF),
        HelpRule(
            "NOT_INSTANTIABLE",
            find_capitalized_function,
            "The name of a function is in lower case: `{name}(…)`.",
        ),
        # Calls
        HelpRule(
            "ARGUMENT_MISMATCH",
            find_unknown_type,
            "A name that is not a data type refers to resources: write `{near}`.",
        ),
        HelpRule(
            "ARGUMENT_MISMATCH",
            lambda context: not context.words.get("function"),
            "Remove the type of `${parameter}`, or convert the values first: `.map |$x| {{ … }}`.",
        ),
        HelpRule(WRONG_VALUE, match_found("advice", ErrorContext.advise), "{advice}"),
        HelpRule(WRONG_CALL, match_found("usage", ErrorContext.find_usage), "Call it like this: `{usage}`."),
        HelpRule(WRONG_CALL, find_usage_elsewhere, "`?{called}` shows what `{called}` takes."),
        HelpRule(
            "LAMBDA_MISMATCH",
            has_one_or_two_parameters,
            "Give the lambda one parameter, `|$x|`, or two: `|$index, $x|`, for a hash `|$key, $value|`.",
        ),
        HelpRule("LAMBDA_MISMATCH", has_two_parameters, "Give the lambda two parameters: `|$key, $value|`."),
        HelpRule("LAMBDA_MISMATCH", always, "Give the lambda one parameter: `|$x|`."),
        HelpRule(
            "MISSING_LAMBDA",
            find_missing_lambda,
            "Put a lambda after it: `{receiver}.{function} |$x| {{ … }}`.",
        ),
        HelpRule(
            "NO_SUCH_CALL",
            is_default_as_type,
            "The second argument is a type; pass a default by name: `lookup('key', "
            "{{ default_value => … }})`.",
        ),
        HelpRule(
            "INVALID_EPP",
            lambda context: bool(context.arguments) and isinstance(context.arguments[0], nodes.Concat),
            "Put the template in single quotes: in double quotes `$x` is replaced before the template is "
            "rendered.",
        ),
        # Variables and functions that do not exist
        HelpRule(
            "UNKNOWN_VARIABLE",
            match_found("fact", find_legacy_fact),
            "Agents of Puppet 8 do not send this legacy fact: read `{fact}`.",
            needs="facts",
            drops_suggestion=True,
        ),
        HelpRule(
            "UNKNOWN_FUNCTION",
            match_found("advice", lambda context: IDIOMS.get(context.words["name"])),
            "{advice}",
        ),
        HelpRule(
            ("UNKNOWN_FUNCTION", "HIERA_UNKNOWN_FUNCTION", "TEMPLATE_FAILED", "INLINE_TEMPLATE_FAILED"),
            find_ruby_function,
            "`{name}` is written in Ruby, in {path}, which runs only with the permission `ruby`.",
            needs="permission:ruby",
            drops_suggestion=True,
        ),
        HelpRule(
            "UNKNOWN_FUNCTION",
            find_called_resource_type,
            "`{name}` is a resource type, not a function: write `{name} {{ '{title}': }}`.",
        ),
        HelpRule(
            "UNKNOWN_FUNCTION",
            is_class_name,
            "`{name}` is a class, not a function: write `include {name}`.",
            drops_suggestion=True,
        ),
        HelpRule(
            "UNKNOWN_FUNCTION",
            find_class_with_extension,
            "Write the name of the class, not its file: `include {word}`.",
            drops_suggestion=True,
        ),
        HelpRule(
            "UNKNOWN_FUNCTION",
            find_word_with_dot,
            "A dot calls a function, and `{word}` is a string; write a key in brackets: "
            "`['{word}']['{name}']`.",
            drops_suggestion=True,
        ),
        HelpRule(
            "UNKNOWN_FUNCTION",
            find_key_with_dot,
            "A dot calls a function; the value of a key is `{receiver}['{name}']`.",
        ),
        HelpRule(("UNKNOWN_FUNCTION", "UNKNOWN_RESOURCE_TYPE"), find_near_name, ABOUT_NEAR),
        # Classes, defines and resources
        HelpRule(
            "MISSING_REQUIRED_PARAMETER",
            lambda context: context.words["resource"] == "lambda",
            "Give the template a value: `epp('…', {{ '{parameter}' => … }})`.",
        ),
        HelpRule(
            "MISSING_REQUIRED_PARAMETER",
            find_missing_parameter,
            "Declare it with a value: `class {{ '{owner}': {parameter} => … }}`, or give the parameter a "
            "default.",
        ),
        HelpRule(
            "MISSING_REQUIRED_PARAMETER",
            always,
            "Add `{parameter} => …` to the declaration, or give the parameter a default.",
        ),
        HelpRule(
            "DUPLICATE_DECLARATION",
            is_declared_twice_here,
            "The same declaration is evaluated twice: use a different title each time, such as `${{title}}`.",
        ),
        HelpRule(
            "DUPLICATE_DECLARATION",
            find_duplicate_class,
            "Declare a class once and before it is included; elsewhere write `include {name}`.",
        ),
        HelpRule(
            "DUPLICATE_DECLARATION",
            find_duplicate_resource,
            "Give one of them another title, or declare it once and refer to it: `{reference}`.",
        ),
        HelpRule(
            UNKNOWN_CLASS,
            find_define_as_class,
            "`{name}` is a defined type, not a class: declare it with a title, `{name} {{ 'title': }}`.",
            needs="",
        ),
        HelpRule(
            UNKNOWN_CLASS,
            is_path,
            "Include a class by its name, not by its file: `include web`. In a module, the name determines "
            "the file.",
            needs="",
            drops_suggestion=True,
        ),
        HelpRule(UNKNOWN_CLASS, find_near_name, "Classes of modules are found by the module path."),
        HelpRule(
            UNKNOWN_CLASS,
            find_file_of_class,
            "Define `class {name} {{ }}`, or put it into `{file}` of a module.",
        ),
        HelpRule(
            UNKNOWN_CLASS,
            always,
            "Define `class {name} {{ }}` first; classes of modules are found by the module path.",
        ),
        HelpRule(UNKNOWN_TYPE, find_near_name, ABOUT_NEAR, needs=""),
        HelpRule(
            UNKNOWN_TYPE, is_class_name, "This is a class: write `include {name}` or `class {{ '{name}': }}`."
        ),
        HelpRule(
            UNKNOWN_TYPE, is_function_name, "This is a function: call it with parentheses, `{name}(…)`."
        ),
        HelpRule(
            UNKNOWN_TYPE,
            always,
            "Define it: `define {name}() {{ … }}`; defines of modules are found by the module path.",
        ),
    )
)
