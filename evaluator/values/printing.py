"""The conversion of values to text.

`format_value` writes a value as it is interpolated, `format_literal` as source, `describe_kind` names it in messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from evaluator.limits import OUTPUT, STRING
from evaluator.values.chunked import iterate_text_chunks
from evaluator.values.core import DEFAULT, PuppetIterator, Sensitive, is_type, iterate_items
from evaluator.values.kind import OBJECT, REGEXP, RESOURCE, SEMVER_RANGE, Value, get_kind
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.tree.labels import format_finite_float

CUT = "… cut"
Printer = Callable[[Any], str]
Printers = dict[type, Printer]

# --- Leaves


def format_float(value: float) -> str:
    """Return a Float as text: its shortest digits that read back, or `NaN`, `Infinity`."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return format_finite_float(value)


_DIGITS_AT_ONCE = 4000
_BITS_AT_ONCE = 13_000


def format_integer(value: int) -> str:
    """Return an Integer's decimal digits.

    Long ones are split: Python refuses them, because converting them takes quadratic time.
    """
    if value.bit_length() <= _BITS_AT_ONCE:
        return str(value)
    digits = value.bit_length() * 30103 // 100000 + 1
    return ("-" if value < 0 else "") + _format_digits(abs(value), digits).lstrip("0")


def _format_digits(value: int, width: int) -> str:
    if width <= _DIGITS_AT_ONCE:
        return str(value).zfill(width)
    low_width = width // 2
    high, low = divmod(value, 10**low_width)
    return _format_digits(high, width - low_width) + _format_digits(low, low_width)


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "$": "\\$"}
_CONTROL = frozenset(map(chr, range(32)))
_ESCAPE_TABLE = str.maketrans({**{c: f"\\u{{{ord(c):X}}}" for c in _CONTROL}, **_ESCAPES})


def quote_string(value: str) -> str:
    """Return a String as source: in single quotes, or in double quotes for control characters."""
    if all(map(_CONTROL.isdisjoint, iterate_text_chunks(value))):
        return f"'{value}'" if "'" not in value else f"'{_escape(value)}'"
    return quote_double(value)


def quote_double(value: str) -> str:
    """Return a String as source in double quotes."""
    return "".join(('"', *(part.translate(_ESCAPE_TABLE) for part in iterate_text_chunks(value)), '"'))


def _escape(value: str) -> str:
    """Return a text with its quotes escaped, except those that follow a backslash already."""
    return re.sub(r"(\\.)|'", lambda match: match[1] or "\\'", value, flags=re.DOTALL)


def _format_iterator(value: PuppetIterator) -> str:
    element = value.element_type
    return f"Iterator[{'Any' if element is None else element.generalize()}]-Value"


_COMMON: Printers = {
    bool: lambda value: "true" if value else "false",
    int: format_integer,
    float: format_float,
    type(DEFAULT): lambda value: "default",
}
_TEXT: Printers = {
    **_COMMON,
    type(None): lambda value: "",
    str: lambda value: value,
    Sensitive: lambda value: "Sensitive [value redacted]",
    PuppetIterator: _format_iterator,
}
LITERAL: Printers = {
    **_COMMON,
    type(None): lambda value: "undef",
    str: quote_string,
    Sensitive: lambda value: "#<Sensitive [value redacted]>",
}


def _format_rich_text(value: Value) -> str:
    return str(value) if is_type(value) else value.text()


def _format_rich_literal(value: Value) -> str:
    return str(value) if is_type(value) else value.literal()


# --- Trees

# Pieces are joined regularly, because millions of small strings would take many times the memory of the result.
_JOIN_AFTER = 1_000_000  # characters
# In a result of more than this number of characters, the string of an array or hash is stored, because it may occur
# again, if it has at most these numbers of characters and pieces.
_STORE_AFTER = 100_000
_STORED_LENGTH = 10_000
_STORED_PIECES = 1_000
_MESSAGE_LENGTH = 100_000  # characters of a message that somebody can read


def _list_parts(elements: Any) -> Iterator[tuple[str, Value]]:
    before = ""
    for element in elements:
        yield before, element
        before = ", "


def _format_hash_parts(hash_value: dict[Value, Value], arrow: str) -> Iterator[tuple[str, Value]]:
    before = ""
    for key_value, value in iterate_items(hash_value):
        yield before, key_value
        yield arrow, value
        before = ", "


def render(
    root: Value,
    printers: Printers,
    rich: Printer,
    room: int,
    *,
    arrow: str = " => ",
    iterators: bool = False,
    written: bool = False,
) -> str:
    """Return the text of a value of any depth, without recursion.

    The result ends with `CUT` once `room` is used up. Programs print often and long values, so this is one loop
    without calls for each part.

    Args:
        root: The value.
        printers: Print values of Python's types and Sensitive.
        rich: Prints all others except objects, which consist of parts.
        room: The maximum number of characters of the result.
        arrow: The string between a key and its value.
        iterators: True to print the elements of Iterators like an array.
        written: True to print of objects the attributes that make an equal one, in the same way as all else; False to
            print those that Puppet prints, in Puppet's way.
    """
    out: list[str] = []  # pieces of the result, in order
    done: list[str] = []  # the pieces before them, joined
    joined = 0  # the number of pieces in `done`
    next_join = max(room - _JOIN_AFTER, 0)
    # the stored strings of arrays and hashes, by their identities
    printed: dict[int, str] = {}
    store_below = room - _STORE_AFTER
    # how the parts are printed, which changes inside an object: its attributes are printed in another way
    style: tuple[Any, ...] = printers, rich, arrow, iterators, printed
    # For the collection that is being printed: the remaining parts, each with the separator before it, and the closing
    # bracket; the index of its first piece; and its id, under which its string is stored. `outer` stores the same for
    # the collections around it.
    parts: Iterator[tuple[str, Value]] = iter([("", root)])
    close, start, identity = "", 0, 0
    outer: list[tuple[Iterator[tuple[str, Value]], str, int, int, tuple[Any, ...]]] = []
    while True:
        for before, value in parts:
            kind = type(value)
            if kind is list or kind is dict or (iterators and kind is PuppetIterator):
                text_known = printed.get(id(value)) if printed else None
                if text_known is None:
                    outer.append((parts, close, start, identity, style))
                    parts, close = (
                        (_format_hash_parts(value, arrow), "}") if kind is dict else (_list_parts(value), "]")
                    )
                    out.append(before)
                    start, identity = joined + len(out), id(value)
                    out.append("{" if kind is dict else "[")
                    break
                piece = before + text_known
            elif kind not in printers and get_kind(value) is OBJECT:
                outer.append((parts, close, start, identity, style))
                if rich is not _format_rich_part and not written:  # not yet inside an object
                    style = printers, rich, arrow, iterators, printed = *_INSIDE, {}
                attributes = value.get_written() if written else value.get_printed()
                parts, close = _format_hash_parts(attributes, arrow), "})"
                out.append(before)
                start, identity = joined + len(out), id(value)
                out.append(f"{value.type.inner()}({{")
                break
            else:
                if kind is str and len(value) > room:
                    value = value[: room + 1]  # the rest would be cut off again
                piece = before + (printers[kind](value) if kind in printers else rich(value))
            out.append(piece)
            room -= len(piece)
            if room < next_join:
                break
        else:
            out.append(close)
            if not outer:
                break
            # store the string of the collection if all of its pieces are still in `out`
            if room < store_below and start >= joined and joined + len(out) - start <= _STORED_PIECES:
                whole = "".join(out[start - joined :])
                if len(whole) <= _STORED_LENGTH:
                    printed[identity] = whole
                    out[start - joined :] = [whole]
            parts, close, start, identity, style = outer.pop()
            printers, rich, arrow, iterators, printed = style
        room -= 1
        if room < next_join:
            if room < 0:
                out.append(CUT)
                break
            done.append("".join(out))
            joined += len(out)
            out.clear()
            next_join = max(room - _JOIN_AFTER, 0)
    return "".join([*done, *out])


def format_value(value: Value) -> str:
    """Return a value as interpolation, `notice` and `join` print it: strings bare, undef "".

    The result is a String of the language, so its length is limited.

    Raises:
        PuppetError: The result exceeds the limit.
    """
    if type(value) is str:
        return value
    kind = type(value)
    if kind in _TEXT:
        return _TEXT[kind](value)
    if kind is not list and kind is not dict and get_kind(value) is not OBJECT:
        return _format_rich_text(value)
    result = render(value, _TEXT, _format_rich_text, STRING.value)
    if len(result) > STRING.value:
        raise STRING.make_error()
    return result


def format_literal(value: Value, room: int | None = None) -> str:
    """Return a value as source text: `'a'`, `[1, undef]`.

    Users read it, so it is cut, with a mark, after `room` characters; by default after the limit of output.
    """
    room = int(OUTPUT.value) if room is None else room
    try:
        result = render(value, LITERAL, _format_rich_literal, room, iterators=True)
    except PuppetError:  # the value may be a type that is longer than any String
        return CUT
    return result if len(result) <= room + len(CUT) else result[:room] + CUT


# --- the parts of objects and types

_PART = LITERAL  # without the type of a Sensitive, because that of a Type or a Regexp reveals the value


def format_part(value: Value) -> str:
    """Return a value inside an object or a type: types as names, times, versions as Strings."""
    return render(value, _PART, _format_rich_part, int(OUTPUT.value))


def _format_rich_part(value: Value) -> str:
    """Return a value of a class of ours as it is printed inside an object or a type."""
    if is_type(value):
        return str(value.inner())
    kind = get_kind(value)
    if kind.inside == "source":
        return str(value.literal())
    if kind.inside == "text":
        return quote_string(value.text())
    return f"Instance of {(kind.infer_detailed or kind.infer)(value, PUPPET).inner()}"


# how the attributes of an object are printed, in any context
_INSIDE = _PART, _format_rich_part, " => ", False


# --- Words of messages


def describe_kind(value: Value) -> str:
    """Return the name of a value in messages: `Integer`, `Undef Value`, `Any-Type`.

    A reference is called `File['a'] Resource-Reference`.
    """
    words = get_kind(value).label
    return words if isinstance(words, str) else words(value)


def to_ruby_text(value: Value) -> str:
    """Return a value in Ruby's notation, as some messages show it: `[1, nil]`, `{"a"=>1}`."""
    if type(value) is list or type(value) is dict:
        return render(value, _RUBY, _to_ruby_text_of_rich, _MESSAGE_LENGTH, arrow="=>")
    if get_kind(value) is REGEXP:
        return str(value.ruby_text())
    return format_value(value)


# The escapes that both String#inspect and String#dump write.
RUBY_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\x1b": "\\e"}
_RUBY: Printers = {
    **_COMMON,
    type(None): lambda value: "nil",
    str: lambda value: '"' + "".join(RUBY_ESCAPES.get(c, c) for c in value) + '"',
    type(DEFAULT): lambda value: ":default",
    Sensitive: lambda value: "#<Sensitive [value redacted]>",
    PuppetIterator: _format_iterator,
}


def _to_ruby_text_of_rich(value: Value) -> str:
    if get_kind(value) is REGEXP:
        return str(value.plain_text())
    if get_kind(value) is RESOURCE:
        return str(value.ruby_text())
    return value.literal() if get_kind(value) is SEMVER_RANGE else _format_rich_text(value)
