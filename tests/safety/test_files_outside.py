"""The output of a program or command is the same whether a file outside exists or not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluator import Session
from evaluator.program import sandbox
from puppet_kernel.shell import Shell
from tests.safety.conftest import Folders

CALLS_WITH_NAMES = (
    *("include '{}'", "contain '{}'", "require '{}'", "class {{ '{}': }}", "defined('{}')", "call('{}')"),
    *("create_resources('{}', {{ 'a' => {{}} }})", "ensure_resource('{}', 'a', {{}})", "lookup('{}')"),
    *("ensure_resources('{}', {{ 'a' => {{}} }})", "load_module_metadata('{}')", "module_directory('{}')"),
    *("get_module_path('{}')", "lookup('{}::key', {{ 'default_value' => 1 }})", "Resource['{}', 'a']"),
)
CALLS_WITH_PATHS = (
    *("file('{}')", "file('{}', 'm/motd')", "find_file('{}')", "find_template('{}')", "epp('{}')"),
    *("binary_file('{}')", "loadyaml('{}', 1)", "loadjson('{}', 1)", "template('{}')", "glob('{}')"),
    *("glob('{}*')", "find_file(['{}', 'm/motd'])"),
)
# names and paths of files in the folder outside; `{}` is its path
NAMES = (
    *(
        "m::../../../outside/secret",
        "m::{}/secret",
        "::m::{}/secret",
        "{}/secret",
        "../outside/secret",
        "m::stolen",
    ),
    *("m::folder::secret", "m/../../outside/secret", "../outside", "m::..::..::..::outside::secret"),
)
PATHS = (
    *("{}/secret", "/{}/secret", "{}/./secret", "{}/x/../secret", "{}//secret", "m/link", "m/folder/secret"),
    *("m/{}/secret", "m/../../outside/secret", "m//{}/secret", "linked/link", "linked/folder/secret"),
    *("/proc/self/cwd/../outside/secret", "{}/../outside/secret", "../outside/secret", "./link", "link"),
)
PROGRAMS = [(call, name) for call in CALLS_WITH_NAMES for name in NAMES] + [
    (call, path) for call in CALLS_WITH_PATHS for path in PATHS
]


def run_program(folders: Folders, dialect: str, source: str) -> Any:
    """Return everything that a session reports about a program: value, error, log lines and catalog."""
    session = Session(dialect, modulepath=[str(folders.modules)], facts={}, interactive=True)
    outcome = session.run(source)
    error = outcome.error and (str(outcome.error), outcome.error.help, outcome.error.suggestion)
    return outcome.text, error, [log.message for log in outcome.logs], session.catalog().summary()


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_programs_do_not_reveal_files_outside(folders: Folders, dialect: str) -> None:
    assert len(PROGRAMS) >= 200
    sources = [call.format(name.format(folders.outside)) for call, name in PROGRAMS]
    without = [run_program(folders, dialect, source) for source in sources]
    folders.fill()
    for source, before in zip(sources, without, strict=True):
        after = run_program(folders, dialect, source)
        assert after == before, source
        assert "Notify[stolen]" not in str(after), source


def test_commands_completion_and_inspection_do_not_reveal_files_outside(folders: Folders) -> None:
    def collect_errors() -> list[str]:
        shell = Shell({"modulepath": [str(folders.modules)]}, guarded=True)
        texts = []
        for path in (
            "{}/secret.yaml",
            "facts.yaml",
            "{}/secret",
            "../outside/secret.json",
            "link",
            "pipe",
            "{}",
        ):
            reply = shell.submit(f"%facts {path.format(folders.outside)}")
            texts.append(str(reply.error))
        for command in (
            "%environment {}",
            "%modulepath {}",
            "%hiera {}/hiera.yaml",
            "%exported {}/secret",
            "%environment ../outside/folder",
        ):
            texts.append(str(shell.submit(command.format(folders.outside)).error))
        for word in ("m::", "m::folder::", "../outside/", f"{folders.outside}/", "m::../"):
            for source in (f"include {word}", f"{word}", f"?{word}", f"include '{word}"):
                texts.append(str([item.text for item in shell.complete(source, len(source)).items]))
                texts.append(str(shell.inspect(source, len(source)) is None))
        return texts

    before = collect_errors()
    folders.fill()
    assert collect_errors() == before
    assert all(line != "None" for line in before[:12])


def test_an_environment_does_not_reveal_files_outside(folders: Folders) -> None:
    """This holds for the paths and patterns in `environment.conf`, and for the file itself if it is a link."""
    (folders.work / "linked").mkdir()
    (folders.work / "linked" / "environment.conf").symlink_to(folders.outside / "secret.yaml")
    lines = (
        f"modulepath = {folders.outside}/*",
        f"modulepath = {folders.outside}/folder",
        f"manifest = {folders.outside}/secret.pp",
        "manifest = ../../outside/folder",
    )
    for number, line in enumerate(lines):
        (folders.work / f"e{number}").mkdir()
        (folders.work / f"e{number}" / "environment.conf").write_text(line + "\n")

    def collect_errors() -> list[str]:
        shell = Shell({}, guarded=True)
        names = ("linked", *(f"e{number}" for number in range(len(lines))))
        return [getattr(shell.submit(f"%environment {name}").error, "code", "none") for name in names]

    assert collect_errors() == ["PATH_NOT_PERMITTED"] * 5
    folders.fill()
    assert collect_errors() == ["PATH_NOT_PERMITTED"] * 5


def test_a_folder_outside_that_an_environment_names_is_not_listed(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folders.work / "e").mkdir()
    (folders.work / "e" / "environment.conf").write_text(f"modulepath = modules:{folders.outside}\n")
    listed_folders: list[str] = []
    listdir = os.listdir
    monkeypatch.setattr(
        os, "listdir", lambda path=".": listed_folders.append(os.path.realpath(path)) or listdir(path)
    )
    error = Shell({}, guarded=True).submit("%environment e").error
    assert error is not None and error.code == "PATH_NOT_PERMITTED"
    assert str(folders.outside) not in listed_folders


def test_commands_do_not_wait_for_a_pipe(folders: Folders) -> None:
    folders.fill()
    for guarded in (True, False):
        shell = Shell({}, guarded=guarded)
        for command in (
            "%facts pipe",
            "%hiera pipe",
            "%environment pipe",
            "%modulepath pipe",
            "%exported pipe",
        ):
            assert shell.submit(command).error is not None


def test_permitted_files_are_read(folders: Folders) -> None:
    assert run_program(folders, "puppet", "file('linked/motd')")[0] == "'hello'"
    assert run_program(folders, "puppet", "file('/proc/self/cwd/note')")[0] == "'here'"
    assert run_program(folders, "puppet", f"glob('{folders.work}/n*')")[0] == f"['{folders.work}/note']"
    assert run_program(folders, "puppet", "glob('*')")[0] == "['note', 'pipe']"


@pytest.mark.parametrize("call", ["glob", "find_file", "file", "loadyaml", "include", "module_directory"])
def test_malformed_paths_are_refused_in_time(folders: Folders, call: str) -> None:
    for text in ("'*/'", "'a/'", "'../'", "'a::'", "'**/'"):
        session = Session("puppet", modulepath=[str(folders.modules)], facts={}, interactive=True)
        outcome = session.run(f"{call}(Array(Integer[1, 100000]).map |$n| {{ {text} }}.join(''))")
        assert outcome.seconds < 5 and (outcome.error is None or outcome.error.code != "INTERNAL_ERROR")
    assert run_program(folders, "puppet", f'{call}("a\\u{{0}}b")') == run_program(
        folders, "spec", f'{call}("a\\u{{0}}b")'
    )


def test_invalid_utf_8_is_reported_with_its_position(folders: Folders) -> None:
    (folders.modules / "m" / "manifests" / "latin.pp").write_bytes(b"class m::latin {\n  notice('\xe9')\n}\n")
    session = Session("puppet", modulepath=[str(folders.modules)], facts={})
    error = session.run("include m::latin").error
    path = folders.modules / "m" / "manifests" / "latin.pp"
    assert f"invalid byte sequence in UTF-8 (file: {path}, line: 2, column: 11)" in str(error)


# --- trees of links, of any names


NAME = st.sampled_from(["a", "b", "..", ".", "x y", "é", "\udce9", "*", "[", "'"])
TARGET = st.lists(NAME, max_size=5).map("/".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    links=st.dictionaries(st.sampled_from("abcd"), TARGET, max_size=4), path=TARGET, absolute=st.booleans()
)
def test_links_never_lead_outside(
    tmp_path_factory: pytest.TempPathFactory, links: dict[str, str], path: str, absolute: bool
) -> None:
    root = Path(os.path.realpath(tmp_path_factory.mktemp("tree")))
    inner = root / "modules" / "m"
    (inner / "files").mkdir(parents=True)
    (inner / "files" / "f").write_text("inside")
    (root / "secret").write_text("secret")
    for name, target in links.items():
        (inner / "files" / name).symlink_to(target or "/")
    modulepath = (str(root / "modules"),)
    path_in_module = sandbox.find_in_module(modulepath, "m", "files", path or "f", kind="")
    if path_in_module is not None:
        assert os.path.realpath(path_in_module).startswith(f"{inner}")
    runtime = Session("puppet", modulepath=modulepath, facts={}).runtime
    lines = str(inner / "files" / path) if absolute else path
    if sandbox.is_inside(runtime.settings, lines):
        real = os.path.realpath(lines)
        assert any(real.startswith(os.path.realpath(base)) for base in (*modulepath, os.getcwd()))


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_a_name_consists_of_lower_case_words_and_colons(text: str) -> None:
    if sandbox.is_name(text):
        assert text.isascii() and text == text.lower()
        assert all(part.isidentifier() for part in text.split("::"))
