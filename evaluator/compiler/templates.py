"""Statement templates: statements that differ in constants only are compiled once.

A generated program is thousands of resources and relationships of a few shapes, each of which runs once, so
that compiling takes nearly all of its time. The first statement of a shape is compiled with its constants as
globals (hash consing by shape). The others run the same code with globals of their own, and places in it map
to the same nodes of theirs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from evaluator.calling.registry import to_plain_name
from evaluator.compiler.calls import CONTROL
from evaluator.compiler.compiled_source import do_assumptions_hold
from evaluator.compiler.emitter import CodeEmitter, CompilationUnit
from evaluator.compiler.literals import NOT_CONSTANT, fold_constant
from evaluator.program.definitions import Scope, Site
from evaluator.types import find_builtin_type
from evaluator.values import Value
from lexer_parser.record import Record, fresh
from lexer_parser.source import Span
from lexer_parser.tree import nodes

# The number of statements of one shape from which on they share a template, and the minimum average length of a run of
# statements with templates: isolated statements take longer to compile.
_MIN_STATEMENTS = 3
_MIN_RUN = 4
_MAX_NODES = 500  # nodes of a statement, including nested ones

Step = Callable[[Scope], Value]


class _NotTemplatable(Exception):
    """Raised for a statement whose code may depend on its constants."""


# --- shapes


class _ShapeReader(Record):
    """A reader of the shape of a statement: its structure without constants.

    Attributes:
        shape: The kinds of the nodes in their order, and everything else that determines their code.
        constants: Values and sites that differ among the statements of the shape, in the order of the nodes.
        visited: The nodes in their order.
        slots: "value" or "site", and the node, for each entry of `constants`.
    """

    emitter: CodeEmitter
    shape: list[Any] = fresh(factory=list)
    constants: list[Any] = fresh(factory=list)
    visited: list[nodes.Node] = fresh(factory=list)
    slots: list[tuple[str, nodes.Node]] = fresh(factory=list)

    def read(self, node: nodes.Node) -> None:
        """Read a node. Raises _NotTemplatable."""
        kind = type(node)
        read = _READERS.get(kind)
        if read is None or len(self.visited) > _MAX_NODES:
            raise _NotTemplatable
        self.shape.append(kind)
        self.visited.append(node)
        read(self, node)

    def _add_slot(self, what: str, node: nodes.Node, value: Value | Site) -> None:
        self.constants.append(value)
        self.slots.append((what, node))

    def _read_string(self, node: nodes.String) -> None:
        self.shape.append(not node.value)
        self._add_slot("value", node, node.value)

    def _read_exactly(self, node: nodes.Node) -> None:
        """Read a node without parts all of whose fields determine the code."""
        self.shape += [getattr(node, field) for field in node.fields]

    def _read_folded(self, node: nodes.Node) -> None:
        """Read a node that is a constant of the template, or whose parts are."""
        value = fold_constant(self.emitter, node)
        if value is NOT_CONSTANT:
            self._read_parts(node)
        else:
            self.shape.append("constant")
            self._add_slot("value", node, value)

    def _read_access(self, node: nodes.Access) -> None:
        if (
            type(node.left) is nodes.TypeName
            and find_builtin_type(node.left.value, self.emitter.dialect) is None
        ):
            self._read_parts(node)  # most operands are references to resources
        else:
            self._read_folded(node)

    def _read_parts(self, node: nodes.Node) -> None:
        for field in node.fields:
            part = getattr(node, field)
            if isinstance(part, nodes.Node):
                self.read(part)
            elif isinstance(part, list):
                self.shape.append(len(part))
                for child in part:
                    self.read(child)
            else:
                self.shape.append(part)

    def _read_attribute(self, node: nodes.Attribute) -> None:
        self.shape += (node.name, node.operator)
        self.read(node.value)

    def _read_located(self, node: nodes.Node) -> None:
        """Read a node whose code names its site."""
        self._add_slot("site", node, Site(self.emitter.unit.source, node))
        self._read_parts(node)

    def _read_resource(self, node: nodes.Resource) -> None:
        body = node.bodies[0]
        names = {getattr(operation, "name", None) for operation in body.operations}
        title = body.title
        plain = (type(title) is nodes.String or type(title) is nodes.Name) and title.value
        if len(node.bodies) > 1 or not plain or len(names) < len(body.operations):
            raise _NotTemplatable  # such titles are checked before the attributes are evaluated, or are errors
        self._read_located(node)

    def _read_call(self, node: nodes.Call) -> None:
        functor = node.functor
        if (
            node.block is not None
            or type(functor) is not nodes.Name
            or to_plain_name(functor.value) in CONTROL
        ):
            raise _NotTemplatable
        self.shape += (functor.value, len(node.arguments))
        for argument in node.arguments:
            self.read(argument)

    def _read_text(self, node: nodes.Text) -> None:
        if isinstance(node.expr, nodes.String):
            raise _NotTemplatable  # the string is merged into the text around it
        self.read(node.expr)


_READERS: dict[type[nodes.Node], Callable[[_ShapeReader, Any], None]] = {
    nodes.String: _ShapeReader._read_string,
    nodes.Attribute: _ShapeReader._read_attribute,
    nodes.Access: _ShapeReader._read_access,
    nodes.Resource: _ShapeReader._read_resource,
    nodes.Relationship: _ShapeReader._read_located,
    nodes.Call: _ShapeReader._read_call,
    nodes.Text: _ShapeReader._read_text,
    **dict.fromkeys((nodes.Array, nodes.Hash, nodes.Integer), _ShapeReader._read_folded),
    **dict.fromkeys((nodes.ResourceBody, nodes.Concat, nodes.Pair), _ShapeReader._read_parts),
    **dict.fromkeys(
        (nodes.Name, nodes.TypeName, nodes.Variable, nodes.Boolean, nodes.Undef, nodes.Default),
        _ShapeReader._read_exactly,
    ),
}


# --- templates


class StatementTemplate:
    """The code of the statements of one shape.

    Attributes:
        assumptions: The assumptions about the program on which the code depends, with their values.
    """

    def __init__(self, unit: CompilationUnit, statement: nodes.Node, read: _ShapeReader) -> None:
        emitter = CodeEmitter(unit)
        self._places = {id(node): place for place, node in enumerate(read.visited)}
        self._statement = statement  # holds the nodes, so that their ids stay valid
        self._slots = []
        for (what, node), value in zip(read.slots, read.constants, strict=True):
            self._slots.append(emitter.add_global(value))
            emitter.slots[what, id(node)] = self._slots[-1]
        emitter.move_to(statement)
        body: list[ast.stmt] = emitter.emit_statements(statement, True)
        function = emitter.compile_definition(
            emitter.build_function("body_", ["scope"], [*emitter.frame.prologue, *body])
        )
        self._code = function.__code__
        self._names = {**emitter.names, **unit.names}
        self.assumptions = emitter.assumptions

    def run(
        self, scope: Scope, unit: CompilationUnit, statement: nodes.Node, constants: list[Value | Site]
    ) -> Value:
        """Run a statement of the shape with its own constants."""
        names = self._names.copy()
        names.update(zip(self._slots, constants, strict=True))
        names["__unit__"] = _TemplateUnit(self, unit, statement)
        return FunctionType(self._code, names)(scope)

    def find_node(self, unit: CompilationUnit, statement: nodes.Node, node: nodes.Node | None) -> nodes.Node:
        """Return the node of a statement at the position of a node of the first statement."""
        reader = _ShapeReader(CodeEmitter(unit))
        reader.read(statement)
        return reader.visited[self._places.get(id(node), 0)]


class _TemplateUnit(Record):
    """The unit of a running template, which maps places to the statement that it runs for."""

    _template: StatementTemplate
    _unit: CompilationUnit
    _statement: nodes.Node

    def place(self, *position: int) -> tuple[nodes.Node | None, Span]:
        """Return the node and span of an instruction; see `CompilationUnit.place`."""
        node = self._template.find_node(self._unit, self._statement, self._unit.place(*position)[0])
        return node, Span(self._unit.source, node.start, max(node.end, node.start))


class StatementShape(Record):
    """The statements of one shape: their number, and their template once one has run."""

    count: int = 0
    template: StatementTemplate | None = None


# --- programs


def make_steps(
    unit: CompilationUnit, statements: list[nodes.Node], compiled: Callable[[list[nodes.Node]], Step]
) -> list[Step]:
    """Return functions that run the statements in order; an empty list if few share a shape.

    Args:
        compiled: Compiles statements without templates.
    """
    emitter = CodeEmitter(unit)
    shapes = [_read_shape(emitter, statement) for statement in statements]
    templated = [shape is not None and shape.count >= _MIN_STATEMENTS for shape, _ in shapes]
    # Statements without a template are compiled run by run, and each run costs the time of several templates.
    runs_of_others = sum(
        not is_templated and is_previous
        for is_previous, is_templated in zip([True, *templated], templated, strict=False)
    )
    if not (unit.uses_templates and all(templated)) and (
        sum(templated) < _MIN_STATEMENTS + _MIN_RUN * runs_of_others
    ):
        return []
    unit.uses_templates = True
    steps: list[Step] = []
    others: list[nodes.Node] = []
    for statement, (shape, reader), is_templated in zip(statements, shapes, templated, strict=True):
        if shape is None or not is_templated:
            others.append(statement)
            continue
        if others:
            steps.append(compiled(others))
            others = []
        steps.append(partial(_run_statement, unit, statement, shape, reader))
    if others:
        steps.append(compiled(others))
    return steps


def _read_shape(emitter: CodeEmitter, statement: nodes.Node) -> tuple[StatementShape | None, _ShapeReader]:
    """Return the shape of a statement, None where it has no template, and its reader."""
    reader = _ShapeReader(emitter)
    try:
        reader.read(statement)
    except _NotTemplatable:
        return None, reader
    shapes = emitter.unit.shapes
    key = tuple(reader.shape)
    shape: StatementShape | None = shapes.get(key)
    if shape is None:
        shape = shapes[key] = StatementShape()
    shape.count += 1
    return shape, reader


def _run_statement(
    unit: CompilationUnit, statement: nodes.Node, shape: StatementShape, reader: _ShapeReader, scope: Scope
) -> Value:
    template = shape.template
    if template is None or not do_assumptions_hold(unit.runtime, unit.dialect, template.assumptions):
        template = shape.template = StatementTemplate(unit, statement, reader)
    return template.run(scope, unit, statement, reader.constants)
