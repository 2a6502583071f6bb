"""Breakpoints with a message: what they tell, and that nothing stops there."""

from __future__ import annotations

import time
from typing import Any

import pytest

from evaluator import Session
from evaluator.debugger import Breakpoint
from tests.debugging.watching import Watch

LOOP = "range(1, 3).each |$n| {\n  $double = $n * 2\n  notice($double)\n}"


def told(message: str, *, line: int = 3, condition: str = "", source: str = LOOP) -> tuple[list[str], Watch]:
    """Return the messages of a breakpoint in a program, and the debugger."""
    watch, words = Watch(), []
    watch.debugger.on_message = lambda frame, text: words.append(f"{frame.line}: {text}")
    watch.debugger.set_breakpoints(source, [Breakpoint(line, condition, message)], None)
    assert watch.session.run(source).error is None
    assert watch.stops == []
    return words, watch


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("here", "here"),
        ("n is {$n}", "n is 1"),
        ("{$n} and {$double}!", "1 and 2!"),
        ("{n}", "1"),
        ("{$n + 1}", "2"),
        ("{[1, $n].map |$x| { $x + 1 }}", "[2, 2]"),
        ("{{ 'a' => $n }['a']}", "1"),
        ('"$n" \\ ${n}', '"$n" \\ $1'),
        ("{} { } {$n", "{} { } {$n"),
        ("{$nothing}", "{$nothing} — this fails: Unknown variable: 'nothing'. (line: 1, column: 4)"),
        ("{Sensitive('x')}", "Sensitive [value redacted]"),
    ],
)
def test_expressions_stand_in_braces(message: str, first: str) -> None:
    words, _ = told(message)
    assert len(words) == 3 and words[0] == f"3: {first}"


def test_a_condition_decides() -> None:
    assert told("n is {$n}", condition="$n > 1")[0] == ["3: n is 2", "3: n is 3"]


def test_an_expression_that_fails_is_told() -> None:
    words, _ = told("it is {$n + 'a'}")
    assert words[0].startswith("3: it is {$n + 'a'} — this fails: ") and len(words) == 3


def test_a_message_leaves_nothing_behind() -> None:
    words, watch = told('{notify { "n${n}": }}', line=2)
    assert len(words) == 3
    assert watch.session.catalog().summary() == []


def test_a_step_stops_where_a_message_is_told() -> None:
    watch, words = Watch(["over", "over"]), []
    watch.debugger.on_message = lambda frame, text: words.append(text)
    watch.debugger.set_breakpoints("$a = 1\n$b = 2\n$c = 3", [Breakpoint(2, "", "b")], None)
    watch.debugger.stop_at_entry = True
    watch.session.run("$a = 1\n$b = 2\n$c = 3")
    assert (watch.lines, words) == ([1, 2, 3], ["b"])


def test_the_time_of_a_program_that_is_stopped_does_not_count() -> None:
    session = Session("puppet", interactive=True, limits={"max_seconds": 0.5})

    def wait(stop: Any) -> str:
        time.sleep(0.8)
        return "continue"

    watch = Watch([wait, wait], session=session)
    assert watch.run("$a = 1\n$b = 2\n$c = 3", 1, 2).error is None
    assert watch.lines == [1, 2]
    error = session.run("Integer[1, 100000000].each |$n| { }").error
    assert error is not None and error.code == "TIME_EXCEEDED"


def test_the_time_of_what_is_asked_there_does() -> None:
    session = Session("puppet", interactive=True, limits={"max_seconds": 0.5})

    def ask(stop: Any) -> str:
        stop.frames[0].evaluate("Integer[1, 100000000].each |$n| { }")
        return "continue"

    watch = Watch([ask], session=session)
    error = watch.run("$a = 1", 1).error
    assert error is not None and error.code == "TIME_EXCEEDED"
    assert session.run("1 + 1").error is None
