"""Warnings that a way of calling a function is deprecated: each once for a place in a program."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluator.program.protocols import ProgramContext


def log_deprecation(runtime: ProgramContext, message: str, *, placed: bool = False) -> None:
    """Logs a warning, once in a program; with `placed` once for every line it comes from."""
    log_once(runtime, message, _place() if placed else None)


def log_once(runtime: ProgramContext, message: str, place: str | None = None) -> None:
    """Logs a warning unless it has been logged, for that place or for none; with "" no word is said of places."""
    text = message if place == "" else f"{message}\n   ({place or 'file & line not available'})"
    if text not in runtime.state.warned:
        runtime.state.warned.add(text)
        runtime.log("warning", text)


def _place() -> str | None:
    """`line: 3`, or `file: site.pp, line: 3`, of the Puppet code that runs."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        unit = frame.f_globals.get("__unit__")
        if unit is not None:
            name = unit.source.name
            return f"{f'file: {name}, ' if name else ''}line: {frame.f_lineno}"
        frame = frame.f_back
    return None
