"""The Ruby processes: one serves many programs, and is idle between them.

`companion` takes an idle process or starts one when a program first needs Ruby, and returns it when the program ends.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping, Sequence

from evaluator.limits import MEGA
from evaluator.program import companions, lifetimes
from evaluator.ruby.values import Message

# The environment variables that Ruby inherits: none of them is secret.
_INHERITED_VARIABLES = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR"),
    *("GEM_HOME", "GEM_PATH", "RUBYLIB"),
)
# The name of a function and its interface, or the path of a template and "template".
CodeKey = tuple[str, int | str]
_MOST_PREPARED = 4 * MEGA  # characters of code


class RubyProcess(companions.CompanionProcess):
    """A Ruby process that serves programs with one module path.

    Each program runs in a fork unless its code is isolated. The process loads the functions and templates of a former
    program before it forks for the next one, but runs nothing of them, so that it has no data of a program. Files in
    Puppet's folder `vardir` are removed after the program.

    Attributes:
        modulepath: The module path.
        programs: The number of programs that it has run without a fork.
        prepared: The texts of the code that it has loaded for the next program.
        has_code: True if it may have loaded code of modules.
    """

    def __init__(self, command: Sequence[str], modulepath: tuple[str, ...]) -> None:
        parent = os.environ.get("TMPDIR") or "/tmp"
        folder = os.path.join(parent, f"puppet-kernel-{os.urandom(16).hex()}")
        super().__init__([*command, folder], has_input=True, environment=_make_environment(), folder=folder)
        self.modulepath = modulepath
        self.programs = 0
        self.prepared: dict[CodeKey, str] = {}
        self._unprepared: dict[CodeKey, Message] = {}
        self._remaining_length = _MOST_PREPARED
        self.has_code = False

    def note_used(self, used_code: Mapping[CodeKey, Message]) -> None:
        """Record the code that a program has used, to be loaded before the next one."""
        for key, code in used_code.items():
            if self.prepared.get(key) != code["text"] and len(code["text"]) < self._remaining_length:
                self._remaining_length -= len(code["text"])
                self._unprepared[key] = code

    def take_unprepared(self) -> dict[CodeKey, Message]:
        """Return the recorded code that is not loaded yet; the caller sends it to Ruby."""
        unprepared, self._unprepared = self._unprepared, {}
        self.has_code |= bool(unprepared)
        return unprepared


# The Ruby processes that no session uses, each with the command and environment of its start.
_idle: list[tuple[Hashable, RubyProcess]] = []
_MOST_IDLE = 4  # a program may use one of each kind


def take_idle(command: tuple[str, ...], modulepath: tuple[str, ...]) -> RubyProcess | None:
    """Return an idle process that was started in the same way; None if there is none.

    It has loaded no code of another module path.
    """
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
                process.take_unprepared()  # discarded, because it is of other modules
                process.has_code = False
            return process
        process.end()
    return None


def keep_idle(command: tuple[str, ...], process: RubyProcess) -> None:
    """Add a process to the idle ones; end the oldest of them if there are too many."""
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
        if name in _INHERITED_VARIABLES or name.startswith("LC_")
    }
