"""The parts of a drawing: blocks within blocks, and the nets that connect them.

A net contains the relationships that share their source or their target, so that a fan is one trunk with branches. A
relationship that leaves a container is cut at the border: each container on its path has a piece of it, from or to a
port. So no line enters a container with which it has nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from puppet_kernel.rendering.graphs.areas import Area, Item

PORT = -1  # represents the container's own border among the ends of a piece


class LayoutBlock(Record):
    """A box: a resource, a container or, as the root, the whole drawing.

    Attributes:
        name: The name of the node.
        width, height: The size.
        header: The width of a container's label.
        x, y: The position in its container.
        reserve: Space at the right for a relationship of a block with itself.
        children: The blocks in it.
        parent, depth: The container, and the number of containers around the box.
        index: Its index among the children of its parent.
        is_framed: False for the root, which has no frame.
        top, bottom: The x of the port of each net at the upper and the lower side, for the drawing of the container
            around it. It is 0.0 until the layout sets it.
        entering, leaving: The same for the drawing of what is in it: the nets that enter at the top and leave at the
            bottom.
        pieces: The piece of each net within this container.
        areas: The groups of the children, see `areas`.
    """

    name: str
    width: float = 0.0
    height: float = 0.0
    header: float = 0.0
    x: float = 0.0
    y: float = 0.0
    reserve: float = 0.0
    children: list[LayoutBlock] = fresh(factory=list)
    parent: LayoutBlock | None = None
    depth: int = 0
    index: int = 0
    is_framed: bool = True
    top: dict[int, float] = fresh(factory=dict)
    bottom: dict[int, float] = fresh(factory=dict)
    entering: dict[int, float] = fresh(factory=dict)
    leaving: dict[int, float] = fresh(factory=dict)
    pieces: dict[int, Piece] = fresh(factory=dict)
    areas: list[Area] = fresh(factory=list)

    def add(self, child: LayoutBlock) -> None:
        """Add a child."""
        child.parent, child.index = self, len(self.children)
        self.children.append(child)


class Piece(Record):
    """The part of a net within one container, from each source to each target.

    Attributes:
        net: The number of the net.
        is_fan: True if there is one source, False if there is one target.
        sources, targets: Indexes of children, or PORT, in order of insertion.
        area: The area that draws it, set by the layout.
        lanes: The item of each rank, set by the layout.
        track_ys: The y of the horizontal line in each gap, set by the layout.
    """

    net: int
    is_fan: bool
    sources: dict[int, None] = fresh(factory=dict)
    targets: dict[int, None] = fresh(factory=dict)
    area: Area | None = None
    lanes: dict[int, Item] = fresh(factory=dict)
    track_ys: dict[int, float] = fresh(factory=dict)


class EdgeStep(NamedTuple):
    """The part of a relationship within one container.

    Attributes:
        piece: The piece of its net there.
        source, target: The upper and the lower end: indexes of children, or PORT.
    """

    piece: Piece
    source: int
    target: int


class EdgePath(Record):
    """The path of a relationship.

    Attributes:
        steps: Its parts from top to bottom.
        is_backwards: True if the relationship goes up.
        gathers: True if it shares its trunk with others that have the same target.
    """

    steps: list[EdgeStep]
    is_backwards: bool
    gathers: bool


def set_depths(root: LayoutBlock) -> list[LayoutBlock]:
    """Set the depth of all blocks, and return them, each after its container."""
    blocks, stack = [], [root]
    while stack:
        block = stack.pop()
        blocks.append(block)
        for child in block.children:
            child.depth = block.depth + 1
        stack += reversed(block.children)
    return blocks


def make_nets(blocks: dict[str, LayoutBlock], edges: Sequence[tuple[str, str, str]]) -> list[EdgePath | None]:
    """Make the nets of (source, target, kind) edges, and return the path of each edge.

    The path of an edge from a block to itself is None. The blocks on the way get the pieces and ports of the nets.
    """
    ancestries = {name: _list_ancestry(block) for name, block in blocks.items()}
    upward = _find_upward_edges(ancestries, edges)
    # The edges as they lead down in the drawing; True for those that go up, whose ends are exchanged.
    down = [
        (target, source, kind, True) if number in upward else (source, target, kind, False)
        for number, (source, target, kind) in enumerate(edges)
    ]
    fan_outs = Counter((source, kind, is_backwards) for source, _, kind, is_backwards in down)
    fan_ins = Counter((target, kind, is_backwards) for _, target, kind, is_backwards in down)
    # The number of each net, by whether it is a fan, its only source or target, its kind and direction.
    nets: dict[tuple[bool, str, str, bool], int] = {}
    paths: list[EdgePath | None] = []
    for source, target, kind, is_backwards in down:
        if source == target:
            paths.append(None)
            continue
        is_fan = fan_outs[source, kind, is_backwards] >= fan_ins[target, kind, is_backwards]
        net = nets.setdefault((is_fan, source if is_fan else target, kind, is_backwards), len(nets))
        steps = _make_steps(ancestries[source], ancestries[target], net, is_fan)
        # a fan has one source, which is the target of the relationship if that goes backwards
        paths.append(EdgePath(steps, is_backwards, gathers=is_fan == is_backwards))
    return paths


def _list_ancestry(block: LayoutBlock) -> list[LayoutBlock]:
    """Return the blocks from the root down to this one."""
    path: list[LayoutBlock] = []
    ancestor: LayoutBlock | None = block
    while ancestor is not None:
        path.append(ancestor)
        ancestor = ancestor.parent
    return path[::-1]


def _count_shared(left: list[LayoutBlock], right: list[LayoutBlock]) -> int:
    """Return the length of the common beginning of two paths."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(left, right, strict=False)))


def _find_upward_edges(
    ancestries: dict[str, list[LayoutBlock]], edges: Sequence[tuple[str, str, str]]
) -> set[int]:
    """Return the indexes of the edges that close a cycle between the children of a container.

    An edge is lifted to the innermost container of both ends: it leads from one of its children to another.
    """
    # By the identity of a container: the indexes of the children to which edges lead from a child, by its index.
    steps_within: dict[int, dict[int, dict[int, None]]] = {}
    # For each edge the identity of the container and the indexes of the two children; None if one end is in the other.
    lifted: list[tuple[int, int, int] | None] = []
    for edge_source, edge_target, _ in edges:
        sources, targets = ancestries[edge_source], ancestries[edge_target]
        shared = _count_shared(sources, targets)
        if shared < len(sources) and shared < len(targets):
            container, source, target = id(sources[shared - 1]), sources[shared].index, targets[shared].index
            steps_within.setdefault(container, {}).setdefault(source, {})[target] = None
            lifted.append((container, source, target))
        else:
            lifted.append(None)
    closing = {
        (container, source, target)
        for container, steps in steps_within.items()
        for source, target in _find_closing_steps(steps)
    }
    return {number for number, edge in enumerate(lifted) if edge in closing}


def _find_closing_steps(steps: dict[int, dict[int, None]]) -> Iterable[tuple[int, int]]:
    """Yield the steps that lead back to the current path of a depth-first search."""
    done: set[int] = set()
    for start in sorted(steps):
        if start in done:
            continue
        on_path = {start}
        walk = [(start, iter(steps[start]))]
        while walk:
            node, targets = walk[-1]
            for target in targets:
                if target in on_path:
                    yield node, target
                elif target not in done:
                    on_path.add(target)
                    walk.append((target, iter(steps.get(target, ()))))
                    break
            else:
                walk.pop()
                on_path.discard(node)
                done.add(node)


def _make_steps(
    sources: list[LayoutBlock], targets: list[LayoutBlock], net: int, is_fan: bool
) -> list[EdgeStep]:
    """Return the steps from one block up to the common container and down to the other.

    Each block on the way gets a port of the net at the side where the line crosses its border.

    Args:
        sources: The ancestry of the block at which the edge begins.
        targets: The ancestry of the block at which it ends.
        net: The number of the net.
        is_fan: True if the net has one source, False if it has one target.
    """
    shared = _count_shared(sources, targets)
    steps: list[tuple[LayoutBlock, int, int]] = []  # a container, and the ends of the line in it
    for depth in range(len(sources) - 1, shared, -1):
        sources[depth].bottom[net] = 0.0
        steps.append((sources[depth - 1], sources[depth].index, PORT))
    source = target = PORT  # of the line in the common container, which may be an end of the edge itself
    if shared < len(sources):
        sources[shared].bottom[net] = 0.0
        source = sources[shared].index
    if shared < len(targets):
        targets[shared].top[net] = 0.0
        target = targets[shared].index
    steps.append((sources[shared - 1], source, target))
    for depth in range(shared + 1, len(targets)):
        targets[depth].top[net] = 0.0
        steps.append((targets[depth - 1], PORT, targets[depth].index))
    return [
        EdgeStep(_add_to_piece(container, net, is_fan, start, end), start, end)
        for container, start, end in steps
    ]


def _add_to_piece(container: LayoutBlock, net: int, is_fan: bool, source: int, target: int) -> Piece:
    """Add an edge to the piece of a net in a container, and return the piece."""
    piece = container.pieces.setdefault(net, Piece(net, is_fan))
    piece.sources[source] = piece.targets[target] = None
    if source == PORT:
        container.entering[net] = 0.0
    if target == PORT:
        container.leaving[net] = 0.0
    return piece
