"""A person at a notebook who is asked while a program is stopped, in the field that a front end opens for that."""

from __future__ import annotations

from typing import Any

from puppet_kernel.rendering.elements import Element
from puppet_kernel.rendering.text import plain


class NotebookConsole:
    """Asks through a kernel; `is_available` tells whether the front end of the running cell takes questions."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self.is_available = False

    def show(self, element: Element) -> None:
        """Shows something below the cell."""
        self._kernel.stream.write("stdout", plain(element) + "\n")

    def read_line(self, prompt: str) -> str | None:
        """The line that is answered; None when the front end takes no questions."""
        self._kernel.stream.flush()
        return str(self._kernel.raw_input(prompt)) if self.is_available else None
