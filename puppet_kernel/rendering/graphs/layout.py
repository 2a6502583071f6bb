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
from typing import NamedTuple

from puppet_kernel.rendering.elements import group_by
from puppet_kernel.rendering.graphs import ordering, placing
from puppet_kernel.rendering.graphs.areas import (
    GAP,
    LAYER_GAP,
    PAD,
    TITLE,
    Area,
    Item,
    compute_max_width,
    compute_ranks,
    estimate_size,
    limit_width,
    make_items,
    split_into_areas,
    wrap_layers,
)
from puppet_kernel.rendering.graphs.blocks import LayoutBlock, make_nets, set_depths
from puppet_kernel.rendering.graphs.lines import TRACK, Line, Point, make_lines, make_points

# Lengths are in pixels.
ABOVE, BELOW = 10.0, 16.0  # between a layer and the tracks next to it; below them the arrow heads need room
# Between the label of a container and its contents, the tracks of lines that enter it, and the first of these lines.
BELOW_TITLE, TRACKS_BELOW_TITLE, BESIDE_TITLE = 6.0, 4.0, 10.0
# Of the group of packed blocks, as long as these are not placed; only its width matters.
PACKED_HEIGHT = 100.0
ROW_ALLOWANCE = 60.0  # added to the desired width of packed areas, because few rows are full
# Of ports at the border of a container that have no line inside: between their middles, from any other line, from the
# corners, and between the positions that are tried for them.
OWN_PORT_GAP, LINE_DISTANCE, CORNER_DISTANCE, TRIAL_STEP = 14.0, 8.0, 6.0, 2

Size = tuple[float, float]  # width and height


class Route(NamedTuple):
    """The line of a relationship from its source to its target; `gathers` if others join it."""

    points: list[Point]
    gathers: bool


def lay_out(
    root: LayoutBlock, blocks: dict[str, LayoutBlock], edges: Sequence[tuple[str, str, str]]
) -> list[Route]:
    """Place all blocks in the coordinates of the drawing, and return the line of each edge."""
    all_blocks = set_depths(root)
    paths = make_nets(blocks, edges)
    containers = [block for block in all_blocks if block.children]
    for container in reversed(containers):
        _estimate_container(container)
    orders: dict[Hashable, ordering.Order] = {}
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
        Route(make_points(path, blocks[source]), path is not None and path.gathers)
        for path, (source, _, _) in zip(paths, edges, strict=True)
    ]


def _estimate_container(container: LayoutBlock) -> None:
    """Compute the areas of a container with their ranks, and its approximate size."""
    container.areas = split_into_areas(container)
    sizes = []
    for area in container.areas:
        if area.pieces:
            compute_ranks(area)
            limit_width(area)
            sizes.append(estimate_size(area))
        else:
            sizes.append((area.blocks[0].width, area.blocks[0].height))
    limit = compute_max_width(container, sizes, GAP, ROW_ALLOWANCE)
    total_width = sum(width + GAP for width, _ in sizes)
    is_one_row = total_width < limit
    container.width = max(min(total_width, limit), container.header) + 2 * PAD
    surface = sum(width * (height + GAP) for width, height in sizes)
    height = max(height for _, height in sizes) if is_one_row else surface / limit
    container.height = height + TITLE + PAD


def _order_container(container: LayoutBlock, orders: dict[Hashable, ordering.Order]) -> None:
    """Order the layers of a container's areas, and so the ports of the containers in it.

    Args:
        container: The container.
        orders: The orders of other areas by their shapes, which are reused.
    """
    for area in container.areas:
        if not area.pieces:
            continue
        packed_size = None
        if area.is_ported and len(container.areas) > 1:
            others = [other for other in container.areas if other is not area]
            sizes = [(block.width, block.height) for other in others for block in other.blocks]
            limit = compute_max_width(container, sizes, GAP, ROW_ALLOWANCE)
            packed_size = (min(sum(width + GAP for width, _ in sizes), limit), PACKED_HEIGHT)
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


def _order_area(area: Area, packed_size: Size | None) -> None:
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
    """Return the ports of one side of a block in the order of their other ends outside.

    Args:
        outer: The ports for the drawing around the block.
        inner: The ports for the drawing within the block; those that are not among `outer` come last.
        neighbours: The items at the other ends outside, with their nets.
    """
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
        sizes = [(area.width, area.height) for area in unported]
        packed_size = _pack_areas(unported, compute_max_width(container, sizes, GAP, ROW_ALLOWANCE))
    top = TITLE + BELOW_TITLE if container.is_framed else PAD
    if ported is None:
        assert packed_size is not None
        width, height = packed_size
        _shift_areas(unported, PAD, top)
        container.width, container.height = width + 2 * PAD, top + height + PAD
    else:
        _draw_or_copy(ported, packed_size, drawings)
        _place_ported(container, ported, unported, top)
    container.width = max(container.width, container.header + 2 * PAD)
    for area in container.areas:
        if not area.pieces:
            area.blocks[0].x, area.blocks[0].y = area.x, area.y
        for index, item in area.items.items():
            block = container.children[index]
            block.x, block.y = area.x + item.x - item.width / 2, area.y + item.y
    _set_ports(container, ported)


def _place_ported(container: LayoutBlock, ported: Area, unported: Sequence[Area], top: float) -> None:
    """Place the area with lines to the border, and the packed ones in it; set the size of all.

    Args:
        container: The container.
        ported: The area with lines to the border; at a side with such lines it touches the border.
        unported: The other areas, which the item of the packed blocks represents.
        top: The upper side of the contents if no line enters.
    """
    left = PAD
    if container.entering:
        first = min(item.x for item in ported.layers[0])
        left = max(left, container.header + PAD + BESIDE_TITLE - first)
    ported.x, ported.y = left, 0.0 if container.entering else top
    packed = next((item for layer in ported.layers for item in layer if item.is_packed), None)
    if packed is not None:
        _shift_areas(unported, left + packed.x - packed.width / 2, ported.y + packed.y)
    container.width = left + ported.width + PAD
    container.height = ported.y + ported.height + (0 if container.leaving else PAD)


def _shift_areas(areas: Sequence[Area], x: float, y: float) -> None:
    for area in areas:
        area.x += x
        area.y += y


def _set_ports(container: LayoutBlock, ported: Area | None) -> None:
    """Place the ports at the border: in line with the lines inside, others in free space.

    Args:
        container: The container.
        ported: The area with the lines inside; None without one.
    """
    last = 0 if ported is None else len(ported.layers) - 1
    sides = ((container.top, container.entering, 0), (container.bottom, container.leaving, last))
    for outer, inner, rank in sides:  # the same ports as those of `_sort_ports`
        if ported is not None:
            pieces = [piece for piece in ported.pieces if piece.net in inner]
            inner.update({piece.net: ported.x + piece.lanes[rank].x for piece in pieces})
            outer.update({piece.net: inner[piece.net] for piece in pieces if piece.net in outer})
        taken = sorted(inner.values())
        own = [net for net in outer if net not in inner]  # of lines that end at the container itself
        for n, net in enumerate(own):
            desired = container.width / 2 + (n - (len(own) - 1) / 2) * OWN_PORT_GAP
            outer[net] = _find_free_position(desired, taken, container.width)
            taken.append(outer[net])


def _find_free_position(desired: float, taken: Sequence[float], width: float) -> float:
    """Return the position nearest to a desired one that keeps a distance from those taken."""
    for distance in range(0, int(width), TRIAL_STEP):
        for x in (desired + distance, desired - distance):
            is_between_corners = CORNER_DISTANCE <= x <= width - CORNER_DISTANCE
            if is_between_corners and all(abs(x - other) >= LINE_DISTANCE for other in taken):
                return x
    return desired


def _draw_or_copy(area: Area, packed_size: Size | None, drawings: dict[Hashable, ordering.Drawing]) -> None:
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


def _draw_area(area: Area, packed_size: Size | None) -> None:
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
    _stack_layers(area, make_lines(area))
    left = min(item.x - item.width / 2 for item in items)
    right = max(item.x + item.width / 2 for item in items)
    for item in items:
        item.x -= left
    area.width = right - left


def _stack_layers(area: Area, gaps: Sequence[Sequence[Line]]) -> None:
    """Place the layers of an area one below the other, and the tracks of lines between them.

    Args:
        area: The area.
        gaps: The lines in the gap below each layer but the last.
    """
    container = area.container
    first_is_border = area.is_ported and bool(container.entering)
    last_is_border = area.is_ported and bool(container.leaving)
    y = 0.0
    for n, layer in enumerate(area.layers):
        for item in layer:
            item.y = y
        y += max((item.height for item in layer), default=0.0)
        if n == len(gaps):  # this is the last layer
            break
        has_title = n == 0 and first_is_border and container.is_framed
        above = TITLE + TRACKS_BELOW_TITLE if has_title else ABOVE
        below = ABOVE if n == len(gaps) - 1 and last_is_border else BELOW
        for line in gaps[n]:
            if line.track:
                line.piece.track_ys[n] = y + above + (line.track - 1) * TRACK
        track_count = max((line.track for line in gaps[n]), default=0)
        y += above + max(track_count - 1, 0) * TRACK + below
        if not gaps[n]:  # without lines the layers are as close as other boxes
            y += GAP - LAYER_GAP
    area.height = y


# --- areas without lines to the border, in rows


def _pack_areas(areas: Sequence[Area], limit: float) -> Size:
    """Place areas in rows of at most this width, large ones first; return the size of all.

    Areas that are just one box without contents come last.
    """
    large = [area for area in areas if area.pieces or area.blocks[0].children]
    small = [area for area in areas if not (area.pieces or area.blocks[0].children)]
    large.sort(key=lambda area: -area.height)
    width = y = 0.0
    for row in [*_split_into_rows(large, limit), *_split_into_rows(_group_by_type(small), limit)]:
        x = 0.0
        for area in row:
            area.x, area.y = x, y
            x += area.width + GAP
        width = max(width, x - GAP)
        y += max(area.height for area in row) + GAP
    return width, y - GAP


def _group_by_type(areas: Sequence[Area]) -> list[Area]:
    """Return boxes of one type side by side, the types in order of appearance."""
    groups = group_by(areas, lambda area: area.blocks[0].name.partition("[")[0])
    return [area for group in groups.values() for area in group]


def _split_into_rows(areas: Sequence[Area], limit: float) -> list[list[Area]]:
    """Return areas in rows of at most this width, in their order."""
    rows: list[list[Area]] = []
    used = 0.0
    for area in areas:
        if not rows or used + area.width > limit:
            rows.append([])
            used = 0.0
        rows[-1].append(area)
        used += area.width + GAP
    return rows
