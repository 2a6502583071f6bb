"""Programs give on Pyodide, in node, what they give here: in both dialects, errors and catalogs included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.pyodide.cases import cases, outcome
from tests.pyodide.distribution import answers, missing

ROOT = Path(__file__).parents[2]
NEEDS_REGEX = "REGEXP_ENGINE_MISSING"


def needs_regex(told: list[Any]) -> bool:
    """True for what says that it needs a package which Pyodide has not by itself."""
    return NEEDS_REGEX in json.dumps(told)


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_programs_give_the_same() -> None:
    given = list(cases(ROOT / "tests" / "language"))
    found = answers("run.mjs", given, ROOT, Path(yaml.__file__).parents[1])
    differ = []
    for case, got in zip(given, found, strict=True):
        due = json.loads(json.dumps(outcome(case)))
        if due != got and not needs_regex(got):
            differ.append((case["name"], due, got))
    assert not differ
    assert (
        sum(map(needs_regex, found)) < len(found) / 30
    )  # sets of types and Deferred have names that need it
