"""Scalar, ScalarData, Numeric and Boolean."""

from __future__ import annotations

from evaluator.types.base import Memo, Type, make_arity_error, make_usage_error
from evaluator.types.predicates import TestCode
from evaluator.values import kind as kinds
from evaluator.values.dag import flat
from evaluator.values.kind import Value, kind_of
from evaluator.values.printing import with_capital_article
from lexer_parser.dialect import Dialect


class ScalarType(Type):
    """Scalar: numbers, strings, booleans, regexps, times and versions."""

    __slots__ = ()
    keyword = "Scalar"

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"({_write_kind_test(variable, code, bool, str, int, float)} or {code.bind(is_rich_scalar)}({variable}))"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, ScalarType)


class FormerLiteralType(ScalarType):
    """The specification's old name `Literal` for Scalar."""

    __slots__ = ()
    keyword = "Literal"


class ScalarDataType(ScalarType):
    """ScalarData: Integer, Float, String and Boolean."""

    __slots__ = ()
    keyword = "ScalarData"

    def write_test(self, variable: str, code: TestCode) -> str:
        return _write_kind_test(variable, code, bool, str, int, float)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, ScalarDataType)


class NumericType(ScalarDataType):
    """Numeric: Integer and Float."""

    __slots__ = ()
    keyword = "Numeric"
    instance_kind = kinds.NUMERIC

    def write_test(self, variable: str, code: TestCode) -> str:
        return _write_kind_test(variable, code, int, float)

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, NumericType)


def _write_kind_test(variable: str, code: TestCode, *kinds: type) -> str:
    return f"type({variable}) in {code.bind(frozenset(kinds))}"


def is_rich_scalar(value: Value) -> bool:
    """Return True for a scalar of a class of ours: a Regexp, a time, a version."""
    return kind_of(value).scalar


SCALAR = ScalarType()
SCALAR_DATA = ScalarDataType()
NUMERIC = NumericType()


# --- Boolean


class BooleanType(ScalarDataType):
    """Boolean, or Boolean[true] and Boolean[false]."""

    __slots__ = ("value",)
    keyword = "Boolean"
    instance_kind = kinds.BOOLEAN

    def __init__(self, value: bool | None = None) -> None:
        self.value = value

    def parts(self) -> tuple[object, ...]:
        return (self.value,)

    def arguments(self) -> list[str]:
        return [] if self.value is None else [str(self.value).lower()]

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"type({variable}) is bool" if self.value is None else f"{variable} is {self.value}"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, BooleanType) and self.value in (None, actual.value)

    def generalize(self) -> Type:
        return BOOLEAN

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flat(arguments)
        if len(arguments) != 1:
            raise make_arity_error(with_capital_article(f"{self}-Type"), "1 argument", len(arguments))
        if type(arguments[0]) is not bool:
            raise make_usage_error(f"{self}-Type", arguments[0], "TrueClass or FalseClass", 1)
        return TRUE if arguments[0] else FALSE


BOOLEAN = BooleanType()
TRUE = BooleanType(True)
FALSE = BooleanType(False)
