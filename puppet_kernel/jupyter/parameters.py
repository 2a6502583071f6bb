"""Cells that replace the values of parameters whose defaults an earlier cell assigns.

papermill inserts such a cell after the cell with the defaults. In sequence the two would assign a variable twice, which
Puppet forbids. Therefore the program gets the new values in place of the defaults: it remains a manifest, and values
computed from a default change, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from lexer_parser import nodes, parse, tokenize
from lexer_parser.dialect import DIALECTS, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.source import replace_parts

TAG = "injected-parameters"
MARK = "# Parameters"  # papermill writes this line above the values; not every front end sends the tags of a cell


class Replacement(Record):
    """A cell with defaults, its text with the new values, and the names of the variables."""

    cell: Any
    source: str
    names: list[str]


class ParameterAssignment(Record):
    """The assignment of a variable: its tree, and the text and position of its value."""

    tree: nodes.Assignment
    text: str
    start: int
    end: int


def is_injected(code: str, tags: Any) -> bool:
    """Return True for a cell that replaces parameters, by its tags or its first line."""
    return (isinstance(tags, list) and TAG in tags) or code.lstrip().split("\n", 1)[0].rstrip() == MARK


def find_replacement(code: str, cells: Iterable[Any], dialect: str) -> Replacement | None:
    """Return the replacement for the first cell with defaults for the variables of this code.

    The result is None if there is no such cell, or if the code is more than assignments: then it runs as any other
    cell.
    """
    language = DIALECTS[dialect]
    try:
        body, new = parse_assignments(code, language)
    except PuppetError:
        return None
    if not new or len(body) != len(new):
        return None
    for cell in cells:
        if any(f"${name}" in cell.source for name in new):
            statements, defaults = parse_assignments(cell.source, language)
            if defaults.keys() & new.keys():
                source = _rewrite(cell.source, defaults, new)
                expected = _list_expected(statements, defaults, new)
                return Replacement(cell, source, [*new]) if _parses_as(source, expected, language) else None
    return None


def parse_assignments(
    source: str, dialect: Dialect
) -> tuple[list[nodes.Node], dict[str, ParameterAssignment]]:
    """Return the statements of a program, and its assignments by name; raise PuppetError."""
    statements = parse_statements(source, dialect)
    statement_starts = [start for _, start, _ in statements]
    # For each statement the kind, the start and the end of its tokens, except for semicolons.
    tokens: list[list[tuple[str, int, int]]] = [[] for _ in statements]
    for kind, _, start, end in tokenize(source, dialect):
        if start >= statement_starts[0] and kind != "SEMIC":
            tokens[bisect_right(statement_starts, start) - 1].append((kind, start, end))
    assignments = {}
    for (tree, _, next_start), own_tokens in zip(statements, tokens, strict=True):
        if (
            isinstance(tree, nodes.Assignment)
            and tree.operator == "="
            and isinstance(tree.left, nodes.Variable)
        ):
            # The start of an assignment is that of its operator.
            value_tokens = [(kind, start, end) for kind, start, end in own_tokens if start > tree.start]
            has_lines_below = any(kind == "HEREDOC" for kind, _, _ in value_tokens)
            start = min(start for _, start, _ in value_tokens)
            end = next_start if has_lines_below else max(end for _, _, end in value_tokens)
            assignments[tree.left.name] = ParameterAssignment(tree, source[start:end], start, end)
    return [tree for tree, _, _ in statements], assignments


def parse_statements(source: str, dialect: Dialect) -> list[tuple[nodes.Node, int, int]]:
    """Return the tree of each statement, its start, and that of the next; raise PuppetError."""
    trees = nodes.list_statements(parse(source, dialect=dialect, interactive=True).body)
    starts = [min(node.start for node in nodes.walk(tree)) for tree in trees]
    return list(zip(trees, starts, [*starts[1:], len(source)], strict=True))


def _rewrite(
    source: str, defaults: dict[str, ParameterAssignment], new: dict[str, ParameterAssignment]
) -> str:
    """Return the source with new values for its assignments, and further ones at its end."""
    replaced = [(item.start, item.end, new[name].text) for name, item in defaults.items() if name in new]
    more = [f"${name} = {item.text}" for name, item in new.items() if name not in defaults]
    return "\n".join([replace_parts(source, replaced), *more])


def _list_expected(
    statements: list[nodes.Node],
    defaults: dict[str, ParameterAssignment],
    new: dict[str, ParameterAssignment],
) -> list[nodes.Node]:
    """Return the statements that the rewritten source must parse as."""
    replaced = {id(item.tree): new[name].tree for name, item in defaults.items() if name in new}
    more = [item.tree for name, item in new.items() if name not in defaults]
    return [*(replaced.get(id(statement), statement) for statement in statements), *more]


def _parses_as(source: str, expected: list[nodes.Node], dialect: Dialect) -> bool:
    """Return True if a source parses as these statements, as it should with new values."""
    try:
        return [tree for tree, _, _ in parse_statements(source, dialect)] == expected
    except PuppetError:
        return False
