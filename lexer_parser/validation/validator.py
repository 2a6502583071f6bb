"""Static validation: violations of the rules that are visible in the syntax tree.

`lexer_parser.parsing` validates each program that it has parsed. The names that a file of a module may define, and the
depth to which expressions may be nested, are examined here as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import make_label
from lexer_parser.validation import definitions, effects, expressions, names, resources
from lexer_parser.validation.walk import (
    DEFINITIONS,
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
        from lexer_parser.diagnostics.advice import add_advice

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
    summary = issues.make_error(
        "LANGUAGE_VALIDATION", errors=len(errors), warnings=f", and {warnings} warnings" if warnings else ""
    )
    summary.related = tuple(errors)
    summary.placeless = True
    return summary


# --- the depth of nesting


# Nodes that only group the parts of the node around them and are no level of their own.
GROUPING_NODES = frozenset({nodes.Block, nodes.Pair, nodes.SelectorEntry, nodes.CaseOption, nodes.Text})


def find_too_deep(program: nodes.Program, most: int) -> nodes.Node | None:
    """Return an expression in which others are nested too deep; None if there is none.

    Args:
        program: The syntax tree.
        most: The number of levels that are allowed.
    """
    level = _replace_grouping_nodes([program.body])
    for _ in range(most):
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


# --- files of modules


DEFINING_FOLDERS = frozenset(("manifests", "functions", "types", "plans"))


def split_module_path(file: str, modulepath: Sequence[str]) -> list[str] | None:
    """Return the names in a file's path from that of its module on; None without a module.

    A module is a folder of the module path, or of any folder named `modules`.
    """
    names = _split_path(file)
    for root in modulepath:
        root_names = _split_path(root)
        if names[: len(root_names)] == root_names:
            return names[len(root_names) :]
    if "modules" in names:
        for index in range(len(names) - 3, -1, -1):  # the innermost one with at least a module and a file
            if names[index] == "modules":
                return names[index + 1 :]
    return None


def _split_path(path: str) -> list[str]:
    """Return the names in a path; an absolute one begins with an empty name."""
    names = path.split("/")
    if "//" in path or "/." in path or path.endswith("/"):
        names[1:] = [name for name in names[1:] if name not in ("", ".")]
    return names


class ModuleManifest(Record):
    """A manifest of a module.

    Attributes:
        file: The path.
        namespace: The beginning of all names that it may define; None if it may define none.
    """

    file: str
    namespace: str | None

    @classmethod
    def from_path(cls, file: str, modulepath: Sequence[str]) -> ModuleManifest | None:
        """Return the module manifest at this path; None if it is no module's manifest."""
        path = split_module_path(file, modulepath)
        if path is None or len(path) < 2 or not path[-1].endswith(".pp"):
            return None
        module, folder, *names = path
        if folder not in DEFINING_FOLDERS or not names:
            return cls(file, None)
        names[-1] = names[-1].removesuffix(".pp")
        if names == ["init"] and folder == "manifests":
            names = []
        return cls(file, "::".join((module, *names)).lower())

    def check_definition(self, walk: ValidationWalk, node: Any) -> None:
        """Report a definition whose name does not begin with the namespace of its file."""
        if self.namespace is None or not node.name.lower().startswith(self.namespace):
            walk.report("ILLEGAL_DEFINITION_LOCATION", node, name=node.name, file=self.file)

    def check_program(self, walk: ValidationWalk, body: nodes.Node) -> None:
        """Report statements at the top of the file that are no definitions, and node definitions."""
        for statement in nodes.list_statements(body):
            kind = type(statement)
            if kind is nodes.NodeDefinition or (kind not in DEFINITIONS and kind is not nodes.Nop):
                walk.report("ILLEGAL_TOP_CONSTRUCT_LOCATION", statement, label=make_label(statement))
