"""The table of a fleet as a file has it: CSV, JSON or Parquet, as the name of the file says.

Spreadsheets compute what begins as a formula in CSV, which names of nodes, facts and values from elsewhere may. Such a
text stands in the quotes that JSON has for it, and so does one that begins with quotes: what was meant can be told.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from os.path import splitext
from typing import Any

from evaluator.fleet import Row

COLUMNS = ("resource", "attribute", "value", "usual", "count", "fact", "fact_values", "nodes")
Rows = Sequence[Row]


def is_table(path: str) -> bool:
    """Whether a file of this name can hold a table."""
    return splitext(path)[1] in FORMS


def content(rows: Rows, path: str) -> bytes:
    """What a file of this name holds. Raises ValueError where the package that makes it is not there."""
    return FORMS[splitext(path)[1]](rows)


def _lines(rows: Rows) -> Iterator[tuple[Any, ...]]:
    """A line for each value of each attribute, in the order of COLUMNS."""
    for row in rows:
        for group in row.groups:
            value = group.value if type(group.value) is str else json.dumps(group.value, ensure_ascii=False)
            name, values = group.reason or ("", ())
            told = " ".join(map(str, values))
            nodes = " ".join(group.nodes)
            yield row.resource, row.attribute, value, group is row.usual, len(group.nodes), name, told, nodes


_FORMULA = re.compile(r"\s*+[=+\-@＝＋－＠]|[\"\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+")


def _cell(value: Any) -> Any:
    """A value as a spreadsheet shows it, and computes nothing."""
    if type(value) is not str or not _FORMULA.match(value) or _NUMBER.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _csv(rows: Rows) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([COLUMNS, *(map(_cell, line) for line in _lines(rows))])
    return text.getvalue().encode("utf-8", "backslashreplace")


def _json(rows: Rows) -> bytes:
    return json.dumps([row.to_json() for row in rows], indent=2, ensure_ascii=True).encode()


def _parquet(rows: Rows) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError("a table as Parquet needs pyarrow: pip install 'puppet-kernel[fleet]'") from None
    lines = list(_lines(rows))
    columns = {name: [line[place] for line in lines] for place, name in enumerate(COLUMNS)}
    file = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), file)
    return file.getvalue()


FORMS: dict[str, Callable[[Rows], bytes]] = {".csv": _csv, ".json": _json, ".parquet": _parquet}
