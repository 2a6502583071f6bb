"""The protocols of a running program, as lower packages see it.

They are small, and `ProgramContext` combines them all; `evaluator.running.runtime.Runtime` implements it for sessions.
A function requires the smallest protocol that is enough. Modules import this one for type checking only: no program
needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from evaluator.program.definitions import Definition, Scope
from evaluator.program.log import FindSimilar, Log
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
    from evaluator.program.environment import Environment
    from evaluator.program.lookup_trace import LookupTrace
    from evaluator.values.kind import Value

_T = TypeVar("_T")


class Logger(Protocol):
    """A receiver of log lines.

    Attributes:
        writer: The resource whose body writes the lines, while the catalog is finalized.
    """

    writer: tuple[str, str] | None

    @property
    def logs(self) -> list[Log]:
        """The lines that were written."""

    def log(
        self, level: str, message: str, span: Span | None = None, near: FindSimilar | None = None
    ) -> None:
        """Write a line."""


class Host(Protocol):
    """The program on which operators act.

    Attributes:
        match: The regular expression match behind $0, $1, …: set by `=~`, `in` and options.
    """

    match: Any

    def warn(self, code: str, **arguments: object) -> None:
        """Report an issue as the setting `strict` decides: nothing, a warning, or the error."""

    def resource_parameters(self, reference: Value, names: list[Value]) -> Value:
        """Return the result of `File['/a']['mode']`: the value, or the values of several names."""


class ModuleFiles(Protocol):
    """The files of the module path."""

    def path(self, kind: str, name: str) -> str | None:
        """Return the file for a name, or None."""

    def parse(self, path: str) -> nodes.Program:
        """Return the program of a file without registering it.

        Raises:
            Failure: The file cannot be read.
            PuppetError: The file has a syntax error.
        """


class Names(Protocol):
    """The resolution of names: `evaluator.running.names` describes each method."""

    @property
    def loader(self) -> ModuleFiles:
        """The reader of the files of the module path."""

    @property
    def natives(self) -> dict[str, Any]:
        """The built-in resource types that code has named so far, by Puppet's names for them."""

    def find_variable(self, scope: Scope, name: str) -> Value: ...

    def seen_variable(self, scope: Scope, name: str) -> Value: ...

    def named_variable(self, scope: Scope, name: str) -> Value: ...

    def find_class(self, name: str) -> Definition | None: ...

    def find_define(self, name: str) -> Definition | None: ...

    def find_function(self, name: str) -> BuiltinFunction | UserFunction | None: ...

    def is_pure(self, name: str) -> bool: ...

    def offers(self, function: BuiltinFunction, dialect: Dialect) -> bool: ...

    def runs_ruby(self, name: str) -> bool: ...

    def older_function(self, name: str) -> Any: ...

    def find_alias(self, name: str) -> Value: ...

    def type_named(self, name: str, dialect: Dialect | None = None) -> Value: ...

    def type_or_reference(self, name: str, dialect: Dialect | None = None) -> Value: ...

    def parse_type(self, text: str) -> Value: ...


class Memory(Protocol):
    """The memory of data lookup.

    Attributes:
        data_files: The content of files, by purpose and path, each with the stamp of the file.
        answers: The replies of the data to the program, by query.
        looked_up: The names that are being looked up, each for the one before.
        brought: The values that the running call of `lookup` supplies: overrides of all data, and defaults for
            names without a value.
        trace: The trace that records how names are looked up, while one is requested.
    """

    data_files: MemoTable[tuple[str, str], tuple[Any, Any]]
    answers: dict[Any, Any]
    looked_up: list[str]
    brought: tuple[dict[Value, Value], dict[Value, Value]]
    trace: LookupTrace | None


class SourceStore(Protocol):
    """A store of results of files for other processes, in the folder `path`.

    See `evaluator.cache`.
    """

    path: str

    def load_source(self, path: str, purpose: Hashable, text: str, make: Callable[[str], Any]) -> Any:
        """Return the result of `make` for the text of a file, or the result stored for that text."""

    def load_record(self, name: str, text: str, read: Callable[[], Any]) -> Any:
        """Return the result of `read` for the text of the resource type `name`, or the stored result."""

    def flush(self) -> str | None:
        """Write new results to the folder; return a warning about the folder, or None."""


class CompanionProtocol(Protocol):
    """A program that runs beside the running one."""

    def release(self) -> None:
        """End its connection with the program of the session."""


class ProgramContext(Logger, Host, Memory, Protocol):
    """A running program.

    Attributes:
        state: The variables, definitions and catalog.
        dialect: The dialect in which it runs now.
        companions: The programs that run beside it, by name.
        used_permission: True when it did something that a session must permit.
    """

    state: State
    dialect: Dialect
    companions: dict[str, CompanionProtocol]
    used_permission: bool

    def enter(self, state: State) -> None:
        """Run in another state from now on."""

    @property
    def settings(self) -> Settings:
        """The session's settings."""

    @property
    def environment(self) -> Environment:
        """The part that programs with the same modules share."""

    @property
    def names(self) -> Names:
        """The resolution of names."""

    @property
    def functions(self) -> dict[str, Any]:
        """The Python functions by `"name/count"`, where `count` is the number of their arguments."""

    def unknown_variable(self, name: str) -> None:
        """Return undef for a variable that has no value, after a warning, or raise an error."""

    def match_group(self, index: int) -> Value:
        """Return `$0`, `$1`, …: a group of the last match; undef when there is none."""

    def lookup_data(self, scope: Scope, key: str) -> Value:
        """Return the Hiera value of a key, or MISSING."""

    def call_function(
        self, name: str, arguments: list[Value], block: Value = None, scope: Scope | None = None
    ) -> Value:
        """Return the result of calling a function by name.

        Raises:
            PuppetError: The function is unknown (UNKNOWN_FUNCTION), or raised an error.
        """

    def operators_of(self, dialect: Dialect) -> Operators:
        """Return the operators of a dialect, acting on this program."""

    def support(self, dialect: Dialect) -> dict[str, Any]:
        """Return the globals that code of a dialect starts from."""

    def compile_epp(self, text: str, name: str | None = None) -> Any:
        """Compile an EPP template; return it ready to be rendered."""


class Watcher(Protocol):
    """A runner of cells for an observer, such as a debugger."""

    @property
    def can_stop(self) -> bool:
        """True when it can stop cells now."""

    def watch(self, work: Callable[[], _T]) -> _T:
        """Return the result of a function that runs a cell; raise what it raises."""


class SessionProtocol(Protocol):
    """A session, as the tools that assist its user see it."""

    @property
    def runtime(self) -> ProgramContext:
        """The program of the session."""

    def status(self, source: str) -> Status:
        """Return the status of an input: complete, incomplete or wrong."""

    def look(self, source: str) -> Any:
        """Return the outcome of code that leaves the session unchanged."""

    def supervised(self, function: Callable[[], _T]) -> _T:
        """Return the result of a function that inspects values, run so that it can be interrupted."""

    def catalog(self) -> Any:
        """Return the finalized catalog."""
