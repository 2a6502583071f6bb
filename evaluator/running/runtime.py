"""The runtime of a session: what compiled code, functions and the catalog need to reach while a program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from evaluator.compiler.arguments import FunctionTable, refuse_block
from evaluator.compiler.support import support
from evaluator.issues import Failure, error
from evaluator.limits import OUTPUT, amounts
from evaluator.operators import Operators
from evaluator.program.scope import MISSING, Scope
from evaluator.program.state import State
from evaluator.running.loader import Loader
from evaluator.types import named, parse_type
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span

# Programs render the same few templates again and again.
_MOST_TEMPLATES = 100


class Log:
    """A log line: its level ("notice", "warning", "err", …), its text, and where it was written.

    suggestion  a name that is there and most like the one which the line misses, or None
    """

    __slots__ = ("level", "message", "span", "suggestion")

    def __init__(
        self, level: str, message: str, span: Span | None = None, suggestion: str | None = None
    ) -> None:
        self.level = level
        self.message = message
        self.span = span
        self.suggestion = suggestion

    def __repr__(self) -> str:
        return f"{self.level}: {self.message}"


# A name that the released Puppet knows, but as a type that stands for nothing.
_UNRESOLVED = {"typereference": "UnresolvedReference"}


class Runtime:
    """One per session. `state` is exchanged for each cell; everything else stays.

    dialect, node, facts, modulepath, strict, strict_variables, interactive: the session's settings
    match      the regular expression match behind $0, $1, …
    functions  "name/count" -> Python function, see FunctionTable
    on_log     called with each Log as it is written
    written    how many characters of log lines the running program has written
    data_files what was read from the files of the data;  answers  what the data gave to the running program
    looked_up  the names that are being looked up in the data, each for the one before
    used_permission  whether the running program did what a session must permit: it is not run again for a note
    companions programs that run beside the one that runs, by name; they end with it
    """

    environment = "production"

    def __init__(
        self,
        dialect: Dialect,
        *,
        node: str,
        facts: Mapping[str, Any],
        modulepath: tuple[str, ...] = (),
        data: Mapping[str, Any] | None = None,
        hiera_config: str | None = None,
        strict: str = "warning",
        strict_variables: bool = False,
        interactive: bool = False,
        permissions: tuple[str, ...] = (),
        limits: Mapping[str, float] | None = None,
    ) -> None:
        self.dialect = dialect
        self.node = node
        self.facts = dict(facts)
        self.modulepath = modulepath
        self.data = data
        self.hiera_config = hiera_config
        self.data_files: dict[tuple[str, str], tuple[Any, Any]] = {}
        self.answers: dict[Any, Any] = {}
        self.looked_up: list[str] = []
        self.companions: dict[str, Any] = {}
        self.used_permission = False
        self.strict = strict
        self.strict_variables = strict_variables
        self.interactive = interactive
        self.permissions = permissions
        self.limits = amounts() if limits is None else limits
        self.match: Any = None
        self.on_log: Callable[[Log], None] | None = None
        self.logs: list[Log] = []
        self.written = 0
        self._near: dict[str, str | None] = {}
        self.functions = FunctionTable(self)
        self.operators = self.operators_of(dialect)
        self.loader = Loader(self)
        self._supports: dict[str, dict[str, Any]] = {}
        self._templates: dict[tuple[str, str | None, str], Any] = {}
        self._state: State | None = None

    # --- dialects

    def operators_of(self, dialect: Dialect) -> Operators:
        """The operators of a dialect, acting on this runtime."""
        return Operators(dialect, self)

    def support(self, dialect: Dialect) -> dict[str, Any]:
        """The globals that code of a dialect starts from."""
        found = self._supports.get(dialect.name)
        if found is None:
            found = self._supports[dialect.name] = support(self, dialect)
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
    def manner(self) -> tuple[Any, ...]:
        """What changes while programs run, the state aside; assign it to undo what a stopped one left behind."""
        return self.dialect, self.operators, self.logs, self.on_log

    @manner.setter
    def manner(self, former: tuple[Any, ...]) -> None:
        self.dialect, self.operators, self.logs, self.on_log = former

    # --- state

    @property
    def state(self) -> State:
        """The state in which the program runs."""
        assert self._state is not None, "the runtime has not been started"
        return self._state

    @state.setter
    def state(self, state: State) -> None:
        self._state = state
        self.match = state.match
        self.functions.clear()
        self._near.clear()

    # --- messages

    def log(self, level: str, message: str, span: Span | None = None, suggestion: str | None = None) -> None:
        """Writes a log line; blanks at its end are dropped."""
        line = Log(level, message.rstrip(), span, suggestion)
        self.written += len(line.message) + 1
        OUTPUT.check(self.written)
        self.logs.append(line)
        if self.on_log is not None:
            self.on_log(line)

    def warn(self, code: str, **arguments: Any) -> None:
        """Reports an issue whose severity the setting `strict` decides: nothing, a warning, or the error."""
        if self.strict == "off" or (code == "NUMERIC_COERCION" and self.dialect.string_numbers):
            return
        found = error(code, **arguments)
        if self.strict == "error":
            raise found
        from evaluator.program.tracing import blamed, running

        place = next(running(), None)
        span = blamed(found, place) if place is not None else None
        near = self._near_variable(arguments["name"]) if code == "UNKNOWN_VARIABLE" else None
        self.log("warning", found.message, span, near)

    def unknown_variable(self, name: str) -> None:
        """Reading a variable that has no value: undef, with a warning or an error."""
        if self.strict_variables:
            raise error("UNKNOWN_VARIABLE", name=name)
        self.warn("UNKNOWN_VARIABLE", name=name)

    def _near_variable(self, name: str) -> str | None:
        """The variable most like one that is not there; looked for once, however often it is read."""
        if name not in self._near:
            from evaluator.help.names import near_variable
            from evaluator.program.tracing import running

            self._near[name] = near_variable(name, list(running())[::-1], self)
        return self._near[name]

    def end_companions(self) -> None:
        """Ends the programs that ran beside one that has ended."""
        while self.companions:
            self.companions.popitem()[1].end()

    # --- variables

    def lookup_variable(self, scope: Scope, name: str) -> Any:
        """The value of a variable by any name: `x`, `::x`, `a::b::x`; MISSING when there is none."""
        if name.startswith("::"):
            name = name[2:]
            if "::" not in name:
                return self.state.top.find(name)
        if "::" not in name:
            return scope.find(name)
        owner, _, plain = name.rpartition("::")
        found = self.state.classes.get(owner)
        if found is None:
            return MISSING
        value = found.variables.get(plain, MISSING)
        while value is MISSING and found.parent is not None and found.parent.kind == "class":
            found = found.parent
            value = found.variables.get(plain, MISSING)
        return value

    def match_group(self, index: int) -> Any:
        """`$0`, `$1`, …: what the last match has found; undef when there is nothing."""
        found = self.match
        if found is None:
            return None
        try:
            return found[index]
        except IndexError:
            return None

    def named_variable(self, scope: Scope, name: str) -> Any:
        """The value of a variable that data or a Deferred names; undef, with a warning or an error, if it has none."""
        if name.isdigit():
            return self.match_group(int(name))
        value = self.lookup_variable(scope, name)
        if value is not MISSING:
            return value
        if self.strict != "off":
            from evaluator.program.deprecations import log_once

            undefined = self._undefined(name)
            if self.strict == "error":
                raise undefined
            log_once(self, str(undefined))
        return None

    def _undefined(self, name: str) -> Failure:
        """What is said of a variable that data or a Deferred names and that has no value."""
        owner, _, plain = name.removeprefix("::").rpartition("::")
        reason = ""
        if not owner:
            name = plain
        elif owner in self.state.classes:
            name = f"::{owner}::{plain}"
        else:
            why = "could not be found" if self.find_class(owner) is None else "has not been evaluated"
            name, reason = f"{owner}::{plain}", f"class {owner} {why}"
        return Failure("UNDEFINED_VARIABLE", name=name, reason=reason)

    def lookup_data(self, scope: Scope, key: str) -> Any:
        """The Hiera value of a key, or MISSING."""
        if self.data is None and self.hiera_config is None and not self.modulepath:
            return MISSING
        from evaluator.hiera import find

        return find(scope, key)

    # --- definitions

    def find_class(self, name: str) -> Any:
        """The Definition of a class, loaded from the module path when need be; None when there is none."""
        return self._find("classes", name)

    def find_define(self, name: str) -> Any:
        """The Definition of a define, or None."""
        return self._find("defines", name)

    def find_function(self, name: str) -> Any:
        """The UserFunction or built-in Function of that name, the program's own first; None when there is none."""
        from evaluator.calling import registry

        name = registry.plain_name(name)
        own = self.state.definitions.functions.get(name)
        if own is not None:
            return own
        found = registry.lookup(name)
        if found is not None and self.offers(found, self.dialect):
            return found
        return self._find("functions", name)

    def offers(self, function: Any, dialect: Dialect) -> bool:
        """True when a built-in function exists for code of a dialect: by itself, or by stdlib on the module path."""
        if function.available(dialect):
            return True
        return bool(function.origin == "stdlib" and self.loader.has_module("stdlib"))

    def _find(self, kind: str, name: str) -> Any:
        table = getattr(self.state.definitions, kind)
        found = table.get(name)
        if found is None and self.modulepath and self.loader.load(kind, name):
            found = table.get(name)
        return found

    def unknown_function(self, name: str) -> PuppetError:
        """The error for a call of a function that does not exist."""
        return error("UNKNOWN_FUNCTION", name=name)

    def call_function(
        self, name: str, arguments: list[Any], block: Any = None, scope: Scope | None = None
    ) -> Any:
        """Calls a function by name; raises UNKNOWN_FUNCTION or what the function raises."""
        function = self.find_function(name)
        if function is None:
            raise self.unknown_function(name)
        if hasattr(function, "facts"):
            if block is not None:
                refuse_block(function.facts, arguments)
            return self.functions[f"{name}/{len(arguments)}"](*arguments)
        return function.invoke(scope or self.state.top, arguments, block)

    def type_named(self, name: str) -> Any:
        """The Type of that name: built in, an alias, a resource type or a define.

        Raises UNKNOWN_RESOURCE_TYPE.
        """
        found = named(name, self.dialect)
        if found is not None:
            return found
        lowered = name.lower().removeprefix("::")
        alias = self._find("types", lowered)
        if alias is not None:
            return alias.resolve(self).entity()
        return self._resource_type(name, lowered)

    def _resource_type(self, name: str, lowered: str) -> Any:
        from evaluator import resource_types
        from evaluator.types import ResourceType

        known = lowered in resource_types.RESERVED or resource_types.known(lowered, self.modulepath)
        if known or self.find_define(lowered):
            return ResourceType(lowered)
        if self.dialect.extensions and lowered not in _UNRESOLVED:
            return ResourceType(lowered)
        raise error("UNKNOWN_RESOURCE_TYPE", name=_UNRESOLVED.get(lowered, name))

    def type_or_reference(self, name: str) -> Any:
        """The Type of that name, or a TypeReference to what is not known."""
        from evaluator.types import TypeReference

        try:
            return self.type_named(name)
        except PuppetError as problem:
            if problem.code != "UNKNOWN_RESOURCE_TYPE":
                raise
            return TypeReference(problem.message.rpartition(": ")[2])

    def parse_type(self, text: str) -> Any:
        """A Type from its source text, with this session's names."""
        return parse_type(text, self.dialect, self.type_named)

    def resource_parameters(self, reference: Any, names: list[Any]) -> Any:
        """`File['/a']['mode']`: the value, or the values of several names."""
        from evaluator.catalog import resource_parameters

        return resource_parameters(self, reference, names)

    def compile_epp(self, text: str, name: str | None = None) -> Any:
        """A template: a Body to run in a scope that holds its parameters, with `.parameters`."""
        from evaluator.compiler.templates import Template

        key = text, name, self.dialect.name
        found = self._templates.get(key)
        if found is None:
            if len(self._templates) >= _MOST_TEMPLATES:
                self._templates.clear()
            found = self._templates[key] = Template(self, text, name)
        return found
