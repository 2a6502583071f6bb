"""What undef and default can do: their formats, and that default is ordered with itself alone."""

from __future__ import annotations

from typing import Any

from evaluator.kinds.formats.format import FLOAT_LETTERS, NUMERIC_LETTERS, Format, Printing
from evaluator.values.kind import DEFAULT, UNDEF, Order


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


def _default(value: Any, format: Format) -> str:
    if format.letter in "dsp":
        return format.padded("default", alternate=True)
    if format.letter == "D":
        return format.padded("Default", alternate=True)
    raise format.refuse("Default", "dDsp")


UNDEF.rules(printing=Printing(_undef, brackets="nudxXobBeEfgGaAvVsp"))
DEFAULT.rules(
    printing=Printing(_default, brackets="dDsp"),
    order=Order((DEFAULT,), "Symbol not comparable to non Symbol", lambda left, right: 0),
)
