"""What a command is, and the table in which its name is looked up.

A command's code takes the Desk and the text after its name, and gives a Reply or an element to show; it
raises CommandError with a sentence for the person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Protocol, TypeVar

from evaluator import Session
from evaluator.session.order import Place
from lexer_parser.issues.similar import nearest
from puppet_kernel.commands.inputs import COMMAND
from puppet_kernel.exercises.progress import Progress
from puppet_kernel.rendering.elements import Element
from puppet_kernel.replies import CommandError, Reply

Answer = Reply | Element
_T = TypeVar("_T")


class Desk(Protocol):
    """What a command works on: a session, how wide to draw, and all commands.

    cell_id   of the input that a command takes code from
    progress  what was done of the exercises
    debugger  the Debugger under which programs run, once there is one
    person    whom a program that is stopped can ask, if there is anybody
    place     where the input stands
    """

    place: Place
    progress: Progress
    commands: Commands
    cell_id: str | None
    debugger: Any
    person: Any

    @property
    def session(self) -> Session:
        """The session as the input sees it: with what stands before it."""

    @property
    def width(self) -> Callable[[], int]:
        """Gives the columns that there are to draw in."""

    def evaluate(
        self, source: str, cell_id: str | None = None, *, timed: bool = False, name: str | None = None
    ) -> Reply:
        """Runs Puppet code; `name` is the path of the file that it was read from."""

    def supervised(self, function: Callable[[], _T]) -> _T:
        """What a function gives that runs where it can be interrupted and is limited."""

    def twin(self, *, cells: int | None = None, **changed: Any) -> Session:
        """Another session, with other settings, in which the same cells ran, or so many of them."""

    def restart(self, **changed: Any) -> Element:
        """Runs the cells again in a session with other settings. Raises ValueError or PuppetError."""

    def reset(self) -> None:
        """Starts again with nothing but the settings."""

    def may_read(self, path: str) -> bool:
        """True for a path that a command may lead to. Nothing is asked of what is there."""

    def may_write(self) -> bool:
        """True when a command may write a file that a person names."""

    def limit(self, name: str, amount: Any) -> None:
        """Sets a limit for the inputs to come. Raises ValueError."""


class Later:
    """The code of a command whose module is imported when the command is first given.

    words  for the help
    """

    def __init__(self, module: str, name: str, words: str) -> None:
        self.module = module
        self.name = name
        self.__doc__ = words

    def __call__(self, desk: Desk, argument: str) -> Answer:
        """Does what the command says."""
        code: Callable[[Desk, str], Answer] = getattr(import_module(self.module), self.name)
        return code(desk, argument)


class Command:
    """A command: name, arguments in the usual notation, its code and what completes its argument.

    words       for the help: the docstring of its code;  examples  lines that show its use
    takes_code  the rest of the input is its argument;  gives_code  it runs code as the cell that it stands in
    steers      it runs cells or changes the session, which guards itself; the others run supervised
    dated       it shows the program, so it may become old
    acts        it does something to the program as it is now; the others see what stands before their input
    """

    __slots__ = (
        *("acts", "aliases", "arguments", "code", "completes", "dated", "examples", "gives_code"),
        *("name", "steers", "takes_code", "words"),
    )

    def __init__(
        self,
        name: str,
        arguments: str,
        code: Callable[[Desk, str], Answer],
        completes: Callable[[Desk], Iterable[str]] = lambda desk: (),
        aliases: tuple[str, ...] = (),
        takes_code: bool = False,
        examples: tuple[str, ...] = (),
        steers: bool = False,
        dated: bool = False,
        gives_code: bool = False,
        acts: bool = False,
    ) -> None:
        self.name = name
        self.acts = acts or gives_code
        self.gives_code = gives_code
        self.examples = examples
        self.arguments = arguments
        self.words = (code.__doc__ or "").strip()
        self.code = code
        self.completes = completes
        self.aliases = aliases
        self.takes_code = takes_code
        self.steers = steers
        self.dated = dated

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"{COMMAND}{self.name} {self.arguments}".rstrip()


class Commands:
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

    def gives_code(self, name: str) -> bool:
        """Tells whether this command runs code as the cell that it stands in; false for what is no command."""
        return (command := self._known(name)) is not None and command.gives_code

    def acts(self, text: str) -> bool:
        """Tells whether what a line asks for is done to the program as it is now; false for what is no command."""
        name = text.removeprefix(COMMAND).partition(" ")[0]
        return text.startswith(COMMAND) and (command := self._known(name)) is not None and command.acts

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
