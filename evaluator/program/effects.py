"""The side effects of a program: files, clocks, random numbers and other programs it uses.

A cell without side effects has the same result whenever it is evaluated at the same place. The replies of other
programs are stored with the cell, so that they are not run a second time when a cell before it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from operator import is_
from typing import Any, TypeVar

_T = TypeVar("_T")

RUBY = "ruby"  # the first part of requests to Ruby; those to commands begin with another word

# The most requests in a log that is extended; a program that uses modules makes some hundred requests.
_MAX_REQUESTS = 4000
_MAX_REPLIES = (
    200  # the most replies to the same request: they differ, as they depend on callbacks of Ruby code
)


class EffectLog:
    """A log of the side effects that happen in a `with` statement, while a cell is evaluated.

    Attributes:
        has_effects: True if there was a side effect.
        is_repeatable: False if an evaluation of the same code on the same state and files may differ.
        replies: The replies of other programs to each request, in order.

    Args:
        known: The log of an earlier evaluation, whose replies are used in place of new ones.
    """

    def __init__(self, known: EffectLog | None = None) -> None:
        self.has_effects = False
        self.is_repeatable = True
        self.replies: dict[Hashable, list[Any]] = {}
        self._known = {} if known is None else known.replies
        self._taken: dict[Hashable, set[int]] = {}  # the indices of the known replies that were used

    def __enter__(self) -> None:
        global _current
        self._outer, _current = _current, self

    def __exit__(self, *_: object) -> None:
        global _current
        _current = self._outer

    @property
    def has_commands(self) -> bool:
        """True if a reply is that of a command, such as `generate` runs, and not of Ruby code."""
        return any(type(request) is tuple and request[0] != RUBY for request in self.replies)

    def take_reply(self, request: Hashable, is_valid: Callable[[_T], bool]) -> _T | None:
        """Return the reply to the same request in the previous evaluation, or None without one.

        Each reply is used once.

        Args:
            request: The request.
            is_valid: Returns True for a reply that is still valid.
        """
        taken = self._taken.setdefault(request, set()) if request in self._known else set()
        known: list[_T] = self._known.get(request, [])
        for index, reply in enumerate(known):
            if index not in taken and is_valid(reply):
                taken.add(index)
                return reply
        return None

    def add_reply(self, request: Hashable, reply: object) -> None:
        """Add the reply to a request."""
        self.replies.setdefault(request, []).append(reply)

    def branch(self) -> EffectLog:
        """Return an empty log for a part of the evaluation, with the same known replies."""
        part = EffectLog()
        part._known, part._taken = self._known, self._taken
        return part

    def merge(self, part: EffectLog) -> None:
        """Add the effects of a part of the evaluation."""
        self.has_effects |= part.has_effects
        self.is_repeatable &= part.is_repeatable
        part._known, part._taken = {}, {}  # a body stores its log, and would keep these in memory
        for request, replies in part.replies.items():
            self.replies.setdefault(request, []).extend(replies)

    def extend(self, other: EffectLog) -> None:
        """Add the new replies of another log, and drop the oldest if there are too many."""
        for request, replies in other.replies.items():
            known = self.replies.pop(request, [])
            known += [reply for reply in replies if all(reply is not one for one in known)]
            self.replies[request] = known[-_MAX_REPLIES:]
        while len(self.replies) > _MAX_REQUESTS:
            del self.replies[next(iter(self.replies))]


# One program runs at a time in a process.
_current = EffectLog()


@contextmanager
def record_part() -> Iterator[EffectLog]:
    """Record the side effects of the block in the present log, and in one for the block."""
    outer, part = _current, _current.branch()
    try:
        with part:
            yield part
    finally:
        outer.merge(part)


def repeat(part: EffectLog) -> None:
    """Record the effects of a part that is not evaluated again."""
    _current.has_effects |= part.has_effects
    for request, replies in part.replies.items():
        for reply in replies:
            _current.take_reply(request, partial(is_, reply))
            _current.add_reply(request, reply)


def record_unrepeatable() -> None:
    """Record a side effect whose result may differ the next time, such as a random number."""
    _current.has_effects = True
    _current.is_repeatable = False


def depend_on_files() -> None:
    """Record that the running program depends on files, which `stat_cache` records."""
    _current.has_effects = True


def forbid_repetition() -> None:
    """Record that the running body depends on something that its read set does not contain.

    This is no side effect: its result cannot be used for another evaluation, but the cell has the same one every time.
    """
    _current.is_repeatable = False


def replay(
    request: Hashable, perform: Callable[[], _T], is_valid: Callable[[_T], bool] = lambda reply: True
) -> _T:
    """Return the reply of another program: the recorded one, or the result of `perform()`.

    The recorded reply is used when the same cell made the same request before.

    Args:
        request: The request to the other program, by which its reply is found.
        perform: Runs the other program and returns its reply; None is not recorded.
        is_valid: Returns True for a recorded reply that is still valid.
    """
    _current.has_effects = True
    found = _current.take_reply(request, is_valid)
    if found is None:
        found = perform()
    if found is not None:
        _current.add_reply(request, found)
    return found
