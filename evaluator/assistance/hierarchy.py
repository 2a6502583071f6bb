"""The tree of types that users learn: which type includes which, and which types include a value.

The tree is read from the supertypes that the reference names for each type.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.assistance.words import find_type, list_types
from evaluator.types import Type, find_builtin_type
from evaluator.values import Value
from lexer_parser.dialect import Dialect
from lexer_parser.memo import memoize

# types that hold what lies in several places of the tree
UNIONS = ("Data", "RichData", "Iterable", "NotUndef", "Optional", "Variant", "Init", "RichDataKey")


@memoize(owner="one result")
def read_hierarchy() -> dict[str, tuple[str, ...]]:
    """Return each type with the types right below it, in the order of the reference.

    A type is below the first of its supertypes that has a place itself, else below Any. A type without supertypes in
    the reference has no place.
    """
    told = [words for name in list_types() if (words := find_type(name)) and name not in UNIONS]
    placed = {words.name: words.under for words in told if words.under}
    found: dict[str, tuple[str, ...]] = {}
    for name, parents in placed.items():
        parent = next((one for one in parents if one in placed), "Any")
        found[parent] = (*found.get(parent, ()), name)
    return found


def find_holding_types(value: Value, dialect: Dialect) -> set[str]:
    """Return the types of the tree, and unions, of which a value is an instance in a dialect."""
    return {name for name, known in _iterate_types(dialect) if known.instance(value)}


def find_wider_types(inner: Type, dialect: Dialect) -> set[str]:
    """Return the types of the tree, and unions, that include every value of a type.

    Without parameters Enum and Pattern are as wide as String: they count for their own kind only.
    """
    above = {
        name: find_builtin_type(outer, dialect) for outer, names in read_hierarchy().items() for name in names
    }
    found = set()
    for name, known in _iterate_types(dialect):
        outer = above.get(name)
        is_narrower = outer is None or not known.assignable(outer)
        if known.assignable(inner) and (is_narrower or name == inner.simple_name):
            found.add(name)
    return found


def _iterate_types(dialect: Dialect) -> Iterator[tuple[str, Type]]:
    for name in {name for names in read_hierarchy().values() for name in names} | {"Any", *UNIONS}:
        found = find_builtin_type(name, dialect)
        if found is not None:
            yield name, found
