"""The graph of a catalog: containment, order, cycles, implied edges and autorequires.

Specification: Catalog Expressions, "Relationships".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from evaluator.catalog.model import Catalog, CatalogResource, Edge, Key, format_key, link_edge
from evaluator.catalog.relationships import collect_links
from evaluator.resource_types import RELATIONSHIP_NAMES
from evaluator.values import Value
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

Point = tuple[str, Key]  # the "begin" or "end" of a container; "" and the key of other resources


class CatalogGraph(Record):
    """The containment and the order of the resources of a catalog.

    Attributes:
        nodes: Keys of the resources that are not virtual, in catalog order.
        containers: The nodes that can contain others: classes, defines, node definitions and stages.
        contains: Edges from container to content.
        order: Edges from the resource that is applied first to the one after it.
    """

    nodes: list[Key]
    containers: set[Key]
    contains: list[Edge]
    order: list[Edge]

    def find_cycles(self) -> list[list[Key]]:
        """Return the dependency cycles, each as keys along a shortest way round.

        The first key is not repeated at the end. A container occurs twice where the way leads through its
        beginning and its end.
        """
        return [[key for _, key in way[way.index(way[-1]) : -1]] for _, way in self._find_ways()]

    def _find_ways(self) -> list[tuple[list[Point], list[Point]]]:
        """Return each component with a cycle, and the way into the cycle and round it."""
        steps = self.build_steps()
        found = [(component, _find_way(component, steps)) for component in _find_components(steps)]
        return sorted(found, key=lambda pair: _sort_key(pair[1][0]))

    def find_cuts(self) -> list[Edge]:
        """Return for each cycle one relationship whose removal breaks it.

        Preferred are relationships without which the whole component has no cycle, and among these the last
        one written.
        """
        steps = self.build_steps()
        found = []
        for component, way in self._find_ways():
            pairs = set(pairwise(way[way.index(way[-1]) :]))
            inside = set(component)
            candidates = [edge for edge in self.order if self.to_points(edge) in pairs]
            if candidates:
                found.append(max(candidates, key=lambda edge: self._rate_cut(edge, inside, steps)))
        return found

    def _rate_cut(self, edge: Edge, inside: set[Point], steps: dict[Point, list[Point]]) -> tuple[bool, int]:
        """Return whether a component has no cycle without an edge, and the position of the edge."""
        ends = self.to_points(edge)
        rest = {
            point: [other for other in steps[point] if other in inside and (point, other) != ends]
            for point in inside
        }
        return not _find_components(rest), edge.span.start if edge.span is not None else -1

    def describe_cycles(self) -> str | None:
        """Return Puppet's message for a catalog with cycles; None when there are none."""
        found = self._find_ways()
        if not found:
            return None
        count = "1 dependency cycle" if len(found) == 1 else f"{len(found)} dependency cycles"
        lines = [
            f"({' => '.join(format_key((kind, title or 'main')) for _, (kind, title) in way)})"
            for _, way in found
        ]
        advice = "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
        return f"Found {count}:\n" + "\\n".join([*lines, advice])

    def sort(self) -> list[Key]:
        """Return the order in which resources are applied; ties keep the order of declaration.

        Resources on a cycle come last.
        """
        steps = self.build_steps()
        order = dict.fromkeys([*_sort_points(steps), *steps])
        return [key for part, key in order if part != "end"]

    def to_points(self, edge: Edge) -> tuple[Point, Point]:
        """Return the points that an edge of the order connects: from an end to a beginning."""
        source = "end" if edge.source in self.containers else ""
        target = "begin" if edge.target in self.containers else ""
        return (source, edge.source), (target, edge.target)

    def build_steps(self) -> dict[Point, list[Point]]:
        """Return the successors of each point, in the order in which Puppet follows them.

        A container has one point for its beginning and one for its end. Puppet takes containers apart one by one, so
        that a step of a container comes after those of other resources and of containers before it.
        """
        filled = {edge.source for edge in self.contains}
        parts = {key: ("begin", "end") if key in self.containers else ("", "") for key in self.nodes}
        rank = {key: place for place, key in enumerate(self.nodes) if key in self.containers}
        steps: dict[Point, list[Point]] = {}
        for key in self.nodes:
            begin, end = parts[key]
            steps.setdefault((begin, key), [])
            steps.setdefault((end, key), [])
            if begin and key not in filled:
                steps[begin, key].append((end, key))
        for edge in sorted(
            [*self.contains, *self.order],
            key=lambda edge: max(rank.get(edge.source, -1), rank.get(edge.target, -1)),
        ):
            if edge.kind != "contains":
                steps[parts[edge.source][1], edge.source].append((parts[edge.target][0], edge.target))
            elif parts.get(edge.source) == ("begin", "end") and edge.target in parts:
                begin, end = parts[edge.target]
                steps["begin", edge.source].append((begin, edge.target))
                steps[end, edge.target].append(("end", edge.source))
        return steps


def build_graph(catalog: Catalog) -> CatalogGraph:
    """Return the graph of a complete catalog."""
    shown = [resource for resource in catalog.resources.values() if not resource.virtual]
    containers = {
        item.key for item in shown if item.definition is not None or item.type in ("class", "stage")
    }
    return CatalogGraph([item.key for item in shown], containers, catalog.edges, collect_order(catalog))


def collect_order(catalog: Catalog) -> list[Edge]:
    """Return the edges that relationships make; references to missing resources are skipped."""
    found: list[Edge] = []
    for resource in catalog.resources.values():
        if not resource.virtual and not RELATIONSHIP_NAMES.isdisjoint(resource.parameters):
            found += map(link_edge, collect_links(catalog, resource))
    return found


def may_close_cycle(catalog: Catalog, edges: Iterable[Edge]) -> bool:
    """Return False if no cycle of a complete catalog leads through one of these relationships.

    Only what follows them is visited, which takes a fraction of the time to build a graph. A cycle of others that
    follow them counts, too.
    """
    followers: dict[Key, list[Point]] = {}
    contents: dict[Key, list[Point]] = {}
    holders: dict[Key, list[Point]] = {}
    for key, resource in catalog.resources.items():
        if resource.virtual:
            continue
        if not RELATIONSHIP_NAMES.isdisjoint(resource.parameters):
            for (source, target, _), _, _ in collect_links(catalog, resource):
                followers.setdefault(source, []).append(("begin", target))
        if resource.type != "stage":
            contents.setdefault(resource.container, []).append(("begin", key))
            holders[key] = [("end", resource.container)]
    for container, key in catalog.contained:
        contents.setdefault(container, []).append(("begin", key))
        holders.setdefault(key, []).append(("end", container))

    def follow(point: Point) -> Iterator[Point]:
        part, key = point
        if part == "begin":
            return iter(contents.get(key) or [("end", key)])
        return chain(followers.get(key, ()), holders.get(key, ()))

    path: set[Point] = set()
    done: set[Point] = set()
    for edge in edges:
        start = ("end", edge.source)
        work = [(start, follow(start))] if start not in done else []
        path.update(point for point, _ in work)
        while work:
            point, targets = work[-1]
            after = next((one for one in targets if one not in done), None)
            if after is None:
                path.remove(point)
                done.add(point)
                work.pop()
            elif after in path:
                return True
            else:
                path.add(after)
                work.append((after, follow(after)))
    return False


def _sort_key(point: Point) -> str:
    """Return the string by which Puppet sorts points.

    The beginning and the end of a container are resources of their own, called whits.
    """
    part, key = point
    if not part:
        return format_key(key)
    return f"Whit[{'Admissible' if part == 'begin' else 'Completed'}_{key[0]}[{format_key(key)}]"


def _sort_points(steps: dict[Point, list[Point]]) -> list[Point]:
    """Return the points in topological order; ties keep the order of declaration.

    Points on cycles, or after them, are left out.
    """
    from heapq import heappop, heappush

    place = {point: number for number, point in enumerate(steps)}
    # for each point the number of its predecessors that are not in the order yet
    waiting = dict.fromkeys(steps, 0)
    for target in chain.from_iterable(steps.values()):
        waiting[target] += 1
    ready = [(place[point], point) for point in steps if not waiting[point]]  # sorted, hence a heap
    order: list[Point] = []
    while ready:
        _, point = heappop(ready)
        order.append(point)
        for target in steps[point]:
            waiting[target] -= 1
            if not waiting[target]:
                heappush(ready, (place[target], target))
    return order


def _find_components(steps: dict[Point, list[Point]]) -> list[list[Point]]:
    """Return the strongly connected components that contain a cycle.

    This is Tarjan's algorithm without recursion.
    """
    index: dict[Point, int] = {}
    low: dict[Point, int] = {}
    stack: list[Point] = []  # the points that have been entered and are in no component yet
    work: list[tuple[Point, Iterator[Point], int]] = []  # with the height of the stack below each point
    found: list[list[Point]] = []

    def enter(point: Point) -> None:
        index[point] = low[point] = len(index)
        work.append((point, iter(steps[point]), len(stack)))
        stack.append(point)

    for root in steps:
        if root not in index:
            enter(root)
        while work:
            node, targets, height = work[-1]
            for target in targets:
                if target not in index:
                    enter(target)
                    break
                low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
                if low[node] == index[node]:
                    component = stack[height:]
                    del stack[height:]
                    for point in component:
                        index[point] = len(steps)  # lowers no other point
                    if len(component) > 1 or node in steps[node]:
                        found.append(component)
    return found


def _find_way(component: list[Point], steps: dict[Point, list[Point]]) -> list[Point]:
    """Return the shortest way through a component that meets one of its points again.

    It begins at the first point, by reference, and ends at the one that it meets again.
    """
    inside = set(component)
    start = min(component, key=_sort_key)
    came_from = {start: start}
    queue = [start]
    for node in queue:
        for target in steps[node]:
            if target not in came_from:
                if target in inside:
                    came_from[target] = node
                    queue.append(target)
                continue
            way = [node]
            while way[-1] != start:
                way.append(came_from[way[-1]])
            if target in way:
                return [*way[::-1], target]
    return []


# --- implied edges -------------------------------------------------------------------------------------------


def find_implied_edges(graph: CatalogGraph) -> list[Edge]:
    """Return the edges of kind "before" that follow from other edges (transitive reduction).

    Edges that notify stay, since they mean more than an order; so does everything on a cycle.
    """
    steps = graph.build_steps()
    order = _sort_points(steps)
    place = {point: number for number, point in enumerate(order)}
    reach: dict[Point, int] = {}  # for each point its successors, one bit for each index in the order
    for point in reversed(order):
        bits = 0
        for target in steps[point]:
            if target in reach:  # points on a cycle have no index
                bits |= reach[target] | 1 << place[target]
        reach[point] = bits
    notified = {graph.to_points(edge) for edge in graph.order if edge.kind == "notify"}
    found = []
    for edge in graph.order:
        if edge.kind != "before":
            continue
        source, target = ends = graph.to_points(edge)
        if source not in reach or target not in reach:
            continue
        if ends in notified or any(
            other != target and other in reach and reach[other] >> place[target] & 1
            for other in steps[source]
        ):
            found.append(edge)
    return found


# --- autorequires --------------------------------------------------------------------------------------------


# Type -> (attribute, type of the resource that it names).
_NAMED = {
    "file": (("owner", "user"), ("group", "group"), ("target", "file")),
    "exec": (("user", "user"), ("cwd", "file")),
    "user": (("gid", "group"), ("groups", "group"), ("roles", "user")),
    "cron": (("user", "user"),),
    "ssh_authorized_key": (("user", "user"), ("target", "file")),
    "package": (("source", "file"), ("responsefile", "file"), ("adminfile", "file")),
}
_COMMANDS = ("command", "onlyif", "unless")
_ABOVE = ("file", "mount")  # these require the nearest resource of their type above them
_PROGRAM = LazyPattern(r'(?:"(/[^"]+)"|(/\S+))')


def find_autorequires(catalog: Catalog) -> list[Edge]:
    """Return the edges of kind "auto" of a complete catalog.

    Edges against a relationship of the program are left out.
    """
    against = {(edge.target, edge.source) for edge in collect_order(catalog)}
    present = {key: item for key, item in catalog.resources.items() if not item.virtual}
    by_name = {(key[0], _get_name(item)): key for key, item in present.items()}
    found: dict[tuple[Key, Key], Edge] = {}
    for key, item in present.items():
        for wanted, reason in _find_requirements(item, by_name):
            other = by_name.get(wanted)
            if other is not None and other != key and (other, key) not in against:
                found.setdefault((other, key), Edge(other, key, "auto", reason, item.span))
    return list(found.values())


def _get_name(item: CatalogResource) -> str:
    """Return the name by which others refer to a resource.

    It is the path of a file, and the name or title of other resources.
    """
    explicit = item.parameters.get("path" if item.type == "file" else "name")
    name = explicit if isinstance(explicit, str) and explicit else item.title
    return name.rstrip("/") or "/" if item.type == "file" else name


def _find_requirements(
    item: CatalogResource, present: dict[tuple[str, str], Key]
) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what a resource requires automatically if it is declared, with the reason."""
    for attribute, kind in _NAMED.get(item.type, ()):
        for text in _to_strings(item.parameters.get(attribute)):
            yield (kind, text), f"autorequire of its {attribute}"
    if item.type in _ABOVE:
        path = _get_name(item)
        while "/" in path.rstrip("/"):
            path = path.rpartition("/")[0] or "/"
            if (item.type, path) in present:
                yield (item.type, path), "autorequire of its parent path"
                break
    if item.type == "exec":
        for attribute in _COMMANDS:
            attributes = item.parameters.get(attribute, item.title if attribute == "command" else None)
            for text in _to_strings(attributes):
                program = _PROGRAM.match(text)
                if program:
                    yield ("file", program[1] or program[2]), f"autorequire of its {attribute}"


def _to_strings(value: Value) -> Iterable[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item:
            yield item
