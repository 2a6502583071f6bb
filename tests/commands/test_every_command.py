"""Every command is documented, completed, tested and demonstrated in a notebook."""

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
# Their arguments have any names: a node, a key of the data, a new file, an exercise that follows the command.
WITHOUT_COMPLETION = {"node", "lookup", "save", "check"}
COMMANDS_BY_NAME = [pytest.param(command, id=command.name) for command in COMMANDS]


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell with something for the arguments of each command."""
    for name in ("site.pp", "hiera.yaml", "exported.json"):
        (tmp_path / name).write_text("")
    (tmp_path / "modules").mkdir()
    monkeypatch.chdir(tmp_path)
    shell = Shell({})
    shell.submit("class web { notify { 'a': } }\ninclude web\n$port = 80")
    shell.submit(COMMANDS.find("check").demo)
    return shell


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_documented(command: Command, shell: Shell) -> None:
    card = shell.submit(f"%help {command.name}").element
    assert card is not None
    output = render_plain(card)
    assert command.summary and command.summary in " ".join(output.split())
    assert output.startswith(command.usage)
    needs_example = command.arguments and command.name not in ("dialect", "check")
    assert all(example in output for example in command.examples) and (command.examples or not needs_example)


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_completed(command: Command, shell: Shell) -> None:
    source = f"%{command.name[:-1]}"
    assert f"%{command.name}" in [item.text for item in shell.complete(source, len(source)).items]
    if not command.arguments or command.name in WITHOUT_COMPLETION:
        return
    source = f"%{command.name} "
    source += "noti" if command.takes_code else ""
    assert [item.text for item in shell.complete(source, len(source)).items]


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_tested(command: Command) -> None:
    assert re.search(rf"%{command.name}\b", TESTS)


@pytest.mark.parametrize("command", COMMANDS_BY_NAME)
def test_a_command_is_demonstrated_in_a_notebook(command: Command) -> None:
    kind = "code" if command.runs_demo else "markdown"
    cells = [cell for data in NOTEBOOKS for cell in data["cells"] if cell["cell_type"] == kind]
    demos = [cell for cell in cells if re.search(rf"(?m)^%{command.name}\b", "".join(cell["source"]))]
    assert demos
    has_no_output = command.name in ("load", "clear") or kind == "markdown"
    assert has_no_output or any(cell["outputs"] for cell in demos)


def test_the_reference_demonstrates_each_command_once() -> None:
    reference = json.loads((ROOT / "notebooks" / "reference.ipynb").read_text(encoding="utf-8"))
    cells = [cell["id"] for cell in reference["cells"]]
    for command in COMMANDS:
        assert command.demo and cells.count(f"command-{command.name}") == 1
        assert cells.count(f"command-{command.name}-shown") == command.runs_demo
