"""Catalogs and errors of programs, word for word; `conftest.py` describes the files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from tests.released import ruby_scripts

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.pp"))
ERRORS = HERE / "errors.txt"
SEPARATOR, ERROR_MARK = "\n====\n", "\n---\n"


def make_session() -> Session:
    return Session("puppet7", node="testnode", facts={})


def compile_catalog(source: str) -> Any:
    session = make_session()
    outcome = session.run(source)
    assert outcome.error is None, outcome.error
    return session.catalog()


def format_catalog(catalog: dict[str, Any]) -> str:
    """Return the JSON of a catalog with one resource or edge on a line."""
    parts = []
    for key, value in catalog.items():
        if key in ("resources", "edges"):
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)
            parts.append(f"{json.dumps(key)}: [\n  {rows}\n]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_errors() -> list[tuple[str, str]]:
    blocks = ERRORS.read_text(encoding="utf-8").rstrip("\n").split(SEPARATOR)
    return [(source, message) for source, _, message in (block.partition(ERROR_MARK) for block in blocks)]


def run_failing_program(source: str) -> str:
    error = make_session().run(source).error
    assert error is not None, f"no error: {source}"
    return str(error)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_program_compiles_to_its_catalog(case: Path, request: pytest.FixtureRequest) -> None:
    catalog = compile_catalog(case.read_text(encoding="utf-8"))
    outputs = {
        ".txt": "\n".join(catalog.summary(redact=False)) + "\n",
        ".json": format_catalog(catalog.to_json(redact=False)),
    }
    for suffix, text in outputs.items():
        path = case.with_suffix(suffix)
        if request.config.getoption("--update"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")


def test_a_failing_program_reports_its_error(request: pytest.FixtureRequest) -> None:
    expected = read_errors()
    current = [(source, run_failing_program(source)) for source, _ in expected]
    if request.config.getoption("--update"):
        text = SEPARATOR.join(source + ERROR_MARK + message for source, message in current)
        ERRORS.write_text(text + "\n", encoding="utf-8")
        expected = read_errors()
    assert current == expected


# --- the released Puppet, where it is installed


@cache
def query_release() -> dict[str, dict[str, Any]]:
    """Return the answer of the released Puppet to each program; skip if it is missing."""
    if not ruby_scripts.is_installed():
        pytest.skip("the released Puppet is not installed")
    sources = [case.read_text(encoding="utf-8") for case in CASES] + [source for source, _ in read_errors()]
    answers = json.loads(ruby_scripts.run_script(HERE / "released.rb", json.dumps(sources)))
    return dict(zip(sources, answers, strict=True))


def make_comparable(catalog: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a catalog that must agree, which the order of tags and edges is not."""

    def convert_resource(row: dict[str, Any]) -> dict[str, Any]:
        fields = {key: value for key, value in row.items() if key not in ("file", "line", "kind")}
        return {**fields, "tags": sorted(row["tags"]), "parameters": list(row.get("parameters", {}).items())}

    edges = sorted((edge["source"], edge["target"]) for edge in catalog["edges"])
    resources = [convert_resource(row) for row in catalog["resources"]]
    return {"tags": sorted(catalog["tags"]), "resources": resources, "edges": edges}


@pytest.mark.slow
@pytest.mark.released
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_the_released_puppet_compiles_the_same_catalog(case: Path) -> None:
    source = case.read_text(encoding="utf-8")
    answer = query_release()[source]
    catalog = compile_catalog(source)
    assert catalog.summary(redact=False) == answer.get("summary"), answer.get("error")
    assert make_comparable(catalog.to_json(redact=False)) == make_comparable(answer["catalog"])


@pytest.mark.slow
@pytest.mark.released
def test_the_released_puppet_reports_the_same_errors() -> None:
    answers = query_release()
    for source, _ in read_errors():
        assert run_failing_program(source) == answers[source].get("error", "").removeprefix(
            "Evaluation Error: "
        ), source
