"""A resource graph as text: containment as a tree, order as rows with rails.

See also `svg`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from puppet_kernel.rendering.elements import Fragment, Graph, Line, Tree, line
from puppet_kernel.rendering.lines import break_lines, tree_lines, trim_line

LONGEST_CYCLE = 16
MARKS = {"before": ("", "│"), "notify": ("warning", "┆"), "auto": ("note", "┊")}
ARROWS = {"before": "→", "notify": "⇢", "auto": "⤏"}


def graph_lines(graph: Graph, columns: int | None = None) -> list[Line]:
    """Return the containment tree, then one row for every ordered node, predecessors first.

    Rows with rails are never broken, other lines are broken at `columns`.
    """
    if not graph.nodes:
        return [line(("dim", "The catalog is empty."))]
    lines: list[Line] = [parts for tree in containment(graph) for parts in tree_lines(tree, columns)]
    if graph.cycles:
        rows = [parts for cycle in graph.cycles for parts in cycle_lines(graph, cycle)]
    else:
        rows = order_lines(graph)
    lines = [*lines, (), *rows] if lines and rows else lines or rows
    told = [
        line((remark.kind, f"{remark.label}: " if remark.label else ""), ("dim", remark.text))
        for remark in graph.remarks
    ]
    if told:
        lines = [*lines, (), *break_lines(told, columns, "")]
    return lines


def containment(graph: Graph) -> list[Tree]:
    """Return the trees of containment in the order of the nodes."""
    inside: dict[str | None, list[str]] = {}
    for node in graph.nodes:
        inside.setdefault(graph.inside.get(node), []).append(node)
    trees: dict[str, Tree] = {}
    walk: list[str] = []
    stack = list(inside.get(None, []))
    while stack:
        node = stack.pop()
        walk.append(node)
        stack += inside.get(node, [])
    for node in reversed(walk):
        trees[node] = Tree(_format_node(graph, node), [trees[child] for child in inside.get(node, [])])
    return [trees[node] for node in inside.get(None, [])]


def _format_node(graph: Graph, node: str) -> Line:
    """Return a node, and the contents of a closed one."""
    label = _label(graph.labels.get(node, node))
    return (*label, ("dim", f"  {graph.counts[node]}")) if node in graph.counts else label


def _label(node: str) -> Line:
    kind, bracket, rest = node.partition("[")
    return line(("type", kind), bracket + rest)


def cycle_lines(graph: Graph, cycle: Sequence[str]) -> list[Line]:
    """Return a cycle with the reason of each step."""
    reasons = {(source, target): reason for source, target, _, reason in graph.edges}
    shown = cycle[:LONGEST_CYCLE]
    lines = [line(("error", "dependency cycle: "), f"these {len(cycle)} wait for each other")]
    for source, target in pairwise([*shown, cycle[0]] if len(shown) == len(cycle) else shown):
        reason = reasons.get((source, target), "contains")
        lines.append(line("  ", *_label(source), ("dim", " → "), *_label(target), ("dim", f"  {reason}")))
    if len(shown) < len(cycle):
        lines.append(line(("dim", f"  … and {len(cycle) - len(shown)} more")))
    return lines


def order_lines(graph: Graph) -> list[Line]:
    """Return rows as in a commit graph: a node is on its rail, rails lead to its successors."""
    ordered = {name for source, target, _, _ in graph.edges for name in (source, target)}
    nodes = [node for node in graph.nodes if node in ordered]
    place_of = {node: i for i, node in enumerate(nodes)}
    edges: dict[str, dict[str, str]] = {}
    for source, target, kind, _ in graph.edges:
        if kind == "notify" or target not in edges.setdefault(source, {}):
            edges.setdefault(source, {})[target] = kind
    rails: list[tuple[str, str] | None] = []  # (the node that the rail leads to, its kind)
    rows: list[tuple[list[Fragment], list[Fragment]]] = []
    for node in nodes:
        mine = [i for i, rail in enumerate(rails) if rail is not None and rail[0] == node]
        place = mine[0] if mine else _free(rails)
        rows += [(drawn, []) for drawn in _joins(rails, mine)]
        for i in mine:
            rails[i] = None
        targets = sorted(edges.get(node, {}).items(), key=lambda pair: place_of[pair[0]])
        rows.append((_rails(rails, place), [*_label(node), *_targets(targets)]))
        for i, rail in enumerate(targets):
            rails[place if i == 0 else _free(rails)] = rail
        while rails and rails[-1] is None:
            rails.pop()
    widest = max((_width(drawn) for drawn, _ in rows), default=0)
    return [trim_line([*drawn, ("", " " * (widest - _width(drawn))), *told]) for drawn, told in rows]


def _width(parts: list[Fragment]) -> int:
    return sum(len(text) for _, text in parts)


def _targets(targets: list[tuple[str, str]]) -> list[Fragment]:
    told: list[Fragment] = []
    for kind, arrow in ARROWS.items():
        names = [name for name, how in targets if how == kind]
        if names:
            told.append(("dim", f"  {arrow} {', '.join(names)}"))
    return told


def _free(rails: list[tuple[str, str] | None]) -> int:
    for i, rail in enumerate(rails):
        if rail is None:
            return i
    rails.append(None)
    return len(rails) - 1


def _rails(rails: list[tuple[str, str] | None], place: int) -> list[Fragment]:
    drawn: list[Fragment] = []
    for i in range(max(len(rails), place + 1)):
        rail = rails[i] if i < len(rails) else None
        if i == place:
            drawn.append(("strong", "● "))
        elif rail is None:
            drawn.append(("", "  "))
        else:
            role, mark = MARKS[rail[1]]
            drawn.append((role or "dim", mark + " "))
    return drawn


def _joins(rails: list[tuple[str, str] | None], mine: list[int]) -> list[list[Fragment]]:
    """Return the row in which several rails of one node join; none for a single rail."""
    if len(mine) < 2:
        return []
    drawn: list[Fragment] = []
    for i, rail in enumerate(rails):
        if i == mine[0]:
            drawn.append(("dim", "├─"))
        elif i in mine:
            drawn += [("dim", "┴─")] if i < mine[-1] else [("dim", "╯"), ("", " ")]
        elif mine[0] < i < mine[-1]:
            drawn.append(("dim", "┼─" if rail is not None else "──"))
        else:
            drawn.append(("dim", MARKS[rail[1]][1] + " ") if rail is not None else ("", "  "))
    return [drawn]
