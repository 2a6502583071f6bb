"""Init: what a type's `new` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.types.base import Memo, Type, accepts
from evaluator.types.numbers import INTEGER
from evaluator.types.predicates import Code


class InitType(Type):
    """Init[T, args…]: values that `T.new(value, args…)` accepts. A bare one takes any value."""

    __slots__ = ("extra", "type")
    keyword = "Init"
    composite = True

    def __init__(self, type: Type | None = None, extra: tuple[Any, ...] = ()) -> None:
        self.type = type
        self.extra = extra

    def parts(self) -> tuple[Any, ...]:
        from evaluator.values import key

        return (self.type, tuple(map(key, self.extra)))

    def arguments(self) -> list[str]:
        from evaluator.values import literal

        return [] if self.type is None else [self.type.inner(), *map(literal, self.extra)]

    def _check(self) -> None:
        """Raises Failure for a type that has no `new` of its own."""
        if self.type is not None and self.type.resolve().keyword not in (*CONSTRUCTORS, "Object", "Type"):
            raise Failure(f"Creation of new instance of type '{self.type}' is not supported")

    def _holds(self, value: Any) -> bool:
        if value is not None:  # that is asked of the types in a Struct, even to print it
            self._check()
        if self.type is None:
            from evaluator.types.data import RICH_DATA

            return RICH_DATA.instance(value)
        if self.type.instance(value):
            return True
        from evaluator.types.inference import infer_detailed

        return self.assignable(infer_detailed(value))

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if isinstance(actual, InitType):
            return self.type is None or (actual.type is not None and accepts(self.type, actual.type, memo))
        if self.type is None:
            from evaluator.types.data import RICH_DATA

            return accepts(RICH_DATA, actual, memo)
        if accepts(self.type, actual, memo):
            return True
        taken = constructor(self.type)
        if taken is None:
            return False
        return taken(actual) or (self.type.assignable(INTEGER) and _takes_arguments(taken, actual))


Taken = Callable[[Type], bool]


def _takes_arguments(taken: Taken, actual: Type) -> bool:
    """True for a list of the one argument that is converted."""
    from evaluator.types.containers import ArrayType
    from evaluator.types.structures import TupleType

    if isinstance(actual, TupleType):
        return len(actual.types or ()) == 1 and actual.extent[0] > 0 and taken(actual.at(0))
    return isinstance(actual, ArrayType) and actual.extent == (1, 1) and taken(actual.element)


def constructor(type: Type) -> Taken | None:
    """A test whether `type.new` takes one argument of a given type; None for types without `new`."""
    from evaluator.types.parsing import parse_type

    text = CONSTRUCTORS.get(type.resolve().keyword)
    if text is None:
        return None
    accepted = parse_type(text)
    return accepted.assignable


_NUMERIC = "Variant[Numeric, Boolean, Timespan, Timestamp, Pattern[/\\A[+-]?\\s*(?:{0})\\z/]]"
_DIGITS = "(?:0|[1-9]\\d*)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+)"
CONSTRUCTORS = {
    "Integer": _NUMERIC.format(_DIGITS),
    "Float": _NUMERIC.format(f"(?:\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)|{_DIGITS}"),
    "Numeric": _NUMERIC.format(f"(?:\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)|{_DIGITS}"),
    "Boolean": "Variant[Integer, Float, Boolean, Enum['false', 'true', 'yes', 'no', 'y', 'n', true]]",
    "String": "Any",
    "Array": "Variant[Array, Hash, Binary, Iterable]",
    "Tuple": "Variant[Array, Hash, Binary, Iterable]",
    "Hash": "Variant[Iterable, Array, Hash]",
    "Struct": "Variant[Iterable, Array, Hash]",
    "Regexp": "Variant[String, Regexp]",
    "Binary": "Variant[String, Array[Integer[0, 255]]]",
    "Timespan": "Variant[Numeric, String, Hash]",
    "Timestamp": "Variant[Numeric, String, Hash]",
    "SemVer": "Variant[String, Hash]",
    "SemVerRange": "Variant[String, Hash]",
    "URI": "Variant[String, Hash]",
    "Sensitive": "Any",
    "Type": "Variant[String, Type]",
}

INIT = InitType()
