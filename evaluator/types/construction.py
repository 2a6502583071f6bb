"""New objects of Object types: from one hash of attributes, or from attributes by position."""

from __future__ import annotations

from typing import Any

from evaluator.errors import Failure
from evaluator.types.inference import infer_detailed
from evaluator.types.mismatch import describe
from evaluator.types.objects import Attribute, ObjectType
from evaluator.types.problems import CountMismatch, Problem
from evaluator.types.structures import Member, StructType
from evaluator.types.variants import OptionalType
from evaluator.values.core import items


def new_object(kind: ObjectType, arguments: list[Any]) -> Any:
    """An object of the type. Raises Failure, in the words of a call that fits no signature."""
    from evaluator.values import PuppetObject

    given = _by_name(kind, arguments)
    if given is None:
        given = _by_position(kind, arguments)
    if given is None:
        raise Failure(describe_construction(kind, arguments))
    attributes = {
        name: given.get(name, attribute.value)
        for name, attribute in kind.all_attributes().items()
        if name in given or (attribute.given and attribute.optional)
    }
    return PuppetObject(kind, attributes)


def attributes_struct(kind: ObjectType) -> StructType:
    """The Struct of the hash that `new` takes."""
    given = (attribute for attribute in kind.all_attributes().values() if attribute.given)
    return StructType([Member(attribute.name, attribute.type, not attribute.optional) for attribute in given])


def _by_name(kind: ObjectType, arguments: list[Any]) -> dict[str, Any] | None:
    if len(arguments) != 1 or not attributes_struct(kind).instance(arguments[0]):
        return None
    return dict(items(arguments[0]))


def _by_position(kind: ObjectType, arguments: list[Any]) -> dict[str, Any] | None:
    parameters = kind.parameters()
    if not _least(parameters) <= len(arguments) <= len(parameters):
        return None
    pairs = list(zip(parameters, arguments, strict=False))
    if not all(parameter.type.instance(value) for parameter, value in pairs):
        return None
    return {parameter.name: value for parameter, value in pairs}


def _least(parameters: list[Attribute]) -> int:
    return sum(not parameter.optional for parameter in parameters)


def describe_construction(kind: ObjectType, arguments: list[Any]) -> str:
    """Why neither of the two ways to make an object takes the arguments."""
    name = f"new_{kind.name}"
    parameters = kind.parameters()
    by_name, by_position = _hash_problems(kind, arguments), _positional_problems(parameters, arguments)
    if all(isinstance(problem, CountMismatch) for problem in (*by_name, *by_position)):
        return f"'{name}' {by_name[0].merge(by_position[0]).text()}"
    listing = ", ".join(f"{_listed(p)} {p.name}{'?' if p.optional else ''}" for p in parameters)
    lines = [
        f"The function '{name}' was called with arguments it does not accept. It expects one of:",
        f"  ({attributes_struct(kind)} hash)",
        *(f"    rejected: {problem.text()}" for problem in by_name),
        f"  ({listing})",
        *(f"    rejected: {problem.text()}" for problem in by_position),
    ]
    return "\n".join(lines)


def _listed(parameter: Attribute) -> str:
    """The type as a signature lists it: what may be left out is not Optional as well."""
    kind = parameter.type
    if parameter.optional and isinstance(kind, OptionalType) and kind.type is not None:
        kind = kind.type
    return kind.inner()


def _hash_problems(kind: ObjectType, arguments: list[Any]) -> list[Problem]:
    count = len(arguments)
    if count != 1:
        return [CountMismatch((), 1, 1, (count, count))]
    return describe(attributes_struct(kind), infer_detailed(arguments[0]), ("parameter 'hash'",))


def _positional_problems(parameters: list[Attribute], arguments: list[Any]) -> list[Problem]:
    least, count = _least(parameters), len(arguments)
    if not least <= count <= len(parameters):
        return [CountMismatch((), least, len(parameters), (count, count))]
    for parameter, value in zip(parameters, arguments, strict=False):
        if not parameter.type.instance(value):
            step = f"parameter '{parameter.name}'"
            return describe(parameter.type.normalize(), infer_detailed(value), (step,))
    return []
