"""The front end beside the released Puppet's: who accepts an input, and what is said where when both refuse it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lexer_parser import PuppetError, parse, to_pn
from lexer_parser.dialect import PUPPET7
from tests.fuzzing.inputs import Input
from tests.fuzzing.known import known
from tests.released.asking import run_script

MOST_LOGGED = 10


def released(cases: Sequence[Input]) -> list[dict[str, Any]]:
    """The released Puppet's answers, in order."""
    requests = "".join(json.dumps({"source": case.source, "epp": case.epp}) + "\n" for case in cases)
    told = run_script(Path(__file__).with_name("released.rb"), requests)
    return [json.loads(line) for line in told.split("\n") if line]


def ours(case: Input) -> dict[str, str]:
    """Our answer in the same form."""
    try:
        return {"pn": to_pn(parse(case.source, epp=case.epp, dialect=PUPPET7))}
    except PuppetError as error:
        # Several errors of validation are logged one by one before the summary.
        return _error([f"err: {each}" for each in error.related], str(error))


def theirs(answer: dict[str, Any]) -> dict[str, str]:
    """A released answer without its warnings."""
    if "error" not in answer:
        return {key: answer[key] for key in ("pn", "crash") if key in answer}
    return _error([line for line in answer["logs"] if line.startswith("err: ")], answer["error"])


def _error(logged: list[str], error: str) -> dict[str, str]:
    """The first ten errors and the last word; a text in a heredoc has errors of its own, which are left out."""
    if error.startswith("Invalid produced text"):
        logged = []
    return {"error": "\n".join([*logged[:MOST_LOGGED], error])}


def comparable(case: Input) -> bool:
    """Return whether the released Puppet accepts an input: it takes no lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in case.source)


def differences(cases: Sequence[Input]) -> Iterator[tuple[Input, str]]:
    """The inputs that are answered differently for no known reason, with both answers."""
    cases = [case for case in cases if comparable(case)]
    for case, answer in zip(cases, released(cases), strict=True):
        mine, other = ours(case), theirs(answer)
        if other.get("pn", "") is None:  # parsed, but it cannot print that tree
            other = {"pn": mine.get("pn", "")} if "pn" in mine else other
        if mine != other and not known(case, mine, other):
            yield case, f"ours {mine} released {other}"
