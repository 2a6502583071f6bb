"""The cost of a display is bounded, however large, deep or shared the value is, and no display fails a cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from evaluator.types import describe_outline, infer, infer_outline
from lexer_parser.dialect import PUPPET, SPEC
from puppet_kernel.jupyter.display import make_bundle, make_error_content
from puppet_kernel.rendering import catalogs
from puppet_kernel.rendering.literals import CHARACTERS, ELEMENTS
from puppet_kernel.rendering.text import render_ansi, render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from tests.cli.forking import run_repl
from tests.effort import run_within

pytestmark = pytest.mark.usefixtures("fresh_heap")  # seconds are counted

SECONDS = 0.6  # of CPU; 0.3 when nothing else runs
LARGE = {
    "small arrays": "Integer[1, 300000].map |$i| { [$i, 'a'] }",
    "small hashes": "Integer[1, 300000].map |$i| { { a => $i } }",
    "integers": "Array(Integer[1, 3000000])",
    "a hash": "Hash(Integer[1, 300000].map |$i| { [$i, $i] })",
    "texts": 'Integer[1, 300000].map |$i| { "s ${i}" }',
    "a long text": "String('x', '%30000000s')",
    "controls": "regsubst(String('x', '%3000000s'), ' ', \"\\u{1b}\", 'G')",
    "lines": "regsubst(String('x', '%3000000s'), ' ', \"\\n\", 'G')",
    "doublings": "Integer[1, 60].reduce(['x']) |$m, $i| { [$m, $m] }",
    "doubled hashes": "Integer[1, 60].reduce({}) |$m, $i| { { a => $m, b => $m } }",
    "doubled keys": "Integer[1, 60].reduce({}) |$m, $i| { { $m => $m } }",
    "doubled objects": "Integer[1, 60].reduce('x') |$m, $i| { Deferred('join', [$m, $m]) }",
    "200 levels": "Integer[1, 200].reduce(['x']) |$m, $i| { [$m] }",
    "3,000 levels": "Integer[1, 3000].reduce(['x']) |$m, $i| { [$m] }",
    "3,000 hashes deep": "Integer[1, 3000].reduce(['x']) |$m, $i| { { a => $m } }",
    "100,000 levels": "Integer[1, 100000].reduce(['x']) |$m, $i| { [$m] }",
    "a type of 500 levels": "Type(Integer[1, 500].reduce('Integer') |$m, $i| { \"Array[${m}]\" })",
    "a long type": 'Enum[*(Integer[1, 100000].map |$i| { "s${i}" })]',
    "a doubled type": "Integer[1, 40].reduce(Integer) |$m, $i| { Tuple[$m, $m] }",
    "hashes of other keys": 'Integer[1, 20000].map |$i| { { "k${i}" => $i } }',
    "a large key": "{ (Integer[1, 300000].map |$i| { [$i] }) => 1 }",
    "a secret": "Sensitive(Integer[1, 300000].map |$i| { [$i, 'a'] })",
    "bytes": "Binary(String('x', '%20000000s'), '%s')",
    "times": "Integer[1, 100000].map |$i| { Timestamp($i) }",
}
INPUTS = ("$x", "%vars", "??x", "?x", "%time $x", "$x ", "1 + 1")


# values are displayed the same in both dialects: each value is tested in one of them
@pytest.mark.parametrize(("name", "dialect"), [*zip(LARGE, cycle(("spec", "puppet")))])
def test_the_display_of_a_large_value_is_bounded(name: str, dialect: str) -> None:
    shell = Shell({"dialect": dialect}, with_type=True)
    assert shell.submit(f"$x = {LARGE[name]} notice(1)").error is None

    def show(source: str) -> tuple[Reply, list[str]]:
        reply = shell.submit(source)
        outputs = [*make_bundle(reply.element).values(), render_ansi(reply.element, 80, highlight=True)]  # type: ignore[arg-type]
        shell.supervise_briefly(lambda: shell.complete("$x.", 3))
        return reply, outputs

    for source in INPUTS:
        reply, outputs = run_within(SECONDS, partial(show, source))
        assert reply.error is None, source
        assert outputs and "cannot be shown" not in outputs[0], source
        assert max(map(len, outputs)) < 3 * CHARACTERS, source


def test_the_output_does_not_grow_with_the_value() -> None:
    def outputs(count: int) -> str:
        shell = Shell({})
        return str(make_bundle(shell.submit(f"Integer[1, {count}].map |$i| {{ [$i, 'text'] }}").element))

    assert abs(len(outputs(ELEMENTS * 10)) - len(outputs(ELEMENTS * 100))) < 100


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 2], "Array[Integer]"),
        ([[1], ["a"]] * 9_000, "Array[Array]"),
        ([1] * 9_000, "Array[Integer]"),
        ([1, "a"] * 9_000, "Array"),
        ({str(n): {} for n in range(9_000)}, "Hash[String, Hash]"),
        ([None] * 9_000, "Array"),
    ],
)
def test_the_outline_type_of_a_large_value_is_correct(value: Any, expected: str) -> None:
    assert describe_outline(value, PUPPET) == expected
    for dialect in (PUPPET, SPEC):
        assert infer_outline(value, dialect).instance(value)
        assert infer_outline(value, dialect).assignable(infer(value, dialect))


@pytest.mark.parametrize(
    ("source", "type_text"),
    [
        ("[Init[Any], Integer]", "Tuple[Type[Init[Any]], Type[Integer]]"),
        ("[[Integer, Init[Any]], 1]", "Tuple[Tuple[Type[Integer], Type[Init[Any]]], Integer[1, 1]]"),
        (
            "{ 1 => Init[Any], 2 => Integer }",
            "Hash[Variant[Integer[1, 1], Integer[2, 2]], Variant[Type[Init[Any]], Type[Integer]], 2, 2]",
        ),
    ],
)
def test_elements_whose_types_cannot_be_united_have_the_detailed_type(source: str, type_text: str) -> None:
    outcome = Session("puppet").run(source)
    assert outcome.type == type_text
    assert describe_outline(outcome.value, PUPPET)


def test_a_view_of_many_resources_shows_their_number() -> None:
    session = Session("puppet")
    outcome = session.run('Integer[1, 20000].each |$i| { notify { "n${i}": } }')
    renderers: list[Callable[[], Any]] = [
        lambda: catalogs.describe_change(outcome.change),
        lambda: catalogs.describe_catalog(session.catalog()),
    ]
    for render in renderers:
        text = run_within(SECONDS, lambda: render_plain(render(), 100))  # noqa: B023
        assert text.count("\n") < 100 and "20,000 Notify" in text
    assert len(catalogs.describe_catalog(session.catalog(), whole=True).lines) == 20_000  # type: ignore[union-attr]


@pytest.mark.parametrize("options", [["--json"], []])
@pytest.mark.parametrize("name", ["doublings", "hashes of other keys", "a long text", "3,000 levels"])
def test_the_command_prints_a_bounded_value(name: str, options: list[str], tmp_path: Path) -> None:
    result = run_repl([*options, "--limit", "max_output_length=100000", "-e", LARGE[name]], tmp_path)
    assert result.returncode == 0
    if options:
        answer = json.loads(result.stdout)
        assert answer["type"] and len(answer["value"]) < 100_100
    assert result.stdout and not result.stderr


def test_a_display_that_fails_does_not_fail_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell({})

    def raise_recursion_error(*arguments: Any, **options: Any) -> Any:
        raise RecursionError("no")

    monkeypatch.setattr("puppet_kernel.rendering.views.describe_value", raise_recursion_error)
    reply = shell.submit("$x = 1 notify { 'a': } $x")
    assert reply.error is None and "cannot be shown" in make_bundle(reply.element)["text/plain"]
    monkeypatch.undo()
    assert shell.session.run("$x").value == 1 and "Notify[a]" in str(shell.session.catalog().summary())


@pytest.mark.parametrize("source", ["fail($v)", "Integer($v)", "[1][$v]", "notify { 'a': nosuch => $v }"])
def test_an_error_message_with_a_large_value_is_cut(source: str) -> None:
    shell = Shell({})
    shell.submit(f"$v = {LARGE['a long text']}")
    reply = shell.submit(source)
    assert reply.error is not None
    content = make_error_content(reply)
    assert len(str(content)) < 200_000 and len(str(make_bundle(reply.element))) < 200_000
