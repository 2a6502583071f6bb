"""The messages about what stops a program from outside: its limits, an interrupt, a defect."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "LIMIT_EXCEEDED",
        "More than {number} {counted}; the limit is the setting '{setting}'",
        help="Work on less at once, or raise the limit `{setting}` if this is meant.",
        words="A session sets limits to what one program may make, so that none takes the whole machine. Each "
        "limit is a setting and can be raised.",
        wrong="$x = Integer[1, 20000000].map |$n| { $n }",
        right="$x = Integer[1, 20].map |$n| { $n }",
        needs="limit:{setting}",
    ),
    Issue(
        "CALLS_TOO_DEEP",
        "Calls or expressions are nested too deeply; the limit is the setting '{setting}'",
        help="Something calls itself without end; add a case in which it stops.",
        words="A function calls itself, directly or through others, and does not come to an end.",
        wrong="function f($n) { f($n + 1) + 1 }\n$x = f(1)",
        right="function f($n) { if $n > 9 { 0 } else { f($n + 1) + 1 } }\n$x = f(1)",
    ),
    Issue(
        "FUNCTIONS_TOO_DEEP",
        "Lambdas are nested more deeply than this version of Python compiles",
        help="Give what the inner lambdas do a function of its own, and call it from the outer ones.",
    ),
    Issue(
        "MEMORY_EXCEEDED",
        "The program needs more memory than a cell may use; the limit is the setting '{setting}'",
        help="Work on less at once, or raise the limit `{setting}`.",
        needs="limit:{setting}",
    ),
    Issue(
        "NODE_LOST",
        "There is no catalog of {node}: {reason}",
        help="Compile for this node alone; `max_memory` is the memory that a program may use.",
    ),
    Issue(
        "TIME_EXCEEDED",
        "The program takes longer than a cell may: {number} seconds; the limit is the setting '{setting}'",
        help="Work on less at once, or raise the limit `{setting}`.",
        needs="limit:{setting}",
    ),
    Issue(
        "REGEXP_ENGINE_MISSING",
        "The regular expression {pattern} needs the Python package `regex`, which is not here",
        help="Write it with what most languages know, such as groups, sets and repetitions, or match shorter texts.",
    ),
    Issue(
        "INTERRUPTED",
        "Interrupted; the session is as it was before",
        help="Run it again when it was stopped by mistake: nothing of it is kept.",
    ),
    Issue(
        "INTERNAL_ERROR",
        "Internal error ({problem}); the session is as it was before",
        help="This is a defect of puppet-kernel, please report it with the code that led here.",
    ),
)
