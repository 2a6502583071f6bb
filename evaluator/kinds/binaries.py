"""What Binaries can do: how they are made of other values, `+`, their formats."""

from __future__ import annotations

from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure
from evaluator.kinds.formats.format import Format, Printing
from evaluator.limits import STRING
from evaluator.types import uris as types
from evaluator.values.binaries import Binary
from evaluator.values.kind import BINARY

_BASE64 = "Base64Format = Enum['%B', '%b', '%r', '%s', '%u']"
_BINARY_HASH = (
    f"BinaryArgsHash = Variant[StringHash = Struct[{{'value' => String, 'format' => Optional[{_BASE64}]}}],"
    " ArrayHash = Struct[{'value' => Array[ByteInteger = Integer[0, 255]]}]]"
)


def _binary(text: str, format: str = "%B") -> Binary:
    readers = {"%B": Binary.of_base64, "%b": Binary.of_relaxed_base64, "%u": Binary.of_urlsafe_base64}
    return readers.get(format, Binary.of_text)(text)


def _binary_of_bytes(numbers: list[int]) -> Binary:
    return Binary(bytes(numbers))


def _binary_of_hash(given: dict[str, Any]) -> Binary:
    value = given["value"]
    if type(value) is list:
        return _binary_of_bytes(value)
    return _binary(value, given.get("format") or "%B")


_BINARY = Constructor(
    "new_Binary",
    ([("String", "str", ""), (_BASE64, "format", "?")], _binary),
    ([("Array[ByteInteger]", "byte_array", "")], _binary_of_bytes),
    ([(_BINARY_HASH, "hash_args", "")], _binary_of_hash),
)


def _format(value: Any, format: Format) -> str:
    letter = format.letter
    if letter == "p":
        return f'Binary("{format.padded(value.base64())}")'
    if letter == "s":
        shown = value.data.decode("latin-1") if format.alternate else _utf8(value.data)
        if format.alternate:
            shown = "".join(char if " " <= char <= "~" else f"\\x{ord(char):02X}" for char in shown)
    elif letter in "bButT":
        forms = {"b": value.wrapped_base64, "B": value.base64, "u": value.urlsafe_base64}
        shown = forms[letter]() if letter in forms else "Binary" if letter == "t" else "BINARY"
        shown = shown.replace("\n", "\\n") if format.alternate else shown
    else:
        raise format.refuse("Binary", "bButTsp")
    return format.padded(shown, alternate=True)


def _utf8(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as cause:
        raise Failure("BYTE_NOT_UTF8", byte=f"{data[cause.start]:02X}") from None


def _join(left: Binary, right: Any) -> Binary:
    if type(right) is not Binary:
        raise Failure("BINARY_APPEND")
    STRING.check(len(left.data) + len(right.data))
    return Binary(left.data + right.data)


BINARY.rules(
    infer=lambda value, dialect: types.BINARY, new=New(_BINARY), join=_join, printing=Printing(_format)
)
