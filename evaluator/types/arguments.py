"""What the parameters of several types have in common: bounds, wrong numbers of arguments."""

from __future__ import annotations

from typing import Any

from evaluator.issues import error
from evaluator.types.base import Type
from evaluator.values.core import DEFAULT
from evaluator.values.host_classes import host_class
from evaluator.values.sharing import flat
from lexer_parser.errors import PuppetError


def bound(value: Any) -> Any:
    """A range's end: None for `default`."""
    return None if value is DEFAULT else value


def is_bound(value: Any) -> bool:
    """True for an integer or `default`."""
    return type(value) is int or value is DEFAULT


def arity(type_label: str, expected: str, actual: int, operand: int = 0) -> PuppetError:
    """The error of a wrong number of arguments."""
    return error("BAD_TYPE_SLICE_ARITY", operand=operand, type=type_label, expected=expected, actual=actual)


def one(label: str, arguments: list[Any]) -> Any:
    """The one argument that there must be."""
    arguments = flat(arguments)
    if len(arguments) != 1:
        raise arity(label, "1 argument", len(arguments))
    return arguments[0]


def as_type(label: str, argument: Any) -> Type:
    """The argument, which must be a type."""
    if not isinstance(argument, Type):
        raise error("BAD_TYPE_SLICE_TYPE", operand=1, type=label, actual=host_class(argument))
    return argument
