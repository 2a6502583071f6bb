r"""Character escapes of a regular expression: `\x41`, `\u{41 42}`, `\M-a`, `\cA`.

Ruby replaces them before its engine reads the expression (`unescape_nonascii` in its `re.c`), and so does this
module: a character beyond ASCII becomes itself, any other the escape `\xHH`, so that no metacharacter appears.
"""

from __future__ import annotations

import re

_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]+")
# Possessive: with backtracking an unclosed list would take a time that is exponential in its length.
_LIST = re.compile(r"\{\s*+((?:[0-9A-Fa-f]++\s*+)++)\}", re.ASCII)
_OCTAL = re.compile(r"[0-7]{1,3}")
# The codes of the escapes by a letter.
_BYTES = {"\\": 92, "n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "a": 7, "e": 27}


class RegexpSyntaxError(Exception):
    """An error in a regular expression, described in the words of Ruby."""


def refuse_if(condition: object, message: str) -> None:
    """Raise the RegexpSyntaxError with this message if a condition is true."""
    if condition:
        raise RegexpSyntaxError(message)


def replace_character_escapes(source: str) -> str:
    """Return the source with its character escapes replaced.

    Raises:
        RegexpSyntaxError: an escape is malformed, or its bytes are not a character in UTF-8.
    """
    if "\\" not in source:
        return source
    pieces: list[str] = []
    position = 0
    while (start := source.find("\\", position)) >= 0:
        pieces.append(source[position:start])
        letter = source[start + 1 : start + 2]
        refuse_if(not letter, "too short escape sequence")
        octal = _OCTAL.match(source, start + 1)
        if letter == "u":
            text, position = _read_unicode(source, start + 2)
        elif letter in "xcCM0" or (octal and int(octal[0], 8) > 0x7F):
            text, position = _read_character(source, start)
        else:
            text, position = source[start : start + 2], start + 2
        pieces.append(text)
    return "".join(pieces) + source[position:]


def _write_character(code: int) -> str:
    """Return the character with a code; within ASCII, an escape for it."""
    refuse_if(code > 0x10FFFF or 0xD800 <= code < 0xE000, "invalid Unicode range")
    return chr(code) if code > 0x7F else f"\\x{code:02X}"


def _read_unicode(source: str, start: int) -> tuple[str, int]:
    r"""Read what follows `\u`; return the characters and the position behind them."""
    refuse_if(start == len(source), "too short escape sequence")
    if source[start] == "{":
        codes = _LIST.match(source, start)
        if codes is None:
            raise RegexpSyntaxError("invalid Unicode list")
        return "".join(_write_character(int(digits, 16)) for digits in codes[1].split()), codes.end()
    digits = _HEXADECIMAL.match(source, start, start + 4)
    if digits is None or len(digits[0]) < 4:
        raise RegexpSyntaxError("invalid Unicode escape")
    return _write_character(int(digits[0], 16)), start + 4


def _read_character(source: str, start: int) -> tuple[str, int]:
    """Read the bytes of one character, each written as an escape."""
    code, position = _read_byte(source, start)
    if code < 0x80:
        return _write_character(code), position
    data = bytearray([code])
    # The number of bytes of the character follows from its first one, as UTF-8 defines it.
    length = 2 if 0xC2 <= code < 0xE0 else 3 if 0xE0 <= code < 0xF0 else 4 if 0xF0 <= code < 0xF5 else 1
    while len(data) < length:
        refuse_if(source[position : position + 1] != "\\", "too short escaped multibyte character")
        code, position = _read_byte(source, position)
        refuse_if(code & 0xC0 != 0x80, "invalid multibyte escape")  # no continuation byte
        data.append(code)
    try:
        return data.decode(), position
    except UnicodeDecodeError:
        raise RegexpSyntaxError("invalid multibyte escape") from None


def _read_byte(source: str, start: int) -> tuple[int, int]:
    r"""Read the escape of one byte, such as `\xE1`, `\341`, `\cA` or `\M-\C-a`."""
    letter, position = source[start + 1 : start + 2], start + 2
    refuse_if(not letter, "too short escape sequence")
    if letter in "MCc":
        has_mark = letter == "c" or source[position : position + 1] == "-"
        position += 0 if letter == "c" else 1  # the hyphen of `\M-` and `\C-`
        following = source[position : position + 1]
        is_short = not has_mark or not following or following > "\x7f"
        refuse_if(is_short, f"too short {'meta' if letter == 'M' else 'control'} escape")
        code, position = _read_byte(source, position) if following == "\\" else (ord(following), position + 1)
        # "Meta" sets the highest bit, "control" clears the two bits below it.
        return (code | 0x80 if letter == "M" else code & 0x9F), position
    if letter == "x":
        digits = _HEXADECIMAL.match(source, position, position + 2)
        if digits is None:
            raise RegexpSyntaxError("invalid hex escape")
        return int(digits[0], 16), digits.end()
    octal = _OCTAL.match(source, start + 1)
    if octal:
        refuse_if(int(octal[0], 8) > 0xFF, "invalid escape code")
        return int(octal[0], 8), octal.end()
    refuse_if(letter not in _BYTES, "unexpected escape sequence")
    return _BYTES[letter], position
