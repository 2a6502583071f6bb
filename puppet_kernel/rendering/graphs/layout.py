"""The layout of a drawing: positions and lines of blocks and relationships, deterministic.

Orders are computed from the outside in, because the ports of a container follow their other ends; positions from the
inside out, because a container is as large as its contents.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import sqrt
from typing import NamedTuple

from puppet_kernel.rendering.graphs import ordering, placing
from puppet_kernel.rendering.graphs.areas import (
    GAP,
    LAYER_GAP,
    OPEN,
    PAD,
    PAGE,
    TITLE,
    Area,
    Item,
    compute_ranks,
    estimate,
    fill,
    fold,
    split,
)
from puppet_kernel.rendering.graphs.blocks import PORT, LayoutBlock, Piece, Way, outside_in, weave
from puppet_kernel.rendering.graphs.ordering import (
    Drawing,
    Order,
    Shape,
    compute_shape,
    copy,
    follow,
    read_drawing,
    read_order,
)
from puppet_kernel.rendering.graphs.placing import pack

Point = tuple[float, float]
STRAIGHT = 0.5  # ends whose x differ by less are one above the other
ABOVE, BELOW = 10.0, 16.0  # between a layer and the tracks next to it; below them the arrow heads need room


class Route(NamedTuple):
    """The line of a relationship from its source to its target; `gathers` if others join it."""

    points: list[Point]
    gathers: bool


def lay_out(
    root: LayoutBlock, blocks: dict[str, LayoutBlock], edges: Sequence[tuple[str, str, str]]
) -> list[Route]:
    """Place all blocks in the coordinates of the drawing, and return the line of each edge."""
    every = outside_in(root)
    ways = weave(blocks, edges)
    containers = [block for block in every if block.children]
    for container in reversed(containers):
        _measure(container)
    known: dict[Shape, Order] = {}
    for container in containers:
        _order(container, known)
    drawn: dict[Hashable, Drawing] = {}
    for container in reversed(containers):
        _place(container, drawn)
    for block in every[1:]:
        assert block.parent is not None
        block.x += block.parent.x
        block.y += block.parent.y
    return [
        Route(_line(way, blocks[source]), way is not None and way.gathers)
        for way, (source, _, _) in zip(ways, edges, strict=True)
    ]


def _measure(container: LayoutBlock) -> None:
    """Compute the areas of a container with their ranks, and its approximate size."""
    container.areas = split(container)
    sizes = []
    for area in container.areas:
        compute_ranks(area)
        sizes.append(estimate(area) if area.pieces else (area.blocks[0].width, area.blocks[0].height))
    limit = _limit(container, sizes)
    rows = sum(width + GAP for width, _ in sizes) // limit + 1
    container.width = min(sum(width + GAP for width, _ in sizes), limit) + 2 * PAD
    container.width = max(container.width, container.header + 2 * PAD)
    surface = sum(width * (height + GAP) for width, height in sizes)
    container.height = (max(height for _, height in sizes) if rows < 2 else surface / limit) + TITLE + PAD


def _limit(container: LayoutBlock, sizes: Sequence[tuple[float, float]]) -> float:
    """Return the maximal width of the contents of a container."""
    page = PAGE - 2 * PAD * (container.depth + 1)
    widest = max(width for width, _ in sizes)
    if not container.depth:
        return max(page, widest)
    surface = sum((width + GAP) * (height + GAP) for width, height in sizes)
    return max(min(page, OPEN * sqrt(surface) + 60), widest)


def _order(container: LayoutBlock, known: dict[Shape, Order]) -> None:
    """Order the layers of a container's areas, and so the ports of the containers in it.

    Args:
        container: The container.
        known: The orders of other areas by their shapes, which are reused.
    """
    ported = next((area for area in container.areas if area.ported), None)
    for area in container.areas:
        if not area.pieces:
            continue
        heap = None
        if area is ported and len(container.areas) > 1:
            others = [other for other in container.areas if other is not area]
            sizes = [(block.width, block.height) for other in others for block in other.blocks]
            limit = _limit(container, sizes)
            heap = (min(sum(width + GAP for width, _ in sizes), limit), 100.0)
        area.shape = alike = compute_shape(area, heap)
        if alike in known:
            follow(area, heap, known[alike])
        else:
            _order_area(area, heap)
            known[alike] = read_order(area)
        for item in area.items.values():
            if item.block is not None and item.block.children:
                item.block.top, item.block.entering = _sort_ports(
                    item.block.top, item.block.entering, item.up
                )
                item.block.bottom, item.block.leaving = _sort_ports(
                    item.block.bottom, item.block.leaving, item.down
                )


def _order_area(area: Area, heap: tuple[float, float] | None) -> None:
    """Order the layers of an area, fold them, and keep the order with fewest crossings."""
    fill(area, heap)
    found = ordering.order(area)
    if not fold(area):
        return
    in_rows, in_layers = ordering.find_wishes_in_rows(area), ordering.find_wishes_in_layers(area)
    fill(area, heap)
    then = ordering.order(area, in_rows)
    if then > found:
        fill(area, heap)
        if ordering.order(area, in_layers) > then:
            fill(area, heap)
            ordering.order(area, in_rows)


def _sort_ports(
    outer: dict[int, float], inner: dict[int, float], near: Sequence[tuple[Item, int]]
) -> tuple[dict[int, float], dict[int, float]]:
    """Return the ports of each side in the order of their other ends outside."""
    where: dict[int, list[int]] = {}
    for other, net in near:
        where.setdefault(net, []).append(other.place)
    order = sorted(where, key=lambda net: sum(where[net]) / len(where[net]))
    within = [*(net for net in order if net in inner), *(net for net in inner if net not in outer)]
    return dict.fromkeys(order, 0.0), dict.fromkeys(within, 0.0)


# --- from the inside out


def _place(container: LayoutBlock, drawn: dict[Hashable, Drawing]) -> None:
    """Place the areas of a container and their contents, and set its size.

    Args:
        container: The container.
        drawn: The drawings of other areas by everything that they depend on, which are reused.
    """
    ported = next((area for area in container.areas if area.ported), None)
    loose = [area for area in container.areas if area is not ported]
    for area in loose:
        if area.pieces:
            _draw_once(area, None, drawn)
        else:
            area.width = area.blocks[0].width + area.blocks[0].reserve
            area.height = area.blocks[0].height
    heap = None
    if loose:
        limit = _limit(container, [(area.width, area.height) for area in loose])
        heap = pack(loose, limit)
    top = TITLE + 6 if container.framed else PAD
    if ported is None:
        assert heap is not None
        _move(loose, PAD, top)
        container.width, container.height = heap[0] + 2 * PAD, top + heap[1] + PAD
    else:
        _draw_once(ported, heap, drawn)
        left = PAD
        if container.entering:
            first = min(item.x for item in ported.layers[0])
            left = max(left, container.header + PAD + 10 - first)
        start = 0.0 if container.entering else top
        ported.x, ported.y = left, start
        pile = next((item for layer in ported.layers for item in layer if item.heap), None)
        if pile is not None:
            _move(loose, left + pile.x - pile.width / 2, start + pile.y)
        container.width = left + ported.width + PAD
        container.height = start + ported.height + (0 if container.leaving else PAD)
    container.width = max(container.width, container.header + 2 * PAD)
    for area in container.areas:
        if not area.pieces:
            area.blocks[0].x, area.blocks[0].y = area.x, area.y
        for item in area.items.values():
            assert item.block is not None
            item.block.x = area.x + item.x - item.width / 2
            item.block.y = area.y + item.y
    _set_ports(container, ported)


def _move(areas: Sequence[Area], x: float, y: float) -> None:
    for area in areas:
        area.x += x
        area.y += y


def _set_ports(container: LayoutBlock, ported: Area | None) -> None:
    """Place the ports at the border: above what continues inside, the others where there is room."""
    if ported is not None:
        for piece in ported.pieces:
            for passed, outer, at in (
                (container.entering, container.top, 0),
                (container.leaving, container.bottom, len(ported.layers) - 1),
            ):
                if piece.net in passed:
                    passed[piece.net] = ported.x + piece.lanes[at].x
                    if piece.net in outer:
                        outer[piece.net] = passed[piece.net]
    for outer, passed in ((container.top, container.entering), (container.bottom, container.leaving)):
        taken = sorted(passed.values())
        own = [net for net in outer if net not in passed]
        for n, net in enumerate(own):
            outer[net] = _free(container.width / 2 + (n - (len(own) - 1) / 2) * 14, taken, container.width)
            taken.append(outer[net])


def _free(wanted: float, taken: Sequence[float], width: float) -> float:
    """Return the position next to a wanted one that keeps a distance from those taken."""
    for step in range(0, int(width), 2):
        for x in (wanted + step, wanted - step):
            if 6 <= x <= width - 6 and all(abs(x - other) >= 8 for other in taken):
                return x
    return wanted


def _draw_once(area: Area, heap: tuple[float, float] | None, drawn: dict[Hashable, Drawing]) -> None:
    """Draw an area or copy its twin; blocks that contain others have ports of their own."""
    if heap is not None or any(block.children for block in area.blocks):
        _draw(area, heap)
        return
    sizes = tuple([(block.height, block.reserve) for block in area.blocks])
    alike = (area.shape, area.container.framed, sizes)
    if alike in drawn:
        copy(area, drawn[alike])
    else:
        _draw(area, heap)
        drawn[alike] = read_drawing(area)


def _draw(area: Area, heap: tuple[float, float] | None) -> None:
    """Place the items and lines of an area in its own coordinates."""
    for layer in area.layers:
        for item in layer:
            if item.heap and heap is not None:
                item.width, item.height = heap
            elif item.block is not None:
                item.width, item.height = item.block.width + item.block.reserve, item.block.height
    placing.spread(area)
    placing.place(area)
    placing.straighten(area)
    known = placing.lines(area)
    left = min(item.x - item.width / 2 for layer in area.layers for item in layer)
    right = max(item.x + item.width / 2 for layer in area.layers for item in layer)
    for layer in area.layers:
        for item in layer:
            item.x -= left
    area.width = right - left
    container = area.container
    entering, leaving = area.ported and bool(container.entering), area.ported and bool(container.leaving)
    y = 0.0
    for n, layer in enumerate(area.layers):
        for item in layer:
            item.y = y
        y += max((item.height for item in layer), default=0.0)
        if n < len(known):
            above, below = ABOVE, BELOW
            if n == 0 and entering:
                above = TITLE + 4 if container.framed else ABOVE
            if n == len(known) - 1 and leaving:
                below = ABOVE
            tracks = max((line.track for line in known[n]), default=0)
            for line in known[n]:
                if line.track:
                    line.piece.tracks[n] = y + above + (line.track - 1) * placing.TRACK
            y += above + max(tracks - 1, 0) * placing.TRACK + below
            if not known[n]:
                y += GAP - LAYER_GAP
    area.height = y


# --- lines


def _line(way: Way | None, block: LayoutBlock) -> list[Point]:
    """Return the points of a relationship from its source to its target."""
    if way is None:
        x, y = block.x + block.width, block.y
        return [(x, y + 8), (x + 12, y + 8), (x + 12, y + 20), (x, y + 20)]
    points: list[Point] = []
    for piece, source, target in way.steps:
        points += _points(piece, source, target)
    kept = points[:1]
    for n in range(1, len(points) - 1):
        (ax, ay), (bx, by), (cx, cy) = kept[-1], points[n], points[n + 1]
        if not (ax == bx == cx or ay == by == cy or (ax == bx and ay == by)):
            kept.append(points[n])
    kept.append(points[-1])
    return kept[::-1] if way.backwards else kept


def _points(piece: Piece, source: int, target: int) -> list[Point]:
    area = piece.area
    assert area is not None
    container = area.container
    left, top = container.x + area.x, container.y + area.y
    last = len(area.layers) - 1
    at = piece.lanes[0] if source == PORT else area.items[source]
    end = piece.lanes[last] if target == PORT else area.items[target]
    x = left + at.x + placing.port(at, piece.net, False)
    points = [(x, top + at.y + (at.block.height if at.block is not None else at.height))]
    for layer in range(at.rank + 1, end.rank + 1):
        below = end if layer == end.rank else piece.lanes[layer]
        there = left + below.x + placing.port(below, piece.net, True)
        track = piece.tracks.get(layer - 1)  # none where the line is straight, but for what rounding adds
        if track is not None and abs(there - x) > STRAIGHT:
            points += [(x, top + track), (there, top + track)]
            x = there
    points.append((x, top + end.y))
    return points
