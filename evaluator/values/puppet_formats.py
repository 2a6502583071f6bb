"""The formats of `String.new`: `%[flags][width][.precision]letter`, by the type of the value.

A top-level value is formatted by the entry of a hash of formats that is the narrowest for its type; what is in
an array or hash by the container's `string_formats`, and containers in it by the same hash again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.limits import STRING
from evaluator.values.core import DEFAULT, PuppetIterator, items
from evaluator.values.formats import format_object
from evaluator.values.number_formats import FLAGS, PRECISION, WIDTH, float_format, integer_text
from evaluator.values.printing import literal, text

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
            raise Failure(
                f"The format '{source}' is not a valid format on the form '%<flags><width>.<prec><format>'"
            )
        flags, width, precision, self.letter = match.groups()
        if len(set(flags)) < len(flags):
            raise Failure(f"The same flag can only be used once, got '{source}'")
        delimiters = [flag for flag in flags if flag in "[{(<|"]
        if len(delimiters) > 1:
            raise Failure(
                f"Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{source}'"
            )
        self.source = source
        self.alternate = "#" in flags
        self.delimiter = delimiters[0] if delimiters else " " if " " in flags else ""
        self.flags = sum(FLAGS.get(flag, 0) for flag in flags)
        self.flags |= WIDTH if width else 0
        self.flags |= PRECISION if precision else 0
        self.width = int(width) if width else 0
        self.precision = int(precision) if precision else -1
        STRING.check(max(self.width, self.precision))
        self.separator = ", "
        self.separator2 = " => "
        self.entries: Formats | None = None

    def refuse(self, kind: str, letters: str) -> Failure:
        """The error for a letter that values of a type do not have."""
        return Failure(
            f"Illegal format '{self.letter}' specified for value of {kind} type -"
            f" expected one of the characters '{letters}'"
        )

    def padded(self, text: str, alternate: bool = False) -> str:
        """A text cut to the precision and filled up to the width; `alternate`: in double quotes first."""
        if alternate and self.alternate:
            text = f'"{text}"'
        if self.precision >= 0:
            text = text[: self.precision]
        return text.ljust(self.width) if self.flags & FLAGS["-"] else text.rjust(self.width)


class Formats:
    """Formats by type, the narrower types first."""

    __slots__ = ("rows",)

    def __init__(self, rows: list[tuple[Any, Format]]) -> None:
        self.rows = rows

    def find(self, kind: Any) -> Format:
        """The format for values of a type."""
        return next(format for type, format in self.rows if type.assignable(kind))

    def over(self, lower: Formats) -> Formats:
        """These formats, and those of the lower ones that none of these replaces."""
        kept = [row for row in lower.rows if not any(type.assignable(row[0]) for type, _ in self.rows)]
        return Formats(_ordered([*kept, *self.rows]))


def _ordered(rows: list[tuple[Any, Format]]) -> list[tuple[Any, Format]]:
    """The rows with narrower types before wider ones, else in their order."""
    found: list[tuple[Any, Format]] = []
    for row in rows:
        wider = (index for index, (type, _) in enumerate(found) if type.assignable(row[0]))
        found.insert(next(wider, len(found)), row)
    return found


_DEFAULTS: dict[str, Formats] = {}


def _default(name: str) -> Formats:
    """The formats in force when none is given: "top" for a value itself, "inner" for scalars in containers."""
    if not _DEFAULTS:
        # formats are kept by type, and types are a layer above
        from evaluator.types import ANY, ARRAY, FLOAT, HASH, NUMERIC
        from evaluator.types.rich import BINARY

        top = {FLOAT: "%f", NUMERIC: "%d", ARRAY: "%a", HASH: "%h", BINARY: "%B", ANY: "%s"}
        _DEFAULTS["top"] = Formats([(type, Format(source)) for type, source in top.items()])
        _DEFAULTS["inner"] = Formats([(ANY, Format("%p"))])
    return _DEFAULTS[name]


def _parse_format(value: Any) -> Format:
    """A format given as text or as a hash `{format, separator, separator2, string_formats}`."""
    if isinstance(value, str):
        return Format(value)
    format = Format(value.get("format", ""))
    format.separator = value.get("separator", format.separator)
    format.separator2 = value.get("separator2", format.separator2)
    if "string_formats" in value:
        format.entries = _parse_formats(value["string_formats"]).over(_default("inner"))
    return format


def _parse_formats(value: dict[Any, Any]) -> Formats:
    return Formats(_ordered([(type, _parse_format(format)) for type, format in items(value)]))


def format_value(value: Any, formats: Any = None) -> str:
    """The text of `String.new(value, formats)`: a format, a hash of formats by type, undef or default.

    Raises Failure for a format that does not exist or that the value's type does not have.
    """
    from evaluator.types import infer

    kind = infer(value)
    chosen = _default("top")
    if isinstance(formats, dict):
        chosen = _parse_formats(formats).over(chosen)
    elif formats is not None and formats is not DEFAULT:
        chosen = Formats([(_own_type(kind), Format(formats))]).over(chosen)
    text = _Printer(chosen).text(value, kind, chosen, 0, False)
    STRING.check(len(text))
    return text


def _own_type(kind: Any) -> Any:
    """The type that a bare format speaks of: arrays or hashes of any kind, else the value's own type."""
    from evaluator.types import ARRAY, HASH

    return next((type for type in (ARRAY, HASH) if type.assignable(kind)), kind)


# --- Scalars


def _integer(value: int, format: Format) -> str:
    letter = format.letter
    if letter in NUMERIC_LETTERS:
        return integer_text(value, letter, format.flags, format.width, format.precision)
    if letter in FLOAT_LETTERS:
        return float_format(float(value), letter, format.flags, format.width, format.precision)
    if letter == "c":
        if not 0 <= value <= 0x7FFFFFFF:
            raise Failure("pack(U): value out of range")
        if value > 0x10FFFF or 0xD800 <= value < 0xE000:
            raise Failure("invalid character")
        return format.padded(chr(value), alternate=True)
    if letter in "sp":
        return format.padded(str(value), alternate=letter == "s")
    raise format.refuse("Integer", "dxXobBeEfgGaAspc")


def _float(value: float, format: Format) -> str:
    letter = format.letter
    if letter in NUMERIC_LETTERS:
        if value != value or value in (float("inf"), float("-inf")):
            raise Failure("NaN" if value != value else "Infinity" if value > 0 else "-Infinity")
        return integer_text(int(value), letter, format.flags, format.width, format.precision)
    if letter in FLOAT_LETTERS:
        return float_format(value, letter, format.flags, format.width, format.precision)
    if letter in "sp":
        return format.padded(text(value), alternate=letter == "s")
    raise format.refuse("Float", "dxXobBeEfgGaAsp")


def _boolean(value: bool, format: Format) -> str:
    letter = format.letter
    words = {"t": "true", "T": "True", "y": "yes", "Y": "Yes"} if value else {}
    words = words or {"t": "false", "T": "False", "y": "no", "Y": "No"}
    if letter in words:
        return format.padded(words[letter][0] if format.alternate else words[letter])
    if letter in NUMERIC_LETTERS:
        return integer_text(int(value), letter, format.flags, format.width, format.precision)
    if letter in FLOAT_LETTERS:
        return float_format(float(value), letter, format.flags, format.width, format.precision)
    if letter in "sp":
        return format.padded("true" if value else "false")
    raise format.refuse("Boolean", "tTyYdxXobBeEfgGaAsp")


def _undef(value: None, format: Format) -> str:
    letter = format.letter
    if letter == "n":
        return format.padded("null" if format.alternate else "nil")
    if letter == "u":
        return format.padded("undefined" if format.alternate else "undef")
    if letter in NUMERIC_LETTERS or letter in FLOAT_LETTERS:
        return format.padded("NaN")
    if letter in "vV":
        return format.padded("n/a" if letter == "v" else "N/A")
    if letter in "sp":
        return format.padded("" if letter == "s" else "undef", alternate=True)
    raise format.refuse("Undef", "nudxXobBeEfgGaAvVsp")


def _default_value(value: Any, format: Format) -> str:
    if format.letter in "dsp":
        return format.padded("default", alternate=True)
    if format.letter == "D":
        return format.padded("Default", alternate=True)
    raise format.refuse("Default", "dDsp")


_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\", "$": "\\$"}


def quoted(value: str, double: bool = False) -> str:
    """A String as source; in double quotes when it has control characters, or `double`.

    The released Puppet does not escape a single quote here.
    """
    if not double and not any(char < " " for char in value):
        return f"'{value}'"
    escaped = (_ESCAPES.get(char) or (f"\\u{{{ord(char):X}}}" if char < " " else char) for char in value)
    return f'"{"".join(escaped)}"'


def _camel(value: str) -> str:
    segments = value.split("::")
    while segments and not segments[-1]:
        segments.pop()
    return "::".join(map(str.capitalize, segments))


_CASES: dict[str, Callable[[str], str]] = {
    "c": str.capitalize,
    "C": _camel,
    "u": str.upper,
    "d": str.lower,
    "t": str.strip,
}


def _string(value: str, format: Format) -> str:
    letter = format.letter
    if letter == "s":
        return format.padded(value)
    if letter == "p":
        return format.padded(quoted(value, format.alternate))
    change = _CASES.get(letter)
    if change is None:
        raise format.refuse("String", "cCudspt")
    changed = change(value)
    return format.padded(quoted(changed) if format.alternate else changed)


def _regexp(value: Any, format: Format) -> str:
    if format.letter == "p":
        return format.padded(value.literal())
    if format.letter == "s":
        return format.padded(quoted(value.source) if format.alternate else value.source)
    raise format.refuse("Regexp", "sp")


def _type(value: Any, format: Format) -> str:
    if format.letter in "sp":
        return format.padded(str(value), alternate=format.letter == "s")
    raise format.refuse("Type", "sp")


def _binary(value: Any, format: Format) -> str:
    letter = format.letter
    if letter == "p":
        return f'Binary("{format.padded(value.base64())}")'
    if letter == "s":
        shown = value.data.decode("latin-1") if format.alternate else _utf8(value.data)
        if format.alternate:
            shown = "".join(char if " " <= char <= "~" else f"\\x{ord(char):02X}" for char in shown)
    elif letter in "bButT":
        forms = {"b": value.wrapped_base64, "B": value.base64, "u": value.urlsafe_base64}
        shown = forms[letter]() if letter in forms else "Binary" if letter == "t" else "BINARY"
        shown = shown.replace("\n", "\\n") if format.alternate else shown
    else:
        raise format.refuse("Binary", "bButTsp")
    return format.padded(shown, alternate=True)


def _utf8(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as cause:
        raise Failure(f'"\\x{data[cause.start]:02X}" from ASCII-8BIT to UTF-8') from None


def _uri(value: Any, format: Format) -> str:
    if format.letter == "p":
        return str(value.literal())
    if format.letter == "s":
        return format.padded(quoted(value.text()) if format.alternate else value.text())
    raise format.refuse("URI", "sp")


_SCALARS: dict[str, Callable[[Any, Format], str]] = {
    "int": _integer,
    "float": _float,
    "bool": _boolean,
    "NoneType": _undef,
    "Default": _default_value,
    "str": _string,
    "Regexp": _regexp,
    "Binary": _binary,
    "URI": _uri,
    "PuppetObject": lambda value, format: value.literal(),
}


def _scalar(value: Any, format: Format) -> str:
    printer = _SCALARS.get(type(value).__name__)
    if printer is not None:
        return printer(value, format)
    if hasattr(value, "assignable"):
        return _type(value, format)
    if type(value) is PuppetIterator:
        return text(value) if format.letter == "s" else literal(value)
    return format_object(value, format.source)


# --- Containers


class _Printer:
    """Prints arrays and hashes by one set of formats."""

    def __init__(self, formats: Formats) -> None:
        self.formats = formats

    def text(self, value: Any, kind: Any, formats: Formats, level: int, breaks: bool) -> str:
        """A value's text; `breaks`: a container begins on a line of its own, indented by its level."""
        if not isinstance(value, list | dict):
            return _scalar(value, formats.find(kind))
        format = self.formats.find(kind)
        start = f"\n{'  ' * level}" if breaks else ""
        if isinstance(value, list):
            return start + self.array(value, format, level)
        if format.letter == "a":
            from evaluator.types import infer

            pairs = [[key, entry] for key, entry in items(value)]
            return self.text(pairs, infer(pairs), formats, level, breaks)
        return start + self.hash(value, format, level)

    def array(self, value: list[Any], format: Format, level: int) -> str:
        if format.letter not in "asp":
            raise format.refuse("Array", "asp")
        parts = self.parts(value, format, level + 1, format.alternate)
        containers = [type(entry) is list or type(entry) is dict for entry in value]
        each = format.alternate and format.width > 0 and _longest_run(parts, containers) > format.width
        padding = "\n" + "  " * (level + 1)
        opening, closing = DELIMITERS[format.delimiter or "["]
        out = [opening]
        for index, part in enumerate(parts):
            separator = format.separator if index else ""
            after_container = format.alternate and index > 0 and containers[index - 1]
            if containers[index]:
                separator = separator.rstrip() if part.startswith("\n") else separator
            elif index and (each or after_container):
                separator = (separator if separator.endswith("\n") else separator.rstrip()) + padding
            elif each:
                separator = " "
            out.append(separator + part)
        return "".join([*out, closing])

    def hash(self, value: dict[Any, Any], format: Format, level: int) -> str:
        if format.letter not in "hsp":
            raise format.refuse("Hash", "hasp")
        pairs = items(value)
        flat = [entry for pair in pairs for entry in pair]
        parts = self.parts(flat, format, level + 1, False)
        texts = [key + format.separator2 + entry for key, entry in zip(parts[::2], parts[1::2], strict=True)]
        opening, closing = DELIMITERS[format.delimiter or "{"]
        if not format.alternate:
            return opening + format.separator.join(texts) + closing
        separator = format.separator.rstrip() + "\n"
        padding = "  " * (level + 1)
        lines = separator.join(padding + text for text in texts)
        return f"{opening}\n{lines}\n{'  ' * level}{closing}"

    def parts(self, entries: list[Any], format: Format, level: int, breaks: bool) -> list[str]:
        from evaluator.types import infer

        inner = format.entries or _default("inner")
        found = []
        room = STRING.value
        for entry in entries:
            part = self.text(entry, infer(entry), inner, level, breaks)
            room -= len(part)
            if room < 0:
                raise STRING.exceeded()
            found.append(part)
        return found


def _longest_run(parts: list[str], containers: list[bool]) -> int:
    """The length of the longest run of scalar elements, separators left out."""
    longest = run = 0
    for part, container in zip(parts, containers, strict=True):
        run = 0 if container else run + len(part)
        longest = max(longest, run)
    return longest
