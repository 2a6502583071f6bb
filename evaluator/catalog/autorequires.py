"""What resources require by themselves when they are applied: a file its folder and owner, a user its groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from evaluator.catalog.graph import ordering
from evaluator.catalog.model import Catalog, Edge, Key, Resource

# type -> (attribute, type of what it names)
_NAMED = {
    "file": (("owner", "user"), ("group", "group"), ("target", "file")),
    "exec": (("user", "user"), ("cwd", "file")),
    "user": (("gid", "group"), ("groups", "group"), ("roles", "user")),
    "cron": (("user", "user"),),
    "ssh_authorized_key": (("user", "user"), ("target", "file")),
    "package": (("source", "file"), ("responsefile", "file"), ("adminfile", "file")),
}
_COMMANDS = ("command", "onlyif", "unless")
_ABOVE = ("file", "mount")  # what requires the nearest of its kind above it
_PROGRAM = re.compile(r'(?:"(/[^"]+)"|(/\S+))')


def autorequires(catalog: Catalog) -> list[Edge]:
    """The edges of kind "auto" of a settled catalog; one against a relationship of the program is left out."""
    against = {(edge.target, edge.source) for edge in ordering(catalog)}
    present = {key: item for key, item in catalog.resources.items() if not item.virtual}
    by_name = {(key[0], _name(item)): key for key, item in present.items()}
    found: dict[tuple[Key, Key], Edge] = {}
    for key, item in present.items():
        for wanted, reason in _wanted(item, by_name):
            other = by_name.get(wanted)
            if other is not None and other != key and (other, key) not in against:
                found.setdefault((other, key), Edge(other, key, "auto", reason, item.span))
    return list(found.values())


def _name(item: Resource) -> str:
    """What others call a resource by: the path of a file, else the name or the title."""
    given = item.parameters.get("path" if item.type == "file" else "name")
    name = given if isinstance(given, str) and given else item.title
    return name.rstrip("/") or "/" if item.type == "file" else name


def _wanted(item: Resource, present: dict[tuple[str, str], Key]) -> Iterator[tuple[tuple[str, str], str]]:
    """What a resource would require if it were there, with the reason."""
    for attribute, kind in _NAMED.get(item.type, ()):
        for text in _texts(item.parameters.get(attribute)):
            yield (kind, text), f"autorequire of its {attribute}"
    if item.type in _ABOVE:
        path = _name(item)
        while "/" in path.rstrip("/"):
            path = path.rpartition("/")[0] or "/"
            if (item.type, path) in present:
                yield (item.type, path), "autorequire of what is above it"
                break
    if item.type == "exec":
        for attribute in _COMMANDS:
            given = item.parameters.get(attribute, item.title if attribute == "command" else None)
            for text in _texts(given):
                program = _PROGRAM.match(text)
                if program:
                    yield ("file", program[1] or program[2]), f"autorequire of its {attribute}"


def _texts(value: Any) -> Iterable[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item:
            yield item
