"""Areas of the same shape: many instances of a define are ordered once and drawn alike."""

from __future__ import annotations

from typing import NamedTuple

from puppet_kernel.rendering.graphs.areas import Area, Item, fill
from puppet_kernel.rendering.graphs.blocks import PORT

_HEAP = (-2, -1)
Heap = tuple[float, float] | None


class Shape(NamedTuple):
    """Everything that the order of an area depends on: blocks and nets by number, not by name."""

    ported: bool
    limit: float
    heap: Heap
    blocks: tuple[tuple[float, int], ...]
    pieces: tuple[tuple[bool, tuple[int, ...], tuple[int, ...]], ...]
    entering: tuple[int, ...]
    leaving: tuple[int, ...]


class Order(NamedTuple):
    """The ranks of an area's blocks, and the contents of its layers by number, -1 for none."""

    ranks: tuple[int, ...]
    layers: tuple[tuple[tuple[int, int], ...], ...]


def shape(area: Area, heap: Heap) -> Shape:
    """Return the shape of an area that has ranks and no order yet."""
    numbers, nets = _numbers(area)
    container = area.container
    return Shape(
        area.ported,
        area.limit,
        heap,
        tuple([(block.width + block.reserve, area.rank[block.place]) for block in area.blocks]),
        tuple(
            [
                (
                    piece.fan,
                    tuple([numbers[n] for n in piece.sources]),
                    tuple([numbers[n] for n in piece.targets]),
                )
                for piece in area.pieces
            ]
        ),
        tuple([nets.get(net, -1) for net in container.entering]) if area.ported else (),
        tuple([nets.get(net, -1) for net in container.leaving]) if area.ported else (),
    )


def order_of(area: Area) -> Order:
    """Return the order of an area."""
    numbers, nets = _numbers(area)
    return Order(
        tuple([area.rank[block.place] for block in area.blocks]),
        tuple([tuple([_key(item, numbers, nets) for item in layer]) for layer in area.layers]),
    )


def follow(area: Area, heap: Heap, order: Order) -> None:
    """Apply the order of another area with the same shape."""
    numbers, nets = _numbers(area)
    area.rank = {block.place: rank for block, rank in zip(area.blocks, order.ranks, strict=True)}
    fill(area, heap)
    for layer, keys in zip(area.layers, order.layers, strict=True):
        known = {_key(item, numbers, nets): item for item in layer}
        layer[:] = [known[key] for key in keys]
        for place, item in enumerate(layer):
            item.place = place


def _numbers(area: Area) -> tuple[dict[int, int], dict[int, int]]:
    """Return the numbers of blocks by index, and the numbers of nets."""
    numbers = {block.place: n for n, block in enumerate(area.blocks)}
    numbers[PORT] = -1
    return numbers, {piece.net: n for n, piece in enumerate(area.pieces)}


def _key(item: Item, numbers: dict[int, int], nets: dict[int, int]) -> tuple[int, int]:
    if item.heap:
        return _HEAP
    return (numbers[item.block.place], -1) if item.block is not None else (-1, nets[item.net])


# --- places


class Drawing(NamedTuple):
    """The positions in an area: items by layer, widths and ports, tracks, and its size."""

    items: list[list[tuple[float, float, float]]]
    blocks: list[tuple[float, list[tuple[int, float]], list[tuple[int, float]]]]
    tracks: list[dict[int, float]]
    width: float
    height: float


def drawing_of(area: Area) -> Drawing:
    """Return the drawing of an area whose blocks contain nothing."""
    _, nets = _numbers(area)
    return Drawing(
        [[(item.x, item.y, item.width) for item in layer] for layer in area.layers],
        [
            (
                block.width,
                [(nets[net], x) for net, x in block.top.items()],
                [(nets[net], x) for net, x in block.bottom.items()],
            )
            for block in area.blocks
        ],
        [dict(piece.tracks) for piece in area.pieces],
        area.width,
        area.height,
    )


def copy(area: Area, drawing: Drawing) -> None:
    """Draw an area like another one with the same shape and block heights."""
    for layer, places in zip(area.layers, drawing.items, strict=True):
        for item, place in zip(layer, places, strict=True):
            item.x, item.y, item.width = place
    nets = [piece.net for piece in area.pieces]
    for block, (width, top, bottom) in zip(area.blocks, drawing.blocks, strict=True):
        block.width = width
        block.top.update([(nets[n], x) for n, x in top])
        block.bottom.update([(nets[n], x) for n, x in bottom])
    for piece, tracks in zip(area.pieces, drawing.tracks, strict=True):
        piece.tracks = dict(tracks)
    for item in (item for layer in area.layers for item in layer if item.block is not None):
        assert item.block is not None
        item.height = item.block.height
    area.width, area.height = drawing.width, drawing.height
