"""Programs stop at breakpoints, conditions and errors, and on demand."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from evaluator import Session
from evaluator.debugger import Breakpoint
from tests.debugging.watching import Watch

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
def test_a_line_means_the_statement_that_a_person_means(line: int, stops: list[int]) -> None:
    source = (
        "[1, 2].each |$n| {\n  $a = [\n    $n,\n  ]\n\n  # a remark\n  notice($a)\n}\n"
        "$h = {\n  'a' => 1,\n}\n# another\n\nnotice($h)\n"
    )
    watch = Watch()
    watch.run(source, line)
    assert watch.lines == stops


def test_a_breakpoint_on_one_line_with_its_lambda_stops_once() -> None:
    watch = Watch()
    watch.run("[1, 2].each |$n| { notice($n) }", 1)
    assert watch.stops == [(1, "breakpoint")]


def test_a_breakpoint_in_a_define_stops_for_each_resource() -> None:
    names = []

    def look(stop: Any) -> str:
        names.append(stop.frames[0].name)
        return "continue"

    watch = Watch([look, look])
    watch.run("define web::site($port) {\n  $url = $port\n}\nweb::site { ['a', 'b']: port => 1 }", 2)
    assert names == ["Web::Site[a]", "Web::Site[b]"]


def test_a_condition_decides() -> None:
    watch = Watch()
    watch.run(LOOP, 3, condition="$double > 7 and $n < 5")
    assert watch.lines == [3]
    watch = Watch()
    watch.run(LOOP, 3, condition="$n > 'a'")
    assert len(watch.stops) == 5


def test_a_condition_that_fails_is_told() -> None:
    said = []
    watch = Watch([lambda stop: said.append(stop.text) or "continue"])
    watch.run("$a = 1\n$b = 2", 2, condition="fail('no')")
    assert "no" in said[0]


def test_a_program_stops_at_the_error_that_ends_it() -> None:
    found: list[Any] = []

    def look(stop: Any) -> str:
        frame = stop.frames[0]
        found.append(
            (stop.text, [one.name for one in stop.frames], frame.evaluate("$x + 1")[0], frame.locals)
        )
        return "continue"

    watch = Watch([look])
    watch.debugger.stop_at_errors = True
    outcome = watch.run('function f($x) {\n  $y = $x * 2\n  fail("no ${y}")\n}\n[4].each |$n| {\n  f($n)\n}')
    assert outcome.error.message.endswith("no 8")
    assert watch.stops == [(3, "exception")]
    assert found[0][1:] == (["function f", "lambda of each", "cell [1]"], 5, {"x": 4, "y": 8})
    watch.debugger.stop_at_errors = False
    watch.run("fail('again')")
    assert len(watch.stops) == 1


def test_a_running_program_is_paused() -> None:
    watch = Watch(["over", "continue"])
    watch.debugger.pausable = True
    timer = threading.Timer(0.1, watch.debugger.pause)
    watch.session.on_log = lambda entry: timer.start()
    loop = "range(1, 3000).each |$n| {\n  range(1, 300).each |$m| {\n    $x = $m\n  }\n}"
    outcome = watch.run(f"notice('it runs')\n{loop}")
    timer.join()
    assert outcome.error is None
    assert [reason for _, reason in watch.stops] == ["pause", "step"]


def test_a_breakpoint_is_set_in_code_that_runs() -> None:
    source = "$a = 1\n[1].each |$n| {\n  $b = $n\n}\n$c = 2"

    def more(stop: Any) -> str:
        watch.debugger.set_breakpoints(source, [Breakpoint(5)], None)
        return "continue"

    watch = Watch([more])
    watch.run(source, 1)
    assert watch.lines == [1, 5]


def test_an_unchanged_cell_is_run_again_for_its_breakpoints() -> None:
    watch = Watch()
    for _ in range(2):
        watch.debugger.set_breakpoints("$a = 1", [Breakpoint(1)], None)
        watch.session.run("$a = 1", "id")
    assert watch.lines == [1, 1]


def test_a_stop_does_not_change_what_a_program_gives() -> None:
    watch = Watch([_meddle, _meddle])
    source = "class c {\n  notify { 'a': }\n}\nclass d { notify { 'no': } }\ninclude c\n$v = 1"
    outcome = watch.run(source, 2, 6)
    assert outcome.error is None
    assert watch.lines == [2, 6]
    assert watch.session.catalog().summary() == _alone(source)
    assert dict(watch.session.assistant.iterate_variables()).keys() >= {"v"}
    assert "q" not in dict(watch.session.assistant.iterate_variables())


def _meddle(stop: Any) -> str:
    value, logs = stop.frames[0].evaluate("include d\n$q = 5\nnotice('seen')\n$q + 1")
    assert (value, [line.message for line in logs]) == (6, ["seen"])
    return "continue"


def _alone(source: str) -> Any:
    session = Session("puppet", interactive=True)
    session.run(source)
    return session.catalog().summary()


def test_off_nothing_is_traced() -> None:
    before = sys.gettrace()
    code = "import sys; from evaluator import Session; Session('puppet').run('1'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "evaluator.debugger.engine" not in done.stdout.split()
    watch = Watch()
    watch.run("$a = 1")
    assert sys.gettrace() is before


def test_a_loop_is_at_most_five_times_slower() -> None:
    source = "$sum = range(1, 20000).reduce(0) |$memo, $n| {\n  $memo + $n * 2\n}\n$after = $sum"

    def seconds(watched: bool) -> float:
        watch = Watch()
        if not watched:
            watch.session.watcher = None
        begun = time.process_time()
        watch.run(source, 4)
        return time.process_time() - begun

    pairs = [(seconds(True), seconds(False)) for _ in range(7)]
    assert min(on for on, _ in pairs) < 5 * min(off for _, off in pairs)
