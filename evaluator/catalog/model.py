"""The catalog: resources by type and title, what contains them, and what is still to be evaluated.

Tables only grow, and a resource that was there before the cell that changes it is replaced by a copy, of which the
catalog keeps a record (`Catalog.make_writable`): so what a cell did can be taken off again (see `program.state`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from evaluator import resource_types
from evaluator.program.state import OrderedSet
from lexer_parser.memo import memoize

if TYPE_CHECKING:
    from evaluator.catalog.collectors import ResourceCollector
    from evaluator.catalog.declarations import ResourceDeclarer
    from evaluator.catalog.overrides import PendingOverride
    from evaluator.catalog.provenance import Cause
    from evaluator.catalog.relationships import Arrow, Operand
    from evaluator.program.definitions import Definition, Site
    from evaluator.program.scope import Scope
    from evaluator.program.tracing import CodePoint
    from evaluator.resource_types import TypeFacts
    from lexer_parser.source import Span

Key = tuple[str, str]

MAIN_STAGE: Key = ("stage", "main")
MAIN_CLASS: Key = ("class", "main")
SETTINGS: Key = ("class", "settings")
BUILT_IN = (MAIN_STAGE, SETTINGS, MAIN_CLASS)


@memoize(10_000)
def capitalize_name(name: str) -> str:
    """A type name as references spell it: `foo::bar` is `Foo::Bar`."""
    return "::".join(part.capitalize() for part in name.split("::"))


def format_key(key: Key) -> str:
    """A key as messages and the catalog's JSON spell it: `Notify[a]`, `Class[A::B]`, `Class[main]`."""
    type_name, title = key
    if type_name == "class" and key != MAIN_CLASS:
        title = capitalize_name(title)
    return f"{capitalize_name(type_name)}[{title}]"


_new = object.__new__


class CatalogResource:
    """A resource as it was declared, and what has been done to it since.

    type, title  the type in lower case, and the title; a class's title is its name in lower case
    parameters   name -> value in the order in which they were set; None is a value given as undef
    scope        where it was declared;  container  the key of what contains it: a class, define, node or stage
    site, body   the expression that declared it and the body in it; None for what `include` or the program's
                 start makes. A site's node is a resource expression, or a function call
    definition   of a class or define; None for native types
    includer     of a class: the key of what first included it, whose tags it takes over;  born  see `tags`
    included     of a class that no expression declared: where it was included first
    extra_tags   (sequence, tag) pairs added after it was declared
    exporter     the node that has exported it, where that is another one
    native       what is known of its type where a module brings it;  titled  the attributes that its title gives
    spoken       the title as a function was given it, alone in a tuple, where that is no String
    places       attribute -> Span for attributes that were not set by `body`
    defaulted    attributes that resource defaults gave;  setters  attribute -> Scope for those that were overridden
    history      what had a say in its attributes, where that is recorded, see `provenance`
    """

    definition: Definition | None = None
    virtual = False
    # What few resources have is a default of the class, for making and copying them is the catalog's hottest path;
    # `optional` names what one of them has, which `set_optional` sets.
    optional: tuple[str, ...] = ()
    exported: ClassVar[bool] = False
    exporter: ClassVar[str] = ""
    includer: ClassVar[Key | None] = None
    included: ClassVar[CodePoint | None] = None
    born: ClassVar[int] = 0
    extra_tags: ClassVar[tuple[tuple[int, str], ...]] = ()
    native: ClassVar[TypeFacts | None] = None
    titled: ClassVar[dict[str, Any] | None] = None
    spoken: ClassVar[tuple[Any, ...]] = ()
    places: ClassVar[dict[str, Span | None] | None] = None
    defaulted: ClassVar[frozenset[str]] = frozenset()
    setters: ClassVar[dict[str, Scope] | None] = None
    history: ClassVar[tuple[Cause, ...]] = ()

    def __init__(
        self,
        owner: object,
        type_name: str,
        title: str,
        parameters: dict[str, Any],
        container: Key,
        scope: Scope | None = None,
        site: Site | None = None,
        body: Any = None,
    ) -> None:
        self.owner = owner
        self.type = type_name
        self.title = title
        self.parameters = parameters
        self.container = container
        self.scope = scope
        self.site = site
        self.body = body

    @property
    def key(self) -> Key:
        """What finds it in a catalog."""
        return (self.type, self.title)

    @property
    def reference(self) -> str:
        """`Notify[a]`."""
        return format_key((self.type, self.title))

    @property
    def span(self) -> Span | None:
        """The expression that declared it; None when there is none."""
        return self.site.span() if self.site is not None else None

    def find_place(self, attribute: str) -> Span | None:
        """Where an attribute was set; None when it was not set by the program."""
        if self.places is not None and attribute in self.places:
            return self.places[attribute]
        if self.site is None:
            return None
        for operation in getattr(self.body, "operations", ()):
            if getattr(operation, "name", attribute) == attribute:
                return self.site.span(operation)
        return self.site.span()

    def get_type_facts(self) -> TypeFacts | None:
        """What is known of its type, when that is a native one."""
        if self.native is not None or self.definition is not None or not resource_types.exists(self.type):
            return self.native
        return resource_types.facts(self.type)

    def set_optional(self, **given: Any) -> None:
        """Sets attributes that few resources have."""
        for name, value in given.items():
            setattr(self, name, value)
            if name not in self.optional:
                self.optional = (*self.optional, name)

    def copy(self, owner: object) -> CatalogResource:
        """A copy that can change without changing this one."""
        twin = _new(CatalogResource)  # faster than a call of the class
        twin.owner = owner
        twin.type = self.type
        twin.title = self.title
        twin.parameters = self.parameters.copy()
        twin.container = self.container
        twin.scope = self.scope
        twin.site = self.site
        twin.body = self.body
        if self.definition is not None:
            twin.definition = self.definition
        if self.virtual:
            twin.virtual = True
        if self.optional:
            twin.set_optional(**{name: getattr(self, name) for name in self.optional})
        return twin

    def __repr__(self) -> str:
        return f"{'@' * self.virtual}{'@' * (self.virtual and self.exported)}{self.reference}"


class Edge:
    """`source` contains `target`, or is applied before it.

    kind    "contains", "before" or "notify";  reason  what says so: "before", "->", …;  span  where
    """

    __slots__ = ("kind", "reason", "source", "span", "target")

    def __init__(
        self, source: Key, target: Key, kind: str, reason: str = "", span: Span | None = None
    ) -> None:
        self.source = source
        self.target = target
        self.kind = kind
        self.reason = reason
        self.span = span

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edge) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[Key, Key, str]:
        return (self.source, self.target, self.kind)

    def __repr__(self) -> str:
        return f"{format_key(self.source)} -{self.kind}-> {format_key(self.target)}"


# A relationship: (source, target, kind), what says so, and the Resource or arrow that tells where (`find_place`).
Ends = tuple[Key, Key, str]
Link = tuple[Ends, str, "CatalogResource | Arrow"]


def link_edge(link: Link) -> Edge:
    """The Edge that shows a relationship."""
    ends, reason, place = link
    return Edge(*ends, reason, place.find_place(reason))


class Catalog:
    """Resources in the order of their declaration, and what is evaluated late.

    resources      (type, title) -> Resource;  aliases  further names: key -> key
    classes        names of evaluated classes and nodes, in order
    contained      (container, class) keys added by `contain`
    pending        keys of defines in order of declaration
    evaluated      keys of classes and defines whose body has run, or begun to
    late           keys of resources that have come late -> at which stage: each round first collects, then
                   evaluates
    collectors, relationships, overrides   what the statements of these kinds left to be settled
    collecting     what has changed resources by collectors, see `scopes.source`
    detours        (Collector, operands that take its place as a source while it finds nothing)
    plans          Site, or type and form -> what is known about such expressions from the last evaluation
    origins        (source key, target key, kind) -> the Relationship, where an arrow made it
    changes        (key, resource before, resource after) of resources that were replaced
    looked         whether code has read an attribute of a resource since this was made False
    environment, node   names shown in its JSON
    """

    # What grows, the record of changes last, and what there is once.
    TABLES = (
        "resources",
        "aliases",
        "unique",
        "classes",
        "contained",
        "pending",
        "evaluated",
        "late",
        "collectors",
        "relationships",
        "overrides",
        "detours",
        "origins",
        "changes",
    )
    PLACES = ("classified", "has_defaults", "tag_sequence")
    __slots__ = (
        *TABLES,
        *PLACES,
        "collecting_scopes",
        "environment",
        "has_read_parameters",
        "node",
        "owner",
        "declarers",
    )

    def __init__(self, node: str = "localhost", environment: str = "production") -> None:
        self.node = node
        self.environment = environment
        self.owner = object()
        self.resources: dict[Key, CatalogResource] = {}
        self.aliases: dict[Key, Key] = {}
        self.unique: dict[tuple[Any, ...], Key] = {}
        self.classes: list[str] = []
        self.contained: list[tuple[Key, Key]] = []
        self.pending: list[Key] = []
        self.evaluated: OrderedSet[Key] = OrderedSet()
        self.late: dict[Key, int] = {}
        self.collectors: list[ResourceCollector] = []
        self.collecting_scopes: set[tuple[str, str]] = set()
        self.relationships: list[Arrow] = []
        self.overrides: list[PendingOverride] = []
        self.detours: list[tuple[ResourceCollector, list[Operand]]] = []
        self.origins: dict[tuple[Key, Key, str], Arrow] = {}
        self.changes: list[tuple[Key, CatalogResource, CatalogResource]] = []
        self.declarers: dict[Site | tuple[str, str], ResourceDeclarer] = {}
        self.has_read_parameters = False
        self.classified = False
        self.has_defaults = False
        self.tag_sequence = 0

    # --- moments

    def begin_cell(self) -> None:
        """A cell begins: what is there belongs to those before it, and is replaced when it changes."""
        self.owner = object()
        self.declarers.clear()

    def undo_changes(self, length: int) -> None:
        """Puts back the resources that were replaced since so many changes."""
        for key, before, _ in reversed(self.changes[length:]):
            self.resources[key] = before

    def redo_changes(self, changes: list[tuple[Key, CatalogResource, CatalogResource]]) -> None:
        """Replaces resources again."""
        for key, _, after in changes:
            self.resources[key] = after

    def copy_empty(self) -> Self:
        """An empty catalog for the same node; resources that are added to both belong to neither."""
        self.begin_cell()
        return type(self)(self.node, self.environment)

    # --- resources

    def find(self, key: Key) -> CatalogResource | None:
        """The resource that a reference means, by its title, an alias or its namevar; None when there is none.

        The class of the program itself, `main`, cannot be referred to.
        """
        found = self.resources.get(key)
        if found is None:
            alias = self.aliases.get(key)
            if alias is not None:
                return self.resources.get(alias)
            if key[0] == "file" and len(key[1]) > 1 and key[1].endswith("/"):
                return self.find(("file", key[1].rstrip("/") or "/"))
        elif key == MAIN_CLASS:
            return None
        return found

    def make_writable(self, resource: CatalogResource) -> CatalogResource:
        """The resource in a form that this catalog may change: itself, or a copy that takes its place."""
        if resource.owner is self.owner:
            return resource
        twin = resource.copy(self.owner)
        key = (twin.type, twin.title)
        self.changes.append((key, resource, twin))
        self.resources[key] = twin
        return twin

    def to_released_order(self) -> Self:
        """The same catalog with its resources in the released Puppet's order: what late code has made stands last.

        They stand otherwise when they were settled cell by cell.
        """
        stages = [self.late.get(key, 0) for key in self.resources] if self.late else []
        if stages == sorted(stages):
            return self
        twin = type(self)(self.node, self.environment)
        for name in (*self.TABLES, *self.PLACES):
            setattr(twin, name, getattr(self, name))
        twin.resources = dict(sorted(self.resources.items(), key=lambda pair: self.late.get(pair[0], 0)))
        return twin

    @property
    def edges(self) -> list[Edge]:
        """Containment, as the catalog's JSON shows it; virtual resources left out.

        What contains a class before its body has begun, which the body of the class that it inherits can do, comes
        before its stage: that stands among these pairs then.
        """
        found: list[Edge] = []
        further: dict[Key, list[Edge]] = {}
        for source, target in self.contained:
            further.setdefault(target, []).append(Edge(source, target, "contains", "contain"))
        for key, resource in self.resources.items():
            if not resource.virtual and resource.type != "stage":
                own = Edge(resource.container, key, "contains")
                others = further.get(key, ())
                found += others if own in others else [own, *others]
        return found
