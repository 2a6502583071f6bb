"""The functions that modules of the path have in Ruby, where the session permits to run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.program.modules import RUBY_FOLDERS, ruby_functions

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

OLDER = 3


class InRuby:
    """Finds functions by name. The folders of the modules are looked through once for a module path."""

    __slots__ = ("_files", "_functions", "_modulepath", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._modulepath: tuple[str, ...] = ()
        self._files: dict[int, dict[str, tuple[str, str]]] = {}
        self._functions: dict[tuple[str, int], Any] = {}

    def has(self, name: str) -> bool:
        """True when there is a function of that name."""
        return any(name in files for files in self._known().values())

    def find(self, name: str) -> Any:
        """The function of that name, of the newer interface when there are two; None when there is none."""
        interface = next((interface for interface, files in self._known().items() if name in files), None)
        return None if interface is None else self._function(name, interface)

    def older(self, name: str) -> Any:
        """The function of that name of the older interface, None when there is none."""
        return self._function(name, OLDER) if name in self._known().get(OLDER, ()) else None

    def _known(self) -> dict[int, dict[str, tuple[str, str]]]:
        """The files by interface and name; nothing where Ruby may not run."""
        settings = self._program.settings
        if "ruby" not in settings.permissions:
            return {}
        if settings.modulepath != self._modulepath:
            self._modulepath, self._functions = settings.modulepath, {}
            self._files = {
                interface: ruby_functions(settings.modulepath, folder)
                for interface, folder in RUBY_FOLDERS.items()
            }
        return self._files

    def _function(self, name: str, interface: int) -> Any:
        found = self._functions.get((name, interface))
        if found is None:
            from evaluator.ruby.functions import RubyFunction  # few programs run Ruby

            path, _ = self._files[interface][name]
            found = self._functions[name, interface] = RubyFunction(name, interface, path)
        return found
