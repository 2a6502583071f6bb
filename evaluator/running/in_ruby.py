"""The functions that modules of the path have in Ruby, where the session permits to run it.

A file with a function that is built in just as it stands there needs no Ruby: it counts as one that is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.program import gate
from evaluator.program.modules import RUBY_FOLDERS, functions_of_environment, ruby_functions

if TYPE_CHECKING:
    from evaluator.program.protocols import Program
    from evaluator.program.settings import Environment

OLDER, NEWER = 3, 4


class InRuby:
    """Finds functions by name. The folders of the modules are looked through once for a module path."""

    __slots__ = ("_around", "_built_in", "_files", "_functions", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._around: tuple[tuple[str, ...], Environment | None] = (), None
        self._files: dict[int, dict[str, tuple[str, str]]] = {}
        self._functions: dict[tuple[str, int], Any] = {}
        self._built_in: dict[str, tuple[Any, bool]] = {}  # by path, for what the file was

    def has(self, name: str) -> bool:
        """True when there is a function of that name."""
        known = self._known()
        interface = next((interface for interface, files in known.items() if name in files), None)
        return interface is not None and not self._is_built_in(name, interface)

    def find(self, name: str) -> Any:
        """The function of that name, of the newer interface when there are two; None when there is none."""
        known = self._known()
        interface = next((interface for interface, files in known.items() if name in files), None)
        if interface is None or self._is_built_in(name, interface):
            return None
        return self._function(name, interface)

    def older(self, name: str) -> Any:
        """The function of that name of the older interface, None when there is none."""
        if name not in self._known().get(OLDER, ()):
            return None
        if self._is_built_in(name, OLDER) and not self.has(name):
            return None
        return self._function(name, OLDER)

    def _known(self) -> dict[int, dict[str, tuple[str, str]]]:
        """The files by interface and name; nothing where Ruby may not run."""
        settings = self._program.settings
        if "ruby" not in settings.permissions:
            return {}
        around = settings.modulepath, settings.directory
        if around != self._around:
            self._around, self._functions = around, {}
            self._files = {
                interface: ruby_functions(settings.modulepath, folder)
                | functions_of_environment(settings.directory, folder)
                for interface, folder in RUBY_FOLDERS.items()
            }
        return self._files

    def _is_built_in(self, name: str, interface: int) -> bool:
        """Whether the function is built in just as its file has it.

        One that its module has for both interfaces is built in as both are together; a namesake of the module may
        hide the newer one.
        """
        path, _ = self._files[interface][name]
        if interface == OLDER and name not in self._files[NEWER]:
            newer = path.replace(f"/{RUBY_FOLDERS[OLDER]}/", f"/{RUBY_FOLDERS[NEWER]}/")
            if gate.changed(newer) is not None:
                return False
        stamp = gate.changed(path)
        known = self._built_in.get(path)
        if known is None or known[0] != stamp:
            known = self._built_in[path] = stamp, _ruby().is_built_in(self._program.settings, name, path)
        return known[1]

    def _function(self, name: str, interface: int) -> Any:
        found = self._functions.get((name, interface))
        if found is None:
            path, _ = self._files[interface][name]
            found = self._functions[name, interface] = _ruby().RubyFunction(name, interface, path)
        return found


def _ruby() -> Any:
    from evaluator.ruby import functions  # few programs run Ruby

    return functions
