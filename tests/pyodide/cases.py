"""The programs of `tests/language` and their results, for a Python without pytest."""

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


def iterate_cases(folder: Path) -> Iterator[Case]:
    """Yield the programs of a folder, alternately in their dialects, as cells that end at each mark."""
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


def run_case(case: Case) -> list[Any]:
    """Return text, type, error and log of each cell of a program, and finally the catalog."""
    session = Session(case["dialect"])
    results: list[Any] = []
    for cell in case["cells"]:
        outcome = session.run(cell)
        error = outcome.error and [outcome.error.code, str(outcome.error), outcome.error.help]
        logs = [[log.level, log.message] for log in outcome.logs]
        results.append([outcome.text, outcome.type, error, logs])
    return [*results, session.catalog().summary()]
