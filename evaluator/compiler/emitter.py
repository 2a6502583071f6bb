"""The code generator: builds Python syntax trees for Puppet code, with Puppet's positions.

A `CompilationUnit` is one source in a program: the globals that all its code shares, and the map from
positions to nodes. A `FunctionFrame` is one Python function in the making. A `CodeEmitter` walks Puppet
nodes; the modules beside this one register what each kind of node becomes: functions with `@emits`, and rows of
`EXPRESSIONS`.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from evaluator.compiler.compiled_source import (
    AssumedValue,
    Assumption,
    CompiledCode,
    CompiledSource,
    Origin,
    do_assumptions_hold,
    find_assumed_value,
)
from evaluator.issues import make_error
from evaluator.program.definitions import MISSING, Scope
from evaluator.values import Value
from lexer_parser.dialect import Dialect
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

Position = dict[str, Any]
LOAD = ast.Load()
STORE = ast.Store()
# Levels of nested statements up to which CPython compiles a function as it is. Deeper ones are outlined first: 10,000
# levels take seconds and, in CPython 3.13, gigabytes.
_MOST_LEVELS = 1000

# The function that emits each kind of node: as an expression, with (emitter, node), or as statements, with
# (emitter, node, returns).
EXPRESSIONS: dict[type[nodes.Node], Callable[[Any, Any], ast.expr]] = {}
STATEMENTS: dict[type[nodes.Node], Callable[[Any, Any, bool], list[ast.stmt]]] = {}


Emitted: TypeAlias = Any  # the result of an alternative: an expression, statements or nothing
Emit = TypeVar("Emit", bound=Callable[..., ast.expr])
EmitStatements = TypeVar("EmitStatements", bound=Callable[..., list[ast.stmt]])


def emits(*kinds: type[nodes.Node]) -> Callable[[Emit], Emit]:
    """Register a function `(emitter, node) -> ast.expr` for kinds of nodes."""

    def register(function: Emit) -> Emit:
        EXPRESSIONS.update(dict.fromkeys(kinds, function))
        return function

    return register


def emits_statement(*kinds: type[nodes.Node]) -> Callable[[EmitStatements], EmitStatements]:
    """Register a function `(emitter, node, returns) -> [ast.stmt]` for statements."""

    def register(function: EmitStatements) -> EmitStatements:
        STATEMENTS.update(dict.fromkeys(kinds, function))
        return function

    return register


class CompilationUnit:
    """A source in a program, with what it is compiled with.

    Attributes:
        names: The initial globals of all its code; `__unit__` leads from a frame of a traceback to this object.
        nodes: The node for each position of an instruction.
        shapes: The shapes of its statements; see `templates`.
        uses_templates: True when some statements share their code.
    """

    __slots__ = (
        "_bound",
        "compiled_source",
        "dialect",
        "filename",
        "names",
        "nodes",
        "runtime",
        "shapes",
        "source",
        "uses_templates",
    )

    def __init__(self, runtime: Runtime, compiled_source: CompiledSource, dialect: Dialect) -> None:
        self.runtime = runtime
        self.compiled_source = compiled_source
        self.source: Source = compiled_source.tree.source
        self.dialect = dialect
        self.filename = self.source.name or "<puppet>"
        # globals that all sources share are among Python's built-in names
        self.names: dict[str, Any] = {"__unit__": self, "__builtins__": runtime.get_globals(dialect)}
        self.nodes = compiled_source.nodes
        self.shapes: dict[tuple[Any, ...], Any] = {}
        self.uses_templates = False
        # Cached code with the globals of this unit.
        self._bound: dict[tuple[nodes.Node, str], FunctionType] = {}

    def place(self, line: int, column: int, end_line: int, end_column: int) -> tuple[nodes.Node | None, Span]:
        """Return the node for which an instruction was compiled, and its span."""
        start, end = self.source.offset(line, column + 1), self.source.offset(end_line, end_column + 1)
        return self.nodes.get((line, column, end_line, end_column)), Span(self.source, start, end)

    def compile_function(
        self, node: nodes.Node, form: str, make: Callable[[CodeEmitter], ast.FunctionDef]
    ) -> FunctionType:
        """Return the Python function for a node: cached code, or what `make` emits.

        Args:
            form: A word for the form in which the node is compiled, such as "body", which is part of the cache key; ""
                for code that is not cached.
            make: Emits the definition of the function.
        """
        cached = self.compiled_source.find_code(node, form, self)
        if cached is not None and do_assumptions_hold(self.runtime, self.dialect, cached.assumptions):
            bound = self._bound.get((node, form))
            if bound is None or bound.__code__ is not cached.code:
                bound = self._bound[node, form] = cached.bind(self.names)
            return bound
        emitter = CodeEmitter(self)
        emitter.move_to(node)
        function = emitter.compile_definition(make(emitter))
        if emitter.shared and form:
            parts = emitter.names, emitter.assumptions, emitter.origins
            code = CompiledCode(function.__code__, function.__defaults__, *parts)
            self.compiled_source.add_code(node, form, code)
        return function


class FunctionFrame:
    """A Python function that is being emitted.

    Attributes:
        kind: "scope": variables are in the Scope that the function receives as `scope`; "function" and
            "lambda": variables are Python locals.
        assigned: Variable name -> "yes" (certainly assigned at this position) or "maybe".
        maybes: The names that were "maybe" at any position; their Python locals start as MISSING.
        depth: The number of frames around this one.
        temporaries: The number of temporary Python locals so far.
        prologue: Nested function definitions, placed before the body.
        integers: Python locals that certainly contain integers.
        is_hot: True if the function probably runs many times, so that faster code is worth its size.
        uses_scope: True if its code needs the Scope in which it runs.
        memo: In a block of `reduce`, the Python local that contains the memo.
        unset: While a default is emitted: the parameters without a value, with the owner and the parameter that an
            error names.
    """

    __slots__ = (
        "assigned",
        "depth",
        "integers",
        "is_hot",
        "kind",
        "maybes",
        "memo",
        "outer",
        "prologue",
        "temporaries",
        "unset",
        "uses_scope",
    )

    def __init__(self, kind: str, outer: FunctionFrame | None = None) -> None:
        self.kind = kind
        self.outer = outer
        self.depth: int = outer.depth + 1 if outer else 0
        self.assigned: dict[str, str] = {}
        self.maybes: set[str] = set()
        self.prologue: list[ast.stmt] = []
        self.integers: set[str] = set()
        self.memo = ""
        self.unset: dict[str, tuple[str, str]] = {}
        self.temporaries = 0
        self.is_hot = kind != "scope"
        self.uses_scope = False

    def local(self, name: str) -> str:
        """Return the Python name of a Puppet variable that is local to this frame."""
        return f"v{self.depth}_{name}"


class CodeEmitter:
    """A builder of the Python expressions and statements of one function.

    Methods that are named after a Python construct build it at the current position, which is that of the node
    that is being emitted.

    Attributes:
        names: Globals of the function in addition to those of its unit.
        assumptions: The assumptions about the program that the code depends on, with their values.
        origins: For some globals, how they can be recreated.
        slots: In a template, the globals for the parts that differ among statements of its shape, by "value" or "site"
            and the id of the node; see `templates`.
        shared: False if the function can be used only by this program.
    """

    def __init__(self, unit: CompilationUnit) -> None:
        self.unit = unit
        self.dialect = unit.dialect
        self.names: dict[str, Any] = {}
        self.assumptions: dict[Assumption, AssumedValue] = {}
        self.origins: dict[str, Origin] = {}
        self.slots: dict[tuple[str, int], str] = {}
        self.shared = True
        self.frame = FunctionFrame("scope")
        self._line_starts = unit.source.line_starts
        self.position: Position = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
        self.level = self.deepest = 0  # nested statements: around the current position, and at most so far

    # --- nodes

    def emit_expression(self, node: nodes.Node) -> ast.expr:
        """Return the Python expression for a node, built at its position."""
        outer = self.position
        self.move_to(node)
        expression = self.find_slot("value", node) or EXPRESSIONS[type(node)](self, node)
        self.position = outer
        return expression

    def emit_statements(self, node: nodes.Node, returns: bool) -> list[ast.stmt]:
        """Return Python statements for a node; with `returns` they return its value."""
        outer = self.position
        self.move_to(node)
        emit = STATEMENTS.get(type(node))
        if emit is None:
            statements = self.evaluate(self.emit_expression(node), returns)
        else:
            self.level += 1
            if self.level > self.deepest:
                self.deepest = self.level
            statements = emit(self, node, returns)
            self.level -= 1
        self.position = outer
        return statements

    @contextmanager
    def at(self, node: nodes.Node) -> Iterator[None]:
        """Build at the position of another node for the duration of a `with` statement."""
        outer = self.position
        self.move_to(node)
        yield
        self.position = outer

    def move_to(self, node: nodes.Node) -> None:
        """Set the current position to a node, and record the node for the position."""
        starts, start, end = self._line_starts, node.start, max(node.start, node.end)
        line = end_line = bisect_right(starts, start)
        if line < len(starts) and end >= starts[line]:  # most nodes end on the line where they begin
            end_line = bisect_right(starts, end)
        column, end_column = start - starts[line - 1], end - starts[end_line - 1]
        self.unit.nodes[line, column, end_line, end_column] = node
        self.position = {
            "lineno": line,
            "col_offset": column,
            "end_lineno": end_line,
            "end_col_offset": end_column,
        }

    # --- Python expressions at the current position

    def name(self, name: str) -> ast.expr:
        return ast.Name(name, LOAD, **self.position)

    def literal(self, value: Value) -> ast.expr:
        """Return a Python literal: None, a bool, number or string."""
        return ast.Constant(value, **self.position)

    def constant(self, value: Value, origin: Origin | None = None) -> ast.expr:
        """Return an expression for a constant value, stored in a global."""
        return self.name(self.add_global(value, origin=origin))

    def add_global(self, value: Value, prefix: str = "K", origin: Origin | None = None) -> str:
        """Add a global with a value and return its name.

        Args:
            origin: How another process can recreate the value.
        """
        name = f"{prefix}{len(self.names) + 1}"
        self.names[name] = value
        if origin is not None:
            self.origins[name] = origin
        return name

    def find_slot(self, kind: str, node: nodes.Node) -> ast.expr | None:
        """Return an expression for the slot of a node in a template; None if it has none.

        Args:
            kind: "value" or "site".
        """
        name = self.slots.get((kind, id(node)))
        return None if name is None else self.name(name)

    def assume(self, kind: str, name: str) -> AssumedValue:
        """Return the value of an assumption, and record that the code depends on it.

        Args:
            kind: The kind of assumption; see `compiled_source`.
        """
        assumption = (kind, name)
        if assumption not in self.assumptions:
            self.assumptions[assumption] = find_assumed_value(self.unit.runtime, self.dialect, assumption)
        return self.assumptions[assumption]

    def call(self, function: str, *arguments: ast.expr) -> ast.expr:
        """Return a call of a global, most often of a support function."""
        return ast.Call(self.name(function), list(arguments), [], **self.position)

    def method(self, variable: str, name: str) -> ast.expr:
        """Return a call without arguments of a method of the value in a Python variable."""
        return ast.Call(self.attribute(variable, name), [], [], **self.position)

    def attribute(self, variable: str, name: str) -> ast.expr:
        """Return `variable.name`."""
        return ast.Attribute(self.name(variable), name, LOAD, **self.position)

    def match(self) -> ast.expr:
        """Return an expression for the last match of a regular expression in the running program."""
        return self.attribute("RUNTIME", "match")

    def set_match(self, match: ast.expr) -> ast.stmt:
        """Return a statement that sets the last match."""
        target = ast.Attribute(self.name("RUNTIME"), "match", STORE, **self.position)
        return ast.Assign([target], match, **self.position)

    def py_list(self, items: list[ast.expr]) -> ast.expr:
        return ast.List(items, LOAD, **self.position)

    def py_tuple(self, items: list[ast.expr]) -> ast.expr:
        return ast.Tuple(items, LOAD, **self.position)

    def if_else(self, test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
        return ast.IfExp(test, then, otherwise, **self.position)

    def all_of(self, *tests: ast.expr) -> ast.expr:
        """Return `a and b and …`; `True` for no tests."""
        if len(tests) < 2:
            return tests[0] if tests else self.literal(True)
        return ast.BoolOp(ast.And(), list(tests), **self.position)

    def bind(self, name: str, value: ast.expr) -> ast.expr:
        """Return `(name := value)`."""
        return ast.NamedExpr(ast.Name(name, STORE, **self.position), value, **self.position)

    def evaluate(self, value: ast.expr, returns: bool) -> list[ast.stmt]:
        """Return the statement that evaluates an expression; with `returns` it returns the value."""
        return [(ast.Return if returns else ast.Expr)(value, **self.position)]

    def assign(self, name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(name, STORE, **self.position)], value, **self.position)

    def compare(self, left: ast.expr, *rest: tuple[ast.cmpop, ast.expr]) -> ast.expr:
        return ast.Compare(left, [op for op, _ in rest], [value for _, value in rest], **self.position)

    def type_of(self, value: ast.expr) -> ast.expr:
        return self.call("type", value)

    def sequence(self, values: list[ast.expr]) -> ast.expr:
        """Return an expression that evaluates all parts and has the value of the last."""
        if len(values) == 1:
            return values[0]
        last = ast.UnaryOp(ast.USub(), self.literal(1), **self.position)
        return ast.Subscript(self.py_tuple(values), last, LOAD, **self.position)

    def temporary(self) -> str:
        """Return the name of a fresh Python local of the current frame."""
        self.frame.temporaries += 1
        return f"t{self.frame.temporaries}"

    def is_integer(self, name: str) -> bool:
        """Return True if a Python local of this or an outer frame certainly contains an integer."""
        frame: FunctionFrame | None = self.frame
        while frame is not None:
            if name in frame.integers:
                return True
            frame = frame.outer
        return False

    def scope(self) -> ast.expr:
        """Return an expression for the Scope in which the current code runs."""
        frame: FunctionFrame | None = self.frame
        while frame is not None:
            frame.uses_scope = True
            if frame.kind != "lambda":
                break
            frame = frame.outer
        return self.name("scope")

    # --- branches: variables that are certainly assigned afterwards

    def emit_branches(self, emitters: Sequence[Callable[[], Emitted]]) -> list[Emitted]:
        """Return what functions emit for alternatives, of which the program runs one.

        Afterwards only variables that all of them assign are certainly assigned.

        The alternatives are one argument, because CPython 3.12 and later count a call with `*` against a
        limit of its own.
        """
        frame = self.frame
        before = dict(frame.assigned)
        results, outcomes = [], []
        for emit in emitters:
            frame.assigned = dict(before)
            results.append(emit())
            outcomes.append(frame.assigned)
        frame.assigned = {
            name: "yes" if all(outcome.get(name) == "yes" for outcome in outcomes) else "maybe"
            for name in set().union(*outcomes)
        }
        frame.maybes.update(name for name, state in frame.assigned.items() if state == "maybe")
        return results

    # --- functions

    def build_function(
        self,
        name: str,
        parameters: list[str],
        body: list[ast.stmt],
        *,
        rest: str | None = None,
        defaults: list[ast.expr] | None = None,
        keyword_only: list[str] | None = None,
    ) -> ast.FunctionDef:
        """Return a Python function definition at the current position."""
        position = self.position
        arguments = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(parameter, **position) for parameter in parameters],
            vararg=ast.arg(rest, **position) if rest else None,
            kwonlyargs=[ast.arg(parameter, **position) for parameter in keyword_only or []],
            kw_defaults=[self.name("MISSING") for _ in keyword_only or []],
            kwarg=None,
            defaults=defaults or [],
        )
        return ast.FunctionDef(name, arguments, body, [], None, None, **position)

    def compile_definition(self, function: ast.FunctionDef) -> FunctionType:
        """Compile the definition of a Python function and return the function.

        Raises:
            PuppetError: Functions are nested too deeply for CPython's compiler.
        """
        try:
            code = self._compile(function)
        except RecursionError:
            from evaluator.compiler.outlining import outline_function  # needed by few programs

            outline_function(function)
            self.deepest = 0
            try:
                code = self._compile(function)
            except RecursionError:  # outlining does not unnest functions
                raise make_error("FUNCTIONS_TOO_DEEP") from None
        names = {**self.names, **self.unit.names}
        exec(code, names)
        made: FunctionType = names.pop(function.name)
        return made

    def _compile(self, function: ast.FunctionDef) -> CodeType:
        """Return the code of a function. Raises RecursionError when it is nested too deeply."""
        if self.deepest > _MOST_LEVELS:
            raise RecursionError
        return compile(ast.Module([function], []), self.unit.filename, "exec", dont_inherit=True)


def compile_expression(unit: CompilationUnit, node: nodes.Node) -> Callable[[Scope], Value]:
    """Return a Python function `(scope) -> value` for one expression."""

    def make(emitter: CodeEmitter) -> ast.FunctionDef:
        value = emitter.emit_expression(node)
        body = [*emitter.frame.prologue, ast.Return(value, **emitter.position)]
        return emitter.build_function("expression_", ["scope"], body)

    return unit.compile_function(node, "expression", make)


__all__ = [
    "EXPRESSIONS",
    "LOAD",
    "MISSING",
    "STATEMENTS",
    "STORE",
    "CodeEmitter",
    "CompilationUnit",
    "FunctionFrame",
    "compile_expression",
    "emits",
    "emits_statement",
]
