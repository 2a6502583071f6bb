"""URIs and Binaries: how they are made of other values, `+`, and their formats."""

from __future__ import annotations

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure
from evaluator.kinds.string_formats import Format, Printing, quote
from evaluator.limits import STRING
from evaluator.types.rich_data import BINARY as BINARY_TYPE
from evaluator.types.rich_data import UriType
from evaluator.values import kind as kinds
from evaluator.values.binaries import Binary
from evaluator.values.kind import BINARY, Value
from evaluator.values.uris import URI

_URI_HASH = (
    "Struct[{Optional['scheme'] => String[1], Optional['userinfo'] => String[1], Optional['host'] => String[1],"
    " Optional['port'] => Integer[0], Optional['path'] => String[1], Optional['query'] => String[1],"
    " Optional['fragment'] => String[1], Optional['opaque'] => String[1]}]"
)

# the released Puppet calls it by the name of another
_URI = Constructor(
    "new_error", ([("String[1]", "uri", "")], URI.parse), ([(_URI_HASH, "hash", "")], URI.of_components)
)


def _format_uri(value: Value, format: Format) -> str:
    if format.letter == "p":
        return str(value.literal())
    if format.letter == "s":
        return format.pad(quote(value.text()) if format.alternate else value.text())
    raise format.make_refusal("URI", "sp")


def _join_uri(left: URI, right: Value) -> URI:
    if type(right) is not str and type(right) is not URI:
        raise Failure("URI_MERGE")
    return left.join(right)


kinds.URI.set_rules(
    infer=lambda value, dialect: UriType(dict(value.components)),
    new=New(_URI),
    join=_join_uri,
    printing=Printing(_format_uri, brackets="p"),
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


def _make_binary_from_bytes(numbers: list[int]) -> Binary:
    return Binary(bytes(numbers))


def _make_binary_from_hash(given: dict[str, Value]) -> Binary:
    value = given["value"]
    if type(value) is list:
        return _make_binary_from_bytes(value)
    return _decode_binary(value, given.get("format") or "%B")


_BINARY = Constructor(
    "new_Binary",
    ([("String", "str", ""), (_BASE64, "format", "?")], _decode_binary),
    ([("Array[ByteInteger]", "byte_array", "")], _make_binary_from_bytes),
    ([(_BINARY_HASH, "hash_args", "")], _make_binary_from_hash),
)


def _format_binary(value: Value, format: Format) -> str:
    letter = format.letter
    if letter == "p":
        return f'Binary("{format.pad(value.base64())}")'
    if letter == "s":
        shown = value.data.decode("latin-1") if format.alternate else _decode_utf8(value.data)
        if format.alternate:
            shown = "".join(char if " " <= char <= "~" else f"\\x{ord(char):02X}" for char in shown)
    elif letter in "bButT":
        forms = {"b": value.wrapped_base64, "B": value.base64, "u": value.urlsafe_base64}
        shown = forms[letter]() if letter in forms else "Binary" if letter == "t" else "BINARY"
        shown = shown.replace("\n", "\\n") if format.alternate else shown
    else:
        raise format.make_refusal("Binary", "bButTsp")
    return format.pad(shown, alternate=True)


def _decode_utf8(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as cause:
        raise Failure("BYTE_NOT_UTF8", byte=f"{data[cause.start]:02X}") from None


def _join_binaries(left: Binary, right: Value) -> Binary:
    if type(right) is not Binary:
        raise Failure("BINARY_APPEND")
    STRING.check(len(left.data) + len(right.data))
    return Binary(left.data + right.data)


BINARY.set_rules(
    infer=lambda value, dialect: BINARY_TYPE,
    new=New(_BINARY),
    join=_join_binaries,
    printing=Printing(_format_binary),
)
