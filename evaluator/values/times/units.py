"""Units of time in nanoseconds."""

from __future__ import annotations

from evaluator.values.floats import to_whole

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def nanoseconds_of(seconds: int | float) -> int:
    """A number of seconds in nanoseconds. Raises Failure for NaN and infinities."""
    if type(seconds) is int:
        return seconds * SECOND
    return to_whole(seconds * SECOND)
