"""The characters and character classes of a regular expression in Ruby's syntax."""

from __future__ import annotations

from typing import Any, NoReturn

from evaluator.issues import Failure
from evaluator.values.regexps.nodes import Named, Range, Set

SIMPLE_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
# fmt: off
POSIX_NAMES = frozenset((
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
))
# fmt: on
OCTAL = "01234567"
HEXADECIMAL = "0123456789abcdefABCDEF"


def refusal(message: str, source: str, flags: str) -> Failure:
    """The error of an expression that Ruby refuses."""
    options = "".join(flag for flag in "mix" if flag in flags)
    return Failure("INVALID_PATTERN", reason=message, pattern=source, options=options)


class Options:
    """What `(?imx-imx)` and `(?adu)` switch."""

    __slots__ = ("charset", "extended", "icase", "multiline")

    def __init__(self, icase: bool, multiline: bool, extended: bool, charset: str = "d") -> None:
        self.icase = icase
        self.multiline = multiline
        self.extended = extended
        self.charset = charset

    def copy(self) -> Options:
        return Options(self.icase, self.multiline, self.extended, self.charset)


class Reader:
    """Reads a source character by character; knows escapes, properties and character classes."""

    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        self.position = 0
        self.options = Options("i" in flags, "m" in flags, "x" in flags)

    def fail(self, message: str) -> NoReturn:
        raise refusal(message, self.source, self.flags)

    def peek(self, length: int = 1) -> str:
        return self.source[self.position : self.position + length]

    def next(self) -> str:
        char = self.peek()
        self.position += 1
        return char

    def accept(self, text: str) -> bool:
        if self.source.startswith(text, self.position):
            self.position += len(text)
            return True
        return False

    def take(self, alphabet: str, most: int) -> str:
        start = self.position
        while self.position - start < most and self.peek() and self.peek() in alphabet:
            self.position += 1
        return self.source[start : self.position]

    def until(self, end: str, message: str) -> str:
        stop = self.source.find(end, self.position)
        if stop < 0:
            self.fail(message)
        text = self.source[self.position : stop]
        self.position = stop + len(end)
        return text

    # escapes that stand for characters

    def characters(self) -> list[str]:
        """The characters of an escape after its backslash: several for `\\u{41 42}`."""
        char = self.next()
        if char in SIMPLE_ESCAPES:
            return [SIMPLE_ESCAPES[char]]
        if char == "u":
            return self.unicode_escape()
        if char in OCTAL:
            self.position -= 1
            code = int(self.take(OCTAL, 3), 8)
            if code > 255:
                self.fail("invalid escape code")
            return [self.byte(code)]
        if char == "x":
            digits = self.take(HEXADECIMAL, 2)
            if not digits:
                self.fail("invalid hex escape")
            return [self.byte(int(digits, 16))]
        if char in "cCM":
            return [self.control_escape(char)]
        return [char]

    def byte(self, code: int) -> str:
        """The character that a byte escape begins; further ones make up the rest of its UTF-8 form."""
        if code < 0x80:
            return chr(code)
        data = bytearray([code])
        missing = 1 if 0xC2 <= code < 0xE0 else 2 if code < 0xF0 else 3
        while missing and self.accept("\\x"):
            data.append(int(self.take(HEXADECIMAL, 2) or "0", 16))
            missing -= 1
        if missing and len(data) > 1:
            self.fail("too short multibyte character")
        try:
            return data.decode()
        except UnicodeDecodeError:
            self.fail("invalid multibyte escape")

    def unicode_escape(self) -> list[str]:
        if not self.accept("{"):
            digits = self.take(HEXADECIMAL, 4)
            if len(digits) < 4:
                self.fail("invalid Unicode escape" if self.peek() or digits else "too short escape sequence")
            return [self.code_point(digits)]
        texts = self.until("}", "unterminated Unicode escape").split()
        if not texts or any(set(text) - set(HEXADECIMAL) for text in texts):
            self.fail("invalid Unicode list")
        return [self.code_point(text) for text in texts]

    def code_point(self, digits: str) -> str:
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            self.fail("invalid Unicode range")
        return chr(code)

    def control_escape(self, char: str) -> str:
        if char == "M":
            self.fail(
                "too short escaped multibyte character"
                if self.peek() == "-" and self.peek(2)[1:]
                else "too short meta escape"
            )
        if char == "C" and not self.accept("-"):
            self.fail("too short control escape")
        following = self.next()
        if not following:
            self.fail("too short control escape")
        if following == "\\":
            following = self.characters()[0]
        return chr(ord(following) & 0x1F)

    # sets

    def property(self) -> Named:
        """`p{Name}`, `p{^Name}` or `P{Name}`; the backslash has been read."""
        negated = self.next() == "P"
        self.next()
        stop = self.source.find("}", self.position)
        if stop < 0:
            self.fail(f"invalid character property name {{{self.source[self.position :]}}}")
        name = self.source[self.position : stop]
        self.position = stop + 1
        if name.startswith("^"):
            negated, name = not negated, name[1:]
        return Named("property", name, negated, self.options.charset)

    def set(self) -> Set:
        """A character class whose `[` has been read."""
        negated = self.accept("^")
        operands: list[list[Any]] = [[]]
        if self.peek() == "]":
            if "]" not in self.source[self.position + 1 :]:
                self.fail("empty char-class")
            operands[0].extend(self.set_members())
        while not self.accept("]"):
            if not self.peek():
                self.fail("premature end of char-class")
            if self.accept("&&"):
                operands.append([])
                continue
            operands[-1].extend(self.set_members())
        return Set(operands, negated, self.options.icase)

    def set_members(self) -> list[Any]:
        first = self.set_item()
        if self.peek() != "-" or self.peek(2) == "-]":
            return [Range(item, item) if isinstance(item, str) else item for item in first]
        if not isinstance(first[-1], str):
            if self.peek(2) == "-]" or isinstance(first[-1], Set):
                return first
            if self.peek(3)[1:] and self.peek(3)[1:] != "&&":
                self.fail("unmatched range specifier in char-class")
            return first
        if self.peek(3) == "-&&":
            return [Range(item, item) for item in first]
        self.next()
        if not self.peek():
            self.fail("premature end of char-class")
        last = self.set_item()
        if not isinstance(last[0], str):
            if isinstance(last[0], Set):
                return [Range(item, item) for item in (*first, "-")] + last
            self.fail("char-class value at end of range")
        if last[0] < first[-1]:
            self.fail("empty range in char class")
        return (
            [Range(item, item) for item in first[:-1]]
            + [Range(first[-1], last[0])]
            + [Range(item, item) for item in last[1:]]
        )

    def set_item(self) -> list[Any]:
        """Characters (several for `\\u{41 42}`) or one Named or Set."""
        char = self.next()
        if char == "[":
            return [self.posix() or self.set()]
        if char != "\\":
            return [char]
        char = self.peek()
        if not char:
            self.fail("end pattern at escape")
        if char in "wWdDsShH":
            self.next()
            return [Named("escape", char.lower(), char.isupper(), self.options.charset)]
        if char in "pP" and self.peek(2)[1:] == "{":
            return [self.property()]
        if char == "b":
            self.next()
            return ["\b"]
        if char == "R" or char == "X":
            self.next()
            return [char]
        return list(self.characters())

    def posix(self) -> Named | None:
        """A bracket such as `[:alpha:]`, whose `[` has been read; None when it is none."""
        if self.peek() != ":":
            return None
        stop = self.source.find(":]", self.position + 1)
        name = self.source[self.position + 1 : stop]
        bare = name.removeprefix("^")
        if stop < 0 or not bare.isalpha() or len(bare) > 20:
            return None
        if bare not in POSIX_NAMES:
            self.fail("invalid POSIX bracket type")
        self.position = stop + 2
        return Named("posix", bare, name != bare, self.options.charset)
