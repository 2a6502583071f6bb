"""Output to the terminal, in colours if it shows them; silent without a reader."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from puppet_kernel.rendering.escape import COLUMNS, to_one_line

if TYPE_CHECKING:
    from puppet_kernel.rendering.elements import Element


BROKEN_PIPE = 141  # the status that a shell reports for a program that was ended by SIGPIPE
CANNOT_WRITE = 74  # EX_IOERR


class Terminal:
    """Standard output and standard error, in colours on a terminal without NO_COLOR."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        self._coloured = {False: has_colour(sys.stdout), True: has_colour(sys.stderr)}  # by `to_stderr`

    def show(self, element: Element, *, to_stderr: bool = False) -> None:
        """Draw an element and end the line."""
        self.write(self.draw(element, to_stderr=to_stderr) + "\n", to_stderr=to_stderr)

    def draw(self, element: Element, *, to_stderr: bool = False) -> str:
        """Return an element as text for standard output or standard error."""
        # imported here because `--help` and a check without findings print nothing: it takes 1 of their 20 and 30 ms
        from puppet_kernel.rendering.text import render_ansi, render_plain

        render = render_ansi if self._coloured[to_stderr] else render_plain
        return render(element, get_columns())

    def is_interactive(self, *, to_stderr: bool = False) -> bool:
        """Return True for a terminal that can move back in a line."""
        stream = sys.stderr if to_stderr else sys.stdout
        return stream is not None and os.environ.get("TERM") != "dumb" and is_terminal(stream)

    def is_conversation(self) -> bool:
        """Return True if the user types at a terminal and reads the output there."""
        return is_terminal(sys.stdin) and is_terminal(sys.stdout)

    def write(self, text: str, *, to_stderr: bool = False) -> None:
        """Write text as it is; a full disk or a reader that is gone ends the process quietly."""
        stream = sys.stderr if to_stderr else sys.stdout
        if stream is None:
            return
        try:
            if to_stderr and sys.stdout is not None:
                sys.stdout.flush()
            stream.write(text)
            if to_stderr:
                stream.flush()
        except OSError as problem:
            exit_unwritable(problem)

    def complain(self, problem: object, help: str = "") -> None:
        """Report a wrong command line or file on standard error; quoted text is escaped."""
        self.write(f"puppet-repl: {to_one_line(str(problem))}\n{help}", to_stderr=True)

    def close(self) -> None:
        """Flush the streams."""
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                try:
                    stream.flush()
                except OSError as problem:
                    exit_unwritable(problem)


def exit_unwritable(problem: OSError) -> None:
    """Exit because nothing can be written any more; any thread may call this."""
    if isinstance(problem, BrokenPipeError):
        os._exit(BROKEN_PIPE)
    try:
        os.write(2, f"puppet-repl: cannot write: {problem.strerror}\n".encode())
    finally:
        os._exit(CANNOT_WRITE)


def has_colour(stream: TextIO | None) -> bool:
    """Return True for a terminal that shows colours, unless the user objects."""
    return (
        stream is not None
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
        and is_terminal(stream)
    )


def is_terminal(stream: Any) -> bool:
    """Return True for a stream connected to a terminal; False for a closed one and for None."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def get_columns() -> int:
    """Return the width of the terminal, or the usual one if there is none."""
    for descriptor in (1, 2, 0):
        try:
            return max(os.get_terminal_size(descriptor).columns, 20)
        except (OSError, ValueError):
            continue
    return COLUMNS
