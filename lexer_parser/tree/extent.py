"""Where an expression begins and ends with all that is in it: operators and parentheses are nodes of one sign."""

from __future__ import annotations

from lexer_parser.tree import nodes


def extent(node: nodes.Node, source: str) -> tuple[int, int]:
    """The offsets in the source, the end exclusive."""
    inside = [(node.start, node.end), *(extent(child, source) for child in node.children())]
    start, end = min(one for one, _ in inside), max(one for _, one in inside)
    return start, source.index(")", end) + 1 if isinstance(node, nodes.Paren) else end


def text(node: nodes.Node, source: str) -> str:
    """An expression as it is written."""
    start, end = extent(node, source)
    return source[start:end]
