"""Definitions of a program, EPP templates, and bodies compiled on their first run.

Specification: Catalog Expressions, "Class Definition", "Resource Type Definition" and "Node Definition".
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.compiler import analysis
from evaluator.compiler.compiled_source import CompiledSource
from evaluator.compiler.emitter import EXPRESSIONS, CodeEmitter, CompilationUnit
from evaluator.compiler.functions import DeferredType, UserFunction
from evaluator.compiler.literals import NOT_CONSTANT, fold_constant
from evaluator.compiler.templates import Step, make_steps
from evaluator.limits import NESTING, SOURCE
from evaluator.program import source_cache
from evaluator.program.definitions import (
    ENDED_EARLY,
    Definition,
    DefinitionParameter,
    NextIteration,
    ReturnValue,
    Scope,
    Site,
)
from evaluator.program.source_cache import parse_bounded
from evaluator.values import Value
from lexer_parser import issues
from lexer_parser.record import Record
from lexer_parser.source import INLINE_TEMPLATE, Span
from lexer_parser.tree import nodes
from lexer_parser.validation.definitions import HOSTNAME_CHARACTERS
from lexer_parser.validation.module_files import split_module_path

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

DefinitionNode = (
    nodes.Class | nodes.Define | nodes.Function | nodes.NodeDefinition | nodes.TypeAlias | nodes.TypeMapping
)
ProgramDefinition = Definition | UserFunction | nodes.TypeAlias | nodes.TypeMapping

_DEFINITIONS: frozenset[type[nodes.Node]] = frozenset(
    {nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias, nodes.TypeMapping}
)


# Statements that are compiled by one call, during which CPython handles no interrupt.
_CHUNK_SIZE = 500
# The kinds of scopes whose bodies never run again. A class body runs once in each state: it runs again after an edit.
_RUN_ONCE = frozenset({"top", "template"})
# The kinds of scopes whose statements may run by the templates of their shapes, because they run once in a state.
_RUN_BY_SHAPES = frozenset({"top", "class"})
# Smaller programs are not searched for statements of the same shape.
_LEAST_FOR_SHAPES = 8


class LazyBody(Record):
    """A body of a program, class, define or node, or a default; compiled on its first run.

    Attributes:
        is_epp: True for the body of an EPP template, whose value is the rendered text.
        ended_kinds: The kinds of scopes in which `next` and `return` end this body.
    """

    unit: CompilationUnit
    node: nodes.Node
    is_epp: bool = False
    ended_kinds: frozenset[str] = ENDED_EARLY
    _compiled: Step | None = None

    def __call__(self, scope: Scope) -> Value:
        run = self._compiled or self._make_shape_runner(scope)
        if run is None:
            run = self._compiled = self._compile()
            if scope.kind not in _RUN_ONCE:  # others run again, and definitions may have changed by then
                scope.runtime.state.deferred_results.append(self)
        if scope.kind in self.ended_kinds:
            try:
                return run(scope)
            except (NextIteration, ReturnValue) as signal:
                return signal.value
        return run(scope)

    def forget(self) -> Step | None:
        """Discard the compiled code and return it; see `State.deferred_results`."""
        compiled, self._compiled = self._compiled, None
        return compiled

    def recall(self, compiled: Step | None) -> None:
        """Restore what `forget` returned."""
        self._compiled = compiled

    def _make_shape_runner(self, scope: Scope) -> Step | None:
        """Return a function that runs the statements once, by the templates of their shapes.

        None is returned if the body is to be compiled as a whole instead: if it is short or may run more than once in a
        state, if the code exists already or is stored for other processes, and if a debugger traces the program.
        """
        node, unit = self.node, self.unit
        statements = node.statements if isinstance(node, nodes.Block) else [node]
        if (
            scope.kind not in _RUN_BY_SHAPES
            or (node, "body") in unit.compiled_source.compiled
            or unit.compiled_source.on_growth is not None
            or sys.gettrace() is not None
            or (scope.kind == "top" and len(statements) < _LEAST_FOR_SHAPES)
        ):
            return None
        steps = make_steps(unit, statements, self._compile_statements)
        return _join_steps(steps) if steps else None

    def _compile(self) -> Step:
        node = self.node
        if not isinstance(node, nodes.Block) or len(node.statements) <= _CHUNK_SIZE or self.is_epp:
            return self._compile_part(node, "template" if self.is_epp else "body")
        return self._compile_statements(node.statements)

    def _compile_statements(self, statements: list[nodes.Node]) -> Step:
        """Return the Python function for some statements of the body."""
        chunks = (statements[i : i + _CHUNK_SIZE] for i in range(0, len(statements), _CHUNK_SIZE))
        steps = [
            self._compile_part(nodes.Block(chunk[0].start, chunk[-1].end, chunk), "") for chunk in chunks
        ]
        return steps[0] if len(steps) == 1 else _join_steps(steps)

    def _compile_part(self, node: nodes.Node, form: str) -> Step:
        """Return the Python function for a body or a part of it, by `compile_function`."""

        def make(emitter: CodeEmitter) -> ast.FunctionDef:
            body = _emit_epp_body(emitter, node) if self.is_epp else emitter.emit_statements(node, True)
            return emitter.build_function("body_", ["scope"], [*emitter.frame.prologue, *body])

        return self.unit.compile_function(node, form, make)


def _join_steps(steps: list[Step]) -> Step:
    """Return a function that runs steps in order and returns the value of the last."""

    def run(scope: Scope) -> Value:
        value = None
        for step in steps:
            value = step(scope)
        return value

    return run


def _emit_epp_body(emitter: CodeEmitter, node: nodes.Node) -> list[ast.stmt]:
    return [
        emitter.assign("out", emitter.py_list([])),
        *emitter.emit_statements(node, False),
        ast.Return(emitter.call("RENDERED", emitter.name("out")), **emitter.position),
    ]


# Definitions are registered before the program runs.
EXPRESSIONS.update(dict.fromkeys(_DEFINITIONS, EXPRESSIONS[nodes.Nop]))
EXPRESSIONS |= {
    nodes.Epp: lambda emitter, node: emitter.emit_expression(node.body),
    nodes.Render: lambda emitter, node: emitter.call(
        "RENDER", emitter.name("out"), emitter.emit_expression(node.expr)
    ),
    nodes.RenderText: lambda emitter, node: emitter.call(
        "RENDER", emitter.name("out"), emitter.literal(node.value)
    ),
}


# --- definitions of a program


def collect_definitions(unit: CompilationUnit, module_name: str = "") -> list[ProgramDefinition]:
    """Return the definitions of a unit in source order.

    Args:
        module_name: The module to which the unit belongs; "" for none.
    """
    definitions: list[Any] = []
    # Validation accepts definitions only among the statements of a program or class.
    stack: list[Any] = [unit.compiled_source.tree.body]
    while stack:
        node = stack.pop()
        if isinstance(node, nodes.Block):
            stack += node.statements[::-1]
        elif type(node) in _DEFINITIONS:
            definitions.append(_make_definition(unit, node, module_name))
            if isinstance(node, nodes.Class):
                stack.append(node.body)
    return definitions


def _make_definition(unit: CompilationUnit, node: DefinitionNode, module_name: str) -> ProgramDefinition:
    site = Site(unit.source, node)
    if isinstance(node, nodes.Function):
        return UserFunction(unit, node)
    if isinstance(node, nodes.TypeAlias | nodes.TypeMapping):
        return node
    body = LazyBody(unit, node.body)
    if isinstance(node, nodes.NodeDefinition):
        return Definition(
            "node", "", site, body, matches=tuple(_make_host(unit, match) for match in node.matches)
        )
    parameters = make_parameters(unit, node.parameters)
    kind = "class" if isinstance(node, nodes.Class) else "define"
    parent = node.parent.removeprefix("::") if isinstance(node, nodes.Class) and node.parent else None
    return Definition(
        kind, node.name.lower(), site, body, parameters=parameters, parent=parent, module_name=module_name
    )


def _make_host(unit: CompilationUnit, node: nodes.Node) -> Value:
    value = fold_constant(CodeEmitter(unit), node)
    return value if value is not NOT_CONSTANT else _make_interpolated_host(unit, node)


def _make_interpolated_host(unit: CompilationUnit, node: nodes.Node) -> Callable[[Scope], str]:
    """Return a function that evaluates an interpolated node name and checks its characters."""
    body = LazyBody(unit, node)

    def evaluate(scope: Scope) -> str:
        name: str = body(scope)
        if not HOSTNAME_CHARACTERS.issuperset(name):
            raise issues.make_error(
                "ILLEGAL_HOSTNAME_CHARS", Span(unit.source, node.start, node.end), name=name
            )
        return name

    return evaluate


def make_parameters(
    unit: CompilationUnit, parameters: list[nodes.Parameter]
) -> tuple[DefinitionParameter, ...]:
    """Return the declared parameters of a class, define or template."""
    if not parameters:
        return ()
    shared = unit.compiled_source.parameters.get(parameters[0])
    if shared is None:
        shared = unit.compiled_source.parameters[parameters[0]] = tuple(
            [
                DefinitionParameter(node.name, _fold_part(unit, node.type), _fold_part(unit, node.default))
                for node in parameters
            ]
        )
    return tuple([_complete_parameter(unit, *pair) for pair in zip(parameters, shared, strict=True)])


def _fold_part(unit: CompilationUnit, node: nodes.Node | None) -> Callable[[Scope], Value] | None:
    """Return a function that returns the constant type or default of a parameter.

    Returns:
        None for a parameter without a type or default, NOT_CONSTANT for one that depends on the program.
    """
    value = None if node is None else fold_constant(CodeEmitter(unit), node)
    return value if node is None or value is NOT_CONSTANT else lambda scope: value


def _complete_parameter(
    unit: CompilationUnit, node: nodes.Parameter, shared: DefinitionParameter
) -> DefinitionParameter:
    """Return the parameter for the program of a unit: the shared one if it is constant."""
    type_of, default = shared.type_of, shared.default
    has_deferred_type = type_of is NOT_CONSTANT
    if not has_deferred_type and default is not NOT_CONSTANT:
        return shared
    if node.type is not None and has_deferred_type:
        type_of = DeferredType(unit, node.type).resolve
    if node.default is not None and default is NOT_CONSTANT:
        default = _make_default(unit, node.default)
    return DefinitionParameter(node.name, type_of, default, has_deferred_type)


_ENDED_IN_DEFAULT = frozenset({"template"})  # the kinds of scopes in which `next` and `return` end a default


def _make_default(unit: CompilationUnit, node: nodes.Node) -> Callable[[Scope], Value]:
    body = LazyBody(unit, node, ended_kinds=_ENDED_IN_DEFAULT)
    return _isolate_match(body) if analysis.may_match(node, unit.compiled_source.may_match) else body


def _isolate_match(body: LazyBody) -> Callable[[Scope], Value]:
    """Return a default or template whose match variables end with it."""

    def evaluate(scope: Scope) -> Value:
        before = scope.runtime.match
        try:
            return body(scope)
        finally:
            scope.runtime.match = before

    return evaluate


# --- EPP templates -------------------------------------------------------------------------------------------


class EppTemplate:
    """A compiled EPP template.

    Attributes:
        parameters: Its DefinitionParameters.
        has_parameter_list: True when it has one, even an empty one.
        render: Returns the rendered text for a scope that contains the parameters; Sensitive when a rendered value was.
            Raises NextIteration and ReturnValue when the template ends early.
        warnings: The warnings about it.
    """

    def __init__(self, runtime: Runtime, text: str, name: str | None) -> None:
        modulepath, strict = runtime.settings.modulepath, runtime.settings.strict
        in_module = name is not None and split_module_path(name, modulepath) is not None
        dialect = runtime.settings.dialect.of_modules if in_module else runtime.dialect

        purpose = "template", dialect.name, strict, modulepath, SOURCE.value, NESTING.value

        def read(text: str) -> CompiledSource:
            shown = name or INLINE_TEMPLATE
            return CompiledSource(parse_bounded(text, dialect, epp=True, name=shown, strict=strict))

        def load() -> CompiledSource:
            return read(text) if name is None else source_cache.load_text(name, text, purpose, read)

        source = runtime.load_source(load)
        self.warnings = source.tree.warnings
        unit = CompilationUnit(runtime, source, dialect)
        lambda_ = source.tree.body
        assert isinstance(lambda_, nodes.Lambda) and isinstance(lambda_.body, nodes.Epp)
        self.parameters = make_parameters(unit, lambda_.parameters)
        self.has_parameter_list = lambda_.body.parameters_given
        self.render = _isolate_match(LazyBody(unit, lambda_.body.body, is_epp=True, ended_kinds=frozenset()))
