"""Relationships in the final catalog: how several arrows combine, and which resource contains which."""

from __future__ import annotations

import pytest

from evaluator import Session

TWO = "notify { ['a', 'b', 'c']: }\n"


def _edges(source: str) -> list[tuple[str, str, str, str, int]]:
    outcome = Session("puppet").run(source)
    assert outcome.error is None, outcome.error
    return [
        (edge.source[1], edge.target[1], edge.kind, edge.reason, edge.span.line)
        for edge in outcome.change.edges_added
    ]


def test_arrows_from_one_source_add_up() -> None:
    session = Session("puppet")
    session.run(f"{TWO}Notify['a'] -> Notify['b']\nNotify['a'] -> Notify['c']\nNotify['a'] ~> Notify['c']")
    found = session.catalog().resources["notify", "a"].parameters
    assert found == {"before": ["Notify[b]", "Notify[c]"], "notify": ["Notify[c]"]}


def test_an_array_is_that_of_all_resources_of_one_body_and_of_no_other() -> None:
    session = Session("puppet")
    session.run(
        f"$x = [Notify['b']]\nnotify {{ ['d', 'e']: before => $x }} notify {{ 'f': before => $x }}\n{TWO}"
    )
    session.run("Notify['d'] -> Notify['c']")
    session.run("Notify['e'] -> Notify['a']")
    resources = session.catalog().resources
    found = {title: len(resources["notify", title].parameters["before"]) for title in "def"}
    assert found == {"d": 3, "e": 3, "f": 1}
    assert session.run("$x").text == "[Notify['b']]"


def test_each_edge_tells_its_reason_and_place() -> None:
    source = (
        f"{TWO}Notify['a'] -> Notify['b']\nnotify {{ 'd': require => Notify['a'], notify => Notify['b'] }}"
    )
    assert sorted(_edges(source)) == [
        ("a", "b", "before", "->", 2),
        ("a", "d", "before", "require", 3),
        ("d", "b", "notify", "notify", 3),
    ]


def test_what_a_collector_changes_decides_what_the_same_one_finds_next() -> None:
    session = Session("puppet")
    outcome = session.run(
        "define box() { notify { $title: } }\nbox { 'in': }\n"
        "Notify <| loglevel == 'debug' |> { message => 'seen' }\n"
        "Notify <| title == 'in' |> { loglevel => 'debug' }"
    )
    assert outcome.error is None, outcome.error
    assert session.catalog().resources["notify", "in"].parameters == {"loglevel": "debug", "message": "seen"}


LATER = {
    "another arrow between the same": "Notify['a'] -> Notify['b']",
    "a resource that was virtual": "realize(Notify['v'])",
    "something that is settled anew": "Notify <| |> { message => 'x' }",
    "what fails": "Notify['a'] -> Notify['nowhere']",
    "nothing": "$x = 1",
}


@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_what_a_cell_changed_is_the_same_whenever_one_looks(later: str, interactive: bool) -> None:
    source = (
        f"{TWO}@notify {{ 'v': }}\nNotify['a'] -> Notify['b']\nnotify {{ 'd': require => Notify['a', 'v'] }}"
    )
    told = []
    for looks_at_once in (True, False):
        session = Session("puppet", interactive=interactive)
        change = session.run(source).change
        if looks_at_once:
            change.compare_links()
        session.run(later)
        session.undo()
        session.undo()
        told.append([(edge, edge.reason, edge.span.start) for edge in change.edges_added])
        assert change.edges_removed == []
    assert told[0] == told[1] != []


def test_arrows_between_arrays_are_the_relationships_of_their_sources() -> None:
    session = Session("puppet")
    outcome = session.run(
        'define d() { notify { "in ${title}": } }\n'
        "d { ['a', 'b']: }\n@notify { 'v': }\nnotify { ['x', 'y']: }\n"
        "[D['a'], D['b']] -> [Notify['x'], Notify['v']]\nD['a'] -> Notify['y']\n"
        "[D['a']] -> [Notify['x'], Notify['y']]\n"
    )
    assert outcome.error is None
    told = {(edge.source[1], edge.target[1], edge.reason) for edge in outcome.change.edges_added}
    assert {one for one in told if one[2] == "->"} == {("a", "x", "->"), ("a", "y", "->"), ("b", "x", "->")}
    assert {one[0] for one in told if one[2] != "->"} <= {"in a", "in b"}
