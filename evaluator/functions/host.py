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
    "Timespan": "Puppet::Pops::Time::Timespan",
    "Timestamp": "Puppet::Pops::Time::Timestamp",
    "SemVer": "SemanticPuppet::Version",
    "SemVerRange": "SemanticPuppet::VersionRange",
    "Binary": "Puppet::Pops::Types::PBinaryType::Binary",
    "PuppetObject": "Puppet::DataTypes::Error",
    "Sensitive": "Puppet::Pops::Types::PSensitiveType::Sensitive",
}


def host_class(value: Any) -> str:
    """The class of a value: `Integer`, `NilClass`, `TrueClass`."""
    if type(value) is bool:
        return "TrueClass" if value else "FalseClass"
    if is_type(value) and value.keyword != "Class" and hasattr(value, "type_name"):
        return "Puppet::Pops::Types::PResourceType"
    if is_type(value):
        return f"Puppet::Pops::Types::P{value.simple_name}Type"
    name = type(value).__name__
    return CLASSES.get(name, name)


def host_name(value: Any) -> str:
    """How a message of a conversion that does not exist calls a value: its class, `nil`, `true` or `false`."""
    return (
        {None: "nil", True: "true", False: "false"}[value]
        if value is None or type(value) is bool
        else host_class(value)
    )


def inspect(value: Any) -> str:
    """A value as messages show it: `"a"`, `nil`, `[1, nil]`, `{"a"=>1}`."""
    return host_text([value])[1:-1]
