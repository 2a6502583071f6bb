"""`%why`: where the values of a resource's attributes came from, and what lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator import Session
from evaluator.catalog.provenance import trace_provenance
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell


def asked(*inputs: str, **settings: object) -> str:
    """Return the output of the last of several inputs."""
    shell = Shell(settings)
    replies = [shell.submit(source) for source in inputs]
    element = replies[-1].element
    return render_plain(element) if element is not None else ""


CLASS = """class web(Integer $port = 40 + 40, Array $names = ['w'], $owner = undef) {
  File { mode => '0600' }
  file { '/in': content => "${port}" }
}
class sub inherits web {
  File['/in'] { mode => '0777', before +> Notify['n'] }
}
notify { 'n': }
"""

# question -> cells before it, lines of the answer (parts of them)
ANSWERS: dict[str, tuple[list[str], list[str]]] = {
    "declared": (
        ["file { '/a': ensure => file }", "%why File['/a'] ensure"],
        ["File[/a]  declared in [1], line 1", "ensure = 'file'  from its declaration, [1], line 1"],
    ),
    "a hash": (
        ["$h = { mode => '0640' }", "file { '/a':\n * => $h }", "%why File['/a']"],
        ["mode = '0640'  from the hash of `* =>` in its declaration, [2], line 2"],
    ),
    "a function": (
        ["create_resources(file, { '/a' => { mode => '0640' } })", "%why File['/a'] mode"],
        ["mode = '0640'  from the call that declares it, [1], line 1"],
    ),
    "a default body": (
        ["file { default: mode => '1', owner => 'x'; '/a': owner => 'y' }", "%why File['/a']"],
        [
            "owner = 'y'  from its declaration",
            "'x'  lost: the body `default:` of its declaration, [1], line 1: the body of the title sets",
            "mode = '1'  from the body `default:` of its declaration",
        ],
    ),
    "defaults of two scopes": (
        ["File { mode => '1' }", CLASS, "include web", "%why File['/in'] mode"],
        [
            "mode = '0600'  from a resource default, [2], line 2",
            "'1'  lost: a resource default, [1], line 1: the default of an inner scope takes precedence",
        ],
    ),
    "a default that is not used": (
        ["File { mode => '1' }\nfile { '/a': mode => '2' }", "%why File['/a'] mode"],
        [
            "mode = '2'  from its declaration",
            "'1'  lost: a resource default, [1], line 1: the resource sets it itself",
        ],
    ),
    "an override": (
        [CLASS, "include sub", "%why File['/in']"],
        [
            "mode = '0777'  from an override, [1], line 6",
            "'0600'  lost: a resource default, [1], line 2: a later value replaces it",
            "before = Notify['n']  from an override, [1], line 6",
        ],
    ),
    "a collector that adds": (
        ["@user { 'u': groups => ['a'] }", "User <| |> { groups +> ['b'] }", "%why User[u] groups"],
        [
            "groups = ['a', 'b']",
            "['a']  from its declaration, [1], line 1",
            "['b']  added by the body of a collector, [2], line 1",
        ],
    ),
    "a parameter that is given": (
        [CLASS, "class { 'web': port => 8 }", "%why Class[web] port"],
        [
            "port = 8  from its declaration, [2], line 1",
            "40 + 40  lost: the default expression of the parameter, [1], line 1",
        ],
    ),
    "a parameter given as undef": (
        [CLASS, "class { 'web': port => undef }", "%why Class[web] port"],
        [
            "port = 80  from the default expression of the parameter, [1], line 1",
            "undef  lost: its declaration, [2], line 1: undef means that there is no value",
        ],
    ),
    "a define": (
        ["define d($x = 1) { notify { $title: message => $x } }", "d { 'q': }", "%why D['q'] x"],
        ["x = 1  from the default expression of the parameter, [1], line 1"],
    ),
    "arrows": (
        [
            "notify { ['a', 'b', 'c']: }",
            "Notify['a'] -> Notify['b']\nNotify['a'] -> Notify['c']",
            "%why Notify[a]",
        ],
        [
            "before = [Notify['b'], Notify['c']]",
            "Notify['b']  from an arrow, [2], line 1",
            "Notify['c']  added by an arrow, [2], line 2",
        ],
    ),
    "what contains it": (
        ["class c { notify { 'n': } }", "class { 'c': loglevel => 'debug' }\ncontain c", "%why Notify[n]"],
        ["loglevel = 'debug'  from its container, Class[C]"],
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_attribute_has_its_causes(name: str) -> None:
    inputs, expected = ANSWERS[name]
    shown = asked(*inputs, dialect="puppet")
    for part in expected:
        assert part in shown, shown


@pytest.fixture
def hiera(tmp_path: Path) -> str:
    """A hierarchy of two files, in which both have a value."""
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n- {name: node, path: node.yaml}\n- {name: common, path: common.yaml}\n"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "node.yaml").write_text("---\nother: 1\nweb::port: 81\n")
    (tmp_path / "data" / "common.yaml").write_text("web::port: 82\nweb::names: [c]\n")
    return str(tmp_path / "hiera.yaml")


def test_data_has_its_file_and_line_and_the_levels_that_lost(hiera: str) -> None:
    shown = asked(CLASS, "include web", "%why Class[web]", hiera_config=hiera)
    assert "port = 81  from the data, " in shown
    assert "node.yaml, line 3" in shown
    assert "common.yaml, line 1  not reached = 82" in shown
    assert "40 + 40  lost: the default expression" in shown
    assert "names = ['c']  from the data" in shown and "common.yaml, line 2" in shown


def test_data_that_is_not_asked_says_what_it_would_give(hiera: str) -> None:
    shown = asked(CLASS, "class { 'web': port => 1 }", "%why Class[web] port", hiera_config=hiera)
    assert "port = 1  from its declaration" in shown
    assert "81  lost: the data" in shown and "looked up only for parameters that are not passed" in shown


def test_levels_that_nobody_needs_are_asked_only_where_causes_are_recorded(hiera: str) -> None:
    _, told = Session(hiera_config=hiera).lookup("web::port")
    assert [one.level for one in told.steps] == ["node"]
    _, told = Session(hiera_config=hiera, recorded=True).lookup("web::port")
    assert [(one.level, one.is_reached) for one in told.steps] == [("node", True), ("common", False)]


def test_a_secret_stays_one() -> None:
    program = "class s(Sensitive $p = Sensitive('geheim')) {}"
    shown = asked(program, "class { 's': p => Sensitive('offen') }", "%why Class[s]")
    assert "geheim" not in shown and "offen" not in shown
    assert "redacted" in shown


def test_one_attribute_shows_the_lines_that_set_it() -> None:
    shown = asked("file { '/a':\n  mode => '0600',\n}", "%why File['/a'] mode")
    assert "2 │   mode => '0600'," in shown
    assert "^^^^" in shown


CLASSES = "class web($port = 80) { notify { 'n': } }\nclass all { include web }\ninclude all\n$web = 1"


@pytest.mark.parametrize("question", ["Class[web] port", "$web::port", "$::web::port"])
def test_a_class_and_its_parameters_are_asked_about_by_their_names(question: str) -> None:
    shown = asked(CLASSES, f"%why {question}")
    assert "Class[Web]  first included in [1], line 2\n└─ port = 80  from the default expression" in shown


def test_a_class_without_parameters_says_where_it_is_from() -> None:
    assert asked(CLASSES, "%why all") == "Class[All]  first included in [1], line 3\n└─ it sets no attributes"
    assert asked(CLASSES, "%why ::web") == asked(CLASSES, "%why Class[web]")
    assert "?$name describes a variable" in asked(CLASSES, "%why $web")


def test_a_lookup_shows_where_its_value_is_from() -> None:
    assert asked("$a = 1", "%why lookup('a::b')").startswith("a::b  no value\n├─ merge: first")


def test_a_resource_without_attributes_has_none() -> None:
    told = asked("notify { 'bare': }", "%why Notify['bare'] message")
    assert told == "error: Notify[bare] has no attributes"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("%why", "%why takes"),
        ("%why File['/a'] -> File['/b']", "%graph --path A B shows why"),
        ("%why File['/a'] require", "it has mode; %graph --around File[/a] shows what it waits for"),
        ("%why $x == 1", "?$name describes a variable"),
        ("%why File <| |>", "shows what a collector did"),
        ("%why 1 + 1", "%step shows how a value is computed"),
        ("%why File['/b']", "There is no resource File[/b] in the catalog"),
        ("%why File['/a'] mdoe", "did you mean mode?"),
        ("%why File['/b'", "Close what was opened"),
        ("%why File['/a', '/b']", "not a reference to one resource"),
    ],
)
def test_what_cannot_be_told_is_said(question: str, told: str) -> None:
    assert told in asked("file { '/a': mode => '1' }", question)


def test_the_session_is_as_before() -> None:
    shell = Shell({})
    shell.submit("file { '/a': mode => '1' }")
    before = len(shell.session.cells)
    shell.submit("%why File['/a']")
    assert len(shell.session.cells) == before
    assert all(not item.history for item in shell.session.catalog().resources.values())


def test_a_history_goes_with_the_cells() -> None:
    """Undoing a cell removes its part of the history."""
    session = Session("puppet", recorded=True, interactive=True)
    session.run("@user { 'u': groups => ['a'] }")
    session.run("User <| |> { groups => ['b'] }")
    item = session.catalog().find(("user", "u"))
    assert [cause.kind for cause in trace_provenance(item)["groups"].won] == ["collector"]
    session.undo()
    item = session.catalog().find(("user", "u"))
    assert [cause.kind for cause in item.history] == ["declaration"]
