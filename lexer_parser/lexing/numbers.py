"""Numbers other than plain decimal integers, and what begins like one."""

from __future__ import annotations

import re

from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.reading import Reading

NUMERAL = LazyPattern(r"(?:0[xX][0-9A-Fa-f]++|[0-9]++(?:\.[0-9]++)?(?:[eE]-?[0-9]++)?)(?!\w)", re.ASCII)
NUMERAL_RUN = LazyPattern(r"[0-9]+\.[0-9]\w*|\w+", re.ASCII)


def is_letter(character: str) -> bool:
    """Whether a character beyond ASCII makes a word with a digit before it."""
    from unicodedata import category

    return category(character)[0] in "LMN" or category(character) == "Pc"


class Numbers(Reading):
    """Reads numbers."""

    __slots__ = ()

    def number(self, start: int) -> int:
        """Reads a number other than a plain decimal integer."""
        text = self.text
        match = NUMERAL.match(text, start, self.end)
        if match is None:
            start = self.start_of_run(start)
            run = NUMERAL_RUN.match(text, start, self.end)
            raise self.bad_number(run[0] if run else "", start)
        value, end = match[0], match.end()
        whole = value.partition(".")[0]
        if (
            len(whole) > 1
            and whole[0] == "0"
            and whole[1] not in "xX"
            and (whole != value or whole.strip("01234567"))
        ):
            raise self.fail("INVALID_OCTAL_NUMBER", start, end, value=value)
        if text[end : end + 1] > "\x7f" and is_letter(text[end]):
            start = self.start_of_run(start)
            raise self.fail("ILLEGAL_NUMBER", start + 1, value=text[start:end])
        self.emit("NUMBER", start, end, value)
        return end

    def start_of_run(self, start: int) -> int:
        """Where the digits begin that stand before a point in front of `start`."""
        digits = start
        if self.text[start - 1 : start] == ".":
            digits = len(self.text[: start - 1].rstrip("0123456789"))
        return digits if digits < start - 1 else start

    def bad_number(self, value: str, start: int) -> PuppetError:
        """The error for a run of digits and letters that is no number."""
        whole, dot, _ = value.partition(".")
        if whole[:2] in ("0x", "0X"):
            code = "INVALID_HEX_NUMBER"
        elif len(whole) > 1 and whole[0] == "0":
            code = "INVALID_OCTAL_NUMBER"
        elif dot or whole.lstrip("0123456789")[:1] in ("e", "E"):
            code = "INVALID_DECIMAL_NUMBER"
        else:
            code = "ILLEGAL_NUMBER"
        return self.fail(code, start, start + len(value), value=value)
