"""Comparison of the results of programs with those of the released Puppet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from evaluator import Session
from tests.differential.known import find_reason, list_rewrites

POSITION = re.compile(r" ?\(line: (\d+)(?:, column: (\d+))?\)(?!.*\(line: )", re.S)
Result = dict[str, Any]


def run_ours(source: str, dialect: str = "puppet7") -> Result:
    """Return {"value", "type", "logs"} or {"error", "logs"}, as `released.rb` does."""
    facts = {"os": {"family": "Debian"}}
    outcome = Session(dialect, node="testnode", facts=facts, permissions=["files", "templates"]).run(source)
    logs = [f"{log.level}: {log.message}" for log in outcome.logs if log.level != "debug"]
    if outcome.error is not None:
        return {"error": str(outcome.error), "logs": logs}
    return {"value": outcome.text, "type": outcome.type, "logs": logs}


def _split_error(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the message and the position of an error."""
    text = text.removeprefix("Evaluation Error: ")
    match = POSITION.search(text)
    if match is None:
        return text.strip(), ()
    return text[: match.start()].strip(), tuple(part for part in match.groups() if part)


def compare_results(theirs: Result, ours: Result) -> list[str]:
    """Return the aspects in which two results differ.

    They are "outcome", "value", "type", "logs", "message" and "position".
    """
    if ("error" in theirs) != ("error" in ours):
        return ["outcome"]
    aspects = []
    if "error" in theirs:
        message, position = _split_error(theirs["error"])
        our_message, our_position = _split_error(ours["error"])
        aspects += ["message"] if message != our_message else []
        aspects += ["position"] if position and position != our_position else []
    else:
        aspects += [aspect for aspect in ("value", "type") if theirs[aspect] != ours[aspect]]
    if [line.rstrip() for line in theirs["logs"]] != [line.rstrip() for line in ours["logs"]]:
        aspects.append("logs")
    return aspects


def _explain(source: str, theirs: Result, ours: Result) -> str | None:
    """Return the reason for an expected difference, or None."""
    for rewrite, reason in list_rewrites(theirs):
        if not compare_results(rewrite, ours):
            return reason
    return find_reason(source, theirs)


class Difference:
    """A program with different results.

    Attributes:
        aspects: The aspects in which the results differ.
        theirs: The result of the release.
        ours: Our result.
        reason: The reason of a known difference, else None.
    """

    def __init__(self, source: str, aspects: Sequence[str], theirs: Result, ours: Result) -> None:
        self.source = source
        self.aspects = aspects
        self.theirs = theirs
        self.ours = ours
        self.reason = _explain(source, theirs, ours)

    def __str__(self) -> str:
        lines = [f"{', '.join(self.aspects)} of", *(f"    {line}" for line in self.source.split("\n"))]
        return "\n".join([*lines, f"  released: {self.theirs}", f"  ours:     {self.ours}"])


def find_differences(
    sources: Iterable[str], results: Iterable[Result | None], dialect: str = "puppet7"
) -> list[Difference]:
    """Return the programs whose results differ in a dialect.

    Programs that end the process of the release are ignored.

    Args:
        results: The results of the release, in the order of the programs.
    """
    differences = []
    for source, theirs in zip(sources, results, strict=True):
        if theirs is None or "logs" not in theirs:
            continue
        ours = run_ours(source, dialect)
        aspects = compare_results(theirs, ours)
        if aspects:
            differences.append(Difference(source, aspects, theirs, ours))
    return differences
