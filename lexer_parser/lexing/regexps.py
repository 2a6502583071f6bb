"""Regular expressions as texts: what is wrong with one, in the words of Ruby's engine (Onigmo), and how Ruby prints it.

The released Puppet compiles a regular expression as soon as it is read. Here only its form is checked, see
`lexer_parser.lexing.regexp_reader`.
"""

from __future__ import annotations

import re

from lexer_parser.lexing.regexp_reader import Flaw, Reader

# What most expressions are made of, where nothing can be wrong; the rest is read step by step.
_HARMLESS = re.compile(r"(?:[\w\s/.,:;=@%&~\"'<>#!-]|\\[.\w/-]|\^|\$)*", re.ASCII)
# Of the escapes that look harmless, those that have more to them.
_SUSPECT = re.compile(r"\\[0-9xucCMkgpP]")
_UNICODE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|u\{\s*+([0-9A-Fa-f][0-9A-Fa-f\s]*+)\})")


def flaw(pattern: str) -> str | None:
    """The reason why `pattern` is no regular expression; None when its form is right."""
    if _HARMLESS.fullmatch(pattern) and not _SUSPECT.search(pattern):
        return None
    try:
        _check_codes(pattern)
        Reader(pattern).read()
    except Flaw as found:
        return str(found)
    return None


def with_options(pattern: str) -> str:
    """The pattern as Ruby prints it, its options in front: `(?-mix:a)`."""
    inner, options = _options(pattern)
    on = "".join(option for option in "mix" if option in options)
    off = "".join(option for option in "mix" if option not in options)
    escaped = re.sub(r"(\\[\s\S])|/", lambda match: match[1] or "\\/", inner)
    return f"(?{on}{'-' if off else ''}{off}:{escaped})"


def _options(pattern: str) -> tuple[str, set[str]]:
    """A pattern without the options that hold for all of it, and those that are on."""
    inner, options = pattern, set[str]()
    while match := re.match(r"\(\?([mix]*)(?:-([mix]*))?([:)])", inner):
        options = (options | set(match[1])) - set(match[2] or "")
        inner = inner[match.end() :]
        if match[3] == ":":
            whole = inner.endswith(")") and flaw(inner[:-1]) is None
            return (inner[:-1], options) if whole else (pattern, set())
    return inner, options


def without_anchors(pattern: str) -> str:
    r"""The pattern with every `\A` and `\Z` taken out."""
    return re.sub(r"\\([\s\S])", lambda match: "" if match[1] in "AZ" else match[0], pattern)


def is_fixed_to_unicode(pattern: str) -> bool:
    """Whether Ruby ties the expression to Unicode: it names characters beyond ASCII, or properties."""
    if not pattern.isascii():
        return True
    for escape in re.findall(r"\\(u\{[^}]*\}|u[0-9A-Fa-f]{4}|[\s\S])", pattern):
        if escape in ("p", "P"):
            return True
        if escape[0] == "u" and any(int(code, 16) > 0x7F for code in re.findall(r"[0-9A-Fa-f]+", escape)):
            return True
    return False


def _check_codes(pattern: str) -> None:
    """Checks the escapes for characters, which Ruby reads before all else."""
    for match in re.finditer(r"\\([\s\S])", pattern):
        start, letter = match.start(), match[1]
        if letter == "x" and not re.match(r"[0-9A-Fa-f]", pattern[start + 2 : start + 3]):
            raise Flaw("invalid hex escape")
        if letter == "u":
            code = _UNICODE.match(pattern, start)
            if code is None:
                too_short = len(pattern) == start + 2
                raise Flaw("too short escape sequence" if too_short else "invalid Unicode escape")
            for digits in (code[1] or code[2]).split():
                number = int(digits, 16)
                if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                    raise Flaw("invalid Unicode range")
        if letter == "M":
            meta = pattern.startswith("-", start + 2) and len(pattern) > start + 3
            raise Flaw("invalid multibyte escape" if meta else "too short meta escape")
        if letter == "c" and len(pattern) == start + 2:
            raise Flaw("too short control escape")
        if letter == "C" and not (pattern.startswith("-", start + 2) and len(pattern) > start + 3):
            raise Flaw("too short control escape")
