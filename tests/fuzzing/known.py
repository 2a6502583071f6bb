"""Differences to the released Puppet that stay, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.fuzzing.inputs import Input

Answer = dict[str, str]  # "pn", "error" or "crash": the printed tree, the messages, the message of a crash


def crashed(case: Input, ours: Answer, theirs: Answer) -> bool:
    return "crash" in theirs


def _without(pattern: str) -> Callable[[Input, Answer, Answer], bool]:
    """Return a test whether both are errors whose messages differ only in the matches of a pattern."""
    compiled = re.compile(pattern, re.DOTALL)

    def is_equal(case: Input, ours: Answer, theirs: Answer) -> bool:
        mine, other = ours.get("error"), theirs.get("error")
        return mine is not None and other is not None and compiled.sub("", mine) == compiled.sub("", other)

    return is_equal


def left_open_behind_heredoc(case: Input, ours: Answer, theirs: Answer) -> bool:
    return "@(" in case.source and "Unclosed quote" in ours.get("error", "")


def odd_json(case: Input, ours: Answer, theirs: Answer) -> bool:
    other = theirs.get("error", "")
    return "JSON syntax checker" in ours.get("error", "") and ("JSON" in other or "Byte Order mark" in other)


def tag_in_string(case: Input, ours: Answer, theirs: Answer) -> bool:
    return (
        case.epp and "%>" in case.source and "error" in ours and "Unclosed quote" in theirs.get("error", "")
    )


def found_earlier(case: Input, ours: Answer, theirs: Answer) -> bool:
    mine = ours.get("error", "")
    return "The boolean" in mine or ("without a title?" in mine and "* =>" in " ".join(case.source.split()))


def two_flaws(case: Input, ours: Answer, theirs: Answer) -> bool:
    patterns = [answer.get("error", "").partition(": /")[2] for answer in (ours, theirs)]
    return patterns[0] == patterns[1] != ""


def odd_pattern(case: Input, ours: Answer, theirs: Answer) -> bool:
    return any("group name" in answer.get("error", "") for answer in (ours, theirs))


# reason -> whether it explains a difference between our answer and the released one
KNOWN: dict[str, Callable[[Input, Answer, Answer], bool]] = {
    "The released Puppet fails in its own code: `::` last, 1e999, `\\u{110000}`, `foo { * => 1 }`, …": crashed,
    "Which piece the released lexer looked at last before it found a string open says nothing to a person.": _without(
        r"Unclosed quote after .*? followed by"
    ),
    "The released Puppet shows an invalid pattern with escapes that depend on the locale.": _without(
        r": /.*/| reference$|(?<=name )<.*"
    ),
    "`name; {}` reads as a resource without title; it begins at the body's brace, not at the definition.": _without(
        r"(?<=without a title\?) \(line: \d+, column: \d+\)"
    ),
    "A string left open in or behind a heredoc is found before what stands in it is parsed.": left_open_behind_heredoc,
    "A byte order mark, a NUL or a comment left open in JSON: where its parser stops is its own affair.": odd_json,
    "In a template a `%>` within `${}` ends the code.": tag_in_string,
    "`${true}` and `foo { * => 1 }`, at which it fails in its own code, are told where they are read.": found_earlier,
    "Of several flaws of a pattern another one is told first.": two_flaws,
    "Names of groups that hold marks are not read as Ruby's engine reads them.": odd_pattern,
}


def is_known(case: Input, ours: Answer, theirs: Answer) -> bool:
    """Return whether a difference is a known one."""
    return any(explains(case, ours, theirs) for explains in KNOWN.values())
