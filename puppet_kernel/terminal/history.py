"""The shared history as prompt_toolkit uses it."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.history import History as PromptHistory

from puppet_kernel.user_files.history import InputHistory


class PromptFileHistory(PromptHistory):
    """The inputs of this prompt and of earlier sessions.

    Those that begin with a blank are not stored.
    """

    def __init__(self, kept: InputHistory) -> None:
        super().__init__()
        self._kept = kept
        self._entries = kept.read()
        self._waiting: list[str] = []

    def load_history_strings(self) -> Iterable[str]:
        """Return the inputs of the file, the newest first."""
        return (entry.source for entry in reversed(self._entries))

    def store_string(self, string: str) -> None:
        """Take an input, which is stored when it is known what it shows."""
        if not string[:1].isspace():
            self._waiting.append(string)

    def flush(self, output: str = "", logged: Iterable[str] = ()) -> None:
        """Store the inputs that wait, which have shown this output and these log lines."""
        while self._waiting:
            self._kept.add(0, self._waiting.pop(0), output, logged)
