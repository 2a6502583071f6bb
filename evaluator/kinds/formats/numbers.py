"""Numbers as text and text as numbers, by the rules of Ruby's format, Integer() and Float()."""

from __future__ import annotations

from evaluator.limits import INTEGER, STRING
from evaluator.values.float_ties import settled

# flags
SHARP, MINUS, PLUS, ZERO, SPACE, WIDTH, PRECISION, DOT = (1 << bit for bit in range(8))
FLAGS = {"#": SHARP, "-": MINUS, "+": PLUS, "0": ZERO, " ": SPACE}
BASES = {"d": 10, "i": 10, "u": 10, "o": 8, "x": 16, "X": 16, "b": 2, "B": 2}
PREFIXES = {"o": "0", "x": "0x", "X": "0X", "b": "0b", "B": "0B"}
SHIFTS = {8: 3, 16: 4, 2: 1}


def check_bits(value: int) -> None:
    """Refuses integers whose digits would take long to write."""
    INTEGER.check(value.bit_length())


def sign_of(negative: bool, flags: int) -> str:
    """What stands before a number: `-`, or `+` or a blank where a flag wants it."""
    return "-" if negative else "+" if flags & PLUS else " " if flags & SPACE else ""


def integer_text(value: int, char: str, flags: int, width: int, precision: int) -> str:
    """An integer by one of the directives `d i u o x X b B`.

    Without a sign flag, negative numbers in the bases 2, 8 and 16 are shown as two's complement: `..f01`.
    """
    STRING.check(max(width, precision))
    check_bits(value)
    base = BASES[char]
    signed = base == 10 or bool(flags & (PLUS | SPACE))
    prefix = PREFIXES.get(char, "") if flags & SHARP else ""
    dots = value < 0 and not signed
    digits = _complement(value, base) if dots else _digits(abs(value), base)
    sign = sign_of(value < 0, flags) if signed else ""
    width -= len(sign)
    if dots:
        precision -= 2
        width -= 2
    if prefix == "0":
        if dots:
            prefix = ""
        elif digits == "0":
            digits = ""
            precision -= 1 if flags & PRECISION else 0
        elif flags & PRECISION and precision > len(digits):
            prefix = ""
    elif digits == "0":
        prefix = ""
    width -= len(prefix)
    if flags & (ZERO | MINUS | PRECISION) == ZERO:
        precision, width = width, 0
    else:
        if precision < len(digits):
            if not prefix and precision == 0 and digits == "0":
                digits = ""
            precision = len(digits)
        width -= precision
    filler = {2: "1", 8: "7", 16: "f"}[base] if dots else "0"
    if char == "X":
        digits, filler = digits.upper(), filler.upper()
    body = f"{sign}{prefix}{'..' if dots else ''}{digits.rjust(precision, filler)}"
    return body + " " * width if flags & MINUS else " " * width + body


def _digits(value: int, base: int) -> str:
    return str(value) if base == 10 else f"{value:{ {2: 'b', 8: 'o', 16: 'x'}[base] }}"


def _complement(value: int, base: int) -> str:
    """The two's complement digits of a negative number, with one digit of sign in front."""
    shift = SHIFTS[base]
    count = value.bit_length() // shift + 1
    digits = _digits(value & ((1 << (count * shift)) - 1), base).rjust(count, "0")
    full = {2: "1", 8: "7", 16: "f"}[base]
    return full + digits.lstrip(full)


def float_format(value: float, char: str, flags: int, width: int, precision: int) -> str:
    """A float by one of the directives `f e E g G a A`."""
    STRING.check(max(width, precision))
    if value != value or value in (float("inf"), float("-inf")):
        word = sign_of(value < 0, flags) + ("NaN" if value != value else "Inf")
        return word.ljust(width) if flags & MINUS else word.rjust(width)
    if char in "aA":
        return _hexadecimal(value, char, flags, width, precision)
    precision = precision if flags & PRECISION else 6
    value, keeps_zero = settled(value, char, precision)
    marks = "".join(mark for mark, flag in FLAGS.items() if flags & flag or (keeps_zero and flag == SHARP))
    size = str(width) if flags & WIDTH else ""
    return f"%{marks}{size}.{precision}{char}" % value


def _hexadecimal(value: float, char: str, flags: int, width: int, precision: int) -> str:
    """`0x1.8p+0`, as C's `%a`."""
    sign, _, rest = value.hex().rpartition("0x")
    mantissa, _, exponent = rest.partition("p")
    lead, _, fraction = mantissa.partition(".")
    power = int(exponent)
    if lead == "0" and value:
        # a subnormal number is normalized
        bits = int(fraction, 16)
        power -= 52 - (bits.bit_length() - 1)
        fraction = f"{(bits << (52 - bits.bit_length() + 1)) & ((1 << 52) - 1):013x}"
        lead = "1"
    fraction = fraction.rstrip("0")
    if flags & PRECISION and precision < len(fraction):
        lead, fraction = _rounded(lead, fraction, precision)
        if lead == "2":
            lead, power = "1", power + 1
    elif flags & PRECISION:
        fraction = fraction.ljust(precision, "0")
    point = "." if fraction or flags & SHARP else ""
    body = f"{lead}{point}{fraction}p{power:+d}"
    sign = sign_of(sign == "-", flags)
    if flags & ZERO and not flags & MINUS:
        body = body.rjust(width - len(sign) - 2, "0")
    text = f"{sign}0x{body}"
    text = text.upper() if char == "A" else text
    return text.ljust(width) if flags & MINUS else text.rjust(width)


def _rounded(lead: str, fraction: str, precision: int) -> tuple[str, str]:
    """A hexadecimal mantissa rounded half to even."""
    bits = int(lead + fraction, 16)
    dropped = 4 * (len(fraction) - precision)
    bits, rest = bits >> dropped, bits & ((1 << dropped) - 1)
    half = 1 << (dropped - 1)
    if rest > half or (rest == half and bits & 1):
        bits += 1
    digits = f"{bits:x}".rjust(precision + 1, "0")
    return digits[0], digits[1:]
