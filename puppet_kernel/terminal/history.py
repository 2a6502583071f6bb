"""The shared history as the prompt wants it."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit.history import History as PromptHistory

from puppet_kernel.user_files.history import History


class PromptFileHistory(PromptHistory):
    """What was typed at this prompt and in all sessions before it. An input that begins with a blank is not kept."""

    def __init__(self, kept: History) -> None:
        super().__init__()
        self._kept = kept
        self._entries = kept.read()

    def load_history_strings(self) -> Iterable[str]:
        """The inputs of the file, the newest first."""
        return (entry.source for entry in reversed(self._entries))

    def store_string(self, string: str) -> None:
        """Keeps an input."""
        if not string[:1].isspace():
            self._kept.add(0, string)
