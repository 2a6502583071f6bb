"""Coordinates in the picture of a graph: areas in rows, items in layers, lines in gaps.

This is the last step of the layout, after `ordering` has sorted the items of each layer. A lane or port is an item with
a net; a line from a box begins at the port of its net at the side of the box. Lengths are in pixels.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain, pairwise

from lexer_parser.record import Record, fresh
from puppet_kernel.rendering.elements import group_by
from puppet_kernel.rendering.graphs.areas import GAP, LANE, Area, Item
from puppet_kernel.rendering.graphs.blocks import LayoutBlock, Piece


def pack_areas(areas: Sequence[Area], limit: float) -> tuple[float, float]:
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


CORNER = 9.0  # the distance of ports from the corners of a box
PORT_GAP = 9.0  # between the ports of a wide box
NARROW_PORT_GAP = 5.0  # a box with many ports is widened so that this much is between them
SWEEPS = (True, False, True, False, True)  # True for a sweep from the top down
MANY_ITEMS = 800  # with more items, fewer sweeps are made
# By the number of lanes and ports among two items: the space between neighbours, and the weight of a link. Long lines
# are straight because lanes attract each other most.
SPACES, WEIGHTS = (GAP, LANE / 2, 0.0), (1.0, 2.0, 8.0)


def place_items(area: Area) -> None:
    """Set the x of every item's centre by several sweeps down and up.

    Each sweep places one layer after the other by the items of the layer before it.
    """
    layers = area.layers
    distances = [_compute_distances(layer) for layer in layers]
    for layer, layer_distances in zip(layers, distances, strict=True):
        x = -sum(layer_distances) / 2
        for item, distance in zip(layer, [0.0, *layer_distances], strict=False):
            x += distance
            item.x = x
    widths = [
        sum(layer_distances) + (layer[0].width + layer[-1].width) / 2 if layer else 0.0
        for layer, layer_distances in zip(layers, distances, strict=True)
    ]
    room = max(area.limit, *widths)
    item_count = sum(map(len, layers))
    above = [[_list_attractions(item, item.up, True) for item in layer] for layer in layers]
    below = [[_list_attractions(item, item.down, False) for item in layer] for layer in layers]
    for downward in SWEEPS if item_count <= MANY_ITEMS else SWEEPS[-3:]:
        for n in range(len(layers)) if downward else range(len(layers) - 1, -1, -1):
            if layers[n]:
                _place_layer(layers[n], distances[n], (above if downward else below)[n], room)


# A linked item; the x of the centre of this one, minus that of the linked one, for which the line is straight; the
# weight of that wish.
Attraction = tuple[Item, float, float]


def _list_attractions(item: Item, neighbours: Sequence[tuple[Item, int]], upper: bool) -> list[Attraction]:
    """Return the attractions of an item to its neighbours in the layer above or below."""
    return [
        (
            other,
            get_port_offset(other, net, not upper) - get_port_offset(item, net, upper),
            WEIGHTS[_count_lanes(item, other)],
        )
        for other, net in neighbours
    ]


def _count_lanes(*items: Item) -> int:
    """Return the number of lanes and ports among items."""
    return len([item for item in items if item.net >= 0])


def _compute_distances(layer: Sequence[Item]) -> list[float]:
    """Return the minimal distances between the centres of neighbours."""
    return [
        (left.width + right.width) / 2 + SPACES[_count_lanes(left, right)] for left, right in pairwise(layer)
    ]


def get_port_offset(item: Item, net: int, upper: bool) -> float:
    """Return the distance of a net's port, at one side of an item, from its centre."""
    block = item.block
    if block is None:
        return 0.0
    return (block.top if upper else block.bottom)[net] - item.width / 2


def _place_layer(
    layer: Sequence[Item], distances: Sequence[float], attractions: Sequence[list[Attraction]], room: float
) -> None:
    """Place a layer by its neighbours on one side, with the least sum of deviations.

    A wish is a position with a weight: an item wishes to be where its attractions draw it; without any, with little
    weight, where it is. Items that would overlap form a group at the weighted median of their wishes. All stay within
    the width of the widest layer. While groups are formed, positions are reduced by the shift of an item: its distance
    from the first one if all are as close as possible.

    Args:
        layer: The items of the layer.
        distances: The minimal distances between the centres of neighbours.
        attractions: The attractions of each item.
        room: The width of the widest layer.
    """
    # Position, wishes, number of items, sum of the weights.
    groups: list[tuple[float, list[tuple[float, float]], int, float]] = []
    shift = 0.0
    shifts = []
    for n, item in enumerate(layer):
        if n:
            shift += distances[n - 1]
        shifts.append(shift)
        if not attractions[n]:
            position, weight = item.x - shift, 0.01
        elif len(attractions[n]) == 1:
            other, offset, weight = attractions[n][0]
            position = other.x + offset - shift
        else:
            wishes = sorted([(other.x + offset - shift, weight) for other, offset, weight in attractions[n]])
            weight = sum([weight for _, _, weight in attractions[n]])
            position = _compute_median(wishes, weight)
        wishes, count = [(position, weight)], 1
        while groups and groups[-1][0] > position:
            _, left_wishes, left_count, left_weight = groups.pop()
            wishes, count, weight = sorted(left_wishes + wishes), left_count + count, left_weight + weight
            position = _compute_median(wishes, weight)
        groups.append((position, wishes, count, weight))
    least = (layer[0].width - room) / 2
    most = max((room - layer[-1].width) / 2 - shift, least)
    start = 0
    for position, _, count, _ in groups:
        for n in range(start, start + count):
            layer[n].x = min(max(position, least), most) + shifts[n]
        start += count


def _compute_median(wishes: Sequence[tuple[float, float]], weight: float) -> float:
    """Return the weighted median of sorted (value, weight) pairs."""
    rest = weight / 2 - 1e-9
    for value, wish_weight in wishes:
        rest -= wish_weight
        if rest <= 0:
            return value
    return wishes[-1][0]


def spread_ports(area: Area) -> None:
    """Order the ports of resources by their other ends, and widen boxes with many ports."""
    for block, item in zip(area.blocks, area.items.values(), strict=True):
        if not block.children:
            least = max(len(block.top), len(block.bottom)) * NARROW_PORT_GAP + 2 * CORNER
            item.width += max(least - block.width, 0)
            block.width = max(block.width, least)
            _spread_side(block.width, block.top, item.up)
            _spread_side(block.width, block.bottom, item.down)


def sort_nets(neighbours: Sequence[tuple[Item, int]]) -> list[int]:
    """Return the nets in the order of the mean place of their other ends."""
    places: dict[int, list[int]] = {}
    for other, net in neighbours:
        places.setdefault(net, []).append(other.place)
    return sorted(places, key=lambda net: sum(places[net]) / len(places[net]))


def _spread_side(width: float, ports: dict[int, float], neighbours: Sequence[tuple[Item, int]]) -> None:
    """Place the ports of one side of a box around its middle."""
    nets = sort_nets(neighbours)
    gap = min(PORT_GAP, (width - 2 * CORNER) / max(len(nets) - 1, 1))
    for n, net in enumerate(nets):
        ports[net] = width / 2 + (n - (len(nets) - 1) / 2) * gap


def straighten_lines(area: Area) -> None:
    """Slide ports along the sides of boxes, so that lines become straight."""
    for upper in (True, False):
        for item in chain.from_iterable(area.layers):
            neighbours = item.up if upper else item.down
            if neighbours and item.block is not None and not item.block.children:
                _slide_ports(item, item.block, neighbours, upper)


def _slide_ports(item: Item, block: LayoutBlock, neighbours: Sequence[tuple[Item, int]], upper: bool) -> None:
    """Move the ports of one side as close to the other ends as order and corners allow.

    A port wishes to be at the nearest other end of its net, if that is above or below the box.
    """
    ports = block.top if upper else block.bottom
    left, width = item.x - item.width / 2, block.width
    ends_by_net: dict[int, list[float]] = {}
    for other, net in neighbours:
        ends_by_net.setdefault(net, []).append(other.x + get_port_offset(other, net, not upper) - left)
    nets = sorted(ports, key=ports.__getitem__)
    wishes = []
    for net in nets:
        nearest = min(sorted(ends_by_net[net]), key=lambda end: abs(end - ports[net]))
        wishes.append(nearest if CORNER <= nearest <= width - CORNER else ports[net])
    gap = min(PORT_GAP, (width - 2 * CORNER) / max(len(nets) - 1, 1))
    least = CORNER  # leaves room for the ports on the left
    for n, net in enumerate(nets):
        most = width - CORNER - (len(nets) - 1 - n) * gap  # leaves room for the ports on the right
        # The position at which all ports on the right can have their wishes.
        fair = min((wish - (k + 1) * gap for k, wish in enumerate(wishes[n + 1 :])), default=most)
        position = wishes[n] if wishes[n] <= fair else max((wishes[n] + fair) / 2, least)
        ports[net] = min(max(position, least), most)
        least = ports[net] + gap


TRACK = 8.0  # the distance of horizontal lines in a gap
CLOSE = 5.0  # vertical lines that are closer than this must not overlap
MANY_LINES = 90  # up to this many lines in one gap are compared with each other


class Line(Record):
    """The part of a net between two layers: vertical lines that a horizontal one connects.

    Attributes:
        piece: The piece of the net.
        tops, bottoms: The x of the vertical lines to the layer above and below.
        low, high: The x of the ends of the horizontal line.
        track: The number of the horizontal line from the top: 1, 2, …; 0 if the line is straight.
    """

    piece: Piece
    tops: list[float] = fresh(factory=list)
    bottoms: list[float] = fresh(factory=list)
    low: float = 0.0
    high: float = 0.0
    track: int = 0


def make_lines(area: Area) -> list[list[Line]]:
    """Return the lines of every gap, from top to bottom, with their tracks."""
    pieces = {piece.net: piece for piece in area.pieces}
    gaps = []
    for layer in area.layers[:-1]:
        by_net: dict[int, Line] = {}
        lower_ends: set[tuple[int, int]] = set()  # those that lines have, as pairs (identity of item, net)
        for item in layer:
            upper_nets: set[int] = set()  # those whose line has its end at this item
            for other, net in item.down:
                line = by_net.get(net)
                if line is None:
                    line = by_net[net] = Line(pieces[net])
                if net not in upper_nets:
                    upper_nets.add(net)
                    line.tops.append(item.x + get_port_offset(item, net, False))
                if (id(other), net) not in lower_ends:
                    lower_ends.add((id(other), net))
                    line.bottoms.append(other.x + get_port_offset(other, net, True))
        gaps.append(list(by_net.values()))
        _assign_tracks(gaps[-1])
    return gaps


def _assign_tracks(lines: list[Line]) -> None:
    """Assign a track to each line of a gap, different ones to lines that would overlap."""
    bent = []
    for line in lines:
        line.tops.sort()
        line.bottoms.sort()
        line.low = min(line.tops[0], line.bottoms[0])
        line.high = max(line.tops[-1], line.bottoms[-1])
        if line.high - line.low > 0.5:
            bent.append(line)
    done: list[Line] = []
    for line in _sort_lines(bent) if len(bent) <= MANY_LINES else _sort_roughly(bent):
        line.track = 1 + max(
            (
                other.track
                for other in done
                if other.low - CLOSE <= line.high and line.low - CLOSE <= other.high
            ),
            default=0,
        )
        done.append(line)


def _sort_roughly(bent: list[Line]) -> list[Line]:
    """Return an approximate order for very many lines, by direction."""
    right = [line for line in bent if sum(line.tops) / len(line.tops) < sum(line.bottoms) / len(line.bottoms)]
    left = [line for line in bent if line not in right]
    return [*sorted(right, key=lambda line: -line.tops[-1]), *sorted(left, key=lambda line: line.tops[0])]


def _sort_lines(bent: list[Line]) -> list[Line]:
    """Return the lines from top to bottom with few crossings; a greedy choice breaks cycles.

    This is a topological sort of the graph in which a line precedes those that should be below it.
    """
    count = len(bent)
    if count < 2:
        return bent
    # For each line, the lines that should be below it, by index, and the cost that this saves.
    savings_below: list[dict[int, int]] = [{} for _ in bent]
    preference = [0] * count  # the cost saved if a line is above the others, minus the cost if it is below
    for n in range(count):
        for m in range(n + 1, count):
            if bent[n].low - CLOSE > bent[m].high or bent[m].low - CLOSE > bent[n].high:
                continue
            cost = _compute_cost(bent[n], bent[m]) - _compute_cost(bent[m], bent[n])
            if cost:
                upper, lower = (n, m) if cost < 0 else (m, n)
                savings_below[upper][lower] = abs(cost)
                preference[upper] += abs(cost)
                preference[lower] -= abs(cost)
    # The same for the lines that should be above it and are still to be placed.
    savings_above: list[dict[int, int]] = [{} for _ in bent]
    for upper, savings in enumerate(savings_below):
        for lower, saved in savings.items():
            savings_above[lower][upper] = saved
    unplaced = dict.fromkeys(range(count))
    order: list[int] = []
    ready = [n for n in unplaced if not savings_above[n]]
    while unplaced:
        if ready:
            n = ready.pop(0)
            if n not in unplaced:
                continue
        else:
            n = max(unplaced, key=lambda k: (preference[k], -k))
        del unplaced[n]
        order.append(n)
        for lower, saved in savings_below[n].items():
            if lower in unplaced:
                savings_above[lower].pop(n, None)
                preference[lower] += saved
                if not savings_above[lower]:
                    ready.append(lower)
        for upper, saved in savings_above[n].items():
            if upper in unplaced:
                preference[upper] -= saved
    return [bent[n] for n in order]


def _compute_cost(upper: Line, lower: Line) -> int:
    """Return the cost of one line above another: 1 for a crossing, 100 for an overlap."""
    cost = _count_within(upper.bottoms, lower.low, lower.high) + _count_within(
        lower.tops, upper.low, upper.high
    )
    for x in upper.bottoms:
        index = bisect_left(lower.tops, x - CLOSE)
        if index < len(lower.tops) and lower.tops[index] < x + CLOSE:
            cost += 100
    return cost


def _count_within(positions: list[float], low: float, high: float) -> int:
    """Return the number of sorted positions between two others."""
    return bisect_left(positions, high) - bisect_right(positions, low)
