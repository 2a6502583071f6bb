"""Builds Python's own syntax trees for Puppet code, with Puppet's positions in them.

One `CompilationUnit` is one compiled source: a dictionary of globals shared by all its code, and the map from positions
back to nodes. One `FunctionFrame` is one Python function in the making. `CodeEmitter` walks Puppet nodes; the modules
beside this one register what each node becomes with `@emits`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator.compiler.unit import Assumption, CompiledCode, CompiledSource, Origin, check_assumption
from evaluator.issues import error
from evaluator.program.scope import MISSING
from lexer_parser.dialect import Dialect
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

Position = dict[str, Any]
LOAD = ast.Load()
STORE = ast.Store()
# Statements inside each other that CPython compiles as they are; 10,000 take it seconds and, in 3.13, gigabytes.
_MOST_LEVELS = 1000

EXPRESSIONS: dict[type[nodes.Node], Callable[[Any, Any], ast.expr]] = {}
STATEMENTS: dict[type[nodes.Node], Callable[[Any, Any, bool], list[ast.stmt]]] = {}


Emit = TypeVar("Emit", bound=Callable[..., ast.expr])
EmitStatements = TypeVar("EmitStatements", bound=Callable[..., list[ast.stmt]])


def emits(*kinds: type[nodes.Node]) -> Callable[[Emit], Emit]:
    """Registers a function `(emitter, node) -> ast.expr` for kinds of nodes."""

    def register(function: Emit) -> Emit:
        for kind in kinds:
            EXPRESSIONS[kind] = function
        return function

    return register


def emits_statement(*kinds: type[nodes.Node]) -> Callable[[EmitStatements], EmitStatements]:
    """Registers a function `(emitter, node, returns) -> [ast.stmt]`: the form where statements stand."""

    def register(function: EmitStatements) -> EmitStatements:
        for kind in kinds:
            STATEMENTS[kind] = function
        return function

    return register


class CompilationUnit:
    """One source in a program: what it is compiled with.

    `names` are the globals that all its code starts from; `names["__unit__"]` leads from a frame of a traceback
    back here, and `nodes` from the position of an instruction to the node it was made for. `shapes` holds the
    kinds of its statements by their shape, `uses_templates` tells whether some of them share their code, see `shapes`.
    """

    __slots__ = (
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

    def __init__(self, runtime: Program, compiled_source: CompiledSource, dialect: Dialect) -> None:
        self.runtime = runtime
        self.compiled_source = compiled_source
        self.source: Source = compiled_source.program.source
        self.dialect = dialect
        self.filename = self.source.name or "<puppet>"
        # what is the same for all sources stands where Python looks for its own names
        self.names: dict[str, Any] = {"__unit__": self, "__builtins__": runtime.support(dialect)}
        self.nodes = compiled_source.nodes
        self.shapes: dict[tuple[Any, ...], Any] = {}
        self.uses_templates = False

    def place(self, line: int, column: int, end_line: int, end_column: int) -> tuple[nodes.Node | None, Span]:
        """The node for which an instruction at a position was made, and the place in the source."""
        start, end = self.source.offset(line, column + 1), self.source.offset(end_line, end_column + 1)
        return self.nodes.get((line, column, end_line, end_column)), Span(self.source, start, end)

    def compile_function(
        self, node: nodes.Node, form: str, make: Callable[[CodeEmitter], ast.FunctionDef]
    ) -> Any:
        """The Python function for a node: what was compiled before, or what `make` emits.

        form  what the node is compiled as; "" for what is not kept
        """
        known = self.compiled_source.find_code(node, form, self)
        if known is not None and known.is_valid(self.runtime, self.dialect):
            return known.bind(self.names)
        emitter = CodeEmitter(self)
        function = emitter.compile_function(make(emitter))
        if emitter.shared and form:
            self.compiled_source.add_code(
                node, form, CompiledCode(function, emitter.names, emitter.assumptions, emitter.origins)
            )
        return function


class FunctionFrame:
    """One Python function being emitted.

    kind      "scope": variables live in the Scope that the function gets as `scope`;
              "function" and "lambda": variables are Python locals
    assigned  Puppet name -> "yes" (certainly assigned here) or "maybe"
    maybes    the names that were "maybe" at some place: their Python locals begin as MISSING
    prologue  nested function definitions, placed before the body
    integers  Python locals that certainly hold integers
    memo      the Python local that holds the memo, in a block of `reduce`
    unset     while a default is emitted: each parameter without value yet -> whose default, and of which parameter
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
        """The Python name of a Puppet variable that is local to this frame."""
        return f"v{self.depth}_{name}"


class CodeEmitter:
    """Turns nodes into Python expressions and statements for one function of a unit.

    names   what the function finds under global names, besides those of its unit
    asked   what was asked of the program, and its answers
    origins of the global names what they can be made of again
    given   the global names of what is not the same in all statements of a shape: "value" or "site", and the node's id
    shared  false when the function is for this program only
    """

    def __init__(self, unit: CompilationUnit) -> None:
        self.unit = unit
        self.dialect = unit.dialect
        self.names: dict[str, Any] = {}
        self.assumptions: dict[Assumption, Any] = {}
        self.origins: dict[str, Origin] = {}
        self.given: dict[tuple[str, int], str] = {}
        self.shared = True
        self.frame = FunctionFrame("scope")
        self.position: Position = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
        self.level = self.deepest = 0  # statements inside each other: around what is emitted now, and so far

    # --- nodes

    def emit_expression(self, node: nodes.Node) -> ast.expr:
        """The Python expression for a node."""
        return EXPRESSIONS[type(node)](self, node)

    def emit_statements(self, node: nodes.Node, returns: bool) -> list[ast.stmt]:
        """Python statements for a node; with `returns` they return its value."""
        emit = STATEMENTS.get(type(node))
        if emit is not None:
            self.level += 1
            if self.level > self.deepest:
                self.deepest = self.level
            found = emit(self, node, returns)
            self.level -= 1
            return found
        value = self.emit_expression(node)
        if returns:
            return [ast.Return(value, **self.position)]
        return [ast.Expr(value, **self.position)]

    def move_to(self, node: nodes.Node) -> Position:
        """Makes `node` the place of what is emitted next, and remembers the way back from the position."""
        line, column, end_line, end_column = key = self.unit.source.extent(node.start, node.end)
        self.unit.nodes[key] = node
        self.position = {
            "lineno": line,
            "col_offset": column,
            "end_lineno": end_line,
            "end_col_offset": end_column,
        }
        return self.position

    # --- Python expressions at the current position

    def name(self, name: str) -> ast.expr:
        return ast.Name(name, LOAD, **self.position)

    def literal(self, value: Any) -> ast.expr:
        """A Python literal: None, a bool, number or string."""
        return ast.Constant(value, **self.position)

    def constant(self, value: Any, origin: Origin | None = None) -> ast.expr:
        """Any value, folded into a global."""
        return self.name(self.add_global(value, origin=origin))

    def add_global(self, value: Any, prefix: str = "K", origin: Origin | None = None) -> str:
        """The global name under which the function finds a value, which may be made of its origin again."""
        name = f"{prefix}{len(self.names) + 1}"
        self.names[name] = value
        if origin is not None:
            self.origins[name] = origin
        return name

    def find_given(self, what: str, node: nodes.Node) -> ast.expr | None:
        """The global that stands for the value of a node, or its site, where it has been given; see `given`."""
        name = self.given.get((what, id(node)))
        return None if name is None else self.name(name)

    def assume(self, question: str, name: str) -> Any:
        """What the program answers to a question of a name, see `compiled_source`."""
        asked = (question, name)
        if asked not in self.assumptions:
            self.assumptions[asked] = check_assumption(self.unit.runtime, self.dialect, asked)
        return self.assumptions[asked]

    def call(self, function: str, *arguments: ast.expr) -> ast.expr:
        """A call of one of the support functions or of another global."""
        return ast.Call(self.name(function), list(arguments), [], **self.position)

    def method(self, held: str, name: str) -> ast.expr:
        """A call of a method of what a local holds."""
        return ast.Call(
            ast.Attribute(self.name(held), name, ast.Load(), **self.position), [], [], **self.position
        )

    def py_list(self, items: list[ast.expr]) -> ast.expr:
        return ast.List(items, LOAD, **self.position)

    def py_tuple(self, items: list[ast.expr]) -> ast.expr:
        return ast.Tuple(items, LOAD, **self.position)

    def if_else(self, test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
        return ast.IfExp(test, then, otherwise, **self.position)

    def all_of(self, *tests: ast.expr) -> ast.expr:
        """`a and b and …`; true when there is nothing to test."""
        if len(tests) < 2:
            return tests[0] if tests else self.literal(True)
        return ast.BoolOp(ast.And(), list(tests), **self.position)

    def bind(self, name: str, value: ast.expr) -> ast.expr:
        """`(name := value)`."""
        return ast.NamedExpr(ast.Name(name, STORE, **self.position), value, **self.position)

    def assign(self, name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(name, STORE, **self.position)], value, **self.position)

    def compare(self, left: ast.expr, *rest: tuple[ast.cmpop, ast.expr]) -> ast.expr:
        return ast.Compare(left, [op for op, _ in rest], [value for _, value in rest], **self.position)

    def type_of(self, value: ast.expr) -> ast.expr:
        return self.call("type", value)

    def sequence(self, values: list[ast.expr]) -> ast.expr:
        """Evaluates all, gives the last."""
        if len(values) == 1:
            return values[0]
        last = ast.UnaryOp(ast.USub(), self.literal(1), **self.position)
        return ast.Subscript(self.py_tuple(values), last, LOAD, **self.position)

    def temporary(self) -> str:
        """A fresh Python local of the current frame."""
        self.frame.temporaries += 1
        return f"t{self.frame.temporaries}"

    def is_integer(self, name: str) -> bool:
        """True when the Python local certainly holds an integer."""
        frame: FunctionFrame | None = self.frame
        while frame is not None:
            if name in frame.integers:
                return True
            frame = frame.outer
        return False

    def scope(self) -> ast.expr:
        """The Scope in which the current code runs."""
        frame: FunctionFrame | None = self.frame
        while frame is not None:
            frame.uses_scope = True
            if frame.kind != "lambda":
                break
            frame = frame.outer
        return self.name("scope")

    # --- branches: what is certainly assigned afterwards

    def emit_branches(self, emitters: Sequence[Callable[[], Any]]) -> list[Any]:
        """Emits alternatives; afterwards only what all of them assign is certain.

        They come as one argument, as CPython 3.12 and later count a call with `*` against a limit of its own.
        """
        frame = self.frame
        before = dict(frame.assigned)
        results, outcomes = [], []
        for emit in emitters:
            frame.assigned = dict(before)
            results.append(emit())
            outcomes.append(frame.assigned)
        merged: dict[str, str] = {}
        for name in set().union(*outcomes):
            states = {outcome.get(name) for outcome in outcomes}
            merged[name] = "yes" if states == {"yes"} else "maybe"
            if merged[name] == "maybe":
                frame.maybes.add(name)
        frame.assigned = merged
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
        """A Python function definition at the current position."""
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

    def compile_function(self, function: ast.FunctionDef) -> Any:
        """Compiles a function definition and gives the Python function.

        Raises the PuppetError of functions that are nested more deeply than CPython compiles.
        """
        try:
            code = self._compile(function)
        except RecursionError:
            from evaluator.compiler.outlining import outline  # needed by few programs

            outline(function)
            self.deepest = 0
            try:
                code = self._compile(function)
            except RecursionError:  # functions inside each other stay so
                raise error("FUNCTIONS_TOO_DEEP") from None
        names = {**self.names, **self.unit.names}
        exec(code, names)
        return names.pop(function.name)

    def _compile(self, function: ast.FunctionDef) -> CodeType:
        """The code of a function. Raises RecursionError when it is nested too deeply for that."""
        if self.deepest > _MOST_LEVELS:
            raise RecursionError
        return compile(ast.Module([function], []), self.unit.filename, "exec", dont_inherit=True)


__all__ = [
    "EXPRESSIONS",
    "LOAD",
    "MISSING",
    "STATEMENTS",
    "STORE",
    "CodeEmitter",
    "CompilationUnit",
    "FunctionFrame",
    "emits",
    "emits_statement",
]
