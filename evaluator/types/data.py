"""Data, RichData and RichDataKey, and the specification's Data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.types.aliases import TypeAlias
from evaluator.types.arrays import ArrayType
from evaluator.types.base import DEFAULT, NUMERIC, SCALAR, SCALAR_DATA, UNDEF, Type
from evaluator.types.hashes import HashType
from evaluator.types.predicates import Code
from evaluator.types.strings import STRING
from evaluator.types.variants import VariantType
from evaluator.types.wrappers import SENSITIVE, TYPE
from evaluator.values.core import keys
from evaluator.values.sharing import CONTAINERS, MANY, is_shared


class DataAlias(TypeAlias):
    """An alias of nested data. Its test is a loop: values may be nested deeper than Python can call.

    leaf, key  tests of what is neither array nor hash, and of hash keys
    """

    __slots__ = ("key", "leaf")

    def __init__(
        self, name: str, definition: Callable[[], Type], leaf: Callable[[], Type], key: Callable[[], Type]
    ) -> None:
        super().__init__(name, definition, builtin=True)
        self.leaf = leaf
        self.key = key

    def test_source(self, variable: str, code: Code) -> str:
        leaf, key = self.leaf().instance, self.key().instance

        def holds(value: Any) -> bool:
            pending = [value]
            seen = set()
            looked_at = 0
            while pending:
                item = pending.pop()
                kind = type(item)
                if kind in CONTAINERS:
                    looked_at += 1
                    if looked_at > MANY and is_shared(item):
                        if id(item) in seen:
                            continue
                        seen.add(id(item))
                    if kind is list:
                        pending += item
                    elif not all(map(key, keys(item))):
                        return False
                    else:
                        pending += item.values()
                elif not leaf(item):
                    return False
            return True

        return f"{code.bind(holds)}({variable})"


def _data() -> Type:
    return VariantType((SCALAR_DATA, UNDEF, HashType(STRING, DATA), ArrayType(DATA)))


def _specified_data() -> Type:
    return VariantType((SCALAR, UNDEF, HashType(SCALAR, SPECIFIED_DATA), ArrayType(SPECIFIED_DATA)))


def _rich_leaf() -> Type:
    from evaluator.types import (  # half of all types: a longer start
        binaries,
        objects,
        typesets,
        uris,
        versions,
    )

    rich = (
        versions.SEMVER_RANGE,
        binaries.BINARY,
        SENSITIVE,
        TYPE,
        typesets.TYPE_SET,
        uris.URI,
        objects.OBJECT,
    )
    return VariantType((SCALAR, *rich, UNDEF, DEFAULT))


def _rich_data() -> Type:
    leaf = _rich_leaf()
    assert isinstance(leaf, VariantType)
    return VariantType((*leaf.types, HashType(RICH_DATA_KEY, RICH_DATA), ArrayType(RICH_DATA)))


RICH_DATA_KEY = TypeAlias("RichDataKey", VariantType((STRING, NUMERIC)), builtin=True)
DATA = DataAlias("Data", _data, lambda: VariantType((SCALAR_DATA, UNDEF)), lambda: STRING)
SPECIFIED_DATA = DataAlias("Data", _specified_data, lambda: VariantType((SCALAR, UNDEF)), lambda: SCALAR)
RICH_DATA = DataAlias("RichData", _rich_data, _rich_leaf, lambda: RICH_DATA_KEY)
