"""The graph: edges with their reasons, the order of application, cycles in the released Puppet's words."""

from __future__ import annotations

import pytest

from evaluator import Session
from evaluator.catalog.graph import Graph, graph
from evaluator.catalog.model import reference

ADVICE = "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"


def graph_of(source: str) -> Graph:
    session = Session("puppet")
    outcome = session.run(source)
    assert outcome.error is None, outcome.error
    return graph(session.catalog())


def test_edges_tell_kind_reason_and_line() -> None:
    found = graph_of(
        """\
notify { 'a': require => Notify['b'] }
notify { ['b', 'c', 'd']: }
Notify['c'] ~> Notify['d']
Notify['c'] { subscribe => Notify['a'] }
"""
    )
    edges = [
        (reference(edge.source), reference(edge.target), edge.kind, edge.reason, edge.span and edge.span.line)
        for edge in found.order
    ]
    assert edges == [
        ("Notify[b]", "Notify[a]", "before", "require", 1),
        ("Notify[c]", "Notify[d]", "notify", "~>", 3),
        ("Notify[a]", "Notify[c]", "notify", "subscribe", 4),
    ]


def test_virtual_resources_are_no_part_of_it() -> None:
    found = graph_of("@notify { 'a': before => Notify['b'] } notify { 'b': require => Notify['a'] }")
    assert ("notify", "a") not in found.nodes
    assert not found.order


def test_application_order_follows_containers_and_declaration() -> None:
    found = graph_of(
        """\
class a { notify { 'in-a': } }
class b { notify { 'in-b': } }
include a, b
notify { 'last': }
notify { 'first': before => Class['a'] }
Class['b'] -> Class['a']
"""
    )
    names = [reference(key) for key in found.sorted()]
    assert names.index("Notify[first]") < names.index("Class[A]") < names.index("Notify[in-a]")
    assert names.index("Notify[in-b]") < names.index("Class[A]")
    assert names.index("Notify[last]") < names.index("Notify[first]")


@pytest.mark.parametrize(
    ("source", "cycles"),
    [
        (
            "notify { 'z': } -> notify { 'm': } -> notify { 'k': } Notify['k'] -> Notify['z']",
            ["Notify[k] => Notify[z] => Notify[m] => Notify[k]"],
        ),
        (
            "class a { notify { 'x': } } class b { notify { 'y': } } include a, b"
            " Class['a'] -> Class['b'] Notify['y'] -> Notify['x']",
            ["Notify[x] => Class[A] => Class[B] => Notify[y] => Notify[x]"],
        ),
        (
            "class a { notify { 'x': require => Class['a'] } } include a"
            " notify { 'b': before => Notify['b'] }"
            " notify { 'q': before => Notify['p'] } notify { 'p': before => Notify['q'] }",
            [
                "Notify[b] => Notify[b]",
                "Notify[p] => Notify[q] => Notify[p]",
                "Notify[x] => Class[A] => Notify[x]",
            ],
        ),
        (
            "class a { } class b { notify { 'y': } } include a, b Class['a'] -> Class['b'] -> Class['a']",
            ["Notify[y] => Class[B] => Class[A] => Class[A] => Class[B] => Notify[y]"],
        ),
        (
            "define d { notify { $title: } } d { ['x', 'y']: } D['x'] -> D['y'] -> D['x']",
            ["Notify[x] => D[x] => D[y] => Notify[y] => D[y] => D[x] => Notify[x]"],
        ),
    ],
)
def test_cycles_are_told_as_the_released_puppet_does(source: str, cycles: list[str]) -> None:
    count = "1 dependency cycle" if len(cycles) == 1 else f"{len(cycles)} dependency cycles"
    ways = "\\n".join(f"({cycle})" for cycle in cycles)
    assert graph_of(source).cycle_message() == f"Found {count}:\n{ways}\\n{ADVICE}"


def test_no_cycle_no_message() -> None:
    assert graph_of("notify { 'a': } -> notify { 'b': }").cycle_message() is None


def test_long_chains_need_no_recursion() -> None:
    count = 3000
    links = "\n".join(f"Notify['{number}'] -> Notify['{number + 1}']" for number in range(count - 1))
    found = graph_of(
        f"range(0, {count - 1}).each |$n| {{ notify {{ \"$n\": }} }}\n{links}\nNotify['{count - 1}'] -> Notify['0']"
    )
    (cycle,) = found.cycles()
    assert len(cycle) == count
