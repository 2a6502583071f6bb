"""Records: slotted classes whose constructor follows from the annotations of their fields.

`dataclasses` is not used: its import and set-up cost more than the rest of the start of `puppet-repl -e`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Literal, TypeVar, cast, dataclass_transform

from lexer_parser.memo import memoize

T = TypeVar("T")


class _Factory:
    """The declaration of a field whose value the constructor makes."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def fresh(*, factory: Callable[[], T], init: Literal[False] = False) -> T:
    """Declare a field that begins with a new value: `names: set[str] = fresh(factory=set)`.

    Args:
        factory: Makes the value.
        init: Not used here. Type checkers read from its default that the constructor does not take the field.
    """
    return cast("T", _Factory(factory))


# The source of empty containers by their class, which takes half the time of a call of the class.
_DISPLAYS: dict[object, str] = {dict: "{}", list: "[]"}


@memoize(unbounded_because="one for each sequence of parameters and fresh fields")
def _make_constructor_template(values: tuple[str, ...]) -> FunctionType:
    """Return an `__init__` that sets fields _0, _1, … to values.

    For ("", "[]") it is `def __init__(self, _0): self._0 = _0; self._1 = []`.

    Args:
        values: For each field an expression, or "" for a parameter of `__init__`.
    """
    parameters = "".join(f", _{number}" for number, value in enumerate(values) if not value)
    body = "".join(f"\n    self._{number} = {value or f'_{number}'}" for number, value in enumerate(values))
    namespace: dict[str, FunctionType] = {}
    exec(f"def __init__(self{parameters}):{body or ' pass'}", namespace)
    return namespace["__init__"]


def _make_constructor(fields: dict[str, _Factory | None], defaults: tuple[object, ...]) -> FunctionType:
    """Return an `__init__` that sets the fields; the last parameters have the defaults.

    A parse makes records most of the time, and a loop over the fields would take three times as long. Putting
    the names into existing code takes a quarter of the time to compile it for each class.
    """
    factories = tuple(fields.values())
    values = tuple(
        "" if factory is None else _DISPLAYS.get(factory.make, f"make_{number}()")
        for number, factory in enumerate(factories)
    )
    code = _make_constructor_template(values).__code__
    names = {f"_{number}": field for number, field in enumerate(fields)}
    code = code.replace(
        co_names=tuple(names.get(name, name) for name in code.co_names),
        co_varnames=tuple(names.get(name, name) for name in code.co_varnames),
    )
    makers = {
        f"make_{number}": factory.make for number, factory in enumerate(factories) if factory is not None
    }
    return FunctionType(code, makers, "__init__", defaults)


def _add_constructor(record: RecordMeta) -> RecordMeta:
    """Return the class with an `__init__` that is made at its first call.

    A program uses few of the classes.
    """

    def __init__(self: Record, *values: object, **named: object) -> None:
        constructor = _make_constructor(record.record_fields, record.record_defaults)
        record.__init__ = constructor  # type: ignore[misc]  # a class, not an instance
        constructor(self, *values, **named)

    record.__init__ = __init__  # type: ignore[misc]
    return record


@dataclass_transform(eq_default=False, field_specifiers=(fresh,))
class RecordMeta(type):
    """The metaclass that derives slots and constructor, unless a class has `__slots__` itself.

    Attributes:
        record_fields: The fields in the order of the constructor, with the functions that create their initial values,
            if they have one.
        record_defaults: The defaults of the last parameters.
    """

    record_fields: dict[str, _Factory | None]
    record_defaults: tuple[object, ...]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> RecordMeta:
        if "__slots__" not in body:
            # Annotations are strings, because modules import `annotations` from `__future__`.
            annotations: dict[str, str] = body.get("__annotations__", {})
            own = tuple(field for field, kind in annotations.items() if not kind.startswith("ClassVar"))
            values = {field: body.pop(field) for field in own if field in body}
            # `Record` itself has no base that is a record.
            base = next((base for base in bases if isinstance(base, RecordMeta)), None)
            fields = {} if base is None else dict(base.record_fields)
            for field in own:
                value = values.get(field)
                fields[field] = value if isinstance(value, _Factory) else None
            defaults = () if base is None else base.record_defaults
            defaults += tuple(value for value in values.values() if not isinstance(value, _Factory))
            body |= {"__slots__": own, "record_fields": fields, "record_defaults": defaults}
            if own and "__init__" not in body:
                return _add_constructor(super().__new__(cls, name, bases, body))
        return super().__new__(cls, name, bases, body)


class Record(metaclass=RecordMeta):
    """A value with named fields, which its constructor takes in their order."""
