"""Resources, defaults, overrides, collectors and relationships: what they are is the catalog's business."""

from __future__ import annotations

import ast
from typing import Any

from evaluator.compiler.emitter import Emitter, emits
from evaluator.definitions import Site
from lexer_parser import nodes


def _site(emitter: Emitter, node: nodes.Node) -> ast.expr:
    return emitter.constant(Site(emitter.unit.source, node))


def _values(emitter: Emitter, operations: list[nodes.Node]) -> ast.expr:
    found = []
    for operation in operations:
        value = operation.value if isinstance(operation, nodes.Attribute) else operation.expr  # type: ignore[attr-defined]
        found.append(emitter.expression(value))
    return emitter.py_list(found)


@emits(nodes.Resource)
def resource(emitter: Emitter, node: nodes.Resource) -> ast.expr:
    kind = emitter.expression(node.type_name)
    bodies = []
    for body in node.bodies:
        title = emitter.expression(body.title)
        bodies.append(emitter.py_tuple([title, _values(emitter, body.operations)]))
    emitter.at(node)
    return emitter.call("DECLARE", emitter.scope(), _site(emitter, node), kind, emitter.py_list(bodies))


@emits(nodes.ResourceDefaults)
def defaults(emitter: Emitter, node: nodes.ResourceDefaults) -> ast.expr:
    kind = emitter.expression(node.type_ref)
    found = _values(emitter, node.operations)
    emitter.at(node)
    return emitter.call("SET_DEFAULTS", emitter.scope(), _site(emitter, node), kind, found)


@emits(nodes.ResourceOverride)
def override(emitter: Emitter, node: nodes.ResourceOverride) -> ast.expr:
    references = emitter.expression(node.resources)
    found = _values(emitter, node.operations)
    emitter.at(node)
    return emitter.call("OVERRIDE", emitter.scope(), _site(emitter, node), references, found)


@emits(nodes.Relationship)
def relationship(emitter: Emitter, node: nodes.Relationship) -> ast.expr:
    left = emitter.expression(node.left)
    right = emitter.expression(node.right)
    emitter.at(node)
    operator = emitter.literal(node.operator)
    return emitter.call("RELATE", emitter.scope(), _site(emitter, node), left, operator, right)


@emits(nodes.Collector)
def collector(emitter: Emitter, node: nodes.Collector) -> ast.expr:
    kind = emitter.expression(node.type)
    emitter.at(node)
    query = emitter.literal(None) if node.query.expr is None else _query(emitter, node.query.expr, node)
    found = _values(emitter, node.operations)
    emitter.at(node)
    return emitter.call("COLLECT", emitter.scope(), _site(emitter, node), kind, query, found)


def _query(emitter: Emitter, node: Any, collector: nodes.Collector) -> ast.expr:
    """A query as nested tuples: ("==", attribute, value), ("and", query, query), …"""
    while isinstance(node, nodes.Paren):
        node = node.expr
    if isinstance(node, nodes.And | nodes.Or):
        name = "and" if isinstance(node, nodes.And) else "or"
        parts = [_query(emitter, node.left, collector), _query(emitter, node.right, collector)]
        return emitter.py_tuple([emitter.literal(name), *parts])
    if isinstance(node, nodes.Comparison):
        attribute = emitter.expression(node.left)
        value = _query_value(emitter, node.right, collector)
        return emitter.py_tuple([emitter.literal(node.operator), attribute, value])
    return emitter.py_tuple([emitter.literal("value"), emitter.expression(node)])


# What the right side of a query may be; the released Puppet names the classes of what it may not.
_QUERY_VALUES = (
    nodes.Variable,
    nodes.Name,
    nodes.String,
    nodes.Concat,
    nodes.Integer,
    nodes.Float,
    nodes.Boolean,
    nodes.Undef,
    nodes.Access,
)
_RELEASED_NAMES: dict[type[nodes.Node], str] = {
    nodes.TypeName: "QualifiedReference",
    nodes.Default: "LiteralDefault",
    nodes.Regexp: "LiteralRegularExpression",
    nodes.Array: "LiteralList",
    nodes.Hash: "LiteralHash",
    nodes.Call: "CallNamedFunctionExpression",
    nodes.MethodCall: "CallMethodExpression",
    nodes.Minus: "UnaryMinusExpression",
    nodes.Splat: "UnfoldExpression",
    nodes.Arithmetic: "ArithmeticExpression",
}


def _query_value(emitter: Emitter, node: nodes.Node, collector: nodes.Collector) -> ast.expr:
    while isinstance(node, nodes.Paren):
        node = node.expr
    if isinstance(node, _QUERY_VALUES):
        return emitter.expression(node)
    kind = _RELEASED_NAMES.get(type(node), f"{type(node).__name__}Expression")
    emitter.at(collector)
    return emitter.call(
        "FAIL", emitter.literal(f"Cannot transform object of class Puppet::Pops::Model::{kind}")
    )
