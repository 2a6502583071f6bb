"""Relationships in the final catalog: arrows combine, and edges have a reason."""

from __future__ import annotations

import pytest

from evaluator import Session

NOTIFIES = "notify { ['a', 'b', 'c']: }\n"


def collect_edges(source: str) -> list[tuple[str, str, str, str, int]]:
    outcome = Session("puppet").run(source)
    assert outcome.error is None, outcome.error
    return [
        (edge.source[1], edge.target[1], edge.kind, edge.reason, edge.span.line)
        for edge in outcome.change.edges_added
    ]


def test_arrows_from_one_source_add_up() -> None:
    session = Session("puppet")
    session.run(
        f"{NOTIFIES}Notify['a'] -> Notify['b']\nNotify['a'] -> Notify['c']\nNotify['a'] ~> Notify['c']"
    )
    parameters = session.catalog().resources["notify", "a"].parameters
    assert parameters == {"before": ["Notify[b]", "Notify[c]"], "notify": ["Notify[c]"]}


def test_resources_of_one_body_share_the_array_of_an_attribute() -> None:
    session = Session("puppet")
    session.run(
        f"$x = [Notify['b']]\nnotify {{ ['d', 'e']: before => $x }} notify {{ 'f': before => $x }}\n{NOTIFIES}"
    )
    session.run("Notify['d'] -> Notify['c']")
    session.run("Notify['e'] -> Notify['a']")
    resources = session.catalog().resources
    lengths = {title: len(resources["notify", title].parameters["before"]) for title in "def"}
    assert lengths == {"d": 3, "e": 3, "f": 1}
    assert session.run("$x").text == "[Notify['b']]"


def test_each_edge_has_its_reason_and_line() -> None:
    source = f"{NOTIFIES}Notify['a'] -> Notify['b']\nnotify {{ 'd': require => Notify['a'], notify => Notify['b'] }}"
    assert sorted(collect_edges(source)) == [
        ("a", "b", "before", "->", 2),
        ("a", "d", "before", "require", 3),
        ("d", "b", "notify", "notify", 3),
    ]


def test_a_collector_matches_resources_that_another_collector_has_changed() -> None:
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
    "an override of all resources": "Notify <| |> { message => 'x' }",
    "a cell that fails": "Notify['a'] -> Notify['nowhere']",
    "nothing": "$x = 1",
}


@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_the_change_of_a_cell_does_not_depend_on_the_time_of_comparison(
    later: str, interactive: bool
) -> None:
    source = f"{NOTIFIES}@notify {{ 'v': }}\nNotify['a'] -> Notify['b']\nnotify {{ 'd': require => Notify['a', 'v'] }}"
    edges_by_time = []
    for is_compared_at_once in (True, False):
        session = Session("puppet", interactive=interactive)
        change = session.run(source).change
        if is_compared_at_once:
            change.compare_links()
        session.run(later)
        session.undo()
        session.undo()
        edges_by_time.append([(edge, edge.reason, edge.span.start) for edge in change.edges_added])
        assert change.edges_removed == []
    assert edges_by_time[0] == edges_by_time[1] != []


def test_arrows_between_arrays_are_relationships_of_their_sources() -> None:
    session = Session("puppet")
    outcome = session.run(
        'define d() { notify { "in ${title}": } }\n'
        "d { ['a', 'b']: }\n@notify { 'v': }\nnotify { ['x', 'y']: }\n"
        "[D['a'], D['b']] -> [Notify['x'], Notify['v']]\nD['a'] -> Notify['y']\n"
        "[D['a']] -> [Notify['x'], Notify['y']]\n"
    )
    assert outcome.error is None
    edges = {(edge.source[1], edge.target[1], edge.reason) for edge in outcome.change.edges_added}
    assert {edge for edge in edges if edge[2] == "->"} == {
        ("a", "x", "->"),
        ("a", "y", "->"),
        ("b", "x", "->"),
    }
    assert {source for source, _, reason in edges if reason != "->"} <= {"in a", "in b"}
