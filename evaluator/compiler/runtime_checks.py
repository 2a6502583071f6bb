"""Checks that compiled code calls at run time: arguments, returned values, assignments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator import types, values
from evaluator.compiler.functions import (
    BlockDeclaration,
    CompiledFunction,
    DeferredType,
    FunctionDeclaration,
    LocalType,
    UserFunction,
    check_is_type,
    resolve_type,
)
from evaluator.issues import Failure, NotEvaluatedYet, make_error, refuse_if
from evaluator.program.definitions import MISSING, RESERVED_NAMES, ParameterSpec, Scope
from evaluator.types import ArrayType, ClassType, OptionalType
from evaluator.values import Value
from evaluator.values.ruby_values import to_ruby_s
from lexer_parser.record import Record

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime
    from evaluator.types import Type


class FunctionTable(dict[str, Any]):
    """A cache from `"name/2"` to the Python function that takes two arguments.

    It is filled when a call needs the function.
    """

    def __init__(self, runtime: Runtime) -> None:
        super().__init__()
        self.runtime = runtime

    def __missing__(self, key: str) -> CompiledFunction:
        name, _, count = key.rpartition("/")
        function = self.runtime.names.find_function(name)
        if function is None:
            return _make_raiser(make_error("UNKNOWN_FUNCTION", name=name))
        if not isinstance(function, UserFunction):
            return lambda *arguments: function.invoke(self.runtime.state.top, arguments, None)
        deferred = find_deferred_types(function.declaration)
        problem = _check_count(name, function.declaration, int(count))
        if problem is not None:
            return _resolve_first(deferred, _make_raiser(problem))
        self[key] = function.fn
        return _resolve_first(deferred, function.fn)


def _check_count(name: str, declared: FunctionDeclaration, count: int) -> Failure | None:
    """Return the failure for a number of arguments that a function does not take, else None."""
    if count >= declared.least and (declared.most is None or count <= declared.most):
        return None
    mismatch = types.CountMismatch((), declared.least, declared.most, (count, count))
    return Failure("ARGUMENT_COUNT", function=name, **types.to_message_arguments(mismatch))


def reject_block(declared: FunctionDeclaration, arguments: list[Value]) -> None:
    """Raise the failure for a block passed to a user function.

    Unknown types and wrong arguments come first.
    """
    for deferred in find_deferred_types(declared):
        deferred.resolve()
    problem = _check_count(declared.name, declared, len(arguments))
    if problem is not None:
        raise problem
    specs = declared.parameters
    plain_count = sum(not spec.splat for spec in specs)
    plain = [*arguments[:plain_count], *[MISSING] * (plain_count - len(arguments))]
    values_of_specs = (*plain, arguments[plain_count:])[: len(specs)]
    if any(map(_find_mismatches, specs, values_of_specs)):
        raise_bad_argument(declared, 0, values_of_specs)
    raise Failure("UNEXPECTED_LAMBDA", function=declared.name)


def find_deferred_types(declared: FunctionDeclaration) -> tuple[DeferredType, ...]:
    """Return the types of parameters and of the returned value that are not evaluated yet."""
    all_types = (*(spec.type for spec in declared.parameters), declared.returns)
    return tuple(type_ for type_ in all_types if isinstance(type_, DeferredType))


def _resolve_first(deferred: tuple[DeferredType, ...], function: CompiledFunction) -> CompiledFunction:
    """Return a function that resolves types first: a wrong type precedes a wrong argument."""
    if not deferred:
        return function

    def call(*arguments: Value) -> Value:
        for type_ in deferred:
            type_.resolve()
        return function(*arguments)

    return call


def resolve_local_types(declared: BlockDeclaration, *passed: Value) -> BlockDeclaration:
    """Return the declaration of a lambda with the types that were evaluated, in order."""
    specs, least, most, returns = declared
    types = iter(map(check_is_type, passed))
    typed = tuple(
        ParameterSpec(spec.name, next(types), spec.required, spec.splat, spec.span)
        if isinstance(spec.type, LocalType)
        else spec
        for spec in specs
    )
    return typed, least, most, next(types) if isinstance(returns, LocalType) else returns


def _make_raiser(problem: Exception) -> CompiledFunction:
    """Return a function that raises, so that arguments are evaluated before the error."""

    def fail(*arguments: Value) -> Value:
        raise problem

    return fail


def is_deferred_instance(value: Value, declared: Type | DeferredType) -> bool:
    """Return True for an instance of a type that was unknown at compile time."""
    resolved = declared.resolve() if isinstance(declared, DeferredType) else declared
    return bool(resolved.instance(value))


def is_rest_instance(declared: Type | DeferredType, rest: list[Value]) -> bool:
    """Return True when the rest arguments match the declared type.

    It is the type of each, or of the array when it is an Array.
    """
    resolved = declared.resolve() if isinstance(declared, DeferredType) else declared
    return resolved.instance(rest) if isinstance(resolved, ArrayType) else all(map(resolved.instance, rest))


def raise_bad_argument(
    declared: FunctionDeclaration | BlockDeclaration, index: int, remaining: tuple[Value, ...]
) -> None:
    """Raise the failure for an argument that is no instance of its parameter's type.

    Messages compare types. Some types accept the type of a value that is no instance of them; then the message is about
    the next argument with a mismatch.

    Args:
        declared: The declaration of the function or lambda.
        index: The index of the parameter.
        remaining: The values of this parameter and of those after it.
    """
    from evaluator.calling.call_mismatches import make_argument_failure, make_rejection

    name, specs, *_ = _to_function_declaration(declared)
    subject = f"'{name}'" if name else "block"
    wrong_count = _check_rest_count(specs, remaining)
    for spec, value in zip(specs[index:], remaining, strict=True):
        problems = _find_mismatches(spec, value)
        if problems:
            break
    if wrong_count is not None:
        failure = make_argument_failure(subject, wrong_count, function=name)
    elif len(problems) == 1:
        failure = make_argument_failure(subject, problems[0], function=name, parameter=spec.name)
    else:
        failure = make_rejection(subject, f"({', '.join(map(_format_parameter, specs))})", problems)
    failure.blames_caller = True
    raise failure


def _to_function_declaration(declared: FunctionDeclaration | BlockDeclaration) -> FunctionDeclaration:
    """Return a declaration with names for its fields; that of a lambda has the name ""."""
    return declared if isinstance(declared, FunctionDeclaration) else FunctionDeclaration("", *declared)


def _check_rest_count(
    specs: tuple[ParameterSpec, ...], remaining: tuple[Value, ...]
) -> types.CountMismatch | None:
    """Return the mismatch between the number of rest arguments and the size of their Array."""
    rest = resolve_type(specs[-1].type) if specs[-1].splat else None
    if not isinstance(rest, ArrayType) or rest.size is None:
        return None
    least, most = rest.size
    count = len(remaining[-1])
    if least <= count and (most is None or count <= most):
        return None
    plain = len(specs) - 1
    return types.CountMismatch(
        (), plain + least, None if most is None else plain + most, (plain + count,) * 2
    )


def _find_mismatches(spec: ParameterSpec, value: Value) -> list[types.Mismatch]:
    """Return the mismatches of an argument, or of one of the rest; none if it was not passed."""
    declared = resolve_type(spec.type)
    if declared is None or value is MISSING:
        return []
    expected = declared.element if spec.splat and isinstance(declared, ArrayType) else declared
    mismatches = (
        types.find_argument_mismatches(f"parameter '{spec.name}'", expected, argument)
        for argument in (value if spec.splat else [value])
    )
    return next(filter(None, mismatches), [])


def _format_parameter(spec: ParameterSpec) -> str:
    """Return a parameter as lists of parameters show it: `Integer x?`."""
    mark = "*" if spec.splat else "" if spec.required else "?"
    shown = resolve_type(spec.type) or "Any"
    if spec.splat and isinstance(shown, ArrayType):
        low, high = shown.size or (0, None)
        mark = _REST_MARKS.get((low, high is not None), mark if high is None else "")
        shown = shown.element
    if mark == "?" and isinstance(shown, OptionalType):  # the mark means the same
        shown = shown.type or ""
    return f"{shown} {spec.name}{mark}"


# The marks of a rest parameter by the least number of arguments and whether there is a greatest one.
_REST_MARKS = {(0, True): "?", (1, False): "+"}


def raise_bad_return(declared: FunctionDeclaration | BlockDeclaration, value: Value) -> None:
    """Raise the failure for a returned value that is no instance of the declared type."""
    function = _to_function_declaration(declared)
    name, expected = function.name or "lambda", resolve_type(function.returns)
    subject = f"value returned from {name} has wrong type,"
    assert expected is not None
    reason = types.describe_as_arguments(subject, expected, value)
    failure = Failure("RETURN_MISMATCH", function=name, **reason)
    failure.blames_caller = True
    raise failure


# --- assignments ---------------------------------------------------------------------------------------------


_REASSIGNMENT_ISSUES = {
    "name": "ILLEGAL_BUILTIN_REASSIGNMENT",
    "title": "ILLEGAL_BUILTIN_REASSIGNMENT",
    **dict.fromkeys(RESERVED_NAMES, "ILLEGAL_RESERVED_ASSIGNMENT"),
}


def raise_not_assignable(name: str, is_set: bool) -> None:
    """Raise the error for an assignment to a variable with a value, or to a reserved name."""
    if is_set or name == "server_facts":
        code = _REASSIGNMENT_ISSUES.get(name, "ILLEGAL_REASSIGNMENT")
        raise make_error(code, name=name, variable=f"${name}")
    raise make_reserved_failure(name)


def raise_reserved_parameter(name: str) -> None:
    """Raise the failure for a call of a function with a parameter of a reserved name."""
    failure = make_reserved_failure(name)
    failure.blames_caller = True
    raise failure


def make_reserved_failure(name: str) -> Failure:
    """Return the failure for setting a reserved variable."""
    return Failure("ILLEGAL_RESERVED_ASSIGNMENT", name=name, variable=name)


def raise_not_evaluated(owner: str, parameter: str, name: str) -> None:
    """Raise the failure for a default that reads a parameter without value."""
    raise NotEvaluatedYet("PARAMETER_ORDER", resource=owner, name=parameter, other=name)


def check_unassigned(value: Value, current: Value, name: str) -> Value:
    """Return the value to assign, unless a branch has assigned the variable before."""
    if current is not MISSING:
        raise_not_assignable(name, True)
    return value


class ClassVariables(Record):
    """The variables of an evaluated class, as the right side of `[$a, $b] = Class[name]`."""

    scope: Scope
    keys: list[Value]

    def __getitem__(self, index: int) -> Value:
        key, name = self.keys[index], self.scope.name
        value = (
            MISSING
            if isinstance(key, list)
            else self.scope.runtime.names.find_variable(self.scope, f"{name}::{key}")
        )
        if value is MISSING:
            raise make_error("MISSING_MULTI_ASSIGNMENT_VARIABLE", name=f"{name}::{to_ruby_s(key)}")
        return value


def destructure(runtime: Runtime, value: Value, keys: list[Value]) -> Value:
    """Return a sequence of the values for `[$a, $b] = value`; the keys are `a` and `b`.

    Specification: Expressions, "= operator".
    """
    if isinstance(value, dict):
        for key in keys:
            if not values.has(value, key):
                raise make_error("MISSING_MULTI_ASSIGNMENT_KEY", key=to_ruby_s(key))
        return [values.get(value, key) for key in keys]
    if isinstance(value, ClassType):
        if not value.name:
            raise Failure("NO_REFERENCE", text='"class"')
        scope = runtime.state.classes.get(value.name)
        if scope is None:
            raise make_error("UNKNOWN_RESOURCE", operand=1, reference=f"Class['{value.name}']")
        return ClassVariables(scope, keys)
    elements = value if isinstance(value, list) else [value]
    refuse_if(
        len(elements) != len(keys), "ILLEGAL_MULTI_ASSIGNMENT_SIZE", expected=len(keys), actual=len(elements)
    )
    return elements
