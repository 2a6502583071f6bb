"""Types from source text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.types.base import Type
from evaluator.types.builtin import named
from evaluator.types.parameters import parameterize
from lexer_parser import nodes
from lexer_parser.dialect import PUPPET, Dialect

Resolve = Callable[[str], Any]
_parsed: dict[tuple[str, str], Type] = {}


def parse_type(text: str, dialect: Dialect = PUPPET, resolve: Resolve | None = None) -> Type:
    """The Type that a source text such as `Array[Integer, 1]` means.

    `resolve` gives the Type of a name that is not built in. Raises PuppetError for text that is no Puppet or
    names an unknown type, Failure for text that is no type expression.
    """
    if resolve is None:
        found = _parsed.get((text, dialect.name))
        if found is None:
            found = _parsed[text, dialect.name] = _parse(text, dialect, _unknown)
        return found
    return _parse(text, dialect, resolve)


def _parse(text: str, dialect: Dialect, resolve: Resolve) -> Type:
    import lexer_parser

    program = lexer_parser.parse(text, dialect=dialect)
    found = evaluate(program.body, dialect, resolve)
    if not isinstance(found, Type):
        raise Failure(f"The expression <{text}> is not a valid type specification.")
    return found


def _unknown(name: str) -> Any:
    from evaluator.issues import error

    raise error("UNKNOWN_RESOURCE_TYPE", name=name)


def evaluate(node: nodes.Node, dialect: Dialect, resolve: Resolve) -> Any:
    """The value of a type expression: names, parameters and literals. Raises Failure for anything else."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise Failure("The expression is not a valid type specification.")
    return handler(node, lambda inner: evaluate(inner, dialect, resolve), dialect, resolve)


def _name(node: Any, inner: Any, dialect: Dialect, resolve: Resolve) -> Any:
    found = named(node.value, dialect)
    return found if found is not None else resolve(node.value)


def _access(node: Any, inner: Any, dialect: Dialect, resolve: Resolve) -> Any:
    return parameterize(inner(node.left), [inner(key) for key in node.keys], dialect)


def _hash(node: Any, inner: Any, dialect: Dialect, resolve: Resolve) -> Any:
    from evaluator.values import hash_of

    return hash_of((inner(pair.key), inner(pair.value)) for pair in node.entries)


def _regexp(node: Any, inner: Any, dialect: Dialect, resolve: Resolve) -> Any:
    from evaluator.values import Regexp

    return Regexp(node.pattern)


def _default(node: Any, inner: Any, dialect: Dialect, resolve: Resolve) -> Any:
    from evaluator.values import DEFAULT

    return DEFAULT


def _value(node: Any, inner: Any, dialect: Dialect, resolve: Resolve) -> Any:
    return node.value


_HANDLERS: dict[type, Callable[[Any, Any, Dialect, Resolve], Any]] = {
    nodes.TypeName: _name,
    nodes.Access: _access,
    nodes.Paren: lambda node, inner, dialect, resolve: inner(node.expr),
    nodes.Array: lambda node, inner, dialect, resolve: [inner(value) for value in node.values],
    nodes.Hash: _hash,
    nodes.Regexp: _regexp,
    nodes.Default: _default,
    nodes.Undef: lambda node, inner, dialect, resolve: None,
    nodes.Minus: lambda node, inner, dialect, resolve: -inner(node.expr),
    **dict.fromkeys((nodes.Integer, nodes.Float, nodes.String, nodes.Boolean, nodes.Name), _value),
}
