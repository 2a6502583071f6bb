"""Commands that set the environment, the modules and the data of a session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluator.program.settings import EnvironmentDirectory
from evaluator.session import environment as environment_module
from puppet_kernel.remedies import NOTEBOOK
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from tests.files import write_files


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a folder with environments in `work`, and files in `outside`."""
    return write_files(
        tmp_path,
        {
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
        },
    )


@pytest.fixture
def shell(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a guarded shell of a notebook in the folder `work`."""
    monkeypatch.chdir(repository / "work")
    return Shell({}, guarded=True, remedies=NOTEBOOK)


def render_wide_reply(reply: Reply) -> str:
    """Return the output of a reply as text, wide enough for paths of temporary folders."""
    return "" if reply.element is None else render_plain(reply.element, 400)


def render_output(shell: Shell, source: str) -> str:
    """Return the output of an input as text."""
    return render_wide_reply(shell.submit(source))


def test_an_environment_is_read_once_and_guarded(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two reads a link could be replaced by one to a file that was not checked."""
    guards = []

    def record_guard(
        directory: str, base_modulepath: tuple[str, ...], name: str | None, allowed: Any, version: str
    ) -> EnvironmentDirectory:
        guards.append(allowed)
        return read_environment(directory, base_modulepath, name, allowed, version)

    read_environment = environment_module.read_environment
    monkeypatch.setattr(environment_module, "read_environment", record_guard)
    assert render_output(shell, "%environment control") == "nothing to run again"
    assert guards == [shell.can_read]
    shell.submit("1", "a")
    shell.submit("%node web01", "n")
    shell.submit("%diff node db01", "d")
    shell.submit("1", "a")  # in the epoch before the node was set, whose timeline exists
    assert len(guards) == 3 and set(guards) == {shell.can_read}


def test_the_manifests_of_an_environment_run_and_its_paths_are_shown(
    shell: Shell, log_lines: list[str], repository: Path
) -> None:
    assert render_output(shell, "%environment") == "production"
    assert render_output(shell, "%environment control") == "nothing to run again"
    assert log_lines == ["Notice: begins"]
    folder = repository / "work" / "control"
    assert render_output(shell, "%environment").split("\n") == [
        "name       control",
        f"directory  {folder}",
        f"manifest   {folder}/manifests",
        f"modules    {folder}/modules",
    ]
    assert render_output(shell, "$x + 1") == "2"
    assert "Class[Shop]" in str(shell.submit("include shop") and shell.session.catalog().summary())
    render_output(shell, "%reset")
    assert render_output(shell, "$x + 2") == "3"


def test_an_environment_with_an_error_is_not_used(shell: Shell) -> None:
    assert render_output(shell, "$y = 1") == "1"
    output = render_output(shell, "%environment broken")
    assert "broken" in output and "site.pp:1" in output
    assert render_output(shell, "$y") == "1"
    assert render_output(shell, "%environment") == "production"
    assert "there is no directory 'none' for an environment" in render_output(shell, "%environment none")


def test_module_paths_and_data_are_set_and_shown(shell: Shell) -> None:
    assert render_output(shell, "%modulepath") == "There is no directory of modules."
    output = render_output(shell, "include shop")
    assert " ".join(output.split()).endswith("Name the directories of modules with `%modulepath DIRS`.")
    render_output(shell, "%modulepath control/modules")
    assert render_output(shell, "%modulepath") == "control/modules"
    assert shell.submit("include shop").error is None
    assert "There is no directory nowhere" in render_output(shell, "%modulepath nowhere")
    assert render_output(shell, "%hiera") == "There is no hiera.yaml."
    render_output(shell, "%hiera control/hiera.yaml")
    assert render_output(shell, "%hiera") == "control/hiera.yaml"
    assert render_output(shell, "lookup('x')") == "1"
    assert "There is no file none.yaml" in render_output(shell, "%hiera none.yaml")


def test_exported_resources_of_other_nodes_are_read_and_listed(shell: Shell, repository: Path) -> None:
    assert render_output(shell, "%exported").startswith("There is no store of exported resources")
    row = {"certname": "db1", "type": "Notify", "title": "a", "exported": True, "parameters": {"message": 1}}
    (repository / "work" / "nodes.json").write_text(json.dumps([row, {**row, "exported": False}]))
    render_output(shell, "%exported nodes.json")
    assert render_output(shell, "%exported").split() == ["Notify[a]", "db1"]
    assert shell.submit("Notify <<| |>>").error is None
    assert "message => 1" in render_output(shell, "%catalog")
    for name, message in {"none.json": "there is no file", "facts.yaml": "not a resource with"}.items():
        assert message in str(shell.submit(f"%exported {name}").error)
    assert render_output(shell, "%exported").split() == ["Notify[a]", "db1"]


def test_a_file_of_facts_sets_the_node(shell: Shell) -> None:
    render_output(shell, "%facts facts.yaml")
    assert render_output(shell, "%node") == "web1"
    assert render_output(shell, "$facts") == "{'kernel' => 'Linux'}"


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
def test_commands_of_a_notebook_read_only_permitted_paths(shell: Shell, command: str) -> None:
    reply = shell.submit(command)
    assert reply.error is not None and reply.error.code == "PATH_NOT_PERMITTED"
    assert "PUPPET_KERNEL_ALLOW=files" in render_wide_reply(reply)
    permitted = Shell({"permissions": ["files"]}, guarded=True)
    assert permitted.submit(command).error is None
    assert Shell({}).submit(command).error is None  # a terminal is not guarded


@pytest.mark.parametrize(
    ("source", "expected"),
    [("%environment c", ["control"]), ("%modulepath o", ["open"]), ("%hiera f", ["facts.yaml"])],
)
def test_paths_are_completed(shell: Shell, source: str, expected: list[str]) -> None:
    assert [item.text for item in shell.complete(source, len(source)).items] == expected


def test_logs_of_an_environment_are_reported_once(repository: Path) -> None:
    lines: list[str] = []
    shell = Shell({"environment": str(repository / "work" / "control")})
    shell.on_log = lambda entry: lines.append(entry.message)
    render_output(shell, "1")
    render_output(shell, "2")
    assert lines == ["begins"]
