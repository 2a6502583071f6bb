"""One line of help for every issue of evaluation: what to write instead."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.help import fit
from evaluator.help.case import Case, Subject
from evaluator.help.names import IDIOMS, capitals
from evaluator.help.signatures import signature
from evaluator.program import modules
from lexer_parser.tree import nodes

HELP: dict[str, str] = {
    # variables
    "UNKNOWN_VARIABLE": "Assign it before it is read; a variable of a class is `$class::name`.",
    "ILLEGAL_REASSIGNMENT": "A variable is set once: choose another name for the new value.",
    "ILLEGAL_BUILTIN_REASSIGNMENT": "`$name` and `$title` are set already; choose another name.",
    "ILLEGAL_RESERVED_ASSIGNMENT": "`${name}` is filled by Puppet itself; choose another name.",
    "ILLEGAL_MULTI_ASSIGNMENT_SIZE": "Name as many variables as there are values.",
    "MISSING_MULTI_ASSIGNMENT_KEY": "Add the key to the hash, or take `$hash['{key}']`, which is undef without it.",
    "MISSING_MULTI_ASSIGNMENT_VARIABLE": "Set the variable in the class, or leave it out of the list.",
    # operators
    "OPERATOR_NOT_APPLICABLE": "`{operator}` does not work on this kind of value; `type($x)` tells what a value is.",
    "OPERATOR_NOT_APPLICABLE_WHEN": "`{operator}` does not work on these two together; convert one of them.",
    "COMPARISON_NOT_POSSIBLE": "Compare values of one kind: two numbers, two strings, two versions, two times.",
    "MATCH_NOT_REGEXP": "Write a regular expression on the right: `$text =~ /abc/`.",
    "MATCH_NOT_STRING": "Only text can be matched: `String($value) =~ /…/`.",
    "NOT_NUMERIC": 'Arithmetic is for numbers; texts are joined in a string: `"${{a}}${{b}}"`.',
    "NUMERIC_COERCION": "Convert it: `Integer('{before}')`; then it is clear what is meant.",
    "NUMERIC_OVERFLOW": "Integers go from -9223372036854775808 to 9223372036854775807; use floats beyond.",
    "DIV_BY_ZERO": "Test the divisor first: `if $n != 0 {{ … }}`.",
    "RESULT_IS_INFINITY": "The number is too large for a float; compute with smaller ones.",
    "UNMATCHED_SELECTOR": "Add the value, or a last entry `default => …`.",
    # access and types
    "UNKNOWN_RESOURCE_TYPE": "Data types, resource types, defines and aliases can be named; check the spelling.",
    "UNKNOWN_RESOURCE": "Declare the resource first: a reference reads what is in the catalog already.",
    "UNKNOWN_RESOURCE_PARAMETER": "`?{type}` lists the attributes of the type.",
    "TYPE_MISMATCH": "Give a value of the type that is asked for; `type($x)` tells what a value is.",
    "BAD_STRING_SLICE_ARITY": "One or two numbers stand in the brackets: `$text[start, length]`, `String[1, 10]`.",
    "BAD_ARRAY_SLICE_ARITY": "Write `$list[index]` or `$list[start, length]`.",
    "BAD_STRING_SLICE_KEY_TYPE": "The characters of a string are counted from 0: `$text[0]`.",
    "BAD_SLICE_KEY_TYPE": "The elements of an array are counted from 0: `$list[0]`; names are keys of hashes.",
    "BAD_TYPE_SLICE_ARITY": "`?{type}` tells what stands in the brackets.",
    "BAD_TYPE_SLICE_TYPE": "Write types in the brackets, with capitals and without quotes: `{type}[String]`.",
    "BAD_NOT_UNDEF_SLICE_TYPE": "Write `NotUndef[Integer]` or `NotUndef['text']`.",
    "BAD_TYPE_SPECIALIZATION": "`?Array`, `?Hash`, … tell what stands in the brackets of a type.",
    "BAD_COLLECTION_SLICE_TYPE": "The size is one or two integers: `String[1, 10]`, `Array[String, 1, 5]`.",
    "BAD_INTEGER_SLICE_ARITY": "Write `Integer[1]` or `Integer[1, 10]`.",
    "BAD_FLOAT_SLICE_ARITY": "Write `Float[0.0]` or `Float[0.0, 1.0]`.",
    "BAD_INTEGER_SLICE_TYPE": "The bounds are integers: `Integer[1, 10]`, `Integer[default, 10]`.",
    "BAD_FLOAT_SLICE_TYPE": "The bounds are numbers: `Float[0.0, 1.0]`.",
    "ILLEGAL_HOSTCLASS_NAME": "Write the name of the class as a string: `Class['apache']`.",
    "ILLEGAL_NAME": "A name is lower-case words joined by `::`: `apache::vhost`.",
    "ILLEGAL_TYPE_REFERENCE": "A type's name is capitalised: `Resource['File', '/tmp/a']`.",
    "BAD_RESOURCE_TYPE": "Write `Resource['file', '/tmp/a']`, or shorter `File['/tmp/a']`.",
    "UNRESOLVED_TYPE": "Define the type: `type {name} = …`, or check the spelling.",
    # calls
    "UNKNOWN_FUNCTION": "Define it: `function {name}() {{ … }}`, or check the spelling.",
    "ARGUMENT_MISMATCH": "Give a value of the type that is asked for; `type($x)` tells what a value is.",
    "ARGUMENT_COUNT": "Give as many arguments as the function takes.",
    "LAMBDA_MISMATCH": "A lambda follows the arguments: `$list.each |$x| {{ … }}`.",
    "RETURN_MISMATCH": "Change what the body gives last, or the type behind `>>`.",
    "MISSING_REQUIRED_PARAMETER": "Give a value for `{name}`, or give the parameter a default: `${name} = …`.",
    "CAPTURES_REST_NOT_LAST": "Move `*${name}` to the end: it takes all the arguments that are left.",
    "REQUIRED_PARAMETER_AFTER_OPTIONAL": "Move `${name}` before the parameters that have a default.",
    "FAILED": "The program stops itself here: look at the condition that leads to this `fail`.",
    "CONTROL_ILLEGAL": "`break` and `next` belong in a lambda, `return` in a function, class or define.",
    "DISCONTINUED_IMPORT": "Put classes into modules; they are loaded when they are named.",
    "CONVERSION": "Only a text or value of the right form can be converted.",
    "NOT_INSTANTIABLE": "There is no way to make such a value; name a type with values: `Integer('1')`.",
    "ILLEGAL_FORMAT": "A format is `%`, flags, width, `.` and precision, and a letter: `%5.2f`, `%-10s`, `%#x`.",
    "INVALID_REGEXP": r"Mend the pattern, or escape what is meant literally: `\(`, `\[`, `\/`.",
    "FILE_NOT_FOUND": "A file of a module is named `module/file`; the option --modulepath tells where modules are.",
    "NOT_PERMITTED": "Permit it from outside: `--allow NAME`, or PUPPET_KERNEL_ALLOW before Jupyter starts.",
    "LOOKUP_NOT_FOUND": "Give a default, `lookup('key', {{ 'default_value' => 1 }})`, or add the key to the data.",
    "DATA_TYPE_MISMATCH": "The dots of a key lead through hashes; quote a key that holds dots itself.",
    # classes and defines
    "CLASS_NOT_FOUND": "Define the class, or name the folder of its module with --modulepath.",
    "PARENT_MISSING": "Define the inherited class `{name}` too, or name its module with --modulepath.",
    "INHERITANCE_CYCLE": "A class cannot inherit from itself, not even through others.",
    "PARAMETER_MISMATCH": "Give the parameter a value of its type.",
    "PARAMETER_ORDER": "Move `${other}` before `${name}`: a default can read only what stands before it.",
    "UNKNOWN_PARAMETER": "`?{type}` lists what can be set.",
    "METAPARAMETER_NAME": "Choose another name: every resource has `{name}` already.",
    "REDEFINITION": "Give one of the two another name.",
    "NODE_MISSING": "A `node default {{ }}` applies to every node that no other definition names.",
    # resources
    "ILLEGAL_RELATIONSHIP_OPERAND_TYPE": "Put references on both sides: `Package['a'] -> Service['b']`.",
    "NOT_CATALOG_TYPE": "Put references on both sides: `Package['a'] -> Service['b']`.",
    "ILLEGAL_RESOURCE_TYPE": "Begin with a resource type, in lower case: `file {{ '/tmp/a': }}`.",
    "DUPLICATE_TITLE": "Every title once; for an array of titles use `unique(…)`.",
    "DUPLICATE_ATTRIBUTE": "Set `{name}` once.",
    "MISSING_TITLE": "Give a title: is the variable set?",
    "MISSING_TITLE_AT": "Leave undef out: `$titles.filter |$t| {{ $t =~ NotUndef }}`.",
    "ILLEGAL_TITLE_TYPE_AT": 'Titles are strings: `"${{title}}"` or `String($title)`.',
    "EMPTY_STRING_TITLE_AT": "Give a title that is not empty.",
    "ILLEGAL_OVERRIDDEN_TYPE": "Override one resource: `File['/tmp/a'] {{ mode => '0644' }}`; a class has no override.",
    "DUPLICATE_DECLARATION": "Declare it once; elsewhere refer to it, or give the other another title.",
    "NO_REFERENCE": "A reference is a type with a capital and a title: `File['/tmp/a']`, `Class['apache']`.",
    "INVALID_TAG": "A tag begins with a letter, digit or `_`; then `:`, `.` and `-` may follow.",
    "DEFAULT_REDEFINED": "Set the default for `{name}` once in this scope.",
    "PARAMETER_ALREADY_SET": "Set it where the resource is declared; only an inheriting class may change it.",
    "ONLY_SUBCLASSES_OVERRIDE": "Set it where the resource is declared, or in a class that inherits from that class.",
    "DUPLICATE_PARAMETER": "Set `{name}` once.",
    "OVERRIDE_AFTER_EVALUATION": "Set it where the resource is declared: its body has been evaluated.",
    "OVERRIDE_MISSING": "Declare the resource that is overridden, or drop the override.",
    "ILLEGAL_QUERY_EXPRESSION": "A query compares attributes: `File <| mode == '0644' and tag != 'web' |>`.",
    "RESERVED_PARAMETER": "`${name}` is filled by Puppet itself; choose another name.",
    "REALIZE_MISSING": "Declare the virtual resource, `@user {{ 'a': }}`, that is to be realized.",
    "RELATIONSHIP_SOURCE_MISSING": "Declare the resource left of the arrow too: an arrow declares nothing.",
    "RELATIONSHIP_TARGET_MISSING": "Declare the resource right of the arrow too: an arrow declares nothing.",
    "PARAMETER_TARGET_MISSING": "Declare the resource that `{name}` refers to: a reference declares nothing.",
    "TOO_MANY_ROUNDS": "Something declares itself again and again: a define its own kind, or a collector.",
    # limits and ends
    "CALLS_TOO_DEEP": "Something calls itself without end; give it a case in which it stops.",
    "MEMORY_EXCEEDED": "Work on less at once, or raise the limit: `%limits {setting} AMOUNT`.",
    "LIMIT_EXCEEDED": "Raise the limit if this is meant: `%limits {setting} AMOUNT`.",
    "INTERNAL_ERROR": "This is a defect of puppet-kernel, please report it with the code that led here.",
    "RUNTIME_ERROR": "The message tells what was refused; `type($x)` tells what a value is.",
}


def line(case: Case) -> str | None:
    """What helps in this case: what is said of its kind of failure, of its code, or of the call that failed."""
    for help in (case.help, SPECIAL.get(case.error.code), HELP.get(case.error.code)):
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
    if isinstance(case.node, nodes.Access):
        return "The elements of an array are counted from 0, `$list[0]`; only a hash has names as keys."
    if case.found.get("value") == "":
        return "The value is undef or empty: is the variable set, does the hash have the key?"
    return None


def _not_applicable(case: Case) -> str | None:
    operator, left = case.found.get("operator"), case.found.get("left", "")
    if operator is None and isinstance(case.node, nodes.Access):
        operator, left = "[]", case.error.message
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


def _index_of_text(case: Case) -> str | None:
    """A text where a hash is meant, `$name['first']`, or a type without capital, `package['a']`."""
    node = case.node
    left = getattr(node, "left", None)
    if isinstance(left, nodes.Name) and isinstance(node, nodes.Access):
        return f"A reference begins with a capital: `{capitals(left.value)}[…]`."
    if isinstance(node, nodes.Access) and case.error.message.endswith("Expected an Integer"):
        return "What stands before the bracket is a text, and no hash: its characters are counted from 0."
    return None


def _near(case: Case) -> str | None:
    near = case.error.suggestion
    return f"`?{near}` tells about `{near}`." if near is not None else None


def _unknown_function(case: Case) -> str | None:
    name, node = case.found.get("name", ""), case.node
    if name in IDIOMS:
        return IDIOMS[name]
    ruby = modules.ruby_function(case.runtime.settings.modulepath, name)
    if ruby is not None:
        case.error.suggestion = None
        return f"It is written in Ruby, in {ruby}, which does not run here: define a `function {name}() {{ … }}`."
    if case.error.suggestion is None and isinstance(node, nodes.MethodCall) and not node.arguments:
        receiver = node.receiver
        if isinstance(receiver, nodes.Variable | nodes.Access):
            text = Subject(case.places[-1].span.source, receiver).text or "$hash"
            return f"A dot calls a function; the value of a key is `{text}['{name}']`."
    return _near(case)


SPECIAL: dict[str, Callable[[Case], str | None]] = {
    "NOT_NUMERIC": _not_numeric,
    "OPERATOR_NOT_APPLICABLE": _not_applicable,
    "OPERATOR_NOT_APPLICABLE_WHEN": _not_applicable,
    "TYPE_MISMATCH": fit.advice,
    "BAD_STRING_SLICE_KEY_TYPE": _index_of_text,
    "UNKNOWN_FUNCTION": _unknown_function,
    "UNKNOWN_RESOURCE_TYPE": _near,
    "RUNTIME_ERROR": signature,
}
