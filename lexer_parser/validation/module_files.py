"""Files of modules: which files belong to a module, and the names that they may define.

The rules in `names` and `definitions` report what a file must not define.
"""

from __future__ import annotations

from collections.abc import Sequence

from lexer_parser.record import Record

DEFINING_FOLDERS = frozenset(("manifests", "functions", "types", "plans"))


def split_module_path(file: str, modulepath: Sequence[str]) -> list[str] | None:
    """Return the names in a path from that of the module on; None for a file of no module.

    A module is a folder of the module path, or of any folder named `modules`: "/srv/modules/ntp/manifests/init.pp"
    becomes ["ntp", "manifests", "init.pp"].
    """
    names = _split_path(file)
    for root in modulepath:
        root_names = _split_path(root)
        if names[: len(root_names)] == root_names:
            return names[len(root_names) :]
    # The innermost folder `modules` decides, if a module and a file follow it.
    for index in range(len(names) - 3, -1, -1):
        if names[index] == "modules":
            return names[index + 1 :]
    return None


def _split_path(path: str) -> list[str]:
    """Return the names in a path; an absolute one begins with an empty name."""
    names = path.split("/")
    if "//" in path or "/." in path or path.endswith("/"):
        names[1:] = [name for name in names[1:] if name not in ("", ".")]
    return names


class ModuleFile(Record):
    """A manifest of a module.

    Attributes:
        path: The path.
        namespace: The beginning of all names that it may define, in lower case; None if it may define none.
    """

    path: str
    namespace: str | None

    @classmethod
    def from_path(cls, path: str, modulepath: Sequence[str]) -> ModuleFile | None:
        """Return the module's file at this path; None if it is no manifest of a module."""
        parts = split_module_path(path, modulepath)
        if parts is None or len(parts) < 2 or not parts[-1].endswith(".pp"):
            return None
        module, folder, *names = parts
        if folder not in DEFINING_FOLDERS or not names:
            return cls(path, None)
        names[-1] = names[-1].removesuffix(".pp")
        if names == ["init"] and folder == "manifests":
            names = []  # `manifests/init.pp` defines the class that is named after the module
        return cls(path, "::".join((module, *names)).lower())

    def may_define(self, name: str) -> bool:
        """Return True if the name of a definition begins with the namespace of the file."""
        return self.namespace is not None and name.lower().startswith(self.namespace)
