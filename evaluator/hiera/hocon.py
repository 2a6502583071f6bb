"""HOCON, a superset of JSON: `read_hocon` converts a text to data.

`hocon_parser` parses the text to objects, in which a key may have several values, its layers, and values may contain
substitutions such as `${a.b}`. Here a `Resolver` computes the values. Environment variables have no value.
"""

from __future__ import annotations

from functools import reduce
from itertools import chain
from typing import Any

from evaluator.hiera.hocon_parser import (
    Blank,
    Joined,
    List,
    Object,
    Path,
    Scalar,
    Substitution,
    make_failure,
    parse_hocon,
    refuse_if,
)
from evaluator.limits import COLLECTION, STRING
from evaluator.values import Value
from evaluator.values.dag import count_values, map_leaves
from lexer_parser.record import Record, fresh

MOST_SUBSTITUTIONS = 10_000  # in a text
MOST_PENDING = 200  # values that are being computed, each for the one before
_MISSING = object()  # the value of an optional substitution whose path does not exist


def read_hocon(text: str) -> Value:
    """Return the data of a text. Raise Failure."""
    root = parse_hocon(text)
    return map_leaves(
        Resolver(root).compute(root, []), lambda leaf: leaf.value if isinstance(leaf, Scalar) else leaf
    )


class Circle(Exception):
    """Raised for an object that depends on itself: it has a layer that is being computed."""


class Resolver(Record):
    """The computation of values, as Scalars, lists and dicts. Its methods raise Failure.

    A substitution in a layer of a key may lead back to the same key, as in `path = ${path}":/bin"`. It then means the
    layers below: the layers are cut off from the first one that is being computed (`_cut_off`). A value is not cached
    if layers were cut off while it was computed, because it may be another one when it is computed from elsewhere.

    Attributes:
        root: The object of the whole text, in which paths begin.
        values: The cached values of layers, by the id of the layer.
        pending: The substitutions that are being computed, the outermost first.
        computing: The layers that are being computed, by their ids. For each one, the number of pending substitutions
            when its computation began, which is the index in `pending` of the first substitution in it.
        cuts: For each time that layers were cut off: that index, for the layer that is being computed. From there to
            its end, `pending` is a cycle.
        substitution_count: The number of substitutions so far.
        size: The number of values that substitutions have copied.
    """

    root: Object
    values: dict[int, Any] = fresh(factory=dict)
    pending: list[Substitution] = fresh(factory=list)
    computing: dict[int, int] = fresh(factory=dict)
    cuts: list[int] = fresh(factory=list)
    substitution_count: int = 0
    size: int = 0

    def compute(self, layer: Any, below: list[Any]) -> Any:
        """Return the computed value of a layer.

        Args:
            layer: The layer.
            below: The layers of the key that precede it.
        """
        if isinstance(layer, Object):
            return self._compute_entries(layer)
        if not isinstance(layer, List | Joined):
            return layer
        if id(layer) in self.values:
            return self.values[id(layer)]
        refuse_if(
            len(self.computing) >= MOST_PENDING,
            f"substitutions are nested more than {MOST_PENDING} deep",
            layer.line,
        )
        cut_count = len(self.cuts)
        self.computing[id(layer)] = len(self.pending)
        try:
            value = self._compute_items(layer) if isinstance(layer, List) else self._join(layer, below)
        finally:
            del self.computing[id(layer)]
        if len(self.cuts) == cut_count:
            self.values[id(layer)] = value
        return value

    def _compute_entries(self, layer: Object) -> dict[str, Any]:
        """Return the keys of an object that have a value. Raise Circle."""
        entries = {}
        for name, layers in layer.fields.items():
            _, is_cut = self._cut_off(layers)
            if is_cut:
                raise Circle
            entries[name] = self._compute_key(layers)
        return {name: value for name, value in entries.items() if value is not _MISSING}

    def _compute_items(self, layer: List) -> list[Any]:
        """Return the elements of an array that have a value."""
        items = [self.compute(item, []) for item in layer.items]
        return [item for item in items if item is not _MISSING]

    def _cut_off(self, layers: list[Any]) -> tuple[list[Any], bool]:
        """Return the layers below the first one that is being computed, and True if there is one."""
        for index, layer in enumerate(layers):
            if id(layer) in self.computing:
                self.cuts.append(self.computing[id(layer)])
                return layers[:index], True
        return layers, False

    def _compute_key(self, layers: list[Any]) -> Any:
        """Return the value of a key: its last layer, an object merged with those below it."""
        layers, _ = self._cut_off(layers)
        merged: Any = _MISSING
        for index in reversed(range(len(layers))):
            value = self.compute(layers[index], layers[:index])
            if value is _MISSING:
                continue
            if not isinstance(value, dict):
                return value if merged is _MISSING else merged
            merged = value if merged is _MISSING else _merge(value, merged)
        return merged

    def _compute_at(self, layers: list[Any], path: Path) -> Any:
        """Return the value at a path in the object that has these layers."""
        for name in path:
            layers = self._list_layers(layers, name)
        return self._compute_key(layers)

    def _list_layers(self, object_layers: list[Any], name: str) -> list[Any]:
        """Return the layers of a key in the object that has these layers."""
        layers: list[Any] = []
        object_layers, _ = self._cut_off(object_layers)
        for index, layer in enumerate(object_layers):
            if isinstance(layer, Object):
                layers += layer.fields.get(name, ())
                continue
            value = self.compute(layer, object_layers[:index])
            if isinstance(value, dict):
                layers += [value[name]] if name in value else []
            elif value is not _MISSING:
                layers = []  # another value replaces the objects below it
        return layers

    def _substitute(self, substitution: Substitution, below: list[Any]) -> Any:
        """Return the value of a substitution, in a layer with these layers below."""
        self.substitution_count += 1
        refuse_if(
            self.substitution_count > MOST_SUBSTITUTIONS,
            f"there are more than {MOST_SUBSTITUTIONS:,} substitutions",
            substitution.line,
        )
        cut_count = len(self.cuts)
        self.pending.append(substitution)
        try:
            value = (
                self._compute_at([self.root], substitution.path)
                if substitution.path
                else self._compute_key(below)
            )
        except Circle:
            value = _MISSING
        if value is _MISSING and not substitution.optional:
            problem = f"Could not resolve substitution to a value: {substitution}"
            if len(self.cuts) > cut_count:
                names = ", ".join(map(str, [*self.pending, self.pending[self.cuts[-1]]]))
                problem += f" was part of a cycle of substitutions involving {names}"
            raise make_failure(problem, substitution.line)
        self.pending.pop()
        self.size += count_values(value)
        COLLECTION.check(self.size)
        return value

    def _join(self, layer: Joined, below: list[Any]) -> Any:
        """Return the parts of a value as one: objects merged, arrays concatenated, else a string."""
        parts = [
            self._substitute(part, below) if isinstance(part, Substitution) else self.compute(part, [])
            for part in layer.parts
        ]
        parts = [part for part in parts if part is not _MISSING]
        if len(parts) == 1 and not isinstance(parts[0], Blank):
            return parts[0]
        without_blanks = [part for part in parts if not isinstance(part, Blank)]
        if not without_blanks:
            return _MISSING
        if all(isinstance(part, dict) for part in without_blanks):
            return reduce(_merge, without_blanks)
        if all(isinstance(part, list) for part in without_blanks):
            return list(chain.from_iterable(without_blanks))
        refuse_if(
            any(isinstance(part, dict | list) for part in without_blanks),
            "an object or array is concatenated with a value of another kind",
            layer.line,
        )
        text = "".join([part.text for part in parts])
        STRING.check(len(text))
        return Scalar(text, text)


def _merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return two objects as one, in which the keys of the one above come first."""
    merged = {
        name: _merge(below[name], value)
        for name, value in above.items()
        if isinstance(value, dict) and isinstance(below.get(name), dict)
    }
    return {**above, **below, **above, **merged}
