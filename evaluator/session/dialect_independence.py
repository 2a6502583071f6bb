"""A conservative static analysis: code that cannot be proven dialect-independent is evaluated in both dialects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator import resource_types
from lexer_parser.tree import nodes

# Values and statements that no switch concerns, whatever the values are.
_PLAIN = frozenset(
    {
        nodes.And,
        nodes.Array,
        nodes.Block,
        nodes.Boolean,
        nodes.Class,
        nodes.Concat,
        nodes.Default,
        nodes.Define,
        nodes.Float,
        nodes.Function,
        nodes.Hash,
        nodes.If,
        nodes.Name,
        nodes.Nop,
        nodes.Not,
        nodes.Or,
        nodes.Pair,
        nodes.Paren,
        nodes.ResourceBody,
        nodes.ResourceDefaults,
        nodes.String,
        nodes.Text,
        nodes.Undef,
        nodes.Unless,
        nodes.Variable,
    }
)
_DEFINITIONS = (nodes.Class, nodes.Define, nodes.Function)
_CALLS = frozenset(
    {
        *("alert", "crit", "debug", "emerg", "err", "fail", "info", "notice", "warning"),
        *("contain", "include", "realize", "require"),
    }
)
_SMALL = 1 << 31  # what one operator makes of two such integers fits in 64 bits


def is_dialect_independent(body: nodes.Node) -> bool:
    """Return True for a tree that means the same in every dialect, if each dialect parses this tree from the text."""
    statements = body.statements if isinstance(body, nodes.Block) else [body]
    if all(isinstance(statement, _DEFINITIONS) for statement in statements):
        return True  # what they mean shows when something runs them
    return all(type(node) in _PLAIN or _RULES.get(type(node), _never)(node) for node in nodes.walk(body))


def _never(node: Any) -> bool:
    return False


def _is_small(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Integer) and node.value < _SMALL


def _is_reference(node: nodes.Node) -> bool:
    """Return True for `File['/a']`, a chain of references, and a resource expression."""
    return isinstance(node, nodes.Access | nodes.Relationship | nodes.Resource)


def _finds_by_name(node: nodes.Access) -> bool:
    """Return True for `File['/a']` and `$facts['os']['name']`: no element by its index, and no part."""
    left, keys = node.left, node.keys
    if len(keys) != 1 or not isinstance(keys[0], nodes.String | nodes.Name):
        return False
    if isinstance(left, nodes.TypeName):
        return True
    return isinstance(left, nodes.Variable | nodes.Access) and keys[0].value[:1].isalpha()


# Nodes that are independent under a condition.
_RULES: dict[type[nodes.Node], Callable[[Any], bool]] = {
    nodes.Access: _finds_by_name,
    nodes.Arithmetic: lambda node: (
        node.operator in ("+", "-", "*") and _is_small(node.left) and _is_small(node.right)
    ),
    nodes.Assignment: lambda node: node.operator == "=",
    nodes.Attribute: lambda node: node.operator == "=>",
    nodes.Call: lambda node: isinstance(node.functor, nodes.Name) and node.functor.value in _CALLS,
    nodes.Integer: lambda node: node.value < 1 << 63,
    nodes.Parameter: lambda node: node.type is None,
    nodes.Relationship: lambda node: _is_reference(node.left) and _is_reference(node.right),
    nodes.Resource: lambda node: isinstance(node.type_name, nodes.Name) and node.type_name.value != "class",
    nodes.TypeName: lambda node: node.value == "Class" or resource_types.is_known(node.value.lower()),
}
