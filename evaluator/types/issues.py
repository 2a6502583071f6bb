"""The messages of wrong type parameters."""

from __future__ import annotations

from typing import Any

from evaluator.values.host_classes import host_class
from evaluator.values.printing import an
from lexer_parser.errors import Issue, IssueTable, PuppetError

ISSUES = IssueTable(
    Issue("BAD_TYPE_SLICE_ARITY", "{type}[] accepts {expected}. Got {actual}"),
    Issue("BAD_TYPE_SLICE_TYPE", "{type}[] arguments must be types. Got {actual}"),
    Issue("BAD_NOT_UNDEF_SLICE_TYPE", "{type}[] argument must be a Type or a String. Got {actual}"),
    Issue("BAD_TYPE_SPECIALIZATION", "Error creating type specialization of {type}, {message}"),
    Issue(
        "BAD_COLLECTION_SLICE_TYPE",
        "A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {actual}",
    ),
    Issue(
        "BAD_INTEGER_SLICE_ARITY",
        "Integer-Type supports [] with one or two arguments (from, to). Got {actual}",
    ),
    Issue(
        "BAD_FLOAT_SLICE_ARITY", "Float-Type supports [] with one or two arguments (from, to). Got {actual}"
    ),
    Issue("BAD_STRING_SLICE_ARITY", "String supports [] with one or two arguments. Got {actual}"),
    Issue(
        "BAD_INTEGER_SLICE_TYPE",
        "Integer-Type [] requires all arguments to be integers (or default). Got {actual}",
    ),
    Issue(
        "BAD_FLOAT_SLICE_TYPE",
        "Float-Type [] requires all arguments to be floats, or integers (or default). Got {actual}",
    ),
    Issue(
        "ILLEGAL_HOSTCLASS_NAME",
        "Illegal Class name in class reference. {actual} cannot be used where a String is expected",
    ),
    Issue("ILLEGAL_NAME", "Illegal name. The given name '{name}' does not conform to the naming rule {rule}"),
    Issue(
        "ILLEGAL_TYPE_REFERENCE",
        "Illegal type reference. The given name '{name}' does not conform to the naming rule",
    ),
    Issue(
        "BAD_RESOURCE_TYPE",
        "First argument to Resource[] must be a resource type or a String. Got {actual}.",
    ),
    Issue("OPERATOR_NOT_APPLICABLE", "Operator '[]' is not applicable to {type}."),
)

__all__ = ["ISSUES", "cannot_use", "error", "host_class", "size_words"]

error = ISSUES.error


def size_words(value: Any) -> str:
    """How the size message names a value: `a String`, `an Integer-Type`."""
    from evaluator.types.base import Type

    return an(f"{value.keyword}-Type" if isinstance(value, Type) else host_class(value))


def no_entry(type: Any) -> str:
    """What is said of a type that stands for no resource and no class where one is due."""
    return (
        f"Cannot split the type {host_class(type)}, it represents neither a PClassType, nor a PResourceType."
    )


def cannot_use(type_label: str, value: Any, expected: str, operand: int | None) -> PuppetError:
    """The error of a parameter of the wrong kind: `Cannot use Integer where String is expected`."""
    from evaluator.types.inference import infer

    return error(
        "BAD_TYPE_SPECIALIZATION",
        operand=operand,
        type=an(type_label),
        message=f"Cannot use {infer(value).generalize().inner()} where {expected} is expected",
    )
