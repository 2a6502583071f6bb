"""What a command is, and the table in which its name is looked up.

A command's code takes the CommandContext and the text after its name, and gives a Reply or an element to show; it
raises CommandError with a sentence for the person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from evaluator import Session
from evaluator.session.order import Place
from lexer_parser.issues.similar import nearest
from lexer_parser.lazy import lazy_module
from puppet_kernel.commands.inputs import COMMAND
from puppet_kernel.exercises.progress import Progress
from puppet_kernel.rendering.elements import Element
from puppet_kernel.replies import CommandError, Reply

Answer = Reply | Element
_T = TypeVar("_T")


class CommandContext(Protocol):
    """The part of a shell that commands use.

    Attributes:
        position: Position of the running input in the notebook.
        progress: Results of the exercises so far.
        commands: All commands.
        cell_id: Identity of the cell that a command with code runs as.
        debugger: The debugger under which programs run, or None before the first breakpoint.
        debug_console: Where a stopped program asks what to do, or None where nobody can answer.
    """

    position: Place
    progress: Progress
    commands: CommandTable
    cell_id: str | None
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

    def supervise(self, function: Callable[[], _T]) -> _T:
        """Return the result of a function that runs interruptible and within the limits."""

    def fork_session(self, *, cells: int | None = None, **changed: Any) -> Session:
        """Return another session with changed settings that ran the same cells, or the first `cells` of them."""

    def reconfigure(self, **changed: Any) -> Element:
        """Change settings from this input on, and re-execute the cells that precede it.

        Raises:
            ValueError: A setting means nothing.
            PuppetError: The manifests of the new environment fail.
        """

    def reset(self) -> None:
        """Remove all cells; the settings stay."""

    def can_read(self, path: str) -> bool:
        """Return True if a command may read this path; the file system is not consulted."""

    def can_write(self) -> bool:
        """Return True if a command may write the file that the user names."""

    def set_limit(self, name: str, amount: Any) -> None:
        """Set a limit for the inputs that follow.

        Raises:
            ValueError: The amount is no number or above what is permitted.
        """


class DeferredCommand:
    """The code of a command whose module is imported when the command is first given.

    words  for the help
    """

    def __init__(self, module: str, name: str, words: str) -> None:
        self.module = module
        self.name = name
        self.__doc__ = words

    def __call__(self, context: CommandContext, argument: str) -> Answer:
        """Does what the command says."""
        code: Callable[[CommandContext, str], Answer] = getattr(lazy_module(self.module), self.name)
        return code(context, argument)


class Command:
    """A command: name, arguments in the usual notation, its code and what completes its argument.

    words       for the help: the docstring of its code;  examples  lines that show its use
    takes_code  the rest of the input is its argument;  runs_code  it runs code as the cell that it stands in
    mutates_session      it runs cells or changes the session, which guards itself; the others run supervised
    refreshable       it shows the program, so it may become old
    immediate        it does something to the program as it is now; the others see what stands before their input
    """

    __slots__ = (
        *(
            "immediate",
            "aliases",
            "arguments",
            "code",
            "complete_argument",
            "refreshable",
            "examples",
            "runs_code",
        ),
        *("name", "mutates_session", "takes_code", "summary"),
    )

    def __init__(
        self,
        name: str,
        arguments: str,
        code: Callable[[CommandContext, str], Answer],
        complete_argument: Callable[[CommandContext], Iterable[str]] = lambda context: (),
        aliases: tuple[str, ...] = (),
        takes_code: bool = False,
        examples: tuple[str, ...] = (),
        mutates_session: bool = False,
        refreshable: bool = False,
        runs_code: bool = False,
        immediate: bool = False,
    ) -> None:
        self.name = name
        self.immediate = immediate or runs_code
        self.runs_code = runs_code
        self.examples = examples
        self.arguments = arguments
        self.summary = (code.__doc__ or "").strip()
        self.code = code
        self.complete_argument = complete_argument
        self.aliases = aliases
        self.takes_code = takes_code
        self.mutates_session = mutates_session
        self.refreshable = refreshable

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"{COMMAND}{self.name} {self.arguments}".rstrip()


class CommandTable:
    """All commands, in the order of the help, and each by its name or the beginning of it."""

    __slots__ = ("_rows", "by_name")

    def __init__(self, rows: Iterable[Command]) -> None:
        self._rows = tuple(rows)
        self.by_name = {word: command for command in self for word in (command.name, *command.aliases)}

    def __iter__(self) -> Iterator[Command]:
        return iter(self._rows)

    def find(self, name: str) -> Command:
        """The command called `name`, or the only one that begins so. Raises CommandError."""
        if name in self.by_name:
            return self.by_name[name]
        begun = {
            command.name: command for word, command in self.by_name.items() if name and word.startswith(name)
        }
        if len(begun) == 1:
            return next(iter(begun.values()))
        if begun:
            raise CommandError(f"{COMMAND}{name} may mean {' or '.join(COMMAND + full for full in begun)}")
        close = nearest(name, self.by_name)
        raise CommandError(
            f"There is no command {COMMAND}{name}",
            suggestion=f"{COMMAND}{close}" if close else None,
            help="%help lists the commands",
        )

    def takes_code(self, name: str) -> bool:
        """Tells whether the rest of an input belongs to this command; false for what is no command."""
        return (command := self._known(name)) is not None and command.takes_code

    def runs_code(self, name: str) -> bool:
        """Tells whether this command runs code as the cell that it stands in; false for what is no command."""
        return (command := self._known(name)) is not None and command.runs_code

    def is_immediate(self, text: str) -> bool:
        """Tells whether what a line asks for is done to the program as it is now; false for what is no command."""
        name = text.removeprefix(COMMAND).partition(" ")[0]
        return text.startswith(COMMAND) and (command := self._known(name)) is not None and command.immediate

    def _known(self, name: str) -> Command | None:
        try:
            return self.find(name)
        except CommandError:
            return None


def expect(argument: str, choices: tuple[str, ...], name: str) -> None:
    """Raises CommandError for an argument that is none of the choices."""
    if argument not in choices:
        known = " or ".join(choice for choice in choices if choice)
        raise CommandError(f"{name} takes {known or 'no argument'}, not '{argument}'")
