"""The messages of `value[key]`."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "BAD_STRING_SLICE_ARITY",
        "String supports [] with one or two arguments. Got {actual}",
        help="Write one or two numbers in the brackets: `$text[start, length]`, `String[1, 10]`.",
        words="A part of a string is named by one number, or by where it begins and how long it is.",
        wrong="$x = 'abc'[0, 1, 2]",
        right="$x = 'abc'[0, 2]",
    ),
    Issue(
        "BAD_ARRAY_SLICE_ARITY",
        "Array supports [] with one or two arguments. Got {actual}",
        help="Write `$list[index]` or `$list[start, length]`.",
        words="A part of an array is named by one number, or by where it begins and how many elements it "
        "has.",
        wrong="$x = [1, 2][0, 1, 2]",
        right="$x = [1, 2][0, 1]",
    ),
    Issue(
        "BAD_STRING_SLICE_KEY_TYPE",
        "A substring operation does not accept {actual} as a character index. Expected an Integer",
        help="The characters of a string are counted from 0: `$text[0]`.",
        words="The characters of a string are counted from 0.",
        wrong="$x = 'abc'[String]",
        right="$x = 'abc'[0]",
    ),
    Issue(
        "BAD_SLICE_KEY_TYPE",
        "An Array[] cannot use {actual} where Integer is expected",
        help="The elements of an array are counted from 0: `$list[0]`; names are keys of hashes.",
        words="The elements of an array are counted from 0.",
        wrong="$x = [1, 2][1.5]",
        right="$x = [1, 2][0]",
    ),
)
