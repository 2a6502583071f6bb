"""The error of a regular expression in the words of Ruby's engine (Onigmo)."""

from __future__ import annotations

import re

from lexer_parser.regexps.escapes import RegexpSyntaxError
from lexer_parser.regexps.parser import parse_regexp

# What most expressions are made of, in which nothing can be wrong; the rest is parsed.
_HARMLESS = re.compile(r"(?:[\w\s/.,:;=@%&~\"'<>#!-]|\\[.AZabdefhnrstvwzBDGHKSW/-]|\^|\$)*", re.ASCII)


def find_regexp_error(source: str) -> str | None:
    """Return the reason why Ruby refuses the expression; None when it is well formed."""
    if _HARMLESS.fullmatch(source):
        return None
    try:
        parse_regexp(source)
    except RegexpSyntaxError as error:
        return str(error)
    return None
