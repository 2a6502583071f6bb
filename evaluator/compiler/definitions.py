"""The definitions of a program, EPP templates, and bodies that are compiled on their first run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.compiler import analysis
from evaluator.compiler.emitter import Emitter, Unit, emits
from evaluator.compiler.functions import LateType, UserFunction
from evaluator.compiler.literals import NOT_CONSTANT, constant_value
from evaluator.compiler.templates import steps
from evaluator.compiler.unit import Reading
from evaluator.limits import NESTING, SOURCE
from evaluator.program import files
from evaluator.program.definitions import Definition, DefinitionParameter, Site
from evaluator.program.nesting import parse_bounded
from evaluator.program.scope import ENDED_EARLY, Scope
from evaluator.program.unwinding import NextIteration, ReturnValue
from lexer_parser import issues
from lexer_parser.dialect import PUPPET
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.validation.definitions import HOSTNAME_CHARACTERS
from lexer_parser.validation.modules import module_parts

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

_DEFINITIONS: frozenset[type[nodes.Node]] = frozenset(
    {nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.TypeAlias, nodes.TypeMapping}
)


# So many statements are compiled in one go, during which CPython hears of no interrupt.
_AT_ONCE = 500
# With fewer statements a program is not looked through for such as are alike.
_ALIKE = 8


class Body:
    """The body of a program, class, define or node, or a parameter's default; compiled on its first run."""

    __slots__ = ("_compiled", "node", "template", "unit")

    def __init__(self, unit: Unit, node: nodes.Node, *, template: bool = False) -> None:
        self.unit = unit
        self.node = node
        self.template = template
        self._compiled: Any = None

    def __call__(self, scope: Scope) -> Any:
        if self._compiled is None:
            run = self._of_alike(scope)
            if run is not None:
                return run(scope)
            compiled = self._compile()
            if scope.kind not in ("top", "template"):  # what runs again, perhaps among other definitions
                scope.runtime.state.learnt.append(self)
            self._compiled = compiled
        if scope.kind in ENDED_EARLY:
            try:
                return self._compiled(scope)
            except (NextIteration, ReturnValue) as signal:
                return signal.value
        return self._compiled(scope)

    def forget(self) -> Any:
        """Compiles anew on the next run; see `State.learnt`."""
        known, self._compiled = self._compiled, None
        return known

    def recall(self, known: Any) -> None:
        """Takes back what `forget` gave."""
        self._compiled = known

    def _of_alike(self, scope: Scope) -> Any:
        """What runs a body of statements that are alike, this once; None when it is to be compiled in the usual way.

        Who follows the program line by line, now or later, finds the usual code; and so do caches, and whoever runs a
        body for which it is there.
        """
        node, unit = self.node, self.unit
        statements = node.statements if isinstance(node, nodes.Block) else [node]
        if (
            scope.kind not in ("top", "class")
            or (node, "body") in unit.reading.codes
            or unit.reading.on_growth is not None
            or sys.gettrace() is not None
            or (scope.kind == "top" and len(statements) < _ALIKE)
        ):
            return None
        found = steps(unit, statements, self._statements)
        if not found:
            return None

        def run(scope: Scope) -> Any:
            value = None
            for step in found:
                value = step(scope)
            return value

        return run

    def _compile(self) -> Any:
        node = self.node
        if not isinstance(node, nodes.Block) or len(node.statements) <= _AT_ONCE or self.template:
            return self._function(node, "template" if self.template else "body")
        return self._statements(node.statements)

    def _statements(self, statements: list[nodes.Node]) -> Any:
        """The Python function for some statements of the body."""
        chunks = (statements[i : i + _AT_ONCE] for i in range(0, len(statements), _AT_ONCE))
        *firsts, last = [
            self._function(nodes.Block(chunk[0].start, chunk[-1].end, chunk), "") for chunk in chunks
        ]

        if not firsts:
            return last

        def run(scope: Scope) -> Any:
            for part in firsts:
                part(scope)
            return last(scope)

        return run

    def _function(self, node: nodes.Node, form: str) -> Any:
        """The Python function for a body or a part of it."""

        def make(emitter: Emitter) -> ast.FunctionDef:
            emitter.at(node)
            position = emitter.position
            body = _template_statements(emitter, node) if self.template else emitter.statements(node, True)
            emitter.position = position
            return emitter.function("body_", ["scope"], [*emitter.frame.prologue, *body])

        return self.unit.compiled(node, form, make)


def _template_statements(emitter: Emitter, node: nodes.Node) -> list[ast.stmt]:
    start = emitter.assign("out", emitter.py_list([]))
    body = emitter.statements(node, False)
    end = ast.Return(emitter.call("RENDERED", emitter.name("out")), **emitter.position)
    return [start, *body, end]


@emits(*_DEFINITIONS)
def definition(emitter: Emitter, node: nodes.Node) -> ast.expr:
    """Definitions are registered before the program runs; where they stand they do nothing."""
    return emitter.literal(None)


@emits(nodes.RenderText)
def render_text(emitter: Emitter, node: nodes.RenderText) -> ast.expr:
    emitter.at(node)
    return emitter.call("RENDER", emitter.name("out"), emitter.literal(node.value))


@emits(nodes.Render)
def render(emitter: Emitter, node: nodes.Render) -> ast.expr:
    value = emitter.expression(node.expr)
    emitter.at(node)
    return emitter.call("RENDER", emitter.name("out"), value)


@emits(nodes.Epp)
def epp(emitter: Emitter, node: nodes.Epp) -> ast.expr:
    return emitter.expression(node.body)


# --- what a program defines


def definitions(unit: Unit, program: nodes.Program, module_name: str = "") -> list[Any]:
    """All definitions of a program in source order: Definition, UserFunction and nodes.TypeAlias objects."""
    found: list[Any] = []
    # Validation leaves definitions only where statements of the program or of a class stand.
    stack: list[Any] = [program.body]
    while stack:
        node = stack.pop()
        if isinstance(node, nodes.Block):
            stack += node.statements[::-1]
        elif type(node) in _DEFINITIONS:
            found.append(_define(unit, node, module_name))
            if isinstance(node, nodes.Class):
                stack.append(node.body)
    return found


def _define(unit: Unit, node: Any, module_name: str) -> Any:
    site = Site(unit.source, node)
    if isinstance(node, nodes.Function):
        return UserFunction(unit, node)
    if isinstance(node, nodes.TypeAlias | nodes.TypeMapping):
        return node
    body = Body(unit, node.body)
    if isinstance(node, nodes.NodeDefinition):
        return Definition("node", "", site, body, matches=tuple(_host(unit, match) for match in node.matches))
    parameters = parameters_of(unit, node.parameters)
    kind = "class" if isinstance(node, nodes.Class) else "define"
    parent = node.parent.removeprefix("::") if isinstance(node, nodes.Class) and node.parent else None
    return Definition(
        kind, node.name.lower(), site, body, parameters=parameters, parent=parent, module_name=module_name
    )


def _host(unit: Unit, node: nodes.Node) -> Any:
    value = constant_value(Emitter(unit), node)
    return value if value is not NOT_CONSTANT else _interpolated_host(unit, node)


def _interpolated_host(unit: Unit, node: nodes.Node) -> Callable[[Scope], str]:
    """The name of a node once its parts are known, which must look like one of a host then."""
    body = Body(unit, node)

    def evaluate(scope: Scope) -> str:
        name: str = body(scope)
        if not HOSTNAME_CHARACTERS.issuperset(name):
            raise issues.error("ILLEGAL_HOSTNAME_CHARS", Span(unit.source, node.start, node.end), name=name)
        return name

    return evaluate


def parameters_of(unit: Unit, parameters: list[nodes.Parameter]) -> tuple[DefinitionParameter, ...]:
    """The declared parameters of a class, define or template."""
    return tuple(_parameter(unit, parameter) for parameter in parameters)


def _parameter(unit: Unit, node: nodes.Parameter) -> DefinitionParameter:
    make = unit.reading.parameters.get(node)
    if make is None:
        make = unit.reading.parameters[node] = _maker(unit, node)
    return make(unit)


def _maker(unit: Unit, node: nodes.Parameter) -> Callable[[Unit], DefinitionParameter]:
    """What makes a parameter for a program; one with a type and a default that are known belongs to all programs."""
    name = node.name
    type_of, type_known = _part(unit, node.type, lambda unit, part: LateType(unit, part).resolve)
    default, default_known = _part(unit, node.default, _default)
    if type_known and default_known:
        found = DefinitionParameter(name, type_of(unit), default(unit))
        return lambda unit: found
    return lambda unit: DefinitionParameter(name, type_of(unit), default(unit))


def _part(
    unit: Unit, node: nodes.Node | None, late: Callable[[Unit, nodes.Node], Any]
) -> tuple[Callable[[Unit], Any], bool]:
    """What makes a part of a parameter for a program, and whether it is the same for all; `late` makes it when not."""
    if node is None:
        return lambda unit: None, True
    value = constant_value(Emitter(unit), node)
    if value is NOT_CONSTANT:
        return lambda unit: late(unit, node), False

    def constant(scope: Scope) -> Any:
        return value

    return lambda unit: constant, True


def _default(unit: Unit, node: nodes.Node) -> Callable[[Scope], Any]:
    body = Body(unit, node)
    return _matching_alone(body) if analysis.may_match(node, unit.reading.matching) else body


def _matching_alone(body: Body) -> Callable[[Scope], Any]:
    """A default of which the match variables are seen neither by other defaults nor by the body."""

    def evaluate(scope: Scope) -> Any:
        before = scope.runtime.match
        try:
            return body(scope)
        finally:
            scope.runtime.match = before

    return evaluate


__all__ = ["Body", "definitions", "parameters_of"]


# --- EPP templates -------------------------------------------------------------------------------------------


class Template:
    """A template ready to be rendered.

    parameters  its DefinitionParameters;  declares  true when it has a parameter list, even an empty one
    """

    __slots__ = ("body", "declares", "parameters")

    def __init__(self, runtime: Program, text: str, name: str | None) -> None:
        in_module = name is not None and module_parts(name, runtime.settings.modulepath) is not None
        dialect = PUPPET if in_module else runtime.dialect  # modules are written in the language as released

        def read(text: str) -> Reading:
            return Reading(parse_bounded(text, dialect, epp=True, name=name))

        purpose = "template", dialect.name, SOURCE.value, NESTING.value
        reading = read(text) if name is None else files.made_of(name, text, purpose, read)
        program = reading.program
        unit = Unit(runtime, reading, dialect)
        lambda_ = program.body
        assert isinstance(lambda_, nodes.Lambda) and isinstance(lambda_.body, nodes.Epp)
        self.parameters = parameters_of(unit, lambda_.parameters)
        self.declares = lambda_.body.parameters_given
        self.body = Body(unit, lambda_.body.body, template=True)

    def render(self, scope: Scope) -> Any:
        """The text, rendered in a scope that holds the parameters; Sensitive when a rendered value was."""
        return self.body(scope)
