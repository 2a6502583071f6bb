"""Compilation of catalog expressions to calls of functions of `evaluator.catalog`.

Specification: Catalog Expressions.
"""

from __future__ import annotations

import ast
from typing import Any

from evaluator import catalog
from evaluator.compiler.calls import emit_class_scope
from evaluator.compiler.emitter import CodeEmitter, emits
from evaluator.program.definitions import Site
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import get_released_class


def _emit_catalog_call(emitter: CodeEmitter, function: str, *arguments: ast.expr) -> ast.expr:
    """Emit a call of a function of the catalog, which becomes a global of the code."""
    emitter.names[function.upper()] = getattr(catalog, function)
    return emitter.call(function.upper(), *arguments)


def _emit_site(emitter: CodeEmitter, node: nodes.Node) -> ast.expr:
    return emitter.find_slot("site", node) or emitter.constant(Site(emitter.unit.source, node))


def _emit_value(emitter: CodeEmitter, node: nodes.Node, operation: nodes.Node) -> ast.expr:
    """Emit the value of an attribute, or of `* =>` with its check."""
    if isinstance(operation, nodes.Attribute):
        return emitter.emit_expression(operation.value)
    assert isinstance(operation, nodes.AttributesSplat)
    site = _emit_site(emitter, node)
    value = emitter.emit_expression(operation.expr)
    return _emit_catalog_call(emitter, "check_splat", site, emitter.constant(operation), value)


def _emit_values(emitter: CodeEmitter, node: nodes.Node, operations: list[nodes.Node]) -> ast.expr:
    """Emit a Python list of the values of attributes, in the order of the operations."""
    ordered = list(enumerate(operations))
    if emitter.dialect.splat_last:  # `* => hash` is evaluated after the other attributes
        ordered.sort(key=lambda entry: isinstance(entry[1], nodes.AttributesSplat))
    steps = [(index, _emit_value(emitter, node, operation)) for index, operation in ordered]
    if [index for index, _ in steps] == list(range(len(operations))):
        return emitter.py_list([value for _, value in steps])
    # evaluate the values in their order into Python locals, and list these in the order of the operations
    local_names = [emitter.temporary() for _ in operations]
    bound = [emitter.bind(local_names[index], value) for index, value in steps]
    return emitter.sequence([*bound, emitter.py_list([emitter.name(name) for name in local_names])])


@emits(nodes.Resource)
def emit_resource(emitter: CodeEmitter, node: nodes.Resource) -> ast.expr:
    type_value = emitter.emit_expression(node.type_name)
    if not isinstance(node.type_name, nodes.Name | nodes.Reserved):
        type_value = _emit_catalog_call(emitter, "check_resource_type", _emit_site(emitter, node), type_value)
    if node.form == "exported":
        local = emitter.temporary()
        warning = _emit_store_warning(emitter, node, "export")
        type_value = emitter.sequence([emitter.bind(local, type_value), warning, emitter.name(local)])
    earlier: list[str] = []  # filled by `_emit_title`
    names = _get_attribute_names(node)
    if names is not None:
        body = node.bodies[0]
        title = _emit_title(emitter, node, body, earlier)
        operations: list[Any] = body.operations
        values = [emitter.emit_expression(operation.value) for operation in operations]
        keys: list[ast.expr | None] = [emitter.literal(name) for name in names]
        function, arguments = "declare_resource", [title, ast.Dict(keys, values, **emitter.position)]
    else:
        bodies = []
        for body in node.bodies:
            title = _emit_title(emitter, node, body, earlier)
            listed = _emit_values(emitter, node, _drop_unreached(body.operations))
            attributes = _emit_catalog_call(
                emitter, "collect_attributes", _emit_site(emitter, node), emitter.constant(body), listed
            )
            bodies.append(emitter.py_tuple([title, attributes]))
        function, arguments = "declare_resources", [emitter.py_list(bodies)]
    is_class = getattr(node.type_name, "value", "") == "class"
    scope = emit_class_scope(emitter) if is_class else emitter.scope()
    return _emit_catalog_call(emitter, function, scope, _emit_site(emitter, node), type_value, *arguments)


def _drop_unreached(operations: list[Any]) -> list[Any]:
    """Return the operations up to the first that repeats an attribute, which is an error."""
    seen: set[str] = set()
    for index, operation in enumerate(operations):
        if isinstance(operation, nodes.Attribute):
            if operation.name in seen:
                return operations[: index + 1]
            seen.add(operation.name)
    return operations


def _get_attribute_names(node: nodes.Resource) -> list[str] | None:
    """Return the attribute names of an expression with one body.

    None for several bodies, duplicates or `* =>`.
    """
    if len(node.bodies) != 1:
        return None
    operations = node.bodies[0].operations
    names = [item.name for item in operations if isinstance(item, nodes.Attribute)]
    return names if len(set(names)) == len(operations) else None


def _emit_title(
    emitter: CodeEmitter, node: nodes.Resource, body: nodes.ResourceBody, earlier: list[str]
) -> ast.expr:
    """Emit the title of a body; it is checked before the attributes where it could be wrong.

    Args:
        emitter: The emitter.
        node: The resource expression.
        body: The body.
        earlier: The Python locals with the titles of the preceding bodies, to which that of this one is added.
    """
    title = emitter.emit_expression(body.title)
    if len(node.bodies) == 1 and (_is_plain(body.title) or not body.operations):
        return title
    local = emitter.temporary()
    before = emitter.py_tuple([emitter.name(name) for name in earlier])
    checked = _emit_catalog_call(
        emitter, "check_title", _emit_site(emitter, node), emitter.constant(body), emitter.name(local), before
    )
    bound = emitter.bind(local, title)
    earlier.append(local)
    if len(earlier) > 1:
        return emitter.sequence([bound, checked])
    # the first title is not compared with others: it is checked only if it is not a string, or empty
    is_string = emitter.compare(emitter.type_of(bound), (ast.Is(), emitter.name("str")))
    return emitter.if_else(emitter.all_of(is_string, emitter.name(local)), emitter.name(local), checked)


def _is_plain(title: nodes.Node) -> bool:
    """Return True for a title that is certainly a non-empty string."""
    return isinstance(title, nodes.String | nodes.Name) and bool(title.value)


def _emit_store_warning(emitter: CodeEmitter, node: nodes.Node, what: str) -> ast.expr:
    """Emit the warning that there is no store."""
    return _emit_catalog_call(
        emitter, "warn_without_store", emitter.scope(), _emit_site(emitter, node), emitter.literal(what)
    )


@emits(nodes.ResourceDefaults)
def emit_defaults(emitter: CodeEmitter, node: nodes.ResourceDefaults) -> ast.expr:
    type_value = emitter.emit_expression(node.type_ref)
    values = _emit_values(emitter, node, node.operations)
    return _emit_catalog_call(
        emitter, "set_defaults", emitter.scope(), _emit_site(emitter, node), type_value, values
    )


@emits(nodes.ResourceOverride)
def emit_override(emitter: CodeEmitter, node: nodes.ResourceOverride) -> ast.expr:
    references = emitter.emit_expression(node.resources)
    values = _emit_values(emitter, node, node.operations)
    return _emit_catalog_call(
        emitter, "override_resources", emitter.scope(), _emit_site(emitter, node), references, values
    )


@emits(nodes.Relationship)
def emit_relationship(emitter: CodeEmitter, node: nodes.Relationship) -> ast.expr:
    left = _emit_operand(emitter, node.left)
    right = _emit_operand(emitter, node.right)
    operator = emitter.literal(node.operator)
    return _emit_catalog_call(
        emitter, "add_relationship", emitter.scope(), _emit_site(emitter, node), left, operator, right
    )


def _emit_operand(emitter: CodeEmitter, node: nodes.Node) -> ast.expr:
    if not isinstance(node, nodes.Collector):
        return emitter.emit_expression(node)
    with emitter.at(node):
        return _emit_collect(emitter, node)


@emits(nodes.Collector)
def emit_collector(emitter: CodeEmitter, node: nodes.Collector) -> ast.expr:
    collector = _emit_collect(emitter, node)
    has_value = not emitter.dialect.collector_value
    return collector if has_value else emitter.sequence([collector, emitter.literal(None)])


def _emit_collect(emitter: CodeEmitter, node: nodes.Collector) -> ast.expr:
    """Emit a collector: the check of its type, its overrides, its query.

    The released Puppet evaluates the query of exported resources twice, for the catalog and for the store.
    """
    before = [_emit_store_warning(emitter, node, "collection")] if node.query.exported else []

    def emit_query() -> ast.expr:
        expression = node.query.expr
        return emitter.literal(None) if expression is None else _emit_query(emitter, expression)

    values, query = _emit_values(emitter, node, node.operations), emit_query()
    is_constant = _is_constant(query)
    if not is_constant or not _is_constant(values):
        before.append(
            _emit_catalog_call(emitter, "resolve_collected_type", emitter.scope(), _emit_site(emitter, node))
        )
    if not is_constant and node.query.exported and not emitter.dialect.own_exports:
        query = emitter.sequence([query, emit_query()])
    collected = _emit_catalog_call(
        emitter, "evaluate_collector", emitter.scope(), _emit_site(emitter, node), values, query
    )
    return emitter.sequence([*before, collected]) if before else collected


def _is_constant(emitted: ast.expr) -> bool:
    """Return True for an expression of constants, whose evaluation can neither fail nor log."""
    constant = (ast.Tuple, ast.List, ast.Constant, ast.Load)
    return all(isinstance(part, constant) for part in ast.walk(emitted))


def _emit_query(emitter: CodeEmitter, node: nodes.Node) -> ast.expr:
    """Emit a query as nested tuples: ("==", attribute, value), ("and", query, query), …."""
    node = nodes.strip_parentheses(node)
    if isinstance(node, nodes.And | nodes.Or):
        name = "and" if isinstance(node, nodes.And) else "or"
        parts = [_emit_query(emitter, node.left), _emit_query(emitter, node.right)]
        return emitter.py_tuple([emitter.literal(name), *parts])
    if isinstance(node, nodes.Comparison):
        attribute = _emit_query_operand(emitter, node.left)
        is_query = isinstance(nodes.strip_parentheses(node.right), nodes.And | nodes.Or | nodes.Comparison)
        # as a value, a query equals nothing
        emit_value = _emit_query if is_query and not emitter.dialect.query_values else _emit_query_operand
        value = emit_value(emitter, node.right)
        return emitter.py_tuple([emitter.literal(node.operator), attribute, value])
    return emitter.py_tuple([emitter.literal("value"), emitter.emit_expression(node)])


# Nodes that a query can compare; for others Puppet's message names their Ruby classes.
_QUERY_VALUES = (
    nodes.Variable,
    nodes.Name,
    nodes.String,
    nodes.Concat,
    nodes.Integer,
    nodes.Float,
    nodes.Boolean,
)
_QUERY_OPERANDS = (*_QUERY_VALUES, nodes.Undef, nodes.Access)


def _emit_query_operand(emitter: CodeEmitter, node: nodes.Node) -> ast.expr:
    specified = emitter.dialect.query_values
    while isinstance(node, nodes.Paren) and not specified:
        node = node.expr
    if isinstance(node, _QUERY_VALUES if specified else _QUERY_OPERANDS):
        return emitter.emit_expression(node)
    return emitter.call("UNTRANSFORMABLE", emitter.literal(get_released_class(node)))
