"""The incremental evaluator of the Puppet language: `Session` is all that front ends need; `check` runs nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.checking import check
    from evaluator.session.cells import Cell, Outcome
    from evaluator.session.session import Session

__all__ = ["Cell", "Outcome", "Session", "check"]

_PLACES = {
    "Cell": "session.cells",
    "Outcome": "session.cells",
    "Session": "session.session",
    "check": "checking",
}

__getattr__ = lazy_attributes(__name__, _PLACES)
