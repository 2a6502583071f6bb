"""Static analysis of bodies before they are compiled.

It finds match variables, splats and control functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from evaluator.calling.registry import to_plain_name
from lexer_parser.tree import nodes

# Nodes with a body of their own, whose variables and match variables are separate.
_OWN_BODY = frozenset(
    {nodes.Lambda, nodes.Class, nodes.Define, nodes.Function, nodes.NodeDefinition, nodes.Plan}
)


def collect_body_nodes(root: nodes.Node) -> list[nodes.Node]:
    """Return all nodes of a body in source order.

    Nested lambdas and definitions are included without their contents.
    """
    body_nodes, stack = [], [root]
    while stack:
        node = stack.pop()
        body_nodes.append(node)
        if node.inner and (node is root or type(node) not in _OWN_BODY):
            stack += node.children()[::-1]
    return body_nodes


def find_splat(node: nodes.Node) -> nodes.Splat | None:
    """Return the splat that an expression is, also in parentheses; None for other expressions."""
    node = nodes.strip_parentheses(node)
    return node if isinstance(node, nodes.Splat) else None


def may_set_match(body: Iterable[nodes.Node]) -> bool:
    """Return True when evaluating the nodes of a body may set $0, $1, …."""
    return any(_may_set_match_itself(node) for node in body)


def may_match(root: nodes.Node, answers: dict[nodes.Node, bool]) -> bool:
    """Return True when evaluating a node, without lambdas in it, may set $0, $1, ….

    Args:
        answers: Caches the answers for the nodes below, so that nested nodes are not analysed repeatedly.
    """
    if root not in answers:
        visited: list[tuple[nodes.Node, list[nodes.Node]]] = []
        stack = [root]
        while stack:
            node = stack.pop()
            inside = [child for child in node.children() if child.inner and type(child) not in _OWN_BODY]
            visited.append((node, inside))
            stack += [child for child in inside if child not in answers]
        for node, inside in reversed(visited):
            answers[node] = _may_set_match_itself(node) or any(answers[child] for child in inside)
    return answers[root]


_NEVER_MATCHES = frozenset(
    {
        *(nodes.String, nodes.Concat, nodes.Name, nodes.Integer, nodes.Float, nodes.Boolean),
        *(nodes.Undef, nodes.Default, nodes.TypeName),
    }
)


def _may_set_match_itself(node: nodes.Node) -> bool:
    test = _MAY_MATCH.get(type(node))
    return test is not None and test(node)


_MAY_MATCH: dict[type[nodes.Node], Callable[[Any], bool]] = {
    nodes.Match: lambda node: not _is_type(node.right),
    nodes.In: lambda node: not (type(node.left) in _NEVER_MATCHES and _holds_no_regexp(node.right)),
    nodes.Case: lambda node: (
        not all(_is_plain_option(value) for option in node.options for value in option.values)
    ),
    nodes.Selector: lambda node: not all(_is_plain_option(entry.match) for entry in node.entries),
}


def _holds_no_regexp(node: nodes.Node) -> bool:
    """Return True for literals in which `in` finds nothing that matches."""
    if isinstance(node, nodes.Array):
        return all(map(_holds_no_regexp, node.values))
    return type(node) in _NEVER_MATCHES


def _is_type(node: nodes.Node) -> bool:
    return isinstance(node, nodes.TypeName) or (isinstance(node, nodes.Access) and _is_type(node.left))


def _is_plain_option(node: nodes.Node) -> bool:
    return type(node) in _NEVER_MATCHES or _is_type(node)


def reads_match(root: nodes.Node) -> bool:
    """Return True when a node, including the lambdas in it, reads a match variable."""
    return any(isinstance(node, nodes.Variable) and node.name.isdigit() for node in nodes.walk(root))


def calls_control(body: Iterable[nodes.Node], *names: str) -> bool:
    """Return True when one of the nodes calls one of these control functions."""
    functors = (node.functor for node in body if isinstance(node, nodes.Call))
    return any(
        isinstance(functor, nodes.Name) and to_plain_name(functor.value) in names for functor in functors
    )
