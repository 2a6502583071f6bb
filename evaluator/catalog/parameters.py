"""Parameters of classes and defines: from arguments, data and defaults to variables.

Specification: Catalog Expressions, "Parameter List".
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import Any

from evaluator import resource_types, types
from evaluator.catalog.attributes import to_parameter_value
from evaluator.catalog.errors import format_place, make_catalog_error
from evaluator.catalog.model import CatalogResource
from evaluator.catalog.provenance import record_parameters
from evaluator.catalog.references import read_attribute_value
from evaluator.issues import Failure, NotEvaluatedYet
from evaluator.program.definitions import (
    MISSING,
    RESERVED_NAMES,
    BreakIteration,
    Definition,
    DefinitionParameter,
    Scope,
)
from evaluator.program.log import log_deprecation
from evaluator.program.modules import RUBY_FOLDERS, find_ruby_functions
from evaluator.types import ANY, Type, get_predicate
from evaluator.values import PuppetObject, Value, is_deferred
from evaluator.values.dag import PLAIN
from evaluator.values.ruby_values import inspect
from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize
from lexer_parser.tree import nodes

# --- Deferred values -----------------------------------------------------------------------------------------


def check_deferred(name: str, declared: Type, value: Value, scope: Scope) -> list[types.Mismatch]:
    """Return the mismatches between the return type of a Deferred's function and a parameter.

    For functions that declare no return type a warning is logged.

    Raises:
        Failure: For an unknown function, and for one that does not accept the arguments.
    """
    function_name = value.attributes["name"]
    function: Any = scope.runtime.names.find_function(function_name)
    if function is None:
        if _is_ruby_function(scope, function_name):
            return []
        raise Failure("UNKNOWN_DEFERRED_FUNCTION", name=function_name)
    arguments = value.attributes.get("arguments")
    if arguments is None or not function.accepts(scope, arguments):
        shown = "" if arguments is None else inspect(arguments)
        raise Failure("DEFERRED_ARGUMENTS", name=function_name, arguments=shown)
    declared_return = function.returns
    if declared_return is None:
        log_deprecation(
            scope.runtime,
            f"Deferred function {function_name} has no return_type, unable to guarantee value type during compilation.",
        )
        return []
    if declared.assignable(declared_return):
        return []
    return types.find_mismatches(declared.normalize(), declared_return.normalize(), (f"parameter '{name}'",))


def _is_ruby_function(scope: Scope, name: str) -> bool:
    """Return True when a module has the function in Ruby: an agent with the module can run it."""
    modulepath = scope.runtime.settings.modulepath
    return any(
        name.removeprefix("::") in find_ruby_functions(modulepath, folder) for folder in RUBY_FOLDERS.values()
    )


# --- binding -------------------------------------------------------------------------------------------------


Parameters = tuple[DefinitionParameter, ...]
ParameterProblem = tuple[str, "types.Mismatch"]  # a parameter's name, and its problem


class DefaultsScope(Scope):
    """The scope of parameter defaults: reading a parameter without value is an error.

    Attributes:
        subject: The name of the resource in failures.
        names: Names of all parameters, in order.
        undefined: Parameters that were passed undef and keep that value until their default is computed.
        evaluating: The parameter whose default is being evaluated.
    """

    evaluating: str = ""
    names: tuple[str, ...] = ()
    subject: str = ""
    undefined: frozenset[str] = frozenset()

    def find(self, name: str) -> Value:
        """Return the value of a variable as `Scope.find`; raise for a parameter without value."""
        value = MISSING if name in self.variables else self.get_unset(name)
        return super().find(name) if value is MISSING else value

    def get_unset(self, name: str) -> Value:
        """Return the value of a variable that is not set; raise for a parameter without value."""
        if name in self.undefined:
            return None
        if name in self.names:
            is_earlier = self.names.index(name) < self.names.index(self.evaluating)
            code = "PARAMETER_VALUE_MISSING" if is_earlier else "PARAMETER_ORDER"
            raise NotEvaluatedYet(code, resource=self.subject, name=self.evaluating, other=name)
        return MISSING


_MODULE_VARIABLES = ("module_name", "caller_module_name")  # which every body has
# The names that parameters must not have, each with the code of its issue.
_REFUSED = {
    **dict.fromkeys(RESERVED_NAMES, "RESERVED_PARAMETER_NAME"),
    **dict.fromkeys(_MODULE_VARIABLES, "BUILT_IN_PARAMETER_NAME"),
}


def _make_lookup_scope(scope: Scope) -> Scope:
    """Return the scope whose variables data can interpolate for parameters of a class.

    It has the names of modules, but not yet the title.
    """
    twin = scope.copy_empty()
    twin.variables = {name: scope.variables[name] for name in _MODULE_VARIABLES}
    return twin


def bind_parameters(
    definition: Definition, resource: CatalogResource, scope: Scope, *, is_class: bool
) -> None:
    """Set the parameters of a body as variables, and computed ones as attributes.

    An argument takes precedence unless it is undef; then data (classes only), then the default expression.

    Args:
        is_class: True for a class, whose missing arguments are looked up in the data.

    Raises:
        Failure: Names are unknown, or values are missing or have the wrong type; the message lists all of them.
    """
    parameters = definition.parameters
    arguments = resource.parameters
    variables, dialect = scope.variables, scope.runtime.dialect
    passed = dict(arguments) if scope.runtime.settings.recorded else None
    accepted = _list_accepted_names(definition.site.node)
    unknown = [] if accepted.issuperset(arguments) else find_unknown_names(arguments, accepted)
    looked_up = _look_up_arguments(definition, resource, scope) if is_class else ()
    has_refused_name = not accepted.isdisjoint(_REFUSED)
    if has_refused_name:  # the error about the name comes last; until then the parameter has its own value
        for name in accepted.intersection(_MODULE_VARIABLES):
            del variables[name]
    missing: list[DefinitionParameter] = []
    for parameter in parameters:
        name = parameter.name
        value = arguments.get(name)
        if value is not None:
            variables[name] = value if type(value) in PLAIN else read_attribute_value(dialect, value)
        elif parameter.default is not None:
            missing.append(parameter)
        elif name in arguments or name in looked_up:
            variables[name] = None
    if is_class:  # the class's variables become readable here; during the look-up they were not
        scope.runtime.state.classes[scope.name] = scope
    if missing:
        _bind_defaults(definition, resource, scope, missing, unknown, is_class)
    if passed is not None:
        record_parameters(definition, resource, passed, scope, is_class=is_class)
    problems = [*unknown, *check_values(parameters, scope)]
    if problems:
        raise make_parameter_failure(resource.reference, problems)
    if has_refused_name:
        refused = next(parameter.name for parameter in parameters if parameter.name in _REFUSED)
        raise make_catalog_error(_REFUSED[refused], definition.site.span(), name=refused)


def _look_up_arguments(definition: Definition, resource: CatalogResource, scope: Scope) -> Collection[str]:
    """Set the missing arguments of a class that the data has, and return their names.

    The names include arguments that are undef in the data, which are not set.
    """
    arguments = resource.parameters
    missing = [each.name for each in definition.parameters if arguments.get(each.name) is None]
    if not missing:
        return ()
    values = scope.runtime.lookup_data(_make_lookup_scope(scope), definition.name, missing)
    for name, value in values.items():
        if value is not None:
            _clear_place(resource, name)
            arguments[name] = value
    return values


def _bind_defaults(
    definition: Definition,
    resource: CatalogResource,
    scope: Scope,
    missing: list[DefinitionParameter],
    unknown: list[ParameterProblem],
    is_class: bool,
) -> None:
    """Set parameters without value to their defaults, as variables and as attributes.

    Args:
        missing: The parameters without value that have a default.
        unknown: The arguments without a parameter: defaults see them, and they are refused afterwards.
        is_class: True for a class, whose scope is also found by its name.
    """
    parameters, arguments, variables = definition.parameters, resource.parameters, scope.variables
    for name, _ in unknown:
        variables[name] = arguments[name]
    reader = (
        make_defaults_scope(parameters, resource.reference, scope, arguments)
        if _may_read_parameters(definition.site.node)
        else scope
    )
    if is_class:
        scope.runtime.state.classes[scope.name] = reader
    try:
        for name in evaluate_defaults(missing, scope, reader):
            value = variables[name]
            if value is not None:
                if type(value) not in PLAIN:
                    value = to_parameter_value(value)
                    variables[name] = read_attribute_value(scope.runtime.dialect, value)
                _clear_place(resource, name)
                arguments[name] = value
    except PuppetError as problem:
        if problem.placeless:  # the released Puppet reports the line of the definition
            problem.placeless, problem.column_known = False, False
            problem.released_span = definition.site.span()
        raise
    except BreakIteration:  # the released Puppet reports the use of the class or define
        raise Failure("BREAK_IN_DEFAULT", place=format_place(definition.site.span())) from None
    if is_class:
        scope.runtime.state.classes[scope.name] = scope


def check_arguments(definition: Definition, resource: CatalogResource) -> list[ParameterProblem]:
    """Return the problems with the arguments of a resource, without defaults."""
    assert resource.scope is not None
    arguments = resource.parameters
    relevant = tuple(p for p in definition.parameters if p.name in arguments or p.default is None)
    scope = Scope(resource.scope.runtime, "define", definition.name)
    scope.variables = {p.name: arguments[p.name] for p in relevant if p.name in arguments}
    unknown = find_unknown_names(arguments, _list_accepted_names(definition.site.node))
    return [*unknown, *check_values(relevant, scope)]


def evaluate_types(parameters: Parameters, scope: Scope) -> None:
    """Evaluate the types of parameters that are no constants. Raises PuppetError."""
    for parameter in parameters:
        if parameter.has_deferred_type and parameter.type_of is not None:
            parameter.type_of(scope)


def evaluate_defaults(
    parameters: Iterable[DefinitionParameter], scope: Scope, reader: Scope
) -> Iterator[str]:
    """Set parameters without value to their defaults; yield the name of each when it is set.

    Args:
        reader: The scope in which the defaults are evaluated.
    """
    variables = scope.variables
    for parameter in parameters:
        if parameter.default is None or parameter.name in variables:
            continue
        if isinstance(reader, DefaultsScope):
            reader.evaluating = parameter.name
        try:
            variables[parameter.name] = parameter.default(reader)
        except NotEvaluatedYet as failure:  # the error belongs to the use of the class or define
            raise Failure(failure.code, **failure.arguments) from None
        yield parameter.name


def make_defaults_scope(
    parameters: Parameters, subject: str, scope: Scope, arguments: Mapping[str, Value]
) -> DefaultsScope:
    """Return the scope in which defaults are evaluated.

    Args:
        subject: The name of the resource in failures.
        scope: The scope of the body, whose variables it shares.
    """
    reader = DefaultsScope.__new__(DefaultsScope)
    for slot in Scope.record_fields:
        setattr(reader, slot, getattr(scope, slot))
    reader.subject = subject
    reader.names = tuple([parameter.name for parameter in parameters])
    reader.undefined = frozenset([name for name, value in arguments.items() if value is None])
    return reader


def check_values(parameters: Parameters, scope: Scope) -> list[ParameterProblem]:
    """Return the problems with the values of parameters: missing ones and wrong types."""
    problems: list[ParameterProblem] = []
    for parameter in parameters:
        value = scope.variables.get(parameter.name, MISSING)
        if value is MISSING:
            problems.append((parameter.name, types.MissingParameter((), parameter.name)))
            continue
        declared = ANY if parameter.type_of is None else parameter.type_of(scope)
        if type(value) is PuppetObject and is_deferred(value):
            found = check_deferred(parameter.name, declared, value, scope)
        elif get_predicate(declared)(value):
            continue
        else:
            found = types.find_value_mismatches(
                f"parameter '{parameter.name}'", declared, value, scope.runtime.dialect
            )
        problems += [(parameter.name, problem) for problem in found]
    return problems


@memoize(1024)
def _may_read_parameters(node: nodes.Node) -> bool:
    """Return True when a default expression may read a parameter of the class or define.

    It names the parameter, or calls a function that could read it.
    """
    assert isinstance(node, nodes.Class | nodes.Define)
    names = {parameter.name for parameter in node.parameters}
    defaults = [parameter.default for parameter in node.parameters if parameter.default is not None]
    parts = (part for default in defaults for part in nodes.walk(default))
    return any(
        isinstance(part, nodes.Call | nodes.MethodCall)
        or (isinstance(part, nodes.Variable) and part.name.rpartition("::")[2] in names)
        for part in parts
    )


@memoize(1024)
def _list_accepted_names(node: nodes.Node) -> frozenset[str]:
    """Return the attributes that a class or define accepts.

    They are its parameters, the metaparameters and `name`; also `title`, which is refused during
    finalization.
    """
    assert isinstance(node, nodes.Class | nodes.Define)
    own = [parameter.name for parameter in node.parameters]
    return resource_types.METAPARAMETERS.union(own, ["name", "title"])


def _clear_place(resource: CatalogResource, name: str) -> None:
    """Remove the place of an attribute whose undef was replaced by data or a default."""
    if resource.body is not None and name in resource.parameters:
        resource.set_optional(places={**(resource.places or {}), name: None})


def has_stage(resource: CatalogResource) -> bool:
    """Return True if a resource has an attribute that names its run stage."""
    stage = resource.parameters.get("stage")
    return stage is not None and stage is not False


def find_unknown_names(names: Iterable[str], accepted: Container[str]) -> list[ParameterProblem]:
    """Return the problems with the names of arguments that no parameter has."""
    return [(name, types.InvalidParameter((), name)) for name in names if name not in accepted]


def make_parameter_error(resource: CatalogResource, problems: list[ParameterProblem]) -> PuppetError:
    """Return the error about the parameters of a resource whose body does not run."""
    wrong = make_parameter_failure(resource.reference, problems)
    return make_catalog_error(wrong.code, resource.span, placeless=True, **wrong.arguments)


def make_parameter_failure(subject: str, problems: list[ParameterProblem]) -> Failure:
    """Return the failure that lists the problems with parameters, each on a line."""
    if len(problems) > 1:
        texts = "\n  ".join(types.to_sentence(problem) for _, problem in problems)
        return Failure("PARAMETERS_MISMATCH", resource=subject, reasons=texts)
    ((name, problem),) = problems
    codes: dict[type[types.Mismatch], str] = {
        types.MissingParameter: "MISSING_REQUIRED_PARAMETER",
        types.InvalidParameter: "UNKNOWN_PARAMETER",
    }
    code = codes.get(type(problem), "PARAMETER_MISMATCH")
    return Failure(
        code,
        resource=subject,
        parameter=name,
        reason=types.to_sentence(problem),
        **types.to_arguments([problem]),
    )
