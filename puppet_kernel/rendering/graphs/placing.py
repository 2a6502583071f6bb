"""Places in the picture of a graph: items in layers, areas in rows, lines between layers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain, pairwise

from lexer_parser.record import Record, fresh
from puppet_kernel.rendering.elements import group_by
from puppet_kernel.rendering.graphs.areas import GAP, LANE, Area, Item
from puppet_kernel.rendering.graphs.blocks import LayoutBlock, Piece


def pack_areas(areas: Sequence[Area], limit: float) -> tuple[float, float]:
    """Place areas in rows of at most this width, large ones first; return the size of all."""
    large = [area for area in areas if area.pieces or area.blocks[0].children]
    single = [area for area in areas if not (area.pieces or area.blocks[0].children)]
    large.sort(key=lambda area: -area.height)
    width = y = 0.0
    for row in [*_split_into_rows(large, limit), *_split_into_rows(_group_by_type(single), limit)]:
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
PORT_GAP = 9.0
PORT_LEAST = 5.0
SWEEPS = (True, False, True, False, True)  # down, up, …
MANY_ITEMS = 800  # with more items, fewer sweeps are made


def place_items(area: Area) -> None:
    """Set the x of every item's centre by several sweeps down and up."""
    layers = area.layers
    gaps = [_compute_distances(layer) for layer in layers]
    for layer, apart in zip(layers, gaps, strict=True):
        at = -sum(apart) / 2
        for item, gap in zip(layer, [0.0, *apart], strict=False):
            at += gap
            item.x = at
    widths = [
        sum(apart) + (layer[0].width + layer[-1].width) / 2 if layer else 0.0
        for layer, apart in zip(layers, gaps, strict=True)
    ]
    room = max(area.limit, *widths)
    every = sum(map(len, layers))
    above = [[_list_attractions(item, item.up, True) for item in layer] for layer in layers]
    below = [[_list_attractions(item, item.down, False) for item in layer] for layer in layers]
    for downward in SWEEPS if every <= MANY_ITEMS else SWEEPS[-3:]:
        for n in range(len(layers)) if downward else range(len(layers) - 1, -1, -1):
            if layers[n]:
                _place_layer(layers[n], gaps[n], (above if downward else below)[n], room)


Attraction = tuple[Item, float, float]  # a linked item, the wanted distance of the centres, a weight


def _list_attractions(item: Item, neighbours: Sequence[tuple[Item, int]], upper: bool) -> list[Attraction]:
    return [
        (
            other,
            get_port_offset(other, net, not upper) - get_port_offset(item, net, upper),
            8.0 if item.net >= 0 <= other.net else 2.0 if item.net >= 0 or other.net >= 0 else 1.0,
        )
        for other, net in neighbours
    ]


def _compute_distances(layer: Sequence[Item]) -> list[float]:
    """Return the minimal distances between the centres of neighbours."""
    found = []
    for left, right in pairwise(layer):
        between = (
            GAP if left.net < 0 and right.net < 0 else LANE / 2 if left.net < 0 or right.net < 0 else 0.0
        )
        found.append((left.width + right.width) / 2 + between)
    return found


def get_port_offset(item: Item, net: int, upper: bool) -> float:
    """Return the distance of a net's port from the centre of an item."""
    block = item.block
    if block is None:
        return 0.0
    return (block.top if upper else block.bottom)[net] - item.width / 2


def _place_layer(
    layer: Sequence[Item], gaps: Sequence[float], attractions: Sequence[list[Attraction]], room: float
) -> None:
    """Place a layer by its neighbours on one side, with the least sum of deviations.

    Items that would overlap form a group at the weighted median of their wanted positions. All stay within the width
    of the widest layer.
    """
    # Median, (position, weight) wishes, number of items, weight.
    groups: list[tuple[float, list[tuple[float, float]], int, float]] = []
    shift = 0.0
    shifts = []
    for n, item in enumerate(layer):
        if n:
            shift += gaps[n - 1]
        shifts.append(shift)
        wanted = attractions[n]
        if not wanted:
            middle, weight = item.x - shift, 0.01
        elif len(wanted) == 1:
            other, apart, weight = wanted[0]
            middle = other.x + apart - shift
        else:
            weight = sum([wish[2] for wish in wanted])
            middle = _compute_median(
                sorted([(wish[0].x + wish[1] - shift, wish[2]) for wish in wanted]), weight
            )
        group = (middle, [(middle, weight)], 1, weight)
        while groups and groups[-1][0] > group[0]:
            _, others, count, heavy = groups.pop()
            both = sorted(others + group[1])
            weight = heavy + group[3]
            group = (_compute_median(both, weight), both, count + group[2], weight)
        groups.append(group)
    least = (layer[0].width - room) / 2
    most = max((room - layer[-1].width) / 2 - shift, least)
    at = 0
    for middle, _, count, _ in groups:
        middle = min(max(middle, least), most)
        for n in range(at, at + count):
            layer[n].x = middle + shifts[n]
        at += count


def _compute_median(wishes: Sequence[tuple[float, float]], weight: float) -> float:
    """Return the weighted median of sorted (value, weight) pairs."""
    half = weight / 2 - 1e-9
    for value, heavy in wishes:
        half -= heavy
        if half <= 0:
            return value
    return wishes[-1][0]


def spread_ports(area: Area) -> None:
    """Order the ports of resources by their other ends, and widen boxes with many ports."""
    for block, item in zip(area.blocks, area.items.values(), strict=True):
        if not block.children:
            least = max(len(block.top), len(block.bottom)) * PORT_LEAST + 2 * CORNER
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
    """Move the ports of one side as close to the other ends as order and corners allow."""
    ports = block.top if upper else block.bottom
    left, width = item.x - item.width / 2, block.width
    others: dict[int, list[float]] = {}
    for other, net in neighbours:
        others.setdefault(net, []).append(other.x + get_port_offset(other, net, not upper) - left)
    nets = sorted(ports, key=ports.__getitem__)
    wishes = []
    for net in nets:
        ends = sorted(others[net])
        at = bisect_right(ends, ports[net]) - 1
        close = ends[max(at, 0)]
        if at + 1 < len(ends) and abs(ends[at + 1] - ports[net]) < abs(close - ports[net]):
            close = ends[at + 1]
        wishes.append(close if CORNER <= close <= width - CORNER else ports[net])
    gap = min(PORT_GAP, (width - 2 * CORNER) / max(len(nets) - 1, 1))
    reached = CORNER
    for n, net in enumerate(nets):
        most = width - CORNER - (len(nets) - 1 - n) * gap
        later = min((wish - (k + 1) * gap for k, wish in enumerate(wishes[n + 1 :])), default=most)
        wanted = wishes[n] if wishes[n] <= later else max((wishes[n] + later) / 2, reached)
        ports[net] = min(max(wanted, reached), most)
        reached = ports[net] + gap


TRACK = 8.0
CLOSE = 5.0  # vertical lines that are closer than this must not overlap
MANY_LINES = 90  # up to this many lines in one gap are compared with each other


class Line(Record):
    """The part of a net in the gap between two layers: x of its ends above and below."""

    piece: Piece
    tops: list[float] = fresh(factory=list)
    bottoms: list[float] = fresh(factory=list)
    low: float = 0.0
    high: float = 0.0
    track: int = 0


def make_lines(area: Area) -> list[list[Line]]:
    """Return the lines of every gap with their tracks: 1 is the highest, 0 is a straight line."""
    pieces = {piece.net: piece for piece in area.pieces}
    found = []
    for layer in area.layers[:-1]:
        by_net: dict[int, Line] = {}
        below: set[tuple[int, int]] = set()
        for item in layer:
            done: set[int] = set()
            for other, net in item.down:
                line = by_net.get(net)
                if line is None:
                    line = by_net[net] = Line(pieces[net])
                if net not in done:
                    done.add(net)
                    line.tops.append(item.x + get_port_offset(item, net, False))
                if (id(other), net) not in below:
                    below.add((id(other), net))
                    line.bottoms.append(other.x + get_port_offset(other, net, True))
        found.append(list(by_net.values()))
        _assign_tracks(found[-1])
    return found


def _assign_tracks(known: list[Line]) -> None:
    """Assign a track to each line."""
    bent = []
    for line in known:
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
    """Return the lines from top to bottom with few crossings; a greedy choice breaks cycles."""
    count = len(bent)
    if count < 2:
        return bent
    # Line -> the lines that should be below it, and the cost saved.
    after: list[dict[int, int]] = [{} for _ in bent]
    preference = [0] * count  # the cost saved if a line is above the others, minus the cost if it is below
    for n in range(count):
        one = bent[n]
        for m in range(n + 1, count):
            other = bent[m]
            if one.low - CLOSE > other.high or other.low - CLOSE > one.high:
                continue
            cost = _compute_cost(one, other) - _compute_cost(other, one)
            if cost:
                upper, lower = (n, m) if cost < 0 else (m, n)
                after[upper][lower] = abs(cost)
                preference[upper] += abs(cost)
                preference[lower] -= abs(cost)
    before: list[dict[int, int]] = [{} for _ in bent]
    for n, targets in enumerate(after):
        for m, cost in targets.items():
            before[m][n] = cost
    left = dict.fromkeys(range(count))
    order: list[int] = []
    ready = [n for n in left if not before[n]]
    while left:
        if ready:
            n = ready.pop(0)
            if n not in left:
                continue
        else:
            n = max(left, key=lambda k: (preference[k], -k))
        del left[n]
        order.append(n)
        for m, cost in after[n].items():
            if m in left:
                before[m].pop(n, None)
                preference[m] += cost
                if not before[m]:
                    ready.append(m)
        for m, cost in before[n].items():
            if m in left:
                preference[m] -= cost
    return [bent[n] for n in order]


def _compute_cost(upper: Line, lower: Line) -> int:
    """Return the cost of one line above another: crossings, and much for overlaps."""
    cost = _count_within(upper.bottoms, lower.low, lower.high) + _count_within(
        lower.tops, upper.low, upper.high
    )
    for x in upper.bottoms:
        at = bisect_left(lower.tops, x - CLOSE)
        if at < len(lower.tops) and lower.tops[at] < x + CLOSE:
            cost += 100
    return cost


def _count_within(places: list[float], low: float, high: float) -> int:
    return bisect_left(places, high) - bisect_right(places, low)
