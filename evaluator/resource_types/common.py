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


METAPARAMETERS: dict[str, Attribute] = {
    "alias": ("metaparam", "extra title usable in references", ()),
    "audit": ("metaparam", "attribute names (or all) reported but not changed", ()),
    "before": ("metaparam", "reference(s) applied after this resource", ()),
    "loglevel": (
        "metaparam",
        "level used for its messages",
        ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose"),
    ),
    "noop": ("metaparam", "simulate only", ("true", "false")),
    "notify": ("metaparam", "as before, and send a refresh on change", ()),
    "require": ("metaparam", "reference(s) applied before this resource", ()),
    "schedule": ("metaparam", "name of a schedule resource that limits when it is applied", ()),
    "stage": ("metaparam", "run stage of a class (class declarations only)", ()),
    "subscribe": ("metaparam", "as require, and refresh when they change", ()),
    "tag": ("metaparam", "tag(s) added to the resource", ()),
}
