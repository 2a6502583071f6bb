"""The lines of relationships: their tracks in the gaps between layers, then their points.

Positions of items and ports are known (`placing`). A net joins relationships that share an end (`blocks`). First the
part of each net in a gap becomes a `Line`, and lines that would overlap get different tracks, the rows for horizontal
lines in a gap; the layout makes each gap as high as its tracks need. Then the points of a relationship are read from
the positions and tracks of all containers on its path. Lengths are in pixels.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from lexer_parser.record import Record, fresh
from puppet_kernel.rendering.graphs.areas import Area
from puppet_kernel.rendering.graphs.blocks import PORT, EdgePath, LayoutBlock, Piece
from puppet_kernel.rendering.graphs.placing import get_port_offset

Point = tuple[float, float]
STRAIGHT = 0.5  # ends whose x differ by less are treated as vertically aligned
TRACK = 8.0  # the distance of horizontal lines in a gap
CLOSE = 5.0  # vertical lines that are closer than this must not overlap
MANY_LINES = 90  # up to this many lines in one gap are ordered by their crossings, pair by pair


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
                    line.tops.append(item.x + get_port_offset(item, net, upper=False))
                if (id(other), net) not in lower_ends:
                    lower_ends.add((id(other), net))
                    line.bottoms.append(other.x + get_port_offset(other, net, upper=True))
        lines = list(by_net.values())
        _assign_tracks(lines)
        gaps.append(lines)
    return gaps


def _assign_tracks(lines: list[Line]) -> None:
    """Assign a track to each line of a gap, different ones to lines that would overlap."""
    bent = []
    for line in lines:
        line.tops.sort()
        line.bottoms.sort()
        line.low = min(line.tops[0], line.bottoms[0])
        line.high = max(line.tops[-1], line.bottoms[-1])
        if line.high - line.low > STRAIGHT:
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

    def find_position(line: Line) -> tuple[bool, float]:
        leads_right = sum(line.tops) / len(line.tops) < sum(line.bottoms) / len(line.bottoms)
        return (not leads_right, -line.tops[-1] if leads_right else line.tops[0])

    return sorted(bent, key=find_position)


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


# --- points

# The line of a relationship of a block with itself, from the upper right corner of the block.
LOOP_WIDTH, LOOP_TOP, LOOP_BOTTOM = 12.0, 8.0, 20.0


def make_points(path: EdgePath | None, source: LayoutBlock) -> list[Point]:
    """Return the points of a relationship from its source to its target.

    Args:
        path: The path; None for a relationship of a block with itself.
        source: The block at which it begins.
    """
    if path is None:
        x, right = source.x + source.width, source.x + source.width + LOOP_WIDTH
        top, bottom = source.y + LOOP_TOP, source.y + LOOP_BOTTOM
        return [(x, top), (right, top), (right, bottom), (x, bottom)]
    points = [
        point for step in path.steps for point in _list_piece_points(step.piece, step.source, step.target)
    ]
    corners = points[:1]  # the first and the last point, and those between at which the direction changes
    for n in range(1, len(points) - 1):
        (ax, ay), (bx, by), (cx, cy) = corners[-1], points[n], points[n + 1]
        is_on_line = ax == bx == cx or ay == by == cy
        if not is_on_line and corners[-1] != points[n]:
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
    x = left + start.x + get_port_offset(start, piece.net, upper=False)
    points = [(x, top + start.y + start.height)]
    for layer in range(start.rank + 1, end.rank + 1):
        below = end if layer == end.rank else piece.lanes[layer]
        next_x = left + below.x + get_port_offset(below, piece.net, upper=True)
        # There is no track where the line is straight, apart from rounding.
        track_y = piece.track_ys.get(layer - 1)
        if track_y is not None and abs(next_x - x) > STRAIGHT:
            points += [(x, top + track_y), (next_x, top + track_y)]
            x = next_x
    points.append((x, top + end.y))
    return points
