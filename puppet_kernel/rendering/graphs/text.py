"""A graph as text: lines and arrows for a terminal, DOT for Graphviz, and Mermaid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from puppet_kernel.rendering.elements import Fragment, Graph, Line, Tree, count_characters, make_line
from puppet_kernel.rendering.escape import to_one_line, to_printable
from puppet_kernel.rendering.layout import break_lines, make_tree_lines, trim_line

LONGEST_CYCLE = 16  # nodes of a cycle that are shown
# For each kind of edge, the role of its rail ("" for a dim one) and its character.
MARKS = {"before": ("", "│"), "notify": ("warning", "┆"), "auto": ("note", "┊")}
ARROWS = {"before": "→", "notify": "⇢", "auto": "⤏"}


class Rail(NamedTuple):
    """A vertical line to a node that is drawn further below."""

    target: str
    kind: str


def make_graph_lines(graph: Graph, columns: int | None = None) -> list[Line]:
    """Return the containment tree, then one row for every ordered node, predecessors first.

    Rows with rails are never broken, other lines are broken at `columns`.
    """
    if not graph.nodes:
        return [make_line(("dim", "The catalog is empty."))]
    lines: list[Line] = [
        parts for tree in make_containment_lines(graph) for parts in make_tree_lines(tree, columns)
    ]
    if graph.cycles:
        rows = [parts for cycle in graph.cycles for parts in make_cycle_lines(graph, cycle)]
    else:
        rows = make_order_lines(graph)
    lines = [*lines, (), *rows] if lines and rows else lines or rows
    notes = [
        make_line((remark.kind, f"{remark.label}: " if remark.label else ""), ("dim", remark.text))
        for remark in graph.remarks
    ]
    if notes:
        lines = [*lines, (), *break_lines(notes, columns, "")]
    return lines


def make_containment_lines(graph: Graph) -> list[Tree]:
    """Return the trees of containment in the order of the nodes."""
    contents = graph.list_contents()
    outermost = contents.get("", [])
    trees: dict[str, Tree] = {}
    walk = list(outermost)
    for node in walk:
        walk += contents.get(node, [])
    for node in reversed(walk):
        trees[node] = Tree(_format_node(graph, node), [trees[child] for child in contents.get(node, [])])
    return [trees[node] for node in outermost]


def _format_node(graph: Graph, node: str) -> Line:
    """Return a node, and the contents of a closed one."""
    label = _make_label_line(graph.labels.get(node, node))
    return (*label, ("dim", f"  {graph.counts[node]}")) if node in graph.counts else label


def _make_label_line(node: str) -> Line:
    kind, bracket, rest = node.partition("[")
    return make_line(("type", kind), bracket + rest)


def make_cycle_lines(graph: Graph, cycle: Sequence[str]) -> list[Line]:
    """Return a cycle with the reason of each step."""
    reasons = {(source, target): reason for source, target, _, reason in graph.edges}
    shown_nodes = [*cycle, cycle[0]] if len(cycle) <= LONGEST_CYCLE else cycle[:LONGEST_CYCLE]
    lines = [
        make_line(("error", "dependency cycle: "), f"these {len(cycle)} wait for each other"),
        *(
            make_line(
                "  ",
                *_make_label_line(source),
                ("dim", " → "),
                *_make_label_line(target),
                ("dim", f"  {reasons.get((source, target), 'contains')}"),
            )
            for source, target in pairwise(shown_nodes)
        ),
    ]
    if len(cycle) > LONGEST_CYCLE:
        lines.append(make_line(("dim", f"  … and {len(cycle) - LONGEST_CYCLE} more")))
    return lines


def make_order_lines(graph: Graph) -> list[Line]:
    """Return rows as in a commit graph: a node is on its rail, rails lead to its successors."""
    ordered = {name for source, target, _, _ in graph.edges for name in (source, target)}
    nodes = [node for node in graph.nodes if node in ordered]
    index_of = {node: i for i, node in enumerate(nodes)}
    kinds: dict[str, dict[str, str]] = {}  # by the source of edges, then by their target
    for source, target, kind, _ in graph.edges:
        if kind == "notify" or target not in kinds.setdefault(source, {}):
            kinds.setdefault(source, {})[target] = kind
    rails: list[Rail | None] = []  # side by side; None for a free place
    rows: list[tuple[list[Fragment], list[Fragment]]] = []  # the rails, and the node with its targets
    for node in nodes:
        incoming = [i for i, rail in enumerate(rails) if rail is not None and rail.target == node]
        own_rail = incoming[0] if incoming else _find_free_rail(rails)
        rows += [(drawn, []) for drawn in _draw_joins(rails, incoming)]
        rails = [None if i in incoming else rail for i, rail in enumerate(rails)]
        outgoing = sorted(
            (Rail(target, kind) for target, kind in kinds.get(node, {}).items()),
            key=lambda rail: index_of[rail.target],
        )
        rows.append((_draw_rails(rails, own_rail), [*_make_label_line(node), *_list_targets(outgoing)]))
        for i, rail in enumerate(outgoing):
            rails[own_rail if i == 0 else _find_free_rail(rails)] = rail
        while rails and rails[-1] is None:
            rails.pop()
    widest = max((count_characters(drawn) for drawn, _ in rows), default=0)
    return [
        trim_line([*drawn, ("", " " * (widest - count_characters(drawn))), *arrows]) for drawn, arrows in rows
    ]


def _list_targets(outgoing: list[Rail]) -> list[Fragment]:
    """Return the targets of a node, listed behind the arrow of their kind."""
    names = {kind: [rail.target for rail in outgoing if rail.kind == kind] for kind in ARROWS}
    return [("dim", f"  {arrow} {', '.join(names[kind])}") for kind, arrow in ARROWS.items() if names[kind]]


def _find_free_rail(rails: list[Rail | None]) -> int:
    """Return the index of the first free place, which is added if there is none."""
    if None not in rails:
        rails.append(None)
    return rails.index(None)


def _draw_rails(rails: list[Rail | None], own_rail: int) -> list[Fragment]:
    """Return the rails beside a node, which is at the index `own_rail`."""
    drawn: list[Fragment] = []
    for i, rail in enumerate(rails):
        if i == own_rail:
            drawn.append(("strong", "● "))
        elif rail is None:
            drawn.append(("", "  "))
        else:
            role, mark = MARKS[rail.kind]
            drawn.append((role or "dim", mark + " "))
    return drawn


def _draw_joins(rails: list[Rail | None], incoming: list[int]) -> list[list[Fragment]]:
    """Return the row in which the incoming rails of a node join; no row for a single rail."""
    if len(incoming) < 2:
        return []
    drawn: list[Fragment] = []
    for i, rail in enumerate(rails):
        if i == incoming[0]:
            drawn.append(("dim", "├─"))
        elif i in incoming:
            drawn += [("dim", "┴─")] if i < incoming[-1] else [("dim", "╯"), ("", " ")]
        elif incoming[0] < i < incoming[-1]:
            drawn.append(("dim", "┼─" if rail is not None else "──"))
        else:
            drawn.append(("dim", MARKS[rail.kind][1] + " ") if rail is not None else ("", "  "))
    return [drawn]


def to_dot(graph: Graph) -> list[str]:
    """Return the lines of a DOT file, with containers as clusters."""
    ids = {node: f"n{number}" for number, node in enumerate(graph.nodes)}
    inner = graph.list_contents()
    lines = ["digraph resources {", "  compound=true;", "  node [shape=box];"]
    for depth, node, opens in _iterate_nested(graph, inner):
        indent = "  " * (depth + 1)
        if not opens:
            lines.append(f"{indent}}}")
        elif node in inner:  # the relationships of a container end at a point inside its cluster
            lines.append(f"{indent}subgraph cluster_{ids[node]} {{ label={_quote(node)};")
            lines.append(f"{indent}  {ids[node]} [shape=point, style=invis];")
        else:
            lines.append(f"{indent}{ids[node]} [label={_quote(_format_label(graph, node))}];")
    for source, target, kind, reason in graph.edges:
        more = [f"tooltip={_quote(f'{source} → {target}: {reason}')}"]
        more += ["style=dashed"] if kind == "notify" else ["style=dotted"] if kind == "auto" else []
        for end, other, option in ((source, target, "ltail"), (target, source, "lhead")):
            if end in inner and end not in graph.iterate_containers(other):
                more.append(f"{option}=cluster_{ids[end]}")
        lines.append(f"  {ids[source]} -> {ids[target]} [{', '.join(more)}];")
    return [*lines, "}"]


def to_mermaid(graph: Graph) -> list[str]:
    """Return the lines of a Mermaid flowchart, with containers as subgraphs."""
    ids = {node: f"n{number}" for number, node in enumerate(graph.nodes)}
    inner = graph.list_contents()
    lines = ["flowchart TB"]
    for depth, node, opens in _iterate_nested(graph, inner):
        indent = "  " * (depth + 1)
        if not opens:
            lines.append(f"{indent}end")
        elif node in inner:
            lines.append(f"{indent}subgraph {ids[node]}[{_escape_entities(node)}]")
        else:
            lines.append(f"{indent}{ids[node]}[{_escape_entities(_format_label(graph, node))}]")
    for source, target, kind, reason in graph.edges:
        arrow = "-->" if kind == "before" else "-.->"
        words = f"|{_escape_entities(reason)}|" if reason else ""
        lines.append(f"  {ids[source]} {arrow}{words} {ids[target]}")
    return lines


def _format_label(graph: Graph, node: str) -> str:
    label = graph.labels.get(node, node)
    return f"{label}\n{graph.counts[node]}" if graph.counts.get(node) else label


def _iterate_nested(graph: Graph, inner: dict[str, list[str]]) -> Iterable[tuple[int, str, bool]]:
    """Yield (depth, node, True) where a node begins, and False where a container ends."""
    stack = [(0, node, True) for node in reversed(graph.nodes) if node not in graph.inside]
    while stack:
        depth, node, opens = stack.pop()
        yield depth, node, opens
        if opens and node in inner:
            stack.append((depth, node, False))
            stack += [(depth + 1, child, True) for child in reversed(inner[node])]


def _quote(text: str) -> str:
    """Return a text as a string of DOT."""
    escaped = (
        to_printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("\t", " ").replace("\n", "\\n")
    )
    return f'"{escaped}"'


def _escape_entities(text: str) -> str:
    """Return a text as a string of Mermaid, with entities for special characters."""
    lines = (
        "".join(
            character if character.isalnum() or character in " /.,:-_" else f"#{ord(character)};"
            for character in to_one_line(row)
        )
        for row in text.split("\n")
    )
    return f'"{"<br>".join(lines)}"'
