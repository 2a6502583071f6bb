"""How values become text: as interpolated (`text`), as source (`literal`), as named in messages (`label`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evaluator.limits import OUTPUT, STRING
from evaluator.values.core import DEFAULT, PuppetIterator, Sensitive, is_type, items

CUT = "… cut"

# --- Leaves


def float_text(value: float) -> str:
    """A Float's shortest digits that read back, fixed or with an exponent: `0.0001`, `1.0e-05`, `1.0e+16`."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    mantissa, _, exponent = repr(value).partition("e")
    sign = "-" if mantissa[0] == "-" else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    if (
        not exponent
        and (len(whole) < 16 or fraction != "0")
        and (whole != "0" or not fraction.startswith("0000"))
    ):
        return f"{sign}{whole}.{fraction}"
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    leading = len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    if not digits:
        return f"{sign}0.0"
    power = point - leading - 1
    return f"{sign}{digits[0]}.{digits[1:] or '0'}e{'-' if power < 0 else '+'}{abs(power):02}"


_DIGITS_AT_ONCE = 4000


def int_text(value: int) -> str:
    """An Integer's decimal digits. Long ones are split: Python refuses them, as it would take quadratic time."""
    digits = value.bit_length() * 30103 // 100000 + 1
    if digits <= _DIGITS_AT_ONCE:
        return str(value)
    return ("-" if value < 0 else "") + _digits(abs(value), digits).lstrip("0")


def _digits(value: int, width: int) -> str:
    if width <= _DIGITS_AT_ONCE:
        return str(value).zfill(width)
    low_width = width // 2
    high, low = divmod(value, 10**low_width)
    return _digits(high, width - low_width) + _digits(low, low_width)


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "$": "\\$"}
_CONTROL = frozenset(map(chr, range(32)))


def quoted(value: str) -> str:
    """A String as source: in single quotes, or in double quotes when it holds control characters."""
    if _CONTROL.isdisjoint(value):
        return "'" + value.replace("'", "\\'") + "'"
    escaped = (_ESCAPES.get(c) or (f"\\u{{{ord(c):X}}}" if c in _CONTROL else c) for c in value)
    return f'"{"".join(escaped)}"'


def _iterator_text(value: PuppetIterator) -> str:
    return f"Iterator[{value.element_type}]-Value" if value.element_type is not None else "Iterator-Value"


_COMMON: dict[type, Callable[[Any], str]] = {
    bool: lambda value: "true" if value else "false",
    int: int_text,
    float: float_text,
    type(DEFAULT): lambda value: "default",
}
_TEXT: dict[type, Callable[[Any], str]] = {
    **_COMMON,
    type(None): lambda value: "",
    str: lambda value: value,
    Sensitive: lambda value: "Sensitive [value redacted]",
    PuppetIterator: _iterator_text,
}
_LITERAL: dict[type, Callable[[Any], str]] = {
    **_COMMON,
    type(None): lambda value: "undef",
    str: quoted,
    Sensitive: lambda value: "#<Sensitive [value redacted]>",
}


def _text_leaf(value: Any) -> str:
    printer = _TEXT.get(type(value))
    if printer is not None:
        return printer(value)
    return str(value) if is_type(value) else value.text()


def _literal_leaf(value: Any) -> str:
    printer = _LITERAL.get(type(value))
    if printer is not None:
        return printer(value)
    return str(value) if is_type(value) else value.literal()


# --- Trees


def _list_parts(elements: Any) -> Iterator[tuple[str, Any]]:
    before = ""
    for element in elements:
        yield before, element
        before = ", "


def _hash_parts(hash_value: dict[Any, Any], arrow: str) -> Iterator[tuple[str, Any]]:
    before = ""
    for key_value, value in items(hash_value):
        yield before, key_value
        yield arrow, value
        before = ", "


def _render(
    root: Any, leaf: Callable[[Any], str], room: int, arrow: str = " => ", iterators: bool = False
) -> str:
    """Prints a value of any depth without recursion; the result ends with a mark once `room` is used up."""
    out: list[str] = []
    open_parts: list[tuple[Iterator[tuple[str, Any]], str]] = []
    value = root
    while True:
        kind = type(value)
        if kind is list or (iterators and kind is PuppetIterator):
            piece = "["
            open_parts.append((_list_parts(value), "]"))
        elif kind is dict:
            piece = "{"
            open_parts.append((_hash_parts(value, arrow), "}"))
        else:
            piece = leaf(value)
        out.append(piece)
        room -= len(piece)
        while open_parts:
            parts, close = open_parts[-1]
            part = next(parts, None)
            if part is not None:
                before, value = part
                out.append(before)
                room -= len(before)
                break
            open_parts.pop()
            out.append(close)
            room -= 1
        else:
            break
        if room < 0:
            out.append(CUT)
            break
    return "".join(out)


def text(value: Any) -> str:
    """A value as interpolation, `notice` and `join` print it: strings bare, undef as nothing.

    The result is a String of the language, so its length is limited; raises PuppetError past the limit.
    """
    kind = type(value)
    if kind is str:
        return value
    if kind is not list and kind is not dict:
        return _text_leaf(value)
    result = _render(value, _text_leaf, STRING.value)
    if len(result) > STRING.value:
        raise STRING.exceeded()
    return result


def literal(value: Any) -> str:
    """A value as source text: `'a'`, `[1, undef]`. For people: cut, with a mark, past the output limit."""
    kind = type(value)
    if kind is not list and kind is not dict and kind is not PuppetIterator:
        result = _literal_leaf(value)
        return result if len(result) <= OUTPUT.value else result[: OUTPUT.value] + CUT
    return _render(value, _literal_leaf, OUTPUT.value, iterators=True)


# --- Words of messages

_LABELS = {
    "NoneType": "Undef Value",
    "bool": "Boolean",
    "int": "Integer",
    "float": "Float",
    "str": "String",
    "list": "Array",
    "dict": "Hash",
    "Regexp": "Regexp",
    "Sensitive": "Sensitive",
    "Binary": "Binary",
    "Timestamp": "Timestamp",
    "Timespan": "Timespan",
    "SemVer": "Semver",
    "SemVerRange": "SemverRange",
}


def label(value: Any) -> str:
    """What messages call a value: `Integer`, `Undef Value`, `Any-Type`, `File['a'] Resource-Reference`."""
    known = _LABELS.get(type(value).__name__)
    if known is not None:
        return known
    if not is_type(value):
        return "Object"
    if type(value).__name__ == "ResourceType" and value.title is not None:
        return f"{value} Resource-Reference"
    return f"{value}-Type"


def an(words: str) -> str:
    """The words with the indefinite article: `an Integer`, `a '+' expression`, `an 'in' expression`."""
    return f"{'an' if words.lstrip(chr(39))[:1].lower() in tuple('aeiou') else 'a'} {words}"


def an_upper(words: str) -> str:
    """As `an`, to begin a sentence."""
    return an(words).capitalize() if not words else "A" + an(words)[1:]


def host_text(value: Any) -> str:
    """How some messages show a value, in the released implementation's notation: `[1, nil]`, `{"a"=>1}`."""
    if type(value) is list or type(value) is dict:
        return _render(value, _host_leaf, OUTPUT.value, arrow="=>")
    if type(value).__name__ == "Regexp":
        return f"(?-mix:{value.source})"
    return text(value)


_HOST_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\x1b": "\\e"}
_HOST_LEAVES: dict[type, Callable[[Any], str]] = {
    type(None): lambda value: "nil",
    str: lambda value: '"' + "".join(_HOST_ESCAPES.get(c, c) for c in value) + '"',
    type(DEFAULT): lambda value: ":default",
    Sensitive: lambda value: "#<Sensitive [value redacted]>",
}


def _host_leaf(value: Any) -> str:
    printer = _HOST_LEAVES.get(type(value))
    if printer is not None:
        return printer(value)
    return value.literal() if type(value).__name__ == "SemVerRange" else _text_leaf(value)
