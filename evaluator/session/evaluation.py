"""The evaluation of one cell: parse, register what it defines, run its statements, settle what is evaluated late."""

from __future__ import annotations

from typing import Any

from evaluator.compiler.definitions import Body
from evaluator.compiler.emitter import Unit
from evaluator.program.nesting import parse_bounded
from evaluator.program.outside import answering
from evaluator.program.state import State
from evaluator.running.registration import register
from evaluator.running.runtime import Runtime
from evaluator.session.cells import Cell
from evaluator.session.world import Moment, World
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes

_KINDS = {"class": "classes", "define": "defines", "function": "functions", "type": "types"}
_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias, nodes.Nop)


def evaluate(world: World, cell: Cell) -> None:
    """Evaluates a cell after what the world holds, and fills in its outcome.

    Raises what the cell raises, and whatever stops it; the world is to be cut to `cell.moment` then.
    """
    runtime, outcome = world.runtime, cell.outcome
    runtime.logs, runtime.written, runtime.answers = outcome.logs, 0, {}
    cell.moment = world.moment()
    world.enter()
    state = world.state
    state.catalog.begin()
    program = _parse(runtime, cell)
    if runtime.settings.interactive:
        cell.text_of(program.source)
    for warning in program.warnings:
        runtime.log("warning", warning.message, warning.span)
    unit = Unit(runtime, program.source, runtime.dialect)
    with answering(cell.answers):
        register(unit, program, state.definitions)
        outcome.value = Body(unit, program.body)(state.top)
    outcome.has_value = _is_looked_at(program.body, outcome.value)
    state.match = runtime.match
    outcome.defined = _defined(state, cell.moment)
    outcome.change = world.settle(cell.answers)
    outcome.pending = world.pending


def _parse(runtime: Runtime, cell: Cell) -> nodes.Program:
    try:
        return parse_bounded(
            cell.source,
            runtime.dialect,
            name=cell.name,
            interactive=runtime.settings.interactive,
            strict=runtime.settings.strict,
        )
    except PuppetError as error:
        error.prefix = f"Could not parse for environment {runtime.settings.environment}: "
        raise


def _is_looked_at(body: nodes.Node, value: Any) -> bool:
    """False when the last statement is a definition, or a call made for its effect that gave undef."""
    last = body.statements[-1] if isinstance(body, nodes.Block) else body
    if isinstance(last, _DEFINITIONS):
        return False
    return not (value is None and isinstance(last, nodes.Call | nodes.MethodCall))


def _defined(state: State, before: Moment) -> list[tuple[str, str]]:
    tables = ((kind, state.added(before.state, f"definitions.{table}")) for kind, table in _KINDS.items())
    return [(kind, name) for kind, found in tables for name, _ in found]
