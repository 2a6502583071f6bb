"""SemVer and SemVerRange."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.types.base import Memo, Type, make_arity_error, make_usage_error
from evaluator.types.predicates import TestCode
from evaluator.types.scalars import ScalarType
from evaluator.values import kind as kinds
from evaluator.values.dag import flat
from evaluator.values.kind import Value
from evaluator.values.printing import quoted, with_capital_article
from evaluator.values.versions import SemVer, SemVerRange
from lexer_parser.dialect import Dialect


class SemVerType(ScalarType):
    """SemVer, or SemVer['1.x', …]: versions in one of the ranges."""

    __slots__ = ("ranges",)
    keyword = "SemVer"
    instance_kind = kinds.SEMVER

    def __init__(self, ranges: Iterable[Any] = ()) -> None:
        self.ranges = tuple(ranges)

    def parts(self) -> tuple[object, ...]:
        return (self.ranges if len(self.ranges) == 1 else (self._to_single_range(),) if self.ranges else (),)

    def arguments(self) -> list[str]:
        return [quoted(covered.text()) for covered in self.ranges]

    def _is_instance(self, value: Value) -> bool:
        return type(value) is SemVer and (
            not self.ranges or any(covered.includes(value) for covered in self.ranges)
        )

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"{code.bind(self._is_instance)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, SemVerType):
            return False
        if not self.ranges:
            return True
        return bool(actual.ranges) and self._to_single_range().covers(actual._to_single_range())

    def _to_single_range(self) -> SemVerRange:
        """Return all ranges as one, in which those that overlap or touch are joined."""
        return SemVerRange([interval for each in self.ranges for interval in each.intervals])

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        arguments = flat(arguments)
        if not arguments:
            raise make_arity_error(with_capital_article(f"{self}-Type"), "1 or more arguments", 0)
        for index, argument in enumerate(arguments):
            if type(argument) is not str and type(argument) is not SemVerRange:
                raise make_usage_error(
                    f"{self}-Type", argument, "String or SemanticPuppet::VersionRange", 1 + index
                )
        ranges = [SemVerRange.parse(given) if type(given) is str else given for given in arguments]
        return SemVerType(ranges)


def make_version_type(version: SemVer) -> SemVerType:
    """Return the type of just this version."""
    return SemVerType([SemVerRange.parse(f"{version.text()} - {version.text()}")])


class SemVerRangeType(ScalarType):
    """SemVerRange."""

    __slots__ = ()
    keyword = "SemVerRange"
    instance_kind = kinds.SEMVER_RANGE

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"type({variable}) is {code.bind(SemVerRange)}"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, SemVerRangeType)


SEMVER = SemVerType()
SEMVER_RANGE = SemVerRangeType()
