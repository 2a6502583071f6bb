"""The rows of the tables of resource types, and the records that are read from modules.

A row is

    name: (description, title attributes, module, attributes)

and an attribute in it is

    name: (kind, description, accepted values)

The kind is "property" for what is managed, "param" for how, or "metaparam" for what all types have. An accepted value
is a string, or a pattern between slashes; there are none if any value is accepted.
"""

from __future__ import annotations

from lexer_parser.record import Record

Attribute = tuple[str, str, tuple[str, ...]]
# The value of a row of the table of resource types.
TypeRow = tuple[str, tuple[str, ...], str, dict[str, Attribute]]

# A regular expression for titles in Ruby's form, and the attributes that its groups set.
Pattern = tuple[str, tuple[str, ...]]


class DeclaredType(Record):
    """A resource type as the Ruby source of a module declares it.

    Attributes:
        attributes: Its attributes, as in a row.
        namevars: The attributes that the title sets.
        patterns: Patterns of titles; None if the title is the only namevar.
        complete: True if all attributes and patterns are known.
        isomorphic: True if two resources never manage the same thing.
        failure: The reason why Ruby cannot load the source, "" if none is known; `{path}` is the path of the source.
    """

    attributes: dict[str, Attribute]
    namevars: tuple[str, ...]
    patterns: tuple[Pattern, ...] | None
    complete: bool = True
    isomorphic: bool = True
    failure: str = ""
