"""Type parameters of the rarer types: times, versions, URI, references, Init, Runtime, objects."""

from __future__ import annotations

import re
from typing import Any

from evaluator.issues import Failure
from evaluator.types import platform, references, rich
from evaluator.types.arguments import arity
from evaluator.types.base import Type, UndefType
from evaluator.types.initializers import InitType
from evaluator.types.issues import cannot_use, error, host_class
from evaluator.types.parameters import Parameterizer
from evaluator.values.core import DEFAULT
from evaluator.values.printing import an, an_upper, label
from evaluator.values.sharing import flat
from lexer_parser.dialect import PUPPET, Dialect

_CLASS_NAME = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*", re.ASCII)
_CLASS_RULE = r"/^((::)?[a-z_]\w*)(::[a-z]\w*)*$/"
_TYPE_NAME = re.compile(r"(?:::)?[A-Z]\w*(?:::[A-Z]\w*)*", re.ASCII)


# --- times, versions, URI


def _time(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    if len(arguments) > 2:
        raise arity(an_upper(f"{type_}-Type"), "0 to 2 arguments", len(arguments))
    low, high = ([*(_moment(type_, argument) for argument in arguments), None, None])[:2]
    if low is not None and high is not None and low > high:
        raise Failure("RANGE_BACKWARDS", low=low.text(), high=high.text())
    return type(type_)(low, high)  # type: ignore[call-arg]


def _moment(type_: Type, value: Any) -> Any:
    if value is None or value is DEFAULT:
        return None
    if type_.instance(value):
        return value
    from evaluator import values
    from evaluator.values.times.times import nanoseconds_of

    kind = values.Timestamp if type_.keyword == "Timestamp" else values.Timespan
    if type(value) in (int, float):
        return kind(nanoseconds_of(value))
    if type(value) is str:
        return kind.parse(value)
    if type(value) is dict and kind is values.Timespan:
        return values.Timespan.of_hash(value)
    if type(value) is dict and "string" in value:
        return values.Timestamp.parse(value["string"], value.get("format"), value.get("timezone"))
    raise Failure("NO_TIME", type=type_.keyword, actual=host_class(value))


def _version(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.values import SemVerRange

    arguments = flat(arguments)
    if not arguments:
        raise arity(an_upper(f"{type_}-Type"), "1 or more arguments", 0)
    for index, argument in enumerate(arguments):
        if type(argument) is not str and type(argument) is not SemVerRange:
            raise cannot_use(f"{type_}-Type", argument, "String or SemanticPuppet::VersionRange", 1 + index)
    ranges = [SemVerRange.parse(given) if type(given) is str else given for given in arguments]
    return rich.SemVerType(ranges)


_ABSOLUTE = re.compile(r"[a-zA-Z][-+.a-zA-Z\d]*:")


def _uri(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    arguments = flat(arguments)
    if len(arguments) != 1:
        raise arity("URI-Type", "1 argument", len(arguments))
    given = arguments[0]
    if type(given) is str and given:
        from evaluator.values import URI

        if not _ABSOLUTE.search(given):
            raise Failure("URI_TYPE_NOT_ABSOLUTE", value=given)
        return rich.UriType(dict(URI.parse(given).components))
    if type(given) is dict and all(_is_uri_part(part, wanted) for part, wanted in given.items()):
        return rich.UriType(given)
    raise error("BAD_TYPE_SLICE_TYPE", operand=1, type="URI-Type", actual=host_class(given))


def _is_uri_part(part: Any, wanted: Any) -> bool:
    """True when a hash entry says something about a part of a URI."""
    from evaluator.types.numbers import IntegerType
    from evaluator.types.strings import EnumType, PatternType
    from evaluator.types.variants import NotUndefType
    from evaluator.values import Regexp

    if part not in rich.URI_PARTS:
        return False
    if isinstance(wanted, EnumType | PatternType | NotUndefType | UndefType):
        return True
    if part == "port":
        return wanted is None or type(wanted) is int or isinstance(wanted, IntegerType)
    return wanted is None or type(wanted) in (str, Regexp)


# --- references


def _resource(type_: Type, arguments: list[Any], dialect: Dialect) -> Any:
    assert isinstance(type_, references.ResourceType)
    if type_.type_name is not None:
        return _titled(type_.type_name, arguments, f"{type_.simple_name}-Type", None)
    first, titles = arguments[0], arguments[1:]
    if isinstance(first, references.ResourceType):
        name = first.type_name or ""
        if not titles:
            return first
    elif type(first) is str:
        name = _resource_type_name(first)
    else:
        raise error("BAD_RESOURCE_TYPE", operand=1, actual=_kind(first))
    if not titles:
        return references.CLASS if name == "class" else references.ResourceType(name)
    return _titled(name, titles, "Resource-Type", 1)


def _kind(value: Any) -> str:
    from evaluator.types.inference import infer

    return infer(value, PUPPET).generalize().inner()


def _resource_type_name(text: str) -> str:
    """The type name a string stands for; lower-case names are capitalized first, and then checked."""
    name = text
    if not text[:1].isupper():
        name = "::".join(segment.capitalize() for segment in text.split("::"))
    if not _TYPE_NAME.fullmatch(name):
        raise error("ILLEGAL_TYPE_REFERENCE", operand=1, name=name)
    return name.lower()


def _titled(type_name: str, titles: list[Any], label_: str, operand: int | None) -> Any:
    """References for titles: one for a single title, else an array; undef titles are dropped."""
    for index, title in enumerate(titles):
        for inner in flat([title]):
            if inner is not None and type(inner) is not str:
                raise cannot_use(label_, inner, "a resource title String", operand or 1 + index)
    found = [references.ResourceType(type_name, title) for title in flat(titles) if title is not None]
    if len(titles) > 1 or isinstance(titles[0], list):
        return found
    return found[0] if found else None


def _class(type_: Type, arguments: list[Any], dialect: Dialect) -> Any:
    found = []
    given = [argument for argument in arguments if argument is not None]
    for index, argument in enumerate(given):
        found += [
            references.ClassType(_class_name(name, 1 + index, dialect))
            for name in flat([argument])
            if name is not None
        ]
    if len(arguments) > 1 or isinstance(arguments[0], list):
        return found
    return found[0] if found else None


def _class_name(value: Any, operand: int, dialect: Dialect) -> str:
    if (
        dialect.class_names
        and isinstance(value, references.ResourceType)
        and value.title is None
        and value.type_name
    ):
        return value.type_name
    if type(value) is not str:
        raise error("ILLEGAL_HOSTCLASS_NAME", operand=operand, actual=an_upper(label(value)))
    name = value.lower()
    if not _CLASS_NAME.fullmatch(name):
        raise error("ILLEGAL_CLASS_NAME", operand=operand, name=value, rule=_CLASS_RULE)
    return name


# --- Init, Runtime, objects


def _init(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    if not isinstance(arguments[0], Type):
        raise error("BAD_TYPE_SLICE_TYPE", operand=1, type="Init-Type", actual=host_class(arguments[0]))
    return InitType(arguments[0], tuple(arguments[1:]))


def _runtime(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    assert isinstance(type_, platform.RuntimeType)
    arguments = flat(arguments)
    short = type_.short
    if short:
        arguments = [type_.runtime, *arguments]
    if len(arguments) != 2:
        raise arity(an_upper(f"{type_}-Type"), "1 to 2 arguments", len(arguments))
    for index, argument in enumerate(arguments):
        if type(argument) is not str:
            raise cannot_use(f"{type_}-Type", argument, "String or String", 1 + index)
    return platform.runtime_type(arguments[0], arguments[1], short)


def _object(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.types.objects import ObjectType, ParameterizedObject, object_type

    if isinstance(type_, ParameterizedObject):
        raise error("OPERATOR_NOT_APPLICABLE", operand=0, operator="[]", left=an(f"{type_}-Type"))
    arguments = flat(arguments)
    if not isinstance(type_, ObjectType) or not type_.name:
        return object_type(arguments)
    return type_.parameterize(arguments)


def _type_set(type_: Type, arguments: list[Any], dialect: Dialect) -> Type:
    from evaluator.types.typeset_definitions import type_set

    return type_set(arguments)


RARE: dict[str, Parameterizer] = {
    "Timestamp": _time,
    "Timespan": _time,
    "SemVer": _version,
    "URI": _uri,
    "Resource": _resource,
    "Class": _class,
    "Init": _init,
    "Runtime": _runtime,
    "Object": _object,
    "TypeSet": _type_set,
}
