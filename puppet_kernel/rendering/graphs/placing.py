"""The x of the items of an area, and of the ports at the sides of its boxes.

`ordering` has sorted the items of each layer. First ports are spread around the middle of each side (`spread_ports`),
because the places of items depend on them (`place_items`); then they slide along the sides so that lines become
straight (`straighten_lines`). A lane or port of the container is an item with a net; a line from a box begins at the
port of its net at the side of the box. Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from puppet_kernel.rendering.graphs.areas import GAP, LANE, Area, Item
from puppet_kernel.rendering.graphs.blocks import LayoutBlock

CORNER = 9.0  # the distance of ports from the corners of a box
PORT_GAP = 9.0  # between the ports of a wide box
NARROW_PORT_GAP = 5.0  # a box with many ports is widened so that this much is between them
SWEEPS = (True, False, True, False, True)  # True for a sweep from the top down
MANY_ITEMS = 800  # with more items, only the last three sweeps are made
# By the number of lanes and ports among two items: the space between neighbours, and the weight of a link. Long lines
# are straight because lanes attract each other most.
SPACES, WEIGHTS = (GAP, LANE / 2, 0.0), (1.0, 2.0, 8.0)
STAY_WEIGHT = 0.01  # of the wish of an item without links to stay where it is


def place_items(area: Area) -> None:
    """Set the x of every item's centre by several sweeps down and up.

    Each sweep places one layer after the other by the items of the layer before it.
    """
    layers = area.layers
    distances = [_compute_distances(layer) for layer in layers]
    for layer, layer_distances in zip(layers, distances, strict=True):
        start = -sum(layer_distances) / 2
        for item, x in zip(layer, accumulate(layer_distances, initial=start), strict=False):
            item.x = x
    widths = [
        sum(layer_distances) + (layer[0].width + layer[-1].width) / 2 if layer else 0.0
        for layer, layer_distances in zip(layers, distances, strict=True)
    ]
    room = max(area.limit, *widths)
    item_count = sum(map(len, layers))
    above = [[_list_attractions(item, item.up, upper=True) for item in layer] for layer in layers]
    below = [[_list_attractions(item, item.down, upper=False) for item in layer] for layer in layers]
    for downward in SWEEPS if item_count <= MANY_ITEMS else SWEEPS[-3:]:
        attractions = above if downward else below
        for n in range(len(layers)) if downward else range(len(layers) - 1, -1, -1):
            if layers[n]:
                _place_layer(layers[n], distances[n], attractions[n], room)


class Attraction(NamedTuple):
    """The wish of an item for a straight line to another one.

    Attributes:
        other: The other item.
        offset: The x of the centre of this item minus that of the other one if the line is straight.
        weight: The weight of the wish.
    """

    other: Item
    offset: float
    weight: float


def _list_attractions(item: Item, neighbours: Sequence[tuple[Item, int]], *, upper: bool) -> list[Attraction]:
    """Return the attractions of an item to its neighbours in the layer above or below."""
    return [
        Attraction(
            other,
            get_port_offset(other, net, upper=not upper) - get_port_offset(item, net, upper=upper),
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


def get_port_offset(item: Item, net: int, *, upper: bool) -> float:
    """Return the x of a net's port at one side of an item, relative to the item's centre."""
    block = item.block
    if block is None:
        return 0.0
    return (block.top if upper else block.bottom)[net] - item.width / 2


class _Wish(NamedTuple):
    """A reduced position, see `_place_layer`, and the weight of the wish for it."""

    position: float
    weight: float


class _Group(NamedTuple):
    """Neighbours that are as close as possible, and so have the same reduced position.

    Attributes:
        position: The weighted median of their wishes.
        wishes: Their wishes, sorted.
        weight: The sum of the weights of the wishes.
        item_count: The number of items.
    """

    position: float
    wishes: list[_Wish]
    weight: float
    item_count: int


def _place_layer(
    layer: Sequence[Item], distances: Sequence[float], attractions: Sequence[list[Attraction]], room: float
) -> None:
    """Place a layer by its neighbours on one side, with the least sum of deviations.

    An item wishes to be where its attractions draw it; without any, with little weight, where it is. Items that would
    overlap form a group at the weighted median of their wishes. All stay within the width of the widest layer.

    If all items are as close as possible, each has a shift, its distance from the first one. While groups are formed,
    positions are reduced by these shifts, so that items overlap exactly if their reduced positions are not in order.

    Args:
        layer: The items of the layer.
        distances: The minimal distances between the centres of neighbours.
        attractions: The attractions of each item.
        room: The width of the widest layer.
    """
    shifts = [*accumulate(distances, initial=0.0)]
    groups: list[_Group] = []
    for item, shift, item_attractions in zip(layer, shifts, attractions, strict=True):
        group = _make_group(item, shift, item_attractions)
        while groups and groups[-1].position > group.position:
            group = _join_groups(groups.pop(), group)
        groups.append(group)
    least = (layer[0].width - room) / 2
    most = max((room - layer[-1].width) / 2 - shifts[-1], least)
    start = 0
    for group in groups:
        for n in range(start, start + group.item_count):
            layer[n].x = min(max(group.position, least), most) + shifts[n]
        start += group.item_count


def _make_group(item: Item, shift: float, attractions: Sequence[Attraction]) -> _Group:
    """Return the group of one item, which has a single wish, the median of its attractions."""
    wishes = sorted([_Wish(other.x + offset - shift, weight) for other, offset, weight in attractions])
    if not wishes:
        wishes = [_Wish(item.x - shift, STAY_WEIGHT)]
    weight = sum([wish.weight for wish in wishes])
    position = _compute_median(wishes, weight)
    return _Group(position, [_Wish(position, weight)], weight, item_count=1)


def _join_groups(left: _Group, right: _Group) -> _Group:
    """Return the group of the items of two neighbouring groups."""
    wishes, weight = sorted(left.wishes + right.wishes), left.weight + right.weight
    return _Group(_compute_median(wishes, weight), wishes, weight, left.item_count + right.item_count)


def _compute_median(wishes: Sequence[_Wish], weight: float) -> float:
    """Return the weighted median of sorted wishes; `weight` is the sum of their weights."""
    rest = weight / 2 - 1e-9  # less than half, so that rounding does not skip the wish in the middle
    for wish in wishes:
        rest -= wish.weight
        if rest <= 0:
            return wish.position
    return wishes[-1].position


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


def _compute_port_gap(width: float, count: int) -> float:
    """Return the distance between the ports of one side of a box."""
    return min(PORT_GAP, (width - 2 * CORNER) / max(count - 1, 1))


def _spread_side(width: float, ports: dict[int, float], neighbours: Sequence[tuple[Item, int]]) -> None:
    """Place the ports of one side of a box around its middle."""
    nets = sort_nets(neighbours)
    gap = _compute_port_gap(width, len(nets))
    for n, net in enumerate(nets):
        ports[net] = width / 2 + (n - (len(nets) - 1) / 2) * gap


def straighten_lines(area: Area) -> None:
    """Slide ports along the sides of boxes, so that lines become straight."""
    for upper in (True, False):
        for item in chain.from_iterable(area.layers):
            neighbours = item.up if upper else item.down
            if neighbours and item.block is not None and not item.block.children:
                _slide_ports(item, item.block, neighbours, upper=upper)


def _slide_ports(
    item: Item, block: LayoutBlock, neighbours: Sequence[tuple[Item, int]], *, upper: bool
) -> None:
    """Move the ports of one side as close to the other ends as order and corners allow.

    A port wishes to be at the nearest other end of its net, if that is above or below the box.
    """
    ports = block.top if upper else block.bottom
    left, width = item.x - item.width / 2, block.width
    ends_by_net: dict[int, list[float]] = {}
    for other, net in neighbours:
        ends_by_net.setdefault(net, []).append(other.x + get_port_offset(other, net, upper=not upper) - left)
    nets = sorted(ports, key=ports.__getitem__)
    wishes = []
    for net in nets:
        nearest = min(sorted(ends_by_net[net]), key=lambda end: abs(end - ports[net]))
        wishes.append(nearest if CORNER <= nearest <= width - CORNER else ports[net])
    gap = _compute_port_gap(width, len(nets))
    least = CORNER  # leaves room for the ports on the left
    for n, net in enumerate(nets):
        most = width - CORNER - (len(nets) - 1 - n) * gap  # leaves room for the ports on the right
        # The position at which all ports on the right can have their wishes.
        fair = min((wish - (k + 1) * gap for k, wish in enumerate(wishes[n + 1 :])), default=most)
        position = wishes[n] if wishes[n] <= fair else max((wishes[n] + fair) / 2, least)
        ports[net] = min(max(position, least), most)
        least = ports[net] + gap
