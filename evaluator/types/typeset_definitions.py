"""From the hash of a definition to a TypeSet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure
from evaluator.types.aliases import TypeAlias, defining, name_being_defined
from evaluator.types.arguments import arity
from evaluator.types.base import RULES, Type
from evaluator.types.hashes import HashType
from evaluator.types.mismatch import check
from evaluator.types.object_definitions import ANNOTATIONS, INITIALIZER, TYPE_NAME, object_type, struct
from evaluator.types.objects import ObjectType
from evaluator.types.strings import STRING, PatternType, StringType
from evaluator.types.typesets import TYPE_SET, TypeSetType
from evaluator.types.variants import VariantType
from evaluator.types.versions import SEMVER, SEMVER_RANGE
from evaluator.types.wrappers import TYPE
from evaluator.values import Regexp, SemVer, SemVerRange, text
from evaluator.values.core import items

_RUNTIME = "http://puppet.com/2016.1/runtime"
_SIMPLE_NAME = PatternType([Regexp(r"\A[A-Z]\w*\z")])
_FILLED = StringType((1, None))
_VERSION = VariantType((_FILLED, SEMVER))
_REFERENCE = struct(
    {"name": TYPE_NAME, "version_range": VariantType((_FILLED, SEMVER_RANGE))},
    {"name_authority": STRING, "annotations": ANNOTATIONS},
)
_TYPE_SET = struct(
    {"pcore_version": _VERSION},
    {
        "pcore_uri": STRING,
        "name_authority": STRING,
        "name": TYPE_NAME,
        "version": _VERSION,
        "types": HashType(_SIMPLE_NAME, VariantType((TYPE, INITIALIZER)), (1, None)),
        "references": HashType(_SIMPLE_NAME, _REFERENCE, (1, None)),
        "annotations": ANNOTATIONS,
    },
)
_SHOWN = (
    *("annotations", "pcore_uri", "pcore_version", "name_authority", "name", "version"),
    "references",
)
_UNDERSTOOD = "1.x"


def type_set(arguments: list[Any]) -> TypeSetType:
    """`TypeSet[{…}]`, or the definition `type Name = TypeSet[{…}]`. Raises Failure for a wrong one."""
    if len(arguments) != 1:
        raise arity("TypeSet-Type", "1 argument", len(arguments))
    given, name = arguments[0], name_being_defined()
    if given is None or (given == {} and not name):
        return TYPE_SET
    if type(given) is not dict:
        check("TypeSet name", TYPE_NAME, given)
        return TypeSetType({"pcore_version": "", "name": given})
    check("TypeSet initializer", _TYPE_SET, given)
    fields = {"name": None, **given, **({"name": name, "name_authority": _RUNTIME} if name else {})}
    _check_versions(fields)
    types = {key: _declared(key, value) for key, value in items(given.get("types", {}))}
    for alias, reference in fields.get("references", {}).items():
        SemVerRange.parse(text(reference["version_range"]))
        if alias in types:
            raise Failure("TYPESET_ALIAS_TAKEN", type=fields["name"], name=alias)
    shown = {field: _shown(fields[field]) for field in _SHOWN if field in fields}
    return TypeSetType(shown, types)


def _check_versions(fields: dict[str, Any]) -> None:
    for field in ("pcore_version", "version"):
        if field in fields:
            fields[field] = _version(fields[field])
    if not SemVerRange.parse(_UNDERSTOOD).includes(fields["pcore_version"]):
        raise Failure(
            "PCORE_NOT_UNDERSTOOD",
            name=fields["name"],
            expected=_UNDERSTOOD,
            actual=fields["pcore_version"].text(),
        )


def _version(value: Any) -> SemVer:
    if isinstance(value, SemVer):
        return value
    try:
        return SemVer.parse(value)
    except Failure:
        raise Failure("TYPESET_VERSION_NOT_READ", value=value) from None


def _declared(name: str, value: Any) -> Type:
    return object_type([value], name) if type(value) is dict else value


def _shown(value: Any) -> Any:
    return value.text() if isinstance(value, SemVer) else value


def members(
    written: dict[str, Any],
    meaning: Callable[[Any, Callable[[str], Any]], Any],
    resolve: Callable[[str], Any],
) -> dict[str, Any]:
    """The types that a set in a text declares, which may name each other; `meaning` evaluates one as written."""
    found: dict[str, Any] = {}
    outer = name_being_defined()

    def named(name: str) -> Any:
        if name not in written:
            return resolve(name)
        if name not in found:
            itself = found[name] = TypeAlias(name, lambda: found[name])  # for a type that holds itself
            whole = f"{outer}::{name}" if outer else name
            made = defining(whole, lambda: meaning(written[name], named))
            if made is itself:
                raise Failure("UNRESOLVED_TYPE", name=f"{outer}::{name}")
            made = object_type([made], whole) if type(made) is dict else made
            if outer and isinstance(made, ObjectType) and made.name == whole:
                made.namespace = f"{outer}::"
            found[name] = made
        return found[name]

    for name in written:
        named(name)
    return {name: TypeAlias(name, found[name]) for name in written}


def referenced(references: Any, resolve: Callable[[str], Any]) -> Callable[[str], Any]:
    """`resolve` for the members of a set: a type of another set has the alias of its reference in front."""
    sets = references if type(references) is dict else {}

    def named(name: str) -> Any:
        alias, _, rest = name.partition("::")
        reference = sets.get(alias)
        if type(reference) is not dict or type(reference.get("name")) is not str:
            return resolve(name)
        return resolve(f"{reference['name']}::{rest}" if rest else reference["name"])

    return named


def check_references(found: TypeSetType, resolve: Callable[[str], Any]) -> None:
    """Raises Failure for a reference to a TypeSet that is not there, or not of a version that will do."""
    for reference in found.fields.get("references", {}).values():
        name, wanted = reference["name"], text(reference["version_range"])
        other = resolve(name).resolve()
        if not isinstance(other, TypeSetType) or reference.get("name_authority", _RUNTIME) != _RUNTIME:
            raise Failure("TYPESET_UNRESOLVED", type=found.name, name=name)
        version = other.fields.get("version", "0.0.0")
        if not SemVerRange.parse(wanted).includes(SemVer.parse(version)):
            raise Failure("TYPESET_INCOMPATIBLE", type=found.name, name=name, expected=wanted, actual=version)


RULES.type_set = type_set
