"""Outlining: code that is nested deeper than CPython compiles becomes several functions.

From version 3.12 on CPython counts the levels of a syntax tree against a fixed limit: 1,494 levels in 3.12, 9,995
in 3.13. Puppet allows 10,000 levels of its own, which takes more. And the time for nested statements grows with the
square of their levels, in every version. So the code below a certain depth becomes the body of a function inside
the same function, which is called in its place:

    def f(x):                       def f(x):
        return -(-(-(t := x)))          t = None
                                        def part1():
                                            nonlocal t
                                            return -(t := x)
                                        return -(-part1())

Parts share the variables of their function. All are at its beginning, none inside another. Lambdas stay nested
because they read the variables around them; deeper nesting of lambdas is an error.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from evaluator.program.tracing import OUTLINED
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.compiler.emitter import Position

# Levels in one part: few enough for every version of CPython, and enough that there are few parts.
MAX_DEPTH = 400
# Nodes that are not expressions but parts of the expression around them.
_PIECES = (ast.Starred, ast.FormattedValue)
# The parent of a node, the field of the parent, and the index in the field if that is a list.
_Place = tuple[ast.AST, str, int | None]


def outline_function(function: ast.FunctionDef) -> None:
    """Outline a function and the functions inside it, in place."""
    pending = [function]
    for outer in pending:  # the loop appends to this list
        pending += _Outliner(outer).run()


class _Outliner(Record):
    """The outlining of one function, without the functions inside it.

    Attributes:
        shared: The variables that parts assign.
        heights: The height of the tree below each node.
        returning: The statements that may return.
    """

    function: ast.FunctionDef
    parts: list[ast.stmt] = fresh(factory=list)
    shared: set[str] = fresh(factory=set)
    heights: dict[ast.AST, int] = fresh(factory=dict)
    returning: set[ast.AST] = fresh(factory=set)

    def run(self) -> list[ast.FunctionDef]:
        """Outline the function, and return the functions inside it."""
        nodes, inner = self._collect_nodes()
        for node, (parent, field, index) in reversed(nodes):  # children come before their parents
            if isinstance(node, ast.Return):
                self.returning.add(node)
            height = self.heights.get(node, 0) + 1
            if height > MAX_DEPTH and isinstance(node, ast.expr | ast.stmt) and not isinstance(node, _PIECES):
                node, height = self._outline_node(node), 3  # about the height of a call of the part
                if index is None:
                    setattr(parent, field, node)
                else:
                    getattr(parent, field)[index] = node
            if height > self.heights.get(parent, 0):
                self.heights[parent] = height
            if node in self.returning:
                self.returning.add(parent)
        if self.parts:
            self._declare_shared()
        return inner

    def _collect_nodes(self) -> tuple[list[tuple[ast.AST, _Place]], list[ast.FunctionDef]]:
        """Return all nodes of the body with their places, parents first, and the inner functions."""
        placed_nodes: list[tuple[ast.AST, _Place]] = []
        inner: list[ast.FunctionDef] = []
        pending: list[tuple[ast.AST, _Place]] = [
            (statement, (self.function, "body", index)) for index, statement in enumerate(self.function.body)
        ]
        while pending:
            node, place = pending.pop()
            if isinstance(node, ast.FunctionDef):
                inner.append(node)
                continue
            placed_nodes.append((node, place))
            for field, value in ast.iter_fields(node):
                if isinstance(value, ast.AST) and value._fields:
                    pending.append((value, (node, field, None)))
                elif isinstance(value, list):
                    pending += [
                        (item, (node, field, index))
                        for index, item in enumerate(value)
                        if isinstance(item, ast.AST)
                    ]
        return placed_nodes, inner

    def _outline_node(self, node: ast.expr | ast.stmt) -> ast.expr | ast.stmt:
        """Move an expression or statement into a part, and return its replacement."""
        position: dict[str, Any] = {name: getattr(node, name) for name in node._attributes}
        name = f"{OUTLINED}{len(self.parts) + 1}"
        call = ast.Call(ast.Name(name, ast.Load(), **position), [], [], **position)
        body: list[ast.stmt]
        replacement: ast.expr | ast.stmt
        if isinstance(node, ast.expr):
            body, replacement = [ast.Return(node, **position)], call
        elif node in self.returning:
            body, replacement = self._outline_returning(node, name, call, position)
        else:
            body, replacement = [node], ast.Expr(call, **position)
        names = _collect_assigned(node)
        self.shared |= names
        if names:
            body.insert(0, ast.Nonlocal(sorted(names), **position))
        self.parts.append(_make_function(name, body, position))
        return replacement

    def _outline_returning(
        self, node: ast.stmt, name: str, call: ast.expr, position: Position
    ) -> tuple[list[ast.stmt], ast.stmt]:
        """Return the body of a part that may return from the function, and the calling statement.

        A part that reaches its end returns MISSING, which no Puppet code returns.
        """
        result = f"{name}_value"
        missing = ast.Name("MISSING", ast.Load(), **position)
        test = ast.Compare(
            ast.NamedExpr(ast.Name(result, ast.Store(), **position), call, **position),
            [ast.IsNot()],
            [missing],
            **position,
        )
        leave = ast.Return(ast.Name(result, ast.Load(), **position), **position)
        statement = ast.If(test, [leave], [], **position)
        self.returning.add(statement)
        return [node, ast.Return(missing, **position)], statement

    def _declare_shared(self) -> None:
        """Insert the parts, and the variables that they assign, at the start of the function."""
        function = self.function
        arguments = function.args
        own = {argument.arg for argument in [*arguments.args, *arguments.kwonlyargs]}
        if arguments.vararg:
            own.add(arguments.vararg.arg)
        position: dict[str, Any] = {name: getattr(function, name) for name in function._attributes}
        names: list[ast.expr] = [
            ast.Name(name, ast.Store(), **position) for name in sorted(self.shared - own)
        ]
        start: list[ast.stmt] = (
            [ast.Assign(names, ast.Constant(None, **position), **position)] if names else []
        )
        function.body[:0] = [*start, *self.parts]


def _make_function(name: str, body: list[ast.stmt], position: Position) -> ast.FunctionDef:
    arguments = ast.arguments([], [], None, [], [], None, [])
    return ast.FunctionDef(name, arguments, body, [], None, None, **position)


def _collect_assigned(root: ast.AST) -> set[str]:
    """Return the variables that code assigns, without those of functions inside it."""
    assigned: set[str] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef):
            assigned.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            assigned.add(node.name)
        pending += ast.iter_child_nodes(node)
    return assigned
