"""Lines between layers: horizontal segments run in tracks with few crossings and no overlaps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from puppet_kernel.rendering.graphs.areas import Area
from puppet_kernel.rendering.graphs.blocks import Piece
from puppet_kernel.rendering.graphs.placing import port

TRACK = 8.0
CLOSE = 5.0  # vertical lines nearer than this must not pass each other
MANY = 90  # so many lines in one gap are compared with each other


class Line:
    """The part of a net in the gap between two layers: x of its ends above and below."""

    __slots__ = ("bottoms", "high", "low", "piece", "tops", "track")

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.tops: list[float] = []
        self.bottoms: list[float] = []
        self.low = self.high = 0.0
        self.track = 0


def lines(area: Area) -> list[list[Line]]:
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
                    line.tops.append(item.x + port(item, net, False))
                if (id(other), net) not in below:
                    below.add((id(other), net))
                    line.bottoms.append(other.x + port(other, net, True))
        found.append(list(by_net.values()))
        _tracks(found[-1])
    return found


def _tracks(known: list[Line]) -> None:
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
    for line in _sort_lines(bent) if len(bent) <= MANY else _sort_roughly(bent):
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
    """Return the lines from top to bottom with few crossings, greedily where wishes contradict."""
    count = len(bent)
    if count < 2:
        return bent
    after: list[dict[int, int]] = [{} for _ in bent]  # line -> those that should be below it, and how much
    pull = [0] * count  # what speaks for standing above, less what speaks against
    for n in range(count):
        one = bent[n]
        for m in range(n + 1, count):
            other = bent[m]
            if one.low - CLOSE > other.high or other.low - CLOSE > one.high:
                continue
            cost = _cost(one, other) - _cost(other, one)
            if cost:
                upper, lower = (n, m) if cost < 0 else (m, n)
                after[upper][lower] = abs(cost)
                pull[upper] += abs(cost)
                pull[lower] -= abs(cost)
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
            n = max(left, key=lambda k: (pull[k], -k))
        del left[n]
        order.append(n)
        for m, cost in after[n].items():
            if m in left:
                before[m].pop(n, None)
                pull[m] += cost
                if not before[m]:
                    ready.append(m)
        for m, cost in before[n].items():
            if m in left:
                pull[m] -= cost
    return [bent[n] for n in order]


def _cost(upper: Line, lower: Line) -> int:
    """Return the cost of one line above another: crossings, and much for overlaps."""
    cost = _within(upper.bottoms, lower.low, lower.high) + _within(lower.tops, upper.low, upper.high)
    for x in upper.bottoms:
        at = bisect_left(lower.tops, x - CLOSE)
        if at < len(lower.tops) and lower.tops[at] < x + CLOSE:
            cost += 100
    return cost


def _within(places: list[float], low: float, high: float) -> int:
    return bisect_left(places, high) - bisect_right(places, low)
