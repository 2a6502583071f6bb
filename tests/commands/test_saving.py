"""Files of the user: run, loaded for the next input, and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "site.pp").write_text('$port = 80\nnotify { "on ${port}": }\n')
    (tmp_path / "bad.pp").write_text("1 +\n2 + 'x'\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(reply: Reply) -> str:
    return render_plain(reply.element) if reply.element is not None else ""


def test_a_manifest_runs_as_a_cell(folder: Path) -> None:
    desk = Shell({})
    assert "+ notify { 'on 80':" in said(desk.submit("%run site.pp", "a", 1))
    assert [cell.cell_id for cell in desk.session.cells] == ["a"]
    (folder / "site.pp").write_text("$port = 90\n")
    desk.submit("%run site.pp", "a", 2)
    assert dict(desk.session.assistant.iterate_variables())["port"] == 90


def test_its_mistakes_name_the_file(folder: Path) -> None:
    reply = Shell({}).submit("%run bad.pp")
    assert reply.error is not None
    assert f"{folder}/bad.pp:2:5" in said(reply)


def test_the_example_of_a_module_runs_as_a_program(folder: Path) -> None:
    """Only files that are found by a name may define no more than that name."""
    file = folder / "modules" / "web" / "examples" / "init.pp"
    file.parent.mkdir(parents=True)
    file.write_text("notify { 'so': }\nclass other { }\n")
    reply = Shell({}).submit("%run modules/web/examples/init.pp")
    assert reply.error is None
    assert "+ notify { 'so': }" in said(reply)


def test_a_text_is_loaded_for_the_next_input(folder: Path) -> None:
    desk = Shell({})
    assert desk.submit("%load site.pp").next_input == '$port = 80\nnotify { "on ${port}": }'
    assert desk.session.cells == []


CELLS = ["$a = 1", "notice($a)\nnotify { 'n': }", "'```'"]


@pytest.mark.parametrize("name", ["a.pp", "a.ipynb", "a.md"])
def test_cells_are_written(folder: Path, name: str) -> None:
    desk = Shell({})
    for cell in CELLS:
        desk.submit(cell)
    desk.submit("1 +")
    assert said(desk.submit(f"%save {name}")) == f"3 cells written to {name}"
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


def test_nothing_is_lost(folder: Path) -> None:
    desk = Shell({})
    desk.submit("1")
    before = (folder / "site.pp").read_text()
    assert "already exists" in said(desk.submit("%save site.pp"))
    assert (folder / "site.pp").read_text() == before
    assert "1 cell written" in said(desk.submit("%save site.pp --force"))
    assert "cannot be written" in said(desk.submit("%save no/such/folder.pp"))
    assert "takes a file whose name ends in .pp, .ipynb, .md" in said(desk.submit("%save a.txt"))
    assert sorted(path.name for path in folder.iterdir()) == ["bad.pp", "site.pp"]


def test_a_file_that_cannot_be_replaced_stays_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    before, desk = {path: path.read_text() for path in folder.iterdir()}, Shell({})
    desk.submit("1 + 1")
    monkeypatch.setattr("os.replace", fail)
    assert "cannot be written" in said(desk.submit("%save site.pp --force"))
    assert {path: path.read_text() for path in folder.iterdir()} == before


def test_a_notebook_writes_no_files_unless_it_may(folder: Path) -> None:
    reply = Shell({}, guarded=True).submit("%save a.pp")
    assert reply.error is not None
    assert reply.error.code == "PATH_NOT_PERMITTED"
    assert Shell({"permissions": ("files",)}, guarded=True).submit("%save a.pp").error is None


@pytest.mark.parametrize("command", ["%run", "%load"])
def test_a_file_that_cannot_be_read(folder: Path, command: str) -> None:
    desk = Shell({}, guarded=True)
    assert "There is no file no.pp" in said(desk.submit(f"{command} no.pp"))
    assert "takes a file" in said(desk.submit(command))
    outside = desk.submit(f"{command} /etc/hostname")
    assert outside.error is not None
    assert outside.error.code == "PATH_NOT_PERMITTED"
    (folder / "latin.pp").write_bytes(b"'\xe4'")
    assert "UTF-8" in said(desk.submit(f"{command} latin.pp"))
