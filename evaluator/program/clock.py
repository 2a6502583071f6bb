"""The clock that measures the run time of programs, without the pauses of a debugger."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

_paused_seconds = 0.0  # the seconds of all pauses so far
_paused_at: float | None = None  # the start of the present pause; None while the clock runs


def get_seconds() -> float:
    """Return the seconds on the clock, of which only differences are meaningful.

    Any thread may call it.
    """
    paused_at = _paused_at
    return (time.monotonic() if paused_at is None else paused_at) - _paused_seconds


def pause() -> AbstractContextManager[None]:
    """Return a context in which the clock is stopped."""
    return _hold(is_paused=True)


def keep_running() -> AbstractContextManager[None]:
    """Return a context in which the clock runs, even inside one in which it is stopped.

    Code that a debugger evaluates while a program is stopped has limits, too.
    """
    return _hold(is_paused=False)


@contextmanager
def _hold(is_paused: bool) -> Iterator[None]:
    """Stop the clock or let it run for the duration of a `with` statement."""
    was_paused = _paused_at is not None
    _set_paused(is_paused)
    try:
        yield
    finally:
        _set_paused(was_paused)


def _set_paused(is_paused: bool) -> None:
    """Stop the clock or let it run from now on."""
    global _paused_at, _paused_seconds
    if is_paused and _paused_at is None:
        _paused_at = time.monotonic()
    elif not is_paused and _paused_at is not None:
        _paused_seconds += time.monotonic() - _paused_at
        _paused_at = None
