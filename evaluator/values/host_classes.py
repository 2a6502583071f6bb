"""What the released implementation calls the class of a value: some of its messages name it."""

from __future__ import annotations

from typing import Any

_CLASSES = {
    "NoneType": "NilClass",
    "int": "Integer",
    "float": "Float",
    "str": "String",
    "list": "Array",
    "dict": "Hash",
    "Default": "Symbol",
    "Timespan": "Puppet::Pops::Time::Timespan",
    "Timestamp": "Puppet::Pops::Time::Timestamp",
    "SemVer": "SemanticPuppet::Version",
    "SemVerRange": "SemanticPuppet::VersionRange",
    "Binary": "Puppet::Pops::Types::PBinaryType::Binary",
    "Sensitive": "Puppet::Pops::Types::PSensitiveType::Sensitive",
}
_URI_CLASSES = {"file": "File", "mailto": "MailTo"}
_URI_CLASSES |= {scheme: scheme.upper() for scheme in ("ftp", "http", "https", "ldap", "ldaps", "ws")}
_ITERATORS = {"range": "IntegerRangeIterator", "Tree": "Iterable::DepthFirstTreeIterator"}


def host_class(value: Any) -> str:
    """The class of a value: `Integer`, `NilClass`, `TrueClass`, `Puppet::Pops::Types::PStringType`."""
    name = type(value).__name__
    if name == "bool":
        return f"{value}Class"
    if hasattr(value, "assignable"):
        extension = "Extension" if name == "ParameterizedObject" else ""
        return f"Puppet::Pops::Types::P{value.keyword}Type{extension}"
    if name == "URI":
        return f"URI::{_URI_CLASSES.get(value.scheme, 'Generic')}"
    if name == "PuppetObject":
        return "Puppet::DataTypes::Error" if value.type.inner() == "Error" else "#<Class>"
    if name == "PuppetIterator":
        kind = type(value.iterable).__name__ if value.iterable != range(0) else ""
        if value.steps and kind != "range":
            return "Puppet::Pops::Types::StepIterator"
        return f"Puppet::Pops::Types::{_ITERATORS.get(kind, 'Iterator')}"
    return _CLASSES.get(name, name)


def host_name(value: Any) -> str:
    """How a message of a conversion that does not exist calls a value: its class, `nil`, `true` or `false`."""
    if value is None or type(value) is bool:
        return {None: "nil", True: "true", False: "false"}[value]
    return host_class(value)
