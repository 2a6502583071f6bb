"""A notebook in a folder from somebody else: links in it are not followed, and its commands write no files."""

from __future__ import annotations

from pathlib import Path

import pytest

from puppet_kernel.rendering.elements import TextElement
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from tests.safety.conftest import Folders


@pytest.fixture
def linked_folders(folders: Folders) -> Folders:
    """The folders with a module path and an environment in which one module is a link to the folder outside."""
    (folders.outside / "manifests").mkdir()
    for folder in ("modules", "env/modules"):
        (folders.work / folder / "own" / "manifests").mkdir(parents=True)
        (folders.work / folder / "own" / "manifests" / "init.pp").write_text("class own { }\n")
        (folders.work / folder / "others").symlink_to(folders.outside)
    return folders


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize("command", ["%modulepath modules", "%modulepath {}/modules", "%environment env"])
def test_links_in_a_module_path_from_a_command_are_not_followed(
    linked_folders: Folders, command: str, dialect: str
) -> None:
    """Only the user who starts the kernel may name such a path: a notebook could contain links to anywhere."""
    folder = "env/modules" if "env" in command else "modules"
    sources = (
        command.format(linked_folders.work),
        *("include others", "file('others/motd')", f"file('{linked_folders.work}/{folder}/others/secret')"),
        *(
            f"%load {folder}/others/secret",
            f"%run {folder}/others/manifests/init.pp",
            "module_directory('others')",
        ),
        *(
            f"find_file('{linked_folders.work}/{folder}/others/secret')",
            f"glob('{linked_folders.work}/{folder}/others/*')",
        ),
    )

    def collect_replies() -> list[str]:
        shell = Shell({"dialect": dialect, "facts": {}}, guarded=True)
        replies = [shell.submit(source) for source in sources]
        assert replies[0].error is not None and replies[0].error.code == "PATH_NOT_PERMITTED"
        return [
            f"{reply.error and reply.error.code} {render_plain(reply.element or TextElement())} {reply.next_input}"
            for reply in replies
        ]

    before = collect_replies()
    linked_folders.fill()
    (linked_folders.outside / "manifests" / "init.pp").write_text("class others { notify { 'stolen': } }\n")
    assert collect_replies() == before
    permitted = Shell({"dialect": dialect, "permissions": ["files"]}, guarded=True)
    assert permitted.submit(sources[0]).error is None
    assert permitted.submit("include others").error is None


def test_links_to_modules_within_the_folder_are_followed(folders: Folders) -> None:
    (folders.work / "src" / "manifests").mkdir(parents=True)
    (folders.work / "src" / "manifests" / "init.pp").write_text("class near { }\n")
    (folders.work / "modules").mkdir()
    (folders.work / "modules" / "near").symlink_to("../src")
    shell = Shell({"facts": {}}, guarded=True)
    assert shell.submit("%modulepath modules").error is None
    assert shell.submit("include near").error is None


def test_links_in_the_module_path_of_the_kernel_are_followed(linked_folders: Folders) -> None:
    (linked_folders.outside / "manifests" / "init.pp").write_text("class others { }\n")
    modules = [str(linked_folders.work / "modules")]
    shell = Shell({"facts": {}, "modulepath": modules}, guarded=True)
    for source in ("include others", f"%modulepath {modules[0]}", "%environment env", "%node web01"):
        error = shell.submit(source).error
        assert (error is None) == (source != "%environment env"), source


@pytest.mark.parametrize("command", ["%save a.pp", "%save a.ipynb --force", "%graph --svg a.svg"])
def test_commands_of_a_notebook_write_no_files(
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
