"""Traps of CPython that no program of another language may see: long calls, deep recursion, long integers."""

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


def run(source: str, dialect: str = "puppet") -> Any:
    return Session(dialect, interactive=True).run(source)


# --- no call into C takes long: sizes are looked at before

LONG = {
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
@pytest.mark.parametrize("name", LONG)
def test_no_long_calls(name: str, dialect: str) -> None:
    error = run_within(
        5, lambda: run(LONG[name], dialect), tries=1
    ).error  # what is not checked first takes minutes
    assert error is not None and error.code not in ("INTERNAL_ERROR", "MEMORY_EXCEEDED"), error


# --- recursion: deep, without a limit that is raised alone

DEEP = 100_000


def nested_array(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def nested_hash(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("printer", [format_literal, format_value])
@pytest.mark.parametrize("make", [nested_array, nested_hash])
def test_deep_values_are_printed(printer: Callable[[Any], str], make: Callable[[int], Any]) -> None:
    assert len(printer(make(DEEP))) > 2 * DEEP


def test_deep_values_are_compared() -> None:
    grow = "Integer[1, 30000].reduce([1]) |$m, $x| { [$m] }"
    assert run(f"$x = {grow} $y = {grow} $x == $y").value is True


def test_deep_values_are_shown() -> None:
    outcome = run("Integer[1, 12000].reduce([1]) |$m, $x| { [$m] }")
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

ALIVE = """
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
    """In a process of its own, for what goes wrong here is a segmentation fault."""
    import json

    done = subprocess.run(
        [sys.executable, "-c", ALIVE],
        input=json.dumps(DEEP_PROGRAMS),
        capture_output=True,
        text=True,
        check=False,
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [name for name, *_ in rows] == [*DEEP_PROGRAMS], done.stderr[-1000:]
    assert done.returncode == 0
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
def test_long_integers(source: str, value: Any) -> None:
    outcome = run(source)
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
def test_long_integers_are_no_defect(source: str) -> None:
    error = run(source).error
    assert error is None or error.code != "INTERNAL_ERROR", error


# --- hashes: equal hash values are no trap


def test_integers_of_the_same_hash() -> None:
    modulus = 2**61 - 1
    source = f"(Integer[1, 3].map |$k| {{ $k * {modulus} }}).reduce({{}}) |$m, $k| {{ $m + {{ $k => 1 }} }}"
    outcome = run_within(1, lambda: run(source))
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
def test_many_integers_of_the_same_hash(program: str) -> None:
    """With Python's own hash they would take minutes."""
    source = f"$keys = Integer[1, 60000].map |$k| {{ $k * {2**61 - 1} }} {program}"
    outcome = run_within(8, lambda: run(source, "spec"), tries=1)
    assert outcome.error is None and outcome.value == 60_000


def test_long_keys_are_keys() -> None:
    """In a literal, by a look-up, in another order, beside their texts."""
    big = 2**70
    source = (
        f"$a = {{ {big} => 1, '{big}' => 2, -{big} => 3 }} $b = {{ -{big} => 3, '{big}' => 2, {big} => 1 }}"
    )
    outcome = run(
        f"{source} $c = [$a[{big}], $a['{big}'], $a[-{big}], $a == $b, {big} in $a, $a.keys[0] == {big}]",
        "spec",
    )
    assert outcome.value == [1, 2, 3, True, True, True]
    assert format_literal(run(f"{{ {big} => 1 }} + {{ {big} => 2 }}", "spec").value) == f"{{{big} => 2}}"
