"""Values as Puppet literals that can be read back, folded to a width, with roles.

A view is bounded while it is made: it has room for a number of elements and characters, and whatever exceeds it is
never visited. So its cost follows what is displayed, however large the value is and however often it contains
itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import Any

from evaluator import values
from evaluator.values.kind import RESOURCE, SEMVER, SEMVER_RANGE, TYPE, get_kind
from evaluator.values.printing import CUT, LITERAL, render
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record
from puppet_kernel.rendering.elements import Fragment, Line, count_characters
from puppet_kernel.rendering.escape import COLUMNS, cut_columns, to_printable

ELEMENTS = 1000  # the number of elements in one view; omitted elements are counted
CHARACTERS = 1_000_000  # the number of characters in one view, of all strings together
PART = 10_000  # characters that are shown of a key, and of a value that is nested too deeply to be folded
CHARACTERS_PER_ELEMENT = 20  # characters of such a value that count as one element
# Elements up to this width are small: they are printed side by side, and there is always room for one.
FILL = 24
DEEPEST = 40  # levels; what is nested more deeply is not folded
SHORT_ELEMENTS = 40  # the number of elements that are examined to print a value in one line


def make_value_lines(value: Any, columns: int = COLUMNS) -> list[Line]:
    """Return the lines of a value, at most `columns` wide if its parts permit."""
    return _Folder(columns).fold(value, "", "")


def shorten_value(value: Any, columns: int) -> Line:
    """Return a value on one line, cut to a width."""
    parts = flatten(value, columns)
    if parts is not None:
        return tuple(parts)
    lines = _Folder(columns, SHORT_ELEMENTS, 4 * max(columns, FILL)).fold(value, "", "")[:SHORT_ELEMENTS]
    letters = list(_join_lines(lines))
    text = "".join(letter for _, letter in letters).rstrip()
    cut_text = cut_columns(text, columns)
    ellipsis = "" if cut_text == text else cut_text[-1]
    groups = groupby(letters[: len(cut_text) - len(ellipsis)], lambda pair: pair[0])
    parts = [(role, "".join(letter for _, letter in group)) for role, group in groups]
    return (*parts, ("", ellipsis)) if ellipsis else tuple(parts)


def _join_lines(lines: Iterable[Line]) -> Iterator[Fragment]:
    """Yield the characters of lines with their roles, with single blanks between words."""
    last = " "
    for role, text in chain.from_iterable((*parts, ("", " ")) for parts in lines):
        for character in text:
            letter = " " if character.isspace() else character
            if letter != " " or last not in " {[":
                yield role, letter
                last = letter


def format_leaf(value: Any, room: int) -> list[Fragment]:
    """Return a value that is not folded, with its role; cut it after `room` characters."""
    text = format_literal(value, room)
    if len(text) <= room:
        return [(_find_role(value), text)]
    left = f" ({len(value) - room:,} more characters)" if isinstance(value, str) and len(value) > room else ""
    return [(_find_role(value), text[:room]), ("dim", f"…{left}")]


def format_literal(value: Any, room: int = CHARACTERS) -> str:
    """Return the literal of a value; of a long one the beginning, which is longer than `room`.

    It is the language's own program form, except where that would be read differently: strings with backslashes or
    unprintable characters, versions, secrets, the exponents of Floats, and objects that contain these.
    """
    text = render(value, _PRINTERS, _format_rich, room, iterators=True, written=True)
    return text.removesuffix(CUT) if len(text) > room else text


def _quote(value: str) -> str:
    """Return a String as source that is read back as the same String."""
    text = values.quote_string(value)
    if not text.startswith("'"):
        return text
    if to_printable(value) != value:
        return '"' + "".join(map(_escape, value)) + '"'
    if "\\" in value:
        return "'" + re.sub(r"\\(?=[\\']|\Z)", r"\\\\", value).replace("'", "\\'") + "'"
    return text


_PRINTERS = {
    **LITERAL,
    str: _quote,
    float: lambda value: values.format_float(value).replace("e+", "e"),
    values.Sensitive: lambda value: "Sensitive('[value redacted]')",
}


def _format_rich(value: Any) -> str:
    """Return a value of a class of ours as source."""
    kind = get_kind(value)
    if kind in (SEMVER, SEMVER_RANGE):
        return f"{kind.name}({values.format_literal(value.text())})"
    try:
        return values.format_literal(value)
    except RecursionError:  # a type may be nested too deeply to be printed
        return CUT


def _escape(character: str) -> str:
    """Return a character as it is written between double quotes."""
    if character in '"\\$':
        return "\\" + character
    return character if to_printable(character) == character else f"\\u{{{ord(character):X}}}"


def _find_role(value: Any) -> str:
    """Return the role of a value in view elements."""
    if isinstance(value, str):
        return "string"
    if value is None or isinstance(value, bool) or value is values.DEFAULT:
        return "keyword"
    if isinstance(value, int | float):
        return "number"
    return "type" if get_kind(value) in (TYPE, RESOURCE) else ""


def flatten(value: Any, columns: int) -> list[Fragment] | None:
    """Return a value on one line; None if it is wider than `columns`.

    The width limits the work: every level of nesting takes two columns, every element at least one and its comma.
    """
    if columns < 0 or (isinstance(value, list | dict) and len(value) * 3 > columns + 2):
        return None
    if isinstance(value, list):
        return _list_flat_items([[element] for element in value], "[", "]", columns)
    if isinstance(value, dict):
        return _list_flat_items(list(values.iterate_items(value)), "{", "}", columns)
    text = format_literal(value, columns)
    return [(_find_role(value), text)] if len(text) <= columns else None


def _list_flat_items(items: list[Any], opening: str, closing: str, columns: int) -> list[Fragment] | None:
    """Return the elements or pairs of a container on one line; None if they are too wide."""
    parts: list[Fragment] = [("", opening)]
    left = columns - 2
    for i, item in enumerate(items):
        if i:
            parts.append(("", ", "))
            left -= 2
        for j, element in enumerate(item):
            if j:
                parts.append(("", " => "))
                left -= 4
            inner = flatten(element, left)
            if inner is None:
                return None
            parts += inner
            left -= count_characters(inner)
    return [*parts, ("", closing)] if left >= 0 else None


class _Folder(Record):
    """The state of folding one value into lines, whose number and length are limited.

    Attributes:
        columns: The width of the view.
        left: The number of elements that may still be shown.
        room: The number of characters that may still be shown.
    """

    columns: int
    left: int = ELEMENTS
    room: int = CHARACTERS

    def fold(self, value: Any, indent: str, suffix: str, start: Line = ()) -> list[Line]:
        """Return the lines of a value.

        Args:
            value: The value.
            indent: The blanks before all lines but the first; two for each level of nesting.
            suffix: The text behind the value: a comma, or "".
            start: The fragments before the value, such as the key of a pair.
        """
        room = self.columns - len(indent) - count_characters(start) - len(suffix)
        parts = flatten(value, min(room, self.room))
        if parts is None and values.is_type(value) and len(indent) <= 2 * DEEPEST:
            text = format_literal(value, self.room)
            if len(text) <= min(self.room, PART):
                return self._fold_type(text, indent, suffix, start)
        if parts is None:
            parts = self._format_unfolded(value, len(indent) > 2 * DEEPEST)
        if parts is not None:
            self.room = max(self.room - count_characters(parts), FILL)
            return [(*start, *parts, ("", suffix))]
        if isinstance(value, list):
            return self._fold_list(value, indent, suffix, start)
        return self._fold_hash(value, indent, suffix, start)

    def _format_unfolded(self, value: Any, is_deep: bool) -> list[Fragment] | None:
        """Return a value that is no container, or nested too deeply; None for others."""
        if not isinstance(value, list | dict):
            return format_leaf(value, self.room)
        if not is_deep:
            return None
        parts = format_leaf(value, min(self.room, PART))
        self.left -= count_characters(parts) // CHARACTERS_PER_ELEMENT
        return parts

    def _fold_type(self, text: str, indent: str, suffix: str, start: Line) -> list[Line]:
        """Return a type; if it is too wide, the parts in its last brackets have their own lines."""
        used = len(indent) + count_characters(start)
        opening = _find_last_opening(text) if used + len(text) + len(suffix) > self.columns else -1
        if opening < 0:
            return [(*start, ("type", text), ("", suffix))]
        inner = indent + "  "
        parts = list(_split_parts(text[opening + 1 : -1]))
        body: list[Line] = []
        if all(len(part) <= FILL for part in parts):
            body = self._fill([[("type", part)] for part in parts], inner)
        else:
            for part in parts:
                first, *rest = self._fold_type(part, inner, ",", ())
                body += [(("", inner), *first), *rest]
        return [
            (*start, ("type", text[: opening + 1])),
            *body,
            (("", indent), ("type", text[-1]), ("", suffix)),
        ]

    def _fold_list(self, value: list[Any], indent: str, suffix: str, start: Line) -> list[Line]:
        """Return an array with elements on lines of their own, or side by side if all are small."""
        inner = indent + "  "
        small = self._format_small(value)
        if small is None:
            body, count = self._fold_each((((), element) for element in value), inner)
        else:
            body, count = self._fill(small, inner), len(small)
        return [
            (*start, ("", "[")),
            *body,
            *_format_rest(len(value) - count, inner),
            (("", indent + "]" + suffix),),
        ]

    def _format_small(self, value: list[Any]) -> list[list[Fragment]] | None:
        """Return the elements for which there is room if all of them are small; else None."""
        elements = []
        for element in value[: max(self.left, 1)]:
            parts = None if isinstance(element, list | dict) else flatten(element, FILL)
            if parts is None:
                return None
            elements.append(parts)
        self.left -= len(elements)
        return elements

    def _fold_hash(self, value: dict[Any, Any], indent: str, suffix: str, start: Line) -> list[Line]:
        """Return a hash with a line for each pair; the arrows behind short keys are aligned."""
        inner = indent + "  "
        pairs = values.iterate_items(dict(islice(value.items(), max(self.left, 1))))
        keys = [format_leaf(key, min(self.room, PART)) for key, _ in pairs]
        widest = max((width for width in map(count_characters, keys) if width <= FILL), default=0)
        prefixes = ((*key, ("", " " * (widest - count_characters(key)) + " => ")) for key in keys)
        body, count = self._fold_each(
            ((prefix, element) for prefix, (_, element) in zip(prefixes, pairs, strict=True)), inner
        )
        return [
            (*start, ("", "{")),
            *body,
            *_format_rest(len(value) - count, inner),
            (("", indent + "}" + suffix),),
        ]

    def _fold_each(self, elements: Iterable[tuple[Line, Any]], indent: str) -> tuple[list[Line], int]:
        """Return the lines of elements with their prefixes, and how many there is room for."""
        body: list[Line] = []
        count = 0
        for prefix, element in elements:
            if self.left <= 0:
                break
            self.left -= 1
            count += 1
            first, *rest = self.fold(element, indent, ",", prefix)
            body += [(("", indent), *first), *rest]
        return body, count

    def _fill(self, items: list[list[Fragment]], indent: str) -> list[Line]:
        """Return the lines of small elements, side by side."""
        lines: list[Line] = []
        current: list[Fragment] = []
        used = len(indent)
        for parts in items:
            needed = count_characters(parts) + 2
            if current and used + needed > self.columns + 1:
                lines.append((("", indent), *current[:-1], ("", ",")))
                current, used = [], len(indent)
            current += [*parts, ("", ", ")]
            used += needed
        if current:
            lines.append((("", indent), *current[:-1], ("", ",")))
        return lines


# A quoted string, a pattern, a bracket or a comma: the tokens that separate the parts of a type.
_TYPE_PARTS = LazyPattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|/(?:[^/\\]|\\.)*/|[\[\](){},]", re.DOTALL)


def _find_last_opening(text: str) -> int:
    """Return the offset of the bracket that closes at the end of a type; -1 for none."""
    unclosed: list[int] = []
    for match in _TYPE_PARTS.finditer(text):
        if match[0] in "[({":
            unclosed.append(match.start())
        elif match[0] in "])}":
            opening = unclosed.pop() if unclosed else -1
            if match.end() == len(text):
                return opening
    return -1


def _split_parts(text: str) -> Iterator[str]:
    """Yield the text between brackets, split at its commas."""
    depth = begin = 0
    for match in _TYPE_PARTS.finditer(text):
        if match[0] in "[({":
            depth += 1
        elif match[0] in "])}":
            depth -= 1
        elif match[0] == "," and not depth:
            yield text[begin : match.start()].strip()
            begin = match.end()
    yield text[begin:].strip()


def _format_rest(count: int, indent: str) -> list[Line]:
    return [(("", indent), ("dim", f"# … {count:,} more"))] if count else []


def format_count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 cell`, `1,200 cells`; the plural defaults to an s."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def format_kinds(kinds: Iterable[str]) -> str:
    """Return how often each kind occurs, the most frequent first: `14 File, 2 Package`."""
    return ", ".join(f"{count:,} {kind}" for kind, count in Counter(kinds).most_common())


def format_duration(seconds: float) -> str:
    """Return a duration such as `1.2 ms`, `3.4 s` or `1,210 s`."""
    unit, scale = ("s", 1.0) if seconds >= 1.0 else ("ms", 1e-3) if seconds >= 1e-3 else ("µs", 1e-6)
    number = seconds / scale
    # Three digits; from 99.5 on they are all before the point, where `g` would write larger numbers with an exponent.
    return f"{number:,.0f} {unit}" if number >= 99.5 else f"{number:.3g} {unit}"
