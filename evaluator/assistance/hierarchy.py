"""How the types lie in each other: the tree that people learn, and what each type of it holds."""

from __future__ import annotations

from typing import Any

from evaluator.types import named
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
    known = {name for names in HIERARCHY.values() for name in names} | {"Any", *UNIONS}
    found = set()
    for name in known:
        type_ = named(name, dialect)
        if type_ is not None and type_.instance(value):
            found.add(name)
    return found
