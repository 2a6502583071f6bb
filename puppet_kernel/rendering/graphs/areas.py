"""Areas: the parts of a container that are drawn in layers; their ranks, folds and lanes.

The relationships in a container are drawn as pieces of nets, see `blocks`. Children that pieces connect form one area,
and so do those that are connected to the border of the container. Blocks and areas without relationships among each
other are packed in rows. A layer that is wider than its limit is wrapped into several. A relationship that passes a
layer has a lane there, an item without a block (a dummy vertex).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import sqrt

from lexer_parser.record import Record, fresh
from puppet_kernel.rendering.elements import group_by
from puppet_kernel.rendering.graphs.blocks import PORT, LayoutBlock, Piece

# Lengths are in pixels.
GAP = 18.0  # between boxes side by side
LANE = 10.0  # the width of a vertical line with the space around it
PAD = 14.0  # between the border of a container and its contents
TITLE = 24.0  # the strip with a container's label
PAGE = 1100.0  # the width of the drawing
LAYER_GAP = 26.0  # between a layer and the next one
ASPECT_RATIO = 1.7  # of width to height, desired for the contents of a container
LAYER_ALLOWANCE = 120.0  # added to the desired width of an area, because few layers are full


class Item(Record):
    """An element of a layer: a block, a group of packed blocks, a lane of a net, or its port.

    Attributes:
        block: The block; None for any other element.
        net: The net of a lane or port; -1 for any other element.
        rank: The number of the layer, from the top.
        is_packed: True for the group of packed blocks.
        width, height: The size.
        place: The index in the layer, set by the ordering.
        x, y: The middle of the item and its upper side, set by the layout.
        up, down: The linked items in the layers above and below, each with the net.
        above, below: The same items without the nets.
    """

    block: LayoutBlock | None
    net: int
    rank: int
    width: float = LANE
    height: float = 0
    is_packed: bool = False
    place: int = 0
    x: float = 0.0
    y: float = 0.0
    up: list[tuple[Item, int]] = fresh(factory=list)
    down: list[tuple[Item, int]] = fresh(factory=list)
    above: list[Item] = fresh(factory=list)
    below: list[Item] = fresh(factory=list)


class Area:
    """Children of one container that pieces connect.

    Attributes:
        is_ported: True if pieces lead to the border of the container.
        rank: The layer of each block, by its index in the container.
        items: The item of each block, by its index, in the order of the blocks.
        layers: The items from top to bottom.
        limit: The width that the area should not exceed.
        shape: Equal for areas that are drawn in the same order, see `ordering.compute_shape`.
        x, y, width, height: The position in the container, once placed.
    """

    __slots__ = (
        *("blocks", "container", "height", "is_ported", "items", "layers", "limit", "pieces", "rank"),
        *("shape", "width", "x", "y"),
    )

    def __init__(
        self, container: LayoutBlock, blocks: list[LayoutBlock], pieces: list[Piece], is_ported: bool
    ) -> None:
        self.container = container
        self.blocks = blocks
        self.pieces = pieces
        self.is_ported = is_ported
        self.rank: dict[int, int] = {}
        self.items: dict[int, Item] = {}
        self.layers: list[list[Item]] = []
        self.limit = PAGE
        self.shape: Hashable = None
        self.x = self.y = self.width = self.height = 0.0
        for piece in pieces:
            piece.area = self


def split_into_areas(container: LayoutBlock) -> list[Area]:
    """Return the areas of a container; unconnected children are areas of one block.

    Connected children are found by union-find over their indices, and the border counts as one more child.
    """
    count = len(container.children)
    root = list(range(count + 1))  # the last one represents the border

    def find(n: int) -> int:
        while root[n] != n:
            root[n] = root[root[n]]
            n = root[n]
        return n

    for piece in container.pieces.values():
        ends = [*piece.sources, *piece.targets]
        first = find(ends[0])
        for end in ends[1:]:
            root[find(end)] = first
            first = find(first)
    border = find(count) if container.pieces else count
    grouped = group_by(container.children, lambda child: find(child.index))
    pieces = group_by(container.pieces.values(), lambda piece: find(next(iter(piece.sources))))
    return [
        Area(container, blocks, pieces.get(group, []), group == border and bool(pieces.get(group)))
        for group, blocks in grouped.items()
    ]


def compute_ranks(area: Area) -> None:
    """Assign each block a layer: below all its predecessors, and close to its successors."""
    before: dict[int, list[int]] = {block.index: [] for block in area.blocks}
    after: dict[int, list[int]] = {block.index: [] for block in area.blocks}
    leaving = dict.fromkeys(before, 0)  # the number of relationships to the border
    waiting = dict.fromkeys(before, 0)  # the number of predecessors without a rank
    for piece in area.pieces:
        for source in piece.sources:
            for target in piece.targets:
                if source == PORT:
                    before[target].append(PORT)
                elif target == PORT:
                    leaving[source] += 1
                else:
                    after[source].append(target)
                    before[target].append(source)
                    waiting[target] += 1
    # Layer 0 is for the ports of the lines that enter, if there are any.
    first = 1 if area.container.entering and area.is_ported else 0
    ranks = dict.fromkeys(before, first)
    order = [index for index in before if not waiting[index]]
    for index in order:  # a block is appended to this list when its last predecessor has a rank
        for target in after[index]:
            ranks[target] = max(ranks[target], ranks[index] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    last = max(ranks.values())
    # A block with more successors than predecessors is moved down to its successors, so that fewer lines are long.
    for index in reversed(order):
        if len(after[index]) + leaving[index] > len(before[index]):
            ranks[index] = min((ranks[target] for target in after[index]), default=last + 1) - 1
    # The moves may have emptied layers; the others get new numbers.
    numbers = {rank: first + n for n, rank in enumerate(sorted(set(ranks.values())))}
    area.rank = {index: numbers[rank] for index, rank in ranks.items()}


def compute_max_width(
    container: LayoutBlock, sizes: Iterable[tuple[float, float]], gap: float, allowance: float
) -> float:
    """Return the width that parts of a container should not exceed together.

    It is that of the page in the root, and yields about the ASPECT_RATIO in other containers; but no part is wider.

    Args:
        container: The container.
        sizes: The width and height of each part.
        gap: The space between parts one below the other.
        allowance: Added to the width that yields the ratio.
    """
    sizes = list(sizes)
    widest = max(width for width, _ in sizes)
    page = PAGE - 2 * PAD * (container.depth + 1)
    if not container.depth:
        return max(page, widest)
    surface = sum((width + GAP) * (height + gap) for width, height in sizes)
    return max(min(page, ASPECT_RATIO * sqrt(surface) + allowance), widest)


def limit_width(area: Area) -> None:
    """Set the width that an area should not exceed."""
    sizes = ((block.width, block.height) for block in area.blocks)
    area.limit = compute_max_width(area.container, sizes, LAYER_GAP, LAYER_ALLOWANCE)


def estimate_size(area: Area) -> tuple[float, float]:
    """Return an estimate of the width and height of an area within its limit."""
    layers = group_by(area.blocks, lambda block: area.rank[block.index])
    width = height = 0.0
    for blocks in layers.values():
        total = sum(b.width + GAP for b in blocks)
        rows = -(-total // area.limit)
        width = max(width, total if rows < 2 else area.limit)
        height += rows * (max(b.height for b in blocks) + LAYER_GAP)
    return width, height


def wrap_layers(area: Area) -> bool:
    """Split layers that are wider than the limit; return True if there were any."""
    widths = [
        sum(item.width + (GAP if item.block is not None else 0) for item in layer) for layer in area.layers
    ]
    if max(widths, default=0.0) <= area.limit:
        return False
    shift = 0
    for layer in area.layers:
        boxes = [item for item in layer if item.block is not None and not item.is_packed]
        lanes = (len(layer) - len(boxes)) * LANE
        room = max(area.limit - lanes, area.limit / 2)  # even many lanes leave half of the width to boxes
        used, row = 0.0, 0
        for item in boxes:
            if used and used + item.width > room:
                used, row = 0.0, row + 1
            used += item.width + GAP
            assert item.block is not None
            area.rank[item.block.index] += shift + row
        shift += row
    return True


def make_items(area: Area, packed_size: tuple[float, float] | None) -> None:
    """Make and connect the items of the layers: blocks, lanes, ports, and the packed blocks.

    Args:
        area: The area, whose blocks have ranks.
        packed_size: The width and height of the group of packed blocks; None without one.
    """
    entering = area.is_ported and bool(area.container.entering)
    leaving = area.is_ported and bool(area.container.leaving)
    last = max(area.rank.values()) + 1
    layers: list[list[Item]] = [[] for _ in range(last)]
    area.items = {}
    for block in area.blocks:
        rank = area.rank[block.index]
        item = area.items[block.index] = Item(block, -1, rank, block.width + block.reserve, block.height)
        layers[rank].append(item)
    if packed_size is not None:
        layers.append([Item(None, -1, last, *packed_size, is_packed=True)])
        last += 1
    if leaving:
        layers.append([])
    for piece in area.pieces:
        _add_piece_items(area, piece, layers, last)
    area.layers = layers
    borders = [(0, area.container.entering)] if entering else []
    borders += [(last, area.container.leaving)] if leaving else []
    for rank, nets in borders:
        ports = {item.net: item for item in layers[rank]}
        layers[rank] = [ports[net] for net in nets if net in ports]


def _add_piece_items(area: Area, piece: Piece, layers: list[list[Item]], last: int) -> None:
    """Add the ports and lanes of a piece, each connected to the adjacent layers.

    Args:
        area: The area that draws the piece.
        piece: The piece.
        layers: The items by rank, to which those of the piece are added.
        last: The rank of the lower border; that of the upper border is 0.
    """
    net, piece.lanes = piece.net, {}

    def get_end(index: int, border: int) -> Item:
        """Return the item of a block, or the port at a border, which is made if there is none."""
        if index != PORT:
            return area.items[index]
        port = piece.lanes.get(border)
        if port is None:
            port = piece.lanes[border] = Item(None, net, border)
            layers[border].append(port)
        return port

    # From the hub down to its targets, or up to its sources, one lane in each layer that is passed.
    if piece.is_fan:
        hubs, others, near_border, far_border, step = piece.sources, piece.targets, 0, last, 1
    else:
        hubs, others, near_border, far_border, step = piece.targets, piece.sources, last, 0, -1
    trunk = get_end(next(iter(hubs)), near_border)
    by_rank = group_by((get_end(index, far_border) for index in others), lambda item: item.rank)
    farthest = max(by_rank, key=lambda rank: rank * step)
    for rank in range(trunk.rank + step, farthest + step, step):
        branches = by_rank.get(rank, [])
        if rank != farthest:
            lane = piece.lanes[rank] = Item(None, net, rank)
            layers[rank].append(lane)
            branches = [*branches, lane]
        for item in branches:
            above, below = (trunk, item) if piece.is_fan else (item, trunk)
            _link(above, below, net)
        trunk = branches[-1]  # the lane, in the last layer an end


def _link(above: Item, below: Item, net: int) -> None:
    """Connect two items of adjacent layers."""
    above.down.append((below, net))
    above.below.append(below)
    below.up.append((above, net))
    below.above.append(above)
