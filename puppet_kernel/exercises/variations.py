"""The program of a learner with other values or more code, to detect hard-coded results.

A value replaces a variable, `$kind`, wherever a cell assigns it, or a literal, `[1, 2, 3]`, at its first occurrence
in
the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from evaluator import Session
from evaluator.values import key
from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import expression_extent, expression_text, walk

Edit = Callable[[str], str]


def replace_variables(source: str, values: Mapping[str, str], dialect: str) -> str:
    """Return a cell with other values for variables, each by its name with `$`."""
    if not any(name in source for name in values):
        return source
    found = (
        (*expression_extent(node.right, source), values[f"${node.left.name}"])
        for node in walk(_tree(source, dialect))
        if isinstance(node, nodes.Assignment)
        and isinstance(node.left, nodes.Variable)
        and f"${node.left.name}" in values
    )
    return _replace(source, found)


def replace_literals(source: str, values: Mapping[str, str], session: Session) -> str:
    """Return an answer in which the first occurrence of each literal has another value."""
    return _replace(source, filter(None, (_place(source, *pair, session) for pair in values.items())))


def _place(source: str, literal: str, becomes: str, session: Session) -> tuple[int, int, str] | None:
    """Return the first occurrence of a literal's value, however it is written, and its replacement."""
    asked = _tree(literal, session.dialect).body
    kinds = (nodes.String, nodes.Name) if isinstance(asked, nodes.String | nodes.Name) else (type(asked),)
    wanted = key(session.look(literal).value)
    for node in walk(_tree(source, session.dialect)):
        if isinstance(node, kinds) and key(session.look(expression_text(node, source)).value) == wanted:
            return (*expression_extent(node, source), becomes)
    return None


def _replace(source: str, places: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with replacements at positions that do not overlap."""
    for start, end, becomes in sorted(places, reverse=True):
        source = source[:start] + becomes + source[end:]
    return source


def _tree(source: str, dialect: str) -> nodes.Program:
    """Return the syntax tree of a text; that of an empty one if it cannot be parsed."""
    try:
        return parse(source, dialect=DIALECTS[dialect])
    except PuppetError:
        return parse("", dialect=DIALECTS[dialect])
