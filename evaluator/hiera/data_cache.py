"""The caches of data: parsed texts, files until they change, and results within a run.

Texts are cached for all sessions of the process, results of data functions while a cell runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator.issues import Failure
from evaluator.program import sandbox
from evaluator.program.scope import MISSING

if TYPE_CHECKING:
    from evaluator.program.protocols import Memory, ProgramContext


# The number of characters whose data is cached.
_MOST = 8_000_000


class _Texts:
    """The parsed data of texts, by format and content.

    The data is never changed, so sessions may share it.
    """

    def __init__(self) -> None:
        self._data: dict[tuple[str, bytes], Any] = {}
        self._size = 0

    def read(self, way: str, text: str, read: Callable[[str], Any]) -> Any:
        """Return the result of `read` for a text, computed once; a failure is not cached."""
        key = way, hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        found = self._data.get(key, MISSING)
        if found is MISSING:
            found = read(text)
            if self._size + len(text) > _MOST:
                self._data.clear()
                self._size = 0
            self._data[key] = found
            self._size += len(text)
        return found


TEXTS = _Texts()


def cache_file(runtime: ProgramContext, purpose: str, path: str, make: Callable[[], Any]) -> Any:
    """Return the result of `make` for a file and a purpose, cached until the file changes."""
    stamp = sandbox.get_stamp(runtime.settings, path)
    known = runtime.data_files.get((purpose, path))
    if known is None or known[0] != stamp or stamp is None:
        known = runtime.data_files[purpose, path] = stamp, make()
    return known[1]


def memoize_in_run(runtime: Memory, question: Any, answer: Callable[[], Any]) -> Any:
    """Return the answer to a query, computed once in a run.

    Data functions may take long, or write log lines.
    """
    if question not in runtime.answers:
        found = answer()
        if found is MISSING:
            return MISSING
        runtime.answers[question] = found
    return runtime.answers[question]


def describe_problem(problem: Failure) -> str:
    """Return the error in a parsed text, for a message that names its file."""
    return str(problem.arguments["problem"] if problem.code == "YAML_SYNTAX" else problem)
