"""Commands that run, load and write files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_kernel.shell import Shell
from tests.sessions.displayed import render_reply


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder with two manifests, of which one has errors."""
    (tmp_path / "site.pp").write_text('$port = 80\nnotify { "on ${port}": }\n')
    (tmp_path / "bad.pp").write_text("1 +\n2 + 'x'\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_manifest_runs_as_a_cell(folder: Path) -> None:
    shell = Shell({})
    assert "+ notify { 'on 80':" in render_reply(shell.submit("%run site.pp", "a", 1))
    assert [cell.cell_id for cell in shell.session.cells] == ["a"]
    (folder / "site.pp").write_text("$port = 90\n")
    shell.submit("%run site.pp", "a", 2)
    assert dict(shell.session.assistant.iterate_variables())["port"] == 90


def test_errors_of_a_manifest_name_the_file(folder: Path) -> None:
    reply = Shell({}).submit("%run bad.pp")
    assert reply.error is not None
    assert f"{folder}/bad.pp:2:5" in render_reply(reply)


def test_the_example_of_a_module_runs_as_a_program(folder: Path) -> None:
    """Only a file that is autoloaded by a name must define just that name."""
    file = folder / "modules" / "web" / "examples" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text("notify { 'so': }\nclass other { }\n")
    reply = Shell({}).submit("%run modules/web/examples/init.pp")
    assert reply.error is None
    assert "+ notify { 'so': }" in render_reply(reply)


def test_a_file_is_loaded_as_the_next_input(folder: Path) -> None:
    shell = Shell({})
    assert shell.submit("%load site.pp").next_input == '$port = 80\nnotify { "on ${port}": }'
    assert shell.session.cells == []


CELLS = ["$a = 1", "notice($a)\nnotify { 'n': }", "'```'"]


@pytest.mark.parametrize("name", ["a.pp", "a.ipynb", "a.md"])
def test_cells_are_written_in_each_format(folder: Path, name: str) -> None:
    shell = Shell({})
    for cell in CELLS:
        shell.submit(cell)
    shell.submit("1 +")
    assert render_reply(shell.submit(f"%save {name}")) == f"3 cells written to {name}"
    text = (folder / name).read_text()
    if name == "a.ipynb":
        assert ["".join(cell["source"]) for cell in json.loads(text)["cells"]] == CELLS
    elif name == "a.pp":
        assert text == "\n\n".join(CELLS) + "\n"
        assert Shell({}).submit(f"%run {name}").error is None
    else:
        assert "```puppet\nnotice($a)\nnotify { 'n': }\n```" in text
        assert "```text\nNotice: 1\n+ notify { 'n': }\n```" in text
        assert "````puppet\n'```'\n````" in text


def test_existing_files_are_not_replaced_without_force(folder: Path) -> None:
    shell = Shell({})
    shell.submit("1")
    before = (folder / "site.pp").read_text()
    assert "already exists" in render_reply(shell.submit("%save site.pp"))
    assert (folder / "site.pp").read_text() == before
    assert "1 cell written" in render_reply(shell.submit("%save site.pp --force"))
    assert "cannot be written" in render_reply(shell.submit("%save no/such/folder.pp"))
    assert "takes a file whose name ends in .pp, .ipynb, .md" in render_reply(shell.submit("%save a.txt"))
    assert sorted(path.name for path in folder.iterdir()) == ["bad.pp", "site.pp"]


def test_a_failed_write_leaves_all_files_unchanged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    before, shell = {path: path.read_text() for path in folder.iterdir()}, Shell({})
    shell.submit("1 + 1")
    monkeypatch.setattr("os.replace", fail)
    assert "cannot be written" in render_reply(shell.submit("%save site.pp --force"))
    assert {path: path.read_text() for path in folder.iterdir()} == before


def test_a_notebook_writes_files_only_with_permission(folder: Path) -> None:
    reply = Shell({}, guarded=True).submit("%save a.pp")
    assert reply.error is not None
    assert reply.error.code == "PATH_NOT_PERMITTED"
    assert Shell({"permissions": ("files",)}, guarded=True).submit("%save a.pp").error is None


@pytest.mark.parametrize("command", ["%run", "%load"])
def test_an_unreadable_file_is_an_error(folder: Path, command: str) -> None:
    shell = Shell({}, guarded=True)
    assert "There is no file no.pp" in render_reply(shell.submit(f"{command} no.pp"))
    assert "takes a file" in render_reply(shell.submit(command))
    outside = shell.submit(f"{command} /etc/hostname")
    assert outside.error is not None
    assert outside.error.code == "PATH_NOT_PERMITTED"
    (folder / "latin.pp").write_bytes(b"'\xe4'")
    assert "UTF-8" in render_reply(shell.submit(f"{command} latin.pp"))
