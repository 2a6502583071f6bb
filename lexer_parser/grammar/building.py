"""Functions that build nodes for the productions of the grammar modules.

They are for nodes that are not made of the values of the symbols alone. `Production` describes these values.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, Protocol

from lexer_parser.issues import Misuse
from lexer_parser.lexing.tokens import STATEMENT_FUNCTIONS
from lexer_parser.record import Record
from lexer_parser.tree.nodes import (
    Access,
    Array,
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
    comma: tuple[int, int, str]


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


def make_statement_block(statements: list[Any], start: int, end: int) -> Node:
    """Return the node for a list of statements.

    It is Nop for none, the statement itself for one, else a Block. Calls without parentheses are assembled here, and
    calls that are statements lose their `rval` mark.
    """
    if not statements:
        return Nop(start, end)
    elements = make_statement_calls(statements)
    return elements[0] if len(elements) == 1 else Block(start, end or elements[-1].end, elements)


def make_statement_calls(statements: list[Any]) -> list[Node]:
    """Combine the bare names of statement functions and what follows them into calls."""
    calls: list[Node] = []
    pending: Any = None  # the previous statement, if it may become the function of a call
    for statement in statements:
        kind = type(statement)
        if type(pending) is Name and pending.value in STATEMENT_FUNCTIONS:
            arguments = statement.items if kind is CommaList else [statement]
            calls[-1] = Call(pending.start, arguments[-1].end, pending, arguments, None, False)
            pending = None
            continue
        if kind is CommaList:
            _reject_comma_list(pending, statement)
        if kind is Call:
            statement.rval = False
        calls.append(statement)
        pending = statement
    return calls


def reject_comma_lists(values: list[Any]) -> None:
    """Raise Misuse if one of the statements is a list that no call takes as its arguments."""
    if any(type(value) is CommaList for value in values):
        make_statement_calls(values)


def _reject_comma_list(pending: Any, commas: CommaList) -> None:
    start, end, _ = commas.comma
    if type(pending) is Name:
        raise Misuse("ARGUMENTS_WITHOUT_PARENTHESES", start, end, name=pending.value)
    raise Misuse("ILLEGAL_COMMA_LIST", start, end)


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


def make_untitled_resource(left: Any, brace: tuple[int, int, str], operations: list[Any], end: int) -> Node:
    """Return the node for `left { attributes }`: defaults, an override, a call, or a name and a hash.

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
    entries = []
    for operation in operations:
        if getattr(operation, "operator", None) == "+>":
            raise Misuse("UNTITLED_APPEND", *brace[:2])
        if not hasattr(operation, "name"):
            raise Misuse("RESOURCE_WITHOUT_TITLE", left.start, left.end, name=left.value)
        key = String(operation.start, operation.start + len(operation.name), operation.name)
        entries.append(Pair(operation.start, operation.end, key, operation.value))
    attributes = Hash(brace[0], end, entries)
    if left.value in STATEMENT_FUNCTIONS:
        return Call(left.start, end, left, [attributes], None, False)
    return Block(left.start, end, [left, attributes])


def mark_virtual(mark: tuple[int, int, str], resource: Node) -> Node:
    """Make a resource expression virtual (`@`) or exported (`@@`)."""
    if not isinstance(resource, Resource | ResourceDefaults | ResourceOverride):
        raise Misuse("NOT_EXPORTED" if mark[2] == "@@" else "NOT_VIRTUAL", mark[0], mark[1])
    resource.form = "exported" if mark[2] == "@@" else "virtual"
    resource.start = mark[0]
    return resource


# The fields of accesses and method calls that hold the expression to which they are applied.
_HEADS: dict[type[Node], str] = {Access: "left", MethodCall: "receiver"}


def add_segments(string: Concat, text: tuple[int, int, str], expression: Node | None = None) -> None:
    """Add a text, unless it is empty, and the expression behind it to a string."""
    string.end = text[1]
    if text[2]:
        string.segments.append(String(*text))
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


def make_alias_type(start: int, base: Node | None, brace: Node) -> Node:
    """Return the type that `type A = Base { … }` or `type A = { … }` names."""
    assert isinstance(brace, Hash)
    if base is None or (isinstance(base, TypeName) and base.value in ("Object", "TypeSet")):
        return Access(start, brace.end, base or TypeName(start, start, "Object"), [brace])
    # The released Puppet reports a second `parent` at the brace.
    parent = Pair(brace.start, brace.start + 1, Name(base.start, base.end, "parent"), base)
    return Access(
        start,
        brace.end,
        TypeName(start, start, "Object"),
        [Hash(brace.start, brace.end, [*brace.entries, parent])],
    )


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


# Separates two statements that do not make a call together.
SEPARATOR: Any = object()


def make_array_calls(statements: list[Any]) -> list[Any]:
    """Combine each bare name and the array that follows it into a call; drop separators."""
    calls: list[Any] = []
    before: Any = None
    for statement in statements:
        if type(statement) is Array and type(before) is Name:
            calls[-1] = Call(before.start, statement.end, before, [statement], None, True)
        elif statement is not SEPARATOR:
            calls.append(statement)
        before = statement
    return calls
