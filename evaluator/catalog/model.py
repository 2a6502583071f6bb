"""The catalog: resources by type and title, containment, and deferred statements.

Tables only grow. A resource of an earlier cell is replaced by a copy before it changes, and the catalog
records the replacement (`Catalog.make_writable`), so that a cell can be rolled back (see `program.state`).
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from itertools import chain, islice, product, repeat
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from evaluator import resource_types
from evaluator.program.state import OrderedSet
from evaluator.values import Value
from lexer_parser.memo import memoize
from lexer_parser.record import Record, fresh

if TYPE_CHECKING:
    from evaluator.catalog.collectors import ResourceCollector
    from evaluator.catalog.declarations import ResourceDeclarer
    from evaluator.catalog.overrides import PendingOverride
    from evaluator.catalog.provenance import Cause
    from evaluator.catalog.relationships import Arrow, Operand
    from evaluator.program.definitions import Definition, Scope, Site
    from evaluator.program.tracing import CodePoint
    from evaluator.resource_types import TypeFacts
    from lexer_parser.source import Span
    from lexer_parser.tree import nodes

Key = tuple[str, str]

MAIN_STAGE: Key = ("stage", "main")
MAIN_CLASS: Key = ("class", "")  # different from a class of the program that is named `main`
SETTINGS: Key = ("class", "settings")
# The name under which a state stores the scope of a class that the program calls `settings`; no class can have it.
OWN_SETTINGS = "settings::"
BUILT_IN = (MAIN_STAGE, SETTINGS, MAIN_CLASS)
# A type whose resources are called classes; a class of this name cannot be used.
COMPONENT = "component"
# The metaparameters that containers pass on to the resources in them.
PROPAGATED = ("noop", "schedule", "audit", "loglevel", "alias", "tag", "stage")
PROPAGATED_NAMES = frozenset(PROPAGATED)
# For `map`, which calls them faster than a loop reads the attributes.
get_parameters = attrgetter("parameters")
uses_collectors = attrgetter("uses_collectors")  # of an arrow
# Among the names of attributes that code has read, this entry means all attributes of a resource.
ANY_PARAMETER = "*"


@memoize(10_000)
def capitalize_name(name: str) -> str:
    """Return a type name as references spell it: `foo::bar` becomes `Foo::Bar`.

    A name with capital letters, which finds nothing, stays as the program spells it. A component is called a class.
    """
    shown = "class" if name == COMPONENT else name
    return "::".join(part.capitalize() for part in shown.split("::")) if name == name.lower() else name


def format_key(key: Key) -> str:
    """Return a key as messages and the catalog's JSON spell it: `Notify[a]`, `Class[A::B]`."""
    return f"{capitalize_name(key[0])}[{format_title(key)}]"


def format_title(key: Key) -> str:
    """Return the title of a key as the catalog spells it; class names are capitalized."""
    type_name, title = key
    return capitalize_name(title) or "main" if type_name in ("class", COMPONENT) else title


def find_operation(body: nodes.ResourceBody | None, attribute: str) -> nodes.Node | None:
    """Return the operation of a body that sets an attribute, also `* =>`; None without one."""
    operations = getattr(body, "operations", ())
    return next(
        (operation for operation in operations if getattr(operation, "name", attribute) == attribute), None
    )


class CatalogResource:
    """A resource: its declaration, and all changes to it so far. `make_resource` makes one.

    Attributes:
        type: The type in lower case.
        title: The title; the title of a class is its name in lower case.
        parameters: Values by name, in the order in which they were set; None is an explicit undef.
        scope: The scope that declared it.
        container: The key of the class, define, node or stage that contains it.
        site: The resource expression or function call that declared it; None for resources that `include` or the start
            of the program added.
        body: The body in that expression.
        definition: The definition of its class or define; None for native types.
        includer: For a class: the key of the container that included it first, whose tags it inherits.
        tag_horizon: For a class: the number of the last tag at that time; see `tags`.
        included: For a class that no expression declared: the place where it was included first.
        extra_tags: Pairs (sequence number, tag) added after the declaration.
        exporter: The other node that exported it.
        native: The record of a type that a module or another release defines; None for the default record.
        title_attributes: The attributes that its title sets.
        title_value: The title that a function received, in a tuple, if it is not a String.
        places: Spans of attributes that were not set by `body`.
        defaulted: Names of attributes that resource defaults set.
        setters: Scopes that overrode attributes, by name.
        history: The causes of its attributes, where they are recorded; see `provenance`.
    """

    definition: Definition | None = None
    virtual = False
    # Attributes that few resources have are class attributes by default, because creating and copying resources is the
    # catalog's most frequent operation. `optional` lists those that `set_optional` has set.
    optional: tuple[str, ...] = ()
    exported: ClassVar[bool] = False
    exporter: ClassVar[str] = ""
    includer: ClassVar[Key | None] = None
    included: ClassVar[CodePoint | None] = None
    tag_horizon: ClassVar[int] = 0
    extra_tags: ClassVar[tuple[tuple[int, str], ...]] = ()
    native: ClassVar[TypeFacts | None] = None
    title_attributes: ClassVar[dict[str, Any] | None] = None
    title_value: ClassVar[tuple[Any, ...]] = ()
    places: ClassVar[dict[str, Span | None] | None] = None
    defaulted: ClassVar[frozenset[str]] = frozenset()
    setters: ClassVar[dict[str, Scope] | None] = None
    history: ClassVar[tuple[Cause, ...]] = ()

    owner: object
    type: str
    title: str
    parameters: dict[str, Value]
    container: Key
    scope: Scope | None
    site: Site | None
    body: nodes.ResourceBody | None

    @property
    def key(self) -> Key:
        """The key of the resource in a catalog."""
        return (self.type, self.title)

    @property
    def reference(self) -> str:
        """The reference as messages spell it: `Notify[a]`."""
        return format_key((self.type, self.title))

    @property
    def span(self) -> Span | None:
        """The expression that declared it; None when there is none."""
        return self.site.span() if self.site is not None else None

    def find_place(self, attribute: str) -> Span | None:
        """Return the place where an attribute was set; None when the program did not set it."""
        if self.places is not None and attribute in self.places:
            return self.places[attribute]
        return None if self.site is None else self.site.span(find_operation(self.body, attribute))

    def get_type_facts(self) -> TypeFacts | None:
        """Return the facts of its native type; None for other resources."""
        if self.native is not None or self.definition is not None or not resource_types.is_known(self.type):
            return self.native
        return resource_types.get_facts(self.type)

    def set_optional(self, **attributes: object) -> None:
        """Set attributes that few resources have."""
        for name, value in attributes.items():
            setattr(self, name, value)
            if name not in self.optional:
                self.optional = (*self.optional, name)

    def copy(self, owner: object) -> CatalogResource:
        """Return a copy that can change without changing this resource."""
        twin = make_resource(
            owner,
            self.type,
            self.title,
            self.parameters.copy(),
            self.container,
            self.scope,
            self.site,
            self.body,
        )
        if self.definition is not None:
            twin.definition = self.definition
        if self.virtual:
            twin.virtual = True
        if self.optional:
            twin.set_optional(**{name: getattr(self, name) for name in self.optional})
        return twin

    def __repr__(self) -> str:
        return f"{'@' * self.virtual}{'@' * (self.virtual and self.exported)}{self.reference}"


def make_resource(
    owner: object,
    type_name: str,
    title: str,
    parameters: dict[str, Value],
    container: Key,
    scope: Scope | None = None,
    site: Site | None = None,
    body: nodes.ResourceBody | None = None,
) -> CatalogResource:
    """Return a new resource. An `__init__` would take two thirds longer.

    Args:
        owner: The catalog that may change it.
        parameters: The attributes, in a dict that the caller must not use afterwards.
    """
    resource = CatalogResource()
    resource.owner = owner
    resource.type = type_name
    resource.title = title
    resource.parameters = parameters
    resource.container = container
    resource.scope = scope
    resource.site = site
    resource.body = body
    return resource


class Edge(Record):
    """A directed edge: `source` contains `target`, or is applied before it.

    Attributes:
        kind: "contains", "before", "notify" or "auto".
        reason: The metaparameter or arrow that makes the edge: "before", "->", ….
        span: The place of the reason.
    """

    source: Key
    target: Key
    kind: str
    reason: str = ""
    span: Span | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edge) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[Key, Key, str]:
        return (self.source, self.target, self.kind)

    def __repr__(self) -> str:
        return f"{format_key(self.source)} -{self.kind}-> {format_key(self.target)}"


# A relationship: (source, target, kind), the metaparameter or arrow that makes it, and the object that knows its place.
Ends = tuple[Key, Key, str]
Link = tuple[Ends, str, "CatalogResource | Arrow"]


def link_edge(link: Link) -> Edge:
    """Return the Edge for a relationship."""
    ends, reason, place = link
    return Edge(*ends, reason, place.find_place(reason))


class CollectedResource(NamedTuple):
    """A resource that a collector in a relationship found, with the number of the round."""

    collector: ResourceCollector
    key: Key
    round: int


class Catalog(Record):
    """The resources of a program in order of declaration, and what is still to be evaluated.

    Attributes:
        resources: Resources by key.
        aliases: Further names: key by key. The type has capital letters if only references use the name.
        unique: Keys of resources by the attributes that identify them.
        classes: Names of evaluated classes and nodes, in order.
        class_tags: The tags that classes and nodes had when they were added; the catalog has them, too.
        contained: Pairs (container, class) of keys that `contain` added.
        pending: Keys of defines, and of classes that a classifier assigns, in order of declaration.
        evaluated: Keys of classes and defines whose body has run or is running.
        phases: The phase of each resource that the fixed point added; a round is two phases, collecting and
            evaluating. It is -1 for what the program's own class `settings` declares.
        collectors, relationships, overrides: The statements of these kinds, for the fixed point.
        collected: The resources that collectors in relationships found; only for the fixed point.
        collecting_scopes: The scopes whose collectors have changed resources; see `scopes.identify_source`.
        detours: Pairs (collector, operands): while the collector finds nothing, arrows from it start at the operands.
        declarers: Declarers of resource expressions, by site and by type and form.
        origins: The arrow that made an edge, by (source key, target key, kind).
        changes: Triples (key, before, after) of resources that were replaced.
        read_parameters: The attributes of resources that code has read since the set was last cleared; see
            `ANY_PARAMETER`.
        has_listed: True if code has listed the classes, resources or variables since this was set to False.
        owner: The identity of the running cell; only resources with this owner are changed in place.
        classified: True if a classifier assigns classes to the node.
        has_defaults: True if the program has set resource defaults.
        sets_aliases: True if `alias` was set after the declaration of a resource, so that aliases are checked last.
        tag_sequence: The number of tags that were added to resources after their declaration.
        environment, node: Names that its JSON shows.
        rich_data: True if its JSON represents values that JSON lacks, False if they become strings.
    """

    # The tables, the record of changes last, and the plain fields: together they are the state of the catalog.
    TABLES = (
        "resources",
        "aliases",
        "unique",
        "classes",
        "class_tags",
        "contained",
        "pending",
        "evaluated",
        "phases",
        "collected",
        "collectors",
        "relationships",
        "overrides",
        "detours",
        "origins",
        "collecting_scopes",
        "changes",
    )
    FIELDS = ("classified", "has_defaults", "sets_aliases", "tag_sequence")
    read_fields = staticmethod(attrgetter(*FIELDS))  # their values

    node: str = "localhost"
    environment: str = "production"
    rich_data: bool = False
    owner: object = fresh(factory=object)
    resources: dict[Key, CatalogResource] = fresh(factory=dict)
    aliases: dict[Key, Key] = fresh(factory=dict)
    unique: dict[tuple[Any, ...], Key] = fresh(factory=dict)
    classes: list[str] = fresh(factory=list)
    class_tags: list[str] = fresh(factory=list)
    contained: list[tuple[Key, Key]] = fresh(factory=list)
    pending: list[Key] = fresh(factory=list)
    evaluated: OrderedSet[Key] = fresh(factory=OrderedSet)
    phases: dict[Key, int] = fresh(factory=dict)
    collected: list[CollectedResource] = fresh(factory=list)
    collectors: list[ResourceCollector] = fresh(factory=list)
    collecting_scopes: OrderedSet[tuple[str, str]] = fresh(factory=OrderedSet)
    relationships: list[Arrow] = fresh(factory=list)
    overrides: list[PendingOverride] = fresh(factory=list)
    detours: list[tuple[ResourceCollector, list[Operand]]] = fresh(factory=list)
    origins: dict[tuple[Key, Key, str], Arrow] = fresh(factory=dict)
    changes: list[tuple[Key, CatalogResource, CatalogResource]] = fresh(factory=list)
    declarers: dict[Site | tuple[str, str], ResourceDeclarer] = fresh(factory=dict)
    read_parameters: set[str] = fresh(factory=set)
    has_listed: bool = False
    classified: bool = False
    has_defaults: bool = False
    sets_aliases: bool = False
    tag_sequence: int = 0

    # --- savepoints

    def begin_cell(self) -> None:
        """Begin a cell: resources of earlier cells are replaced by copies when they change."""
        self.owner = object()
        self.declarers.clear()

    def undo_changes(self, length: int) -> None:
        """Restore the resources that were replaced after the first `length` changes."""
        self.resources.update((key, before) for key, before, _ in reversed(self.changes[length:]))

    def redo_changes(self, changes: list[tuple[Key, CatalogResource, CatalogResource]]) -> None:
        """Apply replacements of resources again."""
        self.resources.update((key, after) for key, _, after in changes)

    def copy_empty(self) -> Self:
        """Return an empty catalog for the same node.

        Resources that are added to both catalogs are replaced by copies when either changes them.
        """
        self.begin_cell()
        return type(self)(self.node, self.environment, self.rich_data)

    def copy(self) -> Self:
        """Return a catalog with the same content, which no later edit changes."""
        self.begin_cell()
        twin = type(self)(self.node, self.environment, self.rich_data)
        for name in (*self.TABLES, *self.FIELDS):
            setattr(twin, name, copy(getattr(self, name)))
        return twin

    # --- resources

    def find(self, key: Key) -> CatalogResource | None:
        """Return the resource that a reference means, by title, alias or namevar; None if missing.

        The class of the program itself, `main`, cannot be referred to.
        """
        resource = self.resources.get(key)
        if resource is None:
            # Aliases with a capitalized type serve references only: names of packages, which packages of different
            # providers may share. A title that is any other alias is an error.
            alias = self.aliases.get(key) or self.aliases.get((capitalize_name(key[0]), key[1]))
            if alias is not None:
                return self.resources.get(alias)
            if key[0] == "file" and len(key[1]) > 1 and key[1].endswith("/"):
                return self.find(("file", key[1].rstrip("/") or "/"))
        elif key == MAIN_CLASS:
            return None
        return resource

    def list_added(self, count: int) -> list[CatalogResource]:
        """Return the resources that were added after the first `count` ones, in order."""
        # items would be tuples, which the garbage collector scans
        return [*islice(reversed(self.resources.values()), max(len(self.resources) - count, 0))][::-1]

    def has_propagated(self, containers: Iterable[Key], classes: Iterable[str]) -> bool:
        """Return True when a container, class or node has metaparameters or tags to propagate."""
        keys = {MAIN_CLASS, *containers, *product(("class", "node"), classes)}
        resources = filter(None, map(self.resources.get, keys))
        if not PROPAGATED_NAMES.isdisjoint(chain.from_iterable(map(get_parameters, resources))):
            return True
        return any(key in keys and self._passes_tags(key, target) for key, target in self.contained)

    def _passes_tags(self, container: Key, key: Key) -> bool:
        """Return True unless the container first included the class, which has all its tags."""
        if container[0] != "class" or self.resources[key].includer != container:
            return True
        return bool(self.resources[container].extra_tags)

    def find_names_of_collectors(self) -> tuple[set[str], set[str]]:
        """Return the names of the attributes that collectors set, and of those that their queries compare."""
        changed = set[str]().union(*(collector.changed_names for collector in self.collectors))
        return changed, set[str]().union(*(collector.queried_names for collector in self.collectors))

    def make_writable(self, resource: CatalogResource) -> CatalogResource:
        """Return a resource that this catalog may change: itself, or a copy that replaces it."""
        if resource.owner is self.owner:
            return resource
        twin = resource.copy(self.owner)
        key = (twin.type, twin.title)
        self.changes.append((key, resource, twin))
        self.resources[key] = twin
        return twin

    def sort_keys(self, keys: list[Key]) -> list[Key]:
        """Return keys of resources, which are in the order of the catalog, in Puppet's order."""
        if not self.phases or self.classified:  # with a classification, nothing is extended
            return keys
        phases = [*map(self.phases.get, keys, repeat(0))]
        if phases == sorted(phases):  # nearly always
            return keys
        return [key for _, key in sorted(zip(phases, keys, strict=True), key=itemgetter(0))]

    def to_released_order(self) -> Self:
        """Return the catalog in Puppet's order: resources and classes of deferred code last.

        The order differs when the fixed point was extended cell by cell.
        """
        if not self.phases or self.classified:  # with a classification, nothing is extended
            return self
        resources = self.sort_keys([*self.resources])
        classes = [name for _, name in self.sort_keys([("class", name) for name in self.classes])]
        if classes == self.classes and resources == [*self.resources]:
            return self
        twin = type(self)(self.node, self.environment, self.rich_data)
        for name in (*self.TABLES, *self.FIELDS):
            setattr(twin, name, getattr(self, name))
        twin.resources = {key: self.resources[key] for key in resources}
        twin.classes = classes
        return twin

    def adopt_released_order(self) -> None:
        """Put the resources and classes into Puppet's order, in the tables that they are in."""
        ordered = self.to_released_order()
        if ordered is not self:
            self.resources.clear()
            self.resources.update(ordered.resources)
            self.classes[:] = ordered.classes

    @property
    def edges(self) -> list[Edge]:
        """Edges of containment, as the catalog's JSON shows them; without virtual resources.

        Each resource has an edge from its container, and a class one from each container that `contain` added. The
        first is omitted if it is among the others, if the container is virtual, and for a class that a default value
        ended early; it is in no stage, which `classes` represents by making it its own container.
        """
        edges: list[Edge] = []
        further: dict[Key, list[Edge]] = {}
        for source, target in self.contained:
            further.setdefault(target, []).append(Edge(source, target, "contains", "contain"))
        for key, resource in self.resources.items():
            if resource.virtual or resource.type in ("stage", COMPONENT):
                continue
            own, others = Edge(resource.container, key, "contains"), further.get(key, [])
            omits_own = (
                own in others or resource.container == key or self.resources[resource.container].virtual
            )
            edges += others if omits_own else [own, *others]
        return edges
