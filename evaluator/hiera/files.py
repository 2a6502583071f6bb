"""What is kept of the data: files until they change, answers of functions while a cell runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.program.scope import MISSING

if TYPE_CHECKING:
    from evaluator.program.protocols import Memory


def kept(runtime: Memory, purpose: str, path: str, make: Callable[[], Any]) -> Any:
    """What `make` reads from a file for a purpose; it is read again when the file has changed."""
    status = os.stat(path)
    stamp = status.st_mtime_ns, status.st_size
    known = runtime.data_files.get((purpose, path))
    if known is None or known[0] != stamp:
        known = runtime.data_files[purpose, path] = stamp, make()
    return known[1]


def remembered(runtime: Memory, question: Any, answer: Callable[[], Any]) -> Any:
    """The answer to a question, found once in a run: the functions that provide data may take long, or log."""
    if question not in runtime.answers:
        found = answer()
        if found is MISSING:
            return MISSING
        runtime.answers[question] = found
    return runtime.answers[question]
