"""The instances of Object types: Error, Deferred, and objects of a program's types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from evaluator.limits import STRING
from evaluator.values import kind as kinds
from evaluator.values.core import iterate_items, make_key
from evaluator.values.kind import Value
from evaluator.values.printing import format_part, format_value

_NO_METHODS: Mapping[str, Callable[..., Any]] = {}


class PuppetObject(kinds.RichValue):
    """An object: its Object type and its attributes by name, defaults included.

    Attributes:
        methods: By name, the functions of its type that this object implements itself.
    """

    kind = kinds.OBJECT

    def __init__(
        self, type: Any, attributes: dict[str, Value], methods: Mapping[str, Callable[..., Any]] = _NO_METHODS
    ) -> None:
        self.type = type
        self.attributes = attributes
        self.methods = methods

    def get_written(self) -> dict[str, Value]:
        """Return the attributes that its type needs to make an equal object of them."""
        return self._select_changed(self.type.all_attributes())

    def get_printed(self) -> dict[str, Value]:
        """Return the attributes that Puppet prints.

        They are those of `get_written`, and those that equal the default of the type but not that of a parent.
        """
        tables = [self._select_changed(ancestor.attributes) for ancestor in self.type.ancestry()]
        return {name: value for table in reversed(tables) for name, value in table.items()}

    def _select_changed(self, declared: dict[str, Any]) -> dict[str, Value]:
        """Return the declared attributes that are set by a caller and differ from their defaults."""
        return {
            name: self.attributes[name]
            for name, attribute in declared.items()
            if name in self.attributes
            and attribute.is_parameter
            and not (attribute.optional and make_key(attribute.value) == make_key(self.attributes[name]))
        }

    @cached_property
    def key(self) -> tuple[Value, ...]:
        """The key for comparison, computed once, as the object may occur many times in another."""
        return tuple(make_key(self.attributes.get(name)) for name in self.type.equality_attributes())

    def get_identity(self) -> tuple[Any, ...]:
        return self.key

    def __eq__(self, other: object) -> bool:
        if type(other) is not PuppetObject:
            return False
        # an object of a type by which neither type nor attributes are compared equals only itself
        is_comparable = self.type == other.type if self.type.equality_include_type else bool(self.key)
        return self is other or (is_comparable and self.key == other.key)

    __hash__ = kinds.RichValue.__hash__

    def member(self, name: str) -> Callable[[Any, list[Value], Value], Value] | None:
        """Return the method `name`: an attribute, constant or function of the type; or None.

        The method raises Failure for arguments that it does not accept, or when nothing implements it.
        """
        declared = self.type.feature(name)
        if declared is None:
            return None
        return lambda runtime, arguments, block: declared.call(self, arguments, block)

    def text(self) -> str:
        """Return `Error({'msg' => 'oops'})`, both as a string and as source."""
        return format_value(self)

    literal = text

    def format_indented(self, level: int = 0) -> str:
        """Return the text with one attribute a line, inside a text that is indented by `level`."""
        return f"{self.type.inner()}({_indent(self.get_printed(), level)})"


def _indent(value: Value, level: int) -> str:
    """Return a value with hash entries, and elements of nested arrays, on separate lines.

    An array stays on one line when all its elements are scalars or empty.
    """
    if type(value) is PuppetObject:
        return value.format_indented(level)
    if type(value) is dict:
        entries = [
            f"{format_part(key)} => {_indent(entry, level + 1)}" for key, entry in iterate_items(value)
        ]
        return _split_lines("{", entries, "}", level)
    if type(value) is not list:
        return format_part(value)
    if all(map(_is_short, value)):
        return f"[{', '.join(_indent(element, level) for element in value)}]"
    return _split_lines("[", [_indent(element, level + 1) for element in value], "]", level)


def _split_lines(opening: str, entries: list[str], closing: str, level: int) -> str:
    padding = "  " * level
    lines = ",".join(f"\n{padding}  {entry}" for entry in entries)
    STRING.check(len(lines))
    return f"{opening}{lines}\n{padding}{closing}"


_SCALARS = frozenset(
    (
        *(kinds.UNDEF, kinds.BOOLEAN, kinds.INTEGER, kinds.FLOAT, kinds.STRING, kinds.DEFAULT),
        *(kinds.SEMVER, kinds.SEMVER_RANGE, kinds.TIMESPAN, kinds.TIMESTAMP),
    )
)


def _is_short(value: Value) -> bool:
    return not value if type(value) in (list, dict) else kinds.get_kind(value) in _SCALARS
