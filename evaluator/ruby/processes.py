"""The Ruby processes: one serves many programs, and is idle between them."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence

from evaluator.limits import MEGA
from evaluator.program import companions, lifetimes
from evaluator.ruby.values import Message

# The environment variables that Ruby gets: none of them is secret.
_SHARED_VARIABLES = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR"),
    *("GEM_HOME", "GEM_PATH", "RUBYLIB"),
)
# The name of a function and its interface, or the path of a template and "template".
Used = tuple[str, int | str]
_MOST_PREPARED = 4 * MEGA  # characters of code


class RubyProcess(companions.CompanionProcess):
    """A Ruby process that serves programs with one module path, each in a fork unless their code is isolated.

    It loads the functions and templates of a former program before it forks for the next one. It runs nothing of them,
    so that it has no data of a program. Files in Puppet's folder `vardir` end with the program, too.

    Attributes:
        modulepath: The module path.
        programs: The number of programs that it has run without a fork.
        prepared: The code that it has loaded for the next program.
        has_code: True if it may have loaded code of modules.
    """

    def __init__(self, command: Sequence[str], modulepath: tuple[str, ...]) -> None:
        place = os.environ.get("TMPDIR") or "/tmp"
        folder = os.path.join(place, f"puppet-kernel-{os.urandom(16).hex()}")
        super().__init__([*command, folder], talks=True, environment=_make_environment(), folder=folder)
        self.modulepath = modulepath
        self.programs = 0
        self.prepared: dict[Used, str] = {}
        self._unprepared: dict[Used, Message] = {}
        self._room = _MOST_PREPARED
        self.has_code = False

    def note_used(self, used: Mapping[Used, Message]) -> None:
        """Record what a program has used, to be loaded before the next one."""
        for key, code in used.items():
            if self.prepared.get(key) != code["text"] and len(code["text"]) < self._room:
                self._room -= len(code["text"])
                self._unprepared[key] = code

    def take_unprepared(self) -> dict[Used, Message]:
        """Return the code to be loaded now."""
        unprepared, self._unprepared = self._unprepared, {}
        self.has_code |= bool(unprepared)
        return unprepared


# The Ruby processes that no session uses, each with the command and environment of its start.
_idle: list[tuple[Hashable, RubyProcess]] = []
_MOST_IDLE = 4  # a program may use one of each kind


def take_idle(command: tuple[str, ...], modulepath: tuple[str, ...]) -> RubyProcess | None:
    """Return an idle Ruby process that was started in the same way and has no other modules' code."""
    key = _make_key(command, _make_environment())
    for entry in list(_idle):
        start, process = entry
        if start != key or (process.modulepath != modulepath and process.has_code):
            continue
        _idle.remove(entry)
        if process.is_quiet():
            lifetimes.own(process)
            if process.modulepath != modulepath:
                process.modulepath = modulepath
                process.take_unprepared()  # it belongs to other modules
                process.has_code = False
            return process
        process.end()
    return None


def keep_idle(command: tuple[str, ...], process: RubyProcess) -> None:
    """Keep a process for the next program."""
    lifetimes.disown(process)
    _idle.append((_make_key(command, _make_environment()), process))
    while len(_idle) > _MOST_IDLE:
        _idle.pop(0)[1].end()


def _make_key(command: tuple[str, ...], environment: dict[str, str]) -> Hashable:
    return os.getpid(), command, tuple(sorted(environment.items()))


def _make_environment() -> dict[str, str]:
    """Return the environment variables for Ruby."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in _SHARED_VARIABLES or name.startswith("LC_")
    }
