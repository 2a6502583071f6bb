"""The messages of `value[key]`."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    Issue("BAD_STRING_SLICE_ARITY", "String supports [] with one or two arguments. Got {actual}"),
    Issue("BAD_ARRAY_SLICE_ARITY", "Array supports [] with one or two arguments. Got {actual}"),
    Issue(
        "BAD_STRING_SLICE_KEY_TYPE",
        "A substring operation does not accept {actual} as a character index. Expected an Integer",
    ),
    Issue("BAD_SLICE_KEY_TYPE", "An Array[] cannot use {actual} where Integer is expected"),
)
