"""The stack protection of the platform: functions that have an effect in a browser only."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from evaluator.session.wasm import begin, free
else:

    def begin() -> None:
        """Do nothing before a program: each has a stack of its own."""

    def free() -> None:
        """Do nothing: no deallocation is deferred."""


__all__ = ["begin", "free"]
