"""Run a program under the debugger with scripted answers, one for all stops or one for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluator import Session
from evaluator.debugger import Breakpoint, Debugger, Stop, make_source_key
from lexer_parser.source import Source

Answer = str | Callable[[Any], str]


class Watch:
    """A session under a debugger, whose stops are answered one after the other; after the last answer it goes on.

    stops  (line, reason) of each stop;  each answer is the kind of a step, or is called with the Stop and gives it
    """

    def __init__(self, answers: Sequence[Answer] = (), *, session: Session | None = None) -> None:
        self.answers: Iterator[Answer] = iter(answers)
        self.stops: list[tuple[int, str]] = []
        self.debugger = Debugger(self._talk)
        self.session = session or Session("puppet", interactive=True)
        self.session.watcher = self.debugger

    def _talk(self, stop: Stop) -> str:
        self.stops.append((stop.frames[0].line, stop.reason))
        answer = next(self.answers, "continue")
        return answer if isinstance(answer, str) else answer(stop)

    @property
    def lines(self) -> list[int]:
        """The lines of all stops."""
        return [line for line, _ in self.stops]

    def run(self, source: str, *lines: int, condition: str = "", entering: bool = False) -> Any:
        """Run a cell with breakpoints at these lines and return its outcome."""
        points = [Breakpoint(line, condition) for line in lines]
        self.debugger.set_breakpoints(make_source_key(Source(source)), points, None)
        self.debugger.stop_at_entry = entering
        return self.session.run(source)


def programs() -> Iterator[tuple[str, str, dict[str, list[int]]]]:
    """The names and sources of the programs beside this file, and the lines at which each kind of step stops."""
    text = Path(__file__).with_name("stepping.txt").read_text(encoding="utf-8")
    for part in text.split("### ")[1:]:
        head, _, source = part.partition("\n")
        name, *steps = head.split(" | ")
        expected = {kind: [int(line) for line in lines] for kind, *lines in map(str.split, steps)}
        yield name, source.strip("\n"), expected
