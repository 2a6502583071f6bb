"""The incremental evaluator of the Puppet language: `Session` is all that front ends need; `check` runs nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
