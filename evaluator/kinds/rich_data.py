"""Versions, times, URIs and binary data: construction, arithmetic, order and formats."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from evaluator.calling.constructors import Constructor
from evaluator.issues import Failure, make_error, refuse_if, require
from evaluator.kinds import make_left_refusal, make_operand_error
from evaluator.kinds.string_formats import Format, make_printing
from evaluator.limits import STRING
from evaluator.program import effects
from evaluator.types import rich_data as types
from evaluator.types.rich_data import BINARY as BINARY_TYPE
from evaluator.types.rich_data import TimespanType, TimestampType, UriType
from evaluator.values import DEFAULT
from evaluator.values import kind as kinds
from evaluator.values.binaries import Binary
from evaluator.values.floats import check_finite, divide, to_whole
from evaluator.values.kind import (
    BINARY,
    FLOAT,
    INTEGER,
    SEMVER,
    SEMVER_RANGE,
    TIMESPAN,
    TIMESTAMP,
    Arithmetic,
    Kind,
    KindOrder,
    Value,
    get_kind,
)
from evaluator.values.printing import quote_string
from evaluator.values.times.timespans import FIELDS, SECOND, Timespan, to_nanoseconds
from evaluator.values.times.timestamps import Timestamp
from evaluator.values.uris import URI
from evaluator.values.versions import SemVer, SemVerRange

# --- versions

# The texts of types in signatures; `evaluator.calling.constructors` describes the names in them.
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


def _make_range(low: Value, high: Value = DEFAULT, exclude_max: bool = False) -> SemVerRange:
    return SemVerRange.between(
        None if low is DEFAULT else low, None if high is DEFAULT else high, exclude_max
    )


# The parameters of a signature are rows: the text of the type, the name, and "?" for an optional one.
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
        SemVer,
    ),
    ([(_VERSION_HASH, "hash_args", "")], lambda fields: SemVer(**fields)),
)
_SEMVER_RANGE = Constructor(
    "new_VersionRange",
    ([("SemVerRangeString = String[1]", "str", "")], SemVerRange.parse),
    ([(_BOUND, "min", ""), (_BOUND, "max", ""), ("Boolean", "exclude_max", "?")], _make_range),
    (
        [(_RANGE_HASH, "hash_args", "")],
        lambda fields: _make_range(
            fields["min"], fields.get("max", DEFAULT), fields.get("exclude_max", False)
        ),
    ),
)


def _convert_to_semver(args: list[Value]) -> Value:
    """Return the result of `SemVer(text)`, `SemVer(major, minor, patch, …)` or `SemVer({…})`."""
    if len(args) == 1 and type(args[0]) is str:
        try:
            return SemVer.parse(args[0])
        except Failure as failure:
            if failure.code != "NO_VERSION":
                raise
            raise Failure("CONVERSION", function="new_Version", value=args[0], type="a SemVer") from None
    return _SEMVER(args)


# Operators: a version is not a number, and each case has its own message.
def _refuse_float(left: Value, right: Value) -> Value:
    raise Failure("NO_CONVERSION", actual="SemanticPuppet::Version", type="Float")


def _refuse_modulo(left: SemVer, right: int) -> Value:
    raise make_error("DIV_BY_ZERO", operand=1) if right == 0 else make_operand_error("%", left)


def _compare_versions(left: Value, right: Value) -> int:
    if type(left) is not type(right):
        _refuse_float(left, right)
    return int(right < left) - int(left < right)


_VERSION_ARITHMETIC: Arithmetic = {
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
    **_SEMVER.make_rules(_convert_to_semver),
    arithmetic=_VERSION_ARITHMETIC,
    negate=lambda value: _refuse_float(None, value),
    order=KindOrder((SEMVER,), "Versions not comparable to non Versions", _compare_versions),
)
SEMVER_RANGE.set_rules(infer=lambda value, dialect: types.SEMVER_RANGE, **_SEMVER_RANGE.make_rules())


# --- times

_SECONDS = "Variant[Integer, Float]"
_TIME_FORMATS = "Formats = Variant[String[2], Array[String[2], 1]]"
_TIMESPAN_HASH = (
    "Struct[{Optional['negative'] => Boolean, "
    + ", ".join(f"Optional['{field}'] => Integer" for field in FIELDS)
    + "}]"
)


def _get_now() -> Timestamp:
    effects.record_unrepeatable()
    return Timestamp.now()


_TIMESPAN = Constructor(
    "new_timespan",
    ([(_SECONDS, "seconds", "")], lambda seconds: Timespan(to_nanoseconds(seconds))),
    ([("String[1]", "string", ""), (_TIME_FORMATS, "format", "?")], Timespan.parse),
    (
        [("Integer", field, "" if index < 4 else "?") for index, field in enumerate(FIELDS)],
        partial(Timespan.of_fields, False),  # not negative
    ),
    ([("Struct[{'string' => String[1], Optional['format'] => Formats}]", "hash_arg", "")], Timespan.of_hash),
    ([(_TIMESPAN_HASH, "hash_arg", "")], Timespan.of_hash),
)
_TIMESTAMP = Constructor(
    "new_timestamp",
    ([], _get_now),
    ([(_SECONDS, "seconds", "")], lambda seconds: Timestamp(to_nanoseconds(seconds))),
    (
        [("String[1]", "string", ""), (_TIME_FORMATS, "format", "?"), ("String[1]", "timezone", "?")],
        Timestamp.parse,
    ),
    (
        [
            (
                "Struct[{'string' => String[1], Optional['format'] => Formats, Optional['timezone'] => String[1]}]",
                "hash_arg",
                "",
            )
        ],
        lambda fields: Timestamp.parse(fields["string"], fields.get("format"), fields.get("timezone")),
    ),
)


# --- operators on times

_NUMBERS = (INTEGER, FLOAT)
# The names of the types in the messages of the released Puppet about these operators.
_NAMES_IN_MESSAGES = {SEMVER: "Version", TIMESPAN: "Timespan", TIMESTAMP: "Timestamp"}


def _to_nanoseconds(value: Value) -> int:
    """Return a time, or a number of seconds, in nanoseconds. Raise Failure for an infinite amount."""
    return to_nanoseconds(value) if type(value) in (int, float) else int(value.nanoseconds)


def _add(result_class: type[Timespan | Timestamp], left: Value, right: Value) -> Value:
    return result_class(_to_nanoseconds(left) + _to_nanoseconds(right))


def _subtract(result_class: type[Timespan | Timestamp], left: Value, right: Value) -> Value:
    return result_class(_to_nanoseconds(left) - _to_nanoseconds(right))


_add_to_timespan, _add_to_timestamp = partial(_add, Timespan), partial(_add, Timestamp)
_subtract_to_timespan, _subtract_to_timestamp = partial(_subtract, Timespan), partial(_subtract, Timestamp)


def _multiply(left: Value, right: Value) -> Timespan:
    span, factor = (left, right) if type(left) is Timespan else (right, left)
    scaled = span.nanoseconds * factor
    return Timespan(scaled if type(scaled) is int else to_whole(scaled))


def _divide_by_number(left: Timespan, right: int | float) -> Timespan:
    refuse_if(right == 0, "DIV_BY_ZERO", operand=1)
    if type(right) is int:
        return Timespan(left.nanoseconds // right)
    share = left.nanoseconds / right
    return Timespan(math.floor(share) if math.isfinite(share) else to_whole(share))


def _take_remainder(left: Timespan, right: int) -> int:
    refuse_if(right == 0, "DIV_BY_ZERO", operand=1)
    return left.nanoseconds // SECOND % right


def _refuse_addition(left: Value, right: Value) -> Value:
    time, other = (left, right) if get_kind(left) is not SEMVER else (right, left)
    raise Failure("NOT_ADDABLE", actual=_NAMES_IN_MESSAGES[get_kind(other)], type=get_kind(time).name)


def _refuse_subtraction(left: Value, right: Value) -> Value:
    raise Failure("NOT_SUBTRACTABLE", actual=_NAMES_IN_MESSAGES[get_kind(right)], type=get_kind(left).name)


def _make_refusal(code: str) -> Value:
    """Return the rule that refuses an operation of a Timespan and another value."""

    def refuse(left: Value, right: Value) -> Value:
        other = right if type(left) is Timespan else left
        raise Failure(code, actual=_NAMES_IN_MESSAGES[get_kind(other)])

    return refuse


def _refuse_negation(value: Timestamp) -> Value:
    raise Failure("TIME_NOT_NEGATED", actual="Timestamp")


def _make_both_orders(operator: str, kind: Kind, rule: Any) -> Arithmetic:
    """Return a rule for a kind and a number, in either order."""
    return {
        pair: rule for number in _NUMBERS for pair in ((operator, kind, number), (operator, number, kind))
    }


_TIME_ARITHMETIC: Arithmetic = {
    ("+", TIMESPAN, TIMESPAN): _add_to_timespan,
    **_make_both_orders("+", TIMESPAN, _add_to_timespan),
    ("+", TIMESPAN, TIMESTAMP): _add_to_timestamp,
    ("+", TIMESTAMP, TIMESPAN): _add_to_timestamp,
    **_make_both_orders("+", TIMESTAMP, _add_to_timestamp),
    ("+", TIMESTAMP, TIMESTAMP): _refuse_addition,
    **{("+", time, SEMVER): _refuse_addition for time in (TIMESPAN, TIMESTAMP)},
    **{("+", SEMVER, time): _refuse_addition for time in (TIMESPAN, TIMESTAMP)},
    ("-", TIMESPAN, TIMESPAN): _subtract_to_timespan,
    **_make_both_orders("-", TIMESPAN, _subtract_to_timespan),
    ("-", TIMESTAMP, TIMESTAMP): _subtract_to_timespan,
    ("-", TIMESTAMP, TIMESPAN): _subtract_to_timestamp,
    **{("-", TIMESTAMP, number): _subtract_to_timestamp for number in _NUMBERS},
    ("-", TIMESPAN, TIMESTAMP): _refuse_subtraction,
    **{("-", time, SEMVER): _refuse_subtraction for time in (TIMESPAN, TIMESTAMP)},
    **_make_both_orders("*", TIMESPAN, _multiply),
    # the released Puppet reports Timestamp here
    **{("*", TIMESPAN, other): _make_refusal("TIME_NOT_MULTIPLIED") for other in _NAMES_IN_MESSAGES},
    ("*", SEMVER, TIMESPAN): _make_refusal("TIME_NOT_MULTIPLIED"),
    ("/", TIMESPAN, TIMESPAN): lambda left, right: check_finite(
        "/", divide(float(left.nanoseconds), float(right.nanoseconds))
    ),
    **{("/", TIMESPAN, number): _divide_by_number for number in _NUMBERS},
    **{("/", TIMESPAN, other): _make_refusal("TIME_NOT_DIVIDED") for other in (SEMVER, TIMESTAMP)},
    ("%", TIMESPAN, INTEGER): _take_remainder,
    **{("%", TIMESPAN, other): _make_refusal("TIME_MODULUS") for other in _NAMES_IN_MESSAGES},
    **{
        (operator, TIMESTAMP, other): make_left_refusal(operator)
        for operator in "*/%"
        for other in (INTEGER, *_NAMES_IN_MESSAGES, *(() if operator == "%" else (FLOAT,)))
    },
}


def _equals_number(value: Value, number: int | float) -> bool:
    """Return True if a time is that number of seconds, as `_to_seconds` has them."""
    return bool(_to_seconds(value, number) == number)


def _to_seconds(time: Any, number: int | float) -> int | float:
    """Return a time in seconds for a comparison: a Float beside a Float, else whole seconds."""
    seconds: int | float = time.whole_seconds() if type(number) is int else time.seconds()
    return seconds


def _compare_times(left: Value, right: Value) -> int:
    """Return the order of two times, or of a time and a number; an Integer on the right counts as a Float."""
    if type(right) in (int, float):
        first, second = _to_seconds(left, right), right
    else:
        is_number = type(left) in (int, float)
        first, second = (left, right.seconds()) if is_number else (left.nanoseconds, right.nanoseconds)
    require(first == first and second == second, "NAN_ORDERED")
    return int(second < first) - int(first < second)


TIMESPAN.set_rules(
    infer=lambda value, dialect: TimespanType(value, value),
    **_TIMESPAN.make_rules(),
    arithmetic=_TIME_ARITHMETIC,
    negate=lambda value: Timespan(-value.nanoseconds),
    equals_number=_equals_number,
    order=KindOrder(
        (TIMESPAN, *_NUMBERS),
        "Timespans are only comparable to Timespans, Integers, and Floats",
        _compare_times,
    ),
)
TIMESTAMP.set_rules(
    infer=lambda value, dialect: TimestampType(value, value),
    **_TIMESTAMP.make_rules(),
    arithmetic=_TIME_ARITHMETIC,
    negate=_refuse_negation,
    equals_number=_equals_number,
    order=KindOrder(
        (TIMESTAMP, *_NUMBERS),
        "Timestamps are only comparable to Timestamps, Integers, and Floats",
        _compare_times,
    ),
)


# --- URIs

_URI_HASH = (
    "Struct[{Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1],"
    " Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1],"
    " Optional['fragment'] => String[1], Optional['opaque'] => String[1]}]"
)

# the released Puppet names this constructor `new_error`
_URI = Constructor(
    "new_error", ([("String[1]", "uri", "")], URI.parse), ([(_URI_HASH, "hash", "")], URI.of_components)
)


def _join_uri(left: URI, right: Value) -> URI:
    require(type(right) in (str, URI), "URI_MERGE")
    return left.join(right)


kinds.URI.set_rules(
    infer=lambda value, dialect: UriType(dict(value.components)),
    **_URI.make_rules(),
    join=_join_uri,
    printing=make_printing(
        "URI",
        {
            "s": lambda value, format: format.pad(
                quote_string(value.text()) if format.alternate else value.text()
            ),
            "p": lambda value, format: str(value.literal()),
        },
        undelimited="p",
    ),
)


# --- binaries

_BASE64 = "Base64Format = Enum['%B', '%b', '%r', '%s', '%u']"
_BINARY_HASH = (
    f"BinaryArgsHash = Variant[StringHash = Struct[{{'value' => String, 'format' => Optional[{_BASE64}]}}],"
    " ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]]"
)


def _decode_binary(text: str, format: str = "%B") -> Binary:
    readers = {"%B": Binary.of_base64, "%b": Binary.of_relaxed_base64, "%u": Binary.of_urlsafe_base64}
    return readers.get(format, Binary.of_text)(text)


def _make_binary_from_hash(fields: dict[str, Value]) -> Binary:
    value = fields["value"]
    format = fields.get("format") or "%B"
    return Binary(bytes(value)) if type(value) is list else _decode_binary(value, format)


_BINARY = Constructor(
    "new_Binary",
    ([("String", "str", ""), (_BASE64, "format", "?")], _decode_binary),
    ([("Array[ByteInteger]", "byte_array", "")], lambda numbers: Binary(bytes(numbers))),
    ([(_BINARY_HASH, "hash_args", "")], _make_binary_from_hash),
)


def _format_base64(value: Binary, format: Format) -> str:
    shown = {"b": value.wrapped_base64, "B": value.base64, "u": value.urlsafe_base64}[format.letter]()
    return format.pad(shown.replace("\n", "\\n") if format.alternate else shown, alternate=True)


def _format_bytes(value: Binary, format: Format) -> str:
    if not format.alternate:
        return format.pad(_decode_utf8(value.data))
    characters = value.data.decode("latin-1")
    shown = "".join(char if " " <= char <= "~" else f"\\x{ord(char):02X}" for char in characters)
    return format.pad(shown, alternate=True)


def _decode_utf8(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as cause:
        raise Failure("BYTE_NOT_UTF8", byte=f"{data[cause.start]:02X}") from None


def _join_binaries(left: Binary, right: Value) -> Binary:
    require(type(right) is Binary, "BINARY_APPEND")
    STRING.check(len(left.data) + len(right.data))
    return Binary(left.data + right.data)


BINARY.set_rules(
    infer=lambda value, dialect: BINARY_TYPE,
    **_BINARY.make_rules(),
    join=_join_binaries,
    printing=make_printing(
        "Binary",
        {
            "bBu": _format_base64,
            "t": lambda value, format: format.pad("Binary", alternate=True),
            "T": lambda value, format: format.pad("BINARY", alternate=True),
            "s": _format_bytes,
            "p": lambda value, format: f'Binary("{format.pad(value.base64())}")',
        },
    ),
)
