"""How deep a program is nested: what is too deep is refused, at its place, before it is compiled."""

from __future__ import annotations

from evaluator.limits import NESTING, SOURCE
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.source import Span
from lexer_parser.tree import nodes

# What only holds together the parts of the node around it, and is no level of its own.
_PARTS = (nodes.Block, nodes.Pair, nodes.SelectorEntry, nodes.CaseOption, nodes.Text)


def parse_bounded(
    source: str, dialect: Dialect, *, epp: bool = False, name: str | None = None, **options: object
) -> nodes.Program:
    """As `parse`, within the limits of length and nesting. Raises PuppetError."""
    SOURCE.check(len(source))
    program = parse(source, epp, name, dialect, **options)  # type: ignore[arg-type]
    if len(source) > NESTING.value:  # each level takes a character at least
        check(program)
    return program


def check(program: nodes.Program) -> None:
    """Raises the error of the limit at the first expression inside which others are nested too deeply."""
    room = NESTING.value
    level = _parts_joined([program.body])
    while level:
        around = [node for node in level if node.children()]
        if around and room < 1:
            raise _too_deep(program, around[0])
        room -= 1
        level = _parts_joined([child for node in around for child in node.children()])


def _parts_joined(found: list[nodes.Node]) -> list[nodes.Node]:
    """The nodes, with what is inside them in the place of those that are only parts."""
    while any(isinstance(node, _PARTS) for node in found):
        found = [
            inner for node in found for inner in (node.children() if isinstance(node, _PARTS) else (node,))
        ]
    return found


def _too_deep(program: nodes.Program, node: nodes.Node) -> PuppetError:
    error = NESTING.exceeded()
    error.span = Span(program.source, node.start, node.end)
    return error
