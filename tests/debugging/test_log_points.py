"""Breakpoints with a message report it and do not stop the program."""

from __future__ import annotations

import time
from typing import Any

import pytest

from evaluator import Session
from evaluator.debugger import Breakpoint
from tests.debugging.debugged_session import DebuggedSession

LOOP = "range(1, 3).each |$n| {\n  $double = $n * 2\n  notice($double)\n}"


def collect_messages(
    message: str, *, line: int = 3, condition: str = "", source: str = LOOP
) -> tuple[list[str], DebuggedSession]:
    """Return the messages of a breakpoint in a program, and the session."""
    debugged, messages = DebuggedSession(), []
    debugged.debugger.on_message = lambda frame, text: messages.append(f"{frame.line}: {text}")
    debugged.debugger.set_breakpoints(source, [Breakpoint(line, condition, message)], None)
    assert debugged.session.run(source).error is None
    assert debugged.stops == []
    return messages, debugged


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
def test_expressions_in_braces_are_evaluated(message: str, first: str) -> None:
    messages, _ = collect_messages(message)
    assert len(messages) == 3 and messages[0] == f"3: {first}"


def test_a_message_is_reported_only_where_its_condition_is_true() -> None:
    assert collect_messages("n is {$n}", condition="$n > 1")[0] == ["3: n is 2", "3: n is 3"]


def test_the_error_of_an_expression_is_reported() -> None:
    messages, _ = collect_messages("it is {$n + 'a'}")
    assert messages[0].startswith("3: it is {$n + 'a'} — this fails: ") and len(messages) == 3


def test_the_effects_of_a_message_are_discarded() -> None:
    messages, debugged = collect_messages('{notify { "n${n}": }}', line=2)
    assert len(messages) == 3
    assert debugged.session.catalog().summary() == []


def test_a_step_stops_at_a_breakpoint_with_a_message() -> None:
    debugged, messages = DebuggedSession(["over", "over"]), []
    debugged.debugger.on_message = lambda frame, text: messages.append(text)
    debugged.debugger.set_breakpoints("$a = 1\n$b = 2\n$c = 3", [Breakpoint(2, "", "b")], None)
    debugged.debugger.stop_at_entry = True
    debugged.session.run("$a = 1\n$b = 2\n$c = 3")
    assert (debugged.lines, messages) == ([1, 2, 3], ["b"])


def test_the_time_of_a_stop_does_not_count_against_the_limit() -> None:
    session = Session("puppet", interactive=True, limits={"max_seconds": 0.5})

    def wait(stop: Any) -> str:
        time.sleep(0.8)
        return "continue"

    debugged = DebuggedSession([wait, wait], session=session)
    assert debugged.run("$a = 1\n$b = 2\n$c = 3", 1, 2).error is None
    assert debugged.lines == [1, 2]
    error = session.run("Integer[1, 100000000].each |$n| { }").error
    assert error is not None and error.code == "TIME_EXCEEDED"


def test_the_time_of_an_evaluation_at_a_stop_counts_against_the_limit() -> None:
    session = Session("puppet", interactive=True, limits={"max_seconds": 0.5})

    def evaluate_endless_loop(stop: Any) -> str:
        stop.frames[0].evaluate("Integer[1, 100000000].each |$n| { }")
        return "continue"

    debugged = DebuggedSession([evaluate_endless_loop], session=session)
    error = debugged.run("$a = 1", 1).error
    assert error is not None and error.code == "TIME_EXCEEDED"
    assert session.run("1 + 1").error is None
