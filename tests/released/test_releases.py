"""Each release has the results of its dialect; `unpacking.py` unpacks the newer releases."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from lexer_parser.dialect import RELEASES
from tests.catalogs.test_catalogs import make_comparable
from tests.released.unpacking import find_options

PROGRAMS = Path(__file__).with_name("programs.txt").read_text(encoding="utf-8").split("\n----\n")
SCRIPT = Path(__file__).parent.parent / "catalogs" / "released.rb"


@cache
def query_release(dialect: str) -> dict[str, dict[str, Any]]:
    """Return the answers of a release to all programs, computed in one process."""
    options = find_options(dialect)
    if options is None:
        pytest.skip(f"the release of {dialect} is missing: see tests/released/unpacking.py")
    command = ["ruby", "-E", "UTF-8:UTF-8", *options, str(SCRIPT)]
    completed = subprocess.run(
        command, input=json.dumps(PROGRAMS), capture_output=True, text=True, check=True, timeout=300
    )
    return dict(zip(PROGRAMS, json.loads(completed.stdout), strict=True))


def _hide_converted(line: str) -> str:
    return re.sub(r"(?<=converted to the String ').*(?=')", "", line)


def _hide_prefixes(message: str) -> str:
    """Return a message without the kind of error and the number that some versions add."""
    return re.sub(r"\d+: (?=unexpected token)", "", message.removeprefix("Evaluation Error: "))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("dialect", [release.name for release in RELEASES])
def test_a_release_has_the_results_of_its_dialect(dialect: str, program: str) -> None:
    expected = query_release(dialect)[program]
    session = Session(dialect, node="testnode", facts={}, permissions=["templates"])
    outcome = session.run(program)
    error = outcome.error
    logs = [f"{log.level}: {log.message}" for log in outcome.logs]
    if "Sensitive" in program:  # only the releases show secrets
        logs, expected["logs"] = map(_hide_converted, logs), map(_hide_converted, expected["logs"])
    assert [*logs] == [*expected["logs"]]
    if "error" in expected or error is not None:
        assert _hide_prefixes(str(error)) == _hide_prefixes(str(expected.get("error")))
        return
    if "#<" not in str(expected["summary"]):  # objects as Ruby prints them
        assert session.catalog().summary(redact=False) == expected["summary"]
    assert make_comparable(session.catalog().to_json(redact=False)) == make_comparable(expected["catalog"])
