"""The incremental evaluator of the Puppet language: `Session` is all that front ends need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluator.session.cells import Cell, Outcome
    from evaluator.session.session import Session

__all__ = ["Cell", "Outcome", "Session"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from evaluator.session import session

    return getattr(session, name)
