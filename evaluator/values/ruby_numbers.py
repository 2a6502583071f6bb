"""Numbers in texts as the released implementation's own language reads them: `1_000`, `0x1F`, `0o17`, `.5`."""

from __future__ import annotations

import re

from evaluator.limits import INTEGER
from lexer_parser.lazy import LazyPattern

_INTEGER = LazyPattern(
    r"\s*+([-+]?)(?:0[xX]([0-9a-fA-F](?:_?[0-9a-fA-F])*)|0[bB]([01](?:_?[01])*)|0[dD]([0-9](?:_?[0-9])*)"
    r"|0[oO]?_?([0-7](?:_?[0-7])*)|([1-9](?:_?[0-9])*|0))\s*",
    re.ASCII,
)
_FLOAT = LazyPattern(
    r"\s*+[-+]?[0-9](?:_?[0-9])*(?:\.[0-9](?:_?[0-9])*)?(?:[eE][-+]?[0-9](?:_?[0-9])*)?\s*", re.ASCII
)
_LEADING_POINT = LazyPattern(r"\s*+[-+]?\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?\s*", re.ASCII)
_HEXADECIMAL = LazyPattern(
    r"\s*+[-+]?0[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*(?:\.[0-9a-fA-F]+)?(?:[pP][-+]?[0-9]+)?\s*", re.ASCII
)


# at least, so that what is within the limit is never refused
_LONG = 10_000
_BITS_PER_DIGIT = {2: 1, 8: 3, 10: 3.3, 16: 4}


def _strip_spaces(text: str) -> str:
    """A long text without the blanks around it, over which patterns would go again and again."""
    return text.strip(" \t\n\v\f\r") if len(text) > _LONG else text


def parse_integer(text: str) -> int | None:
    """Ruby's `Integer(text)`; None when the text is none."""
    match = _INTEGER.fullmatch(_strip_spaces(text))
    if match is None:
        return None
    sign, *forms = match.groups()
    base, digits = next(
        (base, digits) for base, digits in zip((16, 2, 10, 8, 10), forms, strict=True) if digits is not None
    )
    digits = digits.replace("_", "")
    INTEGER.check(int((len(digits) - 1) * _BITS_PER_DIGIT[base]))
    value = int(digits, base)
    return -value if sign == "-" else value


def parse_float(text: str) -> float | None:
    """Ruby's `Float(text)`; None when the text is none."""
    text = _strip_spaces(text)
    if _FLOAT.fullmatch(text) or _LEADING_POINT.fullmatch(text):
        return float(text.replace("_", ""))
    return float.fromhex(text.strip().replace("_", "")) if _HEXADECIMAL.fullmatch(text) else None
