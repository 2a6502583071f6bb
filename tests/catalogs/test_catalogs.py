"""Programs and their catalogs, word for word; see conftest.py for the files."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evaluator import Session
from tests.released import asking

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.pp"))
ERRORS = HERE / "errors.txt"
BETWEEN, MARK = "\n====\n", "\n---\n"


def session() -> Session:
    return Session("puppet7", node="testnode", facts={})


def compiled(source: str) -> Any:
    found = session()
    outcome = found.run(source)
    assert outcome.error is None, outcome.error
    return found.catalog()


def as_lines(catalog: dict[str, Any]) -> str:
    """Catalog JSON with one resource or edge on a line."""
    parts = []
    for key, value in catalog.items():
        if key in ("resources", "edges"):
            rows = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value)
            parts.append(f"{json.dumps(key)}: [\n  {rows}\n]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def errors() -> list[tuple[str, str]]:
    blocks = ERRORS.read_text(encoding="utf-8").rstrip("\n").split(BETWEEN)
    return [(source, told) for source, _, told in (block.partition(MARK) for block in blocks)]


def failing(source: str) -> str:
    error = session().run(source).error
    assert error is not None, f"no error: {source}"
    return str(error)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_catalog(case: Path, request: pytest.FixtureRequest) -> None:
    catalog = compiled(case.read_text(encoding="utf-8"))
    found = {
        ".txt": "\n".join(catalog.summary(redact=False)) + "\n",
        ".json": as_lines(catalog.to_json(redact=False)),
    }
    for suffix, text in found.items():
        path = case.with_suffix(suffix)
        if request.config.getoption("--update"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")


def test_errors(request: pytest.FixtureRequest) -> None:
    known = errors()
    found = [(source, failing(source)) for source, _ in known]
    if request.config.getoption("--update"):
        text = BETWEEN.join(source + MARK + told for source, told in found)
        ERRORS.write_text(text + "\n", encoding="utf-8")
        known = errors()
    assert found == known


# --- the released Puppet, where it is installed


@cache
def released() -> dict[str, dict[str, Any]]:
    """Every program's answer from the released Puppet; skips the test where that is not installed."""
    if not asking.is_installed():
        pytest.skip("the released Puppet is not installed")
    sources = [case.read_text(encoding="utf-8") for case in CASES] + [source for source, _ in errors()]
    answers = json.loads(asking.run_script(HERE / "released.rb", json.dumps(sources)))
    return dict(zip(sources, answers, strict=True))


def comparable(catalog: dict[str, Any]) -> dict[str, Any]:
    """Return the parts that must agree: the order of resources and attributes, not that of tags and edges."""

    def resource(row: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in row.items() if key not in ("file", "line", "kind")}
        return {**kept, "tags": sorted(row["tags"]), "parameters": list(row.get("parameters", {}).items())}

    edges = sorted((edge["source"], edge["target"]) for edge in catalog["edges"])
    found = [resource(row) for row in catalog["resources"]]
    return {"tags": sorted(catalog["tags"]), "resources": found, "edges": edges}


@pytest.mark.slow
@pytest.mark.released
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_released_puppet_gives_the_same_catalog(case: Path) -> None:
    source = case.read_text(encoding="utf-8")
    told = released()[source]
    catalog = compiled(source)
    assert catalog.summary(redact=False) == told.get("summary"), told.get("error")
    assert comparable(catalog.to_json(redact=False)) == comparable(told["catalog"])


@pytest.mark.slow
@pytest.mark.released
def test_released_puppet_says_the_same() -> None:
    answers = released()
    for source, _ in errors():
        assert failing(source) == answers[source].get("error", "").removeprefix("Evaluation Error: "), source
