"""Functions that build nodes for the productions of the grammar modules.

They are for nodes that are not made of the values of the symbols alone. `Production` describes these values.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, Protocol

from lexer_parser.issues import Misuse
from lexer_parser.lexing.tokens import STATEMENT_FUNCTIONS, Token
from lexer_parser.record import Record
from lexer_parser.tree.nodes import (
    Access,
    Array,
    AttributesSplat,
    Block,
    Call,
    Class,
    Concat,
    Define,
    Float,
    Hash,
    Integer,
    MethodCall,
    Name,
    Node,
    Nop,
    Pair,
    Resource,
    ResourceDefaults,
    ResourceOverride,
    String,
    Text,
    TypeName,
    Variable,
)


class Production(Protocol):
    """The values of a production's symbols: the left side has the index 0.

    They are tokens, nodes, lists and tuples, of which the rule in the docstring says which is where; so they are `Any`.
    """

    def __getitem__(self, index: int, /) -> Any: ...

    def __setitem__(self, index: int, value: Any, /) -> None: ...

    def __len__(self) -> int: ...


# CPython prints no integer of more than 4300 digits, and nobody writes one.
LONGEST_NUMBER = 3500  # characters


class CommaList(Record):
    """A comma separated list among statements: the arguments of a call without parentheses, or an error.

    `comma` is the token of the first comma.
    """

    items: list[Node]
    comma: Token


# --- Literals


def make_number(start: int, end: int, text: str) -> Node:
    """Return the literal for the text of a number; a leading `0x` or `0` sets the radix."""
    if len(text) > LONGEST_NUMBER:
        raise Misuse("ILLEGAL_NUMBER", start, end, value=text[:20] + "...")
    if text.isdigit():
        if text[0] != "0" or text == "0":
            return Integer(start, end, int(text))
        return Integer(start, end, int(text, 8), 8)
    if text[1] in "xX":
        return Integer(start, end, int(text, 16), 16)
    value = float(text)
    if value == float("inf"):
        raise Misuse("NUMBER_OUT_OF_RANGE", start, end, value=text)
    return Float(start, end, value)


# --- Statements, and calls without parentheses


def make_statement_block(statements: list[Any], start: int, end: int) -> Node:
    """Return the node for a list of statements.

    It is Nop for none, the statement itself for one, else a Block. Calls without parentheses are assembled here, and
    calls that are statements lose their `rval` mark.

    Args:
        statements: Nodes and CommaLists.
        start: The offset of the block.
        end: The offset behind the block; 0 for the end of the last statement.
    """
    if not statements:
        return Nop(start, end)
    elements = make_statement_calls(statements)
    return elements[0] if len(elements) == 1 else Block(start, end or elements[-1].end, elements)


def make_statement_calls(statements: list[Any]) -> list[Node]:
    """Combine the bare names of statement functions and what follows them into calls."""
    calls: list[Node] = []
    before: Any = None  # the previous statement, unless it is a call that was made here
    for statement in statements:
        kind = type(statement)
        if type(before) is Name and before.value in STATEMENT_FUNCTIONS:
            arguments = statement.items if kind is CommaList else [statement]
            calls[-1] = Call(before.start, arguments[-1].end, before, arguments, None, False)
            before = None
            continue
        if kind is CommaList:
            _reject_comma_list(before, statement)
        if kind is Call:
            statement.rval = False
        calls.append(statement)
        before = statement
    return calls


def reject_comma_lists(statements: list[Any]) -> None:
    """Raise Misuse if one of the statements is a list that no call takes as its arguments."""
    if any(type(statement) is CommaList for statement in statements):
        make_statement_calls(statements)


def _reject_comma_list(before: Any, commas: CommaList) -> None:
    """Raise Misuse for a list that no call takes; `before` is the statement before it."""
    start, end, _ = commas.comma
    if type(before) is Name:
        raise Misuse("ARGUMENTS_WITHOUT_PARENTHESES", start, end, name=before.value)
    raise Misuse("ILLEGAL_COMMA_LIST", start, end)


# --- Pairs, resources, strings, types


def merge_pairs(entries: list[Node]) -> list[Node]:
    """Return the entries of a list with each run of adjacent pairs combined into one hash."""
    for entry in entries:  # most lists have no pair, and this takes half the time of a search by `in`
        if type(entry) is Pair:
            break
    else:
        return entries
    merged: list[Node] = []
    for kind, run in groupby(entries, type):
        members: list[Any] = list(run)
        merged += [Hash(members[0].start, members[-1].value.end, members)] if kind is Pair else members
    return merged


def make_untitled_resource(left: Any, brace: Token, operations: list[Any], end: int) -> Node:
    """Return the node for `left { attributes }`: defaults, an override, a call, or a name and a hash.

    After a name, the attributes are the entries of a hash: an argument of a statement function, or else a resource
    without title, which validation reports.

    Args:
        left: The node before the brace.
        brace: The token of the brace.
        operations: The attributes.
        end: The offset behind the closing brace.
    """
    kind = type(left)
    if kind is TypeName:
        return ResourceDefaults(left.start, end, left, operations, "regular")
    if kind is Access:
        return ResourceOverride(left.start, end, left, operations, "regular")
    if kind is not Name:
        raise Misuse("NOT_A_RESOURCE", left.start, left.end)
    brace_start, brace_end, _ = brace
    entries = []
    for operation in operations:
        if type(operation) is AttributesSplat:
            raise Misuse("RESOURCE_WITHOUT_TITLE", left.start, left.end, name=left.value)
        if operation.operator == "+>":
            raise Misuse("UNTITLED_APPEND", brace_start, brace_end)
        key = String(operation.start, operation.start + len(operation.name), operation.name)
        entries.append(Pair(operation.start, operation.end, key, operation.value))
    attributes = Hash(brace_start, end, entries)
    if left.value in STATEMENT_FUNCTIONS:
        return Call(left.start, end, left, [attributes], None, False)
    return Block(left.start, end, [left, attributes])


def mark_virtual(mark: Token, resource: Node) -> Node:
    """Make a resource expression virtual (`@`) or exported (`@@`)."""
    start, end, sign = mark
    if not isinstance(resource, Resource | ResourceDefaults | ResourceOverride):
        raise Misuse("NOT_EXPORTED" if sign == "@@" else "NOT_VIRTUAL", start, end)
    resource.form = "exported" if sign == "@@" else "virtual"
    resource.start = start
    return resource


# The fields of accesses and method calls that hold the expression to which they are applied.
_HEADS: dict[type[Node], str] = {Access: "left", MethodCall: "receiver"}


def add_segments(string: Concat, text: Token, expression: Node | None = None) -> None:
    """Add a text, unless it is empty, and the expression behind it to a string."""
    start, string.end, value = text
    if value:
        string.segments.append(String(start, string.end, value))
    if expression is not None:
        string.segments.append(Text(expression.start, expression.end, _convert_interpolation(expression)))


def _convert_interpolation(expression: Node) -> Node:
    """Return the expression of `${…}`: a name or number before `[` or `.` becomes a variable."""
    parent: Any = None
    head: Any = expression
    while type(head) in _HEADS:
        parent, head = head, getattr(head, _HEADS[type(head)])
    if parent is not None and type(head) in (Name, Integer):
        setattr(parent, _HEADS[type(parent)], Variable(head.start, head.end, str(head.value)))
    return expression


def make_alias_type(start: int, base: TypeName | None, attributes: Hash) -> Node:
    """Return the type that is written `Base { … }` or `{ … }` in the definition of an alias.

    It is `Object[{ …, parent => Base }]`, or `Base[{ … }]` for the bases Object, the default, and TypeSet.
    """
    object_type = TypeName(start, start, "Object")
    if base is None or base.value in ("Object", "TypeSet"):
        return Access(start, attributes.end, base or object_type, [attributes])
    # The released Puppet reports a second `parent` at the brace.
    brace = attributes.start
    parent = Pair(brace, brace + 1, Name(base.start, base.end, "parent"), base)
    return Access(
        start,
        attributes.end,
        object_type,
        [Hash(brace, attributes.end, [*attributes.entries, parent])],
    )


# --- After the parser: the names of definitions


def qualify_names(program: Node) -> None:
    """Prefix the names of classes and defined types with those of the classes around them."""
    stack: list[tuple[Node, str]] = [(program, "")]
    while stack:
        node, prefix = stack.pop()
        if type(node) is Class:
            prefix, node.name = f"{prefix}{node.name.removeprefix('::')}::", prefix + node.name
        elif type(node) is Define:
            node.name = prefix + node.name
        stack.extend((child, prefix) for child in node.children())


# --- Calls of the specification

# A mark for a semicolon in a list of statements: a name before it and an array behind it do not make a call.
SEPARATOR: Any = object()


def make_array_calls(statements: list[Any]) -> list[Any]:
    """Combine each bare name and the array that follows it into a call; drop separators.

    Only the specification has such calls.
    """
    calls: list[Any] = []
    before: Any = None
    for statement in statements:
        if type(statement) is Array and type(before) is Name:
            calls[-1] = Call(before.start, statement.end, before, [statement], None, True)
        elif statement is not SEPARATOR:
            calls.append(statement)
        before = statement
    return calls
