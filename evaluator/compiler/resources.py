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
    return emitter.list(found)


@emits(nodes.Resource)
def resource(emitter: Emitter, node: nodes.Resource) -> ast.expr:
    kind = emitter.expression(node.type_name)
    bodies = []
    for body in node.bodies:
        title = emitter.expression(body.title)
        bodies.append(emitter.tuple([title, _values(emitter, body.operations)]))
    emitter.at(node)
    return emitter.call("DECLARE", emitter.scope(), _site(emitter, node), kind, emitter.list(bodies))


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
    query = emitter.literal(None) if node.query.expr is None else _query(emitter, node.query.expr)
    found = _values(emitter, node.operations)
    emitter.at(node)
    return emitter.call("COLLECT", emitter.scope(), _site(emitter, node), kind, query, found)


def _query(emitter: Emitter, node: Any) -> ast.expr:
    """A query as nested tuples: ("==", attribute, value), ("and", query, query), …"""
    while isinstance(node, nodes.Paren):
        node = node.expr
    if isinstance(node, nodes.And | nodes.Or):
        name = "and" if isinstance(node, nodes.And) else "or"
        parts = [_query(emitter, node.left), _query(emitter, node.right)]
        return emitter.tuple([emitter.literal(name), *parts])
    if isinstance(node, nodes.Comparison):
        attribute = emitter.expression(node.left)
        value = emitter.expression(node.right)
        return emitter.tuple([emitter.literal(node.operator), attribute, value])
    return emitter.tuple([emitter.literal("value"), emitter.expression(node)])
