"""Type aliases and references by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.types.base import Memo, Type, accepts
from evaluator.types.predicates import Code
from evaluator.values.printing import quoted


class TypeAlias(Type):
    """`type Name = Type`: another name for a type.

    resolved  the type, or a function that gives it when it is first needed; so an alias may refer to itself
    builtin   true for Data, RichData …, which print as their name only
    """

    __slots__ = ("_definition", "_resolved", "builtin", "title")
    keyword = "TypeAlias"
    composite = True

    def __init__(self, name: str, resolved: Type | Callable[[], Type], builtin: bool = False) -> None:
        self.title = name
        self.builtin = builtin
        self._definition = resolved
        self._resolved: Type | None = resolved if isinstance(resolved, Type) else None

    @property
    def resolved(self) -> Type:
        """The type it stands for. Raises Failure for an alias that only refers to itself."""
        if self._resolved is None:
            assert not isinstance(self._definition, Type)
            self._resolved = self
            try:
                self._resolved = self._definition()
            except BaseException:
                self._resolved = None
                raise
            if self._resolved is self:
                self._resolved = None
                raise self.unresolvable()
        return self._resolved

    def unresolvable(self) -> Failure:
        """The error of an alias that stands for nothing but itself."""
        return Failure(f"Type alias '{self.title}' cannot be resolved to a real type")

    def parts(self) -> tuple[Any, ...]:
        return (self.title, self.builtin)

    @property
    def simple_name(self) -> str:
        return self.title

    def inner(self) -> str:
        return self.title if _expanding is None else self._spelled_out(_expanding)

    def _spelled_out(self, open: set[str]) -> str:
        """Name and definition; the name alone inside its own definition."""
        if self.builtin or self.title in open:
            return self.title
        open.add(self.title)
        try:
            return f"{self.title} = {self.resolved.inner()}"
        finally:
            open.discard(self.title)

    def __str__(self) -> str:
        return self.title if self.builtin else f"{self.title} = {self.resolved}"

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def _holds(self, value: Any) -> bool:
        return self.resolved.instance(value)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return accepts(self.resolved, actual, memo)

    def accepted_by(self, expected: Type, memo: Memo) -> bool:
        return accepts(expected, self.resolved, memo)

    def element_type(self) -> Type | None:
        return self.resolve().element_type()

    def iteration(self) -> Any:
        return self.resolve().iteration()

    def resolve(self) -> Type:
        return self.resolved.resolve()


_expanding: set[str] | None = None


def expanded(type: Type) -> str:
    """The source form with all aliases spelled out: `Array[A = Integer[1, 5]]`."""
    global _expanding
    if _expanding is not None:
        return type.inner()
    _expanding = set()
    try:
        return type.inner()
    finally:
        _expanding = None


class TypeReference(Type):
    """TypeReference['Foo']: a name that stands for no type that is known."""

    __slots__ = ("text",)
    keyword = "TypeReference"

    def __init__(self, text: str = "UnresolvedReference") -> None:
        self.text = text

    def parts(self) -> tuple[Any, ...]:
        return (self.text,)

    def arguments(self) -> list[str]:
        return [quoted(self.text)]

    def test_source(self, variable: str, code: Code) -> str:
        return "False"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return self == actual
