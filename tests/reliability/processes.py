"""The processes of this machine, for tests of what programs leave behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path


def list_marked(mark: str) -> list[int]:
    """Return the running processes whose environment holds a text; zombies have none."""
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and mark.encode() in _read(entry / "environ")
    ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended, or belongs to somebody else
        return b""


def wait_until_gone(mark: str, spared: int = 0, seconds: float = 10) -> list[int]:
    """Return the marked processes that are left after a while; most end at once."""
    deadline = time.monotonic() + seconds
    while (left := [one for one in list_marked(mark) if one != spared]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def iterate_descendants(process: int) -> Iterator[int]:
    """Yield the children of a process, their children, and so on."""
    try:
        paths = [*Path(f"/proc/{process}/task").glob("*/children")]
    except FileNotFoundError:  # it has ended since its folder was found
        return
    for path in paths:
        for child in map(int, _read(path).split()):
            yield child
            yield from iterate_descendants(child)
