"""The names of the Ruby classes of values in released Puppet, which some messages contain."""

from __future__ import annotations

from evaluator.values.kind import Value, kind_of


def get_ruby_class(value: Value) -> str:
    """Return the class of a value: `Integer`, `NilClass`, `Puppet::Pops::Types::PStringType`."""
    name = kind_of(value).ruby_class
    return name if isinstance(name, str) else name(value)


def get_ruby_class_name(value: Value) -> str:
    """Return the name of a value in a message about a missing conversion.

    It is the class, or `nil`, `true` or `false`.
    """
    if value is None or type(value) is bool:
        return {None: "nil", True: "true", False: "false"}[value]
    return get_ruby_class(value)
