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
from tests.safety.conftest import Place

NAMED = (
    *("include '{}'", "contain '{}'", "require '{}'", "class {{ '{}': }}", "defined('{}')", "call('{}')"),
    *("create_resources('{}', {{ 'a' => {{}} }})", "ensure_resource('{}', 'a', {{}})", "lookup('{}')"),
    *("ensure_resources('{}', {{ 'a' => {{}} }})", "load_module_metadata('{}')", "module_directory('{}')"),
    *("get_module_path('{}')", "lookup('{}::key', {{ 'default_value' => 1 }})", "Resource['{}', 'a']"),
)
OPENED = (
    *("file('{}')", "file('{}', 'm/motd')", "find_file('{}')", "find_template('{}')", "epp('{}')"),
    *("binary_file('{}')", "loadyaml('{}', 1)", "loadjson('{}', 1)", "template('{}')", "glob('{}')"),
    *("glob('{}*')", "find_file(['{}', 'm/motd'])"),
)
# what stands for the folder outside
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
PROGRAMS = [(call, name) for call in NAMED for name in NAMES] + [
    (call, path) for call in OPENED for path in PATHS
]


def said(place: Place, dialect: str, source: str) -> Any:
    """Return everything that a session reports about a program."""
    session = Session(dialect, modulepath=[str(place.modules)], facts={}, interactive=True)
    outcome = session.run(source)
    error = outcome.error and (str(outcome.error), outcome.error.help, outcome.error.suggestion)
    return outcome.text, error, [log.message for log in outcome.logs], session.catalog().summary()


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_programs(place: Place, dialect: str) -> None:
    assert len(PROGRAMS) >= 200
    sources = [call.format(name.format(place.outside)) for call, name in PROGRAMS]
    without = [said(place, dialect, source) for source in sources]
    place.fill()
    for source, before in zip(sources, without, strict=True):
        after = said(place, dialect, source)
        assert after == before, source
        assert "Notify[stolen]" not in str(after), source


def test_commands_completion_and_questions(place: Place) -> None:
    def told() -> list[str]:
        shell = Shell({"modulepath": [str(place.modules)]}, guarded=True)
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
            reply = shell.submit(f"%facts {path.format(place.outside)}")
            texts.append(str(reply.error))
        for command in (
            "%environment {}",
            "%modulepath {}",
            "%hiera {}/hiera.yaml",
            "%exported {}/secret",
            "%environment ../outside/folder",
        ):
            texts.append(str(shell.submit(command.format(place.outside)).error))
        for word in ("m::", "m::folder::", "../outside/", f"{place.outside}/", "m::../"):
            for source in (f"include {word}", f"{word}", f"?{word}", f"include '{word}"):
                texts.append(str([item.text for item in shell.complete(source, len(source)).items]))
                texts.append(str(shell.inspect(source, len(source)) is None))
        return texts

    before = told()
    place.fill()
    assert told() == before
    assert all(line != "None" for line in before[:12])


def test_an_environment_tells_nothing_of_other_places(place: Place) -> None:
    """Neither what its `environment.conf` names and its patterns fit, nor the file itself when it is a link."""
    (place.work / "linked").mkdir()
    (place.work / "linked" / "environment.conf").symlink_to(place.outside / "secret.yaml")
    written = (
        f"modulepath = {place.outside}/*",
        f"modulepath = {place.outside}/folder",
        f"manifest = {place.outside}/secret.pp",
        "manifest = ../../outside/folder",
    )
    for number, line in enumerate(written):
        (place.work / f"e{number}").mkdir()
        (place.work / f"e{number}" / "environment.conf").write_text(line + "\n")

    def told() -> list[str]:
        shell = Shell({}, guarded=True)
        names = ("linked", *(f"e{number}" for number in range(len(written))))
        return [getattr(shell.submit(f"%environment {name}").error, "code", "none") for name in names]

    assert told() == ["PATH_NOT_PERMITTED"] * 5
    place.fill()
    assert told() == ["PATH_NOT_PERMITTED"] * 5


def test_what_an_environment_names_elsewhere_is_not_listed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.work / "e").mkdir()
    (place.work / "e" / "environment.conf").write_text(f"modulepath = modules:{place.outside}\n")
    listed: list[str] = []
    listdir = os.listdir
    monkeypatch.setattr(
        os, "listdir", lambda path=".": listed.append(os.path.realpath(path)) or listdir(path)
    )
    error = Shell({}, guarded=True).submit("%environment e").error
    assert error is not None and error.code == "PATH_NOT_PERMITTED"
    assert str(place.outside) not in listed


def test_commands_wait_for_no_pipe(place: Place) -> None:
    place.fill()
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


def test_what_may_be_reached_is_reached(place: Place) -> None:
    assert said(place, "puppet", "file('linked/motd')")[0] == "'hello'"
    assert said(place, "puppet", "file('/proc/self/cwd/note')")[0] == "'here'"
    assert said(place, "puppet", f"glob('{place.work}/n*')")[0] == f"['{place.work}/note']"
    assert said(place, "puppet", "glob('*')")[0] == "['note', 'pipe']"


@pytest.mark.parametrize("call", ["glob", "find_file", "file", "loadyaml", "include", "module_directory"])
def test_what_is_no_path_at_all_ends_at_once(place: Place, call: str) -> None:
    for text in ("'*/'", "'a/'", "'../'", "'a::'", "'**/'"):
        session = Session("puppet", modulepath=[str(place.modules)], facts={}, interactive=True)
        outcome = session.run(f"{call}(Array(Integer[1, 100000]).map |$n| {{ {text} }}.join(''))")
        assert outcome.seconds < 5 and (outcome.error is None or outcome.error.code != "INTERNAL_ERROR")
    assert said(place, "puppet", f'{call}("a\\u{{0}}b")') == said(place, "spec", f'{call}("a\\u{{0}}b")')


def test_bytes_that_are_no_utf_8_are_placed(place: Place) -> None:
    (place.modules / "m" / "manifests" / "latin.pp").write_bytes(b"class m::latin {\n  notice('\xe9')\n}\n")
    session = Session("puppet", modulepath=[str(place.modules)], facts={})
    error = session.run("include m::latin").error
    path = place.modules / "m" / "manifests" / "latin.pp"
    assert f"invalid byte sequence in UTF-8 (file: {path}, line: 2, column: 11)" in str(error)


# --- trees of links, of any names


NAME = st.sampled_from(["a", "b", "..", ".", "x y", "é", "\udce9", "*", "[", "'"])
TARGET = st.lists(NAME, max_size=5).map("/".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    links=st.dictionaries(st.sampled_from("abcd"), TARGET, max_size=4), path=TARGET, absolute=st.booleans()
)
def test_what_is_inside_stays_inside(
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
    found = sandbox.find_in_module(modulepath, "m", "files", path or "f", kind="")
    if found is not None:
        assert os.path.realpath(found).startswith(f"{inner}")
    runtime = Session("puppet", modulepath=modulepath, facts={}).runtime
    written = str(inner / "files" / path) if absolute else path
    if sandbox.is_inside(runtime.settings, written):
        real = os.path.realpath(written)
        assert any(real.startswith(os.path.realpath(base)) for base in (*modulepath, os.getcwd()))


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_names_are_words_with_colons(text: str) -> None:
    if sandbox.is_name(text):
        assert text.isascii() and text == text.lower()
        assert all(part.isidentifier() for part in text.split("::"))
