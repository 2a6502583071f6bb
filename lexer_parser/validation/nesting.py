"""How deep a program is nested."""

from __future__ import annotations

from lexer_parser.tree import nodes

# What only holds together the parts of the node around it, and is no level of its own.
PARTS = frozenset({nodes.Block, nodes.Pair, nodes.SelectorEntry, nodes.CaseOption, nodes.Text})


def too_deep(program: nodes.Program, most: int) -> nodes.Node | None:
    """The first expression inside which others are nested deeper than `most` levels allow, None when there is none."""
    room = most
    level = _parts_joined([program.body])
    while level:
        around = [node for node in level if node.children()]
        if around and room < 1:
            return around[0]
        room -= 1
        level = _parts_joined([child for node in around for child in node.children()])
    return None


def _parts_joined(found: list[nodes.Node]) -> list[nodes.Node]:
    """The nodes, with what is inside them in the place of those that are only parts."""
    while not PARTS.isdisjoint(map(type, found)):
        found = [inner for node in found for inner in (node.children() if type(node) in PARTS else (node,))]
    return found
