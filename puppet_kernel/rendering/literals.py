"""Values as Puppet literals that read back, folded to a width, with roles for colours."""

from __future__ import annotations

import re
from typing import Any

from evaluator import values
from puppet_kernel.rendering.elements import Fragment, Line
from puppet_kernel.rendering.escape import clip, printable

ELEMENTS = 1000  # how many elements one view shows; what is left out is counted
FILL = 24  # elements up to this width stand side by side


def value_lines(value: Any, columns: int = 100) -> list[Line]:
    """The lines of a value, at most `columns` wide where its parts allow it."""
    return _Folder(columns).fold(value, "", "")


def short_value(value: Any, columns: int) -> Line:
    """A value on one line, cut to a width."""
    parts = flat(value, columns)
    if parts is not None:
        return tuple(parts)
    lines = _Folder(columns).fold(value, "", "")[:40]
    text = " ".join(" ".join("".join(text for _, text in line) for line in lines).split())
    return (("", clip(text.replace("{ ", "{").replace("[ ", "["), columns)),)


def leaf(value: Any) -> list[Fragment]:
    """A value that is no container, with its role."""
    return [(_role(value), literal(value))]


def literal(value: Any) -> str:
    """A value's literal that reads back.

    It is the language's own program form, but for a String with backslashes that would mean something else
    when read, or with characters that cannot be shown.
    """
    text = values.literal(value)
    if not isinstance(value, str) or not text.startswith("'"):
        return text
    if printable(value) != value:
        return '"' + "".join(map(_escaped, value)) + '"'
    if "\\" in value:
        doubled = re.sub(r"\\(?=[\\']|\Z)", r"\\\\", value)
        return "'" + doubled.replace("'", "\\'") + "'"
    return text


def _escaped(character: str) -> str:
    if character in '"\\$':
        return "\\" + character
    return character if printable(character) == character else f"\\u{{{ord(character):X}}}"


def _role(value: Any) -> str:
    if isinstance(value, str):
        return "string"
    if value is None or isinstance(value, bool) or value is values.DEFAULT:
        return "keyword"
    if isinstance(value, int | float):
        return "number"
    return "type" if values.is_type(value) else ""


def flat(value: Any, columns: int) -> list[Fragment] | None:
    """A value on one line; None when it is wider than `columns`.

    The width bounds the work: every level of nesting costs two columns.
    """
    if columns < 0:
        return None
    if isinstance(value, list):
        return _flat_items([[element] for element in value], "[", "]", columns)
    if isinstance(value, dict):
        return _flat_items(list(values.items(value)), "{", "}", columns)
    text = literal(value)
    return [(_role(value), text)] if len(text) <= columns else None


def _flat_items(items: list[Any], opening: str, closing: str, columns: int) -> list[Fragment] | None:
    if len(items) * 3 > columns + 2:
        return None
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
            inner = flat(element, left)
            if inner is None:
                return None
            parts += inner
            left -= sum(len(text) for _, text in inner)
    return [*parts, ("", closing)] if left >= 0 else None


class _Folder:
    """Folds one value; counts the elements that it still may show."""

    DEEP = 40  # levels below this one are not folded

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.left = ELEMENTS

    def fold(self, value: Any, indent: str, suffix: str, prefix: list[Fragment] | None = None) -> list[Line]:
        """Lines of `prefix` and `value` and `suffix`; those after the first are indented."""
        start = prefix or []
        room = self.columns - len(indent) - sum(len(text) for _, text in start) - len(suffix)
        parts = flat(value, room)
        if parts is None and (not isinstance(value, list | dict) or len(indent) > 2 * self.DEEP):
            parts = leaf(value)
        if parts is not None:
            return [(*start, *parts, ("", suffix))]
        if isinstance(value, list):
            return self._fold_list(value, indent, suffix, start)
        return self._fold_hash(value, indent, suffix, start)

    def _fold_list(self, value: list[Any], indent: str, suffix: str, start: list[Fragment]) -> list[Line]:
        inner = indent + "  "
        shown = self._take(len(value))
        small = [flat(element, FILL) for element in value[:shown]]
        if all(part is not None and not isinstance(value[i], list | dict) for i, part in enumerate(small)):
            body = self._fill([part or [] for part in small], inner)
        else:
            body = [
                (("", inner if i == 0 else ""), *parts) if i == 0 else parts
                for element in value[:shown]
                for i, parts in enumerate(self.fold(element, inner, ","))
            ]
        return [(*start, ("", "[")), *body, *_rest(len(value) - shown, inner), (("", indent + "]" + suffix),)]

    def _fold_hash(
        self, value: dict[Any, Any], indent: str, suffix: str, start: list[Fragment]
    ) -> list[Line]:
        inner = indent + "  "
        shown = self._take(len(value))
        pairs = list(values.items(value))[:shown]
        keys = [leaf(key) for key, _ in pairs]
        widest = max((width for width in map(_width, keys) if width <= FILL), default=0)
        body: list[Line] = []
        for key, (_, element) in zip(keys, pairs, strict=True):
            prefix = [*key, ("", " " * (widest - _width(key)) + " => ")]
            first, *rest = self.fold(element, inner, ",", prefix)
            body += [(("", inner), *first), *rest]
        return [(*start, ("", "{")), *body, *_rest(len(value) - shown, inner), (("", indent + "}" + suffix),)]

    def _take(self, count: int) -> int:
        shown = min(count, max(self.left, 1))
        self.left -= shown
        return shown

    def _fill(self, items: list[list[Fragment]], indent: str) -> list[Line]:
        lines: list[Line] = []
        current: list[Fragment] = []
        used = len(indent)
        for parts in items:
            needed = _width(parts) + 2
            if current and used + needed > self.columns + 1:
                lines.append((("", indent), *current[:-1], ("", ",")))
                current, used = [], len(indent)
            current += [*parts, ("", ", ")]
            used += needed
        if current:
            lines.append((("", indent), *current[:-1], ("", ",")))
        return lines


def _width(parts: list[Fragment]) -> int:
    return sum(len(text) for _, text in parts)


def _rest(count: int, indent: str) -> list[Line]:
    return [(("", indent), ("dim", f"# … {count:,} more"))] if count else []


def duration(seconds: float) -> str:
    """A time for people: `1.2 ms`, `3.4 s`."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"
