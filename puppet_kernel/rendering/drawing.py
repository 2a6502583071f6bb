"""The resource graph as SVG: containers are boxes, what comes first stands above, the same graph gives the same bytes.

Layout from the inside out: the content of each container is put into layers along the relationships between its
parts, and then the container is one block in the layers of what contains it. A fixed-width font makes the size
of labels known without measuring.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from puppet_kernel.rendering.elements import Graph
from puppet_kernel.rendering.escape import clip, one_line, width
from puppet_kernel.rendering.markup import Markup, joined, tag

CHARACTER, LINE = 7.3, 28
GAP_X, GAP_Y, PAD = 18, 34, 14
HEADER = 22
ROW_WIDTH = 900
LABEL = 48
FONT = "12px DejaVu Sans Mono, Menlo, Consolas, monospace"
GREY, BLUE, AMBER, RED = "#808080", "#3b82c4", "#b7791f", "#d1453b"
LARGEST = 400  # nodes; what is larger is easier to read as text


class Box:
    """A node of the drawing: its label, what is in it, and where it is (relative to its container, then absolute)."""

    __slots__ = ("children", "height", "label", "name", "parent", "width", "x", "y")

    def __init__(self, name: str) -> None:
        self.name = name
        self.label = clip(one_line(name), LABEL)
        self.children: list[Box] = []
        self.parent: Box | None = None
        self.x = self.y = 0.0
        self.width = width(self.label) * CHARACTER + 2 * PAD
        self.height = float(LINE)


def draw(graph: Graph) -> str:
    """The graph as an SVG document; "" when it has too many nodes to be read as a picture."""
    if not graph.nodes or len(graph.nodes) > LARGEST:
        return ""
    root, boxes = _boxes(graph)
    lifted = _lifted(graph, boxes)
    for box in _inside_out(root):
        if box.children:
            _arrange(box, lifted.get(box.name if box.parent else "", []))
    _make_absolute(root)
    return _document(graph, root, boxes)


def _boxes(graph: Graph) -> tuple[Box, dict[str, Box]]:
    root = Box("")
    boxes = {name: Box(name) for name in graph.nodes}
    for name, box in boxes.items():
        box.parent = boxes.get(graph.inside.get(name, ""), root)
        box.parent.children.append(box)
    return root, boxes


def _inside_out(root: Box) -> list[Box]:
    found, stack = [], [root]
    while stack:
        box = stack.pop()
        found.append(box)
        stack += box.children
    return found[::-1]


def _lifted(graph: Graph, boxes: dict[str, Box]) -> dict[str, list[tuple[Box, Box]]]:
    """Container -> the relationships between its direct parts, which stand for those of what is in them."""
    lifted: dict[str, dict[tuple[str, str], tuple[Box, Box]]] = {}
    for source, target, _, _ in graph.edges:
        ours, theirs = _way_up(boxes[source]), _way_up(boxes[target])
        while ours and theirs and ours[-1] is theirs[-1]:
            container = ours.pop()
            theirs.pop()
            if ours and theirs and ours[-1] is not theirs[-1]:
                name = container.name if container.parent else ""
                lifted.setdefault(name, {})[ours[-1].name, theirs[-1].name] = (ours[-1], theirs[-1])
    return {name: list(pairs.values()) for name, pairs in lifted.items()}


def _way_up(box: Box | None) -> list[Box]:
    way = []
    while box is not None:
        way.append(box)
        box = box.parent
    return way


def _arrange(container: Box, edges: Sequence[tuple[Box, Box]]) -> None:
    """Places the children of a container, each layer near what comes before it, and gives it its size."""
    sources: dict[int, list[Box]] = {}
    for source, target in edges:
        sources.setdefault(id(target), []).append(source)
    linked = {id(box) for edge in edges for box in edge}
    layers = _layers([box for box in container.children if id(box) in linked], edges)
    loose = _rows([box for box in container.children if id(box) not in linked])
    room = max(_row_width(row) for row in [*loose, *(row for layer in layers for row in _rows(layer))])
    top = float(PAD + (HEADER if container.parent else 0))
    for layer in layers:
        for row in _rows(_sorted(layer, sources)):
            top = _place(row, top, _left(row, sources, room)) + GAP_Y
    top -= (GAP_Y - GAP_X) if layers else 0
    for row in loose:
        top = _place(row, top, PAD) + GAP_X
    container.width = max(room + 2 * PAD, container.width)
    container.height = top - GAP_X + PAD


def _place(row: Sequence[Box], top: float, left: float) -> float:
    """Puts boxes side by side; gives where the lowest of them ends."""
    for box in row:
        box.x, box.y = left, top
        left += box.width + GAP_X
    return top + max(box.height for box in row)


def _left(row: Sequence[Box], sources: dict[int, list[Box]], room: float) -> float:
    """Where a row begins: below what comes before it, within the room there is; in the middle without that."""
    centres = [source.x + source.width / 2 for box in row for source in sources.get(id(box), ())]
    middle = sum(centres) / len(centres) if centres else PAD + room / 2
    own = _row_width(row)
    return min(max(middle - own / 2, PAD), PAD + room - own)


def _layers(boxes: Sequence[Box], edges: Sequence[tuple[Box, Box]]) -> list[list[Box]]:
    """Every box below all that come before it; a cycle is broken at its first box."""
    before = {id(box): {id(source) for source, target in edges if target is box} for box in boxes}
    level: dict[int, int] = {}
    waiting = list(boxes)
    while waiting:
        ready = [box for box in waiting if before[id(box)] <= level.keys()] or waiting[:1]
        for box in ready:
            level[id(box)] = max(
                (level[source] + 1 for source in before[id(box)] if source in level), default=0
            )
        waiting = [box for box in waiting if id(box) not in level]
    layers: list[list[Box]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for box in boxes:
        layers[level[id(box)]].append(box)
    return [layer for layer in layers if layer]


def _sorted(layer: list[Box], sources: dict[int, list[Box]]) -> list[Box]:
    """A layer in the order of the middle of what comes before each box; that is placed already."""

    def key(box: Box) -> float:
        centres = [source.x + source.width / 2 for source in sources.get(id(box), ())]
        return sum(centres) / len(centres) if centres else 0.0

    return sorted(layer, key=key)


def _rows(boxes: Sequence[Box]) -> list[list[Box]]:
    """Boxes side by side, in as many rows as the width asks for."""
    rows: list[list[Box]] = []
    used = 0.0
    for box in boxes:
        if not rows or used + box.width > ROW_WIDTH:
            rows.append([])
            used = 0.0
        rows[-1].append(box)
        used += box.width + GAP_X
    return rows


def _row_width(row: Sequence[Box]) -> float:
    return sum(box.width for box in row) + GAP_X * (len(row) - 1)


def _make_absolute(root: Box) -> None:
    for box in reversed(_inside_out(root)):
        for child in box.children:
            child.x += box.x
            child.y += box.y


# --- SVG


def _document(graph: Graph, root: Box, boxes: dict[str, Box]) -> str:
    wide, high = _number(root.width), _number(root.height)
    containers = [box for box in reversed(_inside_out(root)) if box.children and box.parent]
    leaves = [box for box in boxes.values() if not box.children]
    return tag(
        "svg",
        tag("defs", *(_marker(name, colour) for name, colour in (("b", GREY), ("n", AMBER), ("c", RED)))),
        joined(_container(box) for box in containers),
        joined(_edges(graph, boxes)),
        joined(_leaf(box) for box in leaves),
        xmlns="http://www.w3.org/2000/svg",
        width=wide,
        height=high,
        viewBox=f"0 0 {wide} {high}",
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _marker(name: str, colour: str) -> Markup:
    size = {"markerWidth": "7", "markerHeight": "7", "refX": "6", "refY": "3.5", "orient": "auto"}
    return tag("marker", tag("path", d="M0 0 7 3.5 0 7z", fill=colour), id=name, **size)


def _container(box: Box) -> Markup:
    shape = _rectangle(box, fill=GREY, stroke=GREY, **{"fill-opacity": "0.07", "stroke-opacity": "0.6"})
    return joined([shape, _label(box, box.x + PAD, box.y + 17, GREY)])


def _leaf(box: Box) -> Markup:
    shape = _rectangle(box, fill="#eef3fb", stroke=BLUE)
    return joined([shape, _label(box, box.x + PAD, box.y + LINE / 2 + 4, "#1b2733")])


def _rectangle(box: Box, **style: str) -> Markup:
    place = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    return tag("rect", **{key: _number(value) for key, value in place.items()}, rx="5", **style)


def _label(box: Box, x: float, y: float, colour: str) -> Markup:
    return tag(
        "text",
        tag("title", box.name),
        box.label,
        x=_number(x),
        y=_number(y),
        fill=colour,
        style=f"font:{FONT}",
    )


def _edges(graph: Graph, boxes: dict[str, Box]) -> Iterable[Markup]:
    """The relationships; where several meet at a box they are spread along its side."""
    turning = {edge for cycle in graph.cycles for edge in zip(cycle, [*cycle[1:], cycle[0]], strict=True)}
    outgoing: dict[str, list[str]] = {}
    incoming: dict[str, list[str]] = {}
    told = {(source, target): (kind, reason) for source, target, kind, reason in graph.edges}
    for source, target in told:
        outgoing.setdefault(source, []).append(target)
        incoming.setdefault(target, []).append(source)
    for ends in (outgoing, incoming):
        for names in ends.values():
            names.sort(key=lambda name: (boxes[name].x + boxes[name].width / 2, name))
    for (source, target), (kind, reason) in told.items():
        start = _port(boxes[source], outgoing[source].index(target), len(outgoing[source]))
        end = _port(boxes[target], incoming[target].index(source), len(incoming[target]))
        mark = "c" if (source, target) in turning else "n" if kind == "notify" else "b"
        yield _edge(boxes[source], boxes[target], start, end, mark, f"{source} → {target}: {reason}")


def _port(box: Box, number: int, count: int) -> float:
    return box.x + box.width * (number + 1) / (count + 1)


def _edge(source: Box, target: Box, start: float, end: float, mark: str, words: str) -> Markup:
    top, bottom = source.y + source.height, target.y - 2
    if bottom > top:
        bend = max((bottom - top) / 2, 12)
        way = f"M{_number(start)} {_number(top)}C{_number(start)} {_number(top + bend)} "
        way += f"{_number(end)} {_number(bottom - bend)} {_number(end)} {_number(bottom)}"
    else:  # backwards: around the right side
        right, height = source.x + source.width, source.y + source.height / 2
        side = max(right, target.x + target.width) + GAP_X
        there = target.y + target.height / 2
        way = f"M{_number(right)} {_number(height)}C{_number(side)} {_number(height)} {_number(side)} {_number(there)} "
        way += f"{_number(target.x + target.width + 2)} {_number(there)}"
    colour = {"b": GREY, "n": AMBER, "c": RED}[mark]
    style = {"stroke": colour, "fill": "none", "stroke-width": "1.4", "marker-end": f"url(#{mark})"}
    if mark == "n":
        style["stroke-dasharray"] = "5 3"
    return tag("path", tag("title", words), d=way, **style)
