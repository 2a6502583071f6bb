"""What the printer takes from the tree: where statements begin, what brackets hold, which operations are chained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lexer_parser.tree import nodes

# The field that holds what a node begins with, where that is not a token of its own.
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
# Operations that are broken together when they follow each other from left to right.
_FAMILIES: dict[type[nodes.Node], tuple[type[nodes.Node], ...]] = {
    **dict.fromkeys(_WORDS[:2], _WORDS[:2]),
    **{
        kind: (kind,)
        for kind in (nodes.Arithmetic, nodes.Comparison, nodes.Match, nodes.In, nodes.Relationship)
    },
}
# Printed as they stand, with all that is in them.
_LEAVES = nodes.LEAVES | {nodes.Concat, nodes.Heredoc}


class Chain:
    """Operations of one family from left to right: the offsets of the operators and of where all begins.

    `last` is the right side of the last one; `broken` tells whether the author began a line at an operator.
    """

    __slots__ = ("broken", "last", "operators", "relationship", "start")

    def __init__(self, start: int, operators: list[int], last: nodes.Node, relationship: bool) -> None:
        self.start = start
        self.operators = operators
        self.last = last
        self.relationship = relationship
        self.broken = False


class Marks:
    """Sets of offsets of tokens; braces whose kind their end tells are in `ends`, by the offset of the `}`."""

    def __init__(self, program: nodes.Program) -> None:
        self.text = program.source.text
        self.statements: set[int] = set()  # and options of `case`
        self.aliases: set[int] = set()  # names that a type gets, which stand behind `type`
        self.unary: set[int] = set()
        self.words: set[int] = set()  # that are operators
        self.splats: set[int] = set()  # the `*` of `* =>`
        self.collecting: set[int] = set()  # parameters that a `*` stands before
        self.parens: set[int] = set()
        self.arrays: set[int] = set()
        self.hashes: set[int] = set()
        self.lambdas: set[int] = set()
        self.bare: set[int] = set()  # functions called without parentheses
        self.ends: dict[int, str] = {}
        self.chains: list[Chain] = []
        self._linked: set[int] = set()  # nodes that are in a chain already
        self._walk(program)

    def _walk(self, program: nodes.Program) -> None:
        pending: list[nodes.Node] = [program]
        while pending:
            node = pending.pop()
            mark = _MARKS.get(type(node))
            if mark is not None:
                mark(self, node)
            pending += [child for child in node.children() if type(child) not in _LEAVES]

    # --- Statements

    def body(self, body: nodes.Node) -> None:
        """Marks where the statements of a body begin."""
        if type(body) is not nodes.Block:
            if type(body) is not nodes.Nop:
                self.statements.add(begin(body))
            return
        before: nodes.Node | None = None
        for statement in body.statements:
            # `file { mode => 1 }` reads as a name and a hash.
            if type(before) is not nodes.Name or type(statement) is not nodes.Hash:
                self.statements.add(begin(statement))
            before = statement

    def one_body(self, node: Any) -> None:
        self.body(node.body)

    def branches(self, node: Any) -> None:
        self.body(node.then)
        if not self.text.startswith("elsif", node.otherwise.start):
            self.body(node.otherwise)

    def case(self, node: nodes.Case) -> None:
        self.ends[node.end - 1] = "case"
        for option in node.options:
            self.statements.add(begin(option.values[0]))
            self.body(option.then)

    def function_block(self, node: nodes.Lambda) -> None:
        self.lambdas.add(node.start)
        self.ends[node.end - 1] = "lambda"
        self.body(node.body)

    def alias(self, node: nodes.TypeAlias) -> None:
        self.aliases.add(node.start)

    # --- Brackets

    def resource(self, node: nodes.Resource) -> None:
        self.ends[node.end - 1] = "resource"

    def attributes(self, node: Any) -> None:
        if self.text[node.end - 1] == "}":
            self.ends[node.end - 1] = "attributes"

    def attributes_splat(self, node: nodes.AttributesSplat) -> None:
        self.splats.add(node.start)

    def parameter(self, node: nodes.Parameter) -> None:
        if node.splat:
            self.collecting.add(node.start)

    def array(self, node: nodes.Array) -> None:
        self.arrays.add(node.start)

    def hash(self, node: nodes.Hash) -> None:
        self.hashes.add(node.start)

    def paren(self, node: nodes.Paren) -> None:
        self.parens.add(node.start)

    def call(self, node: nodes.Call) -> None:
        if node.block is None and node.arguments and node.arguments[-1].end == node.end:
            self.bare.add(node.functor.start)

    # --- Operators

    def unary_operator(self, node: nodes.Node) -> None:
        self.unary.add(node.start)

    def chain(self, node: Any) -> None:
        """Collects the operations of a family that are the left side of each other."""
        if id(node) in self._linked:
            return
        family, top, operators = _FAMILIES[type(node)], node, []
        while type(node) in family:
            self._linked.add(id(node))
            operators.append(node.start)
            if type(node) in _WORDS:
                self.words.add(node.start)
            node = node.left
        self.chains.append(Chain(begin(node), operators[::-1], top.right, family == (nodes.Relationship,)))


_MARKS: dict[type[nodes.Node], Callable[[Marks, Any], None]] = {
    **dict.fromkeys(
        (
            *(nodes.Program, nodes.Class, nodes.Define, nodes.Function, nodes.Plan),
            *(nodes.NodeDefinition, nodes.TypeDefinition),
        ),
        Marks.one_body,
    ),
    nodes.TypeAlias: Marks.alias,
    nodes.If: Marks.branches,
    nodes.Unless: Marks.branches,
    nodes.Case: Marks.case,
    nodes.Lambda: Marks.function_block,
    nodes.Resource: Marks.resource,
    **dict.fromkeys((nodes.ResourceDefaults, nodes.ResourceOverride, nodes.Collector), Marks.attributes),
    nodes.AttributesSplat: Marks.attributes_splat,
    nodes.Parameter: Marks.parameter,
    nodes.Array: Marks.array,
    nodes.Hash: Marks.hash,
    nodes.Paren: Marks.paren,
    nodes.Call: Marks.call,
    **dict.fromkeys((nodes.Minus, nodes.Splat), Marks.unary_operator),
    **dict.fromkeys(_FAMILIES, Marks.chain),
}


def begin(node: nodes.Node) -> int:
    """The offset of the first token of a node."""
    while type(node) in _LEFT and getattr(node, "form", "regular") == "regular":
        node = getattr(node, _LEFT[type(node)])
    return node.start


def finish(node: nodes.Node) -> nodes.Node:
    """The last part of a node, which ends where the node ends."""
    while True:
        if type(node) in _RIGHT:
            node = getattr(node, _RIGHT[type(node)])
        elif type(node) is nodes.Selector and node.entries[-1].value.end >= node.end:
            node = node.entries[-1].value
        elif type(node) is nodes.Call and node.arguments and node.arguments[-1].end == node.end:
            node = node.arguments[-1]
        else:
            return node
