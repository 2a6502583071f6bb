"""Output that is longer than the screen, shown in the user's pager."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from contextlib import suppress


def show_in_pager(text: str) -> bool:
    """Show a text in the pager that PAGER names, `less` by default.

    Returns:
        False if there is no pager, if the text fits on the screen, or if PAGER is empty.
    """
    try:
        rows = os.get_terminal_size(1).lines
    except OSError:
        return False
    words = shlex.split(os.environ.get("PAGER", "less"))
    if text.count("\n") < rows or not words:
        return False
    environment = {"LESS": "-FRX", **os.environ}  # colours stay, and the text stays on the screen
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's while it shows
    try:
        with suppress(BrokenPipeError):
            subprocess.run(words, input=text.encode("utf-8", "replace"), env=environment, check=False)
        return True
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
