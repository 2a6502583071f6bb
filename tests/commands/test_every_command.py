"""Every command is documented, completed, tested and shown in a notebook."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from puppet_kernel.commands.command import COMMANDS, Command
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

ROOT = Path(__file__).parents[2]
NOTEBOOKS = [json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "notebooks").glob("*.ipynb")]
TESTS = "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)
)
# what is named freely: a node, a key of the data, a file that is not there yet, an exercise that is pasted with it
FREE = {"node", "lookup", "save", "check"}
COMMANDS_BY_NAME = [pytest.param(command, id=command.name) for command in COMMANDS]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A session with something of each kind that commands take."""
    for name in ("site.pp", "hiera.yaml", "exported.json"):
        (tmp_path / name).write_text("")
    (tmp_path / "modules").mkdir()
    monkeypatch.chdir(tmp_path)
    found = Shell({})
    found.submit("class web { notify { 'a': } }\ninclude web\n$port = 80")
    found.submit(COMMANDS.find("check").demo)
    return found


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_documented(command: Command, shell: Shell) -> None:
    card = shell.submit(f"%help {command.name}").element
    assert card is not None
    told = render_plain(card)
    assert command.summary and command.summary in " ".join(told.split())
    assert told.startswith(command.usage)
    needs_example = command.arguments and command.name not in ("dialect", "check")
    assert all(example in told for example in command.examples) and (command.examples or not needs_example)


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_completed(command: Command, shell: Shell) -> None:
    typed = f"%{command.name[:-1]}"
    assert f"%{command.name}" in [item.text for item in shell.complete(typed, len(typed)).items]
    if not command.arguments or command.name in FREE:
        return
    typed = f"%{command.name} "
    typed += "noti" if command.takes_code else ""
    assert [item.text for item in shell.complete(typed, len(typed)).items]


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_tested(command: Command) -> None:
    assert re.search(rf"%{command.name}\b", TESTS)


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_shown_in_a_notebook(command: Command) -> None:
    kind = "code" if command.runs_demo else "markdown"
    cells = [cell for data in NOTEBOOKS for cell in data["cells"] if cell["cell_type"] == kind]
    shown = [cell for cell in cells if re.search(rf"(?m)^%{command.name}\b", "".join(cell["source"]))]
    assert shown
    quiet = command.name in ("load", "clear") or kind == "markdown"
    assert quiet or any(cell["outputs"] for cell in shown)


def test_the_reference_shows_each_command_once() -> None:
    reference = json.loads((ROOT / "notebooks" / "reference.ipynb").read_text(encoding="utf-8"))
    cells = [cell["id"] for cell in reference["cells"]]
    for command in COMMANDS:
        assert command.demo and cells.count(f"command-{command.name}") == 1
        assert cells.count(f"command-{command.name}-shown") == command.runs_demo
