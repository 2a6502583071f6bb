"""What is known about the resource types that come with Puppet: one row each, in the modules of this package.

The rows are read when a program first names a resource type.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.resource_types.records import Facts, Pattern, Record

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
    attributes  its own attributes by name;  valid  all names it accepts, with the metaparameters; None when it
                is not known which
    patterns    regular expressions for titles, and the attributes that their groups give; None where the title
                stands for the one namevar
    isomorphic  whether two resources cannot mean the same thing
    """

    __slots__ = (
        *("attributes", "ensurable", "isomorphic", "module", "name", "namevars", "patterns"),
        *("refreshable", "valid", "words"),
    )

    def __init__(
        self,
        name: str,
        facts: Facts,
        *,
        patterns: tuple[Pattern, ...] | None = None,
        isomorphic: bool = True,
        complete: bool = True,
    ) -> None:
        self.name = name
        self.words, self.namevars, self.module, self.ensurable, self.refreshable, attributes = facts
        self.attributes = {key: AttributeFacts(key, *row) for key, row in attributes.items()}
        self.valid = METAPARAMETERS.union(self.attributes) if complete else None
        self.patterns = patterns
        self.isomorphic = isomorphic

    @property
    def namevar(self) -> str:
        """The attribute that the title stands for; `name` where several do."""
        return self.namevars[0] if len(self.namevars) == 1 else "name"


@memoize(owner="one result")
def rows() -> dict[str, Facts]:
    """Return the rows of all known types by name."""
    from evaluator.resource_types import tables

    return tables.TYPES


def names() -> Iterable[str]:
    """The names of all known types."""
    return rows().keys()


@memoize(owner="one result")
def reserved() -> frozenset[str]:
    """Puppet's own types: nothing else may be called so. `component` and `node` have references only."""
    own = (name for name, row in rows().items() if row[2] == "core")
    return frozenset({*own, "component", "node"})


def exists(name: str) -> bool:
    """True for the name, in lower case, of a known resource type."""
    return name in rows()


@memoize(owner="one for each built-in type")
def facts(name: str) -> TypeFacts:
    """All that is known about a type; raises KeyError for an unknown one."""
    from evaluator.resource_types import tables

    isomorphic = name not in tables.NOT_UNIQUE
    return TypeFacts(name, rows()[name], patterns=tables.PATTERNS.get(name), isomorphic=isomorphic)


def known(name: str) -> TypeFacts | None:
    """What is known about a type without any module, if something is."""
    return facts(name) if exists(name) else None


def brought(name: str, module: str, record: Record | None, provided: bool) -> TypeFacts:
    """What is known of a type that a module brings.

    record  what its source says, None when that cannot be read;  provided  whether it has providers
    """
    if record is None:
        return TypeFacts(name, ("", ("name",), module, False, False, {}), complete=False)
    attributes = dict(record.attributes)
    if provided:
        attributes.setdefault("provider", ("param", "back end to use", ()))
    row = ("", record.namevars, module, "ensure" in attributes, False, attributes)
    complete = record.complete
    patterns = record.patterns
    if patterns is None and complete and not record.namevars:
        patterns = ()  # no title fits
    return TypeFacts(
        name, row, patterns=patterns, isomorphic=record.isomorphic and complete, complete=complete
    )


@memoize(owner="one result")
def metaparameters() -> dict[str, AttributeFacts]:
    """The metaparameters, which every resource has, by name."""
    from evaluator.resource_types import tables

    return {key: AttributeFacts(key, *row) for key, row in tables.METAPARAMETERS.items()}


def attributes(name: str) -> dict[str, AttributeFacts]:
    """The attributes of a type, its own first, then the metaparameters; KeyError for an unknown type."""
    return {**facts(name).attributes, **metaparameters()}


def namevar(name: str) -> str:
    """The attribute that a resource's title stands for; raises KeyError for an unknown type."""
    return facts(name).namevars[0]


__getattr__ = lazy_attributes(__name__, {"sources": "sources"})
