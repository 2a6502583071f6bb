"""What is known about the resource types that come with Puppet: one row each, in the modules of this package.

The rows are read when a program first names a resource type.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.resource_types.common import Facts

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


@cache
def rows() -> dict[str, Facts]:
    """The rows of all known types by name."""
    from evaluator.resource_types import core, modules, system

    return {**core.TYPES, **system.TYPES, **modules.TYPES}


def names() -> Iterable[str]:
    """The names of all known types."""
    return rows().keys()


@cache
def reserved() -> frozenset[str]:
    """Puppet's own types: nothing else may be called so. `component` and `node` have references only."""
    own = (name for name, row in rows().items() if row[2] == "core")
    return frozenset({*own, "component", "node"})


def exists(name: str) -> bool:
    """True for the name, in lower case, of a known resource type."""
    return name in rows()


@cache
def facts(name: str) -> TypeFacts:
    """All that is known about a type; raises KeyError for an unknown one."""
    return TypeFacts(name, rows()[name])


@cache
def metaparameters() -> dict[str, AttributeFacts]:
    """The metaparameters, which every resource has, by name."""
    from evaluator.resource_types.common import METAPARAMETERS as found

    return {key: AttributeFacts(key, *row) for key, row in found.items()}


def attributes(name: str) -> dict[str, AttributeFacts]:
    """The attributes of a type, its own first, then the metaparameters; KeyError for an unknown type."""
    return {**facts(name).attributes, **metaparameters()}


def namevar(name: str) -> str:
    """The attribute that a resource's title stands for; raises KeyError for an unknown type."""
    return facts(name).namevars[0]
