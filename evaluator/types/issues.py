"""The messages of wrong type parameters."""

from __future__ import annotations

from typing import Any

from evaluator.issues import error
from evaluator.types.base import RULES, Type
from evaluator.values.host_classes import host_class
from evaluator.values.printing import an
from lexer_parser.errors import PuppetError

__all__ = ["cannot_use", "error", "host_class", "size_words"]


def size_words(value: Any) -> str:
    """How the size message names a value: `a String`, `an Integer-Type`."""
    return an(f"{value.keyword}-Type" if isinstance(value, Type) else host_class(value))


def no_entry(type: Any) -> str:
    """What is said of a type that stands for no resource and no class where one is due."""
    return (
        f"Cannot split the type {host_class(type)}, it represents neither a PClassType, nor a PResourceType."
    )


def cannot_use(type_label: str, value: Any, expected: str, operand: int | None) -> PuppetError:
    """The error of a parameter of the wrong kind: `Cannot use Integer where String is expected`."""
    return error(
        "BAD_TYPE_SPECIALIZATION",
        operand=operand,
        type=an(type_label),
        message=f"Cannot use {RULES.infer(value).generalize().inner()} where {expected} is expected",
    )
