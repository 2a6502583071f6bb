"""Limits of CPython that Puppet programs must not meet: long calls into C, deep recursion, long integers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from evaluator import Session
from evaluator.values import format_literal, format_value
from tests.effort import run_within

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted


def run_program(source: str, dialect: str = "puppet") -> Any:
    """Return the outcome of a program in a new session."""
    return Session(dialect, interactive=True).run(source)


# --- no long calls into C: sizes are checked before

LONG_CALLS = {
    "a width": "sprintf('%2000000000d', 1)",
    "a width of a string": "sprintf('%2000000000s', 'x')",
    "a width of its own": "sprintf('%*d', 2000000000, 1)",
    "a precision": "sprintf('%.2000000000f', 1.5)",
    "a precision of an integer": "sprintf('%.2000000000d', 1)",
    "a shift": "1 << 2000000000",
    "a shift to the other side": "1 >> -2000000000",
    "a range": "Array(Integer[1, 9223372036854775807])",
    "a range of a function": "range(1, 9223372036854775807)",
    "elements": "Array(9223372036854775807)",
    "a product": "Integer[1, 60].reduce(2) |$m, $x| { $m * $m }",
    "digits": f"Integer('{'9' * 1_500_000}')",
    "digits of a range": f"range('1', '{'9' * 1_500_000}')",
    "digits of a function": f"abs('{'9' * 1_500_000}')",
    "hexadecimal digits": f"Integer('0x{'f' * 1_500_000}')",
    "binary digits": f"Integer('0b{'1' * 1_500_000}')",
    "an integer in the program": "9" * 1_500_000,
    "a replacement": "regsubst(String('x', '%60000000s'), '^', String('y', '%60000000s'))",
    "a time": "Timestamp(0).strftime('%2000000000Y')",
    "a text in many parts": "Array(Integer[1, 1000]).join(String('x', '%2000000s'))",
}


@pytest.mark.parametrize("dialect", ["puppet", "spec"])
@pytest.mark.parametrize("name", LONG_CALLS)
def test_sizes_are_checked_before_a_long_call(name: str, dialect: str) -> None:
    error = run_within(
        5, lambda: run_program(LONG_CALLS[name], dialect), tries=1
    ).error  # without a check before, the call takes minutes
    assert error is not None and error.code not in ("INTERNAL_ERROR", "MEMORY_EXCEEDED"), error


# --- deep recursion

DEEP = 100_000


def make_nested_array(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def make_nested_hash(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("printer", [format_literal, format_value])
@pytest.mark.parametrize("make", [make_nested_array, make_nested_hash])
def test_deep_values_are_printed(printer: Callable[[Any], str], make: Callable[[int], Any]) -> None:
    assert len(printer(make(DEEP))) > 2 * DEEP


def test_deep_values_are_compared() -> None:
    grow = "Integer[1, 30000].reduce([1]) |$m, $x| { [$m] }"
    assert run_program(f"$x = {grow} $y = {grow} $x == $y").value is True


def test_deep_values_have_a_text_and_a_type() -> None:
    outcome = run_program("Integer[1, 12000].reduce([1]) |$m, $x| { [$m] }")
    assert outcome.error is None
    assert outcome.text.startswith("[[[[")
    assert outcome.type


DEEP_PROGRAMS = {
    "a sort that recurs": "function f($n) { [2, 1].sort |$a, $b| { f($n + 1) 0 } } f(0)",
    "a map that recurs": "function f($n) { [1].map |$x| { f($n + 1) } } f(0)",
    "a comparison": "$x = Integer[1, 12000].reduce([1]) |$m, $i| { [$m] } $x == [$x]",
    "flatten": "(Integer[1, 12000].reduce([1]) |$m, $i| { [$m] }).flatten",
    "a type of a deep value": "type(Integer[1, 12000].reduce([1]) |$m, $i| { [$m] })",
    "an instance": "(Integer[1, 12000].reduce([1]) |$m, $i| { [$m] }) =~ Data",
    "a hash as a key": "{ (Integer[1, 12000].reduce([1]) |$m, $i| { [$m] }) => 1 }.length",
    "json": "to_json(Integer[1, 12000].reduce([1]) |$m, $i| { [$m] })",
    "yaml": "to_yaml(Integer[1, 12000].reduce([1]) |$m, $i| { [$m] })",
    "a resource": "notify { 'a': message => (Integer[1, 100000].reduce([1]) |$m, $i| { [$m] }) }",
    "an expression": f"Regexp('{'(' * 12_000}a{')' * 12_000}')",
    "a type in text": f'Type("{"Array[" * 9_000}Integer{"]" * 9_000}")',
    "parseyaml": f"parseyaml('{'[' * 12_000}{']' * 12_000}')",
    "parsejson": f"parsejson('{'[' * 12_000}{']' * 12_000}', 1).length",
    "deep data": "(Integer[1, 12000].reduce([1]) |$m, $i| { [$m] }).unique.length",
    "a hash of hashes": "deep_merge(*[1, 2].map |$z| { Integer[1, 12000].reduce({}) |$m, $i| { { a => $m } } })",
}

PROGRAM = """
import json, sys
sys.path.insert(0, ".")
from evaluator import Session
for name, source in json.load(sys.stdin).items():
    session = Session("puppet", interactive=True)
    outcome = session.run(source)
    code = outcome.error.code if outcome.error else None
    shown = str(outcome.error) if outcome.error else outcome.text + outcome.type
    session.catalog().to_json()
    print(json.dumps([name, code, shown[:200]]), flush=True)
"""


def test_deep_programs_do_not_crash() -> None:
    """They run in a new process, because a failure is a segmentation fault."""
    import json

    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(DEEP_PROGRAMS),
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [name for name, *_ in rows] == [*DEEP_PROGRAMS], result.stderr[-1000:]
    assert result.returncode == 0
    assert not [row for row in rows if row[1] == "INTERNAL_ERROR"]


# --- integers of more than 4,300 digits

DIGITS = "9" * 5000


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (f"Integer('{DIGITS}')", int("9" * 4000) * 10**1000 + int("9" * 1000)),
        (f"Numeric('{DIGITS}')", int("9" * 4000) * 10**1000 + int("9" * 1000)),
        (f"\"${{Integer('{DIGITS}')}}\"", DIGITS),
        (f"String(Integer('{DIGITS}'))", DIGITS),
        (f"sprintf('%d', Integer('{DIGITS}'))", DIGITS),
        (f"[Integer('{DIGITS}')].join(',')", DIGITS),
        (f"to_json([Integer('{DIGITS}')])", f"[{DIGITS}]"),
    ],
    ids=lambda value: "",
)
def test_long_integers_have_values(source: str, value: Any) -> None:
    outcome = run_program(source)
    assert outcome.error is None and outcome.value == value
    assert outcome.text and outcome.type


@pytest.mark.parametrize(
    "source",
    [
        f"Integer('{DIGITS}') + 1",
        f"notice(Integer('{DIGITS}'))",
        f"fail(Integer('{DIGITS}'))",
        f"notify {{ 'a': message => Integer('{DIGITS}') }}",
        f"assert_type(String, Integer('{DIGITS}'))",
        f"md5(Integer('{DIGITS}'))",
        f"Float(Integer('{DIGITS}'))",
        f"Timestamp(Integer('{DIGITS}'))",
        f"Timespan(Integer('{DIGITS}'))",
        f"[1] [Integer('{DIGITS}')]",
        f"Integer[1, Integer('{DIGITS}')]",
        f"range(1, Integer('{DIGITS}'))",
        f"Binary(Integer('{DIGITS}'))",
    ],
)
def test_long_integers_cause_no_internal_error(source: str) -> None:
    error = run_program(source).error
    assert error is None or error.code != "INTERNAL_ERROR", error


# --- keys with equal hash values of Python


def test_integers_with_the_same_python_hash_are_distinct_keys() -> None:
    modulus = 2**61 - 1
    source = f"(Integer[1, 3].map |$k| {{ $k * {modulus} }}).reduce({{}}) |$m, $k| {{ $m + {{ $k => 1 }} }}"
    outcome = run_within(1, lambda: run_program(source))
    assert outcome.error is None and len(outcome.value) == 3


@pytest.mark.parametrize(
    "program",
    [
        "Hash($keys.map |$k| { [$k, 1] }).length",
        "$keys.unique.length",
        "$keys.map |$k| { [$k] }.unique.length",
        "$keys.map |$k| { { $k => $k } }.unique.length",
        "$rest = $keys - [1] $rest.length",
        "$keys.group_by |$k| { $k }.length",
        "Hash($keys.map |$k| { [$k, 1] })[$keys[7]] + 59999",
    ],
)
def test_many_integers_with_the_same_python_hash_are_fast(program: str) -> None:
    """With Python's own hash this would take minutes."""
    source = f"$keys = Integer[1, 60000].map |$k| {{ $k * {2**61 - 1} }} {program}"
    outcome = run_within(8, lambda: run_program(source, "spec"), tries=1)
    assert outcome.error is None and outcome.value == 60_000


def test_long_integers_are_keys() -> None:
    """They work in literals, look-ups and comparisons, also beside strings of the same digits."""
    big = 2**70
    source = (
        f"$a = {{ {big} => 1, '{big}' => 2, -{big} => 3 }} $b = {{ -{big} => 3, '{big}' => 2, {big} => 1 }}"
    )
    outcome = run_program(
        f"{source} $c = [$a[{big}], $a['{big}'], $a[-{big}], $a == $b, {big} in $a, $a.keys[0] == {big}]",
        "spec",
    )
    assert outcome.value == [1, 2, 3, True, True, True]
    assert (
        format_literal(run_program(f"{{ {big} => 1 }} + {{ {big} => 2 }}", "spec").value) == f"{{{big} => 2}}"
    )
