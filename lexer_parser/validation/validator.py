"""Static validation: what a tree breaks of the language's rules, told before anything runs."""

from __future__ import annotations

from collections.abc import Sequence

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes
from lexer_parser.validation import definitions, effects, expressions, names, resources
from lexer_parser.validation.modules import ModuleFile
from lexer_parser.validation.walk import Diagnostic, InvalidText, Parse, Visit, Walk

VISITS: dict[type[nodes.Node], Visit] = {
    **expressions.VISITS,
    **effects.VISITS,
    **definitions.VISITS,
    **resources.VISITS,
}
STRICT_VISITS = {**VISITS, **names.STRICT_VISITS}

__all__ = ["Diagnostic", "conclude", "validate"]


def validate(
    program: nodes.Program,
    dialect: Dialect,
    parse: Parse,
    *,
    file: str | None = None,
    interactive: bool = False,
    strict: str = "warning",
    modulepath: Sequence[str] | None = (),
) -> list[Diagnostic]:
    """Everything that is wrong with `program`, in the order of the released Puppet: parents before children.

    parse        reads the texts of heredocs that are programs
    file         the path of the program, which decides what a module's file may define
    interactive  a statement without effect is allowed, as people look at values
    strict       what a duplicate key is: "off", "warning" or "error"
    modulepath   the folders that hold modules, for `file`; None where the program is no module's
    """
    walk = Walk(program, dialect, parse, interactive, strict)
    if file is not None and modulepath is not None and file.endswith(".pp"):
        walk.module_file = ModuleFile.of(file, modulepath)
    visits = STRICT_VISITS if dialect.strict_names else VISITS
    find, stack, pop = visits.get, walk.stack, walk.stack.pop
    try:
        while stack:
            node = pop()
            visit = find(type(node))
            if visit is not None:
                visit(walk, node)
    except InvalidText:
        return walk.diagnostics[-1:]
    if walk.diagnostics:
        # Advice takes 5 ms to load and is needed only for programs with an error.
        from lexer_parser.diagnostics import add_advice

        for diagnostic in walk.diagnostics:
            add_advice(diagnostic.error)
    return walk.diagnostics


def conclude(diagnostics: Sequence[Diagnostic]) -> PuppetError | None:
    """The one error that validation ends in, None when there is none.

    A single error is raised as it is; several make one error without place that has them all in `related`.
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
