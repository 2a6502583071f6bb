"""The reference has all there is, and its cells run; `tests/test_regenerate.py` proves that it is up to date."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.shell import Shell

SAVED = Path(__file__).parents[2] / "notebooks" / "reference.ipynb"


@pytest.fixture(scope="module")
def saved() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SAVED.read_text(encoding="utf-8"))
    return found


def sources(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(cell["id"], cell["cell_type"], "".join(cell["source"])) for cell in data["cells"]]


def test_all_of_it_runs_in_either_dialect(saved: dict[str, Any]) -> None:
    """Who runs all cells with the kernel of the released Puppet is not stopped by an example that it refuses."""
    foreseen = {
        cell["id"] for cell in saved["cells"] if "raises-exception" in cell["metadata"].get("tags", ())
    }
    assert {"keyword-3f-2", "function-is-a-0"} <= foreseen
    desk = Shell({"dialect": "puppet"})
    for name, form, source in sources(saved):
        if form == "code" and not name.startswith("command-") and name not in foreseen:
            assert desk.submit(source, name).error is None, source


def test_it_holds_all_there_is(saved: dict[str, Any]) -> None:
    kinds = Counter(name.split("-")[0] for name, form, _ in sources(saved) if form == "markdown")
    assert kinds["function"] > 250
    assert kinds["error"] > 300
    assert sum(form == "code" for _, form, _ in sources(saved)) > 400
    text = "\n".join(source for *_, source in sources(saved))
    assert all(f"`%{command.name}" in text for command in COMMANDS)


def test_every_cell_has_an_id_of_its_own(saved: dict[str, Any]) -> None:
    ids = [name for name, *_ in sources(saved)]
    assert len(set(ids)) == len(ids)
    assert all(0 < len(name) <= 64 for name in ids)


def test_what_is_saved_ran_without_errors(saved: dict[str, Any]) -> None:
    outputs = [(cell["id"], output) for cell in saved["cells"] for output in cell.get("outputs", ())]
    assert len(outputs) > 400
    assert not [name for name, output in outputs if output["output_type"] == "error"]
