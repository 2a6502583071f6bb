"""String, Regexp, Binary, Sensitive, Type, URI, versions and times from other values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluator.calling.constructors import Constructor
from evaluator.issues import Failure
from evaluator.program import outside
from evaluator.values.core import DEFAULT, Sensitive

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

# --- String, Regexp, Type, Sensitive

_FORMAT = r"Format = Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]"
_CONTAINER_FORMAT = (
    f"ContainerFormat = Struct[{{Optional['format'] => {_FORMAT}, Optional['separator'] => String,"
    f" Optional['separator2'] => String, Optional['string_formats'] => Hash[Type, {_FORMAT}]}}]"
)
_FORMATS = (
    f"Formats = Variant[Default, String[1], TypeMap = Hash[Type, Variant[{_FORMAT}, {_CONTAINER_FORMAT}]]]"
)


def _string(value: Any, formats: Any = None) -> str:
    from evaluator.kinds.formats.puppet import format_value

    return format_value(value, formats)


def _regexp(pattern: str, literal: bool = False) -> Any:
    from evaluator.values.regexps.regexps import Regexp, escape

    regexp = Regexp(escape(pattern) if literal else pattern)
    _ = regexp.compiled  # a bad expression is reported here
    return regexp


def type_of(args: list[Any], runtime: Program | None) -> Any:
    """`Type(text)`: the type of a text; a name that means nothing becomes a TypeReference."""
    from evaluator.types import TypeReference, parse_type
    from lexer_parser.dialect import PUPPET

    text = TYPE(args)
    if runtime is None:
        return parse_type(text, PUPPET, TypeReference)
    return parse_type(text, runtime.dialect, runtime.names.type_or_reference)


STRING = Constructor(
    "new_string", ([("Convertible = Any", "from", ""), (_FORMATS, "string_formats", "?")], _string)
)
# the released Puppet calls these two by the names of others
REGEXP = Constructor("new_float", ([("String", "pattern", ""), ("Boolean", "escape", "?")], _regexp))
TYPE = Constructor("new_type", ([("String[1]", "type_string", "")], str))
SENSITIVE = Constructor("new_Sensitive", ([("Any", "value", "")], Sensitive))

# --- Binary

_BASE64 = "Base64Format = Enum['%B', '%b', '%r', '%s', '%u']"
_BINARY_HASH = (
    f"BinaryArgsHash = Variant[StringHash = Struct[{{'value' => String, 'format' => Optional[{_BASE64}]}}],"
    " ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]]"
)


def _binary(text: str, format: str = "%B") -> Any:
    from evaluator.values.binaries import Binary

    readers = {"%B": Binary.of_base64, "%b": Binary.of_relaxed_base64, "%u": Binary.of_urlsafe_base64}
    return readers.get(format, Binary.of_text)(text)


def _binary_of_bytes(numbers: list[int]) -> Any:
    from evaluator.values.binaries import Binary

    return Binary(bytes(numbers))


def _binary_of_hash(given: dict[str, Any]) -> Any:
    value = given["value"]
    if type(value) is list:
        return _binary_of_bytes(value)
    return _binary(value, given.get("format") or "%B")


BINARY = Constructor(
    "new_Binary",
    ([("String", "str", ""), (_BASE64, "format", "?")], _binary),
    ([("Array[ByteInteger]", "byte_array", "")], _binary_of_bytes),
    ([(_BINARY_HASH, "hash_args", "")], _binary_of_hash),
)

# --- URI

_URI_HASH = (
    "Struct[{Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1],"
    " Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1],"
    " Optional['fragment'] => String[1], Optional['opaque'] => String[1]}]"
)


def _uri(text: str) -> Any:
    from evaluator.values.uris import URI

    return URI.parse(text)


def _uri_of_hash(given: dict[str, Any]) -> Any:
    from evaluator.values.uris import URI

    return URI.of_components(given)


URI = Constructor("new_error", ([("String[1]", "uri", "")], _uri), ([(_URI_HASH, "hash", "")], _uri_of_hash))

# --- Versions

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


def _version(text: str) -> Any:
    from evaluator.values.versions import SemVer

    return SemVer.parse(text)


def _version_of_parts(
    major: int, minor: int, patch: int, prerelease: str | None = None, build: str | None = None
) -> Any:
    from evaluator.values.versions import SemVer

    return SemVer(major, minor, patch, prerelease, build)


def _range(text: str) -> Any:
    from evaluator.values.versions import SemVerRange

    return SemVerRange.parse(text)


def _range_between(low: Any, high: Any = DEFAULT, exclude_max: bool = False) -> Any:
    from evaluator.values.versions import SemVerRange

    return SemVerRange.between(
        None if low is DEFAULT else low, None if high is DEFAULT else high, exclude_max
    )


_SEMVER = Constructor(
    "new_Version",
    ([(_VERSION, "str", "")], _version),
    (
        [
            (_POSITIVE, "major", ""),
            (_POSITIVE, "minor", ""),
            (_POSITIVE, "patch", ""),
            (_QUALIFIER, "prerelease", "?"),
            (_QUALIFIER, "build", "?"),
        ],
        _version_of_parts,
    ),
    ([(_VERSION_HASH, "hash_args", "")], lambda given: _version_of_parts(**given)),
)
SEMVER_RANGE = Constructor(
    "new_VersionRange",
    ([("SemVerRangeString = String[1]", "str", "")], _range),
    ([(_BOUND, "min", ""), (_BOUND, "max", ""), ("Boolean", "exclude_max", "?")], _range_between),
    (
        [(_RANGE_HASH, "hash_args", "")],
        lambda given: _range_between(
            given["min"], given.get("max", DEFAULT), given.get("exclude_max", False)
        ),
    ),
)


def semver(args: list[Any]) -> Any:
    """`SemVer(text)`, `SemVer(major, minor, patch, prerelease?, build?)`, `SemVer({…})`."""
    if len(args) == 1 and type(args[0]) is str:
        try:
            return _version(args[0])
        except Failure as failure:
            if failure.code != "NO_VERSION":
                raise
            raise Failure("CONVERSION", function="new_Version", value=args[0], type="a SemVer") from None
    return _SEMVER(args)


# --- Times

_SECONDS = "Variant[Integer, Float]"
_TIME_FORMATS = "Formats = Variant[String[2], Array[String[2], 1]]"
_FIELDS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")
_TIMESPAN_HASH = (
    "Struct[{Optional['negative'] => Boolean, "
    + ", ".join(f"Optional['{field}'] => Integer" for field in _FIELDS)
    + "}]"
)


def _timespan(seconds: int | float) -> Any:
    from evaluator.values.times.times import Timespan, nanoseconds_of

    return Timespan(nanoseconds_of(seconds))


def _timespan_of_text(text: str, formats: Any = None) -> Any:
    from evaluator.values.times.times import Timespan

    return Timespan.parse(text, formats)


def _timespan_of_fields(*fields: int) -> Any:
    from evaluator.values.times.times import Timespan

    return Timespan.of_fields(False, *fields)


def _timespan_of_hash(given: dict[str, Any]) -> Any:
    from evaluator.values.times.times import Timespan

    return Timespan.of_hash(given)


def _now() -> Any:
    from evaluator.values.times.times import Timestamp

    outside.ask()
    return Timestamp.now()


def _timestamp(seconds: int | float) -> Any:
    from evaluator.values.times.times import Timestamp, nanoseconds_of

    return Timestamp(nanoseconds_of(seconds))


def _timestamp_of_text(text: str, formats: Any = None, timezone: str | None = None) -> Any:
    from evaluator.values.times.times import Timestamp

    return Timestamp.parse(text, formats, timezone)


TIMESPAN = Constructor(
    "new_timespan",
    ([(_SECONDS, "seconds", "")], _timespan),
    ([("String[1]", "string", ""), (_TIME_FORMATS, "format", "?")], _timespan_of_text),
    (
        [("Integer", field, "" if index < 4 else "?") for index, field in enumerate(_FIELDS)],
        _timespan_of_fields,
    ),
    ([("Struct[{'string' => String[1], Optional['format'] => Formats}]", "hash_arg", "")], _timespan_of_hash),
    ([(_TIMESPAN_HASH, "hash_arg", "")], _timespan_of_hash),
)
TIMESTAMP = Constructor(
    "new_timestamp",
    ([], _now),
    ([(_SECONDS, "seconds", "")], _timestamp),
    (
        [("String[1]", "string", ""), (_TIME_FORMATS, "format", "?"), ("String[1]", "timezone", "?")],
        _timestamp_of_text,
    ),
    (
        [
            (
                "Struct[{'string' => String[1], Optional['format'] => Formats, Optional['timezone'] => String[1]}]",
                "hash_arg",
                "",
            )
        ],
        lambda given: _timestamp_of_text(given["string"], given.get("format"), given.get("timezone")),
    ),
)
