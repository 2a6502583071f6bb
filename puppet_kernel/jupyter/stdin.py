"""The stdin channel: a stopped program asks the user in the input field of the front end."""

from __future__ import annotations

from typing import Any

from puppet_kernel.rendering.elements import Element
from puppet_kernel.rendering.text import plain


class NotebookConsole:
    """A debug console in a notebook.

    `is_available` is True if the front end of the running cell accepts input requests.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self.is_available = False

    def show(self, element: Element) -> None:
        """Show an element below the cell."""
        self._kernel.stream.write("stdout", plain(element) + "\n")

    def read_line(self, prompt: str) -> str | None:
        """Return the line that the user enters; None if the front end accepts no input requests."""
        self._kernel.stream.flush()
        return str(self._kernel.raw_input(prompt)) if self.is_available else None
