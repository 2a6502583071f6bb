"""Generated code that is outlined has the same results and errors as in one piece."""

from __future__ import annotations

import sys

import pytest

from evaluator import Session
from evaluator.compiler import outlining
from evaluator.compiler.emitter import CodeEmitter
from evaluator.program.tracing import OUTLINED

PROGRAMS = [
    "$a = 1 + 2 * (3 - (4 + (5 * 6))) $a",
    "if true { if false { 1 } else { if true { $x = 5 $x + 1 } } }",
    "case 3 { 1: { 'a' } 2: { 'b' } 3: { case 'x' { 'y': { 1 } default: { $z = [1, [2, [3]]] $z } } } }",
    "$v = 7 $v ? { 1 => 'a', 2 => 'b', Integer[5] => ($v ? { 7 => \"seven ${v + (1 * 2)}\", default => 0 }) }",
    "[1, 2, 3].map |$x| { if $x > 1 { if $x > 2 { $y = $x * (1 + $x) $y } else { next('two') } } }",
    "function f($x) { if $x > 3 { if $x > 5 { return('large') } 'middle' } else { 'small' } } [f(1), f(4), f(6)]",
    "function f($x, $y = 1 + (2 * $x)) { unless $x == 1 { $z = $y } if $x == 2 { [$z, [$y]] } } [f(1), f(2)]",
    "if 'abc' =~ /b(.)/ { if 'xyz' =~ /y(.)/ { [$1, [$0]] } }",
    '[1, 2].reduce({}) |$m, $x| { $m + { "k${x}" => [$x + (1 * 2)] } }',
    "notify { 'a': message => [1, [2, [3 + (4 * 5)]]] } Notify['a']",
    "if true { if true { $x = 1 [1, [2, [$nothing + 1]]] } }",
    "$x = [1, [2, [3, {'a' => 1 + 'b'}]]]",
    'function f($x) { if true { if true { [1, [fail("at ${x}")]] } } } [f(1 + (2 * 3))]',
]


def collect_results(source: str) -> tuple[object, ...]:
    """Return the value, its type, the error and the catalog of a program."""
    session = Session("puppet", interactive=True)
    outcome = session.run(source)
    error = outcome.error and (str(outcome.error), outcome.error.help)
    return outcome.text, outcome.type, error, session.catalog().summary()


@pytest.mark.parametrize("source", PROGRAMS)
@pytest.mark.parametrize("depth", [4, 6, 9])
def test_outlined_code_has_the_same_results(source: str, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = collect_results(source)
    original = CodeEmitter._compile
    parts = []

    def outline_and_compile(emitter: CodeEmitter, function):
        outlining.outline_function(function)
        parts.extend(each for each in function.body if getattr(each, "name", "").startswith(OUTLINED))
        return original(emitter, function)

    monkeypatch.setattr(outlining, "MAX_DEPTH", depth)
    monkeypatch.setattr(CodeEmitter, "_compile", outline_and_compile)
    assert collect_results(source) == expected
    assert parts or depth > 4


def test_only_deeply_nested_statements_are_outlined(monkeypatch: pytest.MonkeyPatch) -> None:
    original = outlining.outline_function
    functions = []
    monkeypatch.setattr(
        outlining, "outline_function", lambda function: functions.append(function) or original(function)
    )
    for depth, parts in ((100, 0), (3000, 1)):
        functions.clear()
        assert Session("puppet").run("if true { " * depth + "1" + " }" * depth).value == 1
        assert len(functions) == parts


def make_nested_lambdas(depth: int) -> str:
    """Return a program with nested lambdas."""
    return "".join(f"[{i}].each |$a{i}| {{ " for i in range(depth)) + "1" + " }" * depth


@pytest.mark.slow
def test_deeply_nested_lambdas_run_or_are_refused_with_an_error() -> None:
    session = Session("puppet")
    assert session.run(make_nested_lambdas(1000)).error is None
    error = session.run(make_nested_lambdas(2000)).error
    if sys.version_info[:2] == (3, 12):
        assert error is not None
        assert error.code == "FUNCTIONS_TOO_DEEP"
        assert "into a function" in error.help
    else:
        assert error is None
    assert session.run("1 + 1").value == 2
