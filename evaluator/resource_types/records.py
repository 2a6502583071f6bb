"""What a row about a resource type holds, and the metaparameters, which all types have.

    name: (description, title attributes, module, has `ensure`, reacts to refresh, attributes)

where an attribute is

    name: (kind, description, accepted values)
"""

from __future__ import annotations

Attribute = tuple[str, str, tuple[str, ...]]
Facts = tuple[str, tuple[str, ...], str, bool, bool, dict[str, Attribute]]

# the groups of a regular expression for titles, in the host language's form, and the attributes that they give
Pattern = tuple[str, tuple[str, ...]]


class Record:
    """What the source of a module says of its type.

    attributes, namevars  as in a row;  patterns  of titles, None where the title is the one namevar
    complete    whether all of this is known;  isomorphic  whether two resources cannot mean the same thing
    """

    __slots__ = ("attributes", "complete", "isomorphic", "namevars", "patterns")

    def __init__(
        self,
        attributes: dict[str, Attribute],
        namevars: tuple[str, ...],
        patterns: tuple[Pattern, ...] | None,
        complete: bool = True,
        isomorphic: bool = True,
    ) -> None:
        self.attributes = attributes
        self.namevars = namevars
        self.patterns = patterns
        self.complete = complete
        self.isomorphic = isomorphic
