"""Parts of a graph: the neighbourhood of a resource, paths between two, changes."""

from __future__ import annotations

from collections.abc import Iterable

from puppet_kernel.rendering.elements import Graph, NoteElement


def restrict(graph: Graph, wanted: Iterable[str]) -> Graph:
    """Return the graph of some nodes with their containers."""
    kept = set(wanted)
    for node in list(kept):
        while node in graph.inside:
            node = graph.inside[node]
            kept.add(node)
    made = Graph(
        [node for node in graph.nodes if node in kept],
        {node: outer for node, outer in graph.inside.items() if node in kept},
        [edge for edge in graph.edges if edge[0] in kept and edge[1] in kept],
        [cycle for cycle in graph.cycles if kept.issuperset(cycle)],
    )
    made.implied = tuple(edge for edge in graph.implied if edge[0] in kept and edge[1] in kept)
    made.titles = {node: graph.titles[node] for node in made.nodes if node in graph.titles}
    made.numbers = {node: graph.numbers[node] for node in made.nodes if node in graph.numbers}
    made.defines = graph.defines
    made.added = graph.added & kept
    made.remarks = graph.remarks if made.cycles else ()
    return made


def content(graph: Graph, node: str) -> list[str]:
    """Return a node and all its contents."""
    inner: dict[str, list[str]] = {}
    for child, outer in graph.inside.items():
        inner.setdefault(outer, []).append(child)
    found = [node]
    for at in found:
        found += inner.get(at, ())
    return found


def find_neighbours(graph: Graph, start: str, depth: int = 1) -> Graph:
    """Return the nodes within a number of relationships from a node or its contents."""
    near: dict[str, list[str]] = {}
    for source, target, _, _ in graph.edges:
        near.setdefault(source, []).append(target)
        near.setdefault(target, []).append(source)
    found = dict.fromkeys(content(graph, start))
    border = list(found)
    for _ in range(depth):
        border = [other for node in border for other in near.get(node, ()) if other not in found]
        found |= dict.fromkeys(border)
    return restrict(graph, found)


def find_paths(graph: Graph, source: str, target: str) -> Graph | None:
    """Return all nodes on paths from one node to another; None if there is no path."""
    after = _find_reachable(_points(graph, True), ("end", source))
    before = _find_reachable(_points(graph, False), ("begin", target))
    between = [node for part, node in after if (part, node) in before]
    if not between:
        return None
    return restrict(graph, [source, target, *between])


Point = tuple[str, str]


def _points(graph: Graph, forward: bool) -> dict[Point, list[Point]]:
    """Return the successors or predecessors of points.

    A node has a point for its begin and its end.
    """
    steps: list[tuple[Point, Point]] = [(("end", a), ("begin", b)) for a, b, _, _ in graph.edges]
    filled = set(graph.inside.values())
    steps += [(("begin", node), ("end", node)) for node in graph.nodes if node not in filled]
    for node, outer in graph.inside.items():
        steps += [(("begin", outer), ("begin", node)), (("end", node), ("end", outer))]
    found: dict[Point, list[Point]] = {}
    for a, b in steps:
        found.setdefault(*((a, []) if forward else (b, []))).append(b if forward else a)
    return found


def _find_reachable(steps: dict[Point, list[Point]], start: Point) -> dict[Point, None]:
    found = {start: None}
    queue = [start]
    for at in queue:
        for other in steps.get(at, ()):
            if other not in found:
                found[other] = None
                queue.append(other)
    return found


def add_implied_remark(graph: Graph) -> Graph:
    """Return the graph with a remark about relationships that are not drawn as they are implied."""
    count = len(graph.implied)
    if count:
        words = "1 relationship follows" if count == 1 else f"{count} relationships follow"
        verb = "is" if count == 1 else "are"
        graph.remarks = (*graph.remarks, NoteElement("hint", f"{words} from others and {verb} not drawn"))
    return graph
