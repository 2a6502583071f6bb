"""What a program asks that its session does not hold: files, clocks, chance, other programs.

A cell that asked nothing gives the same whenever it is evaluated at the same place. What programs have answered is
kept with the cell, so that they are not asked the same again when a cell before it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any


class EffectLog:
    """What was asked while a cell was evaluated.

    asked  whether anything was;  given  the questions to programs with their answers, in order
    """

    __slots__ = ("_replayable", "has_effects", "replies")

    def __init__(self, kept: EffectLog | None = None) -> None:
        self.has_effects = False
        self.replies: list[tuple[Hashable, Any]] = []
        self._replayable = list(kept.replies) if kept is not None else []

    def take_reply(self, question: Hashable, holds: Callable[[Any], bool]) -> Any:
        """The answer that was given to the question before, if it still holds; each is taken once. None without one."""
        for place, (known, answer) in enumerate(self._replayable):
            if known == question and holds(answer):
                del self._replayable[place]
                return answer
        return None


# One program runs at a time in a process.
_current = EffectLog()


@contextmanager
def recording(log: EffectLog) -> Iterator[None]:
    """While it lasts, questions count among these."""
    global _current
    outer, _current = _current, log
    try:
        yield
    finally:
        _current = outer


def record() -> None:
    """The running program asks for what may be another thing the next time."""
    _current.has_effects = True


def replay(
    request: Hashable, perform: Callable[[], Any], is_valid: Callable[[Any], bool] = lambda answer: True
) -> Any:
    """What another program answers: as it did when the same cell asked the same, else `ask()`; None is not kept.

    holds  tells of an answer whether it still is one
    """
    _current.has_effects = True
    found = _current.take_reply(request, is_valid)
    if found is None:
        found = perform()
    if found is not None:
        _current.replies.append((request, found))
    return found
