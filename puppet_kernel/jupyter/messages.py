"""Messages as bytes: the part of jupyter_client's `Session` that every reply passes through six times.

Measured with a status message on Python 3.11: `Session.send` takes 35 µs, with this serialization 18 µs. A cell sends
six messages and takes 1.2 ms in all.
"""

from __future__ import annotations

import json
from typing import Any

from puppet_kernel.jupyter.ipykernel_imports import Session, json_default

_DELIMITER = b"<IDS|MSG>"


class KernelSession(Session):
    """A Session whose messages have the same content, made of prepared parts."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        encoder = json.JSONEncoder(default=json_default, ensure_ascii=False, allow_nan=False)
        self._encode = encoder.encode
        self._encode_ascii = json.JSONEncoder(default=json_default, allow_nan=False).encode
        self._signer = self.auth
        self._parent: tuple[Any, bytes] = {}, b"{}"  # the header that replies share, and its bytes

    def msg(
        self,
        msg_type: str,
        content: dict[str, Any] | None = None,
        parent: dict[str, Any] | None = None,
        header: dict[str, Any] | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Return a message as nested dictionaries; see `Session.msg`."""
        header = self.msg_header(msg_type) if header is None else header
        return {
            "header": header,
            "msg_id": header["msg_id"],
            "msg_type": header["msg_type"],
            "parent_header": (parent.get("header") or parent) if parent else {},
            "content": {} if content is None else content,
            "metadata": {} if metadata is None else metadata,
        }

    def serialize(self, msg: dict[str, Any], ident: list[bytes] | bytes | None = None) -> list[bytes]:
        """Return the frames of a message; see `Session.serialize`."""
        content = msg["content"]
        parts = (
            self._pack_header(msg["header"]),
            self._pack_parent(msg["parent_header"]),
            self._pack(msg["metadata"]) if msg["metadata"] else b"{}",
            content if isinstance(content, bytes) else self._pack(content),
        )
        signature = b""
        if self._signer is not None:
            signer = self._signer.copy()
            signer.update(b"".join(parts))
            signature = signer.hexdigest().encode()
        idents = ident if isinstance(ident, list) else [] if ident is None else [ident]
        return [*idents, _DELIMITER, signature, *parts]

    def _pack_header(self, header: dict[str, Any]) -> bytes:
        """Return a header of our own, whose values hold nothing that JSON escapes."""
        values = header | {"date": header["date"].isoformat().replace("+00:00", "Z")}
        return ("{" + ", ".join([f'"{name}": "{value}"' for name, value in values.items()]) + "}").encode()

    def _pack_parent(self, header: dict[str, Any]) -> bytes:
        """Return the header of a request, which all replies to it share."""
        if header is not self._parent[0]:
            self._parent = header, self._pack(header)
        return self._parent[1]

    def _pack(self, part: Any) -> bytes:
        try:
            return self._encode(part).encode()
        except UnicodeEncodeError:  # half of a character, as JSON can name it and UTF-8 cannot
            return self._encode_ascii(part).encode()
        except (TypeError, ValueError):
            packed: bytes = self.pack(part)
            return packed
