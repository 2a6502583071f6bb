"""Comparison of trees and errors of our parser with those of the released Puppet.

`find_differences` compares; its caller prints what it yields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lexer_parser import PuppetError, parse, to_pn
from lexer_parser.dialect import PUPPET7
from tests.fuzzing.inputs import Input
from tests.fuzzing.known import Result, is_known
from tests.released.ruby_scripts import run_script

MOST_LOGGED = 10


def parse_released(cases: Sequence[Input]) -> list[dict[str, Any]]:
    """Return the results of the released Puppet, in order.

    Each has "pn" (null if the tree cannot be printed), "crash", or "error" with "logs".
    """
    requests = "".join(json.dumps({"source": case.source, "epp": case.epp}) + "\n" for case in cases)
    output = run_script(Path(__file__).with_name("released.rb"), requests)
    return [json.loads(line) for line in output.split("\n") if line]


def parse_ours(case: Input) -> Result:
    """Return the result of our parser: "pn" or "error"."""
    try:
        return {"pn": to_pn(parse(case.source, epp=case.epp, dialect=PUPPET7))}
    except PuppetError as error:
        # Several errors of validation are logged, one at a time, before the summary.
        return _make_error_result([f"err: {related}" for related in error.related], str(error))


def normalize_released(result: dict[str, Any]) -> Result:
    """Return a released result in the form of ours, without warnings."""
    if "error" not in result:
        return {key: result[key] for key in ("pn", "crash") if key in result}
    return _make_error_result([line for line in result["logs"] if line.startswith("err: ")], result["error"])


def _make_error_result(logs: list[str], error: str) -> Result:
    """Return the first logged errors, if they are not in a heredoc, and the raised one."""
    if error.startswith("Invalid produced text"):
        logs = []
    return {"error": "\n".join([*logs[:MOST_LOGGED], error])}


def is_comparable(case: Input) -> bool:
    """Return whether the released Puppet can read an input, that is, it has no lone surrogate."""
    return not any("\ud800" <= character <= "\udfff" for character in case.source)


def find_differences(cases: Sequence[Input]) -> Iterator[tuple[Input, str]]:
    """Yield the inputs whose results differ for no known reason, with both results."""
    cases = [case for case in cases if is_comparable(case)]
    for case, result in zip(cases, parse_released(cases), strict=True):
        ours, theirs = parse_ours(case), normalize_released(result)
        if theirs.get("pn", "") is None and "pn" in ours:  # the released Puppet cannot print the tree
            theirs = ours
        if ours != theirs and not is_known(case, ours, theirs):
            yield case, f"ours {ours} released {theirs}"
