"""Collection, Array and Tuple."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.issues import error
from evaluator.types.arguments import arity
from evaluator.types.base import ANY, UNIT, Memo, Type, accepts, map_types
from evaluator.types.issues import cannot_use, size_words
from evaluator.types.numbers import INTEGER
from evaluator.types.predicates import Code, both
from evaluator.types.sizes import UNBOUNDED, Size, size_from, size_text, size_within, trailing_size
from evaluator.types.variants import variant
from evaluator.values import kind as kinds
from evaluator.values.host_classes import host_class
from evaluator.values.printing import an_upper
from evaluator.values.sharing import flat
from lexer_parser.dialect import Dialect

EMPTY: Size = (0, 0)
UNROLLED = 32


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

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        arguments = flat(arguments)
        if not 1 <= len(arguments) <= 2:
            raise arity("Collection-Type", "1 to 2 arguments", len(arguments))
        return CollectionType(size_from(arguments, 1))


class ArrayType(CollectionType):
    """Array[element, min, max]. `bare` tells whether it is spelled without parameters."""

    __slots__ = ("bare", "element")
    keyword = "Array"
    makes = kinds.ARRAY
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
        if not isinstance(actual, ArrayType | TupleType) or not size_within(actual.extent, self.size):
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

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        arguments = flat(arguments)
        if not 1 <= len(arguments) <= 3:
            raise arity("Array-Type", "1 to 3 arguments", len(arguments))
        element, rest, first = arguments[0], arguments[1:], 2
        sized = len(arguments) == 2 and not isinstance(element, Type)
        if sized and (not dialect.type_parameters or arguments == [0, 0]):
            element, rest, first = ANY, arguments, 1
        if not isinstance(element, Type):
            raise error("BAD_TYPE_SLICE_TYPE", operand=1, type="Array-Type", actual=host_class(element))
        if dialect.type_parameters and rest and rest[0] == INTEGER:  # a second type, where a range is a size
            raise error("BAD_COLLECTION_SLICE_TYPE", operand=first, actual=size_words(rest[0]))
        size = size_from(rest, first) if rest else None
        if size == EMPTY:
            return EMPTY_ARRAY
        return ArrayType(element, size, bare=False if dialect.data_model else None)


class TupleType(CollectionType):
    """Tuple[T1, T2, min, max]: the last type repeats; a bare one (`types` is None) takes any array."""

    __slots__ = ("types",)
    keyword = "Tuple"
    makes = kinds.ARRAY
    composite = True

    def __init__(self, types: Iterable[Type] | None = None, size: Size | None = None) -> None:
        self.types = None if types is None else tuple(types)
        self.size = size

    def parts(self) -> tuple[Any, ...]:
        return (self.types, self.size)

    def arguments(self) -> list[str]:
        return [type.inner() for type in self.types or ()] + size_text(self.size)

    @property
    def extent(self) -> Size:
        return self.size or (len(self.types or ()), len(self.types or ()))

    def at(self, index: int) -> Type:
        """The type of the element at an index."""
        if not self.types:
            return ANY
        return self.types[min(index, len(self.types) - 1)]

    def element_types(self) -> tuple[Type, ...]:
        if not self.types:
            return () if self.size is None else (ANY,)
        return self.types

    def test_source(self, variable: str, code: Code) -> str:
        size = None if self.types is None and self.size is None else self.extent
        kind = both(f"type({variable}) is list", code.size(variable, size))
        types = self.types or ()
        tests = [type.test_source("e", code) for type in types]
        if all(test == "True" for test in tests):
            return kind
        low, high = self.extent
        body = ["n = len(v)"] if low < len(types) else []
        if len(types) <= UNROLLED:
            for index, test in enumerate(tests):
                if index >= low:
                    body.append(f"if n == {index}: return True")
                body += [f"e = v[{index}]", f"if not {test}: return False"]
        else:
            checks = code.bind([type.instance for type in types])
            body += [f"for e, t in zip(v, {checks}):", "    if not t(e): return False"]
        if high is None or high > len(types):
            body += [f"for e in v[{len(types)}:]:", f"    if not {tests[-1]}: return False"]
        check = code.function([*body, "return True"])
        return f"({kind} and {check}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, ArrayType | TupleType):
            return False
        if not self.types and self.size is None:
            return True
        extent = actual.extent
        if isinstance(actual, TupleType) and not actual.types and actual.size is None:
            extent = UNBOUNDED
        if not size_within(extent, self.extent):
            return False
        if not self.types:
            return True
        high = actual.extent[1]
        if isinstance(actual, ArrayType):
            return all(accepts(type, actual.element, memo) for type in self.types[:high])
        # each type that `actual` names is compared once, also one past its size, and a repeated last one
        return all(accepts(self.at(index), type, memo) for index, type in enumerate(actual.types or ()))

    def element_type(self) -> Type | None:
        return variant(self.types) if self.types else ANY

    def generalize(self) -> Type:
        if self.types is None:
            return self
        return TupleType(map_types(self.types, lambda type: type.generalize()), self.size)

    def normalize(self) -> Type:
        if self.types is None:
            return self
        return TupleType(map_types(self.types, lambda type: type.normalize()), self.size)

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        arguments = flat(arguments)
        types, size = trailing_size(arguments)
        if not types:
            raise arity(an_upper(f"{self}-Type"), "1 or more arguments", 0)
        for index, argument in enumerate(types):
            if not isinstance(argument, Type):
                raise cannot_use(f"{self}-Type", argument, "Any-Type", 1 + index)
        return TupleType(types, size)


COLLECTION = CollectionType()
ARRAY = ArrayType()
EMPTY_ARRAY = ArrayType(UNIT, EMPTY)
TUPLE = TupleType()
