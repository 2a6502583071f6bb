"""The rows of the tables of resource types, and the records that are read from modules.

A row of a type is

    name: (description, namevars, module, attributes)

The namevars are the attributes that the title sets. An attribute in the row is

    name: (kind, description, accepted values)

The kind is "property" for what is managed, "param" for how, or "metaparam" for what all types have. An accepted value
is a string, or a pattern between slashes; there are none if any value is accepted.
"""

from __future__ import annotations

from lexer_parser.record import Record

AttributeRow = tuple[str, str, tuple[str, ...]]
TypeRow = tuple[str, tuple[str, ...], str, dict[str, AttributeRow]]

# A regular expression for titles in Ruby's form, and the attributes that its groups set.
TitlePattern = tuple[str, tuple[str, ...]]


class DeclaredType(Record):
    """A resource type as the Ruby source of a module declares it.

    Attributes:
        attributes: Its attributes, as in a row.
        namevars: The attributes that the title sets.
        patterns: Patterns of titles; None if the type declares none, so that the title as a whole is the namevar.
        complete: True if all attributes and patterns are known.
        isomorphic: True if two resources never manage the same thing.
        failure: The reason why Ruby cannot load the source, "" if none is known; `{path}` is the path of the source.
    """

    attributes: dict[str, AttributeRow]
    namevars: tuple[str, ...]
    patterns: tuple[TitlePattern, ...] | None
    complete: bool = True
    isomorphic: bool = True
    failure: str = ""
