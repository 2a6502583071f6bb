"""A question: what both of its notations are read into."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure

# A condition: ["and", …], ["or", …], ["not", one], [operator, field, value], ["null?", field, whether],
# ["in", fields, Query | values], ["subquery", Query]. A field is the path to a value: its names and indices.
Condition = list[Any]
Field = tuple[str | int, ...]
MOST_NESTED = 100
COMPARISONS = ("=", ">", "<", ">=", "<=", "~", "~>")
AGGREGATES = ("count", "sum", "avg", "min", "max")


class Aggregate:
    """A number made of many rows: its name, and the field that it looks at, None for the rows themselves."""

    __slots__ = ("field", "name")

    def __init__(self, name: str, field: Field | None) -> None:
        self.name = name
        self.field = field


class Query:
    """A question.

    entity  what is asked about;  fields  what is asked of it, None for all;  condition  what has to hold, or None
    group   the fields whose values make groups;  order  fields, each with whether it descends
    limit, offset  how many rows, and how many are passed over before
    """

    __slots__ = ("condition", "entity", "fields", "group", "limit", "offset", "order")

    def __init__(self, entity: str) -> None:
        self.entity = entity
        self.fields: list[Field | Aggregate] | None = None
        self.condition: Condition | None = None
        self.group: list[Field] = []
        self.order: list[tuple[Field, bool]] = []
        self.limit: int | None = None
        self.offset = 0


def misread(problem: str) -> Failure:
    """What is said of a question that is not understood."""
    return Failure("QUERY_NOT_UNDERSTOOD", problem=problem)
