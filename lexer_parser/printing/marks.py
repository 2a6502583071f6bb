"""Marks for the formatter: what its tokens alone do not show.

`TreeMarks` records by offset, from the syntax tree: starts of statements, kinds of brackets, chains of operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexer_parser.record import Record, fresh
from lexer_parser.tree import nodes

# The field with the first part, or the last part, of a node, if that part is a node and not a token of its own.
_LEFT: dict[type[nodes.Node], str] = {
    **dict.fromkeys((nodes.Arithmetic, nodes.Comparison, nodes.Match, nodes.In, nodes.And, nodes.Or), "left"),
    **dict.fromkeys((nodes.Assignment, nodes.Relationship, nodes.Access, nodes.Selector), "left"),
    nodes.Call: "functor",
    nodes.MethodCall: "receiver",
    nodes.Collector: "type",
    nodes.Resource: "type_name",
    nodes.ResourceDefaults: "type_ref",
    nodes.ResourceOverride: "resources",
}
_RIGHT: dict[type[nodes.Node], str] = {
    **dict.fromkeys(
        (nodes.Arithmetic, nodes.Comparison, nodes.Match, nodes.In, nodes.And, nodes.Or), "right"
    ),
    **dict.fromkeys((nodes.Assignment, nodes.Relationship), "right"),
    **dict.fromkeys((nodes.Minus, nodes.Not, nodes.Splat), "expr"),
}
_WORDS = (nodes.And, nodes.Or, nodes.In)  # operators that are words
# Operations that are broken together if they follow each other from left to right.
_FAMILIES: dict[type[nodes.Node], tuple[type[nodes.Node], ...]] = {
    **dict.fromkeys((nodes.And, nodes.Or), (nodes.And, nodes.Or)),
    **{
        kind: (kind,)
        for kind in (nodes.Arithmetic, nodes.Comparison, nodes.Match, nodes.In, nodes.Relationship)
    },
}
# Printed as they are in the source.
_LEAVES = nodes.LEAVES | {nodes.Concat, nodes.Heredoc}


class OperationChain(Record):
    """Operations of one family, from left to right.

    Attributes:
        start: The offset of the first operand.
        operators: The offsets of the operators.
        last: The right side of the last one.
        relationship: True for `->` and the like.
        units: The units of the operators; set by `SourceLayout`.
        broken: True if the author began a line at an operator; set by `SourceLayout`.
    """

    start: int
    operators: list[int]
    last: nodes.Node
    relationship: bool
    units: list[int] = fresh(factory=list)
    broken: bool = False


class TreeMarks:
    """The marks of a program: sets of offsets of tokens, and the chains of operations."""

    def __init__(self, program: nodes.Program) -> None:
        self.text = program.source.text
        self.statements: set[int] = set()  # statements, and options of a `case`
        self.aliases: set[int] = set()  # names of type aliases, after `type`
        self.unary: set[int] = set()  # `-` and `*` before an operand
        self.words: set[int] = set()  # operators that are words
        self.splats: set[int] = set()  # the `*` of `* =>`
        self.collecting: set[int] = set()  # parameters after a `*`
        self.parens: set[int] = set()  # opening parentheses around an expression
        self.arrays: set[int] = set()  # opening brackets
        self.hashes: set[int] = set()  # opening braces
        self.lambdas: set[int] = set()  # the first `|`
        self.bare: set[int] = set()  # functions called without parentheses
        self.ends: dict[int, str] = {}  # the kinds of braces, by the offset of the `}`
        self.chains: list[OperationChain] = []
        self._linked: set[int] = set()  # nodes that already belong to a chain
        self._walk(program)

    def _walk(self, program: nodes.Program) -> None:
        """Mark each node of a program by its row in `_MARKS` or `_STARTS`."""
        pending: list[nodes.Node] = [program]
        while pending:
            node = pending.pop()
            mark = _MARKS.get(type(node))
            if mark is not None:
                mark(self, node)
            elif type(node) in _STARTS:
                getattr(self, _STARTS[type(node)]).add(node.start)
            pending += [child for child in node.children() if type(child) not in _LEAVES]

    # --- Statements

    def mark_body(self, body: nodes.Node) -> None:
        """Mark the starts of the statements of a body."""
        if type(body) is not nodes.Block:
            if type(body) is not nodes.Nop:
                self.statements.add(find_first_offset(body))
            return
        before: nodes.Node | None = None
        for statement in body.statements:
            # `file { mode => 1 }` is parsed as a name and a hash.
            if type(before) is not nodes.Name or type(statement) is not nodes.Hash:
                self.statements.add(find_first_offset(statement))
            before = statement

    def mark_branches(self, node: Any) -> None:
        """Mark the bodies of an `if` or `unless`; in the tree, an `elsif` is an `if`."""
        self.mark_body(node.then)
        if not self.text.startswith("elsif", node.otherwise.start):
            self.mark_body(node.otherwise)

    def mark_case(self, node: nodes.Case) -> None:
        """Mark the options of a `case` and their bodies."""
        self.ends[node.end - 1] = "case"
        for option in node.options:
            self.statements.add(find_first_offset(option.values[0]))
            self.mark_body(option.then)

    def mark_lambda(self, node: nodes.Lambda) -> None:
        """Mark the first `|` of a lambda, its closing brace and its statements."""
        self.lambdas.add(node.start)
        self.ends[node.end - 1] = "lambda"
        self.mark_body(node.body)

    # --- Brackets

    def mark_attributes(self, node: Any) -> None:
        """Mark the closing brace of a resource, defaults, an override or a collector."""
        if type(node) is nodes.Resource:
            self.ends[node.end - 1] = "resource"
        elif self.text[node.end - 1] == "}":
            self.ends[node.end - 1] = "attributes"

    def mark_parameter(self, node: nodes.Parameter) -> None:
        """Mark a parameter that takes the rest of the arguments."""
        if node.splat:
            self.collecting.add(node.start)

    def mark_call(self, node: nodes.Call) -> None:
        """Mark the name of a function that is called without parentheses."""
        if node.block is None and node.arguments and node.arguments[-1].end == node.end:
            self.bare.add(node.functor.start)

    # --- Operators

    def mark_chain(self, node: Any) -> None:
        """Collect the operations of a family that are the left side of each other."""
        if id(node) in self._linked:
            return
        family, top, operators = _FAMILIES[type(node)], node, []
        while type(node) in family:
            self._linked.add(id(node))
            operators.append(node.start)
            if type(node) in _WORDS:
                self.words.add(node.start)
            node = node.left
        self.chains.append(
            OperationChain(
                find_first_offset(node), operators[::-1], top.right, family == (nodes.Relationship,)
            )
        )


# The set of marks that contains the start of a node.
_STARTS: dict[type[nodes.Node], str] = {
    nodes.TypeAlias: "aliases",
    nodes.AttributesSplat: "splats",
    nodes.Array: "arrays",
    nodes.Hash: "hashes",
    nodes.Paren: "parens",
    **dict.fromkeys((nodes.Minus, nodes.Splat), "unary"),
}
_MARKS: dict[type[nodes.Node], Callable[[TreeMarks, Any], None]] = {
    **dict.fromkeys(
        (
            *(nodes.Program, nodes.Class, nodes.Define, nodes.Function, nodes.Plan),
            *(nodes.NodeDefinition, nodes.TypeDefinition),
        ),
        lambda marks, node: marks.mark_body(node.body),
    ),
    nodes.If: TreeMarks.mark_branches,
    nodes.Unless: TreeMarks.mark_branches,
    nodes.Case: TreeMarks.mark_case,
    nodes.Lambda: TreeMarks.mark_lambda,
    **dict.fromkeys(
        (nodes.Resource, nodes.ResourceDefaults, nodes.ResourceOverride, nodes.Collector),
        TreeMarks.mark_attributes,
    ),
    nodes.Parameter: TreeMarks.mark_parameter,
    nodes.Call: TreeMarks.mark_call,
    **dict.fromkeys(_FAMILIES, TreeMarks.mark_chain),
}


def find_first_offset(node: nodes.Node) -> int:
    """Return the offset of the first token of a node."""
    # A virtual or exported resource begins with `@`, which is no part of its type.
    while type(node) in _LEFT and getattr(node, "form", "regular") == "regular":
        node = getattr(node, _LEFT[type(node)])
    return node.start


def find_last_part(node: nodes.Node) -> nodes.Node:
    """Return the last part of a node, which ends where the node ends."""
    while True:
        if type(node) in _RIGHT:
            node = getattr(node, _RIGHT[type(node)])
        elif type(node) is nodes.Selector and node.entries[-1].value.end >= node.end:
            node = node.entries[-1].value
        elif type(node) is nodes.Call and node.arguments and node.arguments[-1].end == node.end:
            node = node.arguments[-1]
        else:
            return node
