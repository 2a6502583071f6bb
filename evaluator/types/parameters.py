"""Type parameters: `Integer[1, 5]` from the type Integer and its arguments."""

from __future__ import annotations

from typing import Any

from evaluator.types.aliases import TypeAlias
from evaluator.types.base import Type
from lexer_parser.dialect import Dialect


def parameterize(kind: Type, arguments: list[Any], dialect: Dialect) -> Any:
    """`kind[arguments…]`, as `Type.parameterized`; an alias stands for its type."""
    return _meant(kind).parameterized(arguments, dialect)


def takes_parameters(kind: Type) -> bool:
    """True when `[]` can be applied to the type."""
    return type(_meant(kind)).parameterized is not Type.parameterized


def _meant(kind: Type) -> Type:
    return kind.entity() if isinstance(kind, TypeAlias) and not kind.builtin else kind
