"""Commands: their class, the decorator that declares one, and the table of all of them.

A command is a function with the decorator `@command` in any module of this package. It takes the `CommandContext` and
the text after its name. It returns a `Reply` or an element to show, or raises `CommandError` with a sentence for the
user.

The generated index has the module of each command, which is imported when the command first runs: together the modules
would cost a kernel 40 ms of CPU and 2.7 MB more (Python 3.11, `tests/benchmarks/kernels.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Protocol

from evaluator import Session
from lexer_parser.issues.similarity import find_nearest
from puppet_kernel.commands.index import MODULES
from puppet_kernel.commands.inputs import COMMAND
from puppet_kernel.exercises import Progress
from puppet_kernel.rendering.elements import Element
from puppet_kernel.replies import CommandError, Reply

Answer = Reply | Element


class CommandContext(Protocol):
    """The part of a shell that commands use.

    Attributes:
        input_key: The key of the running input in the session.
        progress: The tries and answers of the exercises so far.
        commands: All commands.
        cell_id: The identity of the cell that a command with code runs as.
        has_code: True if the input has code below its commands.
        debugger: The debugger under which programs run, or None before the first breakpoint.
        debug_console: The console on which a stopped program waits for a step, or None if there is no user.
    """

    input_key: str
    progress: Progress
    commands: CommandTable
    cell_id: str | None
    has_code: bool
    debugger: Any
    debug_console: Any

    @property
    def session(self) -> Session:
        """The session as the input sees it: with the cells that precede it."""

    @property
    def width(self) -> Callable[[], int]:
        """A function that returns the number of columns for drawing."""

    def evaluate(
        self, source: str, cell_id: str | None = None, *, timed: bool = False, name: str | None = None
    ) -> Reply:
        """Run Puppet code; `name` is the path of the file that it was read from."""

    def fork_session(self, *, cells: int | None = None, **changed: Any) -> Session:
        """Return another session with changed settings in which the first `cells` ran, or all."""

    def reconfigure(self, **changed: Any) -> Reply:
        """Change settings from this input on, and re-execute the cells that precede it.

        Raises:
            ValueError: A setting is not valid.
            PuppetError: The manifests of the new environment fail.
        """

    def reset(self) -> None:
        """Remove all cells; the settings stay."""

    def can_read(self, path: str) -> bool:
        """Return True if a command may read this path; the file system is not consulted."""

    def can_write(self) -> bool:
        """Return True if a command may write the file that the user names."""

    def set_limit(self, name: str, amount: str | None) -> None:
        """Set a limit for the inputs that follow, None to the amount with which the session began.

        Raises:
            ValueError: The amount is not one that the limit can have.
            CommandError: The amount exceeds that with which the session began.
        """


CommandFunction = Callable[[CommandContext, str], Answer]
CompleteArgument = Callable[[CommandContext], Iterable[str]]


class Command:
    """A command and how it behaves.

    Attributes:
        name: The name without `%`.
        run: The function that runs the command.
        arguments: The arguments in the usual notation.
        complete_argument: Returns candidates for the argument.
        summary: One line for the help; by default the docstring of the function.
        aliases: Other names.
        examples: Lines that show its use.
        takes_code: True if the rest of the input is its argument.
        runs_code: True if it runs the code of its own cell.
        mutates_session: True if it runs cells or changes the session. It calls `Session.call_supervised` itself for
            what has to be stopped by an interrupt or a limit; of other commands, the whole function is called by it.
        refreshable: True if it shows the program, so that its output may become outdated.
        immediate: True if it acts on the program in its present state, as all do that run code; other commands see the
            cells that precede their input.
        demo: An input for the reference; by default the examples.
        runs_demo: True if the reference runs the demo as a cell, False if it shows the demo as text.
        demo_varies: True if the output of the demo differs between runs.
    """

    def __init__(
        self,
        name: str,
        run: CommandFunction,
        *,
        arguments: str = "",
        complete_argument: CompleteArgument = lambda context: (),
        summary: str = "",
        aliases: tuple[str, ...] = (),
        examples: tuple[str, ...] = (),
        takes_code: bool = False,
        runs_code: bool = False,
        mutates_session: bool = False,
        refreshable: bool = False,
        immediate: bool = False,
        demo: str = "",
        runs_demo: bool = True,
        demo_varies: bool = False,
    ) -> None:
        self.name = name
        self.run = run
        self.arguments = arguments
        self.complete_argument = complete_argument
        self.summary = summary or (run.__doc__ or "").strip()
        self.aliases = aliases
        self.examples = examples
        self.takes_code = takes_code
        self.runs_code = runs_code
        self.mutates_session = mutates_session
        self.refreshable = refreshable
        self.immediate = immediate or runs_code
        self.demo = demo or "\n".join(examples)
        self.runs_demo = runs_demo and bool(demo)
        self.demo_varies = demo_varies

    @property
    def usage(self) -> str:
        """The command as the user types it."""
        return f"{COMMAND}{self.name} {self.arguments}".rstrip()


DECLARED: dict[str, Command] = {}  # the commands that `@command` has declared so far, by name and alias


def command(name: str, **options: Any) -> Callable[[CommandFunction], CommandFunction]:
    """Declare the decorated function as a command; the options are those of `Command`.

    @command("vars", arguments="[TEXT]", complete_argument=list_variable_names, examples=("%vars port",))
    def show_variables(context, argument):
        '''List the variables, or those with TEXT in their names.'''
    """

    def declare(run: CommandFunction) -> CommandFunction:
        new = Command(name, run, **options)
        DECLARED.update(dict.fromkeys((name, *new.aliases), new))
        return run

    return declare


class CommandTable:
    """All commands in the order of the help; each is found by its name or the beginning of it.

    The module of a command is imported when the command is first needed.

    Attributes:
        names: The names and aliases of all commands.
    """

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules  # the full name of the module that declares a command, by name and alias
        self.names = modules.keys()

    def __iter__(self) -> Iterator[Command]:
        return iter(dict.fromkeys(map(self._load, self.names)))

    def _load(self, name: str) -> Command:
        if name not in DECLARED:
            import_module(self._modules[name])
        return DECLARED[name]

    def find(self, name: str) -> Command:
        """Return the command with a name, or the only one that begins so; raise CommandError."""
        if name in self.names:
            return self._load(name)
        candidates = {self._load(word).name for word in self.names if name and word.startswith(name)}
        if len(candidates) == 1:
            return self._load(candidates.pop())
        if candidates:
            ordered = [COMMAND + word for word in self.names if word in candidates]
            raise CommandError(f"{COMMAND}{name} may mean {' or '.join(ordered)}")
        close = find_nearest(name, self.names)
        raise CommandError(
            f"There is no command {COMMAND}{name}",
            suggestion=f"{COMMAND}{close}" if close else None,
            help="%help lists the commands",
        )

    def takes_code(self, name: str) -> bool:
        """Return True if the rest of an input belongs to this command; False for an unknown one."""
        command = self._find_or_none(name)
        return command is not None and command.takes_code

    def runs_code(self, name: str) -> bool:
        """Return True if this command runs code as its own cell; False for an unknown one."""
        command = self._find_or_none(name)
        return command is not None and command.runs_code

    def is_immediate(self, text: str) -> bool:
        """Return True if a line is a command that acts on the program as it is now."""
        command = self._find_or_none(text.removeprefix(COMMAND).partition(" ")[0])
        return text.startswith(COMMAND) and command is not None and command.immediate

    def _find_or_none(self, name: str) -> Command | None:
        try:
            return self.find(name)
        except CommandError:
            return None


def check_choice(argument: str, choices: tuple[str, ...], name: str) -> None:
    """Raise CommandError for an argument of the command `name` that is none of the choices.

    "" among the choices permits a command without an argument.
    """
    if argument not in choices:
        expected = " or ".join(filter(None, choices)) or "no argument"
        raise CommandError(f"{name} takes {expected}, not '{argument}'")


# The order in which %help lists commands. Others follow.
HELP_ORDER = (
    *("help", "catalog", "graph", "vars", "facts", "node", "environment", "modulepath", "hiera", "exported"),
    *("lookup", "dialect", "limits", "cells", "run", "load", "save", "undo", "redo", "reset", "time"),
    *("format", "explain", "spec", "step", "types", "both", "diff", "whatif", "fleet", "why"),
    *("functions", "classes", "break", "debug", "check", "hint", "solution", "exercises", "clear", "quit"),
)


def make_command_table(modules: Mapping[str, str]) -> CommandTable:
    """Return the table of commands in the order of the help.

    Args:
        modules: The module of this package that declares each command, by name and alias.
    """
    positions = {name: number for number, name in enumerate(HELP_ORDER)}
    names = sorted(modules, key=lambda name: positions.get(name, len(positions)))
    return CommandTable({name: f"{__package__}.{modules[name]}" for name in names})


COMMANDS = make_command_table(MODULES)
