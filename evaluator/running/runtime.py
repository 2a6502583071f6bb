"""The running program: what compiled code, functions and the catalog reach at run time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from evaluator.compiler.definitions import EppTemplate
from evaluator.compiler.functions import UserFunction
from evaluator.compiler.runtime_checks import FunctionTable, reject_block
from evaluator.compiler.support import make_globals
from evaluator.issues import make_error, refuse_if
from evaluator.limits import OUTPUT
from evaluator.operators import Operators
from evaluator.program.definitions import Scope
from evaluator.program.environment import Environment, get_environment
from evaluator.program.log import MOST_REPORTED, FindSimilar, Log
from evaluator.program.lookup_trace import LookupTrace
from evaluator.program.settings import Settings
from evaluator.program.state import LoadedFile, State
from evaluator.program.tracing import find_blamed_span, iterate_running
from evaluator.resource_types import METAPARAMETERS
from evaluator.running.names import NameResolver
from evaluator.values import Value
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.issues import load_rows
from lexer_parser.memo import MemoTable
from lexer_parser.source import Span

if TYPE_CHECKING:
    from evaluator.compiler.compiled_source import CompiledSource, Globals
    from evaluator.program.definitions import LambdaBlock
    from evaluator.ruby.companion import RubyCompanion

_MOST_TEMPLATES = 100  # compiled templates: programs render the same few templates again and again
# The codes of the warnings of the lexer.
_LEXICAL = ("UNRECOGNIZED_ESCAPE", "ILLEGAL_UNICODE_ESCAPE")


class Runtime:
    """The running program of a session.

    `enter` sets the state for each cell and for its fixed point; everything else stays.

    Attributes:
        settings: The settings of the session.
        names: The meaning of names.
        dialect: The dialect of the code that is running.
        match: The regular expression match behind $0, $1, ….
        functions: Python functions by "name/count"; see FunctionTable.
        logs: The log lines that the running program has written.
        on_log: Called with each Log as it is written.
        written: The number of characters of log lines that the running program has written.
        writer: The resource whose body is writing log lines; see Log.
        files: Files of modules that a former state has loaded, from which this state takes them.
        data_files: Contents of data files.
        answers: Results of look-ups in data.
        looked_up: Names that are being looked up in data; each look-up was caused by the previous one.
        lookup_values: Values that the running call of `lookup` supplies, as overrides of all data and as defaults.
        trace: Records how names are looked up, if that was requested; always if causes are recorded.
        used_permission: True if the program used a permission; it is then not run a second time for a note.
        companions: Other programs that run during this one, by name.
    """

    state: State  # an attribute, not a property, because it is read constantly

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        # The environment, and the settings from which it follows.
        self._environment, self._environment_settings = get_environment(settings), settings
        self.dialect = settings.dialect
        self.data_files: MemoTable[tuple[str, str], tuple[Any, Any]] = MemoTable(
            "data files", unbounded_because="one for each data file of a session"
        )
        self.answers: dict[Any, Any] = {}
        self.looked_up: list[str] = []
        self.lookup_values: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
        self.trace: LookupTrace | None = LookupTrace("") if settings.recorded else None
        self.companions: dict[str, RubyCompanion] = {}
        self.used_permission = False
        self.files: dict[str, LoadedFile] = {}
        self.match: Any = None
        self.on_log: Callable[[Log], None] | None = None
        self.logs: list[Log] = []
        self.written = 0
        self.writer: tuple[str, str] | None = None
        # For each unknown variable the function that finds a similar one.
        self._near: dict[str, FindSimilar] = {}
        self.names: NameResolver = NameResolver(self)
        self.functions = FunctionTable(self)
        self.operators = self.make_operators(settings.dialect)
        self._globals: dict[str, dict[str, Any]] = {}
        self._templates: MemoTable[tuple[str, str | None, str], Any] = MemoTable("templates", _MOST_TEMPLATES)

    @property
    def environment(self) -> Environment:
        """The part of the program that depends only on modules, permissions and dialect."""
        if self._environment_settings is not self.settings:
            self._environment, self._environment_settings = get_environment(self.settings), self.settings
        return self._environment

    # --- dialects

    def make_operators(self, dialect: Dialect) -> Operators:
        """Return the operators of a dialect, acting on this runtime."""
        return Operators(dialect, self)

    def get_globals(self, dialect: Dialect) -> Globals:
        """Return the globals for code of a dialect."""
        names = self._globals.get(dialect.name)
        if names is None:
            names = self._globals[dialect.name] = make_globals(self, dialect)
        return names

    @contextmanager
    def in_dialect(self, dialect: Dialect) -> Iterator[None]:
        """Run the code of the context in another dialect."""
        before = self.dialect, self.operators
        self.dialect, self.operators = dialect, self.make_operators(dialect)
        try:
            yield
        finally:
            self.dialect, self.operators = before

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run a program in a `with` statement, and restore what it changes besides the state.

        The companions end, too. This also happens if the program is interrupted.
        """
        former = self.dialect, self.operators, self.logs, self.on_log, self.settings
        try:
            yield
        finally:
            self.dialect, self.operators, self.logs, self.on_log, self.settings = former
            while self.companions:
                self.companions.popitem()[1].release()

    # --- state

    def enter(self, state: State) -> None:
        """Run in a state from now on."""
        self.state = state
        self.match = state.match
        self.functions.clear()
        self._templates.clear()
        self._near.clear()

    # --- messages

    def log(
        self, level: str, message: str, span: Span | None = None, near: FindSimilar | None = None
    ) -> None:
        """Write a log line without the spaces at its end.

        Args:
            near: Finds the existing name that is most similar to the unknown one in the message.
        """
        self.write(Log(level, message.rstrip(), span, near, self.writer))

    def write(self, line: Log) -> None:
        """Write a log line."""
        self.written += len(line.message) + 1
        OUTPUT.check(self.written)
        self.logs.append(line)
        if self.on_log is not None:
            self.on_log(line)

    @contextmanager
    def hold_log(self) -> Iterator[list[Log]]:
        """Collect log lines in a list for the duration of a `with` statement, and write none.

        They count as written, and have a writer, only inside.
        """
        former = self.logs, self.on_log, self.written, self.writer
        self.logs, self.on_log = [], None
        try:
            yield self.logs
        finally:
            self.logs, self.on_log, self.written, self.writer = former

    def load_source(self, load: Callable[[], CompiledSource]) -> CompiledSource:
        """Return a source, and log what is only worth a warning in it, also before its error."""
        try:
            source = load()
        except PuppetError as problem:
            self._log_warnings(problem.warnings)
            raise
        self._log_warnings(source.tree.warnings)
        return source

    def _log_warnings(self, warnings: Iterable[PuppetError]) -> None:
        """Log all warnings of the lexer about a source, and the first others of each severity."""
        counts: Counter[str] = Counter()
        for warning in warnings:
            severity = load_rows()[warning.code].severity
            if warning.code not in _LEXICAL:
                counts[severity] += 1
            if warning.code in _LEXICAL or counts[severity] <= MOST_REPORTED:
                self.log("warning", warning.message, warning.span)

    def warn(self, code: str, **arguments: Value) -> None:
        """Report an issue with the severity of the setting `strict`: nothing, a warning, an error."""
        if self.settings.strict == "off" or (code == "NUMERIC_COERCION" and self.dialect.string_numbers):
            return
        problem = make_error(code, **arguments)
        if self.settings.strict == "error":
            raise problem
        place = next(iterate_running(), None)
        span = find_blamed_span(problem, place) if place is not None else None
        near = self._find_near_variable(arguments["name"]) if code == "UNKNOWN_VARIABLE" else None
        self.log("warning", problem.message, span, near)

    def unknown_variable(self, name: str) -> None:
        """Report the read of a variable without value, by a warning or an error.

        By the specification metaparameters exist as variables, also where they have no value.
        """
        if self.dialect.metaparameter_variables and name in METAPARAMETERS:
            return
        refuse_if(self.settings.strict_variables, "UNKNOWN_VARIABLE", name=name)
        self.warn("UNKNOWN_VARIABLE", name=name)

    def _find_near_variable(self, name: str) -> FindSimilar:
        """Return the function that finds the variable with the most similar name."""
        if name not in self._near:
            from evaluator.help.near_names import make_variable_finder

            self._near[name] = make_variable_finder(name, list(iterate_running())[::-1], self)
        return self._near[name]

    # --- values

    def match_group(self, index: int) -> Value:
        """Return `$0`, `$1`, … of the last match; None without one."""
        if self.match is None:
            return None
        try:
            return self.match[index]
        except IndexError:
            return None

    def lookup_data(self, scope: Scope, owner: str, names: list[str]) -> dict[str, Value]:
        """Return the Hiera values of parameters of a class, of those that have one."""
        settings = self.settings
        sources = settings.data, settings.hiera_config, settings.directory
        if sources == (None, None, None) and not settings.modulepath:
            return {}
        from evaluator.hiera import find_parameters

        return find_parameters(scope, owner, names)

    def call_function(
        self, name: str, arguments: list[Value], block: LambdaBlock | None = None, scope: Scope | None = None
    ) -> Value:
        """Call a function by name. Raises UNKNOWN_FUNCTION and the errors of the function."""
        function = self.names.find_function(name)
        if function is None:
            raise make_error("UNKNOWN_FUNCTION", name=name)
        if isinstance(function, UserFunction):
            if block is not None:
                reject_block(function.declaration, arguments)
            return self.functions[f"{name}/{len(arguments)}"](*arguments)
        return function.invoke(scope or self.state.top, arguments, block)

    def compile_epp(self, text: str, name: str | None = None) -> EppTemplate:
        """Return the compiled template of a text, cached."""
        key = text, name, self.dialect.name
        template = self._templates.get(key)
        if template is None:
            template = self._templates[key] = EppTemplate(self, text, name)
        else:
            self._log_warnings(template.warnings)
        return template
