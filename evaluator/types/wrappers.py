"""Types about one other type: Type[T], Sensitive[T], Iterable[T], Iterator[T]."""

from __future__ import annotations

from typing import Any

from evaluator.types.arguments import as_type, one
from evaluator.types.base import ANY, RULES, Memo, Type, accepts
from evaluator.types.numbers import IntegerType
from evaluator.types.predicates import Code
from evaluator.types.strings import EnumType
from evaluator.values import kind as kinds
from evaluator.values.core import PuppetIterator, Sensitive
from lexer_parser.dialect import PUPPET, Dialect


class TypeType(Type):
    """Type[T]: the types that T accepts."""

    __slots__ = ("type",)
    keyword = "Type"
    makes = kinds.TYPE
    composite = True

    def __init__(self, type: Type | None = None) -> None:
        self.type = type

    def parts(self) -> tuple[Any, ...]:
        return (self.type,)

    def arguments(self) -> list[str]:
        return [] if self.type is None else [self.type.inner()]

    def _holds(self, value: Any) -> bool:
        return isinstance(value, Type) and (self.type is None or self.type.assignable(value))

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, TypeType):
            return False
        return self.type is None or (actual.type is not None and accepts(self.type, actual.type, memo))

    def element_type(self) -> Type | None:
        inner = None if self.type is None else self.type.resolve()
        if not isinstance(inner, IntegerType | EnumType) or inner.iteration() is None:
            return None
        return inner if inner is self.type else ANY  # an alias does not tell what it iterates over

    def generalize(self) -> Type:
        return self if self.type is None else TypeType(self.type.generalize())

    def normalize(self) -> Type:
        return self if self.type is None else TypeType(self.type.normalize())

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        label = f"{self.keyword}-Type"
        return type(self)(as_type(label, one(label, arguments)))


class SensitiveType(Type):
    """Sensitive[T]: sensitive values by what they hold. T loses its value and size parameters."""

    __slots__ = ("type",)
    keyword = "Sensitive"
    makes = kinds.SENSITIVE
    composite = True

    def __init__(self, type: Type = ANY) -> None:
        self.type = type.generalize()

    def parts(self) -> tuple[Any, ...]:
        return (self.type,)

    def arguments(self) -> list[str]:
        return [] if self.type is ANY else [self.type.inner()]

    def _holds(self, value: Any) -> bool:
        return type(value) is Sensitive and self.type.instance(value.value)

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, SensitiveType) and accepts(self.type, actual.type, memo)

    def generalize(self) -> Type:
        return SensitiveType(self.type)

    def normalize(self) -> Type:
        found = SensitiveType()
        found.type = (
            self.type.normalize()
        )  # as it is: what generalizing has left of an Enum would lose its size
        return found

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        label = f"{self.keyword}-Type"
        return type(self)(as_type(label, one(label, arguments)))


class IterableType(Type):
    """Iterable[T]: what can be iterated and yields instances of T."""

    __slots__ = ("type",)
    keyword = "Iterable"
    composite = True

    def __init__(self, type: Type | None = None) -> None:
        self.type = type

    def parts(self) -> tuple[Any, ...]:
        return (self.type,)

    def arguments(self) -> list[str]:
        return [] if self.type is None else [self.type.inner()]

    def _holds(self, value: Any) -> bool:
        """Of any element, what can be iterated; else by the inferred type, which unites the types of elements."""
        kind = type(value)
        if self.type is None or self.type.assignable(ANY):
            if kind is list or kind is dict:
                return True
            if kind is int and value < 0:
                return False
        return self.assignable(RULES.infer(value, PUPPET))

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        element = actual.element_type()
        return element is not None and (self.type is None or accepts(self.type, element, memo))

    def hides(self, actual: Type) -> bool:
        return type(self) is IterableType and ITERABLE.assignable(actual)

    def element_type(self) -> Type | None:
        return self.type or ANY

    def generalize(self) -> Type:
        return self if self.type is None else type(self)(self.type.generalize())

    def normalize(self) -> Type:
        return self if self.type is None else type(self)(self.type.normalize())

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        label = f"{self.keyword}-Type"
        return type(self)(as_type(label, one(label, arguments)))


class IteratorType(IterableType):
    """Iterator[T]: iterators that yield instances of T."""

    __slots__ = ()
    keyword = "Iterator"

    def _holds(self, value: Any) -> bool:
        if type(value) is not PuppetIterator:
            return False
        return self.type is None or self.type.assignable(value.element_type or ANY)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, IteratorType) and (
            self.type is None or (actual.type is not None and accepts(self.type, actual.type, memo))
        )


TYPE = TypeType()
SENSITIVE = SensitiveType()
ITERABLE = IterableType()
ITERATOR = IteratorType()
