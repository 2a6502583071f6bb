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
# The most replies to the same request. Replies of Ruby code may differ, as they depend on its callbacks.
_MAX_REPLIES = 200


class EffectLog:
    """A log of the side effects that happen in a `with` statement, while a cell is evaluated.

    Attributes:
        has_effects: True if there was a side effect.
        is_repeatable: False if an evaluation of the same code on the same state and files may differ.
        replies: The replies of other programs to each request, in order.

    Args:
        former: The log of an earlier evaluation, whose replies are used in place of new ones.
    """

    def __init__(self, former: EffectLog | None = None) -> None:
        self.has_effects = False
        self.is_repeatable = True
        self.replies: dict[Hashable, list[Any]] = {}
        self._former_replies = {} if former is None else former.replies
        self._used_indices: dict[Hashable, set[int]] = {}  # of the former replies to each request

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
        """Return the reply to the same request in the former evaluation, or None without one.

        Each reply is used once, because a request that is repeated may have another reply each time.

        Args:
            request: The request.
            is_valid: Returns True for a reply that is still valid.
        """
        replies: list[_T] = self._former_replies.get(request, [])
        for index, reply in enumerate(replies):
            used = self._used_indices.setdefault(request, set())
            if index not in used and is_valid(reply):
                used.add(index)
                return reply
        return None

    def add_reply(self, request: Hashable, reply: object) -> None:
        """Add the reply to a request."""
        self.replies.setdefault(request, []).append(reply)

    def make_part(self) -> EffectLog:
        """Return an empty log for a part of the evaluation; both use the same former replies."""
        part = EffectLog()
        part._former_replies, part._used_indices = self._former_replies, self._used_indices
        return part

    def merge(self, part: EffectLog) -> None:
        """Add the effects of a part of the evaluation."""
        self.has_effects |= part.has_effects
        self.is_repeatable &= part.is_repeatable
        # The log of a body is stored: it needs these no more.
        part._former_replies, part._used_indices = {}, {}
        for request, replies in part.replies.items():
            self.replies.setdefault(request, []).extend(replies)

    def extend(self, other: EffectLog) -> None:
        """Add the new replies of another log, and drop the oldest if there are too many."""
        for request, replies in other.replies.items():
            stored = self.replies.pop(request, [])  # the latest requests are at the end
            stored += [reply for reply in replies if all(reply is not former for former in stored)]
            self.replies[request] = stored[-_MAX_REPLIES:]
        while len(self.replies) > _MAX_REQUESTS:
            del self.replies[next(iter(self.replies))]


# One program runs at a time in a process.
_current = EffectLog()


@contextmanager
def record_part() -> Iterator[EffectLog]:
    """Record the side effects of the `with` block in the present log, and in one of its own."""
    outer, part = _current, _current.make_part()
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
    reply = _current.take_reply(request, is_valid)
    if reply is None:
        reply = perform()
    if reply is not None:
        _current.add_reply(request, reply)
    return reply
