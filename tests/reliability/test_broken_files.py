"""A broken file causes an error with the file and the line, and the session is unchanged."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator import Session
from tests.reliability.test_interrupts import describe_session

LEVELS = "version: 5\nhierarchy:\n  - name: all\n    path: data.yaml\n"
WORD = "caf\u00e9"


def encode_latin_1(text: str) -> bytes:
    """Return a text in Latin-1."""
    return text.encode("latin-1")


def encode_utf_16(text: str) -> bytes:
    """Return a text in UTF-16 with a byte order mark."""
    return text.encode("utf-16")


def write_file(folder: Path, name: str, content: bytes | str) -> None:
    """Write a file, and create its folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


NO_UTF_8 = "invalid byte sequence in UTF-8"
BOM = "Illegal UTF-8 Byte Order mark"
# program: the broken file, its content, and the text and the line of the error
MODULES: dict[str, tuple[str, bytes | str, str, int]] = {
    "include m::a": (
        "manifests/a.pp",
        encode_latin_1(f"class m::a {{\n  notify {{ '{WORD}': }}\n}}\n"),
        NO_UTF_8,
        2,
    ),
    "include m::b": ("manifests/b.pp", encode_utf_16("class m::b { }\n"), NO_UTF_8, 1),
    "include m::c": ("manifests/c.pp", "\ufeffclass m::c { }\n", BOM, 1),
    "include m::d": ("manifests/d.pp", "class m::d {\n  notify )\n}\n", "Syntax error at ')'", 2),
    "m::e()": ("functions/e.pp", encode_latin_1(f"function m::e() {{\n  '{WORD}'\n}}\n"), NO_UTF_8, 2),
    "$x = M::F": ("types/f.pp", encode_latin_1(f"type M::F = Enum['{WORD}']\n"), NO_UTF_8, 1),
    "epp('m/g.epp')": ("templates/g.epp", encode_latin_1(f"a\n{WORD}"), NO_UTF_8, 2),
    "template('m/i.erb')": ("templates/i.erb", encode_latin_1(f"a\n{WORD}"), NO_UTF_8, 2),
    "m::j()": ("lib/puppet/functions/m/j.rb", encode_latin_1(f"# {WORD}\n"), NO_UTF_8, 1),
    "m::k()": ("lib/puppet/functions/m/k.rb", encode_utf_16("1\n"), NO_UTF_8, 1),
}


def make_session(folder: Path, config: Path | None = None) -> Session:
    """Return a session with one cell and a module path."""
    session = Session(
        "puppet",
        modulepath=[folder],
        hiera_config=None if config is None else str(config),
        permissions=("templates", "ruby"),
        interactive=True,
    )
    assert session.run("$before = 1").error is None
    return session


@pytest.mark.parametrize("program", MODULES)
def test_an_error_in_a_file_of_a_module_has_its_position(program: str, tmp_path: Path) -> None:
    name, content, text, line = MODULES[program]
    write_file(tmp_path / "m", name, content)
    session = make_session(tmp_path)
    before = describe_session(session)
    error = session.run(f"notify {{ 'first': }}\n{program}").error
    assert error is not None and text in error.message
    assert (error.span.source.name, error.span.line) == (str(tmp_path / "m" / name), line)
    assert describe_session(session) == before and session.run("$before").text == "1"


# case: the broken file, its content, and a part of the report: the released text, or the position in the file
DATA: dict[str, tuple[str, bytes | str, str]] = {
    "a tab": ("data.yaml", "a: 1\n\tb: 2\n", "while scanning a plain scalar at line 1 column 4"),
    "the place of a tab": ("data.yaml", "a: 1\n\tb: 2\n", "the file in line 2, column 1."),
    "an open list": ("data.yaml", "x: 1\na: [1, 2\nb: 3\n", "parsing a flow sequence at line 2 column 4"),
    "the end of an open list": ("data.yaml", "x: 1\na: [1, 2\nb: 3\n", "the file in line 3, column 2."),
    "an unknown alias": ("data.yaml", "x: 1\na: *none\n", "Unknown alias: none"),
    "the place of an alias": ("data.yaml", "x: 1\na: *none\n", "data.yaml in line 2, column 4."),
    "a value in itself": ("data.yaml", "a: &x [*x]\n", "contains itself"),
    "an object": ("data.yaml", "a: !ruby/object:Foo {}\n", "unspecified class: Foo"),
    "Latin-1": ("data.yaml", encode_latin_1(f"x: 1\na: {WORD}\n"), "data.yaml, line: 2, column: 7"),
    "UTF-16": ("data.yaml", encode_utf_16("a: 1\n"), "data.yaml, line: 1, column: 1"),
    "levels": ("hiera.yaml", "version: 5\nhierarchy: [\n", "at line 3 column 1"),
    "levels in Latin-1": (
        "hiera.yaml",
        encode_latin_1(f"version: 5\n# {WORD}\n"),
        "hiera.yaml, line: 2, column: 6",
    ),
}


@pytest.mark.parametrize("case", DATA)
def test_an_error_in_a_data_file_names_the_file(case: str, tmp_path: Path) -> None:
    name, content, text = DATA[case]
    write_file(tmp_path, "hiera.yaml", LEVELS)
    write_file(tmp_path, name if name == "hiera.yaml" else f"data/{name}", content)
    session = make_session(tmp_path / "modules", tmp_path / "hiera.yaml")
    before = describe_session(session)
    error = session.run("notify { 'first': }\nlookup('a')").error
    report = f"{error} {error.help}"
    assert name in report and text in report
    assert describe_session(session) == before and session.run("$before").text == "1"


def make_loop(path: Path) -> None:
    """Create a link to itself."""
    path.symlink_to(path.name)


def make_loop_of_two(path: Path) -> None:
    """Create two links to each other."""
    other = path.with_name("other")
    path.symlink_to(other.name)
    other.symlink_to(path.name)


NO_FILES: dict[Callable[[Path], None], str] = {
    make_loop: "FILE_NOT_READ",
    make_loop_of_two: "FILE_NOT_READ",
    Path.mkdir: "IS_A_FOLDER",
    os.mkfifo: "NOT_A_REGULAR_FILE",
}


@pytest.mark.parametrize("make", NO_FILES)
def test_what_is_not_a_regular_file_is_refused(make: Callable[[Path], None], tmp_path: Path) -> None:
    """As in the released Puppet, except that a named file that is none is refused, and a loop of links is reported.

    A folder in place of a data file is an error there, too.
    """
    write_file(tmp_path, "hiera.yaml", LEVELS)
    for folder in ("m/manifests", "m/files", "data"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("m/manifests/a.pp", "m/files/a", "data/data.yaml"):
        make(tmp_path / name)
    session = make_session(tmp_path, tmp_path / "hiera.yaml")
    before = describe_session(session)
    for program, code in {
        "include m::a": "CLASS_NOT_FOUND",
        "lookup('a')": "IS_A_FOLDER" if make is Path.mkdir else "LOOKUP_NOT_FOUND",
        "file('m/a')": NO_FILES[make],
    }.items():
        assert session.run(program).error.code == code
    assert describe_session(session) == before


MANIFESTS: dict[str, tuple[Callable[[Path], object], int | None]] = {
    "Latin-1": (lambda path: path.write_bytes(encode_latin_1(f"# fine\n$x = '{WORD}'\n")), 2),
    "UTF-16": (lambda path: path.write_bytes(encode_utf_16("$x = 1")), 1),
    "a mark": (lambda path: path.write_text("\ufeff$x = 1", encoding="utf-8"), 1),
    "a link to itself": (make_loop, None),
    "two links": (make_loop_of_two, None),
}


@pytest.mark.parametrize("case", MANIFESTS)
def test_an_error_in_a_manifest_has_its_position(case: str, tmp_path: Path) -> None:
    make, line = MANIFESTS[case]
    path = tmp_path / "manifests" / "site.pp"
    path.parent.mkdir()
    make(path)
    error = Session(environment=tmp_path).beginning.error
    if line is None:
        assert str(path) in str(error)
    else:
        assert (error.span.source.name, error.span.line) == (str(path), line)


def test_a_folder_that_links_to_itself_is_read_once(tmp_path: Path) -> None:
    write_file(tmp_path, "manifests/site.pp", "notify { 'once': }")
    (tmp_path / "manifests" / "again").symlink_to(".")
    session = Session(environment=tmp_path)
    assert session.beginning.error is None and session.catalog().summary() == ["Notify[once]"]


@pytest.mark.parametrize(
    ("content", "line"), [(encode_latin_1(f"# a\nmodulepath = {WORD}\n"), 2), (encode_utf_16("a = b"), 1)]
)
def test_an_error_in_environment_conf_has_its_line(content: bytes, line: int, tmp_path: Path) -> None:
    write_file(tmp_path, "environment.conf", content)
    with pytest.raises(ValueError, match=rf"environment\.conf, line {line}: {NO_UTF_8}"):
        Session(environment=tmp_path)
