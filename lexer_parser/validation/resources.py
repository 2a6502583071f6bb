"""Rules for resources, their attributes, and collectors."""

from __future__ import annotations

from typing import Any

from lexer_parser.tree import nodes
from lexer_parser.tree.labels import add_article_to_label, begin_with_label
from lexer_parser.validation.expressions import check_operands, report_illegal
from lexer_parser.validation.walk import MAYBE_WITHOUT_VALUE, VARIABLE, ValidationWalk, VisitFunction

# The values of which a query may consist in the released Puppet.
QUERY_LEAVES = frozenset(
    (
        nodes.Variable,
        nodes.Name,
        nodes.Integer,
        nodes.Float,
        nodes.String,
        nodes.Boolean,
    )
)


def visit_resource(walk: ValidationWalk, node: nodes.Resource) -> None:
    """Visit a resource; report a virtual or exported class."""
    type_name = node.type_name
    if node.form != "regular" and isinstance(type_name, nodes.Name) and type_name.value == "class":
        walk.report("CLASS_NOT_VIRTUALIZABLE", node)
    # Most resources have one body, and a type that needs no visit: no node has to go over the stack.
    if len(node.bodies) == 1 and type(type_name) in walk.leaves:
        visit_body(walk, node.bodies[0])
        return
    walk.stack.extend(node.bodies[::-1])
    if type(type_name) not in walk.leaves:
        walk.stack.append(type_name)


def visit_body(walk: ValidationWalk, node: nodes.ResourceBody) -> None:
    """Visit a resource body; report a second `* =>`, and `+>`."""
    push_attributes(walk, node.operations, node)
    walk.push((node.title,))


def push_attributes(walk: ValidationWalk, operations: list[Any], container: nodes.ResourceBody) -> None:
    """Push the attributes of a body; if all are plain, only the values that need a visit.

    An attribute is plain if it is set by `=>` to an expression with a value, as nearly all are. A variable in
    `walk.variables` has a valid name and needs no visit.
    """
    leaves, variables, values = walk.leaves, walk.variables, []
    for operation in reversed(operations):
        if type(operation) is not nodes.Attribute or operation.operator != "=>":
            break
        value: Any = operation.value
        kind = type(value)
        if kind in leaves or (kind is VARIABLE and value.name in variables):
            continue
        if kind in MAYBE_WITHOUT_VALUE:
            break
        values.append(value)
    else:  # all attributes are plain
        walk.stack += values
        return
    check_splats(walk, operations)
    refuse_appends(walk, container, operations)
    walk.stack.extend(operations[::-1])


def check_splats(walk: ValidationWalk, operations: list[Any]) -> None:
    """Report each further `* =>`."""
    splats = [operation for operation in operations if type(operation) is nodes.AttributesSplat]
    for further in splats[1:]:
        walk.report("MULTIPLE_ATTRIBUTES_UNFOLD", further, splats[0])


def visit_defaults(walk: ValidationWalk, node: nodes.ResourceDefaults) -> None:
    """Visit defaults; report virtual or exported ones, and `+>` except in the specification."""
    if node.form != "regular":
        walk.report("NOT_VIRTUALIZEABLE", node)
    if not walk.dialect.append_defaults:
        refuse_appends(walk, node, node.operations)
    walk.push_children(node)


def visit_override(walk: ValidationWalk, node: nodes.ResourceOverride) -> None:
    """Visit an override; report a virtual or exported one."""
    if node.form != "regular":
        walk.report("NOT_VIRTUALIZEABLE", node)
    walk.push_children(node)


def refuse_appends(walk: ValidationWalk, container: nodes.Node, operations: list[Any]) -> None:
    """Record which of these attributes have a `+>`, for their visits to report it."""
    for operation in operations:
        if type(operation) is nodes.Attribute and operation.operator == "+>":
            walk.refused_appends[id(operation)] = add_article_to_label(container)


def visit_attribute(walk: ValidationWalk, node: nodes.Attribute) -> None:
    """Visit an attribute; report a `+>` that is not allowed, and a node without a value."""
    if id(node) in walk.refused_appends:
        walk.report("ILLEGAL_ATTRIBUTE_APPEND", node, name=node.name, label=walk.refused_appends[id(node)])
    check_operands(walk, node.value)


def visit_collector(walk: ValidationWalk, node: nodes.Collector) -> None:
    """Visit a collector; report one without a bare type name."""
    if type(node.type) is not nodes.TypeName:
        report_illegal(walk, node.type, "type name", node)
    walk.push_children(node)


def visit_query(walk: ValidationWalk, node: nodes.Query) -> None:
    """Visit a query; report the parts that `and` and `or` join and that are no conditions."""
    if node.expr is None:
        return
    pending = [node.expr]
    while pending:
        part = pending.pop()
        if isinstance(part, nodes.And | nodes.Or):
            pending += (part.right, part.left)
        elif isinstance(part, nodes.Paren):
            pending.append(part.expr)
        elif not _is_query_condition(walk, part):
            walk.report("ILLEGAL_QUERY_EXPRESSION", part, label=begin_with_label(part))
    walk.stack.append(node.expr)


def _is_query_condition(walk: ValidationWalk, node: nodes.Node) -> bool:
    """Return True for a comparison by `==` or `!=`.

    By the specification, a comparison begins with the name of an attribute. The released Puppet compares anything, and
    accepts simple values.
    """
    is_specified = walk.dialect.catalog_grammar
    if isinstance(node, nodes.Comparison):
        has_attribute = isinstance(node.left, nodes.Name) and "::" not in node.left.value
        return node.operator in ("==", "!=") and (has_attribute or not is_specified)
    return type(node) in QUERY_LEAVES and not is_specified


VISITS: dict[type[nodes.Node], VisitFunction] = {
    nodes.Resource: visit_resource,
    nodes.ResourceBody: visit_body,
    nodes.ResourceDefaults: visit_defaults,
    nodes.ResourceOverride: visit_override,
    nodes.Attribute: visit_attribute,
    nodes.Collector: visit_collector,
    nodes.Query: visit_query,
}
