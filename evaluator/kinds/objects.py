"""The rules of objects, types and Sensitive values: their making and their formats.

The formats of iterators, undef and default are here, too.
"""

from __future__ import annotations

import string
from itertools import islice
from typing import TYPE_CHECKING, Any

from evaluator.calling.constructors import Constructor, ParameterRow
from evaluator.issues import Failure, require
from evaluator.kinds.string_formats import (
    NUMBER_LETTERS,
    Format,
    Printing,
    format_object_value,
    make_printing,
    make_text_writers,
)
from evaluator.program import lifetimes
from evaluator.resource_types import list_reserved_names
from evaluator.types import Member, OptionalType, ResourceType, StructType, TypeReference, parse_type
from evaluator.types.objects import ObjectAttribute, ObjectType
from evaluator.values.core import Sensitive
from evaluator.values.kind import (
    DEFAULT,
    ITERATOR,
    OBJECT,
    RESOURCE,
    SENSITIVE,
    TYPE,
    UNDEF,
    KindOrder,
    Value,
)
from evaluator.values.objects import PuppetObject
from evaluator.values.printing import format_literal, quote_string
from lexer_parser.dialect import PUPPET
from lexer_parser.memo import MemoTable

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

_MOST_TEXTS = 1000  # parts of one Sensitive value that are searched for secrets
# By the id of the type; the type is stored too, so that its id is not reused.
_CONSTRUCTORS: MemoTable[int, tuple[Any, Constructor]] = MemoTable("constructors of Object types", 1000)


def _make_object(type: Any, args: list[Value], runtime: object) -> Value:
    """Return an object of an Object type, which has a constructor of its own."""
    type = getattr(type, "base", type)  # the type of `T[…]`, whose parameters do not matter here
    if not type.bare:
        return _get_constructor(type)(args)
    if len(args) == 1 and type.instance(args[0]):
        return args[0]
    raise Failure("NOT_INSTANTIABLE", type=type)


def _get_constructor(type: ObjectType) -> Constructor:
    """Return the constructor of the objects of an Object type."""
    entry = _CONSTRUCTORS.get(id(type))
    if entry is None:
        entry = _CONSTRUCTORS[id(type)] = (type, _make_constructor(type))
    return entry[1]


def _is_optional(attribute: ObjectAttribute) -> bool:
    """Return True if `new` needs no value: there is a default, or undef is valid."""
    return bool(attribute.optional or attribute.type.instance(None))


def _format_key(attribute: ObjectAttribute) -> str:
    """Return the key of an attribute in the Struct that `new` takes, as `Member.key` does."""
    name = quote_string(attribute.name)
    return name if not attribute.optional or attribute.type.instance(None) else f"Optional[{name}]"


def _make_constructor(type: ObjectType) -> Constructor:
    """Return a new constructor for an Object type.

    It takes a hash of attributes, or their values by position.
    """
    initialized = [attribute for attribute in type.all_attributes().values() if attribute.is_parameter]
    shape = StructType([Member(a.name, a.type, required=not _is_optional(a)) for a in initialized])
    # not the string of `shape`, which may need this constructor to compare an Init among its members
    text = ", ".join(f"{_format_key(attribute)} => {attribute.type.inner()}" for attribute in initialized)
    parameters = type.parameters()
    names = [attribute.name for attribute in parameters]
    _check_inherited_initializer(type, names)

    def make_from_hash(hash_value: dict[str, Value]) -> PuppetObject:
        values = {a.name: hash_value.get(a.name, a.value if a.optional else None) for a in initialized}
        all_values = _initialize(type, values)
        instance = PuppetObject(type, {name: all_values[name] for name in values})
        type.check_parameters(instance)
        return instance

    def make_from_arguments(*values: Value) -> PuppetObject:
        _check_count(type.simple_name, parameters, len(values))
        return make_from_hash(dict(zip(names, values, strict=False)))

    return Constructor(
        f"new_{type.inner()}",
        ([(f"Struct[{{{text}}}]" if text else "Struct", "hash", "", shape)], make_from_hash),
        (_make_rows(parameters), make_from_arguments),
    )


def _make_rows(parameters: list[ObjectAttribute]) -> list[ParameterRow]:
    """Return the rows of the parameters by position."""
    # Required parameters may follow optional ones: the first ones, as many as are required, count as required.
    least = sum(not _is_optional(attribute) for attribute in parameters)
    rows: list[ParameterRow] = []
    for index, attribute in enumerate(parameters):
        shown, mode = attribute.type, "" if index < least else "?"
        if mode and isinstance(shown, OptionalType) and shown.type is not None:
            shown = shown.type
        rows.append(
            ParameterRow(str(shown) if shown.named else shown.inner(), attribute.name, mode, attribute.type)
        )
    return rows


def _check_count(name: str, parameters: list[ObjectAttribute], number: int) -> None:
    """Raise Failure for fewer arguments than an initializer requires."""
    least = sum(not attribute.optional for attribute in parameters)
    if number < least:
        expected = f"{least}..{len(parameters)}" if least < len(parameters) else least
        raise Failure("ARGUMENT_COUNT_OF_METHOD", function=name, number=number, expected=expected)


def _check_inherited_initializer(type: ObjectType, names: list[str]) -> None:
    """Raise Failure if an inherited initializer does not take the attributes of a type.

    The nearest type that declares attributes of new objects has the initializer.

    Args:
        names: The attributes that the initializer of the type itself takes.
    """
    inherited = next(
        (
            ancestor.parameters()
            for ancestor in type.ancestry()
            if any(attribute.is_parameter for attribute in ancestor.attributes.values())
        ),
        [],
    )
    least = sum(not attribute.optional for attribute in inherited)
    require(least <= len(names), "INITIALIZER_MISMATCH", type=type.inner())
    for attribute in inherited[: len(names)]:
        require(attribute.name in names, "INITIALIZER_PARAMETER", type=type.inner(), name=attribute.name)


def _initialize(type: ObjectType, values: dict[str, Value]) -> dict[str, Value]:
    """Return the attributes of a new object, with those that its ancestors initialize.

    The initializer of the parent takes, by position, the values of the attributes that the type does not override. It
    sets the other attributes of the parent to their defaults.

    Args:
        type: The type of the object, or an ancestor of it.
        values: The values of the attributes that the initializer of the type takes, by name.
    """
    own = {name: value for name, value in values.items() if name in type.attributes}
    for parent in islice(type.ancestry(), 1, 2):
        parent_attributes = parent.parameters()
        arguments = [
            values[attribute.name] for attribute in parent_attributes if attribute.name not in type.attributes
        ]
        _check_count(type.simple_name, parent_attributes, len(arguments))
        parent_values = {attribute.name: attribute.value for attribute in parent_attributes} | dict(
            zip((attribute.name for attribute in parent_attributes), arguments, strict=False)
        )
        own = _initialize(parent, parent_values) | own
    return own


def _format_object(value: Value, format: Format) -> str:
    if value.type.name == "Error":  # an Error that is not inside a collection looks the same in every format
        return str(value.text())
    return format_object_value(value, format, in_lines=format.alternate and format.letter == "p")


OBJECT.set_rules(
    new=_make_object,
    signatures=lambda type: _get_constructor(getattr(type, "base", None) or type).signatures,
    printing=Printing(_format_object, undelimited="spq"),
)


# --- Sensitive values, types and iterators


# The parameters of a signature are rows: the text of the type, the name, and "?" for an optional one.
_TYPE = Constructor("new_type", ([("String[1]", "type_string", "")], str))


def _make_type(type: Value, args: list[Value], runtime: Runtime | None) -> Value:
    """Return `Type(text)`: the type of a text.

    The names of types of the program and of modules become TypeReferences.
    """
    return parse_type(
        _TYPE(args),
        PUPPET if runtime is None else runtime.dialect,
        lambda name: (ResourceType if name.lower() in list_reserved_names() else TypeReference)(name),
    )


def make_sensitive(value: Value) -> Sensitive:
    """Return a Sensitive, and note the texts in its first parts as secrets."""
    unsearched = [value]
    for _ in range(_MOST_TEXTS):
        if not unsearched:
            break
        part = unsearched.pop()
        if isinstance(part, list | dict):
            unsearched += islice(part.values() if isinstance(part, dict) else part, _MOST_TEXTS)
        elif type(part) is str or type(part) is int:
            lifetimes.note_secret(str(part))
    return Sensitive(value)


SENSITIVE.set_rules(**Constructor("new_Sensitive", ([("Any", "value", "")], make_sensitive)).make_rules())
TYPE.set_rules(
    new=_make_type,
    signatures=lambda type: _TYPE.signatures,
    printing=make_printing("Type", make_text_writers(str)),
)
RESOURCE.set_rules(printing=TYPE.printing)

# An iterator is printed as the array of its values, whatever the format.
ITERATOR.set_rules(
    printing=Printing(lambda value, format: format_literal(value), undelimited=string.ascii_letters)
)


# --- undef and default


UNDEF.set_rules(
    printing=make_printing(
        "Undef",
        {
            "n": lambda value, format: format.pad("null" if format.alternate else "nil"),
            "u": lambda value, format: format.pad("undefined" if format.alternate else "undef"),
            NUMBER_LETTERS: lambda value, format: format.pad("NaN"),
            "v": lambda value, format: format.pad("n/a"),
            "V": lambda value, format: format.pad("N/A"),
            "s": lambda value, format: format.pad("", alternate=True),
            "p": lambda value, format: format.pad("undef", alternate=True),
        },
        undelimited=f"nu{NUMBER_LETTERS}vVsp",
    )
)
DEFAULT.set_rules(
    printing=make_printing(
        "Default",
        {
            "d": lambda value, format: format.pad("default", alternate=True),
            "D": lambda value, format: format.pad("Default", alternate=True),
            "sp": lambda value, format: format.pad("default", alternate=True),
        },
        undelimited="dDsp",
    ),
    order=KindOrder((DEFAULT,), "Symbol not comparable to non Symbol", lambda left, right: 0),
)
