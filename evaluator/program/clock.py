"""The clock that measures the run time of programs; it stops while a debugger holds one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

_stood = 0.0  # the seconds of all pauses so far
_since: float | None = None  # the start of the present pause; None while the clock runs


def get_seconds() -> float:
    """Return the seconds on the clock, of which only differences are meaningful.

    Any thread may call it.
    """
    since = _since
    return (time.monotonic() if since is None else since) - _stood


@contextmanager
def paused() -> Iterator[None]:
    """Stop the clock for the duration of the block."""
    _stop()
    try:
        yield
    finally:
        _go()


@contextmanager
def counting_while_paused() -> Iterator[None]:
    """Run the clock for the duration of the block, even when it is stopped.

    Code that a debugger evaluates while a program is stopped has limits too.
    """
    was_stopped = _since is not None
    if was_stopped:
        _go()
    try:
        yield
    finally:
        if was_stopped:
            _stop()


def _stop() -> None:
    global _since
    _since = time.monotonic()


def _go() -> None:
    global _since, _stood
    if _since is not None:
        _stood += time.monotonic() - _since
        _since = None
