"""How messages of the released implementation name and show values: its classes and its notation."""

from __future__ import annotations

from typing import Any

from evaluator.values import host_text, is_type

CLASSES = {
    "NoneType": "NilClass",
    "int": "Integer",
    "float": "Float",
    "str": "String",
    "list": "Array",
    "dict": "Hash",
    "Default": "Symbol",
    "Regexp": "Regexp",
    "Sensitive": "Puppet::Pops::Types::PSensitiveType::Sensitive",
}


def host_class(value: Any) -> str:
    """The class of a value: `Integer`, `NilClass`, `TrueClass`."""
    if type(value) is bool:
        return "TrueClass" if value else "FalseClass"
    if is_type(value):
        return f"Puppet::Pops::Types::P{value.simple_name}Type"
    name = type(value).__name__
    return CLASSES.get(name, name)


def inspect(value: Any) -> str:
    """A value as messages show it: `"a"`, `nil`, `[1, nil]`, `{"a"=>1}`."""
    return host_text([value])[1:-1]
