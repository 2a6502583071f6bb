"""The clock that measures the run time of programs; it stops while a debugger holds one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

_paused_seconds = 0.0  # the seconds of all pauses so far
_paused_at: float | None = None  # the start of the present pause; None while the clock runs


def get_seconds() -> float:
    """Return the seconds on the clock, of which only differences are meaningful.

    Any thread may call it.
    """
    paused_at = _paused_at
    return (time.monotonic() if paused_at is None else paused_at) - _paused_seconds


@contextmanager
def paused() -> Iterator[None]:
    """Stop the clock for the duration of the block."""
    _pause()
    try:
        yield
    finally:
        _resume()


@contextmanager
def counting_while_paused() -> Iterator[None]:
    """Run the clock for the duration of the block, even when it is stopped.

    Code that a debugger evaluates while a program is stopped has limits too.
    """
    was_stopped = _paused_at is not None
    if was_stopped:
        _resume()
    try:
        yield
    finally:
        if was_stopped:
            _pause()


def _pause() -> None:
    global _paused_at
    _paused_at = time.monotonic()


def _resume() -> None:
    global _paused_at, _paused_seconds
    if _paused_at is not None:
        _paused_seconds += time.monotonic() - _paused_at
        _paused_at = None
