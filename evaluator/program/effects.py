"""The side effects of a program: files, clocks, random numbers and other programs it uses.

A cell without side effects has the same result whenever it is evaluated at the same place. The replies of other
programs are stored with the cell, so that they are not run a second time when a cell before it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

_T = TypeVar("_T")


class EffectLog:
    """A log of the side effects that happened while a cell was evaluated.

    Attributes:
        has_effects: True when there was a side effect.
        replies: The requests to other programs with their replies, in order.
    """

    __slots__ = ("_replayable", "has_effects", "replies")

    def __init__(self, kept: EffectLog | None = None) -> None:
        self.has_effects = False
        self.replies: list[tuple[Hashable, Any]] = []
        self._replayable = list(kept.replies) if kept is not None else []

    def take_reply(self, request: Hashable, is_valid: Callable[[Any], bool]) -> Any:
        """Return the reply to the same request in the previous evaluation, or None without one.

        Each reply is used once.

        Args:
            request: The request.
            is_valid: Returns True for a reply that is still valid.
        """
        for place, (known, answer) in enumerate(self._replayable):
            if known == request and is_valid(answer):
                del self._replayable[place]
                return answer
        return None


# One program runs at a time in a process.
_current = EffectLog()


@contextmanager
def recording(log: EffectLog) -> Iterator[None]:
    """Record the side effects of the block in `log`."""
    global _current
    outer, _current = _current, log
    try:
        yield
    finally:
        _current = outer


def record() -> None:
    """Record that the running program uses something which may be different the next time."""
    _current.has_effects = True


def replay(
    request: Hashable, perform: Callable[[], _T], is_valid: Callable[[_T], bool] = lambda answer: True
) -> _T:
    """Return the reply of another program: the recorded one, or the result of `perform()`.

    The recorded reply is used when the same cell made the same request before.

    Args:
        request: The request to the other program, by which its reply is found.
        perform: Runs the other program and returns its reply; None is not recorded.
        is_valid: Returns True for a recorded reply that is still valid.
    """
    _current.has_effects = True
    found: _T | None = _current.take_reply(request, is_valid)
    if found is None:
        found = perform()
    if found is not None:
        _current.replies.append((request, found))
    return found
