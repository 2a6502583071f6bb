"""Explanations of what can go wrong with calls, types and parts of values: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    # calls
    "ARGUMENT_MISMATCH": (
        "An argument is not of the type that the function's parameter has.",
        "function double(Integer $x) { $x * 2 }\n$y = double('4')",
        "function double(Integer $x) { $x * 2 }\n$y = double(4)",
    ),
    "ARGUMENT_COUNT": (
        "The function takes more or fewer arguments. An array is one argument: `*$array` gives its elements.",
        "$x = join(['a'], ',', '.')",
        "$x = join(['a'], ',')",
    ),
    "LAMBDA_MISMATCH": (
        "The function needs a lambda, takes none, or takes one with another number of parameters.",
        "$x = [1, 2].map",
        "$x = [1, 2].map |$n| { $n * 2 }",
    ),
    "RETURN_MISMATCH": (
        "What a function or lambda gives is not of the type behind its `>>`.",
        'function f($x) >> Integer { "${x}" }\n$y = f(1)',
        "function f($x) >> Integer { $x }\n$y = f(1)",
    ),
    "FAILED": (
        "The program itself stopped with `fail`.",
        "fail('no')",
        "notice('yes')",
    ),
    "CONTROL_ILLEGAL": (
        "`break()` ends the iteration of a lambda, `next()` one run of it, `return()` a function or class body. "
        "Elsewhere there is nothing to leave.",
        "break()",
        "[1, 2].each |$x| { break() }",
    ),
    "DISCONTINUED_IMPORT": (
        "Files are no longer imported: classes are loaded from modules when they are named.",
        "import('a.pp')",
        "class a { }\ninclude a",
    ),
    "CAPTURES_REST_NOT_LAST": (
        "`*$rest` takes all the arguments that are left, so nothing can follow it.",
        "$f = [1].map |*$a, $b = 1| { 1 }",
        "$f = [1].map |$b = 1, *$a| { 1 }",
    ),
    "LOOKUP_NOT_FOUND": (
        "The data has no value for the key.",
        "$x = lookup('port')",
        "$x = lookup('port', { 'default_value' => 80 })",
    ),
    "FILE_NOT_FOUND": (
        "The file is not there. Templates and files of a module are named `module/file`.",
        "$x = epp('web/site.conf.epp')",
        "$x = inline_epp('<%= 1 %>')",
    ),
    # conversions
    "CONVERSION": (
        "The value cannot be made a value of the other type.",
        "$x = Integer('twelve')",
        "$x = Integer('12')",
    ),
    "NOT_INSTANTIABLE": (
        "Values are not made of this type.",
        "$x = Undef(1)",
        "$x = String(1)",
    ),
    "ILLEGAL_FORMAT": (
        "A format is `%`, flags, width, `.` and precision, and a letter that tells how the value is written.",
        "$x = String(5, '%q')",
        "$x = String(5, '%x')",
    ),
    # types
    "UNRESOLVED_TYPE": (
        "A type alias stands for a type that does not exist, or for itself.",
        "type Port = Port\n$x = 80 =~ Port",
        "type Port = Integer\n$x = 80 =~ Port",
    ),
    "BAD_TYPE_SLICE_ARITY": (
        "The type takes another number of parameters in its brackets.",
        "$x = Hash[String, Integer, 1, 2, 3]",
        "$x = Hash[String, Integer]",
    ),
    "BAD_TYPE_SLICE_TYPE": (
        "In the brackets of this type stand types, not values.",
        "$x = Array['a']",
        "$x = Array[String]",
    ),
    "BAD_NOT_UNDEF_SLICE_TYPE": (
        "In the brackets of `NotUndef` stands a type or a string.",
        "$x = NotUndef[1]",
        "$x = NotUndef[Integer]",
    ),
    "BAD_TYPE_SPECIALIZATION": (
        "The parameters in the brackets of a type do not fit it.",
        "$x = Integer[10, 1]",
        "$x = Integer[1, 10]",
    ),
    "BAD_COLLECTION_SLICE_TYPE": (
        "Behind the types stands the size of the collection: one or two integers.",
        "$x = Array[Integer, 'a']",
        "$x = Array[Integer, 1, 5]",
    ),
    "BAD_INTEGER_SLICE_ARITY": (
        "An Integer type has a lower and an upper bound.",
        "$x = Integer[1, 2, 3]",
        "$x = Integer[1, 3]",
    ),
    "BAD_INTEGER_SLICE_TYPE": (
        "The bounds of an Integer type are integers.",
        "$x = Integer['a']",
        "$x = Integer[1]",
    ),
    "BAD_FLOAT_SLICE_ARITY": (
        "A Float type has a lower and an upper bound.",
        "$x = Float[1.0, 2.0, 3.0]",
        "$x = Float[1.0, 3.0]",
    ),
    "BAD_FLOAT_SLICE_TYPE": (
        "The bounds of a Float type are numbers.",
        "$x = Float['a']",
        "$x = Float[1.5]",
    ),
    # parts of values
    "BAD_STRING_SLICE_ARITY": (
        "A part of a string is named by one number, or by where it begins and how long it is.",
        "$x = 'abc'[0, 1, 2]",
        "$x = 'abc'[0, 2]",
    ),
    "BAD_STRING_SLICE_KEY_TYPE": (
        "The characters of a string are counted from 0.",
        "$x = 'abc'[String]",
        "$x = 'abc'[0]",
    ),
    "BAD_ARRAY_SLICE_ARITY": (
        "A part of an array is named by one number, or by where it begins and how many elements it has.",
        "$x = [1, 2][0, 1, 2]",
        "$x = [1, 2][0, 1]",
    ),
    "BAD_SLICE_KEY_TYPE": (
        "The elements of an array are counted from 0.",
        "$x = [1, 2][1.5]",
        "$x = [1, 2][0]",
    ),
    # limits
    "CALLS_TOO_DEEP": (
        "A function calls itself without end, or so often that there is no room for it.",
        "function f($n) { f($n + 1) }\n$x = f(0)",
        "function f($n) { if $n < 9 { f($n + 1) } else { $n } }\n$x = f(0)",
    ),
    "LIMIT_EXCEEDED": (
        "What the program makes is larger than a limit that keeps the machine safe.",
        "$x = range(1, 100000000)",
        "$x = range(1, 100)",
    ),
}
