"""Rules for the files of modules: which names each may define."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lexer_parser.tree import nodes
from lexer_parser.tree.labels import label
from lexer_parser.validation.walk import DEFINITIONS, ValidationWalk

DEFINING_FOLDERS = frozenset(("manifests", "functions", "types", "plans"))


def split_module_path(file: str, modulepath: Sequence[str]) -> list[str] | None:
    """Return the segments of a file's path from its module's name on; None if it belongs to no module.

    A module is a folder of the module path, or of any folder named `modules`.
    """
    parts = _split_path(file)
    for root in modulepath:
        folder = _split_path(root)
        if parts[: len(folder)] == folder:
            return parts[len(folder) :]
    if "modules" in parts:
        for index in range(len(parts) - 3, -1, -1):
            if parts[index] == "modules":
                return parts[index + 1 :]
    return None


def _split_path(path: str) -> list[str]:
    """Return the names in a path; an absolute one begins with an empty name."""
    names = path.split("/")
    if "//" in path or "/." in path or path.endswith("/"):
        names[1:] = [part for part in names[1:] if part not in ("", ".")]
    return names


class ModuleManifest:
    """A manifest of a module: the names it defines begin with `namespace`; None if it may define none."""

    __slots__ = ("file", "namespace")

    def __init__(self, file: str, namespace: str | None) -> None:
        self.file = file
        self.namespace = namespace

    @classmethod
    def from_path(cls, file: str, modulepath: Sequence[str]) -> ModuleManifest | None:
        """Return the module manifest at this path; None if it is no module's manifest."""
        parts = split_module_path(file, modulepath)
        if parts is None or len(parts) < 2 or not parts[-1].endswith(".pp"):
            return None
        module, folder, *names = parts
        if folder not in DEFINING_FOLDERS or not names:
            return cls(file, None)
        names[-1] = names[-1].removesuffix(".pp")
        if names == ["init"] and folder == "manifests":
            names = []
        return cls(file, "::".join((module, *names)).lower())

    def check_definition(self, walk: ValidationWalk, node: Any) -> None:
        """Report a definition whose name does not begin with the namespace of its file."""
        if self.namespace is None or not node.name.lower().startswith(self.namespace):
            walk.report("ILLEGAL_DEFINITION_LOCATION", node, name=node.name, file=self.file)

    def check_program(self, walk: ValidationWalk, body: nodes.Node) -> None:
        """Report statements at the top of the file that are no definitions, and node definitions."""
        for statement in body.statements if isinstance(body, nodes.Block) else (body,):
            kind = type(statement)
            if kind is nodes.NodeDefinition or (kind not in DEFINITIONS and kind is not nodes.Nop):
                walk.report("ILLEGAL_TOP_CONSTRUCT_LOCATION", statement, label=label(statement))
