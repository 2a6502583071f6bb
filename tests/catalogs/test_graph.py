"""The graph of a catalog: edges with reasons, order of application, and cycles."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import Session
from evaluator.catalog.graph import (
    CatalogGraph,
    _find_components,
    build_graph,
    find_autorequires,
    find_implied_edges,
    may_close_cycle,
)
from evaluator.catalog.model import Edge, format_key

ADVICE = "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"


def compile_graph(source: str) -> CatalogGraph:
    session = Session("puppet")
    outcome = session.run(source)
    assert outcome.error is None, outcome.error
    return build_graph(session.catalog())


def test_each_edge_has_its_kind_reason_and_line() -> None:
    graph = compile_graph(
        """\
notify { 'a': require => Notify['b'] }
notify { ['b', 'c', 'd']: }
Notify['c'] ~> Notify['d']
Notify['c'] { subscribe => Notify['a'] }
"""
    )
    edges = [
        (
            format_key(edge.source),
            format_key(edge.target),
            edge.kind,
            edge.reason,
            edge.span and edge.span.line,
        )
        for edge in graph.order
    ]
    assert edges == [
        ("Notify[b]", "Notify[a]", "before", "require", 1),
        ("Notify[c]", "Notify[d]", "notify", "~>", 3),
        ("Notify[a]", "Notify[c]", "notify", "subscribe", 4),
    ]


def test_the_graph_leaves_out_virtual_resources() -> None:
    graph = compile_graph("@notify { 'a': before => Notify['b'] } notify { 'b': require => Notify['a'] }")
    assert ("notify", "a") not in graph.nodes
    assert not graph.order


def test_the_order_of_application_follows_containers_and_relationships() -> None:
    graph = compile_graph(
        """\
class a { notify { 'in-a': } }
class b { notify { 'in-b': } }
include a, b
notify { 'last': }
notify { 'first': before => Class['a'] }
Class['b'] -> Class['a']
"""
    )
    names = [format_key(key) for key in graph.sort()]
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
        (
            "notify { ['a', 'b', 'c', 'd']: } Notify['a'] -> Notify['b'] -> Notify['c'] -> Notify['b']"
            " Notify['c'] -> Notify['d'] -> Notify['a']",
            ["Notify[a] => Notify[b] => Notify[c] => Notify[b]"],
        ),
        (
            "stage { 'p': before => Stage['main'] } class { 'c': stage => 'p' } notify { 'm': }"
            " class c { notify { 'a': require => Notify['m'] } }",
            ["Notify[a] => Class[C] => Stage[p] => Stage[main] => Class[Main] => Notify[m] => Notify[a]"],
        ),
        (
            "class c { notify { ['a', 'b']: } notify { 'c': } } include c Notify['a'] -> Notify['b']"
            " Class['c'] -> Notify['c'] -> Notify['a'] -> Class['c']",
            ["Notify[a] => Class[C] => Notify[a]"],
        ),
    ],
)
def test_cycles_are_reported_as_in_the_released_puppet(source: str, cycles: list[str]) -> None:
    count = "1 dependency cycle" if len(cycles) == 1 else f"{len(cycles)} dependency cycles"
    lines = "\\n".join(f"({cycle})" for cycle in cycles)
    assert compile_graph(source).describe_cycles() == f"Found {count}:\n{lines}\\n{ADVICE}"


def test_a_graph_without_cycles_has_no_message() -> None:
    assert compile_graph("notify { 'a': } -> notify { 'b': }").describe_cycles() is None


def test_long_chains_need_no_recursion() -> None:
    count = 3000
    links = "\n".join(f"Notify['{number}'] -> Notify['{number + 1}']" for number in range(count - 1))
    graph = compile_graph(
        f"range(0, {count - 1}).each |$n| {{ notify {{ \"$n\": }} }}\n{links}\nNotify['{count - 1}'] -> Notify['0']"
    )
    (cycle,) = graph.find_cycles()
    assert len(cycle) == count


def format_edge(edge: Edge) -> str:
    return f"{format_key(edge.source)} {format_key(edge.target)}"


@pytest.mark.parametrize(
    ("source", "superfluous"),
    [
        (
            "notify { 'a': } -> notify { 'b': } -> notify { 'c': } Notify['a'] -> Notify['c']",
            ["Notify[a] Notify[c]"],
        ),
        ("notify { 'a': } -> notify { 'b': } -> notify { 'c': } Notify['a'] ~> Notify['c']", []),
        (
            "class a { notify { 'x': } } class b { notify { 'y': } } include a, b"
            " Class['a'] -> Class['b'] Notify['x'] -> Notify['y']",
            ["Notify[x] Notify[y]"],
        ),
        (
            "class a { notify { 'x': } } class b { notify { 'y': } } include a, b"
            " Notify['x'] -> Notify['y'] Notify['x'] -> Class['b']",
            ["Notify[x] Notify[y]"],
        ),
        ("notify { 'a': } -> notify { 'b': } -> Notify['a'] Notify['a'] -> notify { 'c': }", []),
        (
            "notify { 'a': before => Notify['b'], notify => Notify['b'] } notify { 'b': }",
            ["Notify[a] Notify[b]"],
        ),
    ],
)
def test_implied_edges_are_found(source: str, superfluous: list[str]) -> None:
    assert [format_edge(edge) for edge in find_implied_edges(compile_graph(source))] == superfluous


def test_the_cut_of_a_cycle_breaks_all_cycles_or_is_the_last_edge() -> None:
    graph = compile_graph(
        """\
notify { ['a', 'b', 'c', 'd']: }
Notify['a'] -> Notify['b'] -> Notify['a']
Notify['c'] -> Notify['d']
Notify['d'] -> Notify['c']
"""
    )
    assert [(format_edge(edge), edge.span and edge.span.line) for edge in graph.find_cuts()] == [
        ("Notify[b] Notify[a]", 2),
        ("Notify[d] Notify[c]", 4),
    ]
    both = compile_graph(
        "notify { ['a', 'b', 'c']: }\nNotify['a'] -> Notify['b']\nNotify['b'] -> Notify['c']\n"
        "Notify['c'] -> Notify['a']\nNotify['b'] -> Notify['a']"
    )
    assert [format_edge(edge) for edge in both.find_cuts()] == ["Notify[a] Notify[b]"], (
        "it alone is on both cycles"
    )


@pytest.mark.parametrize(
    ("source", "edges"),
    [
        ("file { ['/a', '/a/b', '/a/b/c/d']: }", ["File[/a] File[/a/b]", "File[/a/b] File[/a/b/c/d]"]),
        ("file { '/a/': } file { 'x': path => '/a/b' }", ["File[/a/] File[x]"]),
        ("file { '/a': owner => 'u', group => 0 } user { 'u': }", ["User[u] File[/a]"]),
        (
            "user { 'u': groups => ['g', 'h'] } group { ['g', 'h', 'i']: }",
            ["Group[g] User[u]", "Group[h] User[u]"],
        ),
        (
            "exec { 'x': command => '/bin/y --all', cwd => '/w', user => 'u' }"
            " file { ['/bin/y', '/w']: } user { 'u': }",
            ["User[u] Exec[x]", "File[/w] Exec[x]", "File[/bin/y] Exec[x]"],
        ),
        ("file { '/a': require => File['/a/b'] } file { '/a/b': }", []),
        ("@file { '/a': } file { '/a/b': }", []),
    ],
)
def test_resources_require_others_automatically(source: str, edges: list[str]) -> None:
    session = Session("puppet")
    assert session.run(source).error is None
    assert [format_edge(edge) for edge in find_autorequires(session.catalog())] == edges


OPERANDS = (
    "Notify['a']",
    "Notify['b']",
    "Class['one']",
    "Class['two']",
    "Box['x']",
    "Box['y']",
    "Notify['in x']",
)


@given(st.lists(st.tuples(st.sampled_from(OPERANDS), st.sampled_from(OPERANDS)), min_size=1, max_size=6))
def test_a_cycle_is_searched_for_only_if_a_new_edge_may_close_one(pairs: list[tuple[str, str]]) -> None:
    session = Session("puppet")
    outcome = session.run(
        'define box { notify { "in ${title}": } }\n'
        "class one { notify { 'in one': } contain two }\n"
        "class two { box { 'y': } }\n"
        "notify { ['a', 'b']: } include one\nbox { 'x': }\n" + "\n".join(f"{a} -> {b}" for a, b in pairs)
    )
    assert outcome.error is None, outcome.error
    catalog = session.catalog()
    graph = build_graph(catalog)
    components = [set(one) for one in _find_components(graph.build_steps())]
    assert may_close_cycle(catalog, graph.order) == bool(components)
    for edge in graph.order:
        is_on_cycle = any({*graph.to_points(edge)} <= one for one in components)
        assert may_close_cycle(catalog, [edge]) or not is_on_cycle, edge
