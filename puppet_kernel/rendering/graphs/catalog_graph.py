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

MOST_BOXES = 40  # in one picture
LEAST_BOXES = 8  # into which a container is opened that is requested by name
OTHERS = "others"  # the name of a stack of several types
Point = tuple[str, str]  # "begin" or "end", and the name of a node
_P = TypeVar("_P")


def make_graph(catalog: Any, *, auto: bool = False, added: frozenset[str] = frozenset()) -> Graph:
    """Return all resources of a catalog with their containment and order.

    Relationships that follow from others are found by `find_implied_edges`.

    Args:
        catalog: A catalog after the fixed point.
        auto: True to add automatic requirements of resources.
        added: The references of new resources.
    """
    catalog_graph = build_graph(catalog)
    has_stages = any(key[0] == "stage" and key != MAIN_STAGE for key in catalog_graph.nodes)
    hidden = {SETTINGS, MAIN_CLASS} if has_stages else {SETTINGS, MAIN_CLASS, MAIN_STAGE}
    names = {key: format_key(key) for key in catalog_graph.sort() if key not in hidden}
    container_of = {edge.target: edge.source for edge in catalog_graph.contains}
    inside = {}
    for key, name in names.items():
        container = container_of.get(key)
        while container is not None and container in hidden:
            container = container_of.get(container)
        if container is not None and container != key and container in names:
            inside[name] = names[container]
    implied = set(map(id, find_implied_edges(catalog_graph)))
    order_edges = [edge for edge in catalog_graph.order if edge.source in names and edge.target in names]
    edges = _merge(edge for edge in order_edges if id(edge) not in implied)
    if auto:
        connected = {(source, target) for source, target, _, _ in edges}
        edges += [
            (source, target, kind, reason)
            for source, target, kind, reason in _merge(find_autorequires(catalog))
            if (source, target) not in connected
        ]
    numbers = {name: number for number, name in enumerate(names.values(), 1)}
    titles = {}
    for key, name in names.items():
        span = catalog.resources[key].span
        line = f"line {span.line}, " if span is not None else ""
        titles[name] = f"{line}applied as number {numbers[name]}"
    return Graph(
        list(names.values()),
        inside,
        edges,
        cycles=[[format_key(key) for key in cycle] for cycle in catalog_graph.find_cycles()],
        titles=titles,
        defines=frozenset(
            names[key]
            for key in catalog_graph.containers
            if key in names and key[0] not in ("class", "stage")
        ),
        added=added,
        implied=tuple(_make_edge(edge) for edge in order_edges if id(edge) in implied),
        numbers=numbers,
        remarks=tuple(_suggest_cuts(catalog_graph)),
    )


def _make_edge(edge: Any) -> Edge:
    """Return a relationship of a catalog as an edge of the graph."""
    reason = f"{edge.reason}, line {edge.span.line}" if edge.span is not None else edge.reason
    return format_key(edge.source), format_key(edge.target), edge.kind, reason


def _merge(edges: Any) -> list[Edge]:
    """Return edges merged by their ends, with all reasons; one that notifies sets the kind."""
    merged: dict[tuple[str, str], Edge] = {}
    for source, target, kind, reason in map(_make_edge, edges):
        if (source, target) in merged:
            _, _, first_kind, reasons = merged[source, target]
            kind = kind if first_kind == "before" else first_kind
            reason = reasons if reason in reasons.split("; ") else f"{reasons}; {reason}"
        merged[source, target] = (source, target, kind, reason)
    return list(merged.values())


def _suggest_cuts(catalog_graph: Any) -> list[NoteElement]:
    """Return for each cycle a note with the relationship to remove first."""
    return [
        NoteElement("help", f"without {source} → {target} ({reason}) there is no such cycle", "remedy")
        for source, target, _, reason in map(_make_edge, catalog_graph.find_cuts())
    ]


def fold_graph(graph: Graph, first: Iterable[str]) -> Graph:
    """Return the graph with at most MOST_BOXES; containers in `first` are opened first."""
    if len(graph.nodes) <= MOST_BOXES:
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
        contents: The contents of each container; "" is the key for nodes without a container.
        visible: The visible members of each open container.
        stacks: The members of each stack, by its name.
        stack_containers: The container in which each stack is, by its name.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.contents = graph.list_contents()
        self.visible: dict[str, list[str]] = {}
        self.stacks: dict[str, list[str]] = {}
        self.stack_containers: dict[str, str] = {}

    def open_all(self, first: Iterable[str]) -> None:
        """Open all containers for which there is room.

        Args:
            first: Containers that are opened first, with those around them.
        """
        left = MOST_BOXES - self.open("", MOST_BOXES)
        for container in first:
            path = [container, *self.graph.iterate_containers(container)][::-1]  # from the outside in
            for index, outer in enumerate(path):
                if self._is_closed(outer):
                    left -= self.open(outer, max(left, LEAST_BOXES), keep=path[index + 1 : index + 2])
        closed = [node for members in self.visible.values() for node in members if self._is_closed(node)]
        while closed:
            container = min(closed, key=lambda node: len(self.contents[node]))
            closed.remove(container)
            fits = len(self.contents[container]) <= left
            share = left // (len(closed) + 1)
            # One that does not fit is opened in part, but only into many boxes, and if half of the picture is free.
            if not fits and (left < MOST_BOXES // 2 or share < LEAST_BOXES):
                break
            left -= self.open(container, left if fits else share)
            if fits:
                closed += [node for node in self.visible[container] if self._is_closed(node)]

    def _is_closed(self, node: str) -> bool:
        return node in self.contents and node not in self.visible

    def open(self, container: str, room: int, keep: Sequence[str] = ()) -> int:
        """Open a container into at most `room` boxes, `keep` among them; return their number.

        If it has more members, the types with few members are shown first, and of each type those without room become
        a stack.
        """
        members = self.contents[container]
        if len(members) <= room:
            self.visible[container] = members
            return len(members)
        groups = sorted(group_by(members, get_type).items(), key=lambda group: len(group[1]))
        most_groups = room - len(keep)
        if len(groups) > most_groups:
            rest = [node for _, nodes in groups[most_groups - 1 :] for node in nodes]
            groups = [*groups[: most_groups - 1], (OTHERS, rest)]
        shown = set(keep)
        stack_count = 0
        left = most_groups - len(groups)  # each group has a box already, for a stack of its rest
        for kind, nodes in groups:
            all_fit = kind != OTHERS and len(nodes) - 1 <= left  # such a group needs no box for a stack
            first_nodes = [] if kind == OTHERS else nodes if all_fit else nodes[:left]
            shown.update(first_nodes)
            left -= len(nodes) - 1 if all_fit else len(first_nodes)
            rest = [node for node in nodes if node not in shown]
            if rest:
                stack_count += 1
                self._add_stack(kind, rest, container, is_partial=len(rest) < len(nodes))
        self.visible[container] = [node for node in members if node in shown]
        return len(self.visible[container]) + stack_count

    def _add_stack(self, kind: str, nodes: list[str], container: str, *, is_partial: bool) -> None:
        """Add a stack of nodes of one type; it is partial if others of the type are visible."""
        suffix = f" in {container}" if container else ""
        name = f"{kind} × {len(nodes)}{' more' if is_partial else ''}{suffix}"
        self.stacks[name], self.stack_containers[name] = nodes, container

    def make_visible_graph(self) -> Graph:
        """Return the graph of the visible nodes."""
        whole = self.graph
        box = self._find_boxes()
        nodes = list(dict.fromkeys(box[node] for node in whole.nodes))
        inside = {name: container for name, container in self.stack_containers.items() if container}
        inside |= {node: whole.inside[node] for node in nodes if node in whole.inside}
        edges, hidden_count = self._merge_edges(box)
        within = group_by((node for node, own_box in box.items() if node != own_box), box.__getitem__)
        kinds = {name: format_kinds(map(get_type, members)) for name, members in within.items()}
        stacks = [name for name in nodes if name in self.stacks]
        closed = [
            name for name in nodes if name in within and name not in self.stacks and name not in self.visible
        ]
        own_titles = {
            name: words for name, words in whole.titles.items() if name in box and box[name] == name
        }
        return Graph(
            nodes,
            inside,
            edges,
            cycles=[list(dict.fromkeys(box[node] for node in cycle)) for cycle in whole.cycles],
            counts={
                **{name: self._describe_ends(name) for name in stacks},
                **{name: kinds[name] for name in closed},
            },
            titles={**{name: kinds[name] for name in stacks}, **own_titles},
            labels={name: name.partition(" in ")[0] for name in stacks},
            defines=whole.defines,
            added=frozenset(box[name] for name in whole.added if name in box),
            implied=whole.implied,
            numbers={name: number for name, number in whole.numbers.items() if box[name] == name},
            remarks=(*whole.remarks, self._make_remark(closed, hidden_count)),
        )

    def _find_boxes(self) -> dict[str, str]:
        """Return the box of each node: itself, a closed container around it, or a stack."""
        box: dict[str, str] = {}
        for name, members in self.stacks.items():
            box |= dict.fromkeys(members, name)
        for members in self.visible.values():
            box |= {node: node for node in members}
        pending = [node for node in box if node not in self.visible]
        while pending:
            node = pending.pop()
            for child in self.contents.get(node, ()):
                box[child] = box[node]
                pending.append(child)
        return box

    def _merge_edges(self, box: dict[str, str]) -> tuple[list[Edge], int]:
        """Return the edges between boxes, merged by their ends, and the number within boxes."""
        hidden_count = 0
        edges: list[Edge] = []

        def get_boxes(edge: Edge) -> tuple[str, str]:
            source, target, _, _ = edge
            return box[source], box[target]

        for (source, target), group in group_by(self.graph.edges, get_boxes).items():
            if source == target:
                hidden_count += len(group)
                continue
            kinds = {kind for _, _, kind, _ in group}
            kind = next(kind for kind in ("notify", "before", "auto") if kind in kinds)
            first_source, first_target, _, reason = group[0]
            if len(group) > 1:
                reason = f"{len(group)} relationships, such as {first_source} → {first_target}: {reason}"
            elif (first_source, first_target) != (source, target):
                reason = f"{reason} ({first_source} → {first_target})"
            edges.append((source, target, kind, reason))
        return edges, hidden_count

    def _describe_ends(self, name: str) -> str:
        """Return the first and the last title of a stack, each shortened at its beginning."""
        ends = (self.stacks[name][0], self.stacks[name][-1])
        titles = [to_one_line(node).partition("[")[2].removesuffix("]") for node in ends]
        return " … ".join(title if len(title) < 20 else "…" + title[-18:] for title in titles)

    def _make_remark(self, closed: Sequence[str], hidden_count: int) -> NoteElement:
        """Return how to see what is in closed boxes, with the number of relationships in them."""
        hints = [f"`%graph --all` draws all {len(self.graph.nodes):,} resources"]
        if closed:
            are = "is" if len(closed) == 1 else "are"
            boxes = format_count(len(closed), "box", "boxes")
            hints.insert(0, f"{boxes} {are} closed: `%graph {closed[0]}` opens one")
        if hidden_count:
            are = "is" if hidden_count == 1 else "are"
            hints.append(f"{format_count(hidden_count, 'relationship')} {are} inside closed boxes")
        return NoteElement("hint", "; ".join(hints))


def restrict(graph: Graph, nodes: Iterable[str]) -> Graph:
    """Return the graph of some nodes with their containers."""
    selected = {name for node in nodes for name in (node, *graph.iterate_containers(node))}
    cycles = [cycle for cycle in graph.cycles if selected.issuperset(cycle)]

    def is_within(edge: Edge) -> bool:
        source, target, _, _ = edge
        return source in selected and target in selected

    return Graph(
        [node for node in graph.nodes if node in selected],
        {node: container for node, container in graph.inside.items() if node in selected},
        list(filter(is_within, graph.edges)),
        cycles=cycles,
        titles={node: words for node, words in graph.titles.items() if node in selected},
        defines=graph.defines,
        added=graph.added & selected,
        implied=tuple(filter(is_within, graph.implied)),
        numbers={node: number for node, number in graph.numbers.items() if node in selected},
        remarks=graph.remarks if cycles else (),
    )


def find_neighbours(graph: Graph, start: str, depth: int) -> Graph:
    """Return the nodes within a number of relationships from a node or its contents."""
    neighbours: dict[str, list[str]] = {}
    for source, target, _, _ in graph.edges:
        neighbours.setdefault(source, []).append(target)
        neighbours.setdefault(target, []).append(source)
    reached = find_reachable(graph.list_contents(), start)
    border = list(reached)
    for _ in range(depth):
        border = [other for node in border for other in neighbours.get(node, ()) if other not in reached]
        reached |= dict.fromkeys(border)
    return restrict(graph, reached)


def find_paths(graph: Graph, source: str, target: str) -> Graph | None:
    """Return all nodes on paths from one node to another; None if there is no path."""
    after = find_reachable(_map_steps(graph, is_forward=True), ("end", source))
    before = find_reachable(_map_steps(graph, is_forward=False), ("begin", target))
    between = [node for part, node in after if (part, node) in before]
    return None if not between else restrict(graph, [source, target, *between])


def _map_steps(graph: Graph, *, is_forward: bool) -> dict[Point, list[Point]]:
    """Return the successors of each point, or its predecessors.

    A node has two points: ("begin", node) and ("end", node).
    """
    steps: list[tuple[Point, Point]] = [(("end", a), ("begin", b)) for a, b, _, _ in graph.edges]
    filled = set(graph.inside.values())
    steps += [(("begin", node), ("end", node)) for node in graph.nodes if node not in filled]
    for node, outer in graph.inside.items():
        steps += [(("begin", outer), ("begin", node)), (("end", node), ("end", outer))]
    points: dict[Point, list[Point]] = {}
    for start, end in steps:
        point, neighbour = (start, end) if is_forward else (end, start)
        points.setdefault(point, []).append(neighbour)
    return points


def find_reachable(steps: Mapping[_P, Iterable[_P]], start: _P) -> dict[_P, None]:
    """Return the points to which steps lead from a point, itself included, the nearest first."""
    reached = {start: None}
    queue = [start]
    for point in queue:
        for other in steps.get(point, ()):
            if other not in reached:
                reached[other] = None
                queue.append(other)
    return reached


def add_implied_remark(graph: Graph) -> Graph:
    """Return the graph with a remark about implied relationships, which are not drawn."""
    count = len(graph.implied)
    if count:
        follow, are = ("follows", "is") if count == 1 else ("follow", "are")
        words = f"{format_count(count, 'relationship')} {follow} from others and {are} not drawn"
        graph.remarks = (*graph.remarks, NoteElement("hint", words))
    return graph
