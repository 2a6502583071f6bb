"""Rules for definitions: where they are allowed, their parameters, their last statements."""

from __future__ import annotations

from typing import Any

from lexer_parser.tree import nodes
from lexer_parser.tree.labels import add_article_to_label, begin_with_label, make_label
from lexer_parser.validation.effects import check_last
from lexer_parser.validation.expressions import NotLiteralError, evaluate_literal, report_illegal
from lexer_parser.validation.names import (
    check_definition,
    check_parameter,
    check_type_reference,
    is_definition_name,
    is_type_alias_name,
)
from lexer_parser.validation.walk import DEFINITIONS, VARIABLE, ValidationWalk, VisitFunction

HOSTNAME_CHARACTERS = frozenset("-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
TYPE_NAME = nodes.TypeName  # a global is read faster than an attribute of a module
BUILT_IN_PARAMETERS = frozenset(("name", "title"))


# --- Where definitions are allowed


def check_top_level(walk: ValidationWalk, node: nodes.Node) -> None:
    """Report a definition that is a statement of neither the program nor a class."""
    if walk.body_kinds.get(id(node)) not in ("program", "class"):
        walk.report("NOT_TOP_LEVEL", node)


def check_absolute_top_level(walk: ValidationWalk, node: nodes.Node) -> None:
    """Report a definition that is not a statement of the program."""
    body_kind = walk.body_kinds.get(id(node))
    if body_kind is None:
        walk.report("NOT_TOP_LEVEL", node)
    elif body_kind != "program":
        walk.report("NOT_ABSOLUTE_TOP_LEVEL", node, label=begin_with_label(node))


def visit_program(walk: ValidationWalk, node: nodes.Program) -> None:
    """Visit a program; report statements of a module's file that it must not contain."""
    walk.record_body_kind(node.body, "program")
    if walk.module_file is not None:
        check_only_definitions(walk, node.body)
    walk.stack.append(node.body)


def check_only_definitions(walk: ValidationWalk, body: nodes.Node) -> None:
    """Report the statements of a module's file other than definitions, and node definitions."""
    for statement in nodes.list_statements(body):
        kind = type(statement)
        if kind is nodes.NodeDefinition or (kind not in DEFINITIONS and kind is not nodes.Nop):
            walk.report("ILLEGAL_TOP_CONSTRUCT_LOCATION", statement, label=make_label(statement))


# --- Parameters


def has_plain_names(parameters: list[nodes.Parameter]) -> bool:
    """Return True if names are unique and not built in, and no parameter takes the rest.

    Then `check_no_rest`, `check_unique` and `check_not_built_in` would find nothing.
    """
    names = {parameter.name for parameter in parameters if not parameter.splat}
    return len(names) == len(parameters) and names.isdisjoint(BUILT_IN_PARAMETERS)


def push_parameters(walk: ValidationWalk, parameters: list[nodes.Parameter]) -> None:
    """Push the parameters for which `visit_parameter` does something."""
    leaves, valid_names, add = walk.leaves, walk.parameters, walk.stack.append
    for parameter in reversed(parameters):
        type_, default = parameter.type, parameter.default
        if (
            (type_ is not None and type(type_) is not TYPE_NAME)
            or (default is not None and type(default) not in leaves)
            or parameter.name not in valid_names
        ):
            add(parameter)


def check_unique(walk: ValidationWalk, parameters: list[nodes.Parameter]) -> None:
    """Report parameters of the same name."""
    parameters_by_name: dict[str, nodes.Parameter] = {}
    for parameter in parameters:
        first = parameters_by_name.setdefault(parameter.name, parameter)
        if first is not parameter:
            walk.report("DUPLICATE_PARAMETER", parameter, first, name=parameter.name)


def check_no_rest(walk: ValidationWalk, node: nodes.Node, parameters: list[nodes.Parameter]) -> None:
    """Report a parameter that takes the rest of the arguments (`*$rest`)."""
    for parameter in parameters:
        if parameter.splat:
            walk.report(
                "CAPTURES_REST_NOT_SUPPORTED",
                parameter,
                name=parameter.name,
                label=add_article_to_label(node),
            )


def check_not_built_in(walk: ValidationWalk, node: nodes.Node, parameters: list[nodes.Parameter]) -> None:
    """Report parameters called `$name` and `$title`, which exist anyway."""
    for parameter in parameters:
        if parameter.name in BUILT_IN_PARAMETERS:
            walk.report("RESERVED_PARAMETER", parameter, name=parameter.name, label=make_label(node))


def check_literal_types(walk: ValidationWalk, parameters: list[nodes.Parameter]) -> None:
    """Report the types of parameters of a class that are known only when they are evaluated."""
    for parameter in parameters:
        try:
            if parameter.type is not None:
                evaluate_literal(parameter.type, has_types=True)
        except NotLiteralError:
            walk.report("NOT_LITERAL_TYPE", parameter.type or parameter, name=parameter.name)


def visit_parameter(walk: ValidationWalk, node: nodes.Parameter) -> None:
    """Visit a parameter; report an assignment in its default, outside of lambdas."""
    if node.name not in walk.parameters:
        check_parameter(walk, node)
    type_, default = node.type, node.default
    if type_ is not None and type(type_) is not TYPE_NAME:
        walk.stack.append(type_)
    if default is not None and type(default) not in walk.leaves:
        if type(default) is not VARIABLE:
            check_no_assignment(walk, default)
            walk.stack.append(default)
        elif default.name not in walk.variables:
            walk.stack.append(default)


def check_no_assignment(walk: ValidationWalk, default: nodes.Node) -> None:
    """Report the outermost assignments that are in no lambda."""
    pending = [default]
    while pending:
        node = pending.pop()
        if type(node) is nodes.Assignment:
            walk.report("ILLEGAL_ASSIGNMENT_CONTEXT", node)
        elif type(node) is not nodes.Lambda:
            pending += node.children()[::-1]


def visit_lambda(walk: ValidationWalk, node: nodes.Lambda) -> None:
    """Visit a lambda; report a parameter that takes the rest and is not the last one."""
    check_type_reference(walk, node.returns)
    for parameter in node.parameters[:-1]:
        if parameter.splat:
            walk.report("CAPTURES_REST_NOT_LAST", parameter, name=parameter.name)
    body = node.body
    walk.record_body_kind(body, "body")
    if type(body) is nodes.Epp:
        walk.epp_parameters[id(body)] = node.parameters
    push_function(walk, node)


def visit_epp(walk: ValidationWalk, node: nodes.Epp) -> None:
    """Visit a template; report duplicate parameters and those that take the rest."""
    parameters = walk.epp_parameters.get(id(node), [])
    check_no_rest(walk, node, parameters)
    check_unique(walk, parameters)
    walk.record_body_kind(node.body, "body")
    walk.stack.append(node.body)


def push_function(walk: ValidationWalk, node: Any) -> None:
    """Push the parameters, the body and the return type, to be visited in this order."""
    if node.returns is not None:
        walk.stack.append(node.returns)
    walk.stack.append(node.body)
    push_parameters(walk, node.parameters)


# --- Definitions


def visit_class(walk: ValidationWalk, node: Any) -> None:
    """Visit a class or a defined type."""
    check_top_level(walk, node)
    check_definition(walk, node)
    parent = getattr(node, "parent", None)  # a defined type has no such field
    if (
        parent is not None
        and walk.dialect.catalog_grammar
        and not is_definition_name(parent.removeprefix("::"))
    ):
        walk.report("ILLEGAL_DEFINITION_NAME", node, name=parent, label=add_article_to_label(node))
    parameters = node.parameters
    if parameters and not has_plain_names(parameters):
        check_no_rest(walk, node, parameters)
        check_unique(walk, parameters)
        check_not_built_in(walk, node, parameters)
    if type(node) is nodes.Class and walk.dialect.type_literals:
        check_literal_types(walk, parameters)
    check_last(walk, node, node.body)
    walk.record_body_kind(node.body, "class" if type(node) is nodes.Class else "body")
    walk.stack.append(node.body)
    push_parameters(walk, parameters)


def visit_function(walk: ValidationWalk, node: Any) -> None:
    """Visit a function written in Puppet."""
    check_absolute_top_level(walk, node)
    check_definition(walk, node)
    check_type_reference(walk, node.returns)
    check_unique(walk, node.parameters)
    walk.record_body_kind(node.body, "body")
    push_function(walk, node)


def visit_node_definition(walk: ValidationWalk, node: nodes.NodeDefinition) -> None:
    """Visit a node definition; report invalid host names and inheritance."""
    for match in node.matches:
        check_host(walk, node, match)
    check_top_level(walk, node)
    check_last(walk, node, node.body)
    walk.record_body_kind(node.body, "body")
    walk.stack.append(node.body)
    walk.stack.extend([match for match in node.matches if type(match) is not nodes.String][::-1])
    if node.parent is not None:
        walk.report("ILLEGAL_NODE_INHERITANCE", node.parent)
        walk.stack.append(node.parent)


def check_host(walk: ValidationWalk, node: nodes.NodeDefinition, host: nodes.Node) -> None:
    """Report an invalid host of a node definition."""
    match host:
        case nodes.String() if not HOSTNAME_CHARACTERS.issuperset(host.value):
            walk.report("ILLEGAL_HOSTNAME_CHARS", host, name=host.value)
        case nodes.Concat() if not walk.dialect.node_names:
            interpolated = next(part for part in host.segments if isinstance(part, nodes.Text))
            walk.report("ILLEGAL_HOSTNAME_INTERPOLATION", interpolated)
        case nodes.Heredoc():
            report_illegal(walk, host, "hostname", node)


def visit_type_alias(walk: ValidationWalk, node: nodes.TypeAlias) -> None:
    """Visit a type alias; report an invalid name, and an alias of something that is no type."""
    check_absolute_top_level(walk, node)
    if not is_type_alias_name(node.name):
        walk.report("ILLEGAL_DEFINITION_NAME", node, name=node.name, label=add_article_to_label(node))
    check_type_reference(walk, node.type)
    if not nodes.is_type(node.type):
        report_illegal(walk, node.type, "a type reference", node)
    walk.stack.append(node.type)


def visit_type_mapping(walk: ValidationWalk, node: nodes.TypeMapping) -> None:
    """Visit a mapping; report one that maps no Runtime type, or maps it to no type.

    `Runtime[ruby, [/…/, '…']]`, a pattern, must be mapped to a pattern.
    """
    check_top_level(walk, node)
    runtime = node.type
    if not (
        isinstance(runtime, nodes.Access)
        and isinstance(runtime.left, nodes.TypeName)
        and runtime.left.value == "Runtime"
    ):
        walk.report(
            "UNSUPPORTED_EXPRESSION",
            node,
            label=add_article_to_label(node),
            product=walk.dialect.product.name,
        )
    elif len(runtime.keys) > 1 and is_pattern(runtime.keys[1]):
        if not is_pattern(node.mapping):
            walk.report("ILLEGAL_REGEXP_TYPE_MAPPING", node, label=begin_with_label(node))
    # `Name { … }`, which is parsed as `Name[{ … }]`, is a type everywhere except here.
    elif not nodes.is_type(node.mapping) or walk.program.source.text[node.mapping.end - 1] == "}":
        walk.report("ILLEGAL_TYPE_MAPPING", node, label=begin_with_label(node))
    walk.push_children(node)


def is_pattern(node: nodes.Node) -> bool:
    """Return True for `[/regexp/, 'replacement']`."""
    return isinstance(node, nodes.Array) and [type(value) for value in node.values] == [
        nodes.Regexp,
        nodes.String,
    ]


def visit_type_definition(walk: ValidationWalk, node: nodes.TypeDefinition) -> None:
    """Visit `type Name { … }` and report it: it has never been supported."""
    check_absolute_top_level(walk, node)
    walk.report(
        "UNSUPPORTED_EXPRESSION", node, label=add_article_to_label(node), product=walk.dialect.product.name
    )
    walk.record_body_kind(node.body, "body")
    walk.stack.append(node.body)


VISITS: dict[type[nodes.Node], VisitFunction] = {
    nodes.Program: visit_program,
    nodes.Parameter: visit_parameter,
    nodes.Lambda: visit_lambda,
    nodes.Epp: visit_epp,
    nodes.Class: visit_class,
    nodes.Define: visit_class,
    nodes.Function: visit_function,
    nodes.Plan: visit_function,
    nodes.NodeDefinition: visit_node_definition,
    nodes.TypeAlias: visit_type_alias,
    nodes.TypeMapping: visit_type_mapping,
    nodes.TypeDefinition: visit_type_definition,
}
