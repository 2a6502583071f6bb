"""Views of a fleet: failures, differences between nodes, their causes; a table as a file.

Spreadsheets evaluate CSV cells that begin like a formula, and names and values from elsewhere may. Such text is quoted
as in JSON, and so is text that begins with quotes, so that the original can be recovered.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from os.path import splitext
from posixpath import commonprefix
from typing import Any

from evaluator.fleet import Fleet, FleetRow, NodeGroup
from puppet_kernel.rendering.elements import Element, Group, Line, NoteElement, Table, make_line
from puppet_kernel.rendering.escape import cut_columns
from puppet_kernel.rendering.literals import format_count, format_duration, shorten_value

MOST_ROWS = 100  # attributes in one view
MOST_GROUPS = 6  # values of each attribute
EXAMPLES = 2  # values of an attribute that has more than twice MOST_GROUPS
CONTEXT = 10  # equal characters that are shown before the difference of strings
MOST_NAMES = 3  # of nodes that are listed; if there are more, their count is shown
Rows = Sequence[FleetRow]
_HEADER = ("resource", "attribute", "value", "nodes", "where")


def describe_fleet(fleet: Fleet, columns: int, *, dialect: str = "") -> Element:
    """Return a whole fleet: its size, its failures, and the attributes that differ.

    Args:
        fleet: The Fleet.
        columns: The width for drawing.
        dialect: The dialect in which it was compiled; it is shown, with the time that compilation took.
    """
    rows = fleet.table()
    different = [row for row in rows if len(row.groups) > 1]
    summary = format_count(len(fleet.facts), "node")
    if fleet.errors:
        summary += f", {len(fleet.errors):,} without a catalog"
    if dialect:
        mean = sum(fleet.seconds.values()) / max(len(fleet.seconds), 1)
        times = f"{format_duration(fleet.elapsed)}, {format_duration(mean)} of CPU each"
        summary += f", {times}, in {dialect}"
    same = len({row.resource for row in rows} - {row.resource for row in different})
    count = format_count(same, "resource is", "resources are")
    more = len(different) - MOST_ROWS
    # Each part, and whether it is shown.
    parts: list[tuple[Any, Element]] = [
        (True, NoteElement("hint", summary)),
        (fleet.errors, _render_failures(fleet.failures(), columns)),
        (different, make_fleet_table(different[:MOST_ROWS], columns)),
        (more > 0, NoteElement("hint", f"… {more:,} more attributes differ")),
        (rows, NoteElement("hint", f"{count} the same on all nodes")),
    ]
    return Group(*(element for condition, element in parts if condition), spaced=True)


def make_fleet_table(rows: Rows, columns: int) -> Element:
    """Return rows of a fleet: the usual value, then deviations with their nodes and facts."""
    room = max(columns - 60, 20)
    lines: list[Sequence[Line]] = []
    for row in rows:
        head = [make_line(("type", row.resource)), make_line(("name", row.attribute))]
        total = sum(len(group.nodes) for group in row.groups)
        most = MOST_GROUPS if len(row.groups) <= 2 * MOST_GROUPS else EXAMPLES
        shown, left = row.groups[:most], row.groups[most:]
        begin = _measure_common_start([group.value for group in shown])
        for group in shown:
            usual = group is row.usual
            presence = ("added", "there") if group.value else ("removed", "not there")
            # without an attribute, the row shows which nodes have the resource
            value = _format_value(group.value, room, begin) if row.attribute else make_line(presence)
            count = f"{len(group.nodes):,} of {total:,}" if usual else _count_nodes(group.nodes)
            lines.append(
                (
                    *head,
                    value,
                    make_line(("dim" if usual else "", count)),
                    make_line(_format_distinction(group.reason)),
                )
            )
            head = [(), ()]
        if left:
            count = _count_nodes([node for group in left for node in group.nodes])
            lines.append((*head, make_line(("dim", f"… {len(left):,} more values")), make_line(count), ()))
    return Table(lines, _HEADER)


def _measure_common_start(values: Sequence[Any]) -> int:
    """Return the number of characters at the beginning of long strings that are omitted."""
    if len(values) < 2 or not all(type(value) is str for value in values):
        return 0
    same = len(commonprefix(list(values)))
    return same - CONTEXT if same > 2 * CONTEXT else 0


def _render_failures(groups: Iterable[NodeGroup], columns: int) -> Element:
    """Return the errors, each with its nodes."""
    return Table(
        (
            make_line(("error", group.value.code)),
            make_line(cut_columns(" ".join(str(group.value).split()), max(2 * columns - 80, 80))),
            make_line(_count_nodes(group.nodes)),
            make_line(_format_distinction(group.reason)),
        )
        for group in groups
    )


def _format_value(value: Any, room: int, begin: int) -> Line:
    """Return a value of an attribute; `begin` characters at its start are omitted."""
    if value is None:
        return make_line(("dim", "not set"))
    return (("dim", "…"), *shorten_value(value[begin:], room - 1)) if begin else shorten_value(value, room)


def _count_nodes(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{len(names):,} nodes"


def _format_distinction(reason: tuple[str, Sequence[Any]] | None) -> str:
    """Return the fact that distinguishes nodes, with their values of it: `os.family = RedHat`."""
    if reason is None:
        return ""
    name, values = reason
    return f"{name} = {', '.join('undef' if value is None else str(value) for value in values)}"


COLUMNS = ("resource", "attribute", "value", "usual", "count", "fact", "fact_values", "nodes")


def is_table(path: str) -> bool:
    """Return True if the suffix of a file's name is that of a table."""
    return splitext(path)[1] in FORMS


def format_table(rows: Rows, path: str) -> bytes:
    """Return the content of a file; raise ValueError if the package for it is missing."""
    return FORMS[splitext(path)[1]](rows)


def _iterate_lines(rows: Rows) -> Iterator[tuple[Any, ...]]:
    """Yield a line for each value of each attribute, in the order of COLUMNS."""
    for row in rows:
        for group in row.groups:
            value = group.value if type(group.value) is str else json.dumps(group.value, ensure_ascii=False)
            fact, fact_values = group.reason or ("", ())
            yield (
                row.resource,
                row.attribute,
                value,
                group is row.usual,
                len(group.nodes),
                fact,
                " ".join(map(str, fact_values)),
                " ".join(group.nodes),
            )


# Some spreadsheets also begin a cell at each semicolon, comma or tab, and ignore invisible characters and quotes.
_FORMULA = re.compile(
    r"(?:\A|[,;|\t])[\s\"\x00-\x1f\x7f-\x9f\ufeff\u200b-\u200f\u2060]*+[=+\-@＝＋－＠]|\A[\"\t\r\n\ufeff]"
)
_NUMBER = re.compile(r"[+-]?\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+")


def _format_cell(value: Any) -> Any:
    """Return a value that a spreadsheet displays without evaluating it."""
    if type(value) is not str or not _FORMULA.search(value) or _NUMBER.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _write_csv(rows: Rows) -> bytes:
    """Return rows as CSV."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([COLUMNS, *(map(_format_cell, line) for line in _iterate_lines(rows))])
    return text.getvalue().encode("utf-8", "backslashreplace")


def _write_parquet(rows: Rows) -> bytes:
    """Return rows as Parquet, or raise ValueError if pyarrow is missing."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError("a table as Parquet needs pyarrow: pip install 'puppet-kernel[fleet]'") from None
    lines = list(_iterate_lines(rows))
    columns = {name: [line[number] for line in lines] for number, name in enumerate(COLUMNS)}
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file)
    return file.getvalue()


FORMS: dict[str, Callable[[Rows], bytes]] = {
    ".csv": _write_csv,
    ".json": lambda rows: json.dumps([row.to_json() for row in rows], indent=2, ensure_ascii=True).encode(),
    ".parquet": _write_parquet,
}
