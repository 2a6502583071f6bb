"""Loads definitions from the module path when a name is first used."""

from __future__ import annotations

import os
from typing import Any

from lexer_parser.dialect import PUPPET

_FOLDERS = {"classes": "manifests", "defines": "manifests", "functions": "functions", "types": "types"}


class Loader:
    """Finds `module/manifests/…`, `module/functions/…` and `module/types/…` for qualified names.

    Files are parsed once and compiled once; they are read again when they change. Code of a module path is
    written for the released Puppet and is compiled in that dialect whatever the session's.
    """

    __slots__ = ("_programs", "runtime")

    def __init__(self, runtime: Any) -> None:
        self.runtime = runtime
        self._programs: dict[str, tuple[int, Any, Any]] = {}

    def load(self, kind: str, name: str) -> bool:
        """Registers the file that should define `name`, if there is one; true when a file was loaded."""
        path = self.path(kind, name)
        loaded = self.runtime.state.definitions.loaded
        if path is None or path in loaded:
            return False
        loaded.add(path)
        from evaluator.registration import register

        unit, program = self._read(path)
        register(unit, program, self.runtime.state.definitions, name.split("::")[0])
        return True

    def has_module(self, name: str) -> bool:
        """True when the module path holds a module of that name."""
        return any(os.path.isdir(os.path.join(root, name)) for root in self.runtime.modulepath)

    def path(self, kind: str, name: str) -> str | None:
        """The file for a name, or None."""
        segments = name.removeprefix("::").split("::")
        folder = _FOLDERS[kind]
        if len(segments) == 1:
            if folder == "types":
                return None
            segments = [segments[0], "init"] if folder == "manifests" else [segments[0], segments[0]]
        for root in self.runtime.modulepath:
            path = os.path.join(root, segments[0], folder, *segments[1:]) + ".pp"
            if os.path.isfile(path):
                return path
        return None

    def parsed(self, path: str) -> Any:
        """The program of a file, which is not registered. Raises OSError, PuppetError or UnicodeDecodeError."""
        return self._read(path)[1]

    def _read(self, path: str) -> tuple[Any, Any]:
        changed = os.stat(path).st_mtime_ns
        known = self._programs.get(path)
        if known is not None and known[0] == changed:
            return known[1], known[2]
        from evaluator.compiler.emitter import Unit
        from evaluator.nesting import parse_bounded

        with open(path, encoding="utf-8") as file:
            program = parse_bounded(file.read(), PUPPET, name=path, modulepath=self.runtime.modulepath)
        unit = Unit(self.runtime, program.source, PUPPET)
        self._programs[path] = (changed, unit, program)
        return unit, program
