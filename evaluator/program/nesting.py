"""Reading within the limits: what is too long or nested too deeply is refused, at its place, before it is compiled."""

from __future__ import annotations

from evaluator.limits import NESTING, SOURCE
from lexer_parser.dialect import Dialect
from lexer_parser.parsing import parse
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.validation.validator import too_deep


def parse_bounded(
    source: str, dialect: Dialect, *, epp: bool = False, name: str | None = None, **options: object
) -> nodes.Program:
    """As `parse`, within the limits of length and nesting. Raises PuppetError."""
    SOURCE.check(len(source))
    program = parse(source, dialect, epp, name, **options)  # type: ignore[arg-type]
    # each level takes a character at least
    deep = too_deep(program, NESTING.value) if len(source) > NESTING.value else None
    if deep is not None:
        error = NESTING.make_error()
        error.span = Span(program.source, deep.start, deep.end)
        raise error
    return program
