"""What is known about the resource types that come with Puppet, as data.

Names are at hand at once; the rest is read when it is first asked for.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.resource_types.table import Facts

# fmt: off
NAMES = frozenset({
    "anchor", "augeas", "concat_file", "concat_fragment", "cron", "exec", "file", "file_line", "filebucket",
    "group", "host", "ini_setting", "ini_subsetting", "mailalias", "mount", "notify", "package", "resources",
    "schedule", "selboolean", "selmodule", "service", "ssh_authorized_key", "sshkey", "stage", "tidy", "user",
    "whit",
})
# Puppet's own types: nothing else may be called so. Two of them have references only.
RESERVED = frozenset({
    "component", "exec", "file", "filebucket", "group", "node", "notify", "package", "resources", "schedule",
    "service", "stage", "tidy", "user", "whit",
})
# fmt: on
RELATIONSHIPS = ("before", "notify", "require", "subscribe")
RELATIONSHIP_NAMES = frozenset(RELATIONSHIPS)
METAPARAMETERS = frozenset({*RELATIONSHIPS, "alias", "audit", "loglevel", "noop", "schedule", "stage", "tag"})


class AttributeFacts:
    """An attribute: `kind` is "property", "param" or "metaparam"; `values` the accepted ones, if listed."""

    __slots__ = ("kind", "name", "values", "words")

    def __init__(self, name: str, kind: str, words: str, values: tuple[str, ...]) -> None:
        self.name = name
        self.kind = kind
        self.words = words
        self.values = values


class TypeFacts:
    """A resource type.

    words       what it manages;  module  the module that has it, "core" for Puppet itself
    namevars    the attributes that the title stands for, usually one
    attributes  its own attributes by name;  valid  all names it accepts, with the metaparameters
    """

    __slots__ = ("attributes", "ensurable", "module", "name", "namevars", "refreshable", "valid", "words")

    def __init__(self, name: str, facts: Facts) -> None:
        self.name = name
        self.words, self.namevars, self.module, self.ensurable, self.refreshable, attributes = facts
        self.attributes = {key: AttributeFacts(key, *row) for key, row in attributes.items()}
        self.valid = METAPARAMETERS.union(self.attributes)


def exists(name: str) -> bool:
    """True for the name, in lower case, of a known resource type."""
    return name in NAMES


@cache
def facts(name: str) -> TypeFacts:
    """All that is known about a type; raises KeyError for an unknown one."""
    from evaluator.resource_types.table import TYPES

    return TypeFacts(name, TYPES[name])


@cache
def metaparameters() -> dict[str, AttributeFacts]:
    """The metaparameters, which every resource has, by name."""
    from evaluator.resource_types.table import METAPARAMETERS as rows

    return {key: AttributeFacts(key, *row) for key, row in rows.items()}


def attributes(name: str) -> dict[str, AttributeFacts]:
    """The attributes of a type, its own first, then the metaparameters; KeyError for an unknown type."""
    return {**facts(name).attributes, **metaparameters()}


def namevar(name: str) -> str:
    """The attribute that a resource's title stands for; raises KeyError for an unknown type."""
    return facts(name).namevars[0]
