"""The processes of this machine, for tests of what programs leave behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path


def list_marked(mark: str) -> list[int]:
    """Return the running processes whose environment contains a text; zombies have none."""
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and mark.encode() in _read(entry / "environ")
    ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process has ended, or belongs to another user
        return b""


def wait_until_gone(mark: str, spared: int = 0, seconds: float = 10) -> list[int]:
    """Wait until the marked processes have ended, and return those that have not.

    Args:
        mark: The text in their environment.
        spared: A marked process that is ignored.
        seconds: The longest time to wait."""
    deadline = time.monotonic() + seconds
    while (
        left := [process for process in list_marked(mark) if process != spared]
    ) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def iterate_descendants(process: int) -> Iterator[int]:
    """Yield the children of a process, their children, and so on."""
    try:
        paths = [*Path(f"/proc/{process}/task").glob("*/children")]
    except FileNotFoundError:  # the process has ended
        return
    for path in paths:
        for child in map(int, _read(path).split()):
            yield child
            yield from iterate_descendants(child)
