"""The URI values, as Ruby's URI library reads and prints them (RFC 3986)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.issues import Failure, require
from evaluator.values import kind as kinds
from evaluator.values.kind import Value
from evaluator.values.printing import RUBY_ESCAPES, quote_string
from lexer_parser.lazy import LazyPattern
from lexer_parser.regexps.writing import encode_ascii

PARTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque")
DEFAULT_PORTS = {"ftp": 21, "http": 80, "https": 443, "ldap": 389, "ldaps": 636, "ws": 80, "wss": 443}
# the schemes whose default port a URI type omits
_WEB = ("http", "https")

_CHARS = r"(?:%[0-9a-fA-F]{2}|[!$&-.0-9;=@-Z_a-z~:]++)"
_NAME_CHARS = r"(?:%[0-9a-fA-F]{2}|[!$&-.0-9;=A-Z_a-z~]++)"
_ADDRESS = r"\[(?:[0-9a-fA-F]*:[0-9a-fA-F:.]*|v[0-9a-fA-F]+\.[!$&-.0-9:;=A-Z_a-z~]+)\]"
_URI = LazyPattern(
    rf"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?"
    rf"(?://(?:(?P<userinfo>(?:{_NAME_CHARS}|:)*+)@)?(?P<host>{_ADDRESS}|{_NAME_CHARS}*+)(?::(?P<port>[0-9]*))?"
    rf"(?P<path_behind_host>(?:/{_CHARS}*+)*+)"
    rf"|(?P<path>/(?:{_CHARS}++(?:/{_CHARS}*+)*+)?|{_CHARS}++(?:/{_CHARS}*+)*+|))"
    rf"(?:\?(?P<query>[^#]*))?(?:\#(?P<fragment>(?:{_CHARS}|[/?])*+))?",
    re.ASCII,
)
_PATH = rf"(?:/{_CHARS}*+)*+"
# By component: its name in messages, and its pattern. They are in the order in which Ruby checks them.
_COMPONENTS = {
    "scheme": ("scheme", "[A-Za-z][A-Za-z0-9+.-]*"),
    "userinfo": ("userinfo component or user", rf"(?:{_NAME_CHARS}|:)*+"),
    "host": ("host", rf"{_ADDRESS}|(?:[A-Za-z0-9.-]|%[0-9a-fA-F]{{2}})++"),
    "path": ("absolute path", _PATH),
    "opaque": ("opaque", rf"(?!/)(?:{_CHARS}|[/?])*+"),
}
# the one that differs without a scheme and, as in Ruby, for ftp
_RELATIVE = {"path": ("relative path", rf"{_PATH}|(?:(?!:){_CHARS})*+{_PATH}")}
# the characters that are escaped in a query and in a fragment
_ESCAPED_IN_QUERY, _ESCAPED_IN_FRAGMENT = r"""[^!-~]|["#<>`]""", "[^!-~]"


class URI(kinds.RichValue):
    """A URI by its parts; a part that it does not have is None, a path without text is ''."""

    __slots__ = ("fragment", "host", "opaque", "path", "port", "query", "scheme", "userinfo")

    kind = kinds.URI

    def __init__(
        self,
        scheme: str | None = None,
        userinfo: str | None = None,
        host: str | None = None,
        port: int | None = None,
        path: str | None = None,
        query: str | None = None,
        fragment: str | None = None,
        opaque: str | None = None,
    ) -> None:
        self.scheme = scheme.lower() if scheme is not None else None
        if self.scheme == "file" and opaque is None:
            userinfo, host, port = None, host or "", None
        self.userinfo = userinfo or None
        self.host = host
        self.port = DEFAULT_PORTS.get(self.scheme or "") if port is None else port
        self.path = "" if path is None and opaque is None else path
        self.query = None if query is None else _escape(query, _ESCAPED_IN_QUERY)
        self.fragment = None if fragment is None else _escape(fragment, _ESCAPED_IN_FRAGMENT)
        self.opaque = opaque

    @classmethod
    def parse(cls, text: str) -> URI:
        """Return the URI or relative reference in a text.

        Raises:
            Failure: The text is not a URI.
        """
        if not text.isascii():
            raise Failure("URI_NOT_ASCII", value=_dump(text))
        match = _URI.fullmatch(text)
        if match is None or (match["scheme"] is None and ":" in (match["path"] or "").partition("/")[0]):
            raise Failure("NO_URI", value=_dump(text))
        has_authority = match["host"] is not None  # `//host` precedes the path
        path = match["path_behind_host"] if has_authority else match["path"]
        scheme, host, query, opaque = match["scheme"], match["host"], match["query"], None
        if scheme is not None and not has_authority and path and not path.startswith("/"):
            opaque = path if query is None else f"{path}?{query}"
            path = query = None
        lower = (scheme or "").lower()
        if lower == "mailto":
            require(opaque is not None or query is not None, "MAILTO_WITHOUT_ADDRESS")
            require(opaque is None or "@" in opaque, "BAD_MAILTO", value=opaque)
        if lower == "ftp":
            require(opaque is None, "FTP_WITHOUT_PATH")
            path = re.sub("^%2F", "/", path.removeprefix("/"))
        require(lower != "ldap" or (opaque is None and match["fragment"] is None), "BAD_LDAP")
        return cls(
            scheme,
            match["userinfo"],
            None if scheme is None and not host else host,
            int(match["port"]) if match["port"] else None,
            path,
            query,
            match["fragment"],
            opaque,
        )

    @classmethod
    def of_components(cls, components: dict[str, Value]) -> URI:
        """Return the URI of a hash of parts.

        Raises:
            Failure: The parts do not make a URI.
        """
        has_relative_path = components.get("scheme") in (None, "ftp")
        for part, (words, pattern) in {**_COMPONENTS, **(_RELATIVE if has_relative_path else {})}.items():
            is_valid = part not in components or re.fullmatch(pattern, components[part])
            require(is_valid, "BAD_URI_COMPONENT", words=words, value=components.get(part))
        is_plain = components.keys() <= {"scheme", "query", "fragment", "opaque"}
        require(is_plain or "opaque" not in components, "URI_OPAQUE_WITH_PATH")
        return cls(**components)

    @property
    def components(self) -> dict[str, Value]:
        """The parts as a URI type lists them, without the default port of `http` and `https`.

        They are strings; scheme and host are in lower case.
        """
        is_default = self.scheme in _WEB and self.port == DEFAULT_PORTS[self.scheme]
        port = "" if self.port is None or is_default else str(self.port)
        parts = {part: getattr(self, part) for part in PARTS}
        shown = {**parts, "host": (self.host or "").lower(), "port": port}
        return {part: value for part, value in shown.items() if value}

    def member(self, name: str) -> Callable[[Any, list[Value], Value], Value] | None:
        """Return the method `name` of the value, which returns that part; None when there is none."""
        if name not in PARTS:
            return None
        return lambda runtime, arguments, block: getattr(self, name)

    def join(self, reference: URI | str) -> URI:
        """Return a reference resolved from this URI (RFC 3986, 5.2).

        Raises:
            Failure: Both are relative.
        """
        other = URI.parse(reference) if isinstance(reference, str) else reference
        if other.scheme is not None:
            return other
        require(self.scheme is not None, "URIS_RELATIVE")
        parts = {name: getattr(self, name) for name in PARTS}
        if not other.path and other.host is None and other.query is None:
            return URI(**{**parts, "fragment": self.fragment if other.fragment is None else other.fragment})
        require(self.opaque is None or other.query is None, "URI_WITHOUT_QUERY")
        parts |= {"query": other.query, "fragment": other.fragment}
        if other.host is not None:
            parts |= {name: getattr(other, name) for name in ("userinfo", "host", "port", "path")}
        elif self.path is not None:
            parts["path"] = _resolve_path(self.path, other.path or "")
        return URI(**parts)

    def get_identity(self) -> tuple[Any, ...]:
        """Return the parts of the normal form: the host in lower case, and a path if there is a host."""
        host = self.host.lower() if self.host is not None else None
        path = "/" if self.path == "" and host is not None else self.path
        return (self.scheme, self.userinfo, host, self.port, path, self.query, self.fragment, self.opaque)

    def text(self) -> str:
        """Return the URI as a string, without a default port."""
        scheme = "" if self.scheme is None else f"{self.scheme}:"
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        if self.opaque is not None:
            return f"{scheme}{self.opaque}{fragment}"
        user = f"{self.userinfo}@" if self.userinfo else ""
        host = user if self.host is None else f"//{user}{self.host}"
        port = "" if self.port in (None, DEFAULT_PORTS.get(self.scheme or "")) else f":{self.port}"
        path = "/" + re.sub("^/", "%2F", self.path or "") if self.scheme == "ftp" else self.path or ""
        query = "" if self.query is None else f"?{self.query}"
        return f"{scheme}{host}{port}{path}{query}{fragment}"

    def literal(self) -> str:
        """Return the source form `URI('http://example.com/')`."""
        return f"URI({quote_string(self.text())})"


def _escape(text: str, pattern: str) -> str:
    """Return a text with the characters that match a pattern as their bytes: `%20`."""
    return re.sub(pattern, lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text)


def _resolve_path(base: str, path: str) -> str:
    """Return a path resolved from a base path, without `..`; only a `.` of the base stays."""
    if not path:
        return _climb(base)
    *folder, _ = _climb(base or "/").split("/")
    steps = [step for step in path.split("/") if step != "."]
    if path.endswith("/.") or path == ".":
        steps.append("")
    return _climb("/".join(steps if path.startswith("/") else [*folder, *steps]))


def _climb(path: str) -> str:
    """Return a path in which every `..` has removed the segment before it."""
    segments: list[str] = []
    for segment in path.split("/"):
        if segment != "..":
            segments.append(segment)
        elif len(segments) > 1:
            segments.pop()
    return "/".join([*segments, ""] if path.endswith("/..") else segments)


def _dump(text: str) -> str:
    """Return a text as Ruby's String#dump shows it."""
    return '"' + "".join(RUBY_ESCAPES.get(char) or encode_ascii(char) for char in text) + '"'
