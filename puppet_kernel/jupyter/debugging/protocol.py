"""What the protocol calls things: what this debugger can do, and breakpoints as requests and answers have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluator.debugger import Breakpoint
from puppet_kernel.rendering.escape import clip, printable

THREAD = 1  # programs have one
ERRORS = "error"
CHARACTERS = 10_000  # of one message
CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsEvaluateForHovers": True,
    "supportsExceptionInfoRequest": True,
    "supportsModulesRequest": True,
    "exceptionBreakpointFilters": [
        {
            "filter": ERRORS,
            "label": "Errors",
            "description": "Stop at the error that ends a program",
            "default": False,
        }
    ],
}


def wanted(given: Mapping[str, Any]) -> list[Breakpoint]:
    """The breakpoints that a request asks for. Raises what comes of one that is none."""
    rows = given.get("breakpoints") or [{"line": line} for line in given.get("lines", ())]
    return [
        Breakpoint(int(row["line"]), str(row.get("condition") or ""), str(row.get("logMessage") or ""))
        for row in rows
    ]


def placed(points: Sequence[Breakpoint], path: str) -> dict[str, Any]:
    """The answer that tells where breakpoints stand."""
    return {
        "breakpoints": [
            {
                "id": number,
                "verified": point.statement is not None,
                "line": point.line if point.statement is None else point.statement.line,
                "source": {"path": path},
            }
            for number, point in enumerate(points)
        ]
    }


def output(words: str, line: int, source: Mapping[str, Any]) -> dict[str, Any]:
    """What the event says that shows a message of a breakpoint."""
    return {
        "category": "console",
        "output": f"{printable(clip(words, CHARACTERS))}\n",
        "line": line,
        "source": dict(source),
    }
