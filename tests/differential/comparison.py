"""The results of this project for a program, and how they differ from those of the released Puppet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from evaluator import Session
from tests.differential.known import reason, rewritten

PLACE = re.compile(r" ?\(line: (\d+)(?:, column: (\d+))?\)(?!.*\(line: )", re.S)
Answer = dict[str, Any]


def ours(source: str, dialect: str = "puppet7") -> Answer:
    """Return {"value", "type", "logs"} or {"error", "logs"}, as `released.rb` answers."""
    facts = {"os": {"family": "Debian"}}
    outcome = Session(dialect, node="testnode", facts=facts, permissions=["files", "templates"]).run(source)
    logs = [f"{log.level}: {log.message}" for log in outcome.logs if log.level != "debug"]
    if outcome.error is not None:
        return {"error": str(outcome.error), "logs": logs}
    return {"value": outcome.text, "type": outcome.type, "logs": logs}


def _error(text: str) -> tuple[str, tuple[str, ...]]:
    """Message and place."""
    text = text.removeprefix("Evaluation Error: ")
    match = PLACE.search(text)
    if match is None:
        return text.strip(), ()
    return text[: match.start()].strip(), tuple(part for part in match.groups() if part)


def aspects(theirs: Answer, found: Answer) -> list[str]:
    """In what two answers differ: "outcome", "value", "type", "logs", "message", "place"."""
    if ("error" in theirs) != ("error" in found):
        return ["outcome"]
    wrong = []
    if "error" in theirs:
        message, place = _error(theirs["error"])
        our_message, our_place = _error(found["error"])
        wrong += ["message"] if message != our_message else []
        wrong += ["place"] if place and place != our_place else []
    else:
        wrong += [aspect for aspect in ("value", "type") if theirs[aspect] != found[aspect]]
    if [line.rstrip() for line in theirs["logs"]] != [line.rstrip() for line in found["logs"]]:
        wrong.append("logs")
    return wrong


def _reason(source: str, theirs: Answer, found: Answer) -> str | None:
    """Why the difference is expected; None when it is not."""
    for answer, why in rewritten(theirs):
        if not aspects(answer, found):
            return why
    return reason(source, theirs)


class Difference:
    """A program to which the answers differ; `reason` is why that is expected, None when it is not."""

    def __init__(self, source: str, wrong: Sequence[str], theirs: Answer, found: Answer) -> None:
        self.source = source
        self.wrong = wrong
        self.theirs = theirs
        self.ours = found
        self.reason = _reason(source, theirs, found)

    def __str__(self) -> str:
        lines = [f"{', '.join(self.wrong)} of", *(f"    {line}" for line in self.source.split("\n"))]
        return "\n".join([*lines, f"  released: {self.theirs}", f"  ours:     {self.ours}"])


def differing(
    sources: Iterable[str], answers: Iterable[Answer | None], dialect: str = "puppet7"
) -> list[Difference]:
    """Return the programs with another answer in a dialect, without those that its release does not end."""
    found = []
    for source, theirs in zip(sources, answers, strict=True):
        if theirs is None or "logs" not in theirs:
            continue
        answer = ours(source, dialect)
        wrong = aspects(theirs, answer)
        if wrong:
            found.append(Difference(source, wrong, theirs, answer))
    return found
