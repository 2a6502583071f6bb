"""What Timestamp and Timespan share: an exact number of nanoseconds."""

from __future__ import annotations

from typing import Any, ClassVar

from evaluator.values.floats import to_whole
from evaluator.values.kind import Kind


class Time:
    """What Timestamp and Timespan share: an exact number of nanoseconds, compared within one kind."""

    __slots__ = ("nanoseconds",)

    kind: ClassVar[Kind]

    def __init__(self, nanoseconds: int) -> None:
        self.nanoseconds = nanoseconds

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.nanoseconds == other.nanoseconds

    def __hash__(self) -> int:
        return hash((type(self), self.nanoseconds))

    def __repr__(self) -> str:
        return self.literal()

    def __lt__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds < other.nanoseconds

    def __le__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds <= other.nanoseconds

    def __gt__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds > other.nanoseconds

    def __ge__(self, other: Any) -> bool:
        return type(other) is type(self) and self.nanoseconds >= other.nanoseconds

    def seconds(self) -> float:
        """The seconds as Float."""
        return self.nanoseconds / SECOND

    def whole_seconds(self) -> int:
        """The seconds as Integer, rounded down."""
        return self.nanoseconds // SECOND

    def text(self) -> str:
        raise NotImplementedError

    def literal(self) -> str:
        """The form of source code: `Timespan('0-00:00:01.0')`."""
        return f"{self.kind.name}('{self.text()}')"


# --- units


SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def nanoseconds_of(seconds: int | float) -> int:
    """A number of seconds in nanoseconds. Raises Failure for NaN and infinities."""
    if type(seconds) is int:
        return seconds * SECOND
    return to_whole(seconds * SECOND)
