"""Files that are broken end in a clear error that leads to the file and the line; the session is as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator import Session
from tests.reliability.test_interrupts import seen

LEVELS = "version: 5\nhierarchy:\n  - name: all\n    path: data.yaml\n"
WORD = "caf\u00e9"


def latin(text: str) -> bytes:
    return text.encode("latin-1")


def wide(text: str) -> bytes:
    return text.encode("utf-16")


def put(folder: Path, name: str, content: bytes | str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


NO_UTF_8 = "invalid byte sequence in UTF-8"
BOM = "Illegal UTF-8 Byte Order mark"
# what is asked, the file that is broken, what stands in it, and of the error: its text and the line in the file
MODULES: dict[str, tuple[str, bytes | str, str, int]] = {
    "include m::a": ("manifests/a.pp", latin(f"class m::a {{\n  notify {{ '{WORD}': }}\n}}\n"), NO_UTF_8, 2),
    "include m::b": ("manifests/b.pp", wide("class m::b { }\n"), NO_UTF_8, 1),
    "include m::c": ("manifests/c.pp", "\ufeffclass m::c { }\n", BOM, 1),
    "include m::d": ("manifests/d.pp", "class m::d {\n  notify )\n}\n", "Syntax error at ')'", 2),
    "m::e()": ("functions/e.pp", latin(f"function m::e() {{\n  '{WORD}'\n}}\n"), NO_UTF_8, 2),
    "$x = M::F": ("types/f.pp", latin(f"type M::F = Enum['{WORD}']\n"), NO_UTF_8, 1),
    "epp('m/g.epp')": ("templates/g.epp", latin(f"a\n{WORD}"), NO_UTF_8, 2),
    "template('m/i.erb')": ("templates/i.erb", latin(f"a\n{WORD}"), NO_UTF_8, 2),
    "m::j()": ("lib/puppet/functions/m/j.rb", latin(f"# {WORD}\n"), NO_UTF_8, 1),
    "m::k()": ("lib/puppet/functions/m/k.rb", wide("1\n"), NO_UTF_8, 1),
}


def session(folder: Path, config: Path | None = None) -> Session:
    made = Session(
        "puppet",
        modulepath=[folder],
        hiera_config=None if config is None else str(config),
        permissions=("templates", "ruby"),
        interactive=True,
    )
    assert made.run("$kept = 1").error is None
    return made


@pytest.mark.parametrize("program", MODULES)
def test_files_of_modules(program: str, tmp_path: Path) -> None:
    name, content, text, line = MODULES[program]
    put(tmp_path / "m", name, content)
    made = session(tmp_path)
    before = seen(made)
    error = made.run(f"notify {{ 'first': }}\n{program}").error
    assert error is not None and text in error.message
    assert (error.span.source.name, error.span.line) == (str(tmp_path / "m" / name), line)
    assert seen(made) == before and made.run("$kept").text == "1"


# the file that is broken, what stands in it, and a part of what is told: the released words, or where in the file it is
DATA: dict[str, tuple[str, bytes | str, str]] = {
    "a tab": ("data.yaml", "a: 1\n\tb: 2\n", "while scanning a plain scalar at line 1 column 4"),
    "the place of a tab": ("data.yaml", "a: 1\n\tb: 2\n", "the file in line 2, column 1."),
    "an open list": ("data.yaml", "x: 1\na: [1, 2\nb: 3\n", "parsing a flow sequence at line 2 column 4"),
    "the end of an open list": ("data.yaml", "x: 1\na: [1, 2\nb: 3\n", "the file in line 3, column 2."),
    "an unknown alias": ("data.yaml", "x: 1\na: *none\n", "Unknown alias: none"),
    "the place of an alias": ("data.yaml", "x: 1\na: *none\n", "data.yaml in line 2, column 4."),
    "a value in itself": ("data.yaml", "a: &x [*x]\n", "contains itself"),
    "an object": ("data.yaml", "a: !ruby/object:Foo {}\n", "unspecified class: Foo"),
    "Latin-1": ("data.yaml", latin(f"x: 1\na: {WORD}\n"), "data.yaml, line: 2, column: 7"),
    "UTF-16": ("data.yaml", wide("a: 1\n"), "data.yaml, line: 1, column: 1"),
    "levels": ("hiera.yaml", "version: 5\nhierarchy: [\n", "at line 3 column 1"),
    "levels in Latin-1": ("hiera.yaml", latin(f"version: 5\n# {WORD}\n"), "hiera.yaml, line: 2, column: 6"),
}


@pytest.mark.parametrize("case", DATA)
def test_data(case: str, tmp_path: Path) -> None:
    name, content, text = DATA[case]
    put(tmp_path, "hiera.yaml", LEVELS)
    put(tmp_path, name if name == "hiera.yaml" else f"data/{name}", content)
    made = session(tmp_path / "modules", tmp_path / "hiera.yaml")
    before = seen(made)
    error = made.run("notify { 'first': }\nlookup('a')").error
    told = f"{error} {error.help}"
    assert name in told and text in told
    assert seen(made) == before and made.run("$kept").text == "1"


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def two_links(path: Path) -> None:
    other = path.with_name("other")
    path.symlink_to(other.name)
    other.symlink_to(path.name)


NAMED: dict[Callable[[Path], None], str] = {
    loop: "FILE_NOT_READ",
    two_links: "FILE_NOT_READ",
    Path.mkdir: "IS_A_FOLDER",
    os.mkfifo: "NOT_A_REGULAR_FILE",
}


@pytest.mark.parametrize("make", NAMED)
def test_what_is_no_file_is_not_there(make: Callable[[Path], None], tmp_path: Path) -> None:
    """As in the released Puppet, but a file that is named is refused, and a link to itself is reported as such.

    A folder in place of a file of data is an error there, too.
    """
    put(tmp_path, "hiera.yaml", LEVELS)
    for folder in ("m/manifests", "m/files", "data"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("m/manifests/a.pp", "m/files/a", "data/data.yaml"):
        make(tmp_path / name)
    made = session(tmp_path, tmp_path / "hiera.yaml")
    before = seen(made)
    for program, code in {
        "include m::a": "CLASS_NOT_FOUND",
        "lookup('a')": "IS_A_FOLDER" if make is Path.mkdir else "LOOKUP_NOT_FOUND",
        "file('m/a')": NAMED[make],
    }.items():
        assert made.run(program).error.code == code
    assert seen(made) == before


MANIFESTS: dict[str, tuple[Callable[[Path], object], int | None]] = {
    "Latin-1": (lambda path: path.write_bytes(latin(f"# fine\n$x = '{WORD}'\n")), 2),
    "UTF-16": (lambda path: path.write_bytes(wide("$x = 1")), 1),
    "a mark": (lambda path: path.write_text("\ufeff$x = 1", encoding="utf-8"), 1),
    "a link to itself": (loop, None),
    "two links": (two_links, None),
}


@pytest.mark.parametrize("case", MANIFESTS)
def test_manifests_of_an_environment(case: str, tmp_path: Path) -> None:
    make, line = MANIFESTS[case]
    path = tmp_path / "manifests" / "site.pp"
    path.parent.mkdir()
    make(path)
    error = Session(environment=tmp_path).beginning.error
    if line is None:
        assert str(path) in str(error)
    else:
        assert (error.span.source.name, error.span.line) == (str(path), line)


def test_a_folder_in_itself_is_read_once(tmp_path: Path) -> None:
    put(tmp_path, "manifests/site.pp", "notify { 'once': }")
    (tmp_path / "manifests" / "again").symlink_to(".")
    made = Session(environment=tmp_path)
    assert made.beginning.error is None and made.catalog().summary() == ["Notify[once]"]


@pytest.mark.parametrize(("content", "line"), [(latin(f"# a\nmodulepath = {WORD}\n"), 2), (wide("a = b"), 1)])
def test_the_settings_of_an_environment(content: bytes, line: int, tmp_path: Path) -> None:
    put(tmp_path, "environment.conf", content)
    with pytest.raises(ValueError, match=rf"environment\.conf, line {line}: {NO_UTF_8}"):
        Session(environment=tmp_path)
