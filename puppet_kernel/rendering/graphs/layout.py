"""A deterministic layered layout: positions of the blocks, and lines of the relationships.

It follows Sugiyama's method for each area of each container: assign ranks (`areas.compute_ranks`), order the items of
each layer so that few lines cross (`ordering`), then compute coordinates (`placing`). Orders are computed from the
outermost container inwards, because the ports of a container are sorted by the other ends of their lines. Coordinates
are computed from the innermost container outwards, because a container is as large as its contents.

Areas without relationships to the border of their container are packed in rows. If another area leads to the border,
the packed ones are one item below its other blocks; `packed_size` is the size of that item.
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
    estimate_size,
    make_items,
    split_into_areas,
    wrap_layers,
)
from puppet_kernel.rendering.graphs.blocks import (
    PORT,
    EdgePath,
    LayoutBlock,
    Piece,
    list_outside_in,
    make_nets,
)

Point = tuple[float, float]
STRAIGHT = 0.5  # ends whose x differ by less are treated as vertically aligned
ABOVE, BELOW = 10.0, 16.0  # between a layer and the tracks next to it; below them the arrow heads need room


class Route(NamedTuple):
    """The line of a relationship from its source to its target; `gathers` if others join it."""

    points: list[Point]
    gathers: bool


def lay_out(
    root: LayoutBlock, blocks: dict[str, LayoutBlock], edges: Sequence[tuple[str, str, str]]
) -> list[Route]:
    """Place all blocks in the coordinates of the drawing, and return the line of each edge."""
    all_blocks = list_outside_in(root)
    paths = make_nets(blocks, edges)
    containers = [block for block in all_blocks if block.children]
    for container in reversed(containers):
        _estimate_container(container)
    orders: dict[ordering.Shape, ordering.Order] = {}
    for container in containers:
        _order_container(container, orders)
    drawings: dict[Hashable, ordering.Drawing] = {}
    for container in reversed(containers):
        _place_container(container, drawings)
    for block in all_blocks[1:]:
        assert block.parent is not None
        block.x += block.parent.x
        block.y += block.parent.y
    return [
        Route(_make_points(path, blocks[source]), path is not None and path.gathers)
        for path, (source, _, _) in zip(paths, edges, strict=True)
    ]


def _estimate_container(container: LayoutBlock) -> None:
    """Compute the areas of a container with their ranks, and its approximate size."""
    container.areas = split_into_areas(container)
    sizes = []
    for area in container.areas:
        compute_ranks(area)
        sizes.append(estimate_size(area) if area.pieces else (area.blocks[0].width, area.blocks[0].height))
    limit = _compute_max_width(container, sizes)
    rows = sum(width + GAP for width, _ in sizes) // limit + 1
    container.width = min(sum(width + GAP for width, _ in sizes), limit) + 2 * PAD
    container.width = max(container.width, container.header + 2 * PAD)
    surface = sum(width * (height + GAP) for width, height in sizes)
    container.height = (max(height for _, height in sizes) if rows < 2 else surface / limit) + TITLE + PAD


def _compute_max_width(container: LayoutBlock, sizes: Sequence[tuple[float, float]]) -> float:
    """Return the maximal width of the contents of a container."""
    page = PAGE - 2 * PAD * (container.depth + 1)
    widest = max(width for width, _ in sizes)
    if not container.depth:
        return max(page, widest)
    surface = sum((width + GAP) * (height + GAP) for width, height in sizes)
    return max(min(page, OPEN * sqrt(surface) + 60), widest)


def _order_container(container: LayoutBlock, orders: dict[ordering.Shape, ordering.Order]) -> None:
    """Order the layers of a container's areas, and so the ports of the containers in it.

    Args:
        container: The container.
        orders: The orders of other areas by their shapes, which are reused.
    """
    ported = next((area for area in container.areas if area.is_ported), None)
    for area in container.areas:
        if not area.pieces:
            continue
        packed_size = None
        if area is ported and len(container.areas) > 1:
            others = [other for other in container.areas if other is not area]
            sizes = [(block.width, block.height) for other in others for block in other.blocks]
            limit = _compute_max_width(container, sizes)
            packed_size = (min(sum(width + GAP for width, _ in sizes), limit), 100.0)
        area.shape = shape = ordering.compute_shape(area, packed_size)
        if shape in orders:
            ordering.apply_order(area, packed_size, orders[shape])
        else:
            _order_area(area, packed_size)
            orders[shape] = ordering.read_order(area)
        for block, item in zip(area.blocks, area.items.values(), strict=True):
            if block.children:
                block.top, block.entering = _sort_ports(block.top, block.entering, item.up)
                block.bottom, block.leaving = _sort_ports(block.bottom, block.leaving, item.down)


def _order_area(area: Area, packed_size: tuple[float, float] | None) -> None:
    """Order the layers of an area, wrap wide ones, and keep the order with fewest crossings.

    For wrapped layers the order begins with the positions in rows. If it has more crossings than before wrapping, the
    order that begins with the positions in layers is tried, too.
    """
    make_items(area, packed_size)
    crossings = ordering.order_layers(area)
    if not wrap_layers(area):
        return
    in_rows, in_layers = ordering.find_positions_in_rows(area), ordering.find_positions_in_layers(area)
    make_items(area, packed_size)
    wrapped = ordering.order_layers(area, in_rows)
    if wrapped > crossings:
        make_items(area, packed_size)
        if ordering.order_layers(area, in_layers) > wrapped:  # the better order is computed again
            make_items(area, packed_size)
            ordering.order_layers(area, in_rows)


def _sort_ports(
    outer: dict[int, float], inner: dict[int, float], neighbours: Sequence[tuple[Item, int]]
) -> tuple[dict[int, float], dict[int, float]]:
    """Return the ports of each side in the order of their other ends outside."""
    order = placing.sort_nets(neighbours)
    within = [*(net for net in order if net in inner), *(net for net in inner if net not in outer)]
    return dict.fromkeys(order, 0.0), dict.fromkeys(within, 0.0)


# --- positions, from the inside out


def _place_container(container: LayoutBlock, drawings: dict[Hashable, ordering.Drawing]) -> None:
    """Place the areas of a container and their contents, and set its size.

    Args:
        container: The container.
        drawings: The drawings of other areas, which are reused, by everything on which they depend.
    """
    ported = next((area for area in container.areas if area.is_ported), None)
    unported = [area for area in container.areas if area is not ported]
    for area in unported:
        if area.pieces:
            _draw_or_copy(area, None, drawings)
        else:
            area.width = area.blocks[0].width + area.blocks[0].reserve
            area.height = area.blocks[0].height
    packed_size = None
    if unported:
        limit = _compute_max_width(container, [(area.width, area.height) for area in unported])
        packed_size = placing.pack_areas(unported, limit)
    top = TITLE + 6 if container.is_framed else PAD
    if ported is None:
        assert packed_size is not None
        _shift_items(unported, PAD, top)
        container.width, container.height = packed_size[0] + 2 * PAD, top + packed_size[1] + PAD
    else:
        _draw_or_copy(ported, packed_size, drawings)
        left = PAD
        if container.entering:
            first = min(item.x for item in ported.layers[0])
            left = max(left, container.header + PAD + 10 - first)
        start = 0.0 if container.entering else top
        ported.x, ported.y = left, start
        packed = next((item for layer in ported.layers for item in layer if item.is_packed), None)
        if packed is not None:
            _shift_items(unported, left + packed.x - packed.width / 2, start + packed.y)
        container.width = left + ported.width + PAD
        container.height = start + ported.height + (0 if container.leaving else PAD)
    container.width = max(container.width, container.header + 2 * PAD)
    for area in container.areas:
        if not area.pieces:
            area.blocks[0].x, area.blocks[0].y = area.x, area.y
        for index, item in area.items.items():
            block = container.children[index]
            block.x, block.y = area.x + item.x - item.width / 2, area.y + item.y
    _set_ports(container, ported)


def _shift_items(areas: Sequence[Area], x: float, y: float) -> None:
    for area in areas:
        area.x += x
        area.y += y


def _set_ports(container: LayoutBlock, ported: Area | None) -> None:
    """Place the ports at the border: in line with the lines inside, others in free space."""
    last = 0 if ported is None else len(ported.layers) - 1
    sides = ((container.top, container.entering, 0), (container.bottom, container.leaving, last))
    for ports, crossing, rank in sides:
        if ported is not None:
            pieces = [piece for piece in ported.pieces if piece.net in crossing]
            crossing.update({piece.net: ported.x + piece.lanes[rank].x for piece in pieces})
            ports.update({piece.net: crossing[piece.net] for piece in pieces if piece.net in ports})
        taken = sorted(crossing.values())
        own = [net for net in ports if net not in crossing]  # of lines that end at the container itself
        for n, net in enumerate(own):
            ports[net] = _find_free_position(
                container.width / 2 + (n - (len(own) - 1) / 2) * 14, taken, container.width
            )
            taken.append(ports[net])


def _find_free_position(desired: float, taken: Sequence[float], width: float) -> float:
    """Return the position nearest to a desired one that keeps a distance from those taken."""
    for step in range(0, int(width), 2):
        for x in (desired + step, desired - step):
            if 6 <= x <= width - 6 and all(abs(x - other) >= 8 for other in taken):
                return x
    return desired


def _draw_or_copy(
    area: Area, packed_size: tuple[float, float] | None, drawings: dict[Hashable, ordering.Drawing]
) -> None:
    """Compute the coordinates of an area, or copy those of an equal one.

    An area whose blocks have children is never copied, because the ports of such blocks differ.
    """
    if packed_size is not None or any(block.children for block in area.blocks):
        _draw_area(area, packed_size)
        return
    sizes = tuple([(block.height, block.reserve) for block in area.blocks])
    key = (area.shape, area.container.is_framed, sizes)
    if key in drawings:
        ordering.apply_drawing(area, drawings[key])
    else:
        _draw_area(area, packed_size)
        drawings[key] = ordering.read_drawing(area)


def _draw_area(area: Area, packed_size: tuple[float, float] | None) -> None:
    """Place the items and lines of an area in its own coordinates."""
    items = [item for layer in area.layers for item in layer]
    for item in items:
        if item.is_packed and packed_size is not None:
            item.width, item.height = packed_size
        elif item.block is not None:
            item.width, item.height = item.block.width + item.block.reserve, item.block.height
    placing.spread_ports(area)
    placing.place_items(area)
    placing.straighten_lines(area)
    lines = placing.make_lines(area)
    left = min(item.x - item.width / 2 for item in items)
    right = max(item.x + item.width / 2 for item in items)
    for item in items:
        item.x -= left
    area.width = right - left
    container = area.container
    entering, leaving = (
        area.is_ported and bool(container.entering),
        area.is_ported and bool(container.leaving),
    )
    y = 0.0
    for n, layer in enumerate(area.layers):
        for item in layer:
            item.y = y
        y += max((item.height for item in layer), default=0.0)
        if n < len(lines):
            above = TITLE + 4 if n == 0 and entering and container.is_framed else ABOVE
            below = ABOVE if n == len(lines) - 1 and leaving else BELOW
            tracks = max((line.track for line in lines[n]), default=0)
            for line in lines[n]:
                if line.track:
                    line.piece.tracks[n] = y + above + (line.track - 1) * placing.TRACK
            y += above + max(tracks - 1, 0) * placing.TRACK + below
            if not lines[n]:
                y += GAP - LAYER_GAP
    area.height = y


# --- lines


def _make_points(path: EdgePath | None, block: LayoutBlock) -> list[Point]:
    """Return the points of a relationship from its source to its target."""
    if path is None:
        x, y = block.x + block.width, block.y
        return [(x, y + 8), (x + 12, y + 8), (x + 12, y + 20), (x, y + 20)]
    points = [point for step in path.steps for point in _list_piece_points(*step)]
    corners = points[:1]  # the first and the last point, and those between at which the direction changes
    for n in range(1, len(points) - 1):
        (ax, ay), (bx, by), (cx, cy) = corners[-1], points[n], points[n + 1]
        if not (ax == bx == cx or ay == by == cy or (ax == bx and ay == by)):
            corners.append(points[n])
    corners.append(points[-1])
    return corners[::-1] if path.is_backwards else corners


def _list_piece_points(piece: Piece, source: int, target: int) -> list[Point]:
    """Return the points of a line in one container, from top to bottom."""
    area = piece.area
    assert area is not None
    container = area.container
    left, top = container.x + area.x, container.y + area.y
    last = len(area.layers) - 1
    start = piece.lanes[0] if source == PORT else area.items[source]
    end = piece.lanes[last] if target == PORT else area.items[target]
    x = left + start.x + placing.get_port_offset(start, piece.net, False)
    points = [(x, top + start.y + (start.block.height if start.block is not None else start.height))]
    for layer in range(start.rank + 1, end.rank + 1):
        below = end if layer == end.rank else piece.lanes[layer]
        next_x = left + below.x + placing.get_port_offset(below, piece.net, True)
        # There is no track where the line is straight, apart from rounding.
        track = piece.tracks.get(layer - 1)
        if track is not None and abs(next_x - x) > STRAIGHT:
            points += [(x, top + track), (next_x, top + track)]
            x = next_x
    points.append((x, top + end.y))
    return points
