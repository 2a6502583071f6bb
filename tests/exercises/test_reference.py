"""The reference is what the tables say now; its examples are cells that give their values."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from puppet_kernel.commands.reference import notebook
from puppet_kernel.commands.table import COMMANDS
from puppet_kernel.shell import Shell

SAVED = Path(__file__).parents[2] / "notebooks" / "reference.ipynb"


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return notebook()


def sources(data: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(cell["id"], cell["cell_type"], "".join(cell["source"])) for cell in data["cells"]]


def test_the_reference_is_fresh(made: dict[str, Any]) -> None:
    saved = json.loads(SAVED.read_text(encoding="utf-8"))
    assert sources(saved) == sources(made), "python -m puppet_kernel.commands.reference, then run it"


def test_all_of_it_runs_in_either_dialect(made: dict[str, Any]) -> None:
    """Who runs all cells with the kernel of the released Puppet is not stopped by an example that it refuses."""
    saved = json.loads(SAVED.read_text(encoding="utf-8"))
    foreseen = [
        {cell["id"] for cell in data["cells"] if "raises-exception" in cell["metadata"].get("tags", ())}
        for data in (saved, made)
    ]
    assert foreseen[0] == foreseen[1] and {"keyword-3f-2", "function-is-a-0"} <= foreseen[0]
    desk = Shell({"dialect": "puppet"})
    for name, form, source in sources(saved):
        if form == "code" and not name.startswith("command-") and name not in foreseen[0]:
            assert desk.submit(source, name).error is None, source


def test_it_holds_all_there_is(made: dict[str, Any]) -> None:
    kinds = Counter(name.split("-")[0] for name, form, _ in sources(made) if form == "markdown")
    assert kinds["function"] > 250
    assert kinds["error"] > 300
    assert sum(form == "code" for _, form, _ in sources(made)) > 400
    text = "\n".join(source for *_, source in sources(made))
    assert all(f"`%{command.name}" in text for command in COMMANDS)


def test_every_cell_has_an_id_of_its_own(made: dict[str, Any]) -> None:
    ids = [name for name, *_ in sources(made)]
    assert len(set(ids)) == len(ids)
    assert all(0 < len(name) <= 64 for name in ids)


def test_what_is_saved_ran_without_errors() -> None:
    saved = json.loads(SAVED.read_text(encoding="utf-8"))
    outputs = [(cell["id"], output) for cell in saved["cells"] for output in cell.get("outputs", ())]
    assert len(outputs) > 400
    assert not [name for name, output in outputs if output["output_type"] == "error"]
