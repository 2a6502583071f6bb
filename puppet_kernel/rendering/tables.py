"""The table of a fleet as a file: CSV, JSON or Parquet, by the suffix of its name.

Spreadsheets evaluate CSV cells that begin like a formula, and names and values from elsewhere may. Such text is
quoted as
in JSON, and so is text that begins with quotes, so that the original can be recovered.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from os.path import splitext
from typing import Any

from evaluator.fleet import FleetRow

COLUMNS = ("resource", "attribute", "value", "usual", "count", "fact", "fact_values", "nodes")
Rows = Sequence[FleetRow]


def is_table(path: str) -> bool:
    """Return True if the suffix of a file's name is that of a table."""
    return splitext(path)[1] in FORMS


def content(rows: Rows, path: str) -> bytes:
    """Return the content of a file, or raise ValueError if the package that writes it is missing."""
    return FORMS[splitext(path)[1]](rows)


def _lines(rows: Rows) -> Iterator[tuple[Any, ...]]:
    """Yield a line for each value of each attribute, in the order of COLUMNS."""
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
    """Return a value that a spreadsheet displays without evaluating it."""
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
