"""Environments of a few files, in `small.txt`: the log lines and the error of each dialect, as its release has them.

An environment begins with a line `=== name`. A line `## path` is above each of its files; after `## path bytes` the
file has escapes of Python for bytes, and no end of line at its end. A line `=> dialects` is above the log lines and the
error that these dialects have. `pytest tests/environments --update` writes what comes out now.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lexer_parser.dialect import RELEASES
from tests.environments.test_environments import answer, ask_release, write
from tests.released.unpacking import find_options

KEPT = Path(__file__).with_name("small.txt")
NODE = "web1.example.com"
FACTS = {"os": {"family": "Debian"}, "role": "web", "zones": ["a", "b"]}
DIALECTS = ("spec", *(release.name for release in RELEASES))
CASES = dict(part.split("\n", 1) for part in re.split(r"(?m)^=== ", KEPT.read_text("utf-8"))[1:])


def plant(name: str, root: Path) -> dict[str, Any]:
    """Write an environment and return the question for it."""
    folder = write(root)
    for part in re.split(r"(?m)^## ", re.split(r"(?m)^=> ", CASES[name])[0])[1:]:
        head, _, text = part.partition("\n")
        path, is_escaped = folder / head.removesuffix(" bytes"), head.endswith(" bytes")
        content = (
            text[:-1].encode().decode("unicode_escape").encode("latin-1") if is_escaped else text.encode()
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return {"environment": str(folder), "node": NODE, "facts": FACTS, "parameters": {}}


def list_lines(found: dict[str, Any], folder: str) -> str:
    """Return the log lines and the error of an environment, without the folder that it is in."""
    lines = [*found["logs"], *([f"error: {found['error']}"] if "error" in found else [])]
    return "".join(f"{line}\n" for line in lines).replace(folder, "{}")


def read_expected(name: str) -> dict[str, str]:
    """Return the expected lines of each dialect."""
    answers = [part.split("\n", 1) for part in re.split(r"(?m)^=> ", CASES[name])[1:]]
    return {dialect: due for dialects, due in answers for dialect in dialects.split(", ")}


@pytest.mark.parametrize("name", CASES)
def test_small_environments(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    asked = plant(name, tmp_path)
    found = {each: list_lines(answer(asked, dialect=each), asked["environment"]) for each in DIALECTS}
    if request.config.getoption("--update", default=False):
        alike: dict[str, list[str]] = {}
        for dialect, text in found.items():
            alike.setdefault(text, []).append(dialect)
        files = re.split(r"(?m)^=> ", CASES[name])[0]
        CASES[name] = files + "".join(f"=> {', '.join(names)}\n{text}" for text, names in alike.items())
        KEPT.write_text("".join(f"=== {name}\n{text}" for name, text in CASES.items()), "utf-8")
    assert found == read_expected(name)


@pytest.mark.released
@pytest.mark.parametrize("dialect", DIALECTS[1:])
def test_small_environments_as_released(dialect: str, tmp_path: Path) -> None:
    options = find_options(dialect)
    if options is None:
        pytest.skip(f"the release of {dialect} is not here: see tests/released/unpacking.py")
    asked = [plant(name, tmp_path / str(number)) for number, name in enumerate(CASES)]
    for name, question, due in zip(CASES, asked, ask_release(asked, options), strict=True):
        assert list_lines(due, question["environment"]) == read_expected(name)[dialect], name
