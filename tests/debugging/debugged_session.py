"""Sessions under the debugger with scripted answers, and programs to step through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluator import Session
from evaluator.debugger import Breakpoint, Debugger, Stop, make_source_key
from lexer_parser.source import Source

Answer = str | Callable[[Any], str]


class DebuggedSession:
    """A session under a debugger that answers each stop.

    Args:
        answers: For each stop a kind of step, or a function of the `Stop` that returns one; afterwards "continue".
        session: The session; a new one by default.

    Attributes:
        stops: The line and the reason of each stop.
    """

    def __init__(self, answers: Sequence[Answer] = (), *, session: Session | None = None) -> None:
        self.answers: Iterator[Answer] = iter(answers)
        self.stops: list[tuple[int, str]] = []
        self.debugger = Debugger(self._answer_stop)
        self.session = session or Session("puppet", interactive=True)
        self.session.watcher = self.debugger

    def _answer_stop(self, stop: Stop) -> str:
        self.stops.append((stop.frames[0].line, stop.reason))
        answer = next(self.answers, "continue")
        return answer if isinstance(answer, str) else answer(stop)

    @property
    def lines(self) -> list[int]:
        """Return the lines of all stops."""
        return [line for line, _ in self.stops]

    def run(self, source: str, *lines: int, condition: str = "", entering: bool = False) -> Any:
        """Run a cell with breakpoints at these lines and return its outcome."""
        points = [Breakpoint(line, condition) for line in lines]
        self.debugger.set_breakpoints(make_source_key(Source(source)), points, None)
        self.debugger.stop_at_entry = entering
        return self.session.run(source)


def read_programs() -> Iterator[tuple[str, str, dict[str, list[int]]]]:
    """Yield name, source, and the lines at which each kind of step stops, of `stepping.txt`."""
    text = Path(__file__).with_name("stepping.txt").read_text(encoding="utf-8")
    for part in text.split("### ")[1:]:
        head, _, source = part.partition("\n")
        name, *steps = head.split(" | ")
        expected = {kind: [int(line) for line in lines] for kind, *lines in map(str.split, steps)}
        yield name, source.strip("\n"), expected
