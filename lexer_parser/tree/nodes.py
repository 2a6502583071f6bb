"""The abstract syntax tree: one small class per construct, named after Puppet Notation (PN).

Every node has `start` and `end`, offsets in characters of the program's source. They follow the released
Puppet, so that messages name the same column: a binary operator's span is the operator token, an access spans
from its left side to the `]`, a call from its functor to the closing parenthesis. Positions are no part of
equality. A field is a node, a list of nodes, None or a plain value; a list is never None.

Classes are written out and not made by `dataclasses`, whose import and set-up cost more than the rest of the
start of `puppet-repl -e`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from lexer_parser.errors import PuppetError
from lexer_parser.source import Source


class Node:
    """A node of the tree. `fields` names what is compared and walked, in source order."""

    __slots__ = ("end", "start")
    fields: ClassVar[tuple[str, ...]] = ()

    start: int
    end: int

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
        """The direct child nodes in source order."""
        found: list[Node] = []
        for field in self.fields:
            value = getattr(self, field)
            if isinstance(value, Node):
                found.append(value)
            elif type(value) is list:
                found += [item for item in value if isinstance(item, Node)]
        return found


def walk(node: Node) -> Iterator[Node]:
    """Yields `node` and all nodes below it, parents before children, in source order, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += current.children()[::-1]


# --- Program and literals


class Program(Node):
    """A whole manifest or template; `body` is one node, `source` the text it was read from. PN prints the body.

    `warnings` are the PuppetErrors that did not stop the parser.
    """

    __slots__ = ("body", "source", "warnings")
    fields = ("body",)

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

    __slots__ = ()

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Undef(Node):
    """`undef`. PN `nil`."""

    __slots__ = ()

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Default(Node):
    """`default`. PN `(default)`."""

    __slots__ = ()

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end


class Boolean(Node):
    """`true` or `false`."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: bool) -> None:
        self.start = start
        self.end = end
        self.value = value


class Integer(Node):
    """An integer literal; `radix` is 8, 10 or 16. PN `31`, `(int {:radix 16 :value 31})`."""

    __slots__ = ("radix", "value")
    fields = ("value", "radix")

    def __init__(self, start: int, end: int, value: int, radix: int = 10) -> None:
        self.start = start
        self.end = end
        self.value = value
        self.radix = radix


class Float(Node):
    """A floating point literal."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: float) -> None:
        self.start = start
        self.end = end
        self.value = value


class String(Node):
    """A string without interpolation, or a bare word. PN `"text"`."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: str) -> None:
        self.start = start
        self.end = end
        self.value = value


class Concat(Node):
    """A string with interpolation: `String` and `Text` nodes. PN `(concat …)`."""

    __slots__ = ("segments",)
    fields = ("segments",)

    def __init__(self, start: int, end: int, segments: list[Node]) -> None:
        self.start = start
        self.end = end
        self.segments = segments


class Text(Node):
    """An interpolated expression inside a string. PN `(str …)`."""

    __slots__ = ("expr",)
    fields = ("expr",)

    def __init__(self, start: int, end: int, expr: Node) -> None:
        self.start = start
        self.end = end
        self.expr = expr


class Heredoc(Node):
    """`@(TAG:syntax)`; `text` is a String or Concat, `syntax` a str or None. PN `(heredoc {…})`."""

    __slots__ = ("syntax", "text")
    fields = ("syntax", "text")

    def __init__(self, start: int, end: int, syntax: str | None, text: Node) -> None:
        self.start = start
        self.end = end
        self.syntax = syntax
        self.text = text


class Regexp(Node):
    r"""`/…/`; the source text between the slashes with `\/` already unescaped. PN `(regexp "…")`."""

    __slots__ = ("pattern",)
    fields = ("pattern",)

    def __init__(self, start: int, end: int, pattern: str) -> None:
        self.start = start
        self.end = end
        self.pattern = pattern


class Name(Node):
    """A lower-case bare name. PN `(qn "a::b")`."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: str) -> None:
        self.start = start
        self.end = end
        self.value = value


class TypeName(Node):
    """An upper-case name as written. PN `(qr "Foo::Bar")`."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: str) -> None:
        self.start = start
        self.end = end
        self.value = value


class Reserved(Node):
    """A reserved word used as an expression (`attr`, `private`). PN `(reserved "attr")`."""

    __slots__ = ("word",)
    fields = ("word",)

    def __init__(self, start: int, end: int, word: str) -> None:
        self.start = start
        self.end = end
        self.word = word


class Variable(Node):
    """`$name`; `name` has no dollar sign. PN `(var "name")`."""

    __slots__ = ("name",)
    fields = ("name",)

    def __init__(self, start: int, end: int, name: str) -> None:
        self.start = start
        self.end = end
        self.name = name


class Array(Node):
    """`[…]`. PN `(array …)`."""

    __slots__ = ("values",)
    fields = ("values",)

    def __init__(self, start: int, end: int, values: list[Node]) -> None:
        self.start = start
        self.end = end
        self.values = values


class Hash(Node):
    """`{…}`: a list of `Pair`. PN `(hash …)`."""

    __slots__ = ("entries",)
    fields = ("entries",)

    def __init__(self, start: int, end: int, entries: list[Pair]) -> None:
        self.start = start
        self.end = end
        self.entries = entries


class Pair(Node):
    """`key => value` in a hash. PN `(=> …)`."""

    __slots__ = ("key", "value")
    fields = ("key", "value")

    def __init__(self, start: int, end: int, key: Node, value: Node) -> None:
        self.start = start
        self.end = end
        self.key = key
        self.value = value


# --- Operators


class Paren(Node):
    """`(expr)`. PN `(paren …)`."""

    __slots__ = ("expr",)
    fields = ("expr",)

    def __init__(self, start: int, end: int, expr: Node) -> None:
        self.start = start
        self.end = end
        self.expr = expr


class Not(Node):
    """`!expr`. PN `(! …)`."""

    __slots__ = ("expr",)
    fields = ("expr",)

    def __init__(self, start: int, end: int, expr: Node) -> None:
        self.start = start
        self.end = end
        self.expr = expr


class Minus(Node):
    """`-expr`. PN `(- …)`."""

    __slots__ = ("expr",)
    fields = ("expr",)

    def __init__(self, start: int, end: int, expr: Node) -> None:
        self.start = start
        self.end = end
        self.expr = expr


class Splat(Node):
    """`*expr`. PN `(unfold …)`."""

    __slots__ = ("expr",)
    fields = ("expr",)

    def __init__(self, start: int, end: int, expr: Node) -> None:
        self.start = start
        self.end = end
        self.expr = expr


class Arithmetic(Node):
    """`+ - * / % << >>`."""

    __slots__ = ("left", "operator", "right")
    fields = ("operator", "left", "right")

    def __init__(self, start: int, end: int, operator: str, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.left = left
        self.right = right


class Comparison(Node):
    """`== != < <= > >=`."""

    __slots__ = ("left", "operator", "right")
    fields = ("operator", "left", "right")

    def __init__(self, start: int, end: int, operator: str, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.left = left
        self.right = right


class Match(Node):
    """`=~ !~`."""

    __slots__ = ("left", "operator", "right")
    fields = ("operator", "left", "right")

    def __init__(self, start: int, end: int, operator: str, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.left = left
        self.right = right


class In(Node):
    """`left in right`. PN `(in …)`."""

    __slots__ = ("left", "right")
    fields = ("left", "right")

    def __init__(self, start: int, end: int, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.left = left
        self.right = right


class And(Node):
    """`left and right`. PN `(and …)`."""

    __slots__ = ("left", "right")
    fields = ("left", "right")

    def __init__(self, start: int, end: int, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.left = left
        self.right = right


class Or(Node):
    """`left or right`. PN `(or …)`."""

    __slots__ = ("left", "right")
    fields = ("left", "right")

    def __init__(self, start: int, end: int, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.left = left
        self.right = right


class Assignment(Node):
    """`= += -=`."""

    __slots__ = ("left", "operator", "right")
    fields = ("operator", "left", "right")

    def __init__(self, start: int, end: int, operator: str, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.left = left
        self.right = right


class Relationship(Node):
    """`-> ~> <- <~`."""

    __slots__ = ("left", "operator", "right")
    fields = ("operator", "left", "right")

    def __init__(self, start: int, end: int, operator: str, left: Node, right: Node) -> None:
        self.start = start
        self.end = end
        self.operator = operator
        self.left = left
        self.right = right


class Access(Node):
    """`left[keys…]`. PN `(access …)`."""

    __slots__ = ("keys", "left")
    fields = ("left", "keys")

    def __init__(self, start: int, end: int, left: Node, keys: list[Node]) -> None:
        self.start = start
        self.end = end
        self.left = left
        self.keys = keys


# --- Control


class Block(Node):
    """Two or more statements. PN `(block …)`; a plain list where a body is expected."""

    __slots__ = ("statements",)
    fields = ("statements",)

    def __init__(self, start: int, end: int, statements: list[Node]) -> None:
        self.start = start
        self.end = end
        self.statements = statements


class If(Node):
    """`if`; `then` and `otherwise` are nodes, `Nop` when empty or missing; `elsif` is a nested If."""

    __slots__ = ("otherwise", "test", "then")
    fields = ("test", "then", "otherwise")

    def __init__(self, start: int, end: int, test: Node, then: Node, otherwise: Node) -> None:
        self.start = start
        self.end = end
        self.test = test
        self.then = then
        self.otherwise = otherwise


class Unless(Node):
    """`unless`."""

    __slots__ = ("otherwise", "test", "then")
    fields = ("test", "then", "otherwise")

    def __init__(self, start: int, end: int, test: Node, then: Node, otherwise: Node) -> None:
        self.start = start
        self.end = end
        self.test = test
        self.then = then
        self.otherwise = otherwise


class Case(Node):
    """`case`: a list of `CaseOption`."""

    __slots__ = ("options", "test")
    fields = ("test", "options")

    def __init__(self, start: int, end: int, test: Node, options: list[CaseOption]) -> None:
        self.start = start
        self.end = end
        self.test = test
        self.options = options


class CaseOption(Node):
    """`values…: { then }`."""

    __slots__ = ("then", "values")
    fields = ("values", "then")

    def __init__(self, start: int, end: int, values: list[Node], then: Node) -> None:
        self.start = start
        self.end = end
        self.values = values
        self.then = then


class Selector(Node):
    """`left ? { … }`: a list of `SelectorEntry`. PN `(? …)`."""

    __slots__ = ("entries", "left")
    fields = ("left", "entries")

    def __init__(self, start: int, end: int, left: Node, entries: list[SelectorEntry]) -> None:
        self.start = start
        self.end = end
        self.left = left
        self.entries = entries


class SelectorEntry(Node):
    """`match => value`."""

    __slots__ = ("match", "value")
    fields = ("match", "value")

    def __init__(self, start: int, end: int, match: Node, value: Node) -> None:
        self.start = start
        self.end = end
        self.match = match
        self.value = value


# --- Calls


class Call(Node):
    """`functor(arguments) |…| {block}`; `rval` is true when the value is used. PN `call` or `invoke`."""

    __slots__ = ("arguments", "block", "functor", "rval")
    fields = ("functor", "arguments", "block", "rval")

    def __init__(
        self, start: int, end: int, functor: Node, arguments: list[Node], block: Lambda | None, rval: bool
    ) -> None:
        self.start = start
        self.end = end
        self.functor = functor
        self.arguments = arguments
        self.block = block
        self.rval = rval


class MethodCall(Node):
    """`receiver.name(arguments) |…| {block}`; `name` is a `Name`. PN `(call-method …)`."""

    __slots__ = ("arguments", "block", "name", "receiver")
    fields = ("receiver", "name", "arguments", "block")

    def __init__(
        self, start: int, end: int, receiver: Node, name: Name, arguments: list[Node], block: Lambda | None
    ) -> None:
        self.start = start
        self.end = end
        self.receiver = receiver
        self.name = name
        self.arguments = arguments
        self.block = block


class Lambda(Node):
    """`|params| >> type { body }`; `returns` is a type expression or None."""

    __slots__ = ("body", "parameters", "returns")
    fields = ("parameters", "body", "returns")

    def __init__(
        self, start: int, end: int, parameters: list[Parameter], body: Node, returns: Node | None
    ) -> None:
        self.start = start
        self.end = end
        self.parameters = parameters
        self.body = body
        self.returns = returns


class Parameter(Node):
    """`[type] [*] $name [= default]`; type and default are nodes or None."""

    __slots__ = ("default", "name", "splat", "type")
    fields = ("name", "type", "default", "splat")

    def __init__(
        self, start: int, end: int, name: str, type: Node | None, default: Node | None, splat: bool
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.type = type
        self.default = default
        self.splat = splat


# --- Definitions


class Class(Node):
    """`class name(params) inherits parent { body }`; names are qualified, parent is a str or None."""

    __slots__ = ("body", "name", "parameters", "parent")
    fields = ("name", "parameters", "parent", "body")

    def __init__(
        self, start: int, end: int, name: str, parameters: list[Parameter], parent: str | None, body: Node
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.parameters = parameters
        self.parent = parent
        self.body = body


class Define(Node):
    """`define name(params) { body }`."""

    __slots__ = ("body", "name", "parameters")
    fields = ("name", "parameters", "body")

    def __init__(self, start: int, end: int, name: str, parameters: list[Parameter], body: Node) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.parameters = parameters
        self.body = body


class Function(Node):
    """`function name(params) >> type { body }`."""

    __slots__ = ("body", "name", "parameters", "returns")
    fields = ("name", "parameters", "returns", "body")

    def __init__(
        self, start: int, end: int, name: str, parameters: list[Parameter], returns: Node | None, body: Node
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.parameters = parameters
        self.returns = returns
        self.body = body


class Plan(Node):
    """`plan name(params) { body }` (tasks mode; rejected by validation)."""

    __slots__ = ("body", "name", "parameters", "returns")
    fields = ("name", "parameters", "returns", "body")

    def __init__(
        self, start: int, end: int, name: str, parameters: list[Parameter], returns: Node | None, body: Node
    ) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.parameters = parameters
        self.returns = returns
        self.body = body


class NodeDefinition(Node):
    """`node 'a', /b/, default { body }`; parent is a node or None."""

    __slots__ = ("body", "matches", "parent")
    fields = ("matches", "parent", "body")

    def __init__(self, start: int, end: int, matches: list[Node], parent: Node | None, body: Node) -> None:
        self.start = start
        self.end = end
        self.matches = matches
        self.parent = parent
        self.body = body


class TypeAlias(Node):
    """`type Name = type`."""

    __slots__ = ("name", "type")
    fields = ("name", "type")

    def __init__(self, start: int, end: int, name: str, type: Node) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.type = type


class TypeMapping(Node):
    """`type Runtime[…] = Type`."""

    __slots__ = ("mapping", "type")
    fields = ("type", "mapping")

    def __init__(self, start: int, end: int, type: Node, mapping: Node) -> None:
        self.start = start
        self.end = end
        self.type = type
        self.mapping = mapping


class TypeDefinition(Node):
    """`type Name inherits Parent { body }` (rejected by validation)."""

    __slots__ = ("body", "name", "parent")
    fields = ("name", "parent", "body")

    def __init__(self, start: int, end: int, name: str, parent: str | None, body: Node) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.parent = parent
        self.body = body


# --- Resources


class Resource(Node):
    """`type { title: … }`: a list of `ResourceBody`; form is `regular`, `virtual` or `exported`."""

    __slots__ = ("bodies", "form", "type_name")
    fields = ("type_name", "bodies", "form")

    def __init__(self, start: int, end: int, type_name: Node, bodies: list[ResourceBody], form: str) -> None:
        self.start = start
        self.end = end
        self.type_name = type_name
        self.bodies = bodies
        self.form = form


class ResourceBody(Node):
    """`title: attributes…`."""

    __slots__ = ("operations", "title")
    fields = ("title", "operations")

    def __init__(self, start: int, end: int, title: Node, operations: list[Node]) -> None:
        self.start = start
        self.end = end
        self.title = title
        self.operations = operations


class ResourceDefaults(Node):
    """`Type { attributes… }`."""

    __slots__ = ("form", "operations", "type_ref")
    fields = ("type_ref", "operations", "form")

    def __init__(self, start: int, end: int, type_ref: Node, operations: list[Node], form: str) -> None:
        self.start = start
        self.end = end
        self.type_ref = type_ref
        self.operations = operations
        self.form = form


class ResourceOverride(Node):
    """`Type['title'] { attributes… }`."""

    __slots__ = ("form", "operations", "resources")
    fields = ("resources", "operations", "form")

    def __init__(self, start: int, end: int, resources: Node, operations: list[Node], form: str) -> None:
        self.start = start
        self.end = end
        self.resources = resources
        self.operations = operations
        self.form = form


class Attribute(Node):
    """`name => value` or `name +> value`."""

    __slots__ = ("name", "operator", "value")
    fields = ("name", "operator", "value")

    def __init__(self, start: int, end: int, name: str, operator: str, value: Node) -> None:
        self.start = start
        self.end = end
        self.name = name
        self.operator = operator
        self.value = value


class AttributesSplat(Node):
    """`* => expr`. PN `(splat-hash …)`."""

    __slots__ = ("expr",)
    fields = ("expr",)

    def __init__(self, start: int, end: int, expr: Node) -> None:
        self.start = start
        self.end = end
        self.expr = expr


class Collector(Node):
    """`Type <| query |> { attributes… }`; query is a `Query`."""

    __slots__ = ("operations", "query", "type")
    fields = ("type", "query", "operations")

    def __init__(self, start: int, end: int, type: Node, query: Query, operations: list[Node]) -> None:
        self.start = start
        self.end = end
        self.type = type
        self.query = query
        self.operations = operations


class Query(Node):
    """The part between the pipes; expr is a node or None."""

    __slots__ = ("exported", "expr")
    fields = ("expr", "exported")

    def __init__(self, start: int, end: int, expr: Node | None, exported: bool) -> None:
        self.start = start
        self.end = end
        self.expr = expr
        self.exported = exported


# --- Templates


class Epp(Node):
    """A template's body; its parameters are those of the Lambda around it. PN `(epp …)`."""

    __slots__ = ("body", "parameters_given")
    fields = ("body", "parameters_given")

    def __init__(self, start: int, end: int, body: Node, parameters_given: bool) -> None:
        self.start = start
        self.end = end
        self.body = body
        self.parameters_given = parameters_given


class RenderText(Node):
    """Literal text of a template. PN `(render-s "…")`."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, start: int, end: int, value: str) -> None:
        self.start = start
        self.end = end
        self.value = value


class Render(Node):
    """`<%= expr %>`. PN `(render …)`."""

    __slots__ = ("expr",)
    fields = ("expr",)

    def __init__(self, start: int, end: int, expr: Node) -> None:
        self.start = start
        self.end = end
        self.expr = expr


# What is one token in the source and has no nodes in it.
LEAVES: frozenset[type[Node]] = frozenset(
    (
        *(Nop, Undef, Default, Boolean, Integer, Float, String, Regexp),
        *(Name, TypeName, Reserved, Variable),
    )
)
