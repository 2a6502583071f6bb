"""SemVer and SemVerRange."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator.types.base import Memo, Type, arity, cannot_use
from evaluator.types.predicates import Code
from evaluator.types.scalars import ScalarType
from evaluator.values import kind as kinds
from evaluator.values.dag import flat
from evaluator.values.printing import quoted, with_capital_article
from evaluator.values.versions import SemVer, SemVerRange
from lexer_parser.dialect import Dialect


class SemVerType(ScalarType):
    """SemVer, or SemVer['1.x', …]: versions in one of the ranges."""

    __slots__ = ("ranges",)
    keyword = "SemVer"
    makes = kinds.SEMVER

    def __init__(self, ranges: Iterable[Any] = ()) -> None:
        self.ranges = tuple(ranges)

    def parts(self) -> tuple[Any, ...]:
        return (self.ranges if len(self.ranges) == 1 else (self._whole(),) if self.ranges else (),)

    def arguments(self) -> list[str]:
        return [quoted(covered.text()) for covered in self.ranges]

    def _holds(self, value: Any) -> bool:
        return type(value) is SemVer and (
            not self.ranges or any(covered.includes(value) for covered in self.ranges)
        )

    def test_source(self, variable: str, code: Code) -> str:
        return f"{code.bind(self._holds)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, SemVerType):
            return False
        if not self.ranges:
            return True
        return bool(actual.ranges) and self._whole().covers(actual._whole())

    def _whole(self) -> SemVerRange:
        """All ranges as one, in which those that overlap or touch are joined."""
        return SemVerRange([interval for each in self.ranges for interval in each.intervals])

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        arguments = flat(arguments)
        if not arguments:
            raise arity(with_capital_article(f"{self}-Type"), "1 or more arguments", 0)
        for index, argument in enumerate(arguments):
            if type(argument) is not str and type(argument) is not SemVerRange:
                raise cannot_use(
                    f"{self}-Type", argument, "String or SemanticPuppet::VersionRange", 1 + index
                )
        ranges = [SemVerRange.parse(given) if type(given) is str else given for given in arguments]
        return SemVerType(ranges)


def version_type(version: SemVer) -> SemVerType:
    """The type of just this version."""
    return SemVerType([SemVerRange.parse(f"{version.text()} - {version.text()}")])


class SemVerRangeType(ScalarType):
    """SemVerRange."""

    __slots__ = ()
    keyword = "SemVerRange"
    makes = kinds.SEMVER_RANGE

    def test_source(self, variable: str, code: Code) -> str:
        return f"type({variable}) is {code.bind(SemVerRange)}"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return isinstance(actual, SemVerRangeType)


SEMVER = SemVerType()
SEMVER_RANGE = SemVerRangeType()
