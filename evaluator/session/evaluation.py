"""The evaluation of one cell: parse, register what it defines, run its statements, settle what is evaluated late."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator import catalog
from evaluator.compiler.definitions import LazyBody
from evaluator.compiler.emitter import CompilationUnit
from evaluator.compiler.unit import CompiledSource
from evaluator.issues import Failure, error
from evaluator.limits import NESTING, SOURCE
from evaluator.program import sandbox, source_cache
from evaluator.program.effects import recording
from evaluator.program.source_cache import parse_bounded
from evaluator.program.state import State
from evaluator.running.registration import register_definitions
from evaluator.running.runtime import Runtime
from evaluator.session.cells import Cell
from evaluator.session.world import Moment, World
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError, put_at_end
from lexer_parser.source import Source as Text
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.program.protocols import Watcher

_KINDS = {"class": "classes", "define": "defines", "function": "functions", "type": "types"}
_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias, nodes.Nop)


Source = tuple[CompilationUnit, nodes.Program]


def evaluate(
    world: World,
    cell: Cell,
    read: Callable[[Runtime, Cell], list[Source]] | None = None,
    watcher: Watcher | None = None,
) -> None:
    """Evaluates a cell after what the world holds, and fills in its outcome.

    read     gives what the cell consists of, by default what stands in it: sources that know each other's definitions
    watcher  sees it run, if it watches
    Raises what the cell raises, and whatever stops it; the world is to be cut to `cell.moment` then.
    """
    if watcher is not None and watcher.watches:
        watcher.watch(lambda: evaluate(world, cell, read))
        return
    runtime, outcome = world.runtime, cell.outcome
    runtime.logs, runtime.written, runtime.answers = outcome.logs, 0, {}
    cell.moment = world.moment()
    world.enter()
    try:
        _evaluate(world, cell, cell.moment, (read or _parsed)(runtime, cell))
    finally:
        stopped = isinstance(sys.exception(), KeyboardInterrupt)  # then nothing is said of it
        if runtime.settings.interactive and not stopped:
            cell.weight = world.weight(cell.moment)


def _evaluate(world: World, cell: Cell, moment: Moment, sources: list[Source]) -> None:
    runtime, outcome, state = world.runtime, cell.outcome, world.state
    state.catalog.begin_cell()
    for _, program in sources:
        for warning in program.warnings:
            runtime.log("warning", warning.message, warning.span)
    with recording(cell.answers):
        for unit, program in sources:
            register_definitions(unit, program, state.definitions)
        for unit, program in sources:
            outcome.value = LazyBody(unit, program.body)(state.top)
            outcome.has_value = _is_looked_at(program.body, outcome.value)
    state.match = runtime.match
    outcome.defined = _defined(state, moment)
    outcome.change = world.settle(cell.answers)
    outcome.pending = world.pending


def _parsed(runtime: Runtime, cell: Cell) -> list[Source]:
    """The program that stands in a cell."""
    return sources_of(runtime, cell, reading_of(runtime, cell))


def reading_of(runtime: Runtime, cell: Cell) -> CompiledSource:
    """What stands in a cell, read. Raises PuppetError."""
    return _reading(runtime, cell.source, runtime.dialect, cell.name, runtime.settings.interactive)


def sources_of(runtime: Runtime, cell: Cell, reading: CompiledSource) -> list[Source]:
    """What a cell consists of, once it has been read."""
    if runtime.settings.interactive:
        cell.read(reading.program)
    return [(CompilationUnit(runtime, reading, runtime.dialect), reading.program)]


def beginning(runtime: Runtime, cell: Cell) -> list[Source]:
    """The program of the session's environment, file by file; what is to be said of its set-up is logged.

    It is written for the released Puppet, like the files of a module path. From now on the node has the classes
    that a classifier gives it. Raises PuppetError for names that cannot be those of classes.
    """
    if runtime.settings.classification is not None:
        catalog.check_class_names(runtime.settings.classification)
        runtime.state.catalog.classified = True
    directory = runtime.settings.directory
    if directory is None:
        return []
    for remark in directory.remarks:
        runtime.log("warning", remark)
    readings = []
    for path in sandbox.list_manifests(runtime.settings, directory.manifest):
        text = _read(runtime, path)
        purpose = ("site manifest", runtime.settings.strict, SOURCE.value, NESTING.value)
        make = partial(_reading, runtime, dialect=PUPPET, name=path, interactive=False)
        readings.append(source_cache.load_text(path, text, purpose, make))
    return [(CompilationUnit(runtime, one, PUPPET), one.program) for one in readings]


def _read(runtime: Runtime, path: str) -> str:
    span = None
    try:
        return sandbox.read_text(runtime.state.top, "file", path)
    except Failure as problem:
        reason = problem.arguments.get("reason", "it is not a regular file")
    except PuppetError as problem:
        if problem.code != "INVALID_UTF_8":
            raise
        reason, span = "it is not UTF-8", problem.span
    refused = error("MANIFEST_NOT_READ", span, path=path, reason=reason)
    refused.placeless = True
    raise refused


def _reading(
    runtime: Runtime, text: str, dialect: Dialect, name: str | None, interactive: bool
) -> CompiledSource:
    settings = runtime.settings
    try:
        program = parse_bounded(
            text, dialect, name=name, interactive=interactive, strict=settings.strict, modulepath=None
        )
    except PuppetError as problem:
        put_at_end(problem, Text(text, name))
        problem.prefix = f"Could not parse for environment {settings.environment}: "
        raise
    return CompiledSource(program)


def _is_looked_at(body: nodes.Node, value: Any) -> bool:
    """False when the last statement is a definition, or a call that gave undef; but with a dot it was for a value."""
    last = body.statements[-1] if isinstance(body, nodes.Block) else body
    if isinstance(last, _DEFINITIONS):
        return False
    return not (value is None and isinstance(last, nodes.Call))


def _defined(state: State, before: Moment) -> list[tuple[str, str]]:
    tables = ((kind, state.get_added(before.state, f"definitions.{table}")) for kind, table in _KINDS.items())
    return [(kind, _written(name, definition)) for kind, found in tables for name, definition in found]


def _written(name: str, definition: Any) -> str:
    """The name of a definition as it was written: tables hold that of a type in small letters."""
    node = getattr(definition, "node", None)
    return node.name if isinstance(node, nodes.TypeAlias) else name
