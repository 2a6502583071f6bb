"""What Timespans and Timestamps can do."""

from __future__ import annotations

from evaluator.types.rich import TimespanType, TimestampType
from evaluator.values.kind import TIMESPAN, TIMESTAMP

TIMESPAN.rules(infer=lambda value, dialect: TimespanType(value, value))
TIMESTAMP.rules(infer=lambda value, dialect: TimestampType(value, value))
