"""The function `sprintf` as Ruby has it: every directive, flag and error.

First come the texts of numbers, which the formats of `String.new` use, too. Then a `_Formatter` for each call, and in
it a `_Directive` for each `%`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.catalog.references import to_attribute_value
from evaluator.issues import Failure, require
from evaluator.limits import INTEGER, STRING
from evaluator.values.core import iterate_items
from evaluator.values.floats import round_tie
from evaluator.values.kind import Value
from evaluator.values.ruby_values import (
    get_ruby_class_name,
    inspect,
    to_float,
    to_integer,
    to_ruby_s,
    to_ruby_value,
)
from lexer_parser.record import Record, fresh

# The flags of a directive, as bits; the last three say that it has a width, a precision, a point.
SHARP, MINUS, PLUS, ZERO, SPACE, WIDTH, PRECISION, DOT = (1 << bit for bit in range(8))
FLAGS = {"#": SHARP, "-": MINUS, "+": PLUS, "0": ZERO, " ": SPACE}
BASES = {"d": 10, "i": 10, "u": 10, "o": 8, "x": 16, "X": 16, "b": 2, "B": 2}
PREFIXES = {"o": "0", "x": "0x", "X": "0X", "b": "0b", "B": "0B"}
SHIFTS = {8: 3, 16: 4, 2: 1}


def get_sign(negative: bool, flags: int) -> str:
    """Return the sign of a number: `-`, or `+` or a blank if a flag asks for it."""
    return "-" if negative else "+" if flags & PLUS else " " if flags & SPACE else ""


def pad(text: str, flags: int, width: int) -> str:
    """Return a text with blanks up to a width, after it with the flag `-`."""
    STRING.check(width)
    return text.ljust(width) if flags & MINUS else text.rjust(width)


def format_integer(value: int, char: str, flags: int, width: int, precision: int) -> str:
    """Return an integer by one of the directives `d i u o x X b B`.

    Without a sign flag, negative numbers in the bases 2, 8 and 16 are shown as two's complement: `..f01`.
    """
    STRING.check(max(width, precision))
    INTEGER.check(value.bit_length())  # the digits of others would take long to write
    base = BASES[char]
    is_signed = base == 10 or bool(flags & (PLUS | SPACE))
    is_complement = value < 0 and not is_signed
    sign = get_sign(value < 0, flags) if is_signed else ""
    dots = ".." if is_complement else ""
    digits = _to_complement(value, base) if is_complement else _to_digits(abs(value), base)
    least_digits = precision - len(dots)  # as in Ruby, the precision includes the dots
    prefix = PREFIXES.get(char, "") if flags & SHARP else ""
    if prefix == "0" and digits == "0":
        digits = ""  # the prefix is the digit
        least_digits -= 1
    elif digits == "0" or (prefix == "0" and (is_complement or least_digits > len(digits))):
        prefix = ""  # zero needs none, and the filler of an octal number is in its place
    if flags & (ZERO | MINUS | PRECISION) == ZERO:
        least_digits = width - len(sign + prefix + dots)  # filled up to the width
    elif precision == 0 and digits == "0":
        digits = ""
    filler = {2: "1", 8: "7", 16: "f"}[base] if is_complement else "0"
    if char == "X":
        digits, filler = digits.upper(), filler.upper()
    return pad(f"{sign}{prefix}{dots}{digits.rjust(least_digits, filler)}", flags, width)


def _to_digits(value: int, base: int) -> str:
    return str(value) if base == 10 else f"{value:{ {2: 'b', 8: 'o', 16: 'x'}[base] }}"


def _to_complement(value: int, base: int) -> str:
    """Return the two's complement digits of a negative number, with one digit of sign in front."""
    shift = SHIFTS[base]
    count = value.bit_length() // shift + 1
    digits = _to_digits(value & ((1 << (count * shift)) - 1), base).rjust(count, "0")
    full = {2: "1", 8: "7", 16: "f"}[base]
    return full + digits.lstrip(full)


def format_float(value: float, char: str, flags: int, width: int, precision: int) -> str:
    """Return a float by one of the directives `f e E g G a A`."""
    STRING.check(max(width, precision))
    if value != value or value in (float("inf"), float("-inf")):
        return pad(get_sign(value < 0, flags) + ("NaN" if value != value else "Inf"), flags, width)
    if char in "aA":
        return _format_hexadecimal(value, char, flags, width, precision)
    precision = precision if flags & PRECISION else 6
    value, keeps_zero = round_tie(value, char, precision)
    marks = "".join(mark for mark, flag in FLAGS.items() if flags & flag or (keeps_zero and flag == SHARP))
    return f"%{marks}{width if flags & WIDTH else ''}.{precision}{char}" % value


def _format_hexadecimal(value: float, char: str, flags: int, width: int, precision: int) -> str:
    """Return a float as C's `%a` does: `0x1.8p+0`."""
    sign, _, rest = value.hex().rpartition("0x")
    mantissa, _, exponent = rest.partition("p")
    lead, _, fraction = mantissa.partition(".")
    power = int(exponent)
    if lead == "0" and value:
        # A subnormal number is normalized. The fraction of a float has 52 bits, which are 13 digits.
        bits = int(fraction, 16)
        power -= 52 - (bits.bit_length() - 1)
        fraction = f"{(bits << (52 - bits.bit_length() + 1)) & ((1 << 52) - 1):013x}"
        lead = "1"
    fraction = fraction.rstrip("0")
    if flags & PRECISION and precision < len(fraction):
        lead, fraction = _round(lead, fraction, precision)
        if lead == "2":
            lead, power = "1", power + 1
    elif flags & PRECISION:
        fraction = fraction.ljust(precision, "0")
    body = f"{lead}{'.' if fraction or flags & SHARP else ''}{fraction}p{power:+d}"
    sign = get_sign(sign == "-", flags)
    if flags & ZERO and not flags & MINUS:
        body = body.rjust(width - len(sign) - 2, "0")
    text = f"{sign}0x{body}"
    return pad(text.upper() if char == "A" else text, flags, width)


def _round(lead: str, fraction: str, precision: int) -> tuple[str, str]:
    """Return a hexadecimal mantissa rounded half to even."""
    bits = int(lead + fraction, 16)
    dropped = 4 * (len(fraction) - precision)
    bits, rest = bits >> dropped, bits & ((1 << dropped) - 1)
    half = 1 << (dropped - 1)
    if rest > half or (rest == half and bits & 1):
        bits += 1
    digits = f"{bits:x}".rjust(precision + 1, "0")
    return digits[0], digits[1:]


# --- sprintf

MOST = 2**31 - 1  # the greatest width, precision or number of an argument, a C `int`


def sprintf(format: str, arguments: list[Value]) -> str:
    """Format values as the function `sprintf` does. Raises Failure in Ruby's words."""
    return _Formatter(format, [*map(to_attribute_value, arguments)], to_ruby_value).run()


def format_object(value: Value, format: str) -> str:
    """Return one directive for a value of a type without formats of its own.

    These are times, versions and Sensitive; as numbers, times are seconds.
    """
    return _Formatter(format, [value], lambda value: value).run()


class _Formatter(Record):
    """One run of sprintf.

    Attributes:
        convert: Returns a value as the directives see it.
        style: How directives refer to arguments, "unnumbered", "numbered" or "named"; "" until the first one has. A
            format must not mix them.
        used: The number of unnumbered arguments used.
        broken: True if a character was requested that cannot occur in a string; this is reported after all other
            errors.
    """

    format: str
    arguments: list[Value]
    convert: Callable[[Value], Value]
    position: int = 0
    style: str = ""
    used: int = 0
    out: list[str] = fresh(factory=list)
    room: float = fresh(factory=lambda: STRING.value)
    broken: bool = False

    def run(self) -> str:
        """Return the text: the format with the results of its directives."""
        while True:
            percent = self.format.find("%", self.position)
            if percent < 0:
                self.push(self.format[self.position :])
                require(not self.broken, "INVALID_CHARACTER")
                return "".join(self.out)
            self.push(self.format[self.position : percent])
            self.position = percent + 1
            require(self.position != len(self.format), "FORMAT_UNFINISHED")
            _Directive(self).run()

    def push(self, text: str) -> None:
        """Add a part of the text. Raise PuppetError above the limit of strings."""
        self.room -= len(text)
        if self.room < 0:
            raise STRING.make_error()
        self.out.append(text)

    # arguments

    def get_argument(self, index: int) -> Value:
        """Return an argument by its number, from 1. Raise Failure if there are fewer."""
        require(index <= len(self.arguments), "FORMAT_ARGUMENTS")
        return self.arguments[index - 1]

    def set_style(self, style: str, part: str) -> None:
        """Set the style of the arguments. Raise Failure if directives before this part have another."""
        before = f"unnumbered({self.used})" if self.style == "unnumbered" else self.style
        require(self.style in ("", style), "FORMAT_MIXED", part=part, before=before)
        self.style = style

    def next_argument(self) -> Value:
        """Return the next unnumbered argument. Raise Failure after another style."""
        require(self.style in ("", "unnumbered"), "FORMAT_UNNUMBERED", before=self.style)
        self.style = "unnumbered"
        self.used += 1
        return self.get_argument(self.used)

    def get_numbered(self, number: int) -> Value:
        """Return the argument of `number$`. Raise Failure after another style."""
        self.set_style("numbered", f"numbered({number})")
        require(number >= 1, "FORMAT_INDEX", number=number)
        return self.get_argument(number)

    def get_named(self, name: str) -> Value:
        """Return the value of `<name>` or `{name}`, brackets included."""
        self.set_style("named", f"named{name}")
        require(len(self.arguments) == 1 and type(self.arguments[0]) is dict, "FORMAT_HASH")
        for key, value in iterate_items(self.arguments[0]):
            if key == name[1:-1]:
                return value
        raise Failure("FORMAT_KEY", name=name)


def _to_c_int(value: int | float) -> int:
    """Return a number as a C `int`. Raises Failure."""
    if type(value) is float and not -(2.0**63) <= value < 2.0**63:
        raise Failure("FLOAT_OUT_OF_RANGE", value=format_float(value, "g", PRECISION, 0, 10))
    number = to_integer(value)
    require(-(2**63) <= number < 2**63, "INTEGER_TOO_BIG")
    size = "big" if number > 0 else "small"
    require(-(2**31) <= number < 2**31, "INTEGER_OUT_OF_RANGE", number=number, size=size)
    return number


_UNSET: Any = object()


class _Directive(Record):
    """One directive: collects flags, width, precision and argument, then writes the value."""

    formatter: _Formatter
    flags: int = 0
    width: int = 0
    precision: int = -1
    name: str | None = None
    value: Value = _UNSET

    def run(self) -> None:
        while not self.step():
            pass

    def step(self) -> bool:
        """Read one character of the directive; True when that completed it."""
        run = self.formatter
        char = run.format[run.position] if run.position < len(run.format) else "\0"
        run.position += 1
        if char in FLAGS:
            self.add_flag(FLAGS[char])
        elif char in "123456789":
            run.position -= 1
            self.read_number()
        elif char in "<{":
            return self.read_name(char)
        elif char == "*":
            self.check_width()
            self.flags |= WIDTH
            self.width = self.read_asterisk()
            if self.width < 0:
                self.flags |= MINUS
                self.width = -self.width
        elif char == ".":
            self.read_precision()
        elif char in "%\n\0":
            require(not self.flags, "FORMAT_PERCENT")
            if char != "%":
                run.position -= 1
            run.push("%")
            run.position = min(run.position, len(run.format))
            return True
        else:
            writer = getattr(self, WRITERS.get(char, ""), None)
            if writer is None:
                raise Failure(
                    "MALFORMED_FORMAT", part=f"format string{f' - %{char}' if ' ' <= char <= '~' else ''}"
                )
            run.push(writer(char))
            return True
        return False

    def add_flag(self, flag: int) -> None:
        require(not self.flags & WIDTH, "FORMAT_ORDER", part="flag", before="width")
        require(not self.flags & DOT, "FORMAT_ORDER", part="flag", before="precision")
        self.flags |= flag

    def check_width(self) -> None:
        """Raise Failure if a width must not be at this position."""
        require(not self.flags & WIDTH, "FORMAT_PART_TWICE", part="width")
        require(not self.flags & DOT, "FORMAT_ORDER", part="width", before="precision")

    def read_digits(self, what: str) -> int:
        """Read a number, a `width` or a `precision`. Raise Failure for one that is too large."""
        run = self.formatter
        start = run.position
        while run.position < len(run.format) and run.format[run.position] in "0123456789":
            run.position += 1
        require(run.position < len(run.format), "MALFORMED_FORMAT", part="format string - %*[0-9]")
        number = int(run.format[start : min(run.position, start + 20)] or 0)
        require(number <= MOST, "FORMAT_TOO_WIDE", part=what)
        return number

    def read_number(self) -> None:
        """Read a width, or the number of an argument: `10`, `1$`."""
        number = self.read_digits("width")
        run = self.formatter
        if run.format[run.position] == "$":
            require(self.value is _UNSET, "FORMAT_VALUE_TWICE", number=number)
            self.value = run.get_numbered(number)
            run.position += 1
            return
        self.check_width()
        self.width = number
        self.flags |= WIDTH

    def read_name(self, opening: str) -> bool:
        """Read `<name>`, or `{name}`, which completes the directive: then return True."""
        run = self.formatter
        end = run.format.find(">" if opening == "<" else "}", run.position)
        require(end >= 0, "MALFORMED_FORMAT", part="name - unmatched parenthesis")
        name = run.format[run.position - 1 : end + 1]
        run.position = end + 1
        require(self.name is None, "FORMAT_MIXED", part=f"named{name}", before=self.name)
        self.name = name
        self.value = run.get_named(name)
        if opening == "{":
            run.push(self.string("s"))
            return True
        return False

    def read_asterisk(self) -> int:
        """Read the rest of `*` or `*1$`, and return the value of that argument."""
        run = self.formatter
        match = re.compile(r"([0-9]+)\$").match(run.format, run.position)
        if match is not None:
            run.position = match.end()
            value = run.get_numbered(int(match[1]))
        else:
            value = run.next_argument()
        if type(value) not in (int, float):
            raise Failure(
                "NO_IMPLICIT_CONVERSION", actual=get_ruby_class_name(to_ruby_value(value)), type="Integer"
            )
        number = _to_c_int(value)
        require(number != -(2**31), "FORMAT_TOO_WIDE", part="width")
        return number

    def read_precision(self) -> None:
        """Read a precision: a number, an asterisk, or nothing. A negative one is none."""
        require(not self.flags & DOT, "FORMAT_PART_TWICE", part="precision")
        self.flags |= PRECISION | DOT
        run = self.formatter
        if run.format[run.position : run.position + 1] == "*":
            run.position += 1
            self.precision = self.read_asterisk()
            if self.precision < 0:
                self.flags &= ~PRECISION
                self.precision = -1
        else:
            self.precision = self.read_digits("precision")

    # the formatted result

    def argument(self) -> Value:
        """Return the value to write, in the form that the directives see."""
        return self.formatter.convert(self.formatter.next_argument() if self.value is _UNSET else self.value)

    def character(self, char: str) -> str:
        """Return the text of `%c`: a character, or the one that has a number."""
        value = self.argument()
        if type(value) is str:
            require(len(value) == 1, "FORMAT_CHARACTER")
            return pad(value, self.flags, self.width)
        if hasattr(value, "whole_seconds"):  # a time
            value = to_integer(value)
        if type(value) not in (int, float):
            raise Failure("NO_IMPLICIT_CONVERSION", actual=get_ruby_class_name(value), type="Integer")
        value = _to_c_int(value)
        if value in (-1, -2) or 0xD800 <= value < 0xE000:
            self.formatter.broken = True
            return ""
        require(0 <= value <= 0x10FFFF, "INVALID_CHARACTER")
        return pad(chr(value), self.flags, self.width)

    def string(self, char: str) -> str:
        """Return the text of `%s`, or of `%p`, which is that of Ruby's `inspect`."""
        value = self.argument()
        text = inspect(value) if char == "p" else to_ruby_s(value)
        if self.flags & PRECISION:
            text = text[: self.precision]
        return pad(text, self.flags, self.width)

    def integer(self, char: str) -> str:
        return format_integer(to_integer(self.argument()), char, self.flags, self.width, self.precision)

    def float(self, char: str) -> str:
        value = self.argument()
        if char == "f" and type(value) is int:
            return self.format_exact(value)
        return format_float(to_float(value), char, self.flags, self.width, self.precision)

    def format_exact(self, value: int) -> str:
        """Return an Integer with decimals, without becoming a float."""
        precision = self.precision if self.flags & PRECISION else 6
        STRING.check(max(precision, self.width))
        INTEGER.check(value.bit_length())
        digits = str(abs(value)) + (f".{'0' * precision}" if precision > 0 else "")
        sign = get_sign(value < 0, self.flags)
        if self.flags & ZERO and not self.flags & MINUS:
            return sign + digits.rjust(self.width - len(sign), "0")
        return pad(sign + digits, self.flags, self.width)


WRITERS = {
    "c": "character",
    "s": "string",
    "p": "string",
    **dict.fromkeys(BASES, "integer"),
    **dict.fromkeys("fgGeEaA", "float"),
}
