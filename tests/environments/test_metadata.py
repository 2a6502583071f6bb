"""The `metadata.json` of a module: what the released Puppet says of it, and whether it takes the module."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session

SOUND: dict[str, Any] = {
    "name": "acme-web",
    "version": "1.0.0",
    "author": "acme",
    "license": "MIT",
    "source": "https://example.com",
    "dependencies": [],
}
SYNTAX = "web has an invalid and unparsable metadata.json file. The parse error: 859: unexpected token at"


def answer(folder: Path, metadata: str, strict: str = "warning") -> tuple[str, list[str]]:
    """The error of a program that uses a module, "" for none, and the log lines."""
    module = folder / "web"
    (module / "manifests").mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text("class web { }")
    (module / "metadata.json").write_text(metadata, encoding="utf-8")
    session = Session("puppet", modulepath=[str(folder)], strict=strict)
    outcome = session.run("include web\ninclude web")
    return str(outcome.error or ""), [f"{line.level}: {line.message}" for line in outcome.logs]


@pytest.mark.parametrize(
    "metadata",
    [
        json.dumps(SOUND),
        *("{}", "[]", ""),
        json.dumps({**SOUND, "name": None, "version": 3, "author": [], "extra": {}}),
        f"// a comment\n{json.dumps(SOUND)} /* another */",
        json.dumps({**SOUND, "dependencies": [{"name": "puppetlabs-stdlib", "version_requirement": "bad"}]}),
    ],
)
def test_modules_are_taken_when_their_metadata_says_enough(metadata: str, tmp_path: Path) -> None:
    assert answer(tmp_path, metadata) == ("", [])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        *(
            ({name: None}, f"No {name} module metadata provided for web")
            for name in ("source", "author", "version", "license", "dependencies")
        ),
        (
            {"dependencies": {"a": 1}},
            "The value for the key dependencies in the file metadata.json of the module web must be an array,"
            " not: '{\"a\"=>1}'",
        ),
        ({"name": 3}, "The file metadata.json of the module web must be a hash, with strings for names and"),
        ({"dependencies": ["stdlib"]}, "The file metadata.json of the module web must be a hash, with"),
        ({"dependencies": [{"name": 3}]}, "The file metadata.json of the module web must be a hash, with"),
    ],
)
def test_modules_whose_metadata_says_too_little_are_none(
    changed: dict[str, Any], said: str, tmp_path: Path
) -> None:
    problem, logs = answer(tmp_path, json.dumps({**SOUND, **changed}))
    assert "Could not find class ::web for localhost" in problem
    assert [line.startswith(f"err: {said}") for line in logs] == [True]


@pytest.mark.parametrize(
    ("metadata", "rest"),
    [("{", "{"), ("\n", ""), ('{"a": 1}\n<<<<<<< HEAD', "<<<<<<< HEAD")],
)
def test_a_file_that_is_no_json_is_told_as_strictly_as_the_session_is(
    metadata: str, rest: str, tmp_path: Path
) -> None:
    line = f"{SYNTAX} '{rest}'"
    assert answer(tmp_path / "warning", metadata) == ("", [f"warning: {line}"])
    assert answer(tmp_path / "off", metadata, "off") == ("", [])
    problem, logs = answer(tmp_path / "error", metadata, "error")
    assert "Could not find class ::web" in problem
    assert logs == [f"err: {line}"]


def test_a_file_that_is_mended_counts_in_the_next_cell(tmp_path: Path) -> None:
    assert answer(tmp_path, "[1]")[0]
    session = Session("puppet", modulepath=[str(tmp_path)])
    assert session.run("include web").error is not None
    (tmp_path / "web" / "metadata.json").write_text(json.dumps(SOUND))
    assert session.run("include web").error is None
