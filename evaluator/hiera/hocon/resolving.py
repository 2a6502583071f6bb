"""HOCON: the substitutions are made, and objects become data."""

from __future__ import annotations

from typing import Any

from evaluator.hiera.hocon.model import Blank, Joined, List, Object, Path, Scalar, Substitution, make_failure
from evaluator.limits import COLLECTION, STRING

_MISSING = object()  # an optional value that is not there
MOST_SUBSTITUTIONS = 10_000
MOST_NESTED = 200


class Circle(Exception):
    """A value that is being worked out is part of what it asks for."""


class Resolver:
    """Works out the values of an object: Scalars, lists and dicts of them.

    The layers of a key are the values it was given, one after the other. One that is being worked out is not there
    for itself: what its key had before is. Raises Failure.
    """

    def __init__(self, root: Object) -> None:
        self.root = root
        self.active: set[int] = set()
        self.known: dict[int, Any] = {}
        self.passed = 0  # how often a layer that is being worked out was passed by
        self.made = 0
        self.size = 0

    def value(self, given: Any, below: list[Any]) -> Any:
        """A value that stands over those below it."""
        if isinstance(given, Object):
            return self.entries(given)
        if not isinstance(given, List | Joined):
            return given
        if id(given) in self.known:
            return self.known[id(given)]
        if len(self.active) >= MOST_NESTED:
            raise make_failure(f"substitutions lead more than {MOST_NESTED} deep", given.line)
        passed = self.passed
        self.active.add(id(given))
        try:
            found = self.items(given) if isinstance(given, List) else self.join(given, below)
        finally:
            self.active.discard(id(given))
        if passed == self.passed:
            self.known[id(given)] = found
        return found

    def entries(self, given: Object) -> dict[str, Any]:
        found = {}
        for name, layers in given.fields.items():
            if self.reachable(layers) is not layers:
                raise Circle(next(layer.line for layer in layers if id(layer) in self.active))
            found[name] = self.get_layered(layers)
        return {name: item for name, item in found.items() if item is not _MISSING}

    def items(self, given: List) -> list[Any]:
        found = [self.value(item, []) for item in given.items]
        return [item for item in found if item is not _MISSING]

    def reachable(self, layers: list[Any]) -> list[Any]:
        """The layers below the first that is being worked out."""
        for place, layer in enumerate(layers):
            if id(layer) in self.active:
                self.passed += 1
                return layers[:place]
        return layers

    def get_layered(self, layers: list[Any]) -> Any:
        """What a key has: its last value, and below objects what objects below have."""
        layers = self.reachable(layers)
        found: Any = _MISSING
        for place in reversed(range(len(layers))):
            item = self.value(layers[place], layers[:place])
            if item is _MISSING:
                continue
            if found is _MISSING:
                found = item
            elif isinstance(item, dict):
                found = _merge(item, found)
            if not (isinstance(found, dict) and isinstance(item, dict)):
                break
        return found

    def at(self, layers: list[Any], path: Path) -> Any:
        """What stands at a path below layers."""
        for step in path:
            layers, above = [], self.reachable(layers)
            for place, layer in enumerate(above):
                if isinstance(layer, Object):
                    layers += layer.fields.get(step, ())
                    continue
                item = self.value(layer, above[:place])
                if isinstance(item, dict):
                    layers += [item[step]] if step in item else []
                elif item is not _MISSING:
                    layers = []
        return self.get_layered(layers)

    def substitute(self, given: Substitution, below: list[Any]) -> Any:
        self.made += 1
        if self.made > MOST_SUBSTITUTIONS:
            raise make_failure(f"there are more than {MOST_SUBSTITUTIONS:,} substitutions", given.line)
        try:
            found = self.at([self.root], given.path) if given.path else self.get_layered(below)
        except Circle:
            if not given.optional:
                raise
            found = _MISSING
        if found is _MISSING and not given.optional:
            raise make_failure(f"nothing is found for ${{{'.'.join(given.path)}}}", given.line)
        self.size += _size(found)
        COLLECTION.check(self.size)
        return found

    def join(self, given: Joined, below: list[Any]) -> Any:
        """The parts of a value as one: a single one, objects and arrays as one, or else a text."""
        parts = [
            self.substitute(part, below) if isinstance(part, Substitution) else self.value(part, [])
            for part in given.parts
        ]
        parts = [part for part in parts if part is not _MISSING]
        if len(parts) == 1 and not isinstance(parts[0], Blank):
            return parts[0]
        held = [part for part in parts if not isinstance(part, Blank)]
        if not held:
            return _MISSING
        for kind, together in ((dict, _merge_all), (list, _all_items)):
            if all(isinstance(part, kind) for part in held):
                return together(held)
        if any(isinstance(part, dict | list) for part in held):
            raise make_failure("an object or array is put together with something else", given.line)
        text = "".join([part.text for part in parts])
        STRING.check(len(text))
        return Scalar(text, text)


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in above.items():
        under = below.get(name)
        both = isinstance(under, dict) and isinstance(value, dict)
        found[name] = _merge(under, value) if both else value  # type: ignore[arg-type]
    return {**found, **{name: value for name, value in below.items() if name not in found}}


def _merge_all(parts: list[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in parts:
        found = _merge(found, part)
    return found


def _all_items(parts: list[list[Any]]) -> list[Any]:
    return [item for part in parts for item in part]


def _inner(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _size(value: Any) -> int:
    """How many values a value holds."""
    count, pending = 0, [value]
    while pending:
        count += 1
        pending += _inner(pending.pop())
    return count


def plain(value: Any) -> Any:
    """A value that was worked out as data."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value.value
