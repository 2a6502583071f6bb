"""Commands that tell a session where its program, its modules and its data are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluator.program.settings import EnvironmentDirectory
from evaluator.session import environment as reading
from puppet_kernel.remedies import NOTEBOOK
from puppet_kernel.rendering import views
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name, text in {
        "work/control/manifests/site.pp": "notice('begins') $x = lookup('x')",
        "work/control/hiera.yaml": "version: 5\n",
        "work/control/data/common.yaml": "x: 1\n",
        "work/control/modules/shop/manifests/init.pp": "class shop { notify { 'open': } }",
        "work/open/environment.conf": "modulepath = /etc\n",
        "work/broken/manifests/site.pp": "fail('broken')",
        "work/facts.yaml": "name: web1\nvalues: {kernel: Linux}\n",
        "outside/manifests/site.pp": "",
        "outside/hiera.yaml": "version: 5\n",
        "outside/facts.json": "{}",
        "outside/nodes.json": "[]",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture
def shell(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell of a notebook in the folder `work`."""
    monkeypatch.chdir(repository / "work")
    made = Shell({}, guarded=True, remedies=NOTEBOOK)
    made.lines = []  # type: ignore[attr-defined]
    made.on_log = lambda entry: made.lines.append(render_plain(views.describe_log(entry)))  # type: ignore[attr-defined]
    return made


def shown(reply: Reply) -> str:
    return (
        render_plain(reply.element, 400) if reply.element is not None else ""
    )  # paths of temporary folders are long


def say(shell: Shell, source: str) -> str:
    return shown(shell.submit(source))


def test_an_environment_is_read_once_and_guarded(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two readings a link could be turned to where only the first one asked about."""
    guards = []

    def counting(
        directory: str, base_modulepath: tuple[str, ...], name: str | None, allowed: Any, version: str
    ) -> EnvironmentDirectory:
        guards.append(allowed)
        return environment(directory, base_modulepath, name, allowed, version)

    environment = reading.read_environment
    monkeypatch.setattr(reading, "read_environment", counting)
    assert say(shell, "%environment control") == "nothing to run again"
    assert guards == [shell.can_read]
    shell.submit("1", "a")
    shell.submit("%node web01", "n")
    shell.submit("%diff node db01", "d")
    shell.submit("1", "a")  # in the epoch before the node was set, whose timeline exists
    assert len(guards) == 3 and set(guards) == {shell.can_read}


def test_an_environment_runs_and_is_shown(shell: Shell, repository: Path) -> None:
    assert say(shell, "%environment") == "production"
    assert say(shell, "%environment control") == "nothing to run again"
    assert shell.lines == ["Notice: begins"]  # type: ignore[attr-defined]
    folder = repository / "work" / "control"
    assert say(shell, "%environment").split("\n") == [
        "name       control",
        f"directory  {folder}",
        f"manifest   {folder}/manifests",
        f"modules    {folder}/modules",
    ]
    assert say(shell, "$x + 1") == "2"
    assert "Class[Shop]" in str(shell.submit("include shop") and shell.session.catalog().summary())
    say(shell, "%reset")
    assert say(shell, "$x + 2") == "3"


def test_an_environment_with_an_error_is_not_taken(shell: Shell) -> None:
    assert say(shell, "$y = 1") == "1"
    told = say(shell, "%environment broken")
    assert "broken" in told and "site.pp:1" in told
    assert say(shell, "$y") == "1"
    assert say(shell, "%environment") == "production"
    assert "there is no directory 'none' for an environment" in say(shell, "%environment none")


def test_modules_and_data(shell: Shell) -> None:
    assert say(shell, "%modulepath") == "There is no directory of modules."
    told = say(shell, "include shop")
    assert " ".join(told.split()).endswith("Name the directories of modules with `%modulepath DIRS`.")
    say(shell, "%modulepath control/modules")
    assert say(shell, "%modulepath") == "control/modules"
    assert shell.submit("include shop").error is None
    assert "There is no directory nowhere" in say(shell, "%modulepath nowhere")
    assert say(shell, "%hiera") == "There is no hiera.yaml."
    say(shell, "%hiera control/hiera.yaml")
    assert say(shell, "%hiera") == "control/hiera.yaml"
    assert say(shell, "lookup('x')") == "1"
    assert "There is no file none.yaml" in say(shell, "%hiera none.yaml")


def test_what_other_nodes_export(shell: Shell, repository: Path) -> None:
    assert say(shell, "%exported").startswith("There is no store of exported resources")
    row = {"certname": "db1", "type": "Notify", "title": "a", "exported": True, "parameters": {"message": 1}}
    (repository / "work" / "nodes.json").write_text(json.dumps([row, {**row, "exported": False}]))
    say(shell, "%exported nodes.json")
    assert say(shell, "%exported").split() == ["Notify[a]", "db1"]
    assert shell.submit("Notify <<| |>>").error is None
    assert "message => 1" in say(shell, "%catalog")
    for name, words in {"none.json": "there is no file", "facts.yaml": "not a resource with"}.items():
        assert words in str(shell.submit(f"%exported {name}").error)
    assert say(shell, "%exported").split() == ["Notify[a]", "db1"]


def test_facts_name_the_node(shell: Shell) -> None:
    say(shell, "%facts facts.yaml")
    assert say(shell, "%node") == "web1"
    assert say(shell, "$facts") == "{'kernel' => 'Linux'}"


@pytest.mark.parametrize(
    "command",
    [
        "%environment ../outside",
        "%environment open",
        "%modulepath ../outside",
        "%modulepath control/modules:/etc",
        "%hiera ../outside/hiera.yaml",
        "%facts ../outside/facts.json",
        "%exported ../outside/nodes.json",
    ],
)
def test_a_notebook_leads_only_where_its_programs_may_read(shell: Shell, command: str) -> None:
    reply = shell.submit(command)
    assert reply.error is not None and reply.error.code == "PATH_NOT_PERMITTED"
    assert "PUPPET_KERNEL_ALLOW=files" in shown(reply)
    permitted = Shell({"permissions": ["files"]}, guarded=True)
    assert permitted.submit(command).error is None
    assert Shell({}).submit(command).error is None  # a person at a terminal knows what they type


@pytest.mark.parametrize(
    ("typed", "found"),
    [("%environment c", ["control"]), ("%modulepath o", ["open"]), ("%hiera f", ["facts.yaml"])],
)
def test_paths_are_completed(shell: Shell, typed: str, found: list[str]) -> None:
    assert [item.text for item in shell.complete(typed, len(typed)).items] == found


def test_what_an_environment_logs_is_told_once(repository: Path) -> None:
    lines: list[str] = []
    shell = Shell({"environment": str(repository / "work" / "control")})
    shell.on_log = lambda entry: lines.append(entry.message)
    say(shell, "1")
    say(shell, "2")
    assert lines == ["begins"]
