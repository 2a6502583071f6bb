"""What the rooms below ask of a running program, as small protocols, and `ProgramContext`, which is all of them.

`evaluator.running.runtime.Runtime` is the one that sessions run. A function asks for the smallest that does. Rooms
import this for type checking only: no program needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from evaluator.program.definitions import Definition
from evaluator.program.log import FindSimilar, Log
from evaluator.program.scope import Scope
from evaluator.program.settings import Settings
from evaluator.program.state import State
from lexer_parser.dialect import Dialect
from lexer_parser.memo import MemoTable
from lexer_parser.parsing import Status
from lexer_parser.source import Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.calling.registry import BuiltinFunction
    from evaluator.compiler.functions import UserFunction
    from evaluator.operators import Operators
    from evaluator.program.lookup_trace import LookupTrace

_T = TypeVar("_T")


class Logger(Protocol):
    """What takes log lines.

    writer  the resource whose body writes them, while the catalog is settled
    """

    writer: tuple[str, str] | None

    @property
    def logs(self) -> list[Log]:
        """The lines that were written."""

    def log(
        self, level: str, message: str, span: Span | None = None, near: FindSimilar | None = None
    ) -> None:
        """Writes a line."""


class Host(Protocol):
    """What operators act upon.

    match  the regular expression match behind $0, $1, …: set by `=~`, `in` and options
    """

    match: Any

    def warn(self, code: str, **arguments: Any) -> None:
        """Reports an issue whose severity the setting `strict` decides: nothing, a warning, or the error."""

    def resource_parameters(self, reference: Any, names: list[Any]) -> Any:
        """`File['/a']['mode']`: the value, or the values of several names."""


class ModuleFiles(Protocol):
    """The files of the module path."""

    def path(self, kind: str, name: str) -> str | None:
        """The file for a name, or None."""

    def parse(self, path: str) -> nodes.Program:
        """The program of a file, which is not registered. Raises Failure and PuppetError."""


class Names(Protocol):
    """What a name means: `evaluator.running.names` tells each one."""

    @property
    def loader(self) -> ModuleFiles:
        """Reads the files of the module path."""

    @property
    def natives(self) -> dict[str, Any]:
        """Puppet's own resource types that code has named so far, by the names that it has for them."""

    def find_variable(self, scope: Scope, name: str) -> Any: ...

    def seen_variable(self, scope: Scope, name: str) -> Any: ...

    def named_variable(self, scope: Scope, name: str) -> Any: ...

    def find_class(self, name: str) -> Definition | None: ...

    def find_define(self, name: str) -> Definition | None: ...

    def find_function(self, name: str) -> BuiltinFunction | UserFunction | None: ...

    def sees_arguments_only(self, name: str) -> bool: ...

    def offers(self, function: BuiltinFunction, dialect: Dialect) -> bool: ...

    def runs_ruby(self, name: str) -> bool: ...

    def older_function(self, name: str) -> Any: ...

    def type_named(self, name: str, dialect: Dialect | None = None) -> Any: ...

    def type_or_reference(self, name: str, dialect: Dialect | None = None) -> Any: ...

    def parse_type(self, text: str) -> Any: ...


class Memory(Protocol):
    """What the look-up of data remembers.

    data_files  what was read from files, by purpose and path, each with the stamp of the file
    answers     what the data gave to the program, by question
    looked_up   the names that are being looked up, each for the one before
    brought     values that the running call of `lookup` brings: before all data, and for what has none
    account     is told how names are looked up, while somebody asks for it
    """

    data_files: MemoTable[tuple[str, str], tuple[Any, Any]]
    answers: dict[Any, Any]
    looked_up: list[str]
    brought: tuple[dict[Any, Any], dict[Any, Any]]
    trace: LookupTrace | None


class SourceStore(Protocol):
    """What was made of files is kept for other processes, in the folder at `path`; see `evaluator.cache`."""

    path: str

    def load_source(self, path: str, purpose: Hashable, text: str, make: Callable[[str], Any]) -> Any:
        """What `make` makes of the text of a file, or what has been made of the same before."""

    def load_record(self, purpose: Hashable, text: str, find: Any, read: Callable[[Any], Any]) -> Any:
        """What `read` finds out of a text and of the sources that it asks `find` for, or found out before."""

    def flush(self) -> str | None:
        """Writes down what is new; gives what is to be said of the place where it is kept."""


class CompanionProtocol(Protocol):
    """A program that runs beside the one that runs."""

    def release(self) -> None:
        """Ends what the program of the session has to do with it."""

    def prepare_reuse(self) -> bool:
        """Makes it ready for the next program of the session; false when it must be ended."""


class ProgramContext(Logger, Host, Memory, Protocol):
    """A program that runs.

    state            variables, definitions and catalog
    dialect          the dialect in which it runs now
    companions       programs that run beside it, by name
    used_permission  whether it did what a session must permit
    """

    state: State
    dialect: Dialect
    companions: dict[str, CompanionProtocol]
    used_permission: bool

    def enter(self, state: State) -> None:
        """From now on it runs in this state."""

    @property
    def settings(self) -> Settings:
        """The session's settings."""

    @property
    def names(self) -> Names:
        """What names mean."""

    @property
    def functions(self) -> dict[str, Any]:
        """`"name/count"` -> the Python function that takes so many arguments."""

    def unknown_variable(self, name: str) -> None:
        """Reading a variable that has no value: undef, with a warning or an error."""

    def match_group(self, index: int) -> Any:
        """`$0`, `$1`, …: what the last match has found; undef when there is nothing."""

    def lookup_data(self, scope: Scope, key: str) -> Any:
        """The Hiera value of a key, or MISSING."""

    def call_function(
        self, name: str, arguments: list[Any], block: Any = None, scope: Scope | None = None
    ) -> Any:
        """Calls a function by name; raises UNKNOWN_FUNCTION or what the function raises."""

    def operators_of(self, dialect: Dialect) -> Operators:
        """The operators of a dialect, acting on this program."""

    def support(self, dialect: Dialect) -> dict[str, Any]:
        """The globals that code of a dialect starts from."""

    def compile_epp(self, text: str, name: str | None = None) -> Any:
        """A template, ready to be rendered."""


class Watcher(Protocol):
    """What runs cells for somebody who watches them, as a debugger does."""

    @property
    def can_stop(self) -> bool:
        """Whether it does so now."""

    def watch(self, work: Callable[[], _T]) -> _T:
        """Return the result of a function that runs a cell; raise what it raises."""


class SessionProtocol(Protocol):
    """A session, as those see it who help a person that types."""

    @property
    def runtime(self) -> ProgramContext:
        """Its program."""

    def status(self, source: str) -> Status:
        """Whether an input is complete."""

    def look(self, source: str) -> Any:
        """The outcome of code that leaves no trace."""

    def supervised(self, function: Callable[[], _T]) -> _T:
        """What a function gives that looks at values, where it can be stopped."""

    def catalog(self) -> Any:
        """The settled catalog."""
