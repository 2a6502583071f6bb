"""The running program: what compiled code, functions and the catalog reach while a program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from evaluator import catalog
from evaluator.compiler.definitions import EppTemplate
from evaluator.compiler.functions import UserFunction
from evaluator.compiler.runtime_checks import FunctionTable, reject_block
from evaluator.compiler.support import make_globals
from evaluator.issues import error
from evaluator.limits import OUTPUT
from evaluator.operators import Operators
from evaluator.program.log import FindSimilar, Log
from evaluator.program.lookup_trace import LookupTrace
from evaluator.program.scope import MISSING, Scope
from evaluator.program.settings import Settings
from evaluator.program.state import State
from evaluator.program.tracing import find_blamed_span, iterate_running
from evaluator.running.names import NameResolver
from lexer_parser.dialect import Dialect
from lexer_parser.memo import MemoTable
from lexer_parser.source import Span

if TYPE_CHECKING:
    from evaluator.program.protocols import Companion

# Programs render the same few templates again and again.
_MOST_TEMPLATES = 100


class Runtime:
    """One per session. `enter` sets `state` for each cell, and for what is settled of it; everything else stays.

    settings   those of the session;  names  what names mean
    dialect    the dialect in which programs run now
    match      the regular expression match behind $0, $1, …
    functions  "name/count" -> Python function, see FunctionTable
    on_log     called with each Log as it is written
    written    how many characters of log lines the running program has written;  writer  see Log
    data_files what was read from the files of the data;  answers  what the data gave to the running program
    looked_up  the names that are being looked up in the data, each for the one before
    brought    values that the running call of `lookup` brings: before all data, and for what has none
    account    is told how names are looked up, while somebody asks for it: always, where causes are recorded
    used_permission  whether the running program did what a session must permit: it is not run again for a note
    companions programs that run beside the one that runs, by name; those that can rest wait for the next cell
    """

    state: State  # no property, for all that runs asks for it

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.dialect = settings.dialect
        self.data_files: MemoTable[tuple[str, str], tuple[Any, Any]] = MemoTable(
            "data files", owner="one for each data file of a session"
        )
        self.answers: dict[Any, Any] = {}
        self.looked_up: list[str] = []
        self.brought: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
        self.trace: LookupTrace | None = LookupTrace("") if settings.recorded else None
        self.companions: dict[str, Companion] = {}
        self.used_permission = False
        self.match: Any = None
        self.on_log: Callable[[Log], None] | None = None
        self.logs: list[Log] = []
        self.written = 0
        self.writer: tuple[str, str] | None = None
        self._near: dict[str, FindSimilar] = {}
        self.names = NameResolver(self)
        self.functions = FunctionTable(self)
        self.operators = self.operators_of(settings.dialect)
        self._supports: dict[str, dict[str, Any]] = {}
        self._templates: MemoTable[tuple[str, str | None, str], Any] = MemoTable("templates", _MOST_TEMPLATES)

    # --- dialects

    def operators_of(self, dialect: Dialect) -> Operators:
        """The operators of a dialect, acting on this runtime."""
        return Operators(dialect, self)

    def support(self, dialect: Dialect) -> dict[str, Any]:
        """The globals that code of a dialect starts from."""
        found = self._supports.get(dialect.name)
        if found is None:
            found = self._supports[dialect.name] = make_globals(self, dialect)
        return found

    @contextmanager
    def in_dialect(self, dialect: Dialect) -> Iterator[None]:
        """While it lasts, programs mean what they mean in another dialect."""
        before = self.dialect, self.operators
        self.dialect, self.operators = dialect, self.operators_of(dialect)
        try:
            yield
        finally:
            self.dialect, self.operators = before

    @property
    def transient_state(self) -> tuple[Any, ...]:
        """What changes while programs run, the state aside; assign it to undo what a stopped one left behind."""
        return self.dialect, self.operators, self.logs, self.on_log

    @transient_state.setter
    def transient_state(self, former: tuple[Any, ...]) -> None:
        self.dialect, self.operators, self.logs, self.on_log = former

    # --- state

    def enter(self, state: State) -> None:
        """From now on the program runs in this state."""
        self.state = state
        self.match = state.match
        self.functions.clear()
        self._templates.clear()
        self._near.clear()

    # --- messages

    def log(
        self, level: str, message: str, span: Span | None = None, near: FindSimilar | None = None
    ) -> None:
        """Writes a log line; blanks at its end are dropped."""
        line = Log(level, message.rstrip(), span, near, self.writer)
        self.written += len(line.message) + 1
        OUTPUT.check(self.written)
        self.logs.append(line)
        if self.on_log is not None:
            self.on_log(line)

    def warn(self, code: str, **arguments: Any) -> None:
        """Reports an issue whose severity the setting `strict` decides: nothing, a warning, or the error."""
        if self.settings.strict == "off" or (code == "NUMERIC_COERCION" and self.dialect.string_numbers):
            return
        found = error(code, **arguments)
        if self.settings.strict == "error":
            raise found
        place = next(iterate_running(), None)
        span = find_blamed_span(found, place) if place is not None else None
        near = self._find_near_variable(arguments["name"]) if code == "UNKNOWN_VARIABLE" else None
        self.log("warning", found.message, span, near)

    def unknown_variable(self, name: str) -> None:
        """Reading a variable that has no value: undef, with a warning or an error."""
        if self.settings.strict_variables:
            raise error("UNKNOWN_VARIABLE", name=name)
        self.warn("UNKNOWN_VARIABLE", name=name)

    def _find_near_variable(self, name: str) -> FindSimilar:
        """Finds the variable most like one that is not there; looked for once, however often it is read."""
        if name not in self._near:
            from evaluator.help.near_names import near_variable

            self._near[name] = cache(near_variable(name, list(iterate_running())[::-1], self))
        return self._near[name]

    def end_companions(self) -> None:
        """Ends the programs that ran beside one that has ended; more cells may come that need them again."""
        for name, companion in list(self.companions.items()):
            if not (self.settings.interactive and companion.rests()):
                del self.companions[name]
                companion.leave()

    # --- values

    def match_group(self, index: int) -> Any:
        """`$0`, `$1`, …: what the last match has found; undef when there is nothing."""
        found = self.match
        if found is None:
            return None
        try:
            return found[index]
        except IndexError:
            return None

    def lookup_data(self, scope: Scope, key: str) -> Any:
        """The Hiera value of a key, or MISSING."""
        settings = self.settings
        sources = settings.data, settings.hiera_config, settings.directory
        if sources == (None, None, None) and not settings.modulepath:
            return MISSING
        from evaluator.hiera import find

        return find(scope, key)

    def call_function(
        self, name: str, arguments: list[Any], block: Any = None, scope: Scope | None = None
    ) -> Any:
        """Calls a function by name; raises UNKNOWN_FUNCTION or what the function raises."""
        function = self.names.find_function(name)
        if function is None:
            raise error("UNKNOWN_FUNCTION", name=name)
        if isinstance(function, UserFunction):
            if block is not None:
                reject_block(function.declared, arguments)
            return self.functions[f"{name}/{len(arguments)}"](*arguments)
        return function.invoke(scope or self.state.top, arguments, block)

    def resource_parameters(self, reference: Any, names: list[Any]) -> Any:
        """`File['/a']['mode']`: the value, or the values of several names."""
        return catalog.read_resource_parameters(self, reference, names)

    def compile_epp(self, text: str, name: str | None = None) -> Any:
        """A template: a Body to run in a scope that holds its parameters, with `.parameters`."""
        key = text, name, self.dialect.name
        found = self._templates.get(key)
        if found is None:
            found = self._templates[key] = EppTemplate(self, text, name)
        return found
