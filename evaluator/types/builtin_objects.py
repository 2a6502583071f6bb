"""Object types that are always there: Error, Deferred, Annotation, Pcore, …"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.types.aliases import TypeAlias
from evaluator.types.base import ANY, UNDEF, Type
from evaluator.types.callables import NO_ARGUMENTS, CallableType
from evaluator.types.containers import ARRAY, HashType
from evaluator.types.data import DATA
from evaluator.types.features import Attribute, Method, TypeParameter
from evaluator.types.objects import ObjectType
from evaluator.types.parsing import parse_type
from evaluator.types.strings import ENUM, PATTERN, REGEXP, STRING, PatternType, StringType
from evaluator.types.variants import NOT_UNDEF, OptionalType, VariantType
from evaluator.types.wrappers import TypeType
from evaluator.values.regexps.regexps import Regexp
from lexer_parser.dialect import PUPPET

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
_CONTEXT = "Puppet::LookupContext"


def _served(name: str) -> Callable[..., Any]:
    """What the functions of a context do is the business of those who provide data."""

    def serve(context: Any, *arguments: Any) -> Any:
        from evaluator.hiera.context import method

        return method(name)(context, *arguments)

    return serve


_CONTEXT_FUNCTIONS = {
    "not_found": "Callable[[0, 0], Undef]",
    "explain": "Callable[[0, 0, Callable[0, 0]], Undef]",
    "interpolate": "Callable[1, 1]",
    "cache": "Callable[Optional[Scalar], Any]",
    "cache_all": "Callable[[Hash[Optional[Scalar], Any]], Undef]",
    "cache_has_key": "Callable[[Optional[Scalar]], Boolean]",
    "cached_value": "Callable[Optional[Scalar]]",
    "cached_entries": "Variant[Callable[[0, 0, Callable[1, 1]], Undef], Callable[[0, 0, Callable[2, 2]], Undef],"
    " Callable[[0, 0], Iterable[Tuple[Optional[Scalar], Any]]]]",
    "cached_file_data": "Callable[String, Optional[Callable[Array[Integer]]]]",
}
LOOKUP_CONTEXT = ObjectType(
    _CONTEXT,
    ANY,
    attributes=(
        Attribute(
            _CONTEXT,
            "environment_name",
            NAME,
            kind="derived",
            implementation=lambda context: "production",
        ),
        Attribute(_CONTEXT, "module_name", VariantType((NAME, UNDEF))),
    ),
    functions={
        name: Method(_CONTEXT, name, parse_type(text, PUPPET), implementation=_served(name))
        for name, text in _CONTEXT_FUNCTIONS.items()
    },
)
ANNOTATION = ObjectType("Annotation")
RUBY_METHOD = ObjectType(
    "RubyMethod",
    ANNOTATION,
    attributes=(Attribute("RubyMethod", "body", STRING), _optional("RubyMethod", "parameters", NAME)),
)
OBJECTS = (ERROR, DEFERRED, ANNOTATION, RUBY_METHOD, ObjectType("Pcore"), LOOKUP_CONTEXT)
# what data providers take and give, of which nothing is demanded
ALIASES = tuple(TypeAlias(f"Puppet::Lookup{name}", ANY, builtin=True) for name in ("Key", "Value"))
