"""SemVers and SemVerRanges: how they are made of other values, and their order."""

from __future__ import annotations

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure, error
from evaluator.kinds.operand_errors import make_left_refusal, make_operand_error
from evaluator.types import rich_data as types
from evaluator.values.core import DEFAULT
from evaluator.values.kind import FLOAT, INTEGER, SEMVER, SEMVER_RANGE, TIMESPAN, Arithmetic, KindOrder, Value
from evaluator.values.versions import SemVer, SemVerRange

_POSITIVE = "PositiveInteger = Integer[0]"
_QUALIFIER = r"SemVerQualifier = Pattern[/\A(?<part>[0-9A-Za-z-]+)(?:\.\g<part>)*\Z/]"
_VERSION = (
    r"SemVerPattern = Pattern[/\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z/]"
)
_VERSION_HASH = (
    f"SemVerHash = Struct[{{'major' => {_POSITIVE}, 'minor' => {_POSITIVE}, 'patch' => {_POSITIVE},"
    f" Optional['prerelease'] => {_QUALIFIER}, Optional['build'] => {_QUALIFIER}}}]"
)
_BOUND = "Variant[Default, SemVer]"
_RANGE_HASH = (
    f"SemVerRangeHash = Struct[{{'min' => {_BOUND}, Optional['max'] => {_BOUND},"
    " Optional['exclude_max'] => Boolean}]"
)


def _make_version(
    major: int, minor: int, patch: int, prerelease: str | None = None, build: str | None = None
) -> SemVer:
    return SemVer(major, minor, patch, prerelease, build)


def _make_range(low: Value, high: Value = DEFAULT, exclude_max: bool = False) -> SemVerRange:
    return SemVerRange.between(
        None if low is DEFAULT else low, None if high is DEFAULT else high, exclude_max
    )


_SEMVER = Constructor(
    "new_Version",
    ([(_VERSION, "str", "")], SemVer.parse),
    (
        [
            (_POSITIVE, "major", ""),
            (_POSITIVE, "minor", ""),
            (_POSITIVE, "patch", ""),
            (_QUALIFIER, "prerelease", "?"),
            (_QUALIFIER, "build", "?"),
        ],
        _make_version,
    ),
    ([(_VERSION_HASH, "hash_args", "")], lambda given: _make_version(**given)),
)
_SEMVER_RANGE = Constructor(
    "new_VersionRange",
    ([("SemVerRangeString = String[1]", "str", "")], SemVerRange.parse),
    ([(_BOUND, "min", ""), (_BOUND, "max", ""), ("Boolean", "exclude_max", "?")], _make_range),
    (
        [(_RANGE_HASH, "hash_args", "")],
        lambda given: _make_range(given["min"], given.get("max", DEFAULT), given.get("exclude_max", False)),
    ),
)


def _convert_to_semver(args: list[Value]) -> Value:
    """`SemVer(text)`, `SemVer(major, minor, patch, prerelease?, build?)`, `SemVer({…})`."""
    if len(args) == 1 and type(args[0]) is str:
        try:
            return SemVer.parse(args[0])
        except Failure as failure:
            if failure.code != "NO_VERSION":
                raise
            raise Failure("CONVERSION", function="new_Version", value=args[0], type="a SemVer") from None
    return _SEMVER(args)


# --- operators: a version cannot be calculated with, and each case has its own words
def _refuse_float(left: Value, right: Value) -> Value:
    raise Failure("NO_CONVERSION", actual="SemanticPuppet::Version", type="Float")


def _refuse_modulo(left: SemVer, right: int) -> Value:
    raise error("DIV_BY_ZERO", operand=1) if right == 0 else make_operand_error("%", left)


def _compare(left: Value, right: Value) -> int:
    if type(left) is not type(right):
        _refuse_float(left, right)
    return int(right < left) - int(left < right)


_ARITHMETIC: Arithmetic = {
    **{(operator, SEMVER, SEMVER): make_left_refusal(operator) for operator in "+-*/%"},
    **{
        (operator, SEMVER, number): make_left_refusal(operator)
        for operator in "+-*/"
        for number in (INTEGER, FLOAT)
    },
    **{(operator, number, SEMVER): _refuse_float for operator in "+-*/" for number in (INTEGER, FLOAT)},
    ("-", SEMVER, TIMESPAN): make_left_refusal("-"),
    ("%", SEMVER, INTEGER): _refuse_modulo,
    ("%", INTEGER, SEMVER): _refuse_float,
}
SEMVER.set_rules(
    infer=lambda value, dialect: types.SEMVER,
    infer_detailed=lambda value, dialect: types.make_version_type(value),
    new=New(_SEMVER, _convert_to_semver),
    arithmetic=_ARITHMETIC,
    negate=lambda value: _refuse_float(None, value),
    order=KindOrder((SEMVER,), "Versions not comparable to non Versions", _compare),
)
SEMVER_RANGE.set_rules(infer=lambda value, dialect: types.SEMVER_RANGE, new=New(_SEMVER_RANGE))
