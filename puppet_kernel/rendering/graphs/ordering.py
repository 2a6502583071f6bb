"""Few crossings: the order of items in each layer, by weighted averages and exchanges."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence

from puppet_kernel.rendering.graphs.areas import Area, Item

PATIENCE = 2  # so many sweeps without gain are made
SMALL, MEDIUM = 400, 2500  # links


def order(area: Area, wishes: dict[int, float] | None = None) -> int:
    """Order the layers of an area, and return the number of crossings that remain.

    Args:
        area: The area.
        wishes: The wanted position of each block in its row, from 0 to 1, if the area was folded.
    """
    layers = area.layers
    fixed = {0 if area.container.entering else -1, len(layers) - 1 if area.container.leaving else -1}
    fixed = fixed if area.ported else set()
    links = sum(len(item.below) for layer in layers for item in layer)
    _number(layers)
    if wishes is None:
        _walk(layers, fixed)
    else:
        _wish(layers, fixed, wishes)
    if not links:
        return 0
    counts = [_crossings(layer) for layer in layers]
    best, kept = sum(counts), [list(layer) for layer in layers]
    sweeps = 24 if links <= SMALL else 8 if links <= MEDIUM else 4
    stale = still = 0
    for sweep in range(sweeps):
        if not best or stale >= PATIENCE or still == 2:
            break
        down = sweep % 2 == 0
        moved = [
            at
            for at in (range(1, len(layers)) if down else range(len(layers) - 2, -1, -1))
            if at not in fixed and _sort(layers[at], down)
        ]
        stale += 1
        still = 0 if moved else still + 1
        for at in {*moved, *(at - 1 for at in moved if at)}:
            counts[at] = _crossings(layers[at])
        found = sum(counts)
        if found < best:
            best, kept, stale = found, [list(layer) for layer in layers], 0
    layers[:] = kept
    _number(layers)
    if best and links <= MEDIUM:
        counts = [_crossings(layer) for layer in layers]
        _exchange(layers, fixed, counts)
        best = sum(counts)
    return best


def _number(layers: Sequence[Sequence[Item]]) -> None:
    for layer in layers:
        for place, item in enumerate(layer):
            item.place = place


def wishes_in_layers(area: Area) -> dict[int, float]:
    """Return the position of each block in its layer, from 0 to 1."""
    return {
        item.block.place: (item.place + 0.5) / len(layer)
        for layer in area.layers
        for item in layer
        if item.block is not None
    }


def wishes_in_rows(area: Area) -> dict[int, float]:
    """Return the position of each block of a folded area in its row.

    With these positions long lines run straight down between the blocks.
    """
    rows: dict[int, list[int]] = {}
    for layer in area.layers:
        for item in layer:
            if item.block is not None:
                rows.setdefault(area.rank[item.block.place], []).append(item.block.place)
    return {place: (n + 0.5) / len(row) for row in rows.values() for n, place in enumerate(row)}


def _wish(layers: list[list[Item]], fixed: set[int], wishes: dict[int, float]) -> None:
    """Order the layers by wishes; lanes follow what they lead to."""
    keys: dict[int, float] = {}
    for layer in reversed(layers):
        for item in layer:
            if item.block is not None:
                keys[id(item)] = wishes[item.block.place]
            else:
                near = [keys[id(other)] for other in item.below]
                keys[id(item)] = sum(near) / len(near) if near else 0.5
    for n, layer in enumerate(layers):
        if n not in fixed:
            layer.sort(key=lambda item: keys[id(item)])
    _number(layers)


def _walk(layers: list[list[Item]], fixed: set[int]) -> None:
    """Order the layers by a depth-first search from the top, so that connected items are adjacent."""
    seen: set[int] = set()
    found: list[list[Item]] = [[] for _ in layers]
    stack = [item for layer in reversed(layers) for item in reversed(layer)]
    where = {id(item): n for n, layer in enumerate(layers) for item in layer}
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        found[where[id(item)]].append(item)
        stack += reversed(item.below)
    for n in range(len(layers)):
        if n not in fixed:
            layers[n] = found[n]
    _number(layers)


def _sort(layer: list[Item], down: bool) -> bool:
    """Sort a layer by the averages of each item's neighbours; return True if an item moved.

    Items without neighbours in the previous layer keep their positions.
    """
    if len(layer) == 1:
        return False
    keyed = []
    for item in layer:
        near = item.above if down else item.below
        if near:
            middle = near[0].place if len(near) == 1 else sum([other.place for other in near]) / len(near)
            keyed.append((middle, item.place, item))
    before = [entry[1] for entry in keyed]
    keyed.sort()
    if before == [entry[1] for entry in keyed]:
        return False
    if len(keyed) == len(layer):
        layer[:] = [item for _, _, item in keyed]
    else:
        moving = iter(keyed)
        layer[:] = [next(moving)[2] if (item.above if down else item.below) else item for item in layer]
    for place, item in enumerate(layer):
        item.place = place
    return True


def _crossings(layer: Sequence[Item]) -> int:
    """Return the number of pairs of links that cross between a layer and the one below it."""
    total = 0
    seen: list[int] = []
    for item in layer:
        below = item.below
        if len(below) == 1:
            place = below[0].place
            if seen and place < seen[-1]:
                total += len(seen) - bisect_right(seen, place)
                insort(seen, place)
            else:
                seen.append(place)
        elif below:
            places = [other.place for other in below]
            if seen and min(places) < seen[-1]:
                count = len(seen)
                total += sum([count - bisect_right(seen, place) for place in places])
                for place in places:
                    insort(seen, place)
            else:
                places.sort()
                seen += places
    return total


def _exchange(layers: list[list[Item]], fixed: set[int], counts: list[int]) -> None:
    """Exchange neighbours while that removes crossings, and update the counts below each layer."""
    for _ in range(4):
        better = False
        for n, layer in enumerate(layers):
            if n in fixed or not (counts[n] or (n and counts[n - 1])):
                continue
            moved = False
            ups = [sorted([other.place for other in item.above]) for item in layer]
            downs = [sorted([other.place for other in item.below]) for item in layer]
            for at in range(len(layer) - 1):
                now = _between(ups[at], ups[at + 1]) + _between(downs[at], downs[at + 1])
                if not now:
                    continue
                then = _between(ups[at + 1], ups[at]) + _between(downs[at + 1], downs[at])
                if then < now:
                    moved = True
                    layer[at : at + 2] = layer[at + 1], layer[at]
                    ups[at : at + 2] = ups[at + 1], ups[at]
                    downs[at : at + 2] = downs[at + 1], downs[at]
            if moved:
                better = True
                for place, item in enumerate(layer):
                    item.place = place
                for at in (n - 1, n) if n else (n,):
                    counts[at] = _crossings(layers[at])
        if not better:
            return


def _between(left: list[int], right: list[int]) -> int:
    """Return the crossings of two neighbours with these link ends."""
    if not left or not right or left[-1] <= right[0]:
        return 0
    return sum(len(left) - bisect_right(left, place) for place in right)
