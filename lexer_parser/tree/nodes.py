"""The abstract syntax tree: one small class per construct, named after Puppet Notation (PN).

Every node has `start` and `end`, offsets in characters of the program's source. They follow the released
Puppet, so that messages name the same column: a binary operator's span is the operator token, an access spans
from its left side to the `]`, a call from its functor to the closing parenthesis. Positions are no part of
equality. A field is a node, a list of nodes, None or a plain value; a list is never None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.source import Source

# The annotations of fields that hold no nodes; the others hold a node, a list of nodes or None.
_PLAIN = frozenset({"bool", "float", "int", "str", "str | None"})


class Node(Record):
    """A node of the tree, whose constructor takes `start`, `end` and the fields of its class.

    Attributes:
        fields: The names of the fields that are compared, in source order.
        inner: Those of the fields that hold nodes, which `children` returns.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    inner: ClassVar[tuple[str, ...]] = ()

    start: int
    end: int

    def __init_subclass__(cls) -> None:
        if "fields" not in vars(cls):
            cls.fields = tuple(cls.record_fields)[2:]
            own: dict[str, str] = vars(cls).get("__annotations__", {})
            cls.inner += tuple(field for field, kind in own.items() if kind not in _PLAIN)

    def __eq__(self, other: object) -> bool:
        pending: list[tuple[object, object]] = [(self, other)]
        while pending:
            left, right = pending.pop()
            if type(left) is not type(right):
                return False
            if isinstance(left, Node):
                pending.extend((getattr(left, field), getattr(right, field)) for field in left.fields)
            elif isinstance(left, list) and isinstance(right, list):
                if len(left) != len(right):
                    return False
                pending.extend(zip(left, right, strict=True))
            elif left != right:
                return False
        return True

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        inner = ", ".join(f"{field}={getattr(self, field)!r}" for field in self.fields)
        return f"{type(self).__name__}({inner})"

    def children(self) -> list[Node]:
        """Return the direct child nodes in source order."""
        children: list[Node] = []
        for field in self.inner:
            value = getattr(self, field)
            if type(value) is list:
                children += value
            elif value is not None:
                children.append(value)
        return children


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and all nodes below it, parents before children, in source order, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += current.children()[::-1]


# --- Classes with the same fields, from which those of the tree are derived


class EnclosingNode(Node):
    """A node around one expression."""

    expr: Node


class WordOperation(Node):
    """An operator that is a word, between two operands."""

    left: Node
    right: Node


class SignOperation(Node):
    """An operator that is a sign, between two operands."""

    operator: str
    left: Node
    right: Node


class Conditional(Node):
    """A condition and two branches, each `Nop` when it is empty or missing."""

    test: Node
    then: Node
    otherwise: Node


class FunctionDefinition(Node):
    """A definition with a name, parameters and the type of its result."""

    name: str
    parameters: list[Parameter]
    returns: Node | None
    body: Node


class TextNode(Node):
    """A node that is nothing but text."""

    value: str


# --- Program and literals


class Program(Node):
    """A whole manifest or template; `body` is one node, `source` the text it was read from. PN prints the body.

    `warnings` are the PuppetErrors that did not stop the parser.
    """

    __slots__ = ("body", "source", "warnings")
    fields = inner = ("body",)

    def __init__(
        self, start: int, end: int, body: Node, source: Source, warnings: list[PuppetError] | None = None
    ) -> None:
        self.start = start
        self.end = end
        self.body = body
        self.source = source
        self.warnings = [] if warnings is None else warnings


class Nop(Node):
    """Nothing: an empty program or an empty branch. PN `(nop)`."""


class Undef(Node):
    """`undef`. PN `nil`."""


class Default(Node):
    """`default`. PN `(default)`."""


class Boolean(Node):
    """`true` or `false`."""

    value: bool


class Integer(Node):
    """An integer literal; `radix` is 8, 10 or 16. PN `31`, `(int {:radix 16 :value 31})`."""

    value: int
    radix: int = 10


class Float(Node):
    """A floating point literal."""

    value: float


class String(TextNode):
    """A string without interpolation, or a bare word. PN `"text"`."""


class Concat(Node):
    """A string with interpolation: `String` and `Text` nodes. PN `(concat …)`."""

    segments: list[Node]


class Text(EnclosingNode):
    """An interpolated expression inside a string. PN `(str …)`."""


class Heredoc(Node):
    """`@(TAG:syntax)`; `text` is a String or Concat, `syntax` a str or None. PN `(heredoc {…})`."""

    syntax: str | None
    text: Node


class Regexp(Node):
    r"""`/…/`; the source text between the slashes with `\/` already unescaped. PN `(regexp "…")`."""

    pattern: str


class Name(TextNode):
    """A lower-case bare name. PN `(qn "a::b")`."""


class TypeName(TextNode):
    """An upper-case name as written. PN `(qr "Foo::Bar")`."""


class Reserved(Node):
    """A reserved word used as an expression (`attr`, `private`). PN `(reserved "attr")`."""

    word: str


class Variable(Node):
    """`$name`; `name` has no dollar sign. PN `(var "name")`."""

    name: str


class Array(Node):
    """`[…]`. PN `(array …)`."""

    values: list[Node]


class Hash(Node):
    """`{…}`: a list of `Pair`. PN `(hash …)`."""

    entries: list[Pair]


class Pair(Node):
    """`key => value` in a hash. PN `(=> …)`."""

    key: Node
    value: Node


# --- Operators


class Paren(EnclosingNode):
    """`(expr)`. PN `(paren …)`."""


class Not(EnclosingNode):
    """`!expr`. PN `(! …)`."""


class Minus(EnclosingNode):
    """`-expr`. PN `(- …)`."""


class Splat(EnclosingNode):
    """`*expr`. PN `(unfold …)`."""


class Arithmetic(SignOperation):
    """`+ - * / % << >>`."""


class Comparison(SignOperation):
    """`== != < <= > >=`."""


class Match(SignOperation):
    """`=~ !~`."""


class In(WordOperation):
    """`left in right`. PN `(in …)`."""


class And(WordOperation):
    """`left and right`. PN `(and …)`."""


class Or(WordOperation):
    """`left or right`. PN `(or …)`."""


class Assignment(SignOperation):
    """`= += -=`."""


class Relationship(SignOperation):
    """`-> ~> <- <~`."""


class Access(Node):
    """`left[keys…]`. PN `(access …)`."""

    left: Node
    keys: list[Node]


# --- Control


class Block(Node):
    """Two or more statements. PN `(block …)`; a plain list where a body is expected."""

    statements: list[Node]


class If(Conditional):
    """`if`; `elsif` is a nested If."""


class Unless(Conditional):
    """`unless`."""


class Case(Node):
    """`case`: a list of `CaseOption`."""

    test: Node
    options: list[CaseOption]


class CaseOption(Node):
    """`values…: { then }`."""

    values: list[Node]
    then: Node


class Selector(Node):
    """`left ? { … }`: a list of `SelectorEntry`. PN `(? …)`."""

    left: Node
    entries: list[SelectorEntry]


class SelectorEntry(Node):
    """`match => value`."""

    match: Node
    value: Node


# --- Calls


class Call(Node):
    """`functor(arguments) |…| {block}`. PN `call` if `rval`: the value is used; else `invoke`."""

    functor: Node
    arguments: list[Node]
    block: Lambda | None
    rval: bool


class MethodCall(Node):
    """`receiver.name(arguments) |…| {block}`; `name` is a `Name`. PN `(call-method …)`."""

    receiver: Node
    name: Name
    arguments: list[Node]
    block: Lambda | None


# --- Parameters and lambdas


class Parameter(Node):
    """`[type] [*] $name [= default]`; type and default are nodes or None."""

    name: str
    type: Node | None
    default: Node | None
    splat: bool


class Lambda(Node):
    """`|params| >> type { body }`; `returns` is a type expression or None."""

    parameters: list[Parameter]
    body: Node
    returns: Node | None


# --- Definitions


class Class(Node):
    """`class name(params) inherits parent { body }`; names are qualified, parent is a str or None."""

    name: str
    parameters: list[Parameter]
    parent: str | None
    body: Node


class Define(Node):
    """`define name(params) { body }`."""

    name: str
    parameters: list[Parameter]
    body: Node


class Function(FunctionDefinition):
    """`function name(params) >> type { body }`."""


class Plan(FunctionDefinition):
    """`plan name(params) { body }` (tasks mode; rejected by validation)."""


class NodeDefinition(Node):
    """`node 'a', /b/, default { body }`; parent is a node or None."""

    matches: list[Node]
    parent: Node | None
    body: Node


class TypeAlias(Node):
    """`type Name = type`."""

    name: str
    type: Node


class TypeMapping(Node):
    """`type Runtime[…] = Type`."""

    type: Node
    mapping: Node


class TypeDefinition(Node):
    """`type Name inherits Parent { body }` (rejected by validation)."""

    name: str
    parent: str | None
    body: Node


# --- Resources


class Resource(Node):
    """`type { title: … }`: a list of `ResourceBody`; form is `regular`, `virtual` or `exported`."""

    type_name: Node
    bodies: list[ResourceBody]
    form: str


class ResourceBody(Node):
    """`title: attributes…`."""

    title: Node
    operations: list[Node]


class ResourceDefaults(Node):
    """`Type { attributes… }`."""

    type_ref: Node
    operations: list[Node]
    form: str


class ResourceOverride(Node):
    """`Type['title'] { attributes… }`."""

    resources: Node
    operations: list[Node]
    form: str


class Attribute(Node):
    """`name => value` or `name +> value`."""

    name: str
    operator: str
    value: Node


class AttributesSplat(EnclosingNode):
    """`* => expr`. PN `(splat-hash …)`."""


class Collector(Node):
    """`Type <| query |> { attributes… }`; query is a `Query`."""

    type: Node
    query: Query
    operations: list[Node]


class Query(Node):
    """The part between the pipes; expr is a node or None."""

    expr: Node | None
    exported: bool


# --- Templates


class Epp(Node):
    """A template's body; its parameters are those of the Lambda around it. PN `(epp …)`.

    `parameters_given` is True if the template declares parameters, even none: `<%- | | -%>`.
    """

    body: Node
    parameters_given: bool


class RenderText(TextNode):
    """Literal text of a template. PN `(render-s "…")`."""


class Render(EnclosingNode):
    """`<%= expr %>`. PN `(render …)`."""


# The classes of nodes that are one token of the source and contain no nodes.
LEAVES: frozenset[type[Node]] = frozenset(
    {Nop, Undef, Default, Boolean, Integer, Float, String, Regexp, Name, TypeName, Reserved, Variable}
)


def is_type(node: Node) -> bool:
    """Return whether a node is a type's name, with or without parameters."""
    return isinstance(node.left if isinstance(node, Access) else node, TypeName)


def strip_parentheses(node: Node) -> Node:
    """Return the expression that is in parentheses, also in several."""
    while isinstance(node, Paren):
        node = node.expr
    return node


def get_literal_string(node: Node) -> str | None:
    """Return the string of a literal, None for anything else."""
    return node.value if isinstance(node, String | Name) else None


def list_statements(body: Node) -> list[Node]:
    """Return the statements of a body, which is a block or a single statement."""
    return body.statements if isinstance(body, Block) else [body]


def get_callee_name(node: Call | MethodCall) -> str:
    """Return the name of the function that a call names, "" if it calls something else."""
    callee = node.name if isinstance(node, MethodCall) else node.functor
    return callee.value if isinstance(callee, Name) else ""


def list_arguments(node: Call | MethodCall) -> list[Node]:
    """Return the arguments of a call, the receiver of a method call first."""
    return [node.receiver, *node.arguments] if isinstance(node, MethodCall) else node.arguments


def compute_extents(root: Node, source: str) -> dict[Node, tuple[int, int]]:
    """Return the extent of each node of a tree: its start and its end with all its parts.

    The span of an operator or a parenthesis is only its sign.
    """
    extents: dict[Node, tuple[int, int]] = {}
    for node in reversed(list(walk(root))):  # the parts of a node come before it
        spans = [(node.start, node.end), *(extents[child] for child in node.children())]
        start, end = min(start for start, _ in spans), max(end for _, end in spans)
        extents[node] = start, source.index(")", end) + 1 if type(node) is Paren else end
    return extents


def find_expression_extent(node: Node, source: str) -> tuple[int, int]:
    """Return the start and the end of an expression with all its parts; see `compute_extents`."""
    return compute_extents(node, source)[node]


def get_expression_text(node: Node, source: str) -> str:
    """Return an expression as it is written in the source."""
    start, end = find_expression_extent(node, source)
    return source[start:end]
