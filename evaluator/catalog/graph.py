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

# A point in the order: the "begin" or "end" of a container, with its key; "" with the key for any other resource.
Point = tuple[str, Key]


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
        """Return the dependency cycles, each as the keys along its shortest path.

        The first key is not repeated at the end. A container occurs twice where the path leads through its
        beginning and its end.
        """
        return [[key for _, key in _cut_to_cycle(path)[:-1]] for _, path in self._find_cycle_paths()]

    def _find_cycle_paths(self) -> list[tuple[list[Point], list[Point]]]:
        """Return each component with a cycle, and the path that leads into the cycle and along it.

        The path ends at the point of the cycle at which it has entered it.
        """
        steps = self.build_steps()
        paths = [(component, _find_cycle_path(component, steps)) for component in _find_components(steps)]
        return sorted(paths, key=lambda pair: _sort_key(pair[1][0]))

    def find_cuts(self) -> list[Edge]:
        """Return for each cycle one relationship whose removal breaks it.

        Preferred are relationships without which the whole component has no cycle, and among these the last
        one written.
        """
        steps = self.build_steps()
        cuts = []
        for component, path in self._find_cycle_paths():
            pairs = set(pairwise(_cut_to_cycle(path)))
            inside = set(component)
            candidates = [edge for edge in self.order if self.to_points(edge) in pairs]
            if candidates:
                cuts.append(max(candidates, key=lambda edge: self._rate_cut(edge, inside, steps)))
        return cuts

    def _rate_cut(self, edge: Edge, inside: set[Point], steps: dict[Point, list[Point]]) -> tuple[bool, int]:
        """Return whether a component has no cycle without an edge, and the position of the edge."""
        ends = self.to_points(edge)
        rest = {
            point: [target for target in steps[point] if target in inside and (point, target) != ends]
            for point in inside
        }
        return not _find_components(rest), edge.span.start if edge.span is not None else -1

    def describe_cycles(self) -> str | None:
        r"""Return Puppet's message for a catalog with cycles; None when there are none.

        Puppet separates the cycles by the two characters `\n`, not by a new line.
        """
        paths = self._find_cycle_paths()
        if not paths:
            return None
        count = "1 dependency cycle" if len(paths) == 1 else f"{len(paths)} dependency cycles"
        lines = [
            f"({' => '.join(format_key((kind, title or 'main')) for _, (kind, title) in path)})"
            for _, path in paths
        ]
        advice = "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"
        return f"Found {count}:\n" + "\\n".join([*lines, advice])

    def sort(self) -> list[Key]:
        """Return the order in which resources are applied; ties keep the order of declaration.

        Resources on a cycle come last.
        """
        steps = self.build_steps()
        return [key for part, key in dict.fromkeys([*_sort_points(steps), *steps]) if part != "end"]

    def to_points(self, edge: Edge) -> tuple[Point, Point]:
        """Return the points that an edge of the order connects: from an end to a beginning."""
        return self._get_points(edge.source)[1], self._get_points(edge.target)[0]

    def _get_points(self, key: Key) -> tuple[Point, Point]:
        """Return the points at which a resource begins and ends: one for all but containers."""
        return (("begin", key), ("end", key)) if key in self.containers else (("", key), ("", key))

    def build_steps(self) -> dict[Point, list[Point]]:
        """Return the successors of each point, in the order in which Puppet follows them.

        A container has one point for its beginning and one for its end. Puppet takes containers apart one by one, so
        that a step of a container comes after those of other resources and of containers before it.
        """
        filled = {edge.source for edge in self.contains}
        ranks = {key: position for position, key in enumerate(self.nodes) if key in self.containers}
        steps: dict[Point, list[Point]] = {}
        for key in self.nodes:
            begin, end = self._get_points(key)
            steps[begin], steps[end] = [], []
            if key in self.containers and key not in filled:
                steps[begin].append(end)
        for edge in sorted(
            [*self.contains, *self.order],
            key=lambda edge: max(ranks.get(edge.source, -1), ranks.get(edge.target, -1)),
        ):
            if edge.kind != "contains":
                source, target = self.to_points(edge)
                steps[source].append(target)
            elif edge.source in self.containers:
                begin, end = self._get_points(edge.target)
                steps["begin", edge.source].append(begin)
                steps[end].append(("end", edge.source))
        return steps


def build_graph(catalog: Catalog) -> CatalogGraph:
    """Return the graph of a complete catalog."""
    resources = [resource for resource in catalog.resources.values() if not resource.virtual]
    containers = {
        resource.key
        for resource in resources
        if resource.definition is not None or resource.type in ("class", "stage")
    }
    return CatalogGraph(
        [resource.key for resource in resources], containers, catalog.edges, collect_order(catalog)
    )


def collect_order(catalog: Catalog) -> list[Edge]:
    """Return the edges that relationships make; references to missing resources are skipped."""
    return [
        link_edge(link)
        for resource in catalog.resources.values()
        if not resource.virtual and not RELATIONSHIP_NAMES.isdisjoint(resource.parameters)
        for link in collect_links(catalog, resource)
    ]


def may_close_cycle(catalog: Catalog, edges: Iterable[Edge]) -> bool:
    """Return False if no cycle of a complete catalog leads through one of these relationships.

    Only what follows them is visited, which takes a fraction of the time to build a graph. A cycle of others that
    follow them counts, too. To save the look-up of containers, every resource has a beginning and an end here.
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
        """Return the points that come directly after a point."""
        part, key = point
        if part == "begin":
            return iter(contents.get(key) or [("end", key)])
        return chain(followers.get(key, ()), holders.get(key, ()))

    path: set[Point] = set()  # the points of `work`: one that is reached again closes a cycle
    done: set[Point] = set()
    for edge in edges:
        start = ("end", edge.source)
        if start in done:
            continue
        work = [(start, follow(start))]
        path.add(start)
        while work:
            point, targets = work[-1]
            after = next((target for target in targets if target not in done), None)
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

    positions = {point: number for number, point in enumerate(steps)}
    # for each point the number of its predecessors that are not in the order yet
    waiting = dict.fromkeys(steps, 0)
    for target in chain.from_iterable(steps.values()):
        waiting[target] += 1
    ready = [(positions[point], point) for point in steps if not waiting[point]]  # sorted, hence a heap
    order: list[Point] = []
    while ready:
        _, point = heappop(ready)
        order.append(point)
        for target in steps[point]:
            waiting[target] -= 1
            if not waiting[target]:
                heappush(ready, (positions[target], target))
    return order


def _find_components(steps: dict[Point, list[Point]]) -> list[list[Point]]:
    """Return the strongly connected components that contain a cycle.

    This is Tarjan's algorithm without recursion.
    """
    index: dict[Point, int] = {}
    low: dict[Point, int] = {}
    stack: list[Point] = []  # the points that have been entered and are in no component yet
    work: list[tuple[Point, Iterator[Point], int]] = []  # with the height of the stack below each point
    components: list[list[Point]] = []

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
                        components.append(component)
    return components


def _cut_to_cycle(path: list[Point]) -> list[Point]:
    """Return the part of a path along its cycle: its first point is also its last."""
    return path[path.index(path[-1]) :]


def _find_cycle_path(component: list[Point], steps: dict[Point, list[Point]]) -> list[Point]:
    """Return the shortest path through a component that meets one of its points again.

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
            path = [node]
            while path[-1] != start:
                path.append(came_from[path[-1]])
            if target in path:
                return [*path[::-1], target]
    return []


# --- implied edges -------------------------------------------------------------------------------------------


def find_implied_edges(graph: CatalogGraph) -> list[Edge]:
    """Return the edges of kind "before" that follow from other edges (transitive reduction).

    Edges that notify stay, since they mean more than an order; so does everything on a cycle.
    """
    steps = graph.build_steps()
    order = _sort_points(steps)
    positions = {point: number for number, point in enumerate(order)}
    reach: dict[Point, int] = {}  # for each point its successors, one bit for each index in the order
    for point in reversed(order):
        bits = 0
        for target in steps[point]:
            if target in reach:  # points on a cycle have no index
                bits |= reach[target] | 1 << positions[target]
        reach[point] = bits
    notified = {graph.to_points(edge) for edge in graph.order if edge.kind == "notify"}
    implied = []
    for edge in graph.order:
        if edge.kind != "before":
            continue
        source, target = ends = graph.to_points(edge)
        if source not in reach or target not in reach:
            continue
        if ends in notified or any(
            successor != target and successor in reach and reach[successor] >> positions[target] & 1
            for successor in steps[source]
        ):
            implied.append(edge)
    return implied


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
    reversed_edges = {(edge.target, edge.source) for edge in collect_order(catalog)}
    present = {key: item for key, item in catalog.resources.items() if not item.virtual}
    by_name = {(key[0], _get_name(item)): key for key, item in present.items()}
    edges: dict[tuple[Key, Key], Edge] = {}
    for key, item in present.items():
        for name, reason in _find_requirements(item, by_name):
            required = by_name.get(name)
            if required is not None and required != key and (required, key) not in reversed_edges:
                edges.setdefault((required, key), Edge(required, key, "auto", reason, item.span))
    return list(edges.values())


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
