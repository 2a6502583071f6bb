"""Object types that are always there: Error, Deferred, Annotation, Pcore, …"""

from __future__ import annotations

from evaluator.types.base import ANY, UNDEF, Type
from evaluator.types.callables import NO_ARGUMENTS, CallableType
from evaluator.types.containers import ARRAY, HashType
from evaluator.types.data import DATA
from evaluator.types.objects import UNSET, Attribute, ObjectType
from evaluator.types.strings import ENUM, PATTERN, REGEXP, STRING, PatternType, StringType
from evaluator.types.variants import NOT_UNDEF, OptionalType, VariantType
from evaluator.types.wrappers import TypeType
from evaluator.values.regexps import Regexp

NAME = StringType((1, None))
_MATCHER = VariantType((STRING, REGEXP, *(TypeType(kind) for kind in (ENUM, PATTERN, NOT_UNDEF, UNDEF))))


def _optional(owner: str, name: str, type: Type) -> Attribute:
    return Attribute(owner, name, OptionalType(type), None)


ERROR = ObjectType(
    "Error",
    attributes=(
        Attribute("Error", "msg", NAME),
        _optional("Error", "kind", NAME),
        _optional("Error", "details", HashType(NAME, DATA)),
        _optional("Error", "issue_code", NAME),
    ),
    functions={"message": Attribute("Error", "message", CallableType(NO_ARGUMENTS, None, NAME))},
    type_parameters={name: Attribute("Error", name, _MATCHER, UNSET) for name in ("kind", "issue_code")},
    implementation={"message": lambda error: error.attributes["msg"]},
)
DEFERRED = ObjectType(
    "Deferred",
    attributes=(
        Attribute(
            "Deferred", "name", PatternType([Regexp(r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z")])
        ),
        _optional("Deferred", "arguments", ARRAY),
    ),
)
LOOKUP_CONTEXT = ObjectType("Puppet::LookupContext", ANY)
OBJECTS = (ERROR, DEFERRED, ObjectType("Annotation"), ObjectType("Pcore"), LOOKUP_CONTEXT)
