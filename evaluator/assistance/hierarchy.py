"""How the types lie in each other: the tree that people learn, and what each type of it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluator.types import Type, named
from lexer_parser.dialect import Dialect

# type -> the types right below it; a test holds that each one lies in the type above it
HIERARCHY: dict[str, tuple[str, ...]] = {
    "Any": (
        *("Undef", "Default", "Scalar", "Collection", "CatalogEntry", "Type", "Callable", "Sensitive"),
        *("Binary", "URI", "Iterator", "Runtime"),
    ),
    "Scalar": ("ScalarData", "Regexp", "SemVer", "SemVerRange", "Timestamp", "Timespan"),
    "ScalarData": ("Numeric", "String", "Boolean"),
    "Numeric": ("Integer", "Float"),
    "String": ("Enum", "Pattern"),
    "Collection": ("Array", "Hash"),
    "Array": ("Tuple",),
    "Hash": ("Struct",),
    "CatalogEntry": ("Resource", "Class"),
}
# types that hold what lies in several places of the tree
UNIONS = ("Data", "RichData", "Iterable", "NotUndef", "Optional", "Variant", "Init")


def below(name: str) -> tuple[str, ...]:
    """The types right below one."""
    return HIERARCHY.get(name, ())


def held(value: Any, dialect: Dialect) -> set[str]:
    """The types of tree and unions of which a value is an instance, as the dialect sees them."""
    return {name for name, known in _known(dialect) if known.instance(value)}


def around(inner: Type, dialect: Dialect) -> set[str]:
    """The types of tree and unions that hold every value of a type.

    Without parameters Enum and Pattern are as wide as String: they count for their own kind only.
    """
    above = {name: named(outer, dialect) for outer, names in HIERARCHY.items() for name in names}
    found = set()
    for name, known in _known(dialect):
        outer = above.get(name)
        is_narrower = outer is None or not known.assignable(outer)
        if known.assignable(inner) and (is_narrower or name == inner.simple_name):
            found.add(name)
    return found


def _known(dialect: Dialect) -> Iterator[tuple[str, Type]]:
    for name in {name for names in HIERARCHY.values() for name in names} | {"Any", *UNIONS}:
        found = named(name, dialect)
        if found is not None:
            yield name, found
