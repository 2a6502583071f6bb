"""Environments of a few files, with the log lines and the error of each dialect.

The file `small.txt` holds them. An environment begins with a line `=== name`. A line `## path` is
above each of its files; after `## path bytes` the file has escapes of Python for bytes, and no end of line at its end.
A line `=> dialects` is above the log lines and the error that these dialects have.

`pytest tests/environments --update` writes the current output.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lexer_parser.dialect import RELEASES
from tests.environments.test_environments import compute_answer, query_release, write_environment
from tests.released.unpacking import find_options

RECORDED = Path(__file__).with_name("small.txt")
NODE = "web1.example.com"
FACTS = {"os": {"family": "Debian"}, "role": "web", "zones": ["a", "b"]}
DIALECTS = ("spec", *(release.name for release in RELEASES))
CASES = dict(part.split("\n", 1) for part in re.split(r"(?m)^=== ", RECORDED.read_text("utf-8"))[1:])


def write_case(name: str, root: Path) -> dict[str, Any]:
    """Write an environment and return the query for it."""
    folder = write_environment(root)
    for part in re.split(r"(?m)^## ", re.split(r"(?m)^=> ", CASES[name])[0])[1:]:
        head, _, text = part.partition("\n")
        path, is_escaped = folder / head.removesuffix(" bytes"), head.endswith(" bytes")
        content = (
            text[:-1].encode().decode("unicode_escape").encode("latin-1") if is_escaped else text.encode()
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return {"environment": str(folder), "node": NODE, "facts": FACTS, "parameters": {}}


def format_answer(answer: dict[str, Any], folder: str) -> str:
    """Return the log lines and the error of an environment, with `{}` in place of its folder."""
    lines = [*answer["logs"], *([f"error: {answer['error']}"] if "error" in answer else [])]
    return "".join(f"{line}\n" for line in lines).replace(folder, "{}")


def read_expected(name: str) -> dict[str, str]:
    """Return the expected lines of each dialect."""
    answers = [part.split("\n", 1) for part in re.split(r"(?m)^=> ", CASES[name])[1:]]
    return {dialect: lines for dialects, lines in answers for dialect in dialects.split(", ")}


@pytest.mark.parametrize("name", CASES)
def test_small_environments_have_the_recorded_output(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    query = write_case(name, tmp_path)
    outputs = {
        each: format_answer(compute_answer(query, dialect=each), query["environment"]) for each in DIALECTS
    }
    if request.config.getoption("--update", default=False):
        dialects_by_output: dict[str, list[str]] = {}
        for dialect, text in outputs.items():
            dialects_by_output.setdefault(text, []).append(dialect)
        files = re.split(r"(?m)^=> ", CASES[name])[0]
        CASES[name] = files + "".join(
            f"=> {', '.join(names)}\n{text}" for text, names in dialects_by_output.items()
        )
        RECORDED.write_text("".join(f"=== {name}\n{text}" for name, text in CASES.items()), "utf-8")
    assert outputs == read_expected(name)


@pytest.mark.released
@pytest.mark.parametrize("dialect", DIALECTS[1:])
def test_the_released_puppet_has_the_recorded_output(dialect: str, tmp_path: Path) -> None:
    options = find_options(dialect)
    if options is None:
        pytest.skip(f"the release of {dialect} is missing: see tests/released/unpacking.py")
    queries = [write_case(name, tmp_path / str(number)) for number, name in enumerate(CASES)]
    for name, query, answer in zip(CASES, queries, query_release(queries, options), strict=True):
        assert format_answer(answer, query["environment"]) == read_expected(name)[dialect], name
