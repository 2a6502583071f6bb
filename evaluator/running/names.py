"""The meaning of names in a running program: variables, classes, functions, types."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from evaluator import resource_types, types
from evaluator.calling import registry
from evaluator.issues import Failure, NotEvaluatedYet, make_error
from evaluator.program import modules
from evaluator.program.definitions import MISSING, Definition, Scope
from evaluator.program.environment import mark_trace_unshareable, trace_alias
from evaluator.program.log import log_once
from evaluator.program.state import CLASS_VARIABLES
from evaluator.running.loader import ModuleLoader, RubyFunctions
from evaluator.running.registration import share_alias
from evaluator.types import ResourceType, TypeReference, find_builtin_type, parse_type
from evaluator.values import Value
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.compiler.functions import UserFunction
    from evaluator.running.runtime import Runtime

_Definition = TypeVar("_Definition")

# Type names in lower case that never have a meaning, with the name in the error that reports them.
_UNRESOLVED = {"typereference": "UnresolvedReference"}
# Names that the specification reserves for types of other platforms: they are no resource types.
PLATFORMS = frozenset({"jvm", "c", "go"})


class NameResolver:
    """The names of a running program: its own first, then built-in ones, then the module path.

    Attributes:
        loader: Reads the files of the module path.
        ruby_functions: The functions that modules have in Ruby.
    """

    def __init__(self, program: Runtime) -> None:
        self._program = program
        self.ruby_functions: RubyFunctions = RubyFunctions(program)
        # A cache: Puppet's own resource types, by the names that code uses for them.
        self._natives: dict[str, Any] = {}
        self.loader = ModuleLoader(program)

    # --- variables

    def find_variable(self, scope: Scope, name: str) -> Value:
        """Return a variable by any name: `x`, `::x`, `a::b::x`, `1`; MISSING if it does not exist.

        Specification: Types, Values, and Variables, "Variable Reference".
        """
        if name.isdigit():
            return self._program.match_group(int(name))
        owner, colons, plain = name.removeprefix("::").rpartition("::")
        state = self._program.state
        if not colons:
            return (state.top if name.startswith("::") else scope).find(plain)
        scope_of_class = state.classes.get(owner.lower())
        if scope_of_class is None:
            return MISSING
        value = scope_of_class.variables.get(plain, MISSING)
        if value is MISSING:
            value = scope_of_class.get_unset(plain)
        parent = scope_of_class.parent
        while value is MISSING and parent is not None and parent.kind == "class":
            value = parent.variables.get(plain, MISSING)
            parent = parent.parent
        if state.missed is not None and state.missed.body is not None:
            state.missed.body.found[CLASS_VARIABLES, name.removeprefix("::")] = value
        return value

    def find_set_variable(self, scope: Scope, name: str) -> Value:
        """Return a variable like `find_variable`; MISSING for a parameter without a value so far."""
        try:
            return self.find_variable(scope, name)
        except NotEvaluatedYet:
            # Not `scope.find`: that of a DefaultsScope raises again.
            return MISSING if "::" in name else Scope.find(scope, name)

    def read_named_variable(self, scope: Scope, name: str) -> Value:
        """Return the value of a variable that data or a Deferred names.

        A variable without a value is undef, with a warning or an error as the setting `strict` says.
        """
        program = self._program
        value = self.find_variable(scope, name)
        if value is not MISSING:
            return value
        strict = program.settings.strict
        if strict != "off":
            undefined = self._make_undefined_failure(name)
            if strict == "error":
                raise undefined
            log_once(program, str(undefined))
        return None

    def _make_undefined_failure(self, name: str) -> Failure:
        """Return the failure for a variable without value that data or a Deferred names."""
        owner, _, plain = name.removeprefix("::").rpartition("::")
        reason = ""
        if owner.lower() in self._program.state.classes:
            name = f"::{owner}::{plain}"
        elif owner:
            why = "could not be found" if self.find_class(owner) is None else "has not been evaluated"
            name, reason = f"{owner}::{plain}", f"class {owner} {why}"
        return Failure("UNDEFINED_VARIABLE", name=name, reason=reason)

    # --- classes, defines and functions

    def find_class(self, name: str) -> Definition | None:
        """Return the definition of a class, loaded on demand; None if missing."""
        return self._find_definition("classes", self._program.state.definitions.classes, name)

    def find_define(self, name: str) -> Definition | None:
        """Return the definition of a define, loaded on demand; None if missing."""
        return self._find_definition("defines", self._program.state.definitions.defines, name)

    def find_function(self, name: str) -> registry.BuiltinFunction | UserFunction | None:
        """Return the user function or built-in function of a name; None if missing."""
        name = registry.to_plain_name(name)
        functions = self._program.state.definitions.functions
        own = functions.get(name)
        if own is not None:
            return own
        builtin = registry.find_function(name)
        if builtin is not None and self.offers(builtin, self._program.dialect):
            return builtin
        return self._find_definition("functions", functions, name) or self.ruby_functions.find_function(name)

    def is_pure(self, name: str) -> bool:
        """Return True for a built-in function that only computes a value from its arguments."""
        name = registry.to_plain_name(name)
        if name in self._program.state.definitions.functions:
            return False
        builtin = registry.find_function(name)
        return builtin is not None and not any(overload.context for overload in builtin.overloads)

    def offers(self, function: registry.BuiltinFunction, dialect: Dialect) -> bool:
        """Return True when code of a dialect can call a built-in function.

        Code of the released Puppet can call a function of stdlib if the version on the module path has it. Where Ruby
        may run, the module's own function is called instead.
        """
        if function.origin != "stdlib":
            return function.is_available(dialect)
        if self.ruby_functions.has_function(function.name):
            return False
        modulepath = self._program.settings.modulepath
        installed = modules.list_functions(modulepath, "stdlib") if modulepath else None
        if dialect.is_released and installed is not None:
            # If the installed version has the function in Puppet, that runs: messages name places in its file.
            is_in_puppet = (
                "::" in function.name and self.loader.find_path("functions", function.name) is not None
            )
            return function.name in installed and not is_in_puppet
        return function.is_available(dialect) or self.loader.has_module("stdlib")

    def _find_definition(self, kind: str, table: Mapping[str, _Definition], name: str) -> _Definition | None:
        """Return a definition, loaded from the module path on demand; None if it does not exist.

        Args:
            kind: The name of the table in `Definitions`, for the loader, which adds to the table.
        """
        definition = table.get(name)
        if definition is None and self._program.settings.modulepath and self.loader.load(kind, name):
            definition = table.get(name)
        return definition

    # --- types

    def find_type(self, dialect: Dialect, name: str) -> Value:
        """Return the type of a name: built in, an alias, a resource type or a define.

        Args:
            dialect: The dialect of the code that uses the name, which need not be the session's.
            name: The name as written.

        Raises:
            PuppetError: UNKNOWN_RESOURCE_TYPE.
        """
        native = self._natives.get(name)
        if native is not None and native.type_name not in self._program.state.definitions.types:
            return native
        builtin = find_builtin_type(name, dialect)
        if builtin is not None:
            return builtin
        lowered = name.lower().removeprefix("::")
        alias = self._find_definition("types", self._program.state.definitions.types, lowered)
        if alias is not None:
            resolved = alias.resolve(self._program)
            entity = resolved.to_entity()
            trace_alias(lowered, resolved)
            if not alias.is_shared and alias.is_shareable():
                share_alias(self._program.environment, lowered, self._program.state.definitions.types)
            return entity
        other = self._find_member_type(lowered) or self._make_resource_type(name, lowered, dialect)
        if lowered in resource_types.list_reserved_names():
            self._natives[name] = other
        else:
            mark_trace_unshareable()
        return other

    def find_alias(self, name: str) -> Value:
        """Return the type of the alias of a name in lower case, loaded on demand; None if missing."""
        alias = self._find_definition("types", self._program.state.definitions.types, name)
        return None if alias is None else alias.resolve(self._program)

    def _find_member_type(self, name: str) -> Value:
        """Return the type `Set::Member` that a TypeSet declares; None if there is none.

        The set must have been evaluated before, or come from a module.
        """
        owner, _, member = name.rpartition("::")
        declared = (
            self._find_definition("types", self._program.state.definitions.types, owner) if owner else None
        )
        if declared is None or not (
            declared.is_evaluated or declared.span.source.name in self._program.state.definitions.loaded
        ):
            return None
        owner_type = declared.resolve(self._program).resolved
        return owner_type.find_member(member) if isinstance(owner_type, types.TypeSetType) else None

    def is_resource_type(self, name: str) -> bool:
        """Return True for the name of a resource type or define, in lower case.

        A define is loaded on demand.
        """
        modulepath = self._program.settings.modulepath
        is_type = name in resource_types.list_reserved_names() or modules.is_resource_type(name, modulepath)
        return is_type or self.find_define(name) is not None

    def _make_resource_type(self, name: str, lowered: str, dialect: Dialect) -> ResourceType:
        if self.is_resource_type(lowered):
            return ResourceType(lowered)
        if dialect.unknown_types and lowered not in _UNRESOLVED and lowered not in PLATFORMS:
            return ResourceType(lowered)
        raise make_error("UNKNOWN_RESOURCE_TYPE", name=_UNRESOLVED.get(lowered, name))

    def find_type_or_reference(self, dialect: Dialect, name: str) -> Value:
        """Return the type of a name, as `find_type`, or a TypeReference to an unknown one."""
        try:
            return self.find_type(dialect, name)
        except PuppetError as problem:
            if problem.code != "UNKNOWN_RESOURCE_TYPE":
                raise
            mark_trace_unshareable()  # the name may exist in another program
            return TypeReference(problem.arguments["name"])

    def parse_type(self, text: str) -> Value:
        """Return the type that a source text denotes, with the names of this program."""
        dialect = self._program.dialect
        return parse_type(text, dialect, partial(self.find_type, dialect))

    def parse_type_or_reference(self, text: str) -> Value:
        """Return the type that a source text denotes, with a TypeReference for each unknown name."""
        dialect = self._program.dialect
        return parse_type(text, dialect, partial(self.find_type_or_reference, dialect))
