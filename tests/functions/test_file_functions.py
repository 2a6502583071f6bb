"""Functions read files only below the module path and the working folder."""

from __future__ import annotations

import os
import pathlib

import pytest

from evaluator import Session

SPELLINGS = [
    "/etc/hostname",
    "//etc/hostname",
    "/etc/../etc/hostname",
    "/proc/self/environ",
    "/dev/zero",
    "m/../../secret",
    "m/./../../../secret",
    "../secret",
    "m/link_out",
    "m/../m/files/../../../secret",
    "~/.profile",
    "m//etc/hostname",
]


@pytest.fixture
def modules(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    (tmp_path / "secret").write_text("secret")
    root = tmp_path / "modules"
    for folder in ("files", "templates"):
        (root / "m" / folder).mkdir(parents=True)
        (root / "m" / folder / "link_out").symlink_to(tmp_path / "secret")
    (root / "m" / "files" / "motd").write_text("hello")
    (root / "m" / "templates" / "motd.epp").write_text("<%- | $who | -%>\nHello <%= $who %>")
    os.mkfifo(root / "m" / "files" / "pipe")
    work = tmp_path / "work"
    work.mkdir()
    (work / "note").write_text("here")
    monkeypatch.chdir(work)
    return root


def run(modules: pathlib.Path, source: str):
    return Session("puppet", modulepath=[str(modules)], facts={}, interactive=True).run(source)


def test_functions_read_files_of_modules(modules: pathlib.Path) -> None:
    assert run(modules, "file('m/nope', 'm/motd')").text == "'hello'"
    assert run(modules, "epp('m/motd', { 'who' => 'you' })").text == "'Hello you'"
    assert run(modules, "find_file('m/motd')").text == f"'{modules}/m/files/motd'"
    assert run(modules, "module_directory('nope', 'm')").text == f"'{modules}/m'"


def test_functions_read_files_of_the_working_folder(modules: pathlib.Path) -> None:
    assert run(modules, f"file('{os.getcwd()}/note')").text == "'here'"


@pytest.mark.parametrize(
    "call", ["file('{}')", "binary_file('{}')", "epp('{}')", "loadyaml('{}')", "loadjson('{}', 1)"]
)
@pytest.mark.parametrize("path", SPELLINGS)
def test_functions_read_no_other_file(modules: pathlib.Path, call: str, path: str) -> None:
    outcome = run(modules, call.format(path))
    assert outcome.error is not None or outcome.text in ("1", "undef")
    assert "secret" not in str(outcome.text)


def test_a_permitted_folder_does_not_permit_one_with_a_longer_name(
    modules: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    for folder in (tmp_path / "work.old", modules / "m.old"):
        folder.mkdir()
        (folder / "note").write_text("secret")
    (modules / "m" / "files" / "link_beside").symlink_to(modules / "m.old" / "note")
    for path in (tmp_path / "work.old" / "note", "m/link_beside"):
        assert "Could not find" in str(run(modules, f"file('{path}')").error)


def test_paths_with_null_bytes_and_pipes_are_refused(modules: pathlib.Path) -> None:
    assert run(modules, 'file("m/motd\\u{0}")').error is not None
    assert "regular file" in str(run(modules, "file('m/pipe')").error)


@pytest.mark.parametrize(
    "call", ["generate('/bin/true')", "inline_template('x')", "find_file('/etc/passwd')"]
)
def test_a_call_without_permission_names_the_permission(modules: pathlib.Path, call: str) -> None:
    error = run(modules, call).error
    assert error.code == "NOT_PERMITTED" and "switches it on" in str(error)
    assert error.needs == f"permission:{error.arguments['permission']}" and "permission `" in error.help


def test_a_module_may_be_a_link(modules: pathlib.Path, tmp_path: pathlib.Path) -> None:
    module_path = tmp_path / "linked"
    module_path.mkdir()
    (module_path / "m").symlink_to(modules / "m")
    assert run(module_path, "file('m/motd')").text == "'hello'"
    assert run(module_path, "file('m/link_out')").error is not None
