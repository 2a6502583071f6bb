"""What objects can do: how they are made, from attributes by position or in one hash, and their formats."""

from __future__ import annotations

from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.calling.signatures import Signature
from evaluator.issues import Failure
from evaluator.kinds.formats.format import Format, Printing
from evaluator.types import OptionalType, StructType
from evaluator.types.collections import Member
from evaluator.values.kind import OBJECT
from evaluator.values.objects import PuppetObject

_CONSTRUCTORS: dict[int, tuple[Any, Constructor]] = {}


class NewObject(New):
    """How the objects of an Object type are made: of its attributes."""

    def __init__(self) -> None:
        """Each type has a constructor of its own."""

    def __call__(self, type: Any, args: list[Any], runtime: Any) -> Any:
        type = getattr(type, "base", type)
        if not type.bare:
            return _constructor_of(type)(args)
        if len(args) == 1 and type.instance(args[0]):
            return args[0]
        raise Failure("NOT_INSTANTIABLE", type=type)

    def signatures(self, type: Any) -> list[Signature]:
        return _constructor_of(getattr(type, "base", type)).signatures


def _constructor_of(type: Any) -> Constructor:
    """What makes the objects of an Object type."""
    known = _CONSTRUCTORS.get(id(type))
    if known is None or known[0] is not type:
        known = _CONSTRUCTORS[id(type)] = (type, _constructor(type))
    return known[1]


def _constructor(type: Any) -> Constructor:
    def may_miss(attribute: Any) -> bool:
        return bool(attribute.optional or attribute.type.instance(None))

    given = [attribute for attribute in type.all_attributes().values() if attribute.given]
    members = []
    listed = []
    for attribute in given:
        # an attribute with undef for its default may be undef, which makes its key optional too
        optional_key = attribute.optional and attribute.value is not None
        members.append(Member(attribute.name, attribute.type, not may_miss(attribute)))
        key = f"Optional['{attribute.name}']" if optional_key else f"'{attribute.name}'"
        listed.append(f"{key} => {attribute.type.inner()}")
    shape = StructType(members)
    text = f"Struct[{{{', '.join(listed)}}}]" if listed else "Struct"
    rows = []
    parameters = type.parameters()
    for attribute in parameters:
        shown = attribute.type
        if isinstance(shown, OptionalType) and shown.type is not None and attribute.optional:
            shown = shown.type
        mode = "?" if may_miss(attribute) else ""
        rows.append((shown.inner(), attribute.name, mode, attribute.type))
    names = [attribute.name for attribute in parameters]

    def of_hash(hash_value: dict[str, Any]) -> PuppetObject:
        values = {}
        for attribute in given:
            if attribute.name in hash_value or may_miss(attribute):
                default = attribute.value if attribute.optional else None
                values[attribute.name] = hash_value.get(attribute.name, default)
        made = PuppetObject(type, values)
        type.check_parameters(made)
        return made

    required = [attribute for attribute in parameters if not attribute.optional]

    def of_arguments(*values: Any) -> PuppetObject:
        if len(values) < len(required):
            raise Failure(
                "ARGUMENT_COUNT_OF_METHOD",
                function=type.simple_name,
                number=len(values),
                expected=len(required),
            )
        return of_hash(dict(zip(names, values, strict=False)))

    return Constructor(f"new_{type.inner()}", ([(text, "hash", "", shape)], of_hash), (rows, of_arguments))


def object_text(value: Any, format: Format, lines: bool, level: int = 0) -> str:
    """An object, in one line or in `lines`, those after the first indented by more than `level`."""
    if format.letter not in "spq":
        raise format.refuse("Object", "spq")
    return str(value.indented(level) if lines else value.text())


def _format(value: Any, format: Format) -> str:
    if value.type.name == "Error":  # alone, one is the same by every format
        return str(value.text())
    return object_text(value, format, format.alternate and format.letter == "p")


OBJECT.rules(new=NewObject(), printing=Printing(_format, brackets="spq"))
