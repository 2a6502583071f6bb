"""Parameters of classes and defines: from given values, data and defaults to variables of the body."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from evaluator import resource_types
from evaluator.catalog.model import Resource
from evaluator.definitions import Definition
from evaluator.errors import Failure
from evaluator.scope import MISSING, Scope
from evaluator.types import predicate
from lexer_parser import nodes


class NotEvaluatedYet(Failure):
    """A default reads a parameter that has no value yet."""


class DefaultsScope(Scope):
    """The scope of parameter defaults: parameters that have no value yet cannot be read.

    subject  how the failure calls the resource;  evaluating  the parameter;  names  of all parameters
    """

    __slots__ = ("evaluating", "names", "subject")
    evaluating: str
    names: frozenset[str]
    subject: str

    def find(self, name: str) -> Any:
        """As `Scope.find`; raises Failure for a parameter that has no value yet."""
        if name in self.names and name not in self.variables:
            raise NotEvaluatedYet(
                f"{self.subject}: default expression for ${self.evaluating} tries to illegally access"
                f" not yet evaluated ${name}"
            )
        return super().find(name)


def bind(definition: Definition, resource: Resource, scope: Scope, data: bool) -> None:
    """Sets the parameters as variables of `scope`, and defaulted ones as parameters of the resource.

    A given value wins unless it is undef; then data (`data`: automatic lookup, classes only), then the default
    expression. Raises Failure that lists all that is wrong: unknown names, missing values, values of wrong types.
    """
    parameters = definition.parameters
    given = resource.parameters
    variables = scope.variables
    undefaulted = False
    for parameter in parameters:
        name = parameter.name
        value = given.get(name)
        found = scope.runtime.lookup_data(f"{definition.name}::{name}") if data and value is None else MISSING
        if found is not MISSING and found is not None:
            value = given[name] = found
            _forget_place(resource, name)
        if value is not None:
            variables[name] = value
        elif parameter.default is not None:
            undefaulted = True
        elif name in given or found is None:
            variables[name] = None
    if undefaulted:
        _evaluate_defaults(definition, resource, scope)
    problems = [] if accepted_names(definition).issuperset(given) else _unknown(definition, given)
    for parameter in parameters:
        if parameter.name not in variables:
            problems.append(f"expects a value for parameter '{parameter.name}'")
        elif parameter.type_of is not None:
            declared = parameter.type_of(scope)
            value = variables[parameter.name]
            if not predicate(declared)(value) and not _is_deferred(value):
                problems += mismatches(parameter.name, declared, value)
    if problems:
        raise Failure(f"{resource.reference}:{_listed(problems)}")


def _evaluate_defaults(definition: Definition, resource: Resource, scope: Scope) -> None:
    variables, given = scope.variables, resource.parameters
    guarded = _defaults_read_parameters(definition)
    reader = _defaults_scope(definition, resource, scope) if guarded else scope
    for parameter in definition.parameters:
        if parameter.default is None or parameter.name in variables:
            continue
        if isinstance(reader, DefaultsScope):
            reader.evaluating = parameter.name
        try:
            value = parameter.default(reader)
        except NotEvaluatedYet as problem:
            raise Failure(str(problem)) from None  # the place to blame is what uses the class or define
        variables[parameter.name] = value
        if value is not None:
            given[parameter.name] = value
            _forget_place(resource, parameter.name)


def _defaults_scope(definition: Definition, resource: Resource, scope: Scope) -> DefaultsScope:
    reader = DefaultsScope.__new__(DefaultsScope)
    for slot in Scope.__slots__:
        setattr(reader, slot, getattr(scope, slot))
    reader.subject = resource.reference
    reader.names = frozenset([parameter.name for parameter in definition.parameters])
    return reader


@lru_cache(maxsize=1024)
def _defaults_read_parameters(definition: Definition) -> bool:
    """True when a default expression mentions a parameter, which may then have no value yet."""
    names = {parameter.name for parameter in definition.parameters}
    node: Any = definition.site.node
    defaults = [parameter.default for parameter in node.parameters if parameter.default is not None]
    found = (part for default in defaults for part in nodes.walk(default))
    return any(isinstance(part, nodes.Variable) and part.name in names for part in found)


@lru_cache(maxsize=1024)
def accepted_names(definition: Definition) -> frozenset[str]:
    """The attributes that a class or define takes: its parameters, the metaparameters and `name`."""
    own = [parameter.name for parameter in definition.parameters]
    return resource_types.METAPARAMETERS.union(own, ["name"])


def _forget_place(resource: Resource, name: str) -> None:
    if resource.body is not None:
        resource.places = {**(resource.places or {}), name: None}


def _unknown(definition: Definition, given: dict[str, Any]) -> list[str]:
    extra = [name for name in given if name not in accepted_names(definition)]
    return [f"has no parameter named '{name}'" for name in extra]


def mismatches(name: str, declared: Any, value: Any) -> list[str]:
    """The lines that say why a value does not fit a parameter's type."""
    from evaluator.types.mismatch import describe_parameter

    text = describe_parameter(f"parameter '{name}'", declared, value)
    return [line.strip() for line in text.strip().split("\n") if line.strip()]


def _listed(problems: list[str]) -> str:
    if len(problems) == 1:
        return f" {problems[0]}"
    return "".join(f"\n  {problem}" for problem in problems)


def _is_deferred(value: Any) -> bool:
    kind = getattr(value, "type", None)
    return getattr(kind, "name", None) == "Deferred"
