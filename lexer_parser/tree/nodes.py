"""The abstract syntax tree: one small class per construct, named after Puppet Notation (PN).

Every node has `start` and `end`, offsets in characters of the program's source. They follow the released
Puppet, so that messages name the same column: a binary operator's span is the operator token, an access spans
from its left side to the `]`, a call from its functor to the closing parenthesis. Positions are no part of
equality. A field is a node, a list of nodes, None or a plain value; a list is never None.
"""

from __future__ import annotations

from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from lexer_parser.tree.definitions import *  # noqa: F403
from lexer_parser.tree.definitions import Lambda as Lambda
from lexer_parser.tree.node import Node as Node
from lexer_parser.tree.node import walk as walk

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


class String(Node):
    """A string without interpolation, or a bare word. PN `"text"`."""

    value: str


class Concat(Node):
    """A string with interpolation: `String` and `Text` nodes. PN `(concat …)`."""

    segments: list[Node]


class Text(Node):
    """An interpolated expression inside a string. PN `(str …)`."""

    expr: Node


class Heredoc(Node):
    """`@(TAG:syntax)`; `text` is a String or Concat, `syntax` a str or None. PN `(heredoc {…})`."""

    syntax: str | None
    text: Node


class Regexp(Node):
    r"""`/…/`; the source text between the slashes with `\/` already unescaped. PN `(regexp "…")`."""

    pattern: str


class Name(Node):
    """A lower-case bare name. PN `(qn "a::b")`."""

    value: str


class TypeName(Node):
    """An upper-case name as written. PN `(qr "Foo::Bar")`."""

    value: str


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


class Paren(Node):
    """`(expr)`. PN `(paren …)`."""

    expr: Node


class Not(Node):
    """`!expr`. PN `(! …)`."""

    expr: Node


class Minus(Node):
    """`-expr`. PN `(- …)`."""

    expr: Node


class Splat(Node):
    """`*expr`. PN `(unfold …)`."""

    expr: Node


class Arithmetic(Node):
    """`+ - * / % << >>`."""

    operator: str
    left: Node
    right: Node


class Comparison(Node):
    """`== != < <= > >=`."""

    operator: str
    left: Node
    right: Node


class Match(Node):
    """`=~ !~`."""

    operator: str
    left: Node
    right: Node


class In(Node):
    """`left in right`. PN `(in …)`."""

    left: Node
    right: Node


class And(Node):
    """`left and right`. PN `(and …)`."""

    left: Node
    right: Node


class Or(Node):
    """`left or right`. PN `(or …)`."""

    left: Node
    right: Node


class Assignment(Node):
    """`= += -=`."""

    operator: str
    left: Node
    right: Node


class Relationship(Node):
    """`-> ~> <- <~`."""

    operator: str
    left: Node
    right: Node


class Access(Node):
    """`left[keys…]`. PN `(access …)`."""

    left: Node
    keys: list[Node]


# --- Control


class Block(Node):
    """Two or more statements. PN `(block …)`; a plain list where a body is expected."""

    statements: list[Node]


class If(Node):
    """`if`; `then` and `otherwise` are nodes, `Nop` when empty or missing; `elsif` is a nested If."""

    test: Node
    then: Node
    otherwise: Node


class Unless(Node):
    """`unless`."""

    test: Node
    then: Node
    otherwise: Node


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
    """`functor(arguments) |…| {block}`; `rval` is true when the value is used. PN `call` or `invoke`."""

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


# What is one token in the source and has no nodes in it.
LEAVES: frozenset[type[Node]] = frozenset(
    (
        *(Nop, Undef, Default, Boolean, Integer, Float, String, Regexp),
        *(Name, TypeName, Reserved, Variable),
    )
)
