"""Strings and Regexps: how they are made of other values, their order, their formats."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.calling.constructors import Constructor
from evaluator.kinds.string_formats import Format, format_value, make_printing
from evaluator.values.kind import REGEXP, STRING, KindOrder
from evaluator.values.printing import quote_double, quote_string
from evaluator.values.regexps import RegexpValue, escape_regexp, remove_empty_end

_FORMAT = r"Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]"
_CONTAINER_FORMAT = (
    f"ContainerFormat = Struct[{{Optional['format'] => {_FORMAT}, Optional['separator'] => String,"
    f" Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, {_FORMAT}]}}]"
)
_FORMATS = (
    f"Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[{_FORMAT}, {_CONTAINER_FORMAT}]]]"
)


def _make_regexp(pattern: str, literal: bool = False) -> RegexpValue:
    return RegexpValue(escape_regexp(pattern) if literal else pattern).compile()


def _format_camel_case(value: str) -> str:
    return "::".join(map(str.capitalize, remove_empty_end(value.split("::"))))


# The letters of a format that change the string, and how.
_CHANGES: dict[str, Callable[[str], str]] = {
    "c": str.capitalize,
    "C": _format_camel_case,
    "u": str.upper,
    "d": str.lower,
    "t": str.strip,
}


def _format_changed(value: str, format: Format) -> str:
    changed = _CHANGES[format.letter](value)
    return format.pad(quote_string(changed) if format.alternate else changed)


# The parameters of a signature are rows: the text of the type, the name, and "?" for an optional one.
_STRING = Constructor(
    "new_string", ([("Convertible = Any", "from", ""), (_FORMATS, "string_formats", "?")], format_value)
)
# the released Puppet names this constructor `new_float`
_REGEXP = Constructor("new_float", ([("String", "pattern", ""), ("Boolean", "escape", "?")], _make_regexp))
STRING.set_rules(
    **_STRING.make_rules(),
    printing=make_printing(
        "String",
        # the error of a wrong letter lists the letters in this order, so that `t` is last
        {
            "cCud": _format_changed,
            "s": lambda value, format: format.pad(value),
            "p": lambda value, format: format.pad(
                quote_double(value) if format.alternate else quote_string(value)
            ),
            "t": _format_changed,
        },
        undelimited="p",
        undelimited_alternate="cCudpt",
    ),
    order=KindOrder((STRING,), "A String is not comparable to a non String"),
)
REGEXP.set_rules(
    **_REGEXP.make_rules(),
    printing=make_printing(
        "Regexp",
        {
            "s": lambda value, format: format.pad(
                quote_string(value.bare_text()) if format.alternate else value.bare_text()
            ),
            "p": lambda value, format: format.pad(value.literal()),
        },
    ),
)
