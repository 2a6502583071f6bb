"""What functions that provide data are given, `Puppet::LookupContext`, and the names that they use for data."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from evaluator.issues import Failure
from evaluator.types.aliases import TypeAlias
from evaluator.types.base import ANY, UNDEF
from evaluator.types.builtin_objects import NAME
from evaluator.types.core_names import core
from evaluator.types.features import Attribute, Method
from evaluator.types.objects import ObjectType
from evaluator.types.parsing import parse
from evaluator.types.variants import VariantType
from lexer_parser.dialect import PUPPET

_CONTEXT = "Puppet::LookupContext"


def _outside(name: str) -> Callable[..., Any]:
    """What a function does of a context that none who provides data was given: those have functions of their own."""

    def refuse(context: Any, *arguments: Any) -> Any:
        raise Failure("NOT_A_DATA_PROVIDER", function=name)

    return refuse


def _environment_name(context: Any) -> str:
    """The environment that data is provided for; the usual one where that is nobody's business."""
    asked = context.methods.get("environment_name")
    return "production" if asked is None else str(asked())


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


@lru_cache(maxsize=1)
def lookup_context() -> ObjectType:
    """The type of the context; made when first needed."""
    return ObjectType(
        _CONTEXT,
        ANY,
        attributes=(
            Attribute(
                _CONTEXT,
                "environment_name",
                NAME,
                kind="derived",
                implementation=_environment_name,
            ),
            Attribute(_CONTEXT, "module_name", VariantType((NAME, UNDEF))),
        ),
        functions={
            name: Method(_CONTEXT, name, parse(text, core, PUPPET), implementation=_outside(name))
            for name, text in _CONTEXT_FUNCTIONS.items()
        },
    )


# what data providers take and give, of which nothing is demanded
ALIASES = tuple(TypeAlias(f"Puppet::Lookup{name}", ANY, builtin=True) for name in ("Key", "Value"))
