"""The `metadata.json` of a module: incomplete or invalid files are reported as released."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session

COMPLETE: dict[str, Any] = {
    "name": "acme-web",
    "version": "1.0.0",
    "author": "acme",
    "license": "MIT",
    "source": "https://example.com",
    "dependencies": [],
}
SYNTAX = "web has an invalid and unparsable metadata.json file. The parse error: 859: unexpected token at"


def include_module(folder: Path, metadata: str, strict: str = "warning") -> tuple[str, list[str]]:
    """Return the error of a program that uses a module, "" for none, and the log lines."""
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
        json.dumps(COMPLETE),
        *("{}", "[]", ""),
        json.dumps({**COMPLETE, "name": None, "version": 3, "author": [], "extra": {}}),
        f"// a comment\n{json.dumps(COMPLETE)} /* another */",
        json.dumps(
            {**COMPLETE, "dependencies": [{"name": "puppetlabs-stdlib", "version_requirement": "bad"}]}
        ),
    ],
)
def test_a_module_with_complete_metadata_is_used(metadata: str, tmp_path: Path) -> None:
    assert include_module(tmp_path, metadata) == ("", [])


@pytest.mark.parametrize(
    ("changed", "message"),
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
def test_a_module_with_incomplete_metadata_is_ignored_with_an_error(
    changed: dict[str, Any], message: str, tmp_path: Path
) -> None:
    problem, logs = include_module(tmp_path, json.dumps({**COMPLETE, **changed}))
    assert "Could not find class ::web for localhost" in problem
    assert [line.startswith(f"err: {message}") for line in logs] == [True]


@pytest.mark.parametrize(
    ("metadata", "rest"),
    [("{", "{"), ("\n", ""), ('{"a": 1}\n<<<<<<< HEAD', "<<<<<<< HEAD")],
)
def test_invalid_json_is_reported_at_the_level_of_strict(metadata: str, rest: str, tmp_path: Path) -> None:
    line = f"{SYNTAX} '{rest}'"
    assert include_module(tmp_path / "warning", metadata) == ("", [f"warning: {line}"])
    assert include_module(tmp_path / "off", metadata, "off") == ("", [])
    problem, logs = include_module(tmp_path / "error", metadata, "error")
    assert "Could not find class ::web" in problem
    assert logs == [f"err: {line}"]


def test_a_fixed_file_is_read_by_the_next_cell(tmp_path: Path) -> None:
    assert include_module(tmp_path, "[1]")[0]
    session = Session("puppet", modulepath=[str(tmp_path)])
    assert session.run("include web").error is not None
    (tmp_path / "web" / "metadata.json").write_text(json.dumps(COMPLETE))
    assert session.run("include web").error is None
