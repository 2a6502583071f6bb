"""The reference is complete, and its cells run.

`tests/test_regenerate.py` checks that it is up to date.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.shell import Shell

REFERENCE = Path(__file__).parents[2] / "notebooks" / "reference.ipynb"


@pytest.fixture(scope="module")
def reference() -> dict[str, Any]:
    """Return the notebook of the reference."""
    notebook: dict[str, Any] = json.loads(REFERENCE.read_text(encoding="utf-8"))
    return notebook


def list_sources(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Return id, type and source of each cell."""
    return [(cell["id"], cell["cell_type"], "".join(cell["source"])) for cell in data["cells"]]


def test_the_examples_run_in_the_dialect_of_releases(reference: dict[str, Any]) -> None:
    """*Run All* with the kernel of a release does not stop at an example that fails there."""
    failing = {
        cell["id"] for cell in reference["cells"] if "raises-exception" in cell["metadata"].get("tags", ())
    }
    assert {"keyword-3f-2", "function-is-a-0"} <= failing
    shell = Shell({"dialect": "puppet"})
    for name, form, source in list_sources(reference):
        if form == "code" and not name.startswith("command-") and name not in failing:
            assert shell.submit(source, name).error is None, source


def test_the_reference_is_complete(reference: dict[str, Any]) -> None:
    kinds = Counter(name.split("-")[0] for name, form, _ in list_sources(reference) if form == "markdown")
    assert kinds["function"] > 250
    assert kinds["error"] > 300
    assert sum(form == "code" for _, form, _ in list_sources(reference)) > 400
    text = "\n".join(source for *_, source in list_sources(reference))
    assert all(f"`%{command.name}" in text for command in COMMANDS)


def test_every_cell_has_an_id_of_its_own(reference: dict[str, Any]) -> None:
    ids = [name for name, *_ in list_sources(reference)]
    assert len(set(ids)) == len(ids)
    assert all(0 < len(name) <= 64 for name in ids)


def test_the_saved_outputs_contain_no_errors(reference: dict[str, Any]) -> None:
    outputs = [(cell["id"], output) for cell in reference["cells"] for output in cell.get("outputs", ())]
    assert len(outputs) > 400
    assert not [name for name, output in outputs if output["output_type"] == "error"]
