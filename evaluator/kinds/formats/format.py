"""The formats of `String.new`: one, and several by the types of values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure
from evaluator.kinds.formats.numbers import FLAGS, PRECISION, WIDTH
from evaluator.limits import STRING
from evaluator.types import ANY, ARRAY, HASH, OPTIONAL, infer
from evaluator.values.printing import double_quoted
from evaluator.values.printing import quoted as single_quoted
from lexer_parser.dialect import PUPPET

_FORMAT = re.compile(r"%([\s+#0\[{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])")
DELIMITERS = {
    "[": ("[", "]"),
    "{": ("{", "}"),
    "(": ("(", ")"),
    "<": ("<", ">"),
    "|": ("|", "|"),
    " ": ("", ""),
}
NUMERIC_LETTERS = "dxXobB"
FLOAT_LETTERS = "eEfgGaA"


class Format:
    """One format, taken apart. `entries` are the formats of a container's own scalar elements, or None."""

    __slots__ = (
        "alternate",
        "delimiter",
        "entries",
        "flags",
        "letter",
        "precision",
        "separator",
        "separator2",
        "source",
        "width",
    )

    def __init__(self, source: str) -> None:
        match = _FORMAT.fullmatch(source)
        if match is None:
            raise Failure("FORMAT_FORM", format=source)
        flags, width, precision, self.letter = match.groups()
        if len(set(flags)) < len(flags):
            raise Failure("FORMAT_FLAG_TWICE", format=source)
        delimiters = [flag for flag in flags if flag in "[{(<|"]
        if len(delimiters) > 1:
            raise Failure("FORMAT_DELIMITERS", format=source)
        self.source = source
        self.alternate = "#" in flags
        self.delimiter = delimiters[0] if delimiters else " " if " " in flags else ""
        self.flags = sum(FLAGS.get(flag, 0) for flag in flags)
        self.flags |= WIDTH if width else 0
        self.flags |= PRECISION if precision else 0
        self.width = int(width) if width else 0
        self.precision = int(precision) if precision else -1
        self.separator = ", "
        self.separator2 = " => "
        self.entries: Formats | None = None

    def refuse(self, kind: str, letters: str) -> Failure:
        """The error for a letter that values of a type do not have."""
        return Failure("ILLEGAL_FORMAT", format=self.letter, type=kind, expected=letters)

    def padded(self, text: str, alternate: bool = False) -> str:
        """A text cut to the precision and filled up to the width; `alternate`: in double quotes first."""
        if alternate and self.alternate:
            text = f'"{text}"'
        if self.precision >= 0:
            text = text[: self.precision]
        STRING.check(self.width)
        return text.ljust(self.width) if self.flags & FLAGS["-"] else text.rjust(self.width)


def quoted(value: str, double: bool = False) -> str:
    """A String as source; in double quotes when it has control characters, or `double`."""
    return double_quoted(value) if double else single_quoted(value)


class Printing:
    """How values of a kind are printed by a format.

    write      the function (value, format) -> text
    brackets   the letters for which delimiters of containers, such as `%[d`, are simply ignored
    alternate  those of an alternate format (`%#`), where they are others
    """

    __slots__ = ("alternate", "brackets", "write")

    def __init__(
        self, write: Callable[[Any, Format], str], brackets: str = "", alternate: str | None = None
    ) -> None:
        self.write = write
        self.brackets = brackets
        self.alternate = brackets if alternate is None else alternate


class Formats:
    """Formats by type, the narrower types first."""

    __slots__ = ("rows",)

    def __init__(self, rows: list[tuple[Any, Format]]) -> None:
        self.rows = rows

    def find(self, value: Any) -> Format:
        """The format for a value."""
        return next(format for type, format in self.rows if _covers(type, value))

    def over(self, lower: Formats) -> Formats:
        """These formats, and those of the lower ones that none of these replaces."""
        kept = [row for row in lower.rows if not any(type.assignable(row[0]) for type, _ in self.rows)]
        return Formats(ordered([*kept, *self.rows]))


# types that no array or hash is of
_SCALAR_TYPES = frozenset(
    [
        "Binary",
        "Boolean",
        "Default",
        "Enum",
        "Float",
        "Integer",
        "Numeric",
        "Pattern",
        "Regexp",
        "String",
        "Undef",
    ]
)


def _covers(type: Any, value: Any) -> bool:
    """True when a type is that of a value; for containers by their inferred type, as a Struct is a Hash there."""
    if not isinstance(value, list | dict):
        return bool(type.instance(value)) or type == OPTIONAL  # which has replaced the format of Any
    if type.keyword in _SCALAR_TYPES:
        return False
    if type in (ANY, ARRAY, HASH):
        return type in (HASH if isinstance(value, dict) else ARRAY, ANY)
    return bool(type.assignable(infer(value, PUPPET)))


def ordered(rows: list[tuple[Any, Format]]) -> list[tuple[Any, Format]]:
    """The rows with narrower types before wider ones, else in their order."""
    found: list[tuple[Any, Format]] = []
    for row in rows:
        wider = (index for index, (type, _) in enumerate(found) if type.assignable(row[0]))
        found.insert(next(wider, len(found)), row)
    return found
