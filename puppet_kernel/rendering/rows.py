"""Arrays of similar hashes as tables: a row for each hash, a column for each key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator import values
from evaluator.types import describe_outline
from lexer_parser.dialect import PUPPET
from puppet_kernel.rendering.elements import Element, Group, Line, NoteElement, Table
from puppet_kernel.rendering.lines import line_width
from puppet_kernel.rendering.literals import ELEMENTS, flat, value_lines

MOST_COLUMNS = 12
MOST_ROWS = 200
WIDEST = 60  # a longer value is read better where it can be folded
TYPE_WIDTH = 60


def table_of(value: Any, columns: int) -> Element | None:
    """Return an array of hashes with equal keys as a table that fits the width; else None.

    A value that fits on one line, or contains one that needs several, is not shown as a table.
    """
    if not isinstance(value, list) or len(value) < 2 or flat(value, columns) is not None:
        return None
    first = value[0]
    if not isinstance(first, dict) or not 0 < len(first) <= MOST_COLUMNS:
        return None
    if any(not isinstance(each, dict) or each.keys() != first.keys() for each in value):
        return None
    if any(type(key) is not str for key, _ in values.items(first)):
        return None
    room = WIDEST if columns > WIDEST else columns
    rows: list[Sequence[Line]] = []
    for each in value[: min(MOST_ROWS, ELEMENTS // len(first))]:
        found = dict(values.items(each))
        cells = [flat(found[key], room) for key, _ in values.items(first)]
        drawn = [tuple(cell) for cell in cells if cell is not None]
        if len(drawn) < len(cells):
            return None
        rows.append(drawn)
    header = [key for key, _ in values.items(first)]
    widths = [max(len(key), *(line_width(row[place]) for row in rows)) for place, key in enumerate(header)]
    if sum(widths) + 2 * (len(widths) - 1) > columns:
        return None
    kind = describe_outline(value, PUPPET)
    counted = f"{kind if len(kind) <= TYPE_WIDTH else 'Array[Hash[…]]'}, {len(value):,} rows"
    left = len(value) - len(rows)
    notes = [NoteElement("hint", f"… {left:,} more rows")] if left else []
    return Group(
        Table(rows, header, written=value_lines(value, columns)), *notes, NoteElement("hint", counted)
    )
