"""Readers of resource types and data types: Ruby source, and files written by `puppet generate types`."""

from __future__ import annotations

from typing import Any

from evaluator.resource_types.records import AttributeRow, DeclaredType, TitlePattern
from evaluator.resource_types.sources.ruby_types import read_data_type, read_ruby
from lexer_parser.tree import nodes

__all__ = ["read_data_type", "read_generated", "read_ruby"]

_CLASS = "Puppet::Resource::ResourceType3"


def read_generated(program: nodes.Program) -> DeclaredType | None:
    """Return the resource type of a generated file; None if the file has another form."""
    call: Any = program.body
    if (
        not isinstance(call, nodes.MethodCall)
        or not (isinstance(call.receiver, nodes.TypeName) and call.receiver.value == _CLASS)
        or call.name.value != "new"
    ):
        return None
    # the first argument is the name of the type; those that are missing become None
    properties, parameters, patterns, isomorphic = [*call.arguments[1:5], *[None] * 4][:4]
    attributes: dict[str, AttributeRow] = {}
    namevars: list[str] = []
    for kind, array in {"property": properties, "param": parameters}.items():
        for node in getattr(array, "values", ()):
            name, is_namevar = _read_parameter(node)
            attributes[name] = (kind, "", ())
            if is_namevar:
                namevars.append(name)
    titles = tuple(_read_pattern(pair) for pair in getattr(patterns, "entries", ()))
    is_isomorphic = getattr(isomorphic, "value", True) is not False
    return DeclaredType(attributes, tuple(namevars), titles or None, isomorphic=is_isomorphic)


def _read_parameter(node: Any) -> tuple[str, bool]:
    """Return the name in `Puppet::Resource::Param(…)`, and whether it is a namevar."""
    _, name, *rest = node.arguments
    return name.value, bool(rest) and rest[0].value is True


def _read_pattern(pair: nodes.Pair) -> TitlePattern:
    """Return a regular expression and the names of the attributes that its groups set."""
    key: Any = pair.key
    value: Any = pair.value
    return key.pattern, tuple(name.value for name in value.values)
