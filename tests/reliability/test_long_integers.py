"""Integers with more digits than Python converts by default, in a process whose own limit stays as it is."""

from __future__ import annotations

import sys

import pytest

from evaluator import Session

DIGITS = 5_000


@pytest.mark.parametrize(
    "source",
    [f"Integer('{'9' * DIGITS}')", f"'{'9' * DIGITS}' + 0", f"parsejson('[{'9' * DIGITS}]')[0]"],
    ids=["new", "addition", "JSON"],
)
def test_a_long_integer_is_converted_in_full(source: str) -> None:
    before = sys.get_int_max_str_digits()
    outcome = Session("spec").run(source)
    assert (outcome.error, len(outcome.text)) == (None, DIGITS)
    assert sys.get_int_max_str_digits() == before < DIGITS
