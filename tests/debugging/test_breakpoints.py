"""Programs stop at breakpoints, conditions and errors, and on request."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from evaluator import Session
from evaluator.debugger import Breakpoint
from tests.debugging.debugged_session import DebuggedSession

LOOP = "range(1, 5).each |$n| {\n  $double = $n * 2\n  notice($double)\n}"


@pytest.mark.parametrize(
    ("line", "stops"),
    [
        (1, [1]),
        (2, [2, 2]),
        (3, [2, 2]),
        (4, [2, 2]),
        (5, [7, 7]),
        (7, [7, 7]),
        (9, [9]),
        (10, [9]),
        (12, [14]),
        (15, []),
    ],
)
def test_a_breakpoint_stops_at_the_statement_at_or_after_its_line(line: int, stops: list[int]) -> None:
    source = (
        "[1, 2].each |$n| {\n  $a = [\n    $n,\n  ]\n\n  # a remark\n  notice($a)\n}\n"
        "$h = {\n  'a' => 1,\n}\n# another\n\nnotice($h)\n"
    )
    debugged = DebuggedSession()
    debugged.run(source, line)
    assert debugged.lines == stops


def test_a_breakpoint_on_one_line_with_its_lambda_stops_once() -> None:
    debugged = DebuggedSession()
    debugged.run("[1, 2].each |$n| { notice($n) }", 1)
    assert debugged.stops == [(1, "breakpoint")]


def test_a_breakpoint_in_a_define_stops_for_each_resource() -> None:
    names = []

    def record_name(stop: Any) -> str:
        names.append(stop.frames[0].name)
        return "continue"

    debugged = DebuggedSession([record_name, record_name])
    debugged.run("define web::site($port) {\n  $url = $port\n}\nweb::site { ['a', 'b']: port => 1 }", 2)
    assert names == ["Web::Site[a]", "Web::Site[b]"]


def test_a_breakpoint_stops_if_its_condition_is_true_or_fails() -> None:
    debugged = DebuggedSession()
    debugged.run(LOOP, 3, condition="$double > 7 and $n < 5")
    assert debugged.lines == [3]
    debugged = DebuggedSession()
    debugged.run(LOOP, 3, condition="$n > 'a'")
    assert len(debugged.stops) == 5


def test_the_error_of_a_condition_is_reported() -> None:
    texts = []
    debugged = DebuggedSession([lambda stop: texts.append(stop.text) or "continue"])
    debugged.run("$a = 1\n$b = 2", 2, condition="fail('no')")
    assert texts[0].startswith("the condition fails: Error while evaluating a Function Call, no")


def test_a_program_stops_at_the_error_that_ends_it() -> None:
    records: list[Any] = []

    def record_stop(stop: Any) -> str:
        frame = stop.frames[0]
        records.append(
            (stop.text, [inner.name for inner in stop.frames], frame.evaluate("$x + 1")[0], frame.locals)
        )
        return "continue"

    debugged = DebuggedSession([record_stop])
    debugged.debugger.stop_at_errors = True
    outcome = debugged.run(
        'function f($x) {\n  $y = $x * 2\n  fail("no ${y}")\n}\n[4].each |$n| {\n  f($n)\n}'
    )
    assert outcome.error.message.endswith("no 8")
    assert debugged.stops == [(3, "exception")]
    assert records[0][1:] == (["function f", "lambda of each", "cell [1]"], 5, {"x": 4, "y": 8})
    debugged.debugger.stop_at_errors = False
    debugged.run("fail('again')")
    assert len(debugged.stops) == 1


def test_a_running_program_is_paused() -> None:
    debugged = DebuggedSession(["over", "continue"])
    debugged.debugger.pausable = True
    timer = threading.Timer(0.1, debugged.debugger.pause)
    debugged.session.on_log = lambda entry: timer.start()
    loop = "range(1, 3000).each |$n| {\n  range(1, 300).each |$m| {\n    $x = $m\n  }\n}"
    outcome = debugged.run(f"notice('it runs')\n{loop}")
    timer.join()
    assert outcome.error is None
    assert [reason for _, reason in debugged.stops] == ["pause", "step"]


def test_a_breakpoint_can_be_set_while_the_program_runs() -> None:
    source = "$a = 1\n[1].each |$n| {\n  $b = $n\n}\n$c = 2"

    def add_breakpoint(stop: Any) -> str:
        debugged.debugger.set_breakpoints(source, [Breakpoint(5)], None)
        return "continue"

    debugged = DebuggedSession([add_breakpoint])
    debugged.run(source, 1)
    assert debugged.lines == [1, 5]


def test_an_unchanged_cell_with_breakpoints_is_evaluated_again() -> None:
    debugged = DebuggedSession()
    for _ in range(2):
        debugged.debugger.set_breakpoints("$a = 1", [Breakpoint(1)], None)
        debugged.session.run("$a = 1", "id")
    assert debugged.lines == [1, 1]


def test_evaluation_at_a_stop_does_not_change_the_result() -> None:
    debugged = DebuggedSession([evaluate_effects, evaluate_effects])
    source = "class c {\n  notify { 'a': }\n}\nclass d { notify { 'no': } }\ninclude c\n$v = 1"
    outcome = debugged.run(source, 2, 6)
    assert outcome.error is None
    assert debugged.lines == [2, 6]
    assert debugged.session.catalog().summary() == summarize_catalog(source)
    assert dict(debugged.session.assistant.iterate_variables()).keys() >= {"v"}
    assert "q" not in dict(debugged.session.assistant.iterate_variables())


def evaluate_effects(stop: Any) -> str:
    """Evaluate code with side effects at a stop, and continue."""
    value, logs = stop.frames[0].evaluate("include d\n$q = 5\nnotice('seen')\n$q + 1")
    assert (value, [line.message for line in logs]) == (6, ["seen"])
    return "continue"


def summarize_catalog(source: str) -> Any:
    """Return the summary of the catalog of a program that runs without a debugger."""
    session = Session("puppet", interactive=True)
    session.run(source)
    return session.catalog().summary()


def test_without_a_debugger_nothing_is_traced() -> None:
    before = sys.gettrace()
    code = "import sys; from evaluator import Session; Session('puppet').run('1'); print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "evaluator.debugger.engine" not in result.stdout.split()
    debugged = DebuggedSession()
    debugged.run("$a = 1")
    assert sys.gettrace() is before


def test_a_loop_is_at_most_five_times_slower() -> None:
    source = "$sum = range(1, 20000).reduce(0) |$memo, $n| {\n  $memo + $n * 2\n}\n$after = $sum"

    def measure_seconds(with_debugger: bool) -> float:
        debugged = DebuggedSession()
        if not with_debugger:
            debugged.session.watcher = None
        start = time.process_time()
        debugged.run(source, 4)
        return time.process_time() - start

    pairs = [(measure_seconds(True), measure_seconds(False)) for _ in range(7)]
    assert min(on for on, _ in pairs) < 5 * min(off for _, off in pairs)
