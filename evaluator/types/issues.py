"""The messages of wrong type parameters."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure, error
from evaluator.types.base import RULES, Type
from evaluator.values.host_classes import host_class
from evaluator.values.printing import an
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError


def size_words(value: Any) -> str:
    """How the size message names a value: `a String`, `an Integer-Type`."""
    return an(f"{value.keyword}-Type" if isinstance(value, Type) else host_class(value))


def no_entry(type: Any) -> Failure:
    """The error of a type that stands for no resource and no class where one is due."""
    return Failure("NO_CATALOG_ENTRY", actual=host_class(type))


def cannot_use(type_label: str, value: Any, expected: str, operand: int | None) -> PuppetError:
    """The error of a parameter of the wrong kind: `Cannot use Integer where String is expected`."""
    return error(
        "BAD_TYPE_SPECIALIZATION",
        operand=operand,
        type=an(type_label),
        message=f"Cannot use {RULES.infer(value, PUPPET).generalize().inner()} where {expected} is expected",
    )
