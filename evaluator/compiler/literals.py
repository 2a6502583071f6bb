"""Literals and strings, and what is known of them before the program runs."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from evaluator import values
from evaluator.compiler import analysis
from evaluator.compiler.emitter import Emitter, emits
from evaluator.issues import Failure
from evaluator.types import ClassType, Type, named, parameterize
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes

INT_MIN, INT_MAX = -(2**63), 2**63 - 1

NOT_CONSTANT: Any = object()


# --- constants


def constant_value(emitter: Emitter, node: nodes.Node) -> Any:
    """The value of a node that is the same whenever it is evaluated, or NOT_CONSTANT."""
    kind = type(node)
    if kind in _SIMPLE:
        return _SIMPLE[kind](emitter, node)
    if kind not in _WITH_PARTS:
        return NOT_CONSTANT
    known = emitter.unit.reading.constants
    if node not in known:
        known[node] = _WITH_PARTS[kind](emitter, node)
    return known[node]


def _constant_integer(emitter: Emitter, node: nodes.Integer) -> Any:
    fits = INT_MIN <= node.value <= INT_MAX or emitter.dialect.unbounded_integers
    return node.value if fits else NOT_CONSTANT


def _constant_name(emitter: Emitter, node: nodes.TypeName) -> Any:
    found = named(node.value, emitter.dialect)
    return NOT_CONSTANT if found is None else found


def _constant_negative(emitter: Emitter, node: nodes.Minus) -> Any:
    inner = constant_value(emitter, node.expr)
    return -inner if type(inner) is int or type(inner) is float else NOT_CONSTANT


def _constant_list(emitter: Emitter, items: list[nodes.Node]) -> Any:
    found = []
    for item in items:
        value = constant_value(emitter, item)
        if value is NOT_CONSTANT:
            return NOT_CONSTANT
        found.append(value)
    return found


def _constant_hash(emitter: Emitter, node: nodes.Hash) -> Any:
    pairs = []
    for entry in node.entries:
        pair = _constant_list(emitter, [entry.key, entry.value])
        if pair is NOT_CONSTANT:
            return NOT_CONSTANT
        pairs.append(pair)
    return values.hash_of(pairs)


def _constant_type(emitter: Emitter, node: nodes.Access) -> Any:
    left = constant_value(emitter, node.left)
    if not isinstance(left, Type) or _is_reference(left):
        return NOT_CONSTANT
    keys = _constant_list(emitter, node.keys)
    if keys is NOT_CONSTANT:
        return NOT_CONSTANT
    try:
        return parameterize(left, keys, emitter.dialect)
    except (PuppetError, Failure):
        return NOT_CONSTANT  # evaluated at run time, where the error has its place
    except NotImplementedError:
        return NOT_CONSTANT


_Constant = Callable[[Emitter, Any], Any]
_SIMPLE: dict[type[nodes.Node], _Constant] = {
    **dict.fromkeys((nodes.String, nodes.Float, nodes.Boolean, nodes.Name), lambda emitter, node: node.value),
    nodes.Integer: _constant_integer,
    nodes.Undef: lambda emitter, node: None,
    nodes.Default: lambda emitter, node: values.DEFAULT,
    nodes.Regexp: lambda emitter, node: values.Regexp(node.pattern),
    nodes.TypeName: _constant_name,
}
# what is looked at once, however many nodes stand around it
_WITH_PARTS: dict[type[nodes.Node], _Constant] = {
    nodes.Paren: lambda emitter, node: constant_value(emitter, node.expr),
    nodes.Minus: _constant_negative,
    nodes.Array: lambda emitter, node: _constant_list(emitter, node.values),
    nodes.Hash: _constant_hash,
    nodes.Access: _constant_type,
}


def _is_reference(found: Type) -> bool:
    """`File['/a']` and `Class[a]`: `[]` on them reads a parameter, which is not known before the program runs."""
    return getattr(found, "title", None) is not None or (
        isinstance(found, ClassType) and found.name is not None
    )


def folded(emitter: Emitter, node: nodes.Node) -> ast.expr | None:
    """The expression for a node whose value is known, at the current position; None when it is not known."""
    held = emitter.held("value", node)
    if held is not None:
        return held
    value = constant_value(emitter, node)
    if value is NOT_CONSTANT:
        return None
    if value is None or type(value) in (bool, int, str):
        return emitter.literal(value)
    return emitter.constant(value, ("value", node))


@emits(nodes.String, nodes.Name, nodes.Boolean, nodes.Undef, nodes.Default, nodes.Float, nodes.Regexp)
def literal(emitter: Emitter, node: Any) -> ast.expr:
    emitter.at(node)
    found = folded(emitter, node)
    assert found is not None
    return found


@emits(nodes.Nop)
def nop(emitter: Emitter, node: nodes.Nop) -> ast.expr:
    return emitter.literal(None)


@emits(nodes.Integer)
def integer(emitter: Emitter, node: nodes.Integer) -> ast.expr:
    emitter.at(node)
    return emitter.held("value", node) or emitter.literal(node.value)


@emits(nodes.TypeName)
def type_name(emitter: Emitter, node: nodes.TypeName) -> ast.expr:
    emitter.at(node)
    return folded(emitter, node) or emitter.call("TYPE", emitter.literal(node.value))


@emits(nodes.Paren)
def paren(emitter: Emitter, node: nodes.Paren) -> ast.expr:
    return emitter.expression(node.expr)


@emits(nodes.Reserved)
def reserved(emitter: Emitter, node: nodes.Reserved) -> ast.expr:
    return emitter.literal(node.word)


@emits(nodes.Array)
def array(emitter: Emitter, node: nodes.Array) -> ast.expr:
    emitter.at(node)
    return folded(emitter, node) or value_list(emitter, node.values, node)


def value_list(emitter: Emitter, items: list[nodes.Node], node: nodes.Node) -> ast.expr:
    """A Python list of the values of `items`, with `*x` spliced in."""
    elements: list[ast.expr] = []
    for item in items:
        splat = analysis.splat_of(item)
        if splat is not None:
            inner = emitter.expression(splat.expr)
            emitter.at(item)
            spliced = emitter.call("SPLICE", inner)
            elements.append(ast.Starred(spliced, ast.Load(), **emitter.position))
        else:
            elements.append(emitter.expression(item))
    emitter.at(node)
    return emitter.py_list(elements)


@emits(nodes.Hash)
def hash_literal(emitter: Emitter, node: nodes.Hash) -> ast.expr:
    emitter.at(node)
    found = folded(emitter, node)
    if found is not None:
        return found
    if all(isinstance(entry.key, nodes.String | nodes.Name | nodes.Concat) for entry in node.entries):
        keys: list[ast.expr | None] = []
        entries = []
        for entry in node.entries:
            keys.append(emitter.expression(entry.key))
            entries.append(emitter.expression(entry.value))
        emitter.at(node)
        return ast.Dict(keys, entries, **emitter.position)
    pairs = []
    for entry in node.entries:
        pair = [emitter.expression(entry.key), emitter.expression(entry.value)]
        pairs.append(emitter.py_tuple(pair))
    emitter.at(node)
    return emitter.call("HASH_OF", emitter.py_tuple(pairs))


# --- strings


@emits(nodes.Concat)
def concat(emitter: Emitter, node: nodes.Concat) -> ast.expr:
    parts: list[ast.expr] = []
    for segment in node.segments:
        held = emitter.held("value", segment)
        if held is not None:
            parts.append(ast.FormattedValue(held, -1, None, **emitter.position))
        elif isinstance(segment, nodes.String):
            parts.append(emitter.literal(segment.value))
        else:
            parts.append(ast.FormattedValue(_as_text(emitter, segment), -1, None, **emitter.position))
    emitter.at(node)
    joined = ast.JoinedStr(parts, **emitter.position)
    result = emitter.temporary()
    fits = emitter.compare(
        emitter.call("len", emitter.bind(result, joined)), (ast.LtE(), emitter.name("STRING_LIMIT"))
    )
    return emitter.if_else(fits, emitter.name(result), emitter.call("STRING_TOO_LONG"))


@emits(nodes.Text)
def text_expression(emitter: Emitter, node: nodes.Text) -> ast.expr:
    return _as_text(emitter, node)


def _as_text(emitter: Emitter, node: nodes.Node) -> ast.expr:
    inner = node.expr if isinstance(node, nodes.Text) else node
    if isinstance(inner, nodes.String):
        return emitter.literal(inner.value)
    value = emitter.expression(inner)
    emitter.at(inner)
    if not emitter.frame.hot:
        return emitter.call("TEXT", value)
    # Strings and integers print in Puppet as in Python: no call for them (interpolation twice as fast).
    if isinstance(value, ast.Name) and emitter.is_integer(value.id):
        return value
    held, kind = emitter.temporary(), emitter.temporary()
    kind_of = emitter.bind(kind, emitter.type_of(emitter.bind(held, value)))
    plain = ast.BoolOp(
        ast.Or(),
        [
            emitter.compare(kind_of, (ast.Is(), emitter.name("str"))),
            emitter.compare(emitter.name(kind), (ast.Is(), emitter.name("int"))),
        ],
        **emitter.position,
    )
    return emitter.if_else(plain, emitter.name(held), emitter.call("TEXT", emitter.name(held)))


@emits(nodes.Heredoc)
def heredoc(emitter: Emitter, node: nodes.Heredoc) -> ast.expr:
    text = emitter.expression(node.text)
    if node.syntax and isinstance(node.text, nodes.Concat):
        emitter.at(node.text)
        return emitter.call("CHECK_SYNTAX", text, emitter.literal(node.syntax))
    return text
