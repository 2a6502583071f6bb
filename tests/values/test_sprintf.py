"""`sprintf` has the results of Ruby's `format`, on random formats and values."""

from __future__ import annotations

import json
import random
import shutil
import subprocess

import pytest

from evaluator.issues import Failure
from evaluator.kinds.sprintf import sprintf
from lexer_parser import PuppetError

CASES = 3000
RUBY = r"""
require 'json'
STDIN.each_line do |line|
  format, arguments = JSON.parse(line)
  arguments = arguments.map { |value| value.is_a?(Hash) ? value.transform_keys(&:to_sym) : value }
  answer = begin
    [format(format, *arguments)]
  rescue StandardError => e
    { error: e.message }
  end
  puts JSON.generate(answer)
end
"""
INTEGERS = [0, 1, -1, 5, -5, 7, 8, -8, 65, 255, -255, 4096, 10**6, 2**31, -(2**63), 2**64, -(10**25), -129]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    0.5,
    1.5,
    2.5,
    -0.1,
    3.14159,
    255.5,
    1e10,
    1e-5,
    1e22,
    1e100,
    5e-324,
    1.999,
    2.675,
    0.35,
    -1.005,
    5.9457385,
    0.166005,
    780500000000.0,
]
TEXTS = ["", "a", "abc", "héllo", "12", "-7", "0x1f", "1.5", "1e3", " 5 ", "x y", "a\nb", 'q"uote']
OTHERS = [True, False, [1, "a", None], []]


def make_cases(seed: int) -> list[tuple[str, list]]:
    """Return random formats, each with its arguments."""
    chance = random.Random(seed)

    def make_case() -> tuple[str, list]:
        letter = chance.choice("dioxXbBufgGeEaAsp")
        flags = "".join(chance.choices("#-+0 ", k=chance.choice([0, 0, 0, 1, 2])))
        width = chance.choice(["", "", "1", "8", "20"])
        precision = chance.choice(["", "", "", ".", ".0", ".1", ".3", ".10"])
        directive = f"{flags}{width}{precision}{letter}"
        value = chance.choice(INTEGERS + FLOATS + (TEXTS + OTHERS if letter in "sp" else ["12", "x", "0b11"]))
        opening = chance.choice(["%"] * 9 + ["%1$", "%<a>", "%{a}"])
        arguments = [{"a": value}] if "a" in opening else [value]
        tail = chance.choice(["", "|", " %% é", "%", " %d"])
        return opening + directive + tail, arguments

    return [make_case() for _ in range(CASES)]


@pytest.mark.released
def test_random_formats_are_as_in_ruby():
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("Ruby is not installed")
    cases = make_cases(seed=20)
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    process = subprocess.run(
        [ruby, "-W0", "-e", RUBY], input=lines, capture_output=True, text=True, check=True
    )
    for (format, arguments), line in zip(cases, process.stdout.splitlines(), strict=True):
        try:
            result: object = [sprintf(format, arguments)]
        except Failure as failure:
            result = {"error": str(failure)}
        assert result == json.loads(line), (format, arguments)


@pytest.mark.parametrize(
    ("format", "arguments", "result"),
    [
        ("%05.2f|%s|%d|%x|%%", [3.14159, "a", 10, 255], "03.14|a|10|ff|%"),
        ("%<a>s %{b}", [{"a": 1, "b": 2}], "1 2"),
        ("%2$s %1$s", ["a", "b"], "b a"),
        ("%-*d|", [5, 1], "1    |"),
        ("%x %#b %08o", [-255, 5, -8], "..f01 0b101 ..777770"),
        ("%s", [[1, None]], "[1, nil]"),
        ("%s", [None], ""),
        ("%a", [1.0], "0x1p+0"),
        ("%.0f %.0f", [0.5, 1.5], "0 2"),
    ],
)
def test_a_format_has_the_expected_result(format, arguments, result):
    assert sprintf(format, arguments) == result


@pytest.mark.parametrize(
    ("format", "arguments", "message"),
    [
        ("%d", [], "too few arguments"),
        ("%d", ["x"], 'invalid value for Integer(): "x"'),
        ("%y", [1], "malformed format string - %y"),
        ("%", [1], "incomplete format specifier; use %% (double %) instead"),
        ("%<b>d", [{"a": 1}], "key<b> not found"),
        ("%<a>s %s", [{"a": 1}], "unnumbered(1) mixed with named"),
        ("%5 d", [5], "flag after width"),
        ("%99999999999d", [1], "width too big"),
    ],
)
def test_a_mistake_in_a_format_is_reported(format, arguments, message):
    with pytest.raises(Failure) as caught:
        sprintf(format, arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "format", ["%99999999s", "%.99999999d", "%099999999.1f", "%-99999999x", "%.99999999a"]
)
def test_the_length_of_the_result_is_limited_before_it_is_formatted(format):
    with pytest.raises(PuppetError, match="max_string_length"):
        sprintf(format, [1])
