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
    # types
    # parts of values
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
