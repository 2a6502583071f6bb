"""What a HOCON text holds before its substitutions are made."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure

Path = tuple[str, ...]
MOST_NESTED = 100
_LONGEST = 200  # characters of what is said: it quotes the text


class Scalar:
    """A text, number, boolean or null; `text` as it is written, for what is put together of several."""

    __slots__ = ("text", "value")

    def __init__(self, value: Any, text: str) -> None:
        self.value = value
        self.text = text


class Blank:
    """Space between parts of a value, which counts where they make a text."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class Substitution:
    """`${path}` or `${?path}`. Without a path it is the value that its own key had before."""

    __slots__ = ("line", "optional", "path")

    def __init__(self, path: Path, optional: bool, line: int) -> None:
        self.path = path
        self.optional = optional
        self.line = line


class List:
    """An array."""

    __slots__ = ("items", "line")

    def __init__(self, items: list[Any], line: int) -> None:
        self.items = items
        self.line = line


class Joined:
    """A value of several parts."""

    __slots__ = ("line", "parts")

    def __init__(self, parts: list[Any], line: int) -> None:
        self.parts = parts
        self.line = line


class Object:
    """An object: for each key the values that it is given one after the other, as far as they matter.

    Where objects are merged the keys of the later one come first.
    """

    __slots__ = ("fields",)

    def __init__(self) -> None:
        self.fields: dict[str, list[Any]] = {}

    def put(self, path: Path, value: Any) -> None:
        """Gives a key, or one of an object below it, a further value."""
        name, *rest = path
        layers = self.fields.setdefault(name, [])
        if rest:
            inner = Object()
            inner.put(tuple(rest), value)
            value = inner
        top = layers[-1] if layers else None
        if isinstance(value, Object) and isinstance(top, Object):
            for key, values in value.fields.items():
                for one in values:
                    top.put((key,), one)
            top.fields = {key: top.fields[key] for key in (*value.fields, *top.fields)}
            return
        if isinstance(value, Scalar):
            layers.clear()  # whatever was there is replaced
        layers.append(value)


def make_failure(problem: str, line: int) -> Failure:
    """What is said of a text that is no HOCON, or none that is read here."""
    told = problem if len(problem) <= _LONGEST else f"{problem[:_LONGEST]}…"
    return Failure("HOCON_SYNTAX", problem=told, line=line)
