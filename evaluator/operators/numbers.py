"""Numbers in strings, and the range of integers.

Specification: Types, Values, and Variables, "String to/from Numeric Conversion".
"""

from __future__ import annotations

import math

from evaluator.issues import error
from evaluator.limits import INTEGER
from lexer_parser.lazy import LazyPattern

MINIMUM = -(2**63)
MAXIMUM = 2**63 - 1
# Digits converted at once: Python refuses longer texts, because the conversion takes quadratic time.
_CHUNK = 4000
_LONGEST = 80_000
_BLANK = r"[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*"
_PATTERN = LazyPattern(
    rf"{_BLANK}([-+]?){_BLANK}"
    r"(?:0[xX]([0-9a-fA-F]+)|(0[0-7]+|0|[1-9][0-9]*)(\.[0-9]+)?([eE]-?[0-9]+)?)"
    rf"{_BLANK}\Z"
)
_STARTS = frozenset(
    "0123456789+- \t\u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
)


def parse_number(text: str) -> int | float | None:
    """Return the number that a String denotes; None if it denotes none.

    Spaces around it and after a sign are allowed; decimal, octal (`017`) and hexadecimal (`0x1F`) integers,
    and floats with digits on both sides of the point. A zero with an exponent is no number, as in Puppet.
    """
    if text[:1] not in _STARTS or len(text) > _LONGEST:
        return None
    found = _PATTERN.match(text)
    if found is None:
        return None
    sign, hexadecimal, whole, fraction, exponent = found.groups()
    value: int | float
    if hexadecimal:
        value = int(hexadecimal, 16)
    elif fraction or exponent:
        value = float(whole + (fraction or "") + (exponent or ""))
        if math.isinf(value) or (exponent and not f"{whole}{fraction or ''}".strip("0.")):
            return None
    elif whole[0] == "0":
        value = int(whole, 8)
    else:
        value = _parse_decimal(whole)
    return -value if sign == "-" else value


def _parse_decimal(digits: str) -> int:
    if len(digits) <= _CHUNK:
        return int(digits)
    half = len(digits) // 2
    value: int = _parse_decimal(digits[:-half]) * 10**half + _parse_decimal(digits[-half:])
    return value


def check_64_bits(operator: str, result: int) -> int:
    """Return an integer result where integers have 64 bits. Raises INTEGER_OVERFLOW."""
    if MINIMUM <= result <= MAXIMUM:
        return result
    bound = "max" if result > 0 else "min"
    raise error("INTEGER_OVERFLOW", what=f"A '{operator}' expression", bound=bound, value=f"{result:+#x}")


def check_limit(operator: str, result: int) -> int:
    """Return an integer result where integers have any size up to the published limit."""
    INTEGER.check(result.bit_length())
    return result
