"""The chunks of `tests/language` as programs that any Python runs, without pytest, and what they give."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluator import Session

MARK = re.compile(r"\s+(#=>|###)(?: .*)?$")
HEAD = re.compile(r"# dialect: (spec|puppet|both)\s*$")
BOTH = ("puppet", "spec")

Case = dict[str, Any]


def cases(folder: Path) -> Iterator[Case]:
    """The chunks of a folder, each in one of its dialects in turn: the cells that its marks make of it."""
    for path in sorted(folder.glob("*.pp")):
        dialects = BOTH
        for number, chunk in enumerate(re.split(r"^---\n", path.read_text(encoding="utf-8"), flags=re.M)):
            cells = [""]
            for line in chunk.splitlines():
                if head := HEAD.match(line):
                    dialects = BOTH if head[1] == "both" else (head[1],)
                cells[-1] += MARK.sub("", line) + "\n"
                if MARK.search(line):
                    cells.append("")
            dialect = dialects[number % len(dialects)]
            yield {"name": f"{path.stem} {number} {dialect}", "dialect": dialect, "cells": cells}


def outcome(case: Case) -> list[Any]:
    """Return the results of a chunk: of each cell the text, the type, the error and the log; then the catalog."""
    session = Session(case["dialect"])
    told: list[Any] = []
    for cell in case["cells"]:
        found = session.run(cell)
        error = found.error and [found.error.code, str(found.error), found.error.help]
        logs = [[log.level, log.message] for log in found.logs]
        told.append([found.text, found.type, error, logs])
    return [*told, session.catalog().summary()]
