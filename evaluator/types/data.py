"""Data, RichData and RichDataKey, the aliases of nested data, and Init."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure, error
from evaluator.types.aliases import AliasType
from evaluator.types.base import DEFAULT, UNDEF, Memo, Type, accepts
from evaluator.types.collections import ArrayType, HashType, TupleType
from evaluator.types.predicates import TestCode
from evaluator.types.scalars import NUMERIC, SCALAR, SCALAR_DATA
from evaluator.types.strings import STRING
from evaluator.types.variants import SENSITIVE, TYPE, VariantType
from evaluator.values import kind as kinds
from evaluator.values.core import key, keys
from evaluator.values.dag import CONTAINERS, MANY, is_worth_memoizing
from evaluator.values.kind import Value
from evaluator.values.printing import literal
from evaluator.values.ruby_classes import get_ruby_class
from lexer_parser.dialect import Dialect


class DataAlias(AliasType):
    """An alias of nested data, tested by a loop: values may be nested deeper than Python can call.

    Attributes:
        leaf: Returns the type of values that are neither array nor hash.
        key: Returns the type of hash keys.
    """

    __slots__ = ("key", "leaf")

    def __init__(
        self, name: str, definition: Callable[[], Type], leaf: Callable[[], Type], key: Callable[[], Type]
    ) -> None:
        super().__init__(name, definition, builtin=True)
        self.leaf = leaf
        self.key = key

    def write_test(self, variable: str, code: TestCode) -> str:
        leaf, key = self.leaf().instance, self.key().instance

        def holds(value: Value) -> bool:
            pending = [value]
            seen = set()
            looked_at = 0
            while pending:
                item = pending.pop()
                kind = type(item)
                if kind in CONTAINERS:
                    looked_at += 1
                    if looked_at > MANY and is_worth_memoizing(item):
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


def _define_data() -> Type:
    return VariantType((SCALAR_DATA, UNDEF, HashType(STRING, DATA), ArrayType(DATA)))


def _define_specified_data() -> Type:
    return VariantType((SCALAR, UNDEF, HashType(SCALAR, SPECIFIED_DATA), ArrayType(SPECIFIED_DATA)))


def _make_rich_leaf() -> Type:
    from evaluator.types import objects, semver, uris  # half of all types: a longer start

    rich = (
        semver.SEMVER_RANGE,
        uris.BINARY,
        SENSITIVE,
        TYPE,
        objects.TYPE_SET,
        uris.URI,
        objects.OBJECT,
    )
    return VariantType((SCALAR, *rich, UNDEF, DEFAULT))


def _define_rich_data() -> Type:
    leaf = _make_rich_leaf()
    assert isinstance(leaf, VariantType)
    return VariantType((*leaf.types, HashType(RICH_DATA_KEY, RICH_DATA), ArrayType(RICH_DATA)))


RICH_DATA_KEY = AliasType("RichDataKey", VariantType((STRING, NUMERIC)), builtin=True)
DATA = DataAlias("Data", _define_data, lambda: VariantType((SCALAR_DATA, UNDEF)), lambda: STRING)
SPECIFIED_DATA = DataAlias(
    "Data", _define_specified_data, lambda: VariantType((SCALAR, UNDEF)), lambda: SCALAR
)
RICH_DATA = DataAlias("RichData", _define_rich_data, _make_rich_leaf, lambda: RICH_DATA_KEY)


# --- Init


class InitType(Type):
    """Init[T, args…]: values that `T.new(value, args…)` accepts. A bare one takes any value.

    Without further arguments an array of all that `T.new` takes is accepted too.
    """

    __slots__ = ("_open", "_taken", "extra", "type")
    keyword = "Init"
    instance_kind = kinds.INIT
    composite = True

    def __init__(self, type: Type | None = None, extra: tuple[Value, ...] = ()) -> None:
        self.type = type
        self.extra = extra
        self._open: set[int] = set()  # the values, by identity, that are being looked at
        self._taken: tuple[tuple[Type, ...], tuple[TupleType, ...]] | None = None

    def parts(self) -> tuple[object, ...]:
        return (self.type, tuple(map(key, self.extra)))

    def arguments(self) -> list[str]:
        return [] if self.type is None else [self.type.inner(), *map(literal, self.extra)]

    def hides_details_of(self, actual: Type) -> bool:
        return True

    def get_accepted_types(self) -> tuple[tuple[Type, ...], tuple[TupleType, ...]]:
        """Return the types of single values, and of arrays of several arguments, that `new` accepts.

        Raises:
            Failure: The type has no `new` of its own, or none that accepts the further arguments.
        """
        if self._taken is None:
            self._taken = self._find_accepted_types()
        return self._taken

    def _find_accepted_types(self) -> tuple[tuple[Type, ...], tuple[TupleType, ...]]:
        assert self.type is not None
        known = kinds.INIT.signatures(self.type)
        if known is None:
            raise Failure("NOT_INSTANTIABLE", type=self.type)
        if not self.extra:
            alone = [each for each in known if (each.min, each.max) == (1, 1)]
            lists = tuple(
                TupleType([parameter.type for parameter in each.parameters], (each.min, each.max))
                for each in known
                if each not in alone
            )
            return tuple(each.parameters[0].type for each in alone), lists
        fitting = [each for each in known if _accepts_extra(each.parameters, each.min, self.extra)]
        if not fitting:
            raise Failure("INIT_NOT_CREATABLE", type=self, created=self.type.generalize())
        return tuple(each.parameters[0].type for each in fitting), ()

    def _is_instance(self, value: Value) -> bool:
        if self.type is None:
            return RICH_DATA.instance(value)
        if id(value) in self._open:  # T may be made of an Init[T]: that way no value becomes one
            return False
        self._open.add(id(value))
        try:
            return self._is_accepted(self.type, value)
        finally:
            self._open.discard(id(value))

    def _is_accepted(self, type: Type, value: Value) -> bool:
        alone, lists = self.get_accepted_types()
        if type.instance(value) or any(kind.instance(value) for kind in alone):
            return True
        given = [value, [value]] if any(kind.extent[0] == 1 for kind in lists) else [value]
        return any(kind.instance(one) for one in given for kind in lists)

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"{code.bind(self._is_instance)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if self.type is None:
            return isinstance(actual, InitType) or accepts(RICH_DATA, actual, memo)
        alone, lists = self.get_accepted_types()
        if isinstance(actual, InitType):
            return actual.type is not None and accepts(self.type, actual.type, memo)
        memo = {**memo, (id(self), id(actual)): (False, self, actual)}  # as `_is_instance` has it
        if accepts(self.type, actual, memo) or any(accepts(kind, actual, memo) for kind in alone):
            return True
        given = [actual, TupleType([actual])] if any(kind.extent[0] == 1 for kind in lists) else [actual]
        return any(accepts(kind, one, memo) for one in given for kind in lists)

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        if not isinstance(arguments[0], Type):
            raise error(
                "BAD_TYPE_SLICE_TYPE", operand=1, type="Init-Type", actual=get_ruby_class(arguments[0])
            )
        return InitType(arguments[0], tuple(arguments[1:]))


def _accepts_extra(parameters: tuple[Any, ...], least: int, extra: tuple[Value, ...]) -> bool:
    """Return True if a value and the further arguments are what the parameters take."""
    if not least <= len(extra) + 1 <= len(parameters):
        return False
    return all(
        parameter.type.instance(value) for parameter, value in zip(parameters[1:], extra, strict=False)
    )


INIT = InitType()
