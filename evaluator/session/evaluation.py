"""The evaluation of one cell: parse, register definitions, run, compute the fixed point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from evaluator import catalog
from evaluator.catalog import CatalogDifference
from evaluator.catalog.errors import make_catalog_error
from evaluator.catalog.model import SETTINGS
from evaluator.compiler.compiled_source import CompiledSource
from evaluator.compiler.definitions import LazyBody, collect_definitions
from evaluator.compiler.emitter import CompilationUnit
from evaluator.issues import Failure, make_error
from evaluator.limits import NESTING, SOURCE
from evaluator.program import sandbox, source_cache
from evaluator.program.effects import EffectLog
from evaluator.program.log import Log, log_once
from evaluator.program.source_cache import parse_bounded
from evaluator.program.state import State
from evaluator.running.registration import register_definitions
from evaluator.running.runtime import Runtime
from evaluator.session import stack_threads
from evaluator.session.cell import Cell, Evaluation, Name
from evaluator.session.program_state import ProgramState, Savepoint, explain_error
from evaluator.values import Value
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.debugger.engine import Watcher

_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias, nodes.Nop)

_LONGEST_CACHED = 2_000  # characters of a cell whose syntax tree stays in memory

Units = Sequence[CompilationUnit]  # of sources that can use each other's definitions
Compile = Callable[[Runtime, Cell], Units]


def evaluate(
    program: ProgramState,
    savepoint: Savepoint,
    cell: Cell,
    compile_cell: Compile | None = None,
    effects: EffectLog | None = None,
    watcher: Watcher | None = None,
    *,
    defers: bool = True,
) -> Evaluation:
    """Evaluate a cell after the cells that a program state holds.

    An error of the program is part of the evaluation. The state then still holds what the cell did, so that the error
    can be explained: the caller rolls it back. Only what stops the evaluation from outside is raised.

    Args:
        savepoint: the current point of the program state.
        compile_cell: returns the units of the cell; by default the units of its source.
        effects: the log of an earlier evaluation, whose replies are replayed.
        watcher: runs the cell for a debugger, if the debugger watches it.
        defers: False to leave out the fixed point, which Puppet defers.
    """
    runtime = program.runtime
    logs: list[Log] = []
    runtime.logs, runtime.written, runtime.answers = logs, 0, {}
    runtime.enter(program.state)
    # The log lines and effects of the cell are added to this evaluation while it runs.
    unfinished = Evaluation(logs=logs, effects=EffectLog(effects), settings=runtime.settings)
    try:
        units = compile_text(program, cell) if compile_cell is None else compile_cell(runtime, cell)
        if runtime.settings.interactive and units:
            parsed = units[0].compiled_source.tree
            parsed.source.label = cell.label
            unfinished = unfinished._replace(source=parsed.source, tree=parsed.body)
        if watcher is not None and watcher.can_stop:
            evaluation = watcher.watch(lambda: _evaluate(program, savepoint, units, unfinished, defers))
        else:
            evaluation = _evaluate(program, savepoint, units, unfinished, defers)
    except Exception as exception:
        stack_threads.reserve.clear()
        if isinstance(exception, MemoryError):
            stack_threads.clear_frames(exception)  # its values leave no memory to explain the error
        problem = explain_error(exception, runtime)
        # The frames of the program would keep its values alive.
        problem.__traceback__ = problem.__context__ = problem.__cause__ = None
        evaluation = unfinished._replace(error=problem)
    if runtime.settings.interactive:
        evaluation = evaluation._replace(weight=program.count_resources(savepoint))
    return evaluation


def _evaluate(
    program: ProgramState, savepoint: Savepoint, units: Units, unfinished: Evaluation, defers: bool
) -> Evaluation:
    """Register the definitions of a cell, run it, and advance the fixed point.

    Args:
        units: The units of the cell.
        unfinished: The evaluation, whose log lines and effects are recorded while the cell runs.
        defers: False to leave out the fixed point.
    """
    runtime, state = program.runtime, program.state
    state.catalog.begin_cell()
    value, has_value = None, False
    with unfinished.effects:
        for unit in units:
            register_definitions(unit, collect_definitions(unit), state.definitions)
        names = [  # those of the cell itself: none is loaded from a module yet
            (kind, name) for kind, added in state.get_added_definitions(savepoint.state) for name, _ in added
        ]
        if SETTINGS in names:
            catalog.evaluate_settings_class(runtime)
        for unit in units:
            body = unit.compiled_source.tree.body
            value = LazyBody(unit, body)(state.top)
            has_value = _has_value(body, value)
    state.match = runtime.match
    defined = _list_definitions(state, savepoint)
    names += [("variable", name) for name in state.get_added_keys(savepoint.state, "variables")]
    change = program.advance_fixed_point(unfinished.effects) if defers else CatalogDifference()
    changed = [*change.added, *(after for _, after in change.changed)]
    typed_attributes = catalog.find_typed_attributes(changed)  # raises for some references in any dialect
    if runtime.dialect.rich_data:
        for resource, attribute, value_with_types in typed_attributes:
            catalog.check_written(resource, attribute, value_with_types)
    if runtime.dialect.converted_values or "ruby" in runtime.settings.permissions:
        for resource in changed:
            for message in catalog.collect_conversion_warnings(resource, runtime.dialect.converted_values):
                if runtime.settings.strict == "error":
                    raise make_catalog_error("VALUE_IS_NO_DATA", resource.span, warning=message)
                runtime.log("warning", message, resource.span)
    return unfinished._replace(
        value=value,
        has_value=has_value,
        defined=defined,
        names=frozenset(names),
        change=change,
        pending=program.pending,
    )


def compile_text(program: ProgramState, cell: Cell) -> Units:
    """Return the units of a cell's text, which is parsed when it changes. Raises PuppetError."""
    runtime = program.runtime
    limits = SOURCE.value, NESTING.value
    key = (cell.key, cell.name, cell.source, runtime.dialect, runtime.settings.strict, limits)

    def load() -> CompiledSource:
        source = program.parsed.get(key)
        if source is None:
            source = parse_text(runtime, cell)
            if len(cell.source) <= _LONGEST_CACHED:
                program.parsed[key] = source
        return source

    return make_units(runtime, load)


def parse_text(runtime: Runtime, cell: Cell) -> CompiledSource:
    """Parse and validate the text of a cell. Raises PuppetError."""
    return _parse(runtime, cell.source, runtime.dialect, cell.name, runtime.settings.interactive)


def make_units(runtime: Runtime, load: Callable[[], CompiledSource]) -> Units:
    """Return the units of a cell's source, and log what is only worth a warning in it."""
    return [CompilationUnit(runtime, runtime.load_source(load), runtime.dialect)]


def compile_environment(runtime: Runtime, cell: Cell) -> Units:
    """Return the units of the environment's manifests, and log remarks on its set-up.

    They are written for the released Puppet, as files of a module path are. From now on the node has the classes that
    the classification assigns. Raises PuppetError for names that cannot be those of classes.
    """
    if runtime.settings.classification is not None:
        catalog.check_class_names(runtime.settings.classification)
        runtime.state.catalog.classified = True
    directory = runtime.settings.directory
    if directory is None:
        return []
    for remark in directory.remarks:
        log_once(runtime, remark)
    sources, dialect = [], runtime.settings.dialect.of_modules
    for path in sandbox.list_manifests(runtime.settings, directory.manifest):
        text = _read_manifest(runtime, path)
        purpose = ("site manifest", dialect.name, runtime.settings.strict, SOURCE.value, NESTING.value)
        parse = partial(_parse, runtime, dialect=dialect, name=path, interactive=False)
        sources.append(runtime.load_source(partial(source_cache.load_text, path, text, purpose, parse)))
    return [CompilationUnit(runtime, one, dialect) for one in sources]


def _read_manifest(runtime: Runtime, path: str) -> str:
    span = None
    try:
        return sandbox.read_text(runtime.state.top, "file", path)
    except Failure as problem:
        reason = problem.arguments.get("reason", "it is not a regular file")
    except PuppetError as problem:
        if problem.code != "INVALID_UTF_8":
            raise
        reason, span = "it is not UTF-8", problem.span
    error = make_error("MANIFEST_NOT_READ", span, path=path, reason=reason)
    error.placeless = True
    raise error


def _parse(
    runtime: Runtime, text: str, dialect: Dialect, name: str | None, interactive: bool
) -> CompiledSource:
    settings = runtime.settings
    try:
        program = parse_bounded(
            text, dialect, name=name, interactive=interactive, strict=settings.strict, modulepath=None
        )
    except PuppetError as problem:
        problem.prefix = f"Could not parse for environment {settings.environment}: "
        raise
    return CompiledSource(program)


def _has_value(body: nodes.Node, value: Value) -> bool:
    """Return False if the last statement is a definition, or written for its effect.

    That is a statement whose value is undef and all of whose branches end with a call or a definition, at least one of
    them with a call. A method call (`$x.f`) is written for its value.
    """
    last = body.statements[-1] if isinstance(body, nodes.Block) else body
    if isinstance(last, _DEFINITIONS):
        return False
    kinds = {*map(type, _list_last_statements(last))}
    return value is not None or nodes.Call not in kinds or not kinds <= {nodes.Call, *_DEFINITIONS}


def _list_last_statements(body: nodes.Node) -> list[nodes.Node]:
    """Return the last statement of each branch of a statement; without branches, itself."""
    match body:
        case nodes.Block():
            parts = body.statements[-1:]
        case nodes.Conditional():
            parts = [body.then, body.otherwise]
        case nodes.Case():
            parts = [option.then for option in body.options]
        case _:
            return [body]
    return [last for part in parts for last in _list_last_statements(part)]


def _list_definitions(state: State, before: Savepoint) -> list[Name]:
    """Return the names of the definitions that were added since a savepoint, as written.

    Types of modules come first, in the order of their names: the order in which a session loads them depends on which
    types other sessions have loaded.
    """
    names: list[Name] = []
    loaded = state.definitions.loaded
    for kind, added in state.get_added_definitions(before.state):
        if kind == "type":
            added = sorted(added, key=lambda pair: pair[0] if pair[1].span.source.name in loaded else "")
        names += [(kind, _get_written_name(name, definition)) for name, definition in added]
    return names


def _get_written_name(name: str, definition: object) -> str:
    """Return the name of a definition as written; tables hold types in lower case."""
    node = getattr(definition, "node", None)
    return node.name if isinstance(node, nodes.TypeAlias) else name
