"""One format of `String.new`, and the values of each scalar type by it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.kinds.formats.formats import format_object
from evaluator.kinds.formats.numbers import FLAGS, PRECISION, WIDTH, float_format, integer_text
from evaluator.limits import STRING
from evaluator.values.core import PuppetIterator
from evaluator.values.printing import literal, text

if TYPE_CHECKING:
    from evaluator.kinds.formats.puppet import Formats

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


def _integer(value: int, format: Format) -> str:
    letter = format.letter
    if letter in NUMERIC_LETTERS:
        return integer_text(value, letter, format.flags, format.width, format.precision)
    if letter in FLOAT_LETTERS:
        return float_format(float(value), letter, format.flags, format.width, format.precision)
    if letter == "c":
        if not 0 <= value <= 0x7FFFFFFF:
            raise Failure("CHARACTER_OUT_OF_RANGE")
        if value > 0x10FFFF or 0xD800 <= value < 0xE000:
            raise Failure("INVALID_CHARACTER")
        return format.padded(chr(value), alternate=True)
    if letter in "sp":
        return format.padded(str(value), alternate=letter == "s")
    raise format.refuse("Integer", "dxXobBeEfgGaAspc")


def _float(value: float, format: Format) -> str:
    letter = format.letter
    if letter in NUMERIC_LETTERS:
        if value != value or value in (float("inf"), float("-inf")):
            raise Failure(
                "NOT_FINITE", value="NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
            )
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
        return format.padded(quoted(value.bare_text()) if format.alternate else value.bare_text())
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
        raise Failure("BYTE_NOT_UTF8", byte=f"{data[cause.start]:02X}") from None


def _uri(value: Any, format: Format) -> str:
    if format.letter == "p":
        return str(value.literal())
    if format.letter == "s":
        return format.padded(quoted(value.text()) if format.alternate else value.text())
    raise format.refuse("URI", "sp")


def object_text(value: Any, format: Format, lines: bool, level: int = 0) -> str:
    """An object, in one line or in `lines`, those after the first indented by more than `level`."""
    if format.letter not in "spq":
        raise format.refuse("Object", "spq")
    return str(value.indented(level) if lines else value.text())


def _object(value: Any, format: Format) -> str:
    if value.type.name == "Error":  # alone, one is the same by every format
        return str(value.text())
    return object_text(value, format, format.alternate and format.letter == "p")


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
    "PuppetObject": _object,
}


# letters for which delimiters of containers, such as `%[d`, are simply ignored
_BRACKETED = {
    "str": "p",
    "alternate": "cCudpt",
    "bool": "sptTyY",
    "NoneType": "nudxXobBeEfgGaAvVsp",
    "Default": "dDsp",
    "URI": "p",
    "PuppetObject": "spq",
}


def format_scalar(value: Any, format: Format) -> str:
    """The text of a value that is no array or hash. Raises Failure for a letter that its type does not have."""
    found = _scalar_text(value, format)
    kind = "alternate" if format.alternate and type(value) is str else type(value).__name__
    if format.delimiter.strip() and format.letter not in _BRACKETED.get(kind, ""):
        named = format.delimiter in "<{"
        part = "name - unmatched parenthesis" if named else f"format string - %{format.delimiter}"
        raise Failure("MALFORMED_FORMAT", part=part)
    return found


def _scalar_text(value: Any, format: Format) -> str:
    printer = _SCALARS.get(type(value).__name__)
    if printer is not None:
        return printer(value, format)
    if hasattr(value, "assignable"):
        return _type(value, format)
    if type(value) is PuppetIterator:
        return literal(value)  # as the array of what it gives, whatever the format
    return format_object(value, format.source)
