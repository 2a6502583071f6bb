"""The formats of `String.new`: `%[flags][width][.precision]letter`, by the type of the value.

`format_value` prints a value by the `Format` that `Formats` has for its type. A `_Printer` prints arrays and hashes;
for other values, the `Printing` of their kind has a function for each letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure, require, require_found
from evaluator.kinds.sprintf import FLAGS, PRECISION, WIDTH, format_object, pad
from evaluator.limits import STRING
from evaluator.types import ANY, ARRAY, FLOAT, HASH, NUMERIC, OPTIONAL, Type, infer_detailed
from evaluator.types.objects import OBJECT
from evaluator.types.rich_data import BINARY
from evaluator.values.chunked import merge_sorted
from evaluator.values.core import DEFAULT, PuppetIterator, iterate, iterate_items
from evaluator.values.kind import Value, get_kind
from evaluator.values.objects import PuppetObject
from lexer_parser.dialect import PUPPET
from lexer_parser.memo import LONGEST, memoize
from lexer_parser.record import Record, fresh

_FORMAT = re.compile(r"%([\s+#0\[{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])")
DELIMITERS = {
    "[": ("[", "]"),
    "{": ("{", "}"),
    "(": ("(", ")"),
    "<": ("<", ">"),
    "|": ("|", "|"),
    " ": ("", ""),
}
FLOAT_LETTERS = "eEfgGaA"
NUMBER_LETTERS = f"dxXobB{FLOAT_LETTERS}"


class Format:
    """A parsed format.

    Attributes:
        source: Its text.
        letter: The letter that ends it.
        alternate: True for an alternate format, `%#`.
        delimiter: The flag that chooses the delimiters of a container, a key of `DELIMITERS`; "" for the usual ones.
        flags: The flags for `sprintf`, as bits.
        width: The least number of characters; 0 for none.
        precision: The number after the point; -1 for none.
        separator: The text between the elements of a container.
        separator2: The text between the key and the value of a hash entry.
        entries: The formats of the scalar elements of a container; None for the default ones.
    """

    def __init__(self, source: str) -> None:
        match = require_found(_FORMAT.fullmatch(source), "FORMAT_FORM", format=source)
        flags, width, precision, self.letter = match.groups()
        require(len(set(flags)) >= len(flags), "FORMAT_FLAG_TWICE", format=source)
        delimiters = [flag for flag in flags if flag in "[{(<|"]
        require(len(delimiters) <= 1, "FORMAT_DELIMITERS", format=source)
        self.source = source
        self.alternate = "#" in flags
        self.delimiter = delimiters[0] if delimiters else " " if " " in flags else ""
        self.flags = (
            sum(FLAGS.get(flag, 0) for flag in flags)
            | (WIDTH if width else 0)
            | (PRECISION if precision else 0)
        )
        self.width = int(width) if width else 0
        self.precision = int(precision) if precision else -1
        self.separator = ", "
        self.separator2 = " => "
        self.entries: Formats | None = None

    def check_letter(self, kind: str, letters: str) -> None:
        """Raise Failure unless the letter is one of those that values of a type have."""
        require(self.letter in letters, "ILLEGAL_FORMAT", format=self.letter, type=kind, expected=letters)

    def pad(self, text: str, alternate: bool = False) -> str:
        """Return a text cut to the precision and filled up to the width.

        Args:
            text: The text.
            alternate: True to put it in double quotes first, if the format is alternate.
        """
        if alternate and self.alternate:
            text = f'"{text}"'
        if self.precision >= 0:
            text = text[: self.precision]
        return pad(text, self.flags, self.width)


class Printing:
    """How values of a kind are printed by a format.

    Attributes:
        write: The function (value, format) -> string.
        undelimited: The letters for which delimiters of containers, such as `%[d`, are ignored.
        undelimited_alternate: The same for an alternate format (`%#`); by default the same letters.
    """

    def __init__(
        self,
        write: Callable[[Any, Format], str],
        undelimited: str = "",
        undelimited_alternate: str | None = None,
    ) -> None:
        self.write = write
        self.undelimited = undelimited
        self.undelimited_alternate = undelimited if undelimited_alternate is None else undelimited_alternate


def make_printing(
    kind: str,
    writers: dict[str, Callable[[Any, Format], str]],
    undelimited: str = "",
    undelimited_alternate: str | None = None,
) -> Printing:
    """Return the printing of a kind whose values are printed by the letter of the format.

    Args:
        kind: The name of the type, for the error about a letter that its values do not have.
        writers: For letters the function (value, format) -> string.
        undelimited: As for `Printing`.
        undelimited_alternate: As for `Printing`.
    """
    writers_by_letter = {letter: write for letters, write in writers.items() for letter in letters}
    letters = "".join(writers_by_letter)

    def write(value: Value, format: Format) -> str:
        format.check_letter(kind, letters)
        return writers_by_letter[format.letter](value, format)

    return Printing(write, undelimited, undelimited_alternate)


def make_text_writers(to_text: Callable[..., str]) -> dict[str, Callable[..., str]]:
    """Return the writers of `s` and `p` for values with one text; `%#s` puts it in quotes."""
    return {
        "s": lambda value, format: format.pad(to_text(value), alternate=True),
        "p": lambda value, format: format.pad(to_text(value)),
    }


class Formats(Record):
    """Formats by type, in the order in which they are tried."""

    rows: list[tuple[Any, Format]]

    def find(self, value: Value) -> Format:
        """Return the format for a value."""
        for type, format in self.rows:
            if _is_format_for(type, value):
                return format
        return _get_format("%s")

    def override(self, lower: Formats) -> Formats:
        """Return these formats, and those of the lower ones that none of these replaces."""
        own = dict(self.rows)
        inherited = {
            type: format
            for type, format in lower.rows
            if not any(wider != type and wider.assignable(type) for wider in own)
        }
        # As released, the formats for elements of a container are completed only if a lower format has its type.
        for type in inherited.keys() & own.keys():
            if own[type].entries is not None and type in (ARRAY, HASH):
                own[type].entries = own[type].entries.override(_get_default_formats("inner"))
        return Formats(_sort_rows([*(inherited | own).items()]))


# types of which no array or hash is an instance
_WITHOUT_CONTAINERS = frozenset(
    [
        "Binary",
        "Boolean",
        "Default",
        "Enum",
        "Float",
        "Integer",
        "Numeric",
        "Object",
        "Pattern",
        "Regexp",
        "String",
        "Undef",
    ]
)


def _is_format_for(type: Any, value: Value) -> bool:
    """Return True if the format of a type applies to a value.

    The detailed type of the value decides. The first conditions decide the same without it, as inferring it takes long.
    """
    if isinstance(value, list | dict):
        if type.keyword in _WITHOUT_CONTAINERS or type in (ANY, ARRAY, HASH):
            return type in (HASH if isinstance(value, dict) else ARRAY, ANY)
    elif not isinstance(value, Type) and type.instance(value):
        return True
    elif not isinstance(value, str | Type):
        return bool(type == OPTIONAL)
    # The format of Optional has replaced that of Any.
    return bool(type.assignable(infer_detailed(value, PUPPET))) or type == OPTIONAL


def _sort_rows(rows: list[tuple[Any, Format]]) -> list[tuple[Any, Format]]:
    """Return the rows with narrower types before wider ones, others by the texts of the types.

    As these two orders may contradict each other, the result depends on the algorithm: a merge sort.
    """
    if len(rows) < 2:
        return rows
    middle = len(rows) // 2
    return merge_sorted(_sort_rows(rows[:middle]), _sort_rows(rows[middle:]), _is_after)


def _is_after(row: tuple[Any, Format], other_row: tuple[Any, Format]) -> bool:
    type, other = row[0], other_row[0]
    if type.assignable(other) != other.assignable(type):
        return bool(type.assignable(other))
    if {type.keyword, other.keyword} <= _CONTAINERS.keys():
        return _CONTAINERS[type.keyword] > _CONTAINERS[other.keyword]
    return type != other and str(type) > str(other)


# types between which the text decides nothing, with their ranks
_CONTAINERS = {"Hash": 0, "Struct": 0, "Tuple": 1, "Array": 2}


# --- objects


def format_object_value(value: Value, format: Format, *, in_lines: bool, level: int = 0) -> str:
    """Return the text of an object.

    Args:
        value: The object.
        format: The format.
        in_lines: True for several lines, False for one.
        level: The indentation, which lines after the first exceed.
    """
    format.check_letter("Object", "spq")
    return str(value.format_indented(level) if in_lines else value.text())


# --- printing of arrays and hashes


@memoize(unbounded_because="one for each of two names")
def _get_default_formats(name: str) -> Formats:
    """Return the formats in force when none is given: "top" for a value itself, "inner" for scalars in containers."""
    inner = {ANY: "%p"}
    top = {OBJECT: "%p", FLOAT: "%f", NUMERIC: "%d", ARRAY: "%a", HASH: "%h", BINARY: "%B", ANY: "%s"}
    return Formats([(type, Format(source)) for type, source in (top if name == "top" else inner).items()])


def _parse_format(value: Value) -> Format:
    """Return a format given as text or as a hash `{format, separator, separator2, string_formats}`."""
    if isinstance(value, str):
        return Format(value)
    format = Format(value.get("format", ""))
    format.separator = value.get("separator", format.separator)
    format.separator2 = value.get("separator2", format.separator2)
    if "string_formats" in value:
        format.entries = _parse_formats(value["string_formats"])
    return format


def _parse_formats(value: dict[Value, Value]) -> Formats:
    return Formats([(type, _parse_format(format)) for type, format in iterate_items(value)])


def format_value(value: Value, formats: Any = None) -> str:
    """Return the text of `String.new(value, formats)`.

    Args:
        value: The value.
        formats: A format, a hash of formats by type, undef or default.

    Raises:
        Failure: A format does not exist, or does not apply to the type of the value.
    """
    chosen = _get_default_formats("top")
    if isinstance(formats, dict):
        chosen = _parse_formats(formats).override(chosen)
        if type(value) is PuppetIterator:
            value = list(iterate(value) or ())
    elif formats is not None and formats is not DEFAULT:
        format = _get_format(formats)
        if not isinstance(value, list | dict):
            return format_scalar(value, format)
        chosen = Formats([(ARRAY if isinstance(value, list) else HASH, format)]).override(chosen)
    if isinstance(value, list | dict):
        text = _Printer(chosen).format(value, chosen, level=0, on_new_line=False)
    else:
        text = format_scalar(value, chosen.find(value))
    STRING.check(len(text))
    return text


@memoize(1000, longest=LONGEST)
def _get_format(source: str) -> Format:
    return Format(source)


class _Printer(Record):
    """Prints arrays and hashes by one set of formats."""

    formats: Formats
    # The strings of arrays and hashes, which may occur many times, by the id of the value and the other arguments. The
    # values are stored too, so that their ids are not reused.
    known: dict[tuple[Any, ...], tuple[str, Any]] = fresh(factory=dict)

    def format(self, value: Value, formats: Formats, level: int, on_new_line: bool) -> str:
        """Return the text of a value.

        Args:
            value: The value.
            formats: The formats for it: those of the enclosing container for its elements.
            level: The number of enclosing containers, by which lines are indented.
            on_new_line: True if a container begins on a line of its own.
        """
        if type(value) is PuppetObject:
            return format_object_value(value, formats.find(value), in_lines=on_new_line, level=level)
        if not isinstance(value, list | dict):
            return format_scalar(value, formats.find(value))
        key = (id(value), id(formats), level, on_new_line)
        if key not in self.known:
            self.known[key] = self.format_container(value, formats, level, on_new_line), value
        return self.known[key][0]

    def format_container(self, value: Value, formats: Formats, level: int, on_new_line: bool) -> str:
        format = self.formats.find(value)
        start = f"\n{'  ' * level}" if on_new_line else ""
        if isinstance(value, list):
            return start + self.format_array(value, format, level)
        if format.letter == "a":
            pairs = [[key, entry] for key, entry in iterate_items(value)]
            return self.format(pairs, formats, level, on_new_line)
        return start + self.format_hash(value, format, level)

    def format_array(self, value: list[Value], format: Format, level: int) -> str:
        """Return the text of an array.

        In an alternate format a container in it begins on a new line, and so does a scalar after a container.
        """
        format.check_letter("Array", "asp")
        padding = "\n" + "  " * (level + 1)
        parts = self.format_parts(value, format, level + 1, on_new_line=format.alternate)
        if not format.alternate:  # what is formatted in several lines begins on a new line in any case
            pairs = zip(parts, value, strict=True)
            parts = [padding + part if self._is_in_lines(entry) else part for part, entry in pairs]
        are_containers = [type(entry) is list or type(entry) is dict for entry in value]
        # In an alternate format, scalar elements that together exceed the width are on a line each.
        breaks_each = (
            format.alternate
            and format.width > 0
            and _measure_longest_run(parts, are_containers) > format.width
        )
        opening, closing = DELIMITERS[format.delimiter or "["]
        out = [opening]
        for index, part in enumerate(parts):
            separator = format.separator if index else ""
            after_container = format.alternate and index > 0 and are_containers[index - 1]
            if are_containers[index]:
                separator = separator.rstrip() if part.startswith("\n") else separator
            elif index and (breaks_each or after_container):
                separator = (separator if separator.endswith("\n") else separator.rstrip()) + padding
            elif breaks_each:  # the first element
                separator = " "
            out.append(separator + part)
        return "".join([*out, closing])

    def _is_in_lines(self, value: Value) -> bool:
        """Return True for a container that is printed in several lines."""
        if type(value) is not dict and type(value) is not list:
            return False
        format = self.formats.find(value)
        return format.alternate and (type(value) is list or format.letter != "a")

    def format_hash(self, value: dict[Value, Value], format: Format, level: int) -> str:
        """Return the text of a hash; in an alternate format each entry is on a line of its own."""
        format.check_letter("Hash", "hasp")
        flat = [entry for pair in iterate_items(value) for entry in pair]
        parts = self.format_parts(flat, format, level + 1, on_new_line=False)
        texts = [key + format.separator2 + entry for key, entry in zip(parts[::2], parts[1::2], strict=True)]
        opening, closing = DELIMITERS[format.delimiter or "{"]
        if not format.alternate:
            return opening + format.separator.join(texts) + closing
        separator = format.separator.rstrip() + "\n"
        padding = "  " * (level + 1)
        lines = separator.join(padding + text for text in texts)
        return f"{opening}\n{lines}\n{'  ' * level}{closing}"

    def format_parts(self, entries: list[Value], format: Format, level: int, on_new_line: bool) -> list[str]:
        """Return the texts of the elements of a container, or of its keys and values in turn."""
        inner = format.entries or _get_default_formats("inner")
        texts = []
        room = STRING.value
        for entry in entries:
            part = self.format(entry, inner, level, on_new_line)
            room -= len(part)
            if room < 0:
                raise STRING.make_error()
            texts.append(part)
        return texts


def _measure_longest_run(parts: list[str], are_containers: list[bool]) -> int:
    """Return the length of the longest run of scalar elements, separators left out."""
    longest = run = 0
    for part, is_container in zip(parts, are_containers, strict=True):
        run = 0 if is_container else run + len(part)
        longest = max(longest, run)
    return longest


def format_scalar(value: Value, format: Format) -> str:
    """Return the text of a value that is no array or hash. Raise Failure if its type lacks the letter."""
    printing = get_kind(value).printing
    if printing is None:
        text, letters = format_object(value, format.source), ""
    else:
        text = printing.write(value, format)
        letters = printing.undelimited_alternate if format.alternate else printing.undelimited
    if format.delimiter.strip() and format.letter not in letters:
        named = format.delimiter in "<{"
        part = "name - unmatched parenthesis" if named else f"format string - %{format.delimiter}"
        raise Failure("MALFORMED_FORMAT", part=part)
    return text
