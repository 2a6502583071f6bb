"""Drawing a resource graph: in text, containment as a tree and the order as rows with rails; SVG on pages."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from puppet_kernel.rendering.elements import Fragment, Graph, Line, Tree, line

MARKS = {"before": ("", "│"), "notify": ("warning", "┆")}


def graph_lines(graph: Graph) -> list[Line]:
    """The containment tree, then every node that takes part in an order, one row each, earlier ones above."""
    from puppet_kernel.rendering.layout import tree_lines

    lines: list[Line] = [parts for tree in containment(graph) for parts in tree_lines(tree)]
    cycles = find_cycles(graph)
    rows = [_cycle_line(cycle) for cycle in cycles] if cycles else order_lines(graph)
    return [*lines, (), *rows] if lines and rows else lines or rows


def containment(graph: Graph) -> list[Tree]:
    """The trees of what contains what, in the order of the nodes."""
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
        trees[node] = Tree(_label(node), [trees[child] for child in inside.get(node, [])])
    return [trees[node] for node in inside.get(None, [])]


def _label(node: str) -> Line:
    kind, bracket, rest = node.partition("[")
    return line(("type", kind), bracket + rest)


def find_cycles(graph: Graph) -> list[list[str]]:
    """The groups of nodes that wait for each other, in the order of the program; empty when all is well."""
    after: dict[str, list[str]] = {node: [] for node in graph.nodes}
    for source, target, _, _ in graph.edges:
        after[source].append(target)
    place = {node: i for i, node in enumerate(graph.nodes)}
    groups = [sorted(group, key=place.__getitem__) for group in _components(after)]
    return sorted(
        (group for group in groups if len(group) > 1 or group[0] in after[group[0]]),
        key=lambda group: place[group[0]],
    )


def _components(after: dict[str, list[str]]) -> list[list[str]]:
    """Tarjan's strongly connected components, without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    waiting: list[str] = []
    on_stack: set[str] = set()
    found: list[list[str]] = []
    for root in after:
        if root in index:
            continue
        work = [(root, iter(after[root]))]
        index[root] = low[root] = len(index)
        waiting.append(root)
        on_stack.add(root)
        while work:
            node, rest = work[-1]
            for target in rest:
                if target not in index:
                    index[target] = low[target] = len(index)
                    waiting.append(target)
                    on_stack.add(target)
                    work.append((target, iter(after[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    place = waiting.index(node)
                    group, waiting[place:] = waiting[place:], []
                    on_stack.difference_update(group)
                    found.append(group)
    return found


def _cycle_line(cycle: list[str]) -> Line:
    shown = cycle[:16]
    more = f" … and {len(cycle) - 16} more" if len(cycle) > 16 else ""
    return line(("error", "dependency cycle: "), " ⇄ ".join(shown) + more)


def ordered(graph: Graph) -> list[str]:
    """The nodes that have an edge, each after what comes before it, else in the order of the program."""
    place = {node: i for i, node in enumerate(graph.nodes)}
    after: dict[str, set[str]] = {}
    open_count: dict[str, int] = {}
    for source, target, _, _ in graph.edges:
        open_count.setdefault(source, 0)
        if target not in after.setdefault(source, set()):
            after[source].add(target)
            open_count[target] = open_count.get(target, 0) + 1
    ready = [place[node] for node, count in open_count.items() if not count]
    heapify(ready)
    found = []
    while ready:
        node = graph.nodes[heappop(ready)]
        found.append(node)
        for target in after.get(node, ()):
            open_count[target] -= 1
            if not open_count[target]:
                heappush(ready, place[target])
    return found


def order_lines(graph: Graph) -> list[Line]:
    """Rows as in a commit graph: a node stands on its rail, rails lead from it to what comes after."""
    nodes = ordered(graph)
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
        for i, target in enumerate(targets):
            rails[place if i == 0 else _free(rails)] = target
        while rails and rails[-1] is None:
            rails.pop()
    widest = max((len(drawn) for drawn, _ in rows), default=0)
    return [(*drawn, ("", "  " * (widest - len(drawn))), *told) for drawn, told in rows]


def _targets(targets: list[tuple[str, str]]) -> list[Fragment]:
    told: list[Fragment] = []
    for kind, arrow in (("before", "→"), ("notify", "⇢")):
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
    """The row in which several rails of one node come together; none when there is but one."""
    if len(mine) < 2:
        return []
    drawn: list[Fragment] = []
    for i, rail in enumerate(rails):
        if i == mine[0]:
            drawn.append(("dim", "├─"))
        elif i in mine:
            drawn.append(("dim", "┴─" if i < mine[-1] else "╯ "))
        elif mine[0] < i < mine[-1]:
            drawn.append(("dim", "┼─" if rail is not None else "──"))
        else:
            drawn.append(("dim", MARKS[rail[1]][1] + " ") if rail is not None else ("", "  "))
    return [drawn]


def svg(graph: Graph) -> str:
    """The graph as SVG; "" while there is no layout for it, and the page shows the text."""
    return ""
