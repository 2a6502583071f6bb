"""Failures that are just text, told apart by their words: template -> code, and what to do about them.

A template is a message with names in braces for what varies. The first that fits gives the error its code.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluator.help import fit
from evaluator.help.case import Case, read_reason
from lexer_parser.tree import nodes

Help = str | Callable[[Case], str | None] | None


def recognise(case: Case) -> None:
    """Gives a failure without code the code of its kind, and takes its message apart."""
    detail = case.detail
    if detail is None:
        return
    for template, code, help in ROWS:
        found = read(template, detail)
        if found is not None:
            case.error.code, case.help = code, help
            case.found.update(found)
            read_reason(case, found.get("reason", ""))
            return


def read(template: str, text: str) -> dict[str, str] | None:
    """What stands in `text` for the names of `template`, None when it does not fit."""
    parts = re.split(r"\{(\w+)\}", template)
    if not all(part in text for part in parts[::2]):
        return None
    pattern = "".join(
        f"(?P<{part}>.+?)" if index % 2 else re.escape(part) for index, part in enumerate(parts)
    )
    found = re.fullmatch(pattern, text, re.DOTALL)
    return found.groupdict() if found else None


# --- sentences that depend on the case


def _missing_parameter(case: Case) -> str:
    name, resource = case.found["parameter"], case.found["resource"]
    if resource == "lambda":
        return f"Give the template a value: `epp('…', {{ '{name}' => … }})`."
    if resource.startswith("Class["):
        owner = resource[6:-1].lower()
        if isinstance(case.node, nodes.Resource):
            return f"Add `{name} => …` to the declaration, or give the parameter a default."
        return (
            f"Declare it with a value: `class {{ '{owner}': {name} => … }}`, or give the parameter a default."
        )
    return f"Add `{name} => …` to the declaration, or give the parameter a default."


def _duplicate(case: Case) -> str:
    kind, _, title = case.found["resource"].partition("[")
    if kind == "Class":
        return (
            f"Declare a class once and before it is included; elsewhere write `include {title[:-1].lower()}`."
        )
    return f"Give one of them another title, or declare it once and refer to it: `{kind}['{title[:-1]}']`."


def _class_name(case: Case) -> str:
    name = case.found["name"]
    if case.error.suggestion is not None:
        return "Classes of modules need the option --modulepath."
    if getattr(case.runtime, "modulepath", ()):
        module, _, rest = name.partition("::")
        file = f"{module}/manifests/{rest.replace('::', '/') or 'init'}.pp"
        return f"Define `class {name} {{ }}`, or put it into `{file}` of a module."
    return f"Define `class {name} {{ }}` first; classes of modules need the option --modulepath."


def _resource_type(case: Case) -> str | None:
    name = case.found["name"]
    if case.error.suggestion is not None:
        return None
    if case.runtime is not None and case.runtime.find_class(name) is not None:
        return f"This is a class: write `include {name}` or `class {{ '{name}': }}`."
    if case.runtime is not None and case.runtime.find_function(name) is not None:
        return f"This is a function: call it with parentheses, `{name}(…)`."
    return f"Define it: `define {name}() {{ … }}`; defines of modules need the option --modulepath."


def _number_text(case: Case) -> str | None:
    text, wanted = case.found["text"], case.found["type"]
    if wanted == "Integer" and re.fullmatch(r"-?\d+\.\d+", text):
        return f"Convert it by way of a float: `Integer(Float('{text}'))`."
    if wanted == "Integer" and re.fullmatch(r"(?=.*\d)[\da-fA-F]+|[\dA-F]+", text):
        return f"Hexadecimal digits need the base: `Integer('{text}', 16)`."
    if wanted in ("Integer", "Float", "Numeric"):
        return "Only digits can become a number; test the text first: `$text =~ /\\A\\d+\\z/`."
    if wanted == "Boolean":
        return "Only 'true', 'yes', 'y', 'false', 'no' and 'n' become booleans, in any case of letters."
    if wanted == "a SemVer":
        return "A version has three numbers: `SemVer('1.2.0')`."
    return None


def _undef(case: Case) -> str | None:
    if case.found["actual"] in ("Undef", "nil"):
        return "The value is undef: is the variable set, does the hash have the key?"
    return None


ROWS: tuple[tuple[str, str, Help], ...] = (
    # classes, defines and templates
    ("{resource}: parameter '{parameter}' {reason}", "PARAMETER_MISMATCH", fit.advice),
    (
        "{resource}: expects a value for parameter '{parameter}'",
        "MISSING_REQUIRED_PARAMETER",
        _missing_parameter,
    ),
    (
        "{resource}: has no parameter named '{parameter}'",
        "UNKNOWN_PARAMETER",
        "Remove it, or add the parameter to the definition.",
    ),
    (
        "{resource}:\n  {problems}",
        "PARAMETER_MISMATCH",
        "Mend the parameters one by one, from the top.",
    ),
    # the catalog
    ("Could not find class ::{name} for {node}", "CLASS_NOT_FOUND", _class_name),
    ("Could not find declared class {name}", "CLASS_NOT_FOUND", _class_name),
    ("Cannot use {value} as a class name", "CLASS_NOT_FOUND", "Give the name of a class: `include apache`."),
    ("Cannot use an unspecific {rest}", "CLASS_NOT_FOUND", "Give the name of a class: `include apache`."),
    ("Duplicate declaration: {resource} is already declared{rest}", "DUPLICATE_DECLARATION", _duplicate),
    (
        "Cannot alias {resource} to {rest}",
        "DUPLICATE_DECLARATION",
        "The two are one and the same on the machine: declare it once.",
    ),
    ("Unknown resource type: '{name}'", "UNKNOWN_RESOURCE_TYPE", _resource_type),
    ("Resource type {name} doesn't exist", "UNKNOWN_RESOURCE_TYPE", _resource_type),
    ("No title provided and {text} is not a valid resource reference", "NO_REFERENCE", None),
    (
        "The expression <{text}> is not a valid type specification.",
        "NO_REFERENCE",
        "A text is no resource; write a reference: `Class['{text}']`, `Service['{text}']`.",
    ),
    (
        "Classes cannot be collected",
        "NO_REFERENCE",
        "A class is included or declared; `<| |>` finds resources of other types.",
    ),
    # types and conversions
    ("'{function}' The string '{text}' cannot be converted to {type}", "CONVERSION", _number_text),
    ("'{function}' Value of type {actual} cannot be converted to {type}", "CONVERSION", _undef),
    ("Value of type {actual} cannot be converted to {type}", "CONVERSION", _undef),
    ("no implicit conversion of {actual} into {type}", "CONVERSION", _undef),
    ("can't convert {actual} into {type}", "CONVERSION", _undef),
    ("Converted value from {type}.new() has wrong type, {reason}", "CONVERSION", fit.advice),
    ("Creation of new instance of type '{type}' is not supported", "NOT_INSTANTIABLE", None),
    (
        "odd number of arguments for Hash",
        "CONVERSION",
        "A hash is made of pairs: `Hash([['a', 1], ['b', 2]])` or `Hash(['a', 1, 'b', 2])`.",
    ),
    ("Can only append Array or Hash to a Hash", "CONVERSION", "Join hashes: `$h + {{ 'key' => 1 }}`."),
    (
        "Unable to parse '{text}' using any of the formats {formats}",
        "CONVERSION",
        "Give the format as the second argument: `Timestamp('24.12.2030', '%d.%m.%Y')`.",
    ),
    (
        "Unable to parse '{text}' using format '{format}'",
        "CONVERSION",
        "Write the text and the format alike.",
    ),
    ("Illegal radix: {text}, expected {choices}", "CONVERSION", "The base of a number is 2, 8, 10 or 16."),
    ("invalid value for Integer(): {text}", "CONVERSION", "The text is no whole number."),
    ("invalid value for Float(): {text}", "CONVERSION", "The text is no number."),
    ("invalid base64", "CONVERSION", "The text is no Base64: Binary('…', '%s') takes text as it is."),
    ("bad URI(is not URI?): {text}", "CONVERSION", "Write blanks as `%20`, and only letters of ASCII."),
    (
        "Illegal format '{char}' specified for value of {type} type - expected one of the characters '{choices}'",
        "ILLEGAL_FORMAT",
        "The letters for this type are {choices}.",
    ),
    ("The format '{format}' is not a valid format on the form {rest}", "ILLEGAL_FORMAT", None),
    ("The same flag can only be used once, got '{format}'", "ILLEGAL_FORMAT", "Write each flag once."),
    ("Only one of the delimiters {rest}", "ILLEGAL_FORMAT", "Write one delimiter."),
    ("malformed format string{rest}", "ILLEGAL_FORMAT", None),
    (
        "too few arguments",
        "ILLEGAL_FORMAT",
        "Give a value for each `%` of the format; a percent sign is `%%`.",
    ),
    ("incomplete format specifier; {rest}", "ILLEGAL_FORMAT", "A percent sign is `%%`."),
    (
        "Type alias '{name}' cannot be resolved to a real type",
        "UNRESOLVED_TYPE",
        "The alias stands for itself: name a type.",
    ),
    ("reference to unresolved type '{name}'", "UNRESOLVED_TYPE", None),
    ("{function}: references an unresolved type '{name}'", "UNRESOLVED_TYPE", None),
    (
        "'from' must be less or equal to 'to'. Got {rest}",
        "BAD_TYPE_SPECIALIZATION",
        "Write the smaller bound first.",
    ),
    ("{function} has wrong type, {reason}", "TYPE_MISMATCH", fit.advice),
    ("{problem}: /{pattern}/", "INVALID_REGEXP", None),
)

CODES = frozenset(code for _, code, _ in ROWS)
