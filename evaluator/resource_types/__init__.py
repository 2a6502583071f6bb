"""The facts about resource types: attributes, title patterns, metaparameters.

The types that need no module have one row each in the tables of this package, which are imported when a program first
names a resource type.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes
from lexer_parser.memo import memoize
from lexer_parser.record import Record

if TYPE_CHECKING:
    from evaluator.resource_types.records import DeclaredType, TitlePattern, TypeRow

RELATIONSHIPS = ("before", "notify", "require", "subscribe")
RELATIONSHIP_NAMES = frozenset(RELATIONSHIPS)
# The keys of `tables.METAPARAMETERS`, so that most programs need not load the tables; a test compares them.
METAPARAMETERS = frozenset({*RELATIONSHIPS, "alias", "audit", "loglevel", "noop", "schedule", "stage", "tag"})


class AttributeFacts(Record):
    """The facts about an attribute.

    Attributes:
        kind: "property", "param" or "metaparam".
        words: A description.
        values: The accepted values, if they are listed.
    """

    name: str
    kind: str
    words: str
    values: tuple[str, ...]


class TypeFacts:
    """The facts about a resource type.

    Attributes:
        words: A description of what it manages.
        module: The module that declares it, "core" for Puppet itself.
        namevars: The attributes that the title sets, usually one.
        attributes: Its own attributes by name.
        valid: All attribute names that it accepts, with the metaparameters; None if they are not all known.
        patterns: Regular expressions for titles, and the attributes that their groups set; None if the whole title
            is the value of the only namevar; empty if the title is the value of no attribute.
        isomorphic: True if two resources of the type never manage the same thing.
        is_builtin: True if no module declares it.
        failure: The reason why Ruby cannot load its source; "" if none is known.
    """

    def __init__(
        self,
        name: str,
        type_row: TypeRow,
        *,
        patterns: tuple[TitlePattern, ...] | None = None,
        isomorphic: bool = True,
        complete: bool = True,
        is_builtin: bool = False,
        failure: str = "",
    ) -> None:
        self.name = name
        self.words, self.namevars, self.module, attributes = type_row
        self.attributes = {key: AttributeFacts(key, *row) for key, row in attributes.items()}
        self.valid = METAPARAMETERS.union(self.attributes, ["name"]) if complete else None
        self.patterns = patterns
        self.isomorphic, self.is_builtin, self.failure = isomorphic, is_builtin, failure

    @property
    def namevar(self) -> str:
        """Return the attribute that the title sets; `name` if it sets several or none."""
        return self.namevars[0] if len(self.namevars) == 1 else "name"


def _load_tables() -> ModuleType:
    from evaluator.resource_types import tables  # many programs declare no resource

    return tables


@memoize(unbounded_because="one result")
def get_rows() -> dict[str, TypeRow]:
    """Return the rows of all known types by name."""
    return dict(_load_tables().TYPES)


def list_names() -> Iterable[str]:
    """Return the names of all known types."""
    return get_rows().keys()


@memoize(unbounded_because="one result")
def list_reserved_names() -> frozenset[str]:
    """Return the names of Puppet's own types, which nothing else may have.

    `node` is one of them, although no resource can have this type: programs can only refer to it.
    """
    own = (name for name, (_, _, module, _) in get_rows().items() if module == "core")
    return frozenset({*own, "node"})


def is_known(name: str) -> bool:
    """Return whether a name in lower case is that of a known resource type."""
    return name in get_rows()


# The attributes that only dialects with the switch `package_environment` have, by type.
_NEWER = {"package": {"environment"}}


@memoize(unbounded_because="two for each built-in type")
def get_facts(name: str, *, with_newer: bool = True) -> TypeFacts:
    """Return the facts about a type.

    Args:
        name: The name of the type.
        with_newer: False to leave out the attributes in `_NEWER`.

    Raises:
        KeyError: For an unknown type.
    """
    if not with_newer and name not in _NEWER:
        return get_facts(name)  # the same object for a type without newer attributes
    words, namevars, module, attributes = get_rows()[name]
    available = {key: row for key, row in attributes.items() if with_newer or key not in _NEWER[name]}
    tables = _load_tables()
    return TypeFacts(
        name,
        (words, namevars, module, available),
        patterns=tables.PATTERNS.get(name),
        isomorphic=name not in tables.NOT_UNIQUE,
        is_builtin=True,
    )


def make_module_facts(
    name: str, module: str, record: DeclaredType | None, *, has_providers: bool, path: str = ""
) -> TypeFacts:
    """Return the facts about a type that a module declares.

    Args:
        name: The name of the type.
        module: The name of the module.
        record: The content of its source; None if that cannot be read.
        has_providers: True if the type has providers, and therefore an attribute that selects one.
        path: The path of its source, for messages.
    """
    if record is None:
        return TypeFacts(name, ("", ("name",), module, {}), complete=False)
    attributes = dict(record.attributes)
    if has_providers:
        attributes.setdefault("provider", ("param", "back end to use", ()))
    title_sets_nothing = record.patterns is None and record.complete and not record.namevars
    return TypeFacts(
        name,
        ("", record.namevars, module, attributes),
        patterns=() if title_sets_nothing else record.patterns,
        isomorphic=record.isomorphic and record.complete,
        complete=record.complete,
        failure=record.failure.replace("{path}", path),
    )


@memoize(unbounded_because="one result")
def get_metaparameters() -> dict[str, AttributeFacts]:
    """Return the metaparameters, which every resource has, by name."""
    return {key: AttributeFacts(key, *row) for key, row in _load_tables().METAPARAMETERS.items()}


def get_attributes(name: str) -> dict[str, AttributeFacts]:
    """Return the attributes of a type, its own first. Raises KeyError for an unknown type."""
    return {**get_facts(name).attributes, **get_metaparameters()}


# The readers of types in modules are imported when they are first used.
__getattr__ = lazy_attributes(__name__, {"sources": "sources"})
