"""What programs need of the machine before they run: in a browser, a stack that they cannot use up."""

from __future__ import annotations

import sys

if sys.platform == "emscripten":
    from evaluator.session.wasm import begin, free
else:

    def begin() -> None:
        """A program begins here: each has a stack of its own."""

    def free() -> None:
        """Nothing is put off that would have to be freed."""


__all__ = ["begin", "free"]
