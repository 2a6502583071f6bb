"""The growth of times with the size of a text and of a session."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from evaluator import Session
from lexer_parser import PuppetError, find_status, parse
from lexer_parser.check import find_problems
from lexer_parser.dialect import PUPPET
from puppet_kernel.rendering.highlight import PuppetLexer
from tests.benchmarks.measure import Ratios, measure_best

SIZE = 1_000_000  # characters of the larger text
PROGRAMS: dict[str, Callable[[int], str]] = {
    "statements": lambda size: "$abc = [1, 'two', three]\n" * (size // 25),
    "tiny statements": lambda size: "f()\n" * (size // 4),
    "one line": lambda size: "$x = [" + "'abc', " * (size // 7) + "]",
    "nested brackets": lambda size: "$x = " + "[" * (size // 10) + "]" * (size // 10),
    "nested bodies": lambda size: "if $x {" * (size // 16) + "}" * (size // 16),
    "classes in a class": lambda size: "class a {" + "class b {}" * (size // 10) + "}",
    "nested strings": lambda size: '"${' * (size // 16) + "1" + '}"' * (size // 16),
    "comments": lambda size: "# a comment\n" * (size // 12),
    "heredocs": lambda size: "$x = @(A)\n  text\n  | A\n" * (size // 22),
    "open brackets": lambda size: "f([{" * (size // 8),
    "open quotes": lambda size: "' \" " * (size // 4),
    "slashes": lambda size: "/ " * (size // 2),
    "dollars": lambda size: '"' + "$" * size,
    "open tags": lambda size: "@(" * (size // 2),
    "open types": lambda size: "A::" * (size // 3),
    "blanks in a heredoc": lambda size: "$x = @(A)\n" + " " * size,
}


def _suppress_errors(read: Callable[[str], object], source: str) -> Callable[[], None]:
    def work() -> None:
        with suppress(PuppetError):
            read(source)

    return work


def highlight(source: str) -> None:
    """Compute the colours of a text."""
    for _ in PuppetLexer().get_tokens(source):
        pass


READERS: dict[str, Callable[[str], object]] = {
    "parse": partial(parse, dialect=PUPPET),
    "status": partial(find_status, dialect=PUPPET),
    "check": partial(find_problems, dialect=PUPPET),
    "highlight": highlight,
}


def measure_growth() -> Ratios:
    """Measure a text, and four times a quarter of it: a ratio near 1 is linear time."""
    ratios: Ratios = {}
    for name, program in PROGRAMS.items():
        for action, read in READERS.items():
            whole = measure_best(_suppress_errors(read, program(SIZE)))
            quarter = measure_best(_suppress_errors(read, program(SIZE // 4)))
            ratios[f"{name}, {action}"] = (whole, 4 * quarter)
    return ratios


# The cells of a large session, and the cell that is measured in it and in a small session.
SESSIONS: dict[str, tuple[list[str], str]] = {
    "1 + 1 after 2,000 cells": ([f"$v{number} = {number}" for number in range(2000)], "1 + 1"),
    "1 + 1 over 50,000 resources": (
        ['Integer[1, 50000].each |$i| { notify { "n${i}": } }'],
        "1 + 1",
    ),
    "1 + 1 beside 20 collectors": (
        [
            'Integer[1, 1000].each |$i| { notify { "n${i}": } }',
            *(f"Notify <| title == 'n{number}' |> {{ message => 'x' }}" for number in range(20)),
        ],
        "1 + 1",
    ),
    "a resource beside 10,000": (
        ['Integer[1, 10000].each |$i| { notify { "n${i}": } }'],
        "notify { 'new': }",
    ),
    "a cell over 1,000 defines": (
        ["define d() { notify { $title: } }", 'Integer[1, 1000].each |$i| { d { "n${i}": } }'],
        "1 + 1",
    ),
}
_ROUNDS = 50


def _measure_cell(cells: list[str], text: str) -> float:
    """Return the least seconds of a cell in a session of other cells; each run is undone."""
    session = Session("puppet", interactive=True)
    for cell in cells:
        session.run(cell)
    return min(_run_and_undo(session, text) for _ in range(_ROUNDS))


def _run_and_undo(session: Session, text: str) -> float:
    seconds = session.run(text).seconds
    session.undo()
    return seconds


def measure_sessions() -> Ratios:
    """Measure a cell in a large session and in a small one: a ratio near 1 is a constant cost."""
    small = [f"$s{number} = {number}" for number in range(10)]
    return {
        name: (_measure_cell(cells, text), _measure_cell(small, text))
        for name, (cells, text) in SESSIONS.items()
    }
