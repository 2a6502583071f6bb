"""`%why` explains the sources of the attributes of a resource, and the values that lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator import Session
from evaluator.catalog.provenance import trace_provenance
from puppet_kernel.shell import Shell
from tests.sessions.displayed import render_reply


def render_output(*inputs: str, **settings: object) -> str:
    """Return the output of the last of several inputs as text."""
    shell = Shell(settings)
    return render_reply([shell.submit(source) for source in inputs][-1])


CLASS = """class web(Integer $port = 40 + 40, Array $names = ['w'], $owner = undef) {
  File { mode => '0600' }
  file { '/in': content => "${port}" }
}
class sub inherits web {
  File['/in'] { mode => '0777', before +> Notify['n'] }
}
notify { 'n': }
"""

# The inputs of each case, and parts of the last output.
CASES: dict[str, tuple[list[str], list[str]]] = {
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


@pytest.mark.parametrize("name", CASES)
def test_each_attribute_has_its_causes(name: str) -> None:
    inputs, expected = CASES[name]
    output = render_output(*inputs, dialect="puppet")
    for part in expected:
        assert part in output, output


@pytest.fixture
def hiera(tmp_path: Path) -> str:
    """Return the path of a hierarchy of two files that both have a value."""
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n- {name: node, path: node.yaml}\n- {name: common, path: common.yaml}\n"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "node.yaml").write_text("---\nother: 1\nweb::port: 81\n")
    (tmp_path / "data" / "common.yaml").write_text("web::port: 82\nweb::names: [c]\n")
    return str(tmp_path / "hiera.yaml")


def test_a_value_from_data_has_its_file_its_line_and_the_levels_below(hiera: str) -> None:
    output = render_output(CLASS, "include web", "%why Class[web]", hiera_config=hiera)
    assert "port = 81  from the data, " in output
    assert "node.yaml, line 3" in output
    assert "common.yaml, line 1  not reached = 82" in output
    assert "40 + 40  lost: the default expression" in output
    assert "names = ['c']  from the data" in output and "common.yaml, line 2" in output


def test_a_value_in_data_that_is_not_used_is_shown(hiera: str) -> None:
    output = render_output(CLASS, "class { 'web': port => 1 }", "%why Class[web] port", hiera_config=hiera)
    assert "port = 1  from its declaration" in output
    assert "81  lost: the data" in output and "looked up only for parameters that are not passed" in output


def test_unreached_levels_are_looked_up_only_if_causes_are_recorded(hiera: str) -> None:
    _, trace = Session(hiera_config=hiera).lookup("web::port")
    assert [step.level for step in trace.steps] == ["node"]
    _, trace = Session(hiera_config=hiera, recorded=True).lookup("web::port")
    assert [(step.level, step.is_reached) for step in trace.steps] == [("node", True), ("common", False)]


def test_sensitive_values_are_hidden() -> None:
    program = "class s(Sensitive $p = Sensitive('geheim')) {}"
    output = render_output(program, "class { 's': p => Sensitive('offen') }", "%why Class[s]")
    assert "geheim" not in output and "offen" not in output
    assert "redacted" in output


def test_one_attribute_shows_the_lines_that_set_it() -> None:
    output = render_output("file { '/a':\n  mode => '0600',\n}", "%why File['/a'] mode")
    assert "2 │   mode => '0600'," in output
    assert "^^^^" in output


CLASSES = "class web($port = 80) { notify { 'n': } }\nclass all { include web }\ninclude all\n$web = 1"


@pytest.mark.parametrize("expression", ["Class[web] port", "$web::port", "$::web::port"])
def test_a_class_and_its_parameters_are_explained_by_their_names(expression: str) -> None:
    output = render_output(CLASSES, f"%why {expression}")
    assert "Class[Web]  first included in [1], line 2\n└─ port = 80  from the default expression" in output


def test_a_class_without_parameters_has_its_source() -> None:
    explanation = "Class[All]  first included in [1], line 3\n└─ it sets no attributes"
    assert render_output(CLASSES, "%why all") == explanation
    assert render_output(CLASSES, "%why ::web") == render_output(CLASSES, "%why Class[web]")
    assert "?$name describes a variable" in render_output(CLASSES, "%why $web")


def test_a_lookup_is_explained() -> None:
    assert render_output("$a = 1", "%why lookup('a::b')").startswith("a::b  no value\n├─ merge: first")


def test_a_resource_without_attributes_is_reported() -> None:
    output = render_output("notify { 'bare': }", "%why Notify['bare'] message")
    assert output == "error: Notify[bare] has no attributes"


@pytest.mark.parametrize(
    ("expression", "message"),
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
def test_wrong_arguments_of_why_are_reported(expression: str, message: str) -> None:
    assert message in render_output("file { '/a': mode => '1' }", expression)


def test_an_explanation_does_not_change_the_session() -> None:
    shell = Shell({})
    shell.submit("file { '/a': mode => '1' }")
    before = len(shell.session.cells)
    shell.submit("%why File['/a']")
    assert len(shell.session.cells) == before
    assert all(not item.history for item in shell.session.catalog().resources.values())


def test_an_undone_cell_is_removed_from_the_causes() -> None:
    session = Session("puppet", recorded=True, interactive=True)
    session.run("@user { 'u': groups => ['a'] }")
    session.run("User <| |> { groups => ['b'] }")
    item = session.catalog().find(("user", "u"))
    assert [cause.kind for cause in trace_provenance(item)["groups"].won] == ["collector"]
    session.undo()
    item = session.catalog().find(("user", "u"))
    assert [cause.kind for cause in item.history] == ["declaration"]
