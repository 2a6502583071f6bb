"""Static validation: violations of the rules that are visible in the syntax tree.

`validate` visits the nodes of a parsed program. The rules are in modules by family: `expressions`, `effects`,
`definitions`, `resources` and `names`. Each has a table: node class -> function(walk, node) that reports what is wrong
with the node and pushes its children, last one first. A class in no table is a leaf without rules. `walk` has the state
that the rules share.
"""

from __future__ import annotations

from collections.abc import Sequence

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes
from lexer_parser.validation import definitions, effects, expressions, names, resources
from lexer_parser.validation.module_files import ModuleFile
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


def validate(
    program: nodes.Program,
    dialect: Dialect,
    parse: ParseFunction,
    *,
    file: str | None = None,
    interactive: bool = False,
    strict: str | None = None,
    modulepath: Sequence[str] | None = (),
) -> list[Diagnostic]:
    """Return the findings for a program in the order of the released Puppet.

    Parents are visited before their children.

    Args:
        program: The syntax tree.
        dialect: The dialect in which it is written.
        parse: Parses the texts of heredocs that are programs.
        file: The path of the program, which determines the names that a module's file may define.
        interactive: True to allow a statement without effect, because users look at values.
        strict: The severity of a duplicate key: "off", "warning" or "error"; None for the default of the dialect.
        modulepath: The folders that contain modules, for `file`; None if the program belongs to no module.
    """
    walk = ValidationWalk(program, dialect, parse, interactive, strict or dialect.strict_level)
    if file is not None and modulepath is not None and file.endswith(".pp"):
        walk.module_file = ModuleFile.from_path(file, modulepath)
    visits = STRICT_VISITS if dialect.strict_names else VISITS
    find, stack, pop = visits.get, walk.stack, walk.stack.pop
    try:
        while stack:
            node = pop()
            visit = find(type(node))
            if visit is not None:
                visit(walk, node)
    except InvalidHeredocText:
        return walk.diagnostics[-1:]  # the error in the heredoc is the only finding, as released
    if walk.diagnostics:
        # Advice takes 5 ms to load and is needed only for programs with an error.
        from lexer_parser.diagnostics.advice import add_advice

        for diagnostic in walk.diagnostics:
            add_advice(diagnostic.error)
    return walk.diagnostics


def summarize_errors(diagnostics: Sequence[Diagnostic]) -> PuppetError | None:
    """Return the one error to raise for the findings; None if none of them is an error.

    Several errors become one error without a position that has them as `related`.
    """
    errors = [diagnostic.error for diagnostic in diagnostics if diagnostic.severity == "error"]
    if len(errors) < 2:
        return errors[0] if errors else None
    warnings = len(diagnostics) - len(errors)
    summary = issues.make_error(
        "LANGUAGE_VALIDATION", errors=len(errors), warnings=f", and {warnings} warnings" if warnings else ""
    )
    summary.related = tuple(errors)
    summary.placeless = True
    return summary


# --- The depth of nesting, which is no rule of the language: the evaluator, which has a limit, calls `find_too_deep`


# Nodes that only group the parts of the node around them and are no level of their own.
GROUPING_NODES = frozenset({nodes.Block, nodes.Pair, nodes.SelectorEntry, nodes.CaseOption, nodes.Text})


def find_too_deep(program: nodes.Program, max_depth: int) -> nodes.Node | None:
    """Return a node that is nested too deep; None if there is none.

    The body of the program is level 1, its parts are level 2. A node with parts below level `max_depth` is too deep.
    """
    level = _replace_grouping_nodes([program.body])
    for _ in range(max_depth):
        level = _replace_grouping_nodes([child for node in level if node.inner for child in node.children()])
        if not level:
            return None
    return next((node for node in level if node.children()), None)


def _replace_grouping_nodes(level: list[nodes.Node]) -> list[nodes.Node]:
    """Return the nodes of a level, in which those that only group parts are replaced by these."""
    while not GROUPING_NODES.isdisjoint(map(type, level)):
        level = [
            inner
            for node in level
            for inner in (node.children() if type(node) in GROUPING_NODES else (node,))
        ]
    return level
