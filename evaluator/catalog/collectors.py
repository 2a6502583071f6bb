"""Collectors: `Type <| query |>` realizes virtual resources and may change all that match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from evaluator import values
from evaluator.catalog import store, tags
from evaluator.catalog.attributes import Operations, operations_of
from evaluator.catalog.failures import problem
from evaluator.catalog.model import Catalog, Key, Resource, capitalized
from evaluator.catalog.overrides import Override, apply, check_unique
from evaluator.catalog.references import parse_reference, reference_text
from evaluator.catalog.scopes import calling_site, declaring, source
from evaluator.issues import Failure
from evaluator.program import modules
from evaluator.program.definitions import Site
from evaluator.program.scope import Scope
from evaluator.types import ClassType, ResourceType
from evaluator.values.host_values import inspected
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

IGNORED = {
    "export": "the export is ignored",
    "collection": "the collection will be ignored",
}
Query = tuple[Any, ...] | None
TagsOf = Callable[[Resource], frozenset[str]]
_REFERENCES = (ResourceType, ClassType)
_FEW = 20  # candidates that are looked at one by one


class Candidates(dict[str, list[Key]]):
    """The keys of resources by type, from a place in the catalog on: among these collectors look.

    What they have is known until one of them is changed.
    """

    def __init__(self, catalog: Catalog, start: int = 0) -> None:
        super().__init__()
        self.catalog = catalog
        self.seen = start
        self._tags: dict[Key, frozenset[str]] = {}
        self._inherited: dict[Key, tuple[str, ...]] = {}
        self._memo: tags.Memo = {}
        self._having: dict[str, dict[str, tuple[dict[str, list[int]], list[int]]]] = {}

    def look(self) -> None:
        """Adds what has come since, which may have changed others."""
        resources = self.catalog.resources
        for key in islice(resources, self.seen, None):
            self.setdefault(key[0], []).append(key)
        self.seen = len(resources)
        self._having.clear()
        self.forget(["tag"])

    def likely(self, kind: str, query: Query) -> list[Key]:
        """The candidates of a type, in order, without some that a query certainly does not fit."""
        every = self.get(kind, [])
        if query is not None and query[0] == "and":
            return self.likely(kind, query[1])
        if query is None or query[0] != "==" or type(query[2]) is not str or len(every) < _FEW:
            return every
        name = query[1]
        having = self._having.setdefault(name, {})
        if kind not in having:
            having[kind] = self._by_text(every, name)
        texts, others = having[kind]
        places = texts.get(query[2].lower(), [])
        if others or name == "tag":
            places = sorted({*places, *others})
        return [every[place] for place in places]

    def _by_text(self, every: list[Key], name: str) -> tuple[dict[str, list[int]], list[int]]:
        """The places of those whose attribute is a text, by the text; and of those where it is something else."""
        texts: dict[str, list[int]] = defaultdict(list)
        others: list[int] = []
        resources = self.catalog.resources
        if name == "tag":
            self._by_tag(every, texts)
            return texts, others
        for place, key in enumerate(every):
            resource = resources[key]
            actual = key[1] if name == "title" else resource.parameters.get(name)
            if type(actual) is str:
                texts[actual.lower()].append(place)
            elif actual is not None:
                others.append(place)
        return texts, others

    def _by_tag(self, every: list[Key], texts: dict[str, list[int]]) -> None:
        """Adds the places of resources by their tags; those that they are handed down are the same for many."""
        together: dict[Key, list[int]] = defaultdict(list)
        resources = self.catalog.resources
        for place, key in enumerate(every):
            resource = resources[key]
            if key[0] == "stage":
                own: Iterable[str] = self.tags(resource)
            else:
                own = tags.own(resource)
                together[resource.container].append(place)
            for tag in own:
                texts[tag].append(place)
        for container, places in together.items():
            for tag in self._handed_down(container):
                texts[tag] = sorted({*texts[tag], *places})

    def tags(self, resource: Resource) -> frozenset[str]:
        """All tags of a candidate."""
        found = self._tags.get(resource.key)
        if found is None:
            if resource.type == "stage":  # which nothing hands its tags to
                found = frozenset(tags.tags(self.catalog, resource, self._memo))
            else:
                found = frozenset((*tags.own(resource), *self._handed_down(resource.container)))
            self._tags[resource.key] = found
        return found

    def _handed_down(self, container: Key) -> tuple[str, ...]:
        """The tags of what contains resources."""
        found = self._inherited.get(container)
        if found is None:
            resource = self.catalog.resources.get(container)
            every = [] if resource is None else tags.tags(self.catalog, resource, self._memo)
            found = self._inherited[container] = tuple(every)
        return found

    def forget(self, names: Iterable[str]) -> None:
        """These attributes of a resource have been changed; by its tags those that it contains have others too."""
        for name in names:
            self._having.pop(name, None)
            if name == "tag":
                self._tags.clear()
                self._inherited.clear()
                self._memo.clear()


class Collector:
    """A collector, which is also the value of the expression.

    type        the type of what it collects, in lower case
    query       nested tuples or None for all: ("==", name, value), ("and", query, query), ("value", value)
    exported    true for `<<| |>>`, which finds what is exported, here and, where there is a store, by other nodes
    operations  the attributes it changes;  keys  what `realize` names, instead of
                type and query; an error for what is no reference
    """

    __slots__ = ("_equals", "exported", "keys", "operations", "query", "scope", "span", "type")

    def __init__(
        self,
        type_name: str,
        query: Query,
        scope: Scope,
        span: Span | None,
        *,
        exported: bool = False,
        operations: Operations | None = None,
        keys: list[Key | PuppetError] | None = None,
    ) -> None:
        self.type = type_name
        self.query = query
        self.scope = scope
        self.span = span
        self.exported = exported
        self.operations = operations or []
        self.keys = keys
        self._equals: Callable[[Any, Any], Any] | None = None

    @property
    def runtime_name(self) -> str:
        """What the released Puppet calls the type of such a value, inside `Runtime[ruby, '…']`."""
        return f"Puppet::Pops::Evaluator::Collectors::{'Exported' if self.exported else 'Catalog'}Collector"

    def text(self) -> str:
        """`Catalog-Collector[Notify]`."""
        return f"{'Exported' if self.exported else 'Catalog'}-Collector[{capitalized(self.type)}]"

    def literal(self) -> str:
        """The text in quotes: a collector has no source form."""
        return f"'{self.text()}'"

    # --- while the catalog is settled

    def matches(self, catalog: Catalog, done: dict[Key, None], candidates: Candidates) -> Iterable[Resource]:
        """The resources it finds now that are not yet `done`; adds them to `done`, in order."""
        if self.exported:
            yield from self._exported(catalog, done, candidates)
            return
        if self.keys is not None:
            for named in self.keys:
                if isinstance(named, PuppetError):
                    raise named
                resource = catalog.find(named)
                if resource is not None and named not in done:
                    done[named] = None
                    yield resource
            return
        query, resources = self.query, catalog.resources
        changing = bool(self.operations) and not _attributes(query).isdisjoint(
            name for name, *_ in self.operations
        )
        name, text = query[1:] if query is not None and query[0] == "==" else ("", None)
        pending = iter(candidates.likely(self.type, query))
        while (key := next(pending, None)) is not None:
            if key in done:
                continue
            resource = resources[key]
            value = (resource.spoken or key)[-1] if name == "title" else resource.parameters.get(name)
            # most are found by a text that is the same
            same = type(value) is str and value == text and name != "tag"
            if same or self._fits(query, resource, candidates.tags):
                done[key] = None
                yield resource
                if changing:  # what did not fit may do so now
                    every = candidates.get(self.type, [])
                    pending = iter(every[every.index(key) + 1 :])
                    changing = False

    @property
    def imports(self) -> bool:
        """Whether resources of other nodes may come by it."""
        return self.exported and self.scope.runtime.settings.store is not None

    def _exported(
        self, catalog: Catalog, done: dict[Key, None], candidates: Candidates
    ) -> Iterator[Resource]:
        """What is exported, that of this node first. Without a store there is nothing."""
        if not self.imports:
            return
        for key in list(candidates.get(self.type, ())):
            resource = catalog.resources[key]
            if resource.exported and key not in done and self._fits(self.query, resource, candidates.tags):
                done[key] = None
                yield resource
        for row in store.found(self.scope.runtime, self.type):
            known, labels = store.candidate(row)
            if self._fits(self.query, known, partial(_given, labels)):
                made = store.declare(self.scope, self.type, row, self.span)
                if made is not None:
                    done[made.key] = None
                    yield made

    def collect(self, catalog: Catalog, done: dict[Key, None], candidates: Candidates) -> bool:
        """Realizes and changes what it finds among the candidates; true when there was something new."""
        found = False
        for resource in self.matches(catalog, done, candidates):
            if not found and self.operations:
                catalog.collecting.add(source(self.scope))
            found = True
            if resource.virtual:
                resource = catalog.own(resource)
                resource.virtual = False
            if self.operations:
                check_unique(self.operations, resource.key)
                assert self.span is not None
                apply(catalog, resource, Override(resource.key, self.operations, self.scope, self.span, True))
                candidates.forget([name for name, *_ in self.operations])
        return found

    def _fits(self, query: Query, resource: Resource, tags_of: TagsOf) -> bool:
        if query is None:
            return True
        if query[0] == "value":
            raise problem("ILLEGAL_QUERY_VALUE", self.span, value=values.literal(query[1]))
        operator, left, right = query
        if operator == "and":
            return all(self._fits(part, resource, tags_of) for part in (left, right))
        if operator == "or":
            return any(self._fits(part, resource, tags_of) for part in (left, right))
        if operator == "==" and left == "tag":
            return values.text(right).lower() in tags_of(resource)
        title = resource.spoken[0] if resource.spoken else resource.title
        actual = title if left == "title" else resource.parameters.get(left)
        if operator == "==" and isinstance(actual, list):
            return any(self._equal(item, right) for item in actual)
        return bool(self._equal(actual, right) == (operator == "=="))

    def _equal(self, actual: Any, wanted: Any) -> bool:
        if self._equals is None:  # numbers are no strings, in both dialects
            self._equals = self.scope.runtime.operators_of(PUPPET).equals
        return not isinstance(actual, values.Sensitive) and bool(self._equals(actual, wanted))


def _given(labels: frozenset[str], _: Resource) -> frozenset[str]:
    """The tags that a resource brings with it."""
    return labels


def _attributes(query: Query) -> set[str]:
    """The names of the attributes that a query asks for."""
    if query is None or query[0] == "value":
        return set()
    if query[0] in ("and", "or"):
        return _attributes(query[1]) | _attributes(query[2])
    return {query[1]}


def ignore_store(scope: Scope, what: str) -> None:
    """Warns where there is no store of exported resources: "export" or "collection" tells what has no effect."""
    if scope.runtime.settings.store is not None:
        return
    text = f"You cannot collect exported resources without storeconfigs being set; {IGNORED[what]}"
    scope.runtime.log("warning", text)


def collect(scope: Scope, site: Site, query: Query, found: list[Any]) -> Collector:
    """Evaluates a collector: it collects when the catalog is settled.

    query  as a Collector's; a lone undef or false is no query
    Raises Failure for types that cannot be collected.
    """
    if query is not None and query[0] == "value" and (query[1] is None or query[1] is False):
        query = None
    scope = declaring(scope)
    runtime = scope.runtime
    node: Any = site.node
    name = _type_name(runtime, node)
    operations = operations_of(site, found)
    made = Collector(name, query, scope, site.span(), exported=node.query.exported, operations=operations)
    runtime.state.catalog.collectors.append(made)
    return made


def _type_name(runtime: Program, node: Any) -> str:
    written: str = node.type.value.lower()
    name = written.removeprefix("::")
    if name == "class":
        raise Failure("CLASSES_COLLECTED")
    # as in resource expressions, a leading `::` leads to defined types only
    if (
        not modules.is_resource_type(written, runtime.settings.modulepath)
        and runtime.names.find_define(name) is None
    ):
        raise Failure("COLLECTED_TYPE_UNKNOWN", name=written)
    return name


def realize(scope: Scope, references: Iterable[Any]) -> None:
    """Realizes virtual resources by reference when the catalog is settled, which for other values fails."""
    scope = declaring(scope)
    site = calling_site()
    span = site.span() if site is not None else None
    keys: list[Key | PuppetError] = []
    stack = list(references)[::-1]
    seen: set[int] = set()  # the arrays, each of which may occur many times
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            if id(item) not in seen:
                seen.add(id(item))
                stack.extend(reversed(item))
            continue
        key = reference_key(values.text(item) if type(item) is values.Sensitive else item)
        if key is None or not key[1]:
            keys.append(problem("NOTHING_TO_REALIZE", span, placeless=True, text=shown_reference(item)))
        elif not tags.VALID.match(key[0]):
            keys.append(problem("INVALID_TAG", span, placeless=True, tag=key[0]))
        else:
            keys.append(key)
    made = Collector("", None, scope, span, keys=keys)
    scope.runtime.state.catalog.collectors.append(made)


def reference_key(value: Any) -> Key | None:
    """The key of a reference, given as a type or as a string `Type[title]`; None for others."""
    if type(value) is str:
        return parse_reference(value)
    if isinstance(value, _REFERENCES):
        return value.key if value.title is not None else None
    return parse_reference(values.text(value)) if values.is_type(value) else None


def shown_reference(value: Any) -> str:
    """How messages show a value that is no reference."""
    if isinstance(value, ResourceType | ClassType):
        text = reference_text(value)
    else:
        text = value if type(value) is str else "" if value is None else values.host_text(value)
    return inspected(text)
