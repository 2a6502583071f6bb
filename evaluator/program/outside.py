"""What a program asks that its session does not hold: files, clocks, chance, other programs.

A cell that asked nothing gives the same whenever it is evaluated at the same place. What programs have answered is
kept with the cell, so that they are not asked the same again when a cell before it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any


class Answers:
    """What was asked while a cell was evaluated.

    asked  whether anything was;  given  the questions to programs with their answers, in order
    """

    __slots__ = ("_left", "asked", "given")

    def __init__(self, kept: Answers | None = None) -> None:
        self.asked = False
        self.given: list[tuple[Hashable, Any]] = []
        self._left = list(kept.given) if kept is not None else []

    def take(self, question: Hashable, holds: Callable[[Any], bool]) -> Any:
        """The answer that was given to the question before, if it still holds; each is taken once. None without one."""
        for place, (known, answer) in enumerate(self._left):
            if known == question and holds(answer):
                del self._left[place]
                return answer
        return None


# One program runs at a time in a process.
_current = Answers()


@contextmanager
def answering(answers: Answers) -> Iterator[None]:
    """While it lasts, questions count among these."""
    global _current
    outer, _current = _current, answers
    try:
        yield
    finally:
        _current = outer


def ask() -> None:
    """The running program asks for what may be another thing the next time."""
    _current.asked = True


def answer(
    question: Hashable, ask: Callable[[], Any], holds: Callable[[Any], bool] = lambda answer: True
) -> Any:
    """What another program answers: as it did when the same cell asked the same, else `ask()`; None is not kept.

    holds  tells of an answer whether it still is one
    """
    _current.asked = True
    found = _current.take(question, holds)
    if found is None:
        found = ask()
    if found is not None:
        _current.given.append((question, found))
    return found
