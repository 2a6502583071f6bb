"""Object types that are always there: Error, Deferred, Annotation, Pcore."""

from __future__ import annotations

from evaluator.types.arrays import ARRAY
from evaluator.types.base import UNDEF, Type
from evaluator.types.callables import NO_ARGUMENTS, CallableType
from evaluator.types.data import DATA
from evaluator.types.features import Attribute, Method, TypeParameter
from evaluator.types.hashes import HashType
from evaluator.types.objects import ObjectType
from evaluator.types.strings import ENUM, PATTERN, REGEXP, STRING, PatternType, StringType
from evaluator.types.variants import NOT_UNDEF, OptionalType, VariantType
from evaluator.types.wrappers import TypeType
from evaluator.values.regexps.regexps import Regexp

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
    functions={
        "message": Method(
            "Error",
            "message",
            CallableType(NO_ARGUMENTS, None, NAME),
            implementation=lambda error: error.attributes["msg"],
        )
    },
    type_parameters={name: TypeParameter("Error", name, _MATCHER) for name in ("kind", "issue_code")},
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
ANNOTATION = ObjectType("Annotation")
RUBY_METHOD = ObjectType(
    "RubyMethod",
    ANNOTATION,
    attributes=(Attribute("RubyMethod", "body", STRING), _optional("RubyMethod", "parameters", NAME)),
)
OBJECTS = (ERROR, DEFERRED, ANNOTATION, RUBY_METHOD, ObjectType("Pcore"))
