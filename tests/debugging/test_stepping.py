"""Stepping line by line stops at each line of the user's program and at no other."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

import pytest

from evaluator import Session
from tests.debugging.watching import Watch, programs

PROGRAMS = [
    pytest.param(kind, source, lines, id=f"{name}, {kind}")
    for name, source, expected in programs()
    for kind, lines in expected.items()
]


def test_there_are_enough_of_them() -> None:
    assert len(PROGRAMS) >= 150


@pytest.mark.parametrize(("kind", "source", "lines"), PROGRAMS)
def test_a_program_is_stepped_through(kind: str, source: str, lines: list[int]) -> None:
    watch = Watch(repeat(kind))
    outcome = watch.run(source, entering=True)
    assert outcome.error is None
    assert watch.lines == lines
    alone = Session("puppet", interactive=True).run(source)
    assert [line.message for line in outcome.logs] == [line.message for line in alone.logs]


def test_a_step_out_ends_where_the_function_was_called() -> None:
    source = "function f($x) {\n  $y = $x\n  $y + 1\n}\n$a = f(1) +\n  f(2)\n$b = 1"
    watch = Watch(["in", "out", "in", "out", "over"])
    watch.run(source, entering=True)
    assert watch.stops == [(5, "entry"), (2, "step"), (5, "step"), (2, "step"), (6, "step"), (7, "step")]


def test_a_step_over_goes_through_the_rounds_of_a_lambda() -> None:
    watch = Watch(repeat("over"))
    watch.run("[1, 2].each |$x| {\n  $y = $x\n  notice($y)\n}\n$z = 1", 2)
    assert watch.lines == [2, 3, 2, 3, 1, 5]


@pytest.mark.parametrize(("kind", "lines"), [("in", [4, 5, 2]), ("over", [4]), ("out", [4])])
def test_an_error_is_no_end_of_a_call(kind: str, lines: list[int]) -> None:
    watch = Watch(repeat(kind))
    outcome = watch.run('function f($x) {\n  fail("no ${x}")\n}\n[1].each |$n| {\n  f($n)\n}', entering=True)
    assert outcome.error is not None
    assert watch.lines == lines


def test_a_step_over_stops_at_breakpoints_on_its_way() -> None:
    watch = Watch(repeat("over"))
    watch.run("function f($x) {\n  $x + 1\n}\n$a = f(1)\n$b = 2", 2, entering=True)
    assert watch.stops == [(4, "entry"), (2, "breakpoint"), (4, "step"), (5, "step")]


def test_one_goes_from_a_cell_into_the_file_of_a_module(tmp_path: Path) -> None:
    manifests = tmp_path / "web" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text('class web(\n  $port = 80,\n) {\n  $url = "http://x:${port}"\n}\n')
    seen = []

    def look(stop: object) -> str:
        seen.append([(frame.name, frame.line, frame.source.name) for frame in stop.frames])  # type: ignore[attr-defined]
        return "over"

    watch = Watch(["in", look, "over"], session=Session("puppet", interactive=True, modulepath=[tmp_path]))
    watch.run("$a = 1\ninclude web\n$b = $web::url", 2)
    assert seen == [[("class web", 4, str(manifests / "init.pp")), ("cell [1]", 2, None)]]
    assert watch.lines == [2, 4, 2, 3]


def test_parameters_bound_by_data_are_there_at_the_first_line() -> None:
    source = "class web(\n  $port,\n  $host = 'x',\n) {\n  $url = \"${host}:${port}\"\n}\ninclude web\n$z = $web::url"
    seen = []

    def look(stop: object) -> str:
        frame = stop.frames[0]  # type: ignore[attr-defined]
        seen.append((frame.line, frame.name, frame.evaluate("[$port, $host]")[0]))
        return "in"

    session = Session("puppet", interactive=True, data={"web::port": 8080})
    watch = Watch(["in", look, "in"], session=session)
    assert watch.run(source, entering=True).error is None
    assert seen == [(5, "class web", [8080, "x"])]
    assert watch.lines == [7, 5, 7, 8]


def test_data_that_calls_for_other_data_is_no_line_of_the_program() -> None:
    session = Session("puppet", interactive=True, data={"a": "%{lookup('b')}", "b": 5})
    watch = Watch(repeat("in"), session=session)
    assert watch.run("$x = lookup('a')\n$y = $x", entering=True).error is None
    assert watch.lines == [1, 2]


@pytest.mark.parametrize(
    ("source", "kind", "lines"),
    [
        ("$a = 1\n$b = $a + 'x'\n$c = 2", "over", [1, 2]),
        ("class c {\n  include d\n}\nclass d {\n  $a = 'x' * 2\n}\ninclude c\n$z = 1", "in", [7, 2, 5]),
        ("[1, 0].each |$n| {\n  $q = 1 / $n\n}\n$z = 1", "in", [1, 2, 2]),
        ("$t = inline_epp('x\n<%= 1 + \"a\" %>')\n$z = 1", "in", [1, 2]),
        ("class c(Integer $p) {\n  $a = $p\n}\nclass { 'c': p => 'x' }\n$z = 1", "in", [4]),
    ],
)
def test_an_error_in_the_middle_ends_the_steps(source: str, kind: str, lines: list[int]) -> None:
    watch = Watch(repeat(kind))
    assert watch.run(source, entering=True).error is not None
    assert watch.lines == lines
    assert watch.run("$after = 1\n$b = 2", entering=True).error is None
    assert watch.lines == [*lines, 1, 2]


def test_a_template_is_called_one() -> None:
    names = []

    def look(stop: object) -> str:
        names.append([frame.name for frame in stop.frames])  # type: ignore[attr-defined]
        return "in"

    Watch(["in", look]).run("$t = inline_epp('<%= 1 %>')", entering=True)
    assert names == [["inline template", "cell [1]"]]
