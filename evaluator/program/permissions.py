"""What a program may not do unless its session permits it, by name."""

from __future__ import annotations

from collections.abc import Iterable

PERMISSIONS = {
    "files": "reads files outside the module path and the working folder",
    "generate": "runs programs",
    "templates": "runs Ruby code",
    "ruby": "runs Ruby code of modules",
}


def check_permissions(given: Iterable[str]) -> tuple[str, ...]:
    """The names of what a session permits. Raises ValueError for a name that is none of PERMISSIONS."""
    names = tuple(given)
    for name in names:
        if name not in PERMISSIONS:
            raise ValueError(f"there is no permission '{name}'; there are: {', '.join(PERMISSIONS)}")
    return names
