"""The functions that modules of the path have in Ruby, where the session permits to run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.program import modules

if TYPE_CHECKING:
    from evaluator.calling.registry import Function
    from evaluator.program.protocols import Program


class InRuby:
    """Finds functions by name. The folders of the modules are looked through once for a module path."""

    __slots__ = ("_files", "_functions", "_modulepath", "_program")

    def __init__(self, program: Program) -> None:
        self._program = program
        self._modulepath: tuple[str, ...] = ()
        self._files: dict[str, tuple[int, str, str]] = {}
        self._functions: dict[str, Function] = {}

    def has(self, name: str) -> bool:
        """True when there is a function of that name."""
        settings = self._program.settings
        if "ruby" not in settings.permissions or not settings.modulepath:
            return False
        if settings.modulepath != self._modulepath:
            self._modulepath, self._functions = settings.modulepath, {}
            self._files = modules.ruby_functions(settings.modulepath)
        return name in self._files

    def find(self, name: str) -> Function | None:
        """The function of that name, None when there is none."""
        if not self.has(name):
            return None
        found = self._functions.get(name)
        if found is None:
            from evaluator.ruby.functions import RubyFunction  # few programs run Ruby

            interface, path, _ = self._files[name]
            found = self._functions[name] = RubyFunction(name, interface, path)
        return found
