"""Static validation: violations of the rules of the language that are found before anything runs."""

from __future__ import annotations

from collections.abc import Sequence

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes
from lexer_parser.validation import definitions, effects, expressions, names, resources
from lexer_parser.validation.modules import ModuleManifest
from lexer_parser.validation.walk import (
    Diagnostic,
    InvalidHeredocText,
    ParseFunction,
    ValidationWalk,
    VisitFunction,
)

VISITS: dict[type[nodes.Node], VisitFunction] = {
    **expressions.VISITS,
    **effects.VISITS,
    **definitions.VISITS,
    **resources.VISITS,
}
STRICT_VISITS = {**VISITS, **names.STRICT_VISITS}

__all__ = ["Diagnostic", "summarize_errors", "validate"]


def validate(
    program: nodes.Program,
    dialect: Dialect,
    parse: ParseFunction,
    *,
    file: str | None = None,
    interactive: bool = False,
    strict: str = "warning",
    modulepath: Sequence[str] | None = (),
) -> list[Diagnostic]:
    """Return the findings for `program` in the order of the released Puppet: parents before children.

    Args:
        program: The syntax tree.
        dialect: The dialect in which it is written.
        parse: Parses the texts of heredocs that are programs.
        file: The path of the program, which decides what a module's file may define.
        interactive: Whether a statement without effect is allowed, since users look at values.
        strict: The severity of a duplicate key: "off", "warning" or "error".
        modulepath: The folders that hold modules, for `file`; None if the program belongs to no module.
    """
    walk = ValidationWalk(program, dialect, parse, interactive, strict)
    if file is not None and modulepath is not None and file.endswith(".pp"):
        walk.module_file = ModuleManifest.from_path(file, modulepath)
    visits = STRICT_VISITS if dialect.strict_names else VISITS
    find, stack, pop = visits.get, walk.stack, walk.stack.pop
    try:
        while stack:
            node = pop()
            visit = find(type(node))
            if visit is not None:
                visit(walk, node)
    except InvalidHeredocText:
        return walk.diagnostics[-1:]
    if walk.diagnostics:
        # Advice takes 5 ms to load and is needed only for programs with an error.
        from lexer_parser.diagnostics import add_advice

        for diagnostic in walk.diagnostics:
            add_advice(diagnostic.error)
    return walk.diagnostics


def summarize_errors(diagnostics: Sequence[Diagnostic]) -> PuppetError | None:
    """Return the one error that validation raises, None if there is none.

    Several errors become one error without a position that has them as `related`.
    """
    errors = [diagnostic.error for diagnostic in diagnostics if diagnostic.severity == "error"]
    if len(errors) < 2:
        return errors[0] if errors else None
    warnings = len(diagnostics) - len(errors)
    summary = issues.error(
        "LANGUAGE_VALIDATION", errors=len(errors), warnings=f", and {warnings} warnings" if warnings else ""
    )
    summary.related = tuple(errors)
    summary.placeless = True
    return summary


# Nodes that only group the parts of the node around them and are no level of their own.
PARTS = frozenset({nodes.Block, nodes.Pair, nodes.SelectorEntry, nodes.CaseOption, nodes.Text})


def find_too_deep(program: nodes.Program, most: int) -> nodes.Node | None:
    """Return the first expression in which others are nested deeper than `most` levels, None if there is none."""
    room = most
    level = _open_parts([program.body])
    while level:
        around = [node for node in level if node.children()]
        if around and room < 1:
            return around[0]
        room -= 1
        level = _open_parts([child for node in around for child in node.children()])
    return None


def _open_parts(found: list[nodes.Node]) -> list[nodes.Node]:
    """Return the nodes, with those that only group parts replaced by their children."""
    while not PARTS.isdisjoint(map(type, found)):
        found = [inner for node in found for inner in (node.children() if type(node) in PARTS else (node,))]
    return found
