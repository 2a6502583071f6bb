"""The accepted differences from the released Puppet, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.fuzzing.inputs import Input

# "pn", "error" or "crash": the printed tree, the messages, or the message of a crash.
Result = dict[str, str]


def has_crashed(case: Input, ours: Result, theirs: Result) -> bool:
    return "crash" in theirs


def _make_predicate(pattern: str) -> Callable[[Input, Result, Result], bool]:
    """Return a predicate for errors whose messages differ only in matches of the pattern."""
    compiled = re.compile(pattern, re.DOTALL)

    def is_equal(case: Input, ours: Result, theirs: Result) -> bool:
        mine, other = ours.get("error"), theirs.get("error")
        return mine is not None and other is not None and compiled.sub("", mine) == compiled.sub("", other)

    return is_equal


def is_open_string_after_heredoc(case: Input, ours: Result, theirs: Result) -> bool:
    return "@(" in case.source and "Unclosed quote" in ours.get("error", "")


def is_invalid_json(case: Input, ours: Result, theirs: Result) -> bool:
    other = theirs.get("error", "")
    return "JSON syntax checker" in ours.get("error", "") and ("JSON" in other or "Byte Order mark" in other)


def has_end_tag_in_interpolation(case: Input, ours: Result, theirs: Result) -> bool:
    return (
        case.epp and "%>" in case.source and "error" in ours and "Unclosed quote" in theirs.get("error", "")
    )


def is_reported_earlier(case: Input, ours: Result, theirs: Result) -> bool:
    mine = ours.get("error", "")
    return "The boolean" in mine or ("without a title?" in mine and "* =>" in " ".join(case.source.split()))


def has_same_invalid_pattern(case: Input, ours: Result, theirs: Result) -> bool:
    patterns = [result.get("error", "").partition(": /")[2] for result in (ours, theirs)]
    return patterns[0] == patterns[1] != ""


def is_about_group_name(case: Input, ours: Result, theirs: Result) -> bool:
    return any("group name" in result.get("error", "") for result in (ours, theirs))


# Reason: the predicate of the differences that it explains.
KNOWN: dict[str, Callable[[Input, Result, Result], bool]] = {
    "The released Puppet fails in its own code: `::` last, 1e999, `\\u{110000}`, `foo { * => 1 }`, …": has_crashed,
    "The text that the released lexer read last before it reports an unclosed string has no use.": _make_predicate(
        r"Unclosed quote after .*? followed by"
    ),
    "The released Puppet shows an invalid pattern with escapes that depend on the locale.": _make_predicate(
        r": /.*/| reference$|(?<=name )<.*"
    ),
    "`name; {}` is parsed as a resource without title; its position is the brace, not the definition.": _make_predicate(
        r"(?<=without a title\?) \(line: \d+, column: \d+\)"
    ),
    "An unclosed string in or after a heredoc is reported before the text of the heredoc is parsed.": (
        is_open_string_after_heredoc
    ),
    "The JSON parsers stop elsewhere at a byte order mark, a NUL or an unclosed comment.": is_invalid_json,
    "In a template a `%>` within `${}` ends the code.": has_end_tag_in_interpolation,
    "`${true}` and `foo { * => 1 }`, at which it crashes, are reported where they are parsed.": is_reported_earlier,
    "Of several mistakes in a pattern another one is reported first.": has_same_invalid_pattern,
    "Names of groups that contain punctuation are not parsed as in Ruby's engine.": is_about_group_name,
}


def is_known(case: Input, ours: Result, theirs: Result) -> bool:
    """Return whether a difference is a known one."""
    return any(explains(case, ours, theirs) for explains in KNOWN.values())
