"""The order of the items in each layer, chosen so that few lines cross.

Sweeps down and up sort each layer by the average position of the neighbours in the adjacent layer (the barycentre
heuristic); then neighbours are swapped where that removes crossings. `areas` describes what an area consists of.

The second half of this file saves the same work for areas of the same shape: the order of one is applied to the others,
and so are the positions that `layout` computes afterwards, its drawing.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from puppet_kernel.rendering.elements import group_by
from puppet_kernel.rendering.graphs.areas import Area, Item, make_items
from puppet_kernel.rendering.graphs.blocks import PORT

MAX_STALE_SWEEPS = 2  # sweeps without improvement after which ordering ends
MAX_SWAP_ROUNDS = 4
# The most links of a small and of a medium area, and the most sweeps for a small, a medium and a large one. Neighbours
# of a large one are not swapped.
SMALL, MEDIUM = 400, 2500
SMALL_SWEEPS, MEDIUM_SWEEPS, LARGE_SWEEPS = 24, 8, 4


def order_layers(area: Area, positions: dict[int, float] | None = None) -> int:
    """Order the layers of an area, and return the number of crossings that remain.

    Args:
        area: The area.
        positions: The desired position of each block in its row, from 0 to 1, if layers were wrapped.
    """
    layers = area.layers
    # The layers of ports at the border, whose order is that of the container; -1 for none.
    ends = {0 if area.container.entering else -1, len(layers) - 1 if area.container.leaving else -1}
    fixed = ends if area.is_ported else set()
    links = sum(len(item.below) for layer in layers for item in layer)
    if positions is None:
        _order_depth_first(layers, fixed)
    else:
        _order_by_positions(layers, fixed, positions)
    _number_items(layers)
    if not links:
        return 0
    counts = [_count_crossings(layer) for layer in layers]
    best, best_layers = sum(counts), [list(layer) for layer in layers]
    sweeps = SMALL_SWEEPS if links <= SMALL else MEDIUM_SWEEPS if links <= MEDIUM else LARGE_SWEEPS
    stale = unmoved = 0  # the number of last sweeps without improvement, and without any move
    for sweep in range(sweeps):
        # Sweeps go down and up in turn: if both have moved nothing, no further one does.
        if not best or stale >= MAX_STALE_SWEEPS or unmoved == 2:
            break
        down = sweep % 2 == 0
        order = range(1, len(layers)) if down else range(len(layers) - 2, -1, -1)
        moved = [n for n in order if n not in fixed and _sort_by_neighbours(layers[n], down)]
        stale += 1
        unmoved = 0 if moved else unmoved + 1
        # A moved layer changes the crossings below it, and those below the layer above it.
        for n in {*moved, *(n - 1 for n in moved if n)}:
            counts[n] = _count_crossings(layers[n])
        crossings = sum(counts)
        if crossings < best:
            best, best_layers, stale = crossings, [list(layer) for layer in layers], 0
    layers[:] = best_layers
    _number_items(layers)
    if best and links <= MEDIUM:
        counts = [_count_crossings(layer) for layer in layers]
        _swap_neighbours(layers, fixed, counts)
        best = sum(counts)
    return best


def _number_items(layers: Sequence[Sequence[Item]]) -> None:
    """Set the place of each item, its index in its layer."""
    for layer in layers:
        for place, item in enumerate(layer):
            item.place = place


def find_positions_in_layers(area: Area) -> dict[int, float]:
    """Return the position of each block in its layer, from 0 to 1, by the block's index."""
    return {index: (item.place + 0.5) / len(area.layers[item.rank]) for index, item in area.items.items()}


def find_positions_in_rows(area: Area) -> dict[int, float]:
    """Return the position of each block in its row, for an area with wrapped layers.

    With these positions long lines run straight down between the blocks.
    """
    blocks = (item.block.index for layer in area.layers for item in layer if item.block is not None)
    rows = group_by(blocks, area.rank.__getitem__)
    return {index: (n + 0.5) / len(row) for row in rows.values() for n, index in enumerate(row)}


def _order_by_positions(layers: list[list[Item]], fixed: set[int], positions: dict[int, float]) -> None:
    """Order the layers by desired positions; a lane has the average of the items below it."""
    keys: dict[int, float] = {}
    for layer in reversed(layers):
        for item in layer:
            if item.block is not None:
                keys[id(item)] = positions[item.block.index]
            else:
                neighbours = [keys[id(other)] for other in item.below]
                keys[id(item)] = sum(neighbours) / len(neighbours) if neighbours else 0.5
    for n, layer in enumerate(layers):
        if n not in fixed:
            layer.sort(key=lambda item: keys[id(item)])


def _order_depth_first(layers: list[list[Item]], fixed: set[int]) -> None:
    """Order the layers by a depth-first search, so that connected items are adjacent."""
    seen: set[int] = set()
    ordered: list[list[Item]] = [[] for _ in layers]
    stack = [item for layer in reversed(layers) for item in reversed(layer)]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        ordered[item.rank].append(item)
        stack += reversed(item.below)
    for n in range(len(layers)):
        if n not in fixed:
            layers[n] = ordered[n]


def _sort_by_neighbours(layer: list[Item], down: bool) -> bool:
    """Sort a layer by the averages of each item's neighbours; return True if an item moved.

    Items without neighbours in the previous layer keep their positions.

    Args:
        layer: The layer.
        down: True in a sweep down, in which the previous layer is the one above.
    """
    if len(layer) == 1:
        return False
    averages: dict[int, float] = {}  # of the places of an item's neighbours, by its own place
    for item in layer:
        neighbours = item.above if down else item.below
        if len(neighbours) == 1:
            averages[item.place] = neighbours[0].place
        elif neighbours:
            averages[item.place] = sum([other.place for other in neighbours]) / len(neighbours)
    moving = sorted(averages, key=averages.__getitem__)
    if moving == list(averages):
        return False
    # The places of the items that have an average are filled in the new order.
    new = dict(zip(averages, [layer[place] for place in moving], strict=True))
    layer[:] = [new.get(item.place, item) for item in layer]
    _number_items([layer])
    return True


def _count_crossings(layer: Sequence[Item]) -> int:
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


def _swap_neighbours(layers: list[list[Item]], fixed: set[int], counts: list[int]) -> None:
    """Swap neighbours while that removes crossings, and update the counts below each layer."""
    for _ in range(MAX_SWAP_ROUNDS):
        better = False
        for n, layer in enumerate(layers):
            has_crossings = counts[n] or (n and counts[n - 1])  # below the layer or above it
            if n in fixed or not has_crossings or not _swap_in_layer(layer):
                continue
            better = True
            _number_items([layer])
            for changed in (n - 1, n) if n else (n,):
                counts[changed] = _count_crossings(layers[changed])
        if not better:
            return


def _swap_in_layer(layer: list[Item]) -> bool:
    """Swap each two neighbours if that removes crossings; return True if any were swapped."""
    moved = False
    ups = [sorted([other.place for other in item.above]) for item in layer]
    downs = [sorted([other.place for other in item.below]) for item in layer]
    for k in range(len(layer) - 1):
        crossings = _count_pair_crossings(ups[k], ups[k + 1])
        crossings += _count_pair_crossings(downs[k], downs[k + 1])
        if not crossings:
            continue
        swapped_crossings = _count_pair_crossings(ups[k + 1], ups[k])
        swapped_crossings += _count_pair_crossings(downs[k + 1], downs[k])
        if swapped_crossings < crossings:
            moved = True
            layer[k : k + 2] = layer[k + 1], layer[k]
            ups[k : k + 2] = ups[k + 1], ups[k]
            downs[k : k + 2] = downs[k + 1], downs[k]
    return moved


def _count_pair_crossings(left: list[int], right: list[int]) -> int:
    """Return the crossings of the links of two neighbours, by the places of their other ends."""
    if not left or not right or left[-1] <= right[0]:
        return 0
    return sum(len(left) - bisect_right(left, place) for place in right)


# --- areas of the same shape

Size = tuple[float, float] | None  # width and height
ItemKey = tuple[int, int]  # the number of an item's block, and that of its net; -1 for none
_PACKED = (-2, -1)  # the key of the group of packed blocks


class Order(NamedTuple):
    """The ranks of an area's blocks, and the items of its layers in order."""

    ranks: tuple[int, ...]
    layers: tuple[tuple[ItemKey, ...], ...]


def compute_shape(area: Area, packed_size: Size) -> Hashable:
    """Return the shape of an area that has ranks and no order yet.

    It contains everything that the order depends on, with blocks and nets by number, not by name: areas of equal shape
    have the same order.
    """
    numbers, nets = _number_parts(area)
    container = area.container
    blocks = [(block.width + block.reserve, area.rank[block.index]) for block in area.blocks]
    pieces = [
        (
            piece.is_fan,
            tuple([numbers[index] for index in piece.sources]),
            tuple([numbers[index] for index in piece.targets]),
        )
        for piece in area.pieces
    ]
    # the nets at the upper and at the lower border, in their order
    borders = (container.entering, container.leaving) if area.is_ported else ()
    ports = [tuple([nets.get(net, -1) for net in border]) for border in borders]
    return area.is_ported, area.limit, packed_size, tuple(blocks), tuple(pieces), tuple(ports)


def read_order(area: Area) -> Order:
    """Return the order of an area."""
    numbers, nets = _number_parts(area)
    return Order(
        tuple([area.rank[block.index] for block in area.blocks]),
        tuple([tuple([_make_key(item, numbers, nets) for item in layer]) for layer in area.layers]),
    )


def apply_order(area: Area, packed_size: Size, order: Order) -> None:
    """Apply the order of another area with the same shape."""
    numbers, nets = _number_parts(area)
    area.rank = {block.index: rank for block, rank in zip(area.blocks, order.ranks, strict=True)}
    make_items(area, packed_size)
    for layer, keys in zip(area.layers, order.layers, strict=True):
        items = {_make_key(item, numbers, nets): item for item in layer}
        layer[:] = [items[key] for key in keys]
    _number_items(area.layers)


def _number_parts(area: Area) -> tuple[dict[int, int], dict[int, int]]:
    """Return the numbers of the blocks of an area by index, and those of its nets.

    Areas of the same shape have the same numbers.
    """
    numbers = {block.index: n for n, block in enumerate(area.blocks)}
    numbers[PORT] = PORT
    return numbers, {piece.net: n for n, piece in enumerate(area.pieces)}  # each net has one piece in an area


def _make_key(item: Item, numbers: dict[int, int], nets: dict[int, int]) -> ItemKey:
    """Return the key of an item; the numbers are those of `_number_parts`."""
    if item.is_packed:
        return _PACKED
    return (numbers[item.block.index], -1) if item.block is not None else (-1, nets[item.net])


# --- drawings of areas of the same shape


class BlockDrawing(NamedTuple):
    """The width of a block, and the x of the ports at its sides by the number of the net."""

    width: float
    top: dict[int, float]
    bottom: dict[int, float]


class Drawing(NamedTuple):
    """The positions in an area, where blocks and nets have numbers, not names.

    Attributes:
        items: For each layer x, y and width of its items.
        blocks: The drawing of each block.
        track_ys: For each net the y of its horizontal line in each gap between layers.
        width: The width of the area.
        height: The height of the area.
    """

    items: list[list[tuple[float, float, float]]]
    blocks: list[BlockDrawing]
    track_ys: list[dict[int, float]]
    width: float
    height: float


def read_drawing(area: Area) -> Drawing:
    """Return the drawing of an area whose blocks contain nothing."""
    _, nets = _number_parts(area)
    return Drawing(
        [[(item.x, item.y, item.width) for item in layer] for layer in area.layers],
        [
            BlockDrawing(
                block.width,
                {nets[net]: x for net, x in block.top.items()},
                {nets[net]: x for net, x in block.bottom.items()},
            )
            for block in area.blocks
        ],
        [dict(piece.track_ys) for piece in area.pieces],
        area.width,
        area.height,
    )


def apply_drawing(area: Area, drawing: Drawing) -> None:
    """Draw an area like another one with the same shape and block heights."""
    for layer, boxes in zip(area.layers, drawing.items, strict=True):
        for item, box in zip(layer, boxes, strict=True):
            item.x, item.y, item.width = box
    nets = [piece.net for piece in area.pieces]
    for block, block_drawing in zip(area.blocks, drawing.blocks, strict=True):
        block.width = block_drawing.width
        block.top.update({nets[n]: x for n, x in block_drawing.top.items()})
        block.bottom.update({nets[n]: x for n, x in block_drawing.bottom.items()})
        area.items[block.index].height = block.height
    for piece, track_ys in zip(area.pieces, drawing.track_ys, strict=True):
        piece.track_ys = dict(track_ys)
    area.width, area.height = drawing.width, drawing.height
