"""The cells that define names: those that a cell needs, and those that an error is about.

`History` reorders cells with the first, which are found by a static analysis; `Timeline` adds the second to errors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evaluator.calling.registry import to_plain_name
from evaluator.program.source_cache import parse_bounded
from evaluator.running.runtime import Runtime
from evaluator.session.cell import Cell, Entry, Name
from evaluator.session.program_state import ProgramState
from lexer_parser.dialect import Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.session.timeline import Timeline

_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias)
_KINDS = {nodes.Class: "class", nodes.Define: "define", nodes.Function: "function", nodes.TypeAlias: "type"}
_INCLUDES = frozenset({"contain", "include", "require"})


def find_needed_names(cell: Cell, runtime: Runtime) -> list[Name]:
    """Return the names that a cell reads and does not define itself, in the order of the text.

    Bodies of definitions are left out: they run later. So are names that are computed. A cell that cannot be parsed
    needs nothing.
    """
    settings = runtime.settings
    try:
        body = parse_bounded(
            cell.source, runtime.dialect, name=cell.name, interactive=True, strict=settings.strict
        ).body
    except PuppetError:
        return []
    own = set(_list_defined_names(body))
    return [name for name in dict.fromkeys(_read_names(body)) if name not in own]


def _list_defined_names(body: nodes.Node) -> Iterator[Name]:
    for name, _ in _iterate_assigned(body):
        yield "variable", name
    for node in nodes.walk(body):
        if type(node) in _KINDS:
            yield _KINDS[type(node)], to_plain_name(getattr(node, "name", ""))


def _iterate_assigned(body: nodes.Node) -> Iterator[tuple[str, nodes.Variable]]:
    """Yield the variables on the left of assignments, each with its name."""
    targets = (node.left for node in nodes.walk(body) if isinstance(node, nodes.Assignment))
    for part in (part for target in targets for part in nodes.walk(target)):
        if isinstance(part, nodes.Variable):
            yield part.name.removeprefix("::"), part


def _read_names(node: nodes.Node) -> Iterator[Name]:
    if isinstance(node, _DEFINITIONS):
        return
    if isinstance(node, nodes.Variable):
        yield "variable", node.name.removeprefix("::")
    elif isinstance(node, nodes.TypeName):
        yield "type", to_plain_name(node.value)
    elif isinstance(node, nodes.Call) and isinstance(node.functor, nodes.Name):
        yield "function", to_plain_name(node.functor.value)
        if node.functor.value in _INCLUDES:
            yield from _list_class_names(node.arguments)
    elif isinstance(node, nodes.Resource) and isinstance(node.type_name, nodes.Name):
        if node.type_name.value == "class":
            yield from _list_class_names([body.title for body in node.bodies])
        else:
            yield "define", to_plain_name(node.type_name.value)
    for child in node.children():
        yield from _read_names(child)


def _list_class_names(arguments: list[nodes.Node]) -> Iterator[Name]:
    for argument in arguments:
        for node in nodes.walk(argument):
            if isinstance(node, nodes.Name | nodes.String):
                yield "class", to_plain_name(node.value)


def find_later_definers(cell: Cell, timeline: Timeline, later: Sequence[Entry]) -> list[tuple[Name, Entry]]:
    """Return the entries that define names which a cell needs and no cell above it defines.

    Args:
        later: the last entries of the timeline, below the cell.

    Returns:
        Each name with the entry that defines it.
    """
    definers = [entry for entry in later if entry.cell.key != cell.key and entry.evaluation.names]
    if not definers:
        return []
    above = timeline.entries[: -len(later)]
    defined_above = {name for entry in above for name in entry.evaluation.names}
    return [
        (name, entry)
        for name in find_needed_names(cell, timeline.runtime)
        if name not in defined_above
        for entry in definers
        if name in entry.evaluation.names
    ]


# --- the cells that cause an error


def attribute_error(
    error: PuppetError, entries: Sequence[Entry], failed: Entry, program: ProgramState
) -> None:
    """Add to an error which cell set its variable, and whether it is in another cell.

    Args:
        entries: the entries before the failed one.
        program: the program state, which still contains the additions of the failed cell.
    """
    name = error.arguments.get("name")
    if error.code == "ILLEGAL_REASSIGNMENT" and isinstance(name, str):
        owner = _find_setter(name, [*entries, failed], program)
        if owner is not None and owner is not failed:
            line = _format_line_of_assignment(owner.cell, name, program.runtime.dialect)
            error.notes = (*error.notes, Note(f"'{name}' comes from cell {owner.label}{line}"))
    span = error.span
    if span is not None and span.source.name is None and span.source.label != failed.label:
        error.is_in_other_cell = True


def _format_line_of_assignment(owner: Cell, name: str, dialect: Dialect) -> str:
    """Return `, line 2` for the assignment of a variable in a cell; "" without one."""
    program = parse(owner.source, dialect=dialect, validate=False)
    target = next((node for assigned, node in _iterate_assigned(program) if assigned == name), None)
    return f", line {program.source.position(target.start)[0]}" if target is not None else ""


def _find_setter(name: str, entries: Sequence[Entry], program: ProgramState) -> Entry | None:
    """Return the entry that set a variable of the top scope; None if no cell did."""
    for entry in reversed(entries):
        savepoint = entry.savepoint
        if savepoint is not None and name in program.state.get_added_keys(savepoint.state, "variables"):
            return entry
    return None
