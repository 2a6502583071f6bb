"""The messages of types and their parameters."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
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
)
