"""What the released implementation calls the class of a value: some of its messages name it."""

from __future__ import annotations

from typing import Any

from evaluator.values.kind import kind_of


def get_ruby_class(value: Any) -> str:
    """The class of a value: `Integer`, `NilClass`, `TrueClass`, `Puppet::Pops::Types::PStringType`."""
    name = kind_of(value).ruby_class
    return name if isinstance(name, str) else name(value)


def get_ruby_class_name(value: Any) -> str:
    """How a message of a conversion that does not exist calls a value: its class, `nil`, `true` or `false`."""
    if value is None or type(value) is bool:
        return {None: "nil", True: "true", False: "false"}[value]
    return get_ruby_class(value)
