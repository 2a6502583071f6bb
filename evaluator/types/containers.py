"""Collection, Array and Hash."""

from __future__ import annotations

from typing import Any

from evaluator.types.base import ANY, UNIT, Memo, Type, accepts
from evaluator.types.predicates import Code, both
from evaluator.types.strings import Size, size_text, size_within

EMPTY: Size = (0, 0)


class CollectionType(Type):
    """Collection[min, max]: arrays and hashes by size."""

    __slots__ = ("size",)
    keyword = "Collection"

    def __init__(self, size: Size | None = None) -> None:
        self.size = size

    def parts(self) -> tuple[Any, ...]:
        return (self.size,)

    def arguments(self) -> list[str]:
        return size_text(self.size)

    @property
    def extent(self) -> Size:
        """How many elements its instances have."""
        return self.size or (0, None)

    def test_source(self, variable: str, code: Code) -> str:
        return both(f"type({variable}) in {code.bind((list, dict))}", code.size(variable, self.size))

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, CollectionType) and size_within(actual.extent, self.size)

    def element_type(self) -> Type | None:
        return ANY

    def generalize(self) -> Type:
        return COLLECTION

    def normalize(self) -> Type:
        return COLLECTION  # without its size, in the released Puppet


class ArrayType(CollectionType):
    """Array[element, min, max]. `bare` tells whether it is spelled without parameters."""

    __slots__ = ("bare", "element")
    keyword = "Array"
    composite = True

    def __init__(self, element: Type = ANY, size: Size | None = None, bare: bool | None = None) -> None:
        self.element = element
        self.size = size
        self.bare = (element is ANY and size is None) if bare is None else bare

    def parts(self) -> tuple[Any, ...]:
        return (self.element, self.size)

    def arguments(self) -> list[str]:
        if self.bare:
            return []
        return size_text(self.size) if self.size == EMPTY else [self.element.inner(), *size_text(self.size)]

    def test_source(self, variable: str, code: Code) -> str:
        kind = both(f"type({variable}) is list", code.size(variable, self.size))
        if self.size == EMPTY:
            return kind
        element = self.element.test_source("e", code)
        if element == "True":
            return kind
        check = code.function(["for e in v:", f"    if not {element}: return False", "return True"])
        return f"({kind} and {check}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, ArrayType | TupleBase) or not size_within(actual.extent, self.size):
            return False
        if isinstance(actual, ArrayType):
            return actual.size == EMPTY or accepts(self.element, actual.element, memo)
        return all(accepts(self.element, type, memo) for type in actual.element_types())

    def element_type(self) -> Type | None:
        return UNIT if self.size == EMPTY else self.element

    def generalize(self) -> Type:
        if self.element is ANY:
            return ARRAY
        return ArrayType(self.element.generalize())

    def normalize(self) -> Type:
        element = self.element.normalize()
        return self if element == self.element else ArrayType(element, self.size)


class TupleBase(CollectionType):
    """What Array needs to know of Tuple."""

    __slots__ = ()

    def element_types(self) -> tuple[Type, ...]:
        """The types that an element may have."""
        raise NotImplementedError


class StructBase(CollectionType):
    """What Hash needs to know of Struct; `any` is true for one that takes every hash."""

    __slots__ = ("any",)

    any: bool

    def entry_types(self) -> list[tuple[Type, Type]]:
        """The key type and value type of each member."""
        raise NotImplementedError


class HashType(CollectionType):
    """Hash[key, value, min, max]."""

    __slots__ = ("bare", "key_type", "value_type")
    keyword = "Hash"
    composite = True

    def __init__(
        self, key_type: Type = ANY, value_type: Type = ANY, size: Size | None = None, bare: bool | None = None
    ) -> None:
        self.key_type = key_type
        self.value_type = value_type
        self.size = size
        self.bare = (key_type is ANY and value_type is ANY and size is None) if bare is None else bare

    def parts(self) -> tuple[Any, ...]:
        return (self.key_type, self.value_type, self.size)

    def arguments(self) -> list[str]:
        if self.bare:
            return []
        if self.size == EMPTY:
            return size_text(self.size)
        return [self.key_type.inner(), self.value_type.inner(), *size_text(self.size)]

    def test_source(self, variable: str, code: Code) -> str:
        kind = both(f"type({variable}) is dict", code.size(variable, self.size))
        if self.size == EMPTY:
            return kind
        key_test, value_test = self.key_type.test_source("k", code), self.value_type.test_source("e", code)
        test = both(key_test, value_test)
        if test == "True":
            return kind
        from evaluator.values import Key

        wrapper = code.bind(Key)
        plain = (
            [] if key_test in ("True", "type(k) is str") else [f"    if type(k) is {wrapper}: k = k.value"]
        )
        check = code.function(
            ["for k, e in v.items():", *plain, f"    if not {test}: return False", "return True"]
        )
        return f"({kind} and {check}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if isinstance(actual, HashType):
            if not size_within(actual.extent, self.size):
                return False
            if actual.size == EMPTY:
                return True
            return accepts(self.key_type, actual.key_type, memo) and accepts(
                self.value_type, actual.value_type, memo
            )
        if not isinstance(actual, StructBase) or not size_within(actual.extent, self.size):
            return False
        return (self.bare and actual.any) or all(
            accepts(self.key_type, key, memo) and accepts(self.value_type, value, memo)
            for key, value in actual.entry_types()
        )

    def element_type(self) -> Type | None:
        from evaluator.types.structures import TupleType

        if self.size == EMPTY or (self.bare and self.key_type is ANY):
            return TupleType((UNIT, UNIT))
        return TupleType((self.key_type, self.value_type))

    def generalize(self) -> Type:
        if self.bare or self.size == EMPTY:
            return self
        return HashType(self.key_type.generalize(), self.value_type.generalize())

    def normalize(self) -> Type:
        key_type, value_type = self.key_type.normalize(), self.value_type.normalize()
        if key_type == self.key_type and value_type == self.value_type:
            return self
        return HashType(key_type, value_type, self.size)


COLLECTION = CollectionType()
ARRAY = ArrayType()
HASH = HashType()
EMPTY_ARRAY = ArrayType(UNIT, EMPTY)
EMPTY_HASH = HashType(UNIT, UNIT, EMPTY)
