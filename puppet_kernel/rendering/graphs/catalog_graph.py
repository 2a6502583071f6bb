"""The graph of a catalog, and parts of it: closed containers, neighbourhoods and paths.

Containers are opened from the outside, small ones first, while the number of boxes stays within the budget. Similar
siblings without room become one box, a stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from evaluator.catalog.graph import build_graph, find_autorequires, find_implied_edges
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, SETTINGS, format_key
from puppet_kernel.rendering.elements import Edge, Graph, NoteElement, group_by
from puppet_kernel.rendering.escape import to_one_line
from puppet_kernel.rendering.literals import format_count, format_kinds

MOST = 40  # boxes in one picture
LEAST = 8  # a container that is requested by name is opened into at least this many boxes
OTHERS = "others"
Point = tuple[str, str]
_P = TypeVar("_P")


def make_graph(catalog: Any, *, auto: bool = False, added: frozenset[str] = frozenset()) -> Graph:
    """Return all resources of a catalog with their containment and order.

    Relationships that follow from others are found by `find_implied_edges`.

    Args:
        catalog: A catalog after the fixed point.
        auto: True to add automatic requirements of resources.
        added: The references of new resources.
    """
    known = build_graph(catalog)
    stages = any(key[0] == "stage" and key != MAIN_STAGE for key in known.nodes)
    hidden = {SETTINGS, MAIN_CLASS} if stages else {SETTINGS, MAIN_CLASS, MAIN_STAGE}
    order = [key for key in known.sort() if key not in hidden]
    names = {key: format_key(key) for key in order}
    outer = {edge.target: edge.source for edge in known.contains}
    inside = {}
    for key, name in names.items():
        above = outer.get(key)
        while above is not None and above in hidden:
            above = outer.get(above)
        if above is not None and above != key and above in names:
            inside[name] = names[above]
    superfluous = set(map(id, find_implied_edges(known)))
    order_edges = [edge for edge in known.order if edge.source in names and edge.target in names]
    edges = _merge(edge for edge in order_edges if id(edge) not in superfluous)
    if auto:
        taken = {edge[:2] for edge in edges}
        edges += [edge for edge in _merge(find_autorequires(catalog)) if edge[:2] not in taken]
    made = Graph(
        list(names.values()),
        inside,
        edges,
        [[format_key(key) for key in cycle] for cycle in known.find_cycles()],
    )
    made.implied = tuple(_make_edge(edge) for edge in order_edges if id(edge) in superfluous)
    made.numbers = {name: number for number, name in enumerate(names.values(), 1)}
    made.defines = frozenset(
        names[key] for key in known.containers if key in names and key[0] not in ("class", "stage")
    )
    made.added = added
    for key, name in names.items():
        span = catalog.resources[key].span
        place = f"line {span.line}, " if span is not None else ""
        made.titles[name] = f"{place}applied as number {made.numbers[name]}"
    made.remarks = tuple(_suggest_cuts(known))
    return made


def _make_edge(edge: Any) -> Edge:
    """Return a relationship of a catalog as an edge of the graph."""
    reason = f"{edge.reason}, line {edge.span.line}" if edge.span is not None else edge.reason
    return format_key(edge.source), format_key(edge.target), edge.kind, reason


def _merge(edges: Any) -> list[Edge]:
    """Return edges merged by their ends, with all reasons; one that notifies is decisive."""
    found: dict[tuple[str, str], Edge] = {}
    for source, target, kind, reason in map(_make_edge, edges):
        known = found.get((source, target))
        if known is not None:
            kind = kind if known[2] == "before" else known[2]
            reason = known[3] if reason in known[3].split("; ") else f"{known[3]}; {reason}"
        found[source, target] = (source, target, kind, reason)
    return list(found.values())


def _suggest_cuts(known: Any) -> list[NoteElement]:
    """Return for each cycle a note with the relationship to remove first."""
    notes = []
    for edge in known.find_cuts():
        source, target, _, reason = _make_edge(edge)
        notes.append(
            NoteElement("help", f"without {source} → {target} ({reason}) there is no such cycle", "remedy")
        )
    return notes


def fold_graph(graph: Graph, first: Iterable[str]) -> Graph:
    """Return the graph with at most MOST boxes; containers in `first` are opened first."""
    if len(graph.nodes) <= MOST:
        return graph
    boxes = _Boxes(graph)
    cycles = [node for cycle in graph.cycles for node in cycle]
    boxes.open_all([*first, *(graph.inside[node] for node in cycles if node in graph.inside)])
    return boxes.make_visible_graph()


def get_type(node: str) -> str:
    """Return the type in a reference: `File` of `File[/a]`."""
    return node.partition("[")[0]


class _Boxes:
    """The visible nodes of a graph, and the boxes that represent the others.

    Attributes:
        inner: The contents of each container; "" is the key for nodes without a container.
        seen: The visible members of each open container.
        stacks: The members of each stack, by its name.
        outer: The container in which each stack is, by its name.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.inner = graph.list_contents()
        self.seen: dict[str, list[str]] = {}
        self.stacks: dict[str, list[str]] = {}
        self.outer: dict[str, str] = {}

    def open_all(self, first: Iterable[str]) -> None:
        """Open all containers for which there is room."""
        left = MOST - self.open("", MOST)
        for container in first:
            way = [container, *self.graph.iterate_containers(container)]
            for at, outer in reversed([*enumerate(way)]):
                if outer in self.inner and outer not in self.seen:
                    left -= self.open(outer, max(left, LEAST), keep=way[at - 1 : at] if at else ())
        waiting = [node for seen in self.seen.values() for node in seen if self._is_closed(node)]
        while waiting:
            container = min(waiting, key=lambda node: len(self.inner[node]))
            waiting.remove(container)
            fits = len(self.inner[container]) <= left
            if not fits and (left < MOST // 2 or left // (len(waiting) + 1) < LEAST):
                break
            left -= self.open(container, left if fits else left // (len(waiting) + 1))
            if fits:
                waiting += [node for node in self.seen[container] if self._is_closed(node)]

    def _is_closed(self, node: str) -> bool:
        return node in self.inner and node not in self.seen

    def open(self, container: str, room: int, keep: Sequence[str] = ()) -> int:
        """Open a container into at most `room` boxes, `keep` among them; return their number."""
        members = self.inner[container]
        seen, stacks = members, []
        if len(members) > room:
            kinds = group_by(members, get_type)
            groups = sorted(kinds.items(), key=lambda group: len(group[1]))
            if len(groups) > room - len(keep):
                rest = [node for _, nodes in groups[room - len(keep) - 1 :] for node in nodes]
                groups = [*groups[: room - len(keep) - 1], (OTHERS, rest)]
            shown = set(keep)
            left = room - len(groups) - len(keep)
            for kind, nodes in groups:
                single = kind != OTHERS and len(nodes) - 1 <= left
                some = nodes if single else [] if kind == OTHERS else nodes[:left]
                shown.update(some)
                left -= len(nodes) - 1 if single else len(some)
                rest = [node for node in nodes if node not in shown]
                if rest:
                    stacks.append((kind, rest, len(rest) < len(nodes)))
            seen = [node for node in members if node in shown]
        self.seen[container] = seen
        for kind, rest, more in stacks:
            where = f" in {container}" if container else ""
            name = f"{kind} × {len(rest)}{' more' if more else ''}{where}"
            self.stacks[name], self.outer[name] = rest, container
        return len(seen) + len(stacks)

    def make_visible_graph(self) -> Graph:
        """Return the graph of the visible nodes."""
        whole = self.graph
        box = self._find_boxes()
        nodes = list(dict.fromkeys(box[node] for node in whole.nodes))
        outer = {name: container for name, container in self.outer.items() if container}
        outer |= {node: whole.inside[node] for node in nodes if node in whole.inside}
        edges, inner = self._merge_edges(box)
        cycles = [list(dict.fromkeys(box[node] for node in cycle)) for cycle in whole.cycles]
        made = Graph(nodes, outer, edges, cycles)
        within = group_by((node for node, stands in box.items() if node != stands), box.__getitem__)
        for name in nodes:
            if name in self.stacks:
                made.counts[name] = self._describe_ends(name)
                made.labels[name] = name.partition(" in ")[0]
                made.titles[name] = format_kinds(map(get_type, within[name]))
            elif name in within and name not in self.seen:
                made.counts[name] = format_kinds(map(get_type, within[name]))
        made.titles |= {
            name: words for name, words in whole.titles.items() if name in box and box[name] == name
        }
        made.numbers = {name: number for name, number in whole.numbers.items() if box[name] == name}
        made.defines, made.implied = whole.defines, whole.implied
        made.added = frozenset(box[name] for name in whole.added if name in box)
        made.remarks = (*whole.remarks, self._make_remark(made, inner))
        return made

    def _find_boxes(self) -> dict[str, str]:
        """Return the box of each node: itself, a closed container around it, or a stack."""
        box: dict[str, str] = {}
        for name, members in self.stacks.items():
            box |= dict.fromkeys(members, name)
        for seen in self.seen.values():
            box |= {node: node for node in seen}
        todo = [node for node in box if node not in self.seen]
        while todo:
            node = todo.pop()
            for child in self.inner.get(node, ()):
                box[child] = box[node]
                todo.append(child)
        return box

    def _merge_edges(self, box: dict[str, str]) -> tuple[list[Edge], int]:
        """Return the edges between boxes, merged by their ends, and the number within boxes."""
        inner = 0
        edges: list[Edge] = []
        grouped = group_by(self.graph.edges, lambda edge: (box[edge[0]], box[edge[1]]))
        for (source, target), every in grouped.items():
            if source == target:
                inner += len(every)
                continue
            kinds = {edge[2] for edge in every}
            kind = next(kind for kind in ("notify", "before", "auto") if kind in kinds)
            a, b, _, reason = every[0]
            if len(every) > 1:
                reason = f"{len(every)} relationships, such as {a} → {b}: {reason}"
            elif (a, b) != (source, target):
                reason = f"{reason} ({a} → {b})"
            edges.append((source, target, kind, reason))
        return edges, inner

    def _describe_ends(self, name: str) -> str:
        """Return the first and the last title of a stack, each shortened at its beginning."""
        ends = (self.stacks[name][0], self.stacks[name][-1])
        titles = [to_one_line(node).partition("[")[2].removesuffix("]") for node in ends]
        return " … ".join(title if len(title) < 20 else "…" + title[-18:] for title in titles)

    def _make_remark(self, made: Graph, inner: int) -> NoteElement:
        """Return how to see what is in closed boxes; `inner` relationships are in them."""
        closed = [name for name in made.counts if name not in self.stacks]
        hints = [f"`%graph --all` draws all {len(self.graph.nodes):,} resources"]
        if closed:
            are = "is" if len(closed) == 1 else "are"
            boxes = format_count(len(closed), "box", "boxes")
            hints.insert(0, f"{boxes} {are} closed: `%graph {closed[0]}` opens one")
        if inner:
            are = "is" if inner == 1 else "are"
            hints.append(f"{format_count(inner, 'relationship')} {are} inside closed boxes")
        return NoteElement("hint", "; ".join(hints))


def restrict(graph: Graph, wanted: Iterable[str]) -> Graph:
    """Return the graph of some nodes with their containers."""
    kept = {name for node in wanted for name in (node, *graph.iterate_containers(node))}
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


def find_neighbours(graph: Graph, start: str, depth: int) -> Graph:
    """Return the nodes within a number of relationships from a node or its contents."""
    near: dict[str, list[str]] = {}
    for source, target, _, _ in graph.edges:
        near.setdefault(source, []).append(target)
        near.setdefault(target, []).append(source)
    found = find_reachable(graph.list_contents(), start)
    border = list(found)
    for _ in range(depth):
        border = [other for node in border for other in near.get(node, ()) if other not in found]
        found |= dict.fromkeys(border)
    return restrict(graph, found)


def find_paths(graph: Graph, source: str, target: str) -> Graph | None:
    """Return all nodes on paths from one node to another; None if there is no path."""
    after = find_reachable(_map_steps(graph, is_forward=True), ("end", source))
    before = find_reachable(_map_steps(graph, is_forward=False), ("begin", target))
    between = [node for part, node in after if (part, node) in before]
    if not between:
        return None
    return restrict(graph, [source, target, *between])


def _map_steps(graph: Graph, *, is_forward: bool) -> dict[Point, list[Point]]:
    """Return the successors of each point, or its predecessors.

    A node has two points: ("begin", node) and ("end", node).
    """
    steps: list[tuple[Point, Point]] = [(("end", a), ("begin", b)) for a, b, _, _ in graph.edges]
    filled = set(graph.inside.values())
    steps += [(("begin", node), ("end", node)) for node in graph.nodes if node not in filled]
    for node, outer in graph.inside.items():
        steps += [(("begin", outer), ("begin", node)), (("end", node), ("end", outer))]
    found: dict[Point, list[Point]] = {}
    for a, b in steps:
        point, other = (a, b) if is_forward else (b, a)
        found.setdefault(point, []).append(other)
    return found


def find_reachable(steps: Mapping[_P, Iterable[_P]], start: _P) -> dict[_P, None]:
    """Return the points to which steps lead from a point, itself included, the nearest first."""
    found = {start: None}
    queue = [start]
    for at in queue:
        for other in steps.get(at, ()):
            if other not in found:
                found[other] = None
                queue.append(other)
    return found


def add_implied_remark(graph: Graph) -> Graph:
    """Return the graph with a remark about implied relationships, which are not drawn."""
    count = len(graph.implied)
    if count:
        follow, are = ("follows", "is") if count == 1 else ("follow", "are")
        words = f"{format_count(count, 'relationship')} {follow} from others and {are} not drawn"
        graph.remarks = (*graph.remarks, NoteElement("hint", words))
    return graph
