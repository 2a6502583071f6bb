"""Stepping line by line stops at each line of the user's program and at no other."""

from __future__ import annotations

from itertools import repeat
from pathlib import Path

import pytest

from evaluator import Session
from tests.debugging.debugged_session import DebuggedSession, read_programs

PROGRAMS = [
    pytest.param(kind, source, lines, id=f"{name}, {kind}")
    for name, source, expected in read_programs()
    for kind, lines in expected.items()
]


def test_there_are_at_least_150_programs() -> None:
    assert len(PROGRAMS) >= 150


@pytest.mark.parametrize(("kind", "source", "lines"), PROGRAMS)
def test_each_kind_of_step_stops_at_the_expected_lines(kind: str, source: str, lines: list[int]) -> None:
    debugged = DebuggedSession(repeat(kind))
    outcome = debugged.run(source, entering=True)
    assert outcome.error is None
    assert debugged.lines == lines
    undebugged = Session("puppet", interactive=True).run(source)
    assert [line.message for line in outcome.logs] == [line.message for line in undebugged.logs]


def test_a_step_out_ends_where_the_function_was_called() -> None:
    source = "function f($x) {\n  $y = $x\n  $y + 1\n}\n$a = f(1) +\n  f(2)\n$b = 1"
    debugged = DebuggedSession(["in", "out", "in", "out", "over"])
    debugged.run(source, entering=True)
    assert debugged.stops == [(5, "entry"), (2, "step"), (5, "step"), (2, "step"), (6, "step"), (7, "step")]


def test_a_step_over_stops_in_each_round_of_a_lambda() -> None:
    debugged = DebuggedSession(repeat("over"))
    debugged.run("[1, 2].each |$x| {\n  $y = $x\n  notice($y)\n}\n$z = 1", 2)
    assert debugged.lines == [2, 3, 2, 3, 1, 5]


@pytest.mark.parametrize(("kind", "lines"), [("in", [4, 5, 2]), ("over", [4]), ("out", [4])])
def test_steps_after_an_error_stop_nowhere(kind: str, lines: list[int]) -> None:
    debugged = DebuggedSession(repeat(kind))
    outcome = debugged.run(
        'function f($x) {\n  fail("no ${x}")\n}\n[1].each |$n| {\n  f($n)\n}', entering=True
    )
    assert outcome.error is not None
    assert debugged.lines == lines


def test_a_step_over_stops_at_breakpoints_on_its_way() -> None:
    debugged = DebuggedSession(repeat("over"))
    debugged.run("function f($x) {\n  $x + 1\n}\n$a = f(1)\n$b = 2", 2, entering=True)
    assert debugged.stops == [(4, "entry"), (2, "breakpoint"), (4, "step"), (5, "step")]


def test_a_step_in_enters_the_file_of_a_module(tmp_path: Path) -> None:
    manifests = tmp_path / "web" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "init.pp").write_text('class web(\n  $port = 80,\n) {\n  $url = "http://x:${port}"\n}\n')
    records = []

    def record_frames(stop: object) -> str:
        records.append([(frame.name, frame.line, frame.source.name) for frame in stop.frames])  # type: ignore[attr-defined]
        return "over"

    debugged = DebuggedSession(
        ["in", record_frames, "over"], session=Session("puppet", interactive=True, modulepath=[tmp_path])
    )
    debugged.run("$a = 1\ninclude web\n$b = $web::url", 2)
    assert records == [[("class web", 4, str(manifests / "init.pp")), ("cell [1]", 2, None)]]
    assert debugged.lines == [2, 4, 2, 3]


def test_parameters_bound_by_data_are_visible_at_the_first_line() -> None:
    source = "class web(\n  $port,\n  $host = 'x',\n) {\n  $url = \"${host}:${port}\"\n}\ninclude web\n$z = $web::url"
    records = []

    def record_parameters(stop: object) -> str:
        frame = stop.frames[0]  # type: ignore[attr-defined]
        records.append((frame.line, frame.name, frame.evaluate("[$port, $host]")[0]))
        return "in"

    session = Session("puppet", interactive=True, data={"web::port": 8080})
    debugged = DebuggedSession(["in", record_parameters, "in"], session=session)
    assert debugged.run(source, entering=True).error is None
    assert records == [(5, "class web", [8080, "x"])]
    assert debugged.lines == [7, 5, 7, 8]


def test_interpolation_in_data_is_not_a_line_of_the_program() -> None:
    session = Session("puppet", interactive=True, data={"a": "%{lookup('b')}", "b": 5})
    debugged = DebuggedSession(repeat("in"), session=session)
    assert debugged.run("$x = lookup('a')\n$y = $x", entering=True).error is None
    assert debugged.lines == [1, 2]


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
def test_an_error_ends_the_steps_and_the_next_cell_begins_at_its_first_line(
    source: str, kind: str, lines: list[int]
) -> None:
    debugged = DebuggedSession(repeat(kind))
    assert debugged.run(source, entering=True).error is not None
    assert debugged.lines == lines
    assert debugged.run("$after = 1\n$b = 2", entering=True).error is None
    assert debugged.lines == [*lines, 1, 2]


def test_the_frame_of_an_inline_template_is_named() -> None:
    names = []

    def record_names(stop: object) -> str:
        names.append([frame.name for frame in stop.frames])  # type: ignore[attr-defined]
        return "in"

    DebuggedSession(["in", record_names]).run("$t = inline_epp('<%= 1 %>')", entering=True)
    assert names == [["inline template", "cell [1]"]]
