"""The Binary values: bytes, written as base64."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error, a2b_base64, b2a_base64

from evaluator.issues import Failure, require
from evaluator.values import kind as kinds
from evaluator.values.chunked import map_text
from evaluator.values.core import encode_utf8
from lexer_parser.lazy import LazyPattern
from lexer_parser.record import Record

_STANDARD = LazyPattern(r"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Binary(kinds.RichValue, Record):
    """A sequence of bytes, `data`."""

    data: bytes

    kind = kinds.BINARY

    @classmethod
    def of_base64(cls, text: str) -> Binary:
        """Return the Binary of base64 as in RFC 4648: padded, without line ends.

        Raises:
            Failure: The text is anything else.
        """
        require(_STANDARD.fullmatch(text), "INVALID_BASE64")
        binary = cls(a2b_base64(text))
        require(binary.base64() == text, "INVALID_BASE64")  # bits beyond the last byte must be 0
        return binary

    @classmethod
    def of_relaxed_base64(cls, text: str) -> Binary:
        """Return the Binary of base64 without padding or with other characters, which are skipped."""
        text = map_text(text, lambda part: re.sub(r"[^A-Za-z0-9+/=]", "", part)).partition("=")[0]
        if len(text) % 4 == 1:
            text = text[:-1]
        return cls(a2b_base64(text + "=" * (-len(text) % 4)))

    @classmethod
    def of_urlsafe_base64(cls, text: str) -> Binary:
        """Return the Binary of base64 with `-` and `_` for `+` and `/`; padding is optional."""
        return cls.of_base64(_to_standard_base64(text))

    @classmethod
    def of_text(cls, text: str) -> Binary:
        """Return the Binary of the UTF-8 bytes of a text."""
        return cls(encode_utf8(text))

    def base64(self) -> str:
        """Return strict base64, in one line."""
        return b2a_base64(self.data, newline=False).decode()

    def wrapped_base64(self) -> str:
        """Return base64 in lines of 60 characters, each with its line end."""
        text = self.base64()
        return "".join(f"{text[start : start + 60]}\n" for start in range(0, len(text), 60))

    def urlsafe_base64(self) -> str:
        """Return base64 with `-` and `_` for `+` and `/`, in one line."""
        return self.base64().replace("+", "-").replace("/", "_")

    def get_identity(self) -> tuple[bytes]:
        """Return the bytes."""
        return (self.data,)

    def __len__(self) -> int:
        return len(self.data)

    text = base64

    def literal(self) -> str:
        """Return the source form `Binary("aGk=")`."""
        return f'Binary("{self.base64()}")'


# --- Base64

_URL_SAFE = str.maketrans("-_", "+/")


def _to_standard_base64(text: str) -> str:
    """Return base64 that is safe in URLs with the standard characters and with padding."""
    padding = 0 if text.endswith("=") else -len(text) % 4
    return text.translate(_URL_SAFE) + "=" * padding


def decode_base64(value: str, method: str = "default") -> str:
    """Return the text decoded from base64.

    Args:
        value: The base64.
        method: "default" to skip other characters, "strict", or "urlsafe".

    Raises:
        Failure: The text is not base64.
    """
    if method == "default":
        value = _select_valid(value)
    elif method == "urlsafe":
        value = _to_standard_base64(value)
    try:
        return b64decode(value, validate=True).decode("utf-8", "replace")
    except Error:
        raise Failure("INVALID_BASE64") from None


# The groups of four characters that are matched in one call, which cannot be interrupted.
_GROUPS = LazyPattern("(?:=*[^=]=*[^=][^=][^=]){1,50000}")
_LAST_GROUP = LazyPattern("=*[^=]=*[^=][^=]?")


def _select_valid(value: str) -> str:
    """Return the valid part of base64.

    It ends at the first padding, and has no foreign characters and no single character in its last group.
    """
    value = map_text(value, lambda part: re.sub("[^A-Za-z0-9+/=]", "", part))
    end = 0
    while groups := _GROUPS.match(value, end):
        end = groups.end()
    last = _LAST_GROUP.match(value, end)
    valid = value[: last.end() if last else end].replace("=", "")
    return valid + "=" * (-len(valid) % 4)
