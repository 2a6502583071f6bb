"""A notebook comes in a folder that somebody else has filled: its links lead nowhere, its commands write nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_kernel.rendering.elements import TextElement
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from tests.safety.conftest import Place


@pytest.fixture
def linked(place: Place) -> Place:
    """Modules in the working folder, and in an environment there, of which one is a link that leads out."""
    (place.outside / "manifests").mkdir()
    for folder in ("modules", "env/modules"):
        (place.work / folder / "own" / "manifests").mkdir(parents=True)
        (place.work / folder / "own" / "manifests" / "init.pp").write_text("class own { }\n")
        (place.work / folder / "others").symlink_to(place.outside)
    return place


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize("command", ["%modulepath modules", "%modulepath {}/modules", "%environment env"])
def test_a_link_among_modules_that_a_command_names_leads_nowhere(
    linked: Place, command: str, dialect: str
) -> None:
    """A module that is a link is for whoever starts the kernel to name: a notebook could bring links to anywhere."""
    folder = "env/modules" if "env" in command else "modules"
    sources = (
        command.format(linked.work),
        *("include others", "file('others/motd')", f"file('{linked.work}/{folder}/others/secret')"),
        *(
            f"%load {folder}/others/secret",
            f"%run {folder}/others/manifests/init.pp",
            "module_directory('others')",
        ),
        *(f"find_file('{linked.work}/{folder}/others/secret')", f"glob('{linked.work}/{folder}/others/*')"),
    )

    def told() -> list[str]:
        shell = Shell({"dialect": dialect, "facts": {}}, guarded=True)
        replies = [shell.submit(source) for source in sources]
        assert replies[0].error is not None and replies[0].error.code == "PATH_NOT_PERMITTED"
        return [
            f"{reply.error and reply.error.code} {render_plain(reply.element or TextElement())} {reply.next_input}"
            for reply in replies
        ]

    before = told()
    linked.fill()
    (linked.outside / "manifests" / "init.pp").write_text("class others { notify { 'stolen': } }\n")
    assert told() == before
    permitted = Shell({"dialect": dialect, "permissions": ["files"]}, guarded=True)
    assert permitted.submit(sources[0]).error is None
    assert permitted.submit("include others").error is None


def test_modules_that_are_links_within_the_folder_are_modules(place: Place) -> None:
    (place.work / "src" / "manifests").mkdir(parents=True)
    (place.work / "src" / "manifests" / "init.pp").write_text("class near { }\n")
    (place.work / "modules").mkdir()
    (place.work / "modules" / "near").symlink_to("../src")
    shell = Shell({"facts": {}}, guarded=True)
    assert shell.submit("%modulepath modules").error is None
    assert shell.submit("include near").error is None


def test_a_module_path_that_the_kernel_was_started_with_may_hold_links(linked: Place) -> None:
    (linked.outside / "manifests" / "init.pp").write_text("class others { }\n")
    modules = [str(linked.work / "modules")]
    shell = Shell({"facts": {}, "modulepath": modules}, guarded=True)
    for source in ("include others", f"%modulepath {modules[0]}", "%environment env", "%node web01"):
        error = shell.submit(source).error
        assert (error is None) == (source != "%environment env"), source


@pytest.mark.parametrize("command", ["%save a.pp", "%save a.ipynb --force", "%graph --svg a.svg"])
def test_commands_of_a_notebook_write_nothing(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / command.split()[-1 if "graph" in command else 1]
    path.write_text("kept")
    for permissions, written in ((), False), (("files",), "--force" in command or "graph" in command):
        shell = Shell({"facts": {}, "permissions": permissions}, guarded=True)
        assert shell.submit("notify { 'a': }").error is None
        shell.submit(command)
        assert (path.read_text() != "kept") == written
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
