"""The time that programs take: while one is stopped by somebody who watches it, the clock stands still."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

_stood = 0.0  # seconds, altogether
_since: float | None = None  # when it was stopped


def now() -> float:
    """Seconds on the clock; only differences mean something. Any thread may ask."""
    since = _since
    return (time.monotonic() if since is None else since) - _stood


@contextmanager
def paused() -> Iterator[None]:
    """While it lasts, no time passes."""
    _stop()
    try:
        yield
    finally:
        _go()


@contextmanager
def counting_while_paused() -> Iterator[None]:
    """While it lasts, time passes though a program is stopped: what is evaluated in its place has limits too."""
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
