"""The exact form of the resource graph as text."""

from __future__ import annotations

from evaluator import Session
from puppet_kernel.rendering.elements import Graph
from puppet_kernel.rendering.graphs.catalog_graph import make_graph
from puppet_kernel.rendering.text import render_plain


def render_graph(source: str) -> str:
    """Return the graph of the catalog of a program as text."""
    session = Session()
    outcome = session.run(source)
    assert outcome.error is None, outcome.error
    return render_plain(make_graph(session.catalog()))


def test_the_graph_shows_containment_and_order() -> None:
    assert render_graph(
        """
        class ntp {
          package { 'ntp': }
          -> file { '/etc/ntp.conf': }
          ~> service { 'ntp': }
        }
        include ntp
        notify { 'done': require => Class['ntp'] }
        """
    ) == (
        "Class[Ntp]\n"
        "├─ Package[ntp]\n"
        "├─ File[/etc/ntp.conf]\n"
        "└─ Service[ntp]\n"
        "Notify[done]\n"
        "\n"
        "●   Class[Ntp]  → Notify[done]\n"
        "│ ● Package[ntp]  → File[/etc/ntp.conf]\n"
        "│ ● File[/etc/ntp.conf]  ⇢ Service[ntp]\n"
        "│ ● Service[ntp]\n"
        "●   Notify[done]"
    )


def test_lines_of_the_order_branch_and_join() -> None:
    assert render_graph(
        """
        notify { ['a', 'b', 'c', 'd']: }
        Notify['a'] -> Notify['b', 'c'] -> Notify['d']
        """
    ).split("\n\n")[1] == (
        "●   Notify[a]  → Notify[b], Notify[c]\n"
        "● │ Notify[b]  → Notify[d]\n"
        "│ ● Notify[c]  → Notify[d]\n"
        "├─╯\n"
        "●   Notify[d]"
    )


def test_lines_of_the_order_join_across_others() -> None:
    assert render_graph(
        """
        notify { ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']: }
        Notify['a'] -> Notify['b', 'c', 'd']
        Notify['b', 'd', 'e'] -> Notify['g']
        Notify['c', 'f'] -> Notify['h']
        """
    ).split("\n\n")[1].splitlines()[4:] == [
        "│ │ │ ●   Notify[e]  → Notify[g]",
        "│ │ │ │ ● Notify[f]  → Notify[h]",
        "├─┼─┴─╯ │ ",
        "● │     │ Notify[g]",
        "  ├─────╯",
        "  ●       Notify[h]",
    ]


def test_without_relationships_only_containment_is_shown() -> None:
    assert render_graph("notify { ['a', 'b']: }") == "Notify[a]\nNotify[b]"


def test_an_empty_catalog_is_reported() -> None:
    assert render_graph("1") == "The catalog is empty."


def test_a_cycle_is_shown_with_the_sources_of_its_relationships() -> None:
    assert render_graph(
        "notify { 'a': require => Notify['b'] }\nnotify { 'b': }\nNotify['a'] -> Notify['b']"
    ).split("\n\n")[1] == (
        "dependency cycle: these 2 wait for each other\n"
        "  Notify[a] → Notify[b]  ->, line 3\n"
        "  Notify[b] → Notify[a]  require, line 1"
    )


def test_a_deep_containment_is_drawn_without_recursion() -> None:
    names = [f"n{i}" for i in range(1500)]
    inside = {name: names[i] for i, name in enumerate(names[1:])}
    assert render_plain(Graph(names, inside, [])).count("\n") == 1499
