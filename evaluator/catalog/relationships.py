"""Relationships between resources, by arrows and by metaparameters.

An arrow becomes an entry of the `before` or `notify` of its source when the fixed point is computed, because
its operands may be collectors, or resources that are declared later: `add_relationship` registers it, and
`apply_arrows` makes the entries. `check_references` checks and `collect_links` reads what such attributes refer to,
whether a program or an arrow has set them.

Specification: Catalog Expressions, "Relationships".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from evaluator import issues, values
from evaluator.catalog.collectors import ResourceCollector, format_invalid_reference, to_reference_key
from evaluator.catalog.errors import PendingErrors, make_catalog_error
from evaluator.catalog.model import (
    COMPONENT,
    MAIN_CLASS,
    Catalog,
    CatalogResource,
    Key,
    Link,
    capitalize_name,
    format_key,
)
from evaluator.catalog.provenance import record_arrow
from evaluator.catalog.references import (
    AttributeReference,
    flatten_references,
    format_reference,
    is_flat_list,
    parse_reference,
)
from evaluator.catalog.tags import is_valid_tag
from evaluator.issues import Failure
from evaluator.program.definitions import Scope, Site
from evaluator.resource_types import RELATIONSHIP_NAMES
from evaluator.types import (
    CATALOG_ENTRY,
    ClassType,
    ResourceType,
    Type,
    TypeType,
    make_entry_type,
)
from evaluator.types.base import make_no_entry_failure
from evaluator.values import Value
from evaluator.values.dag import flatten_lists
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record, fresh
from lexer_parser.source import Span

Operand = Key | ResourceCollector


class Arrow(Record):
    """A relationship that an arrow makes: every source precedes every target.

    Attributes:
        kind: "before" or "notify".
        arrow: The operator as written.
        site: The relationship expression.
        uses_collectors: True when an operand is a collector.
        phase: The phase of the fixed point that added it; 0 for an arrow of the program itself.
    """

    sources: list[Operand]
    targets: list[Operand]
    kind: str
    arrow: str
    site: Site
    uses_collectors: bool = False
    phase: int = 0

    @property
    def span(self) -> Span:
        """The place of the arrow."""
        return self.site.span()

    def find_place(self, reason: str) -> Span:
        """Return the place of the arrow; see `CatalogResource.find_place`."""
        return self.site.span()


def add_relationship(scope: Scope, site: Site, left: Value, operator: str, right: Value) -> Value:
    """Evaluate `left -> right`.

    Return the right side; the released Puppet returns the left one if the right one is empty, so that a chain goes on.

    Raises:
        PuppetError: ILLEGAL_RELATIONSHIP_OPERAND_TYPE and errors of strings that are not references.
    """
    if type(left) is ResourceType and type(right) is ResourceType and left.title and right.title:
        left_name, right_name = left.type_name, right.type_name
        if left_name and right_name and left_name != "class" != right_name:  # as `left.key`, which is slower
            return _add_arrow(
                scope, site, [(left_name, left.title)], operator, [(right_name, right.title)], [right]
            )
        return _add_arrow(scope, site, [left.key], operator, [right.key], [right])
    if _is_single_reference(left) or _is_single_reference(right):
        left, right = (item[0] if _is_single_reference(item) else item for item in (left, right))
        return add_relationship(scope, site, left, operator, right)
    before, after = _flatten_operand(scope, site, left), _flatten_operand(scope, site, right)
    bridges_empty = not scope.runtime.dialect.empty_operands  # as released; see `Catalog.detours`
    if not before:
        return after
    if not after:
        return before if bridges_empty else after
    collects = ResourceCollector in map(type, (*before, *after))
    left_keys = _to_keys(site, before)
    if collects and bridges_empty:
        catalog: Catalog = scope.runtime.state.catalog
        catalog.detours += [(item, left_keys) for item in after if isinstance(item, ResourceCollector)]
    return _add_arrow(scope, site, left_keys, operator, _to_keys(site, after), after, collects)


def _add_arrow(
    scope: Scope,
    site: Site,
    left: list[Operand],
    operator: str,
    right: list[Operand],
    after: list[Value],
    collects: bool = False,
) -> list[Value]:
    """Add an arrow to the catalog and return the value of the expression."""
    kind, forward = _ARROWS[operator]
    if not forward:
        left, right = right, left
    scope.runtime.state.catalog.relationships.append(Arrow(left, right, kind, operator, site, collects))
    return after


def _is_single_reference(operand: Value) -> bool:
    """Return True for the value of a resource expression with one title."""
    return type(operand) is list and len(operand) == 1 and type(operand[0]) is ResourceType


# Arrow -> (kind of edge, True when the left side comes first).
_ARROWS = {
    "->": ("before", True),
    "~>": ("notify", True),
    "<-": ("before", False),
    "<~": ("notify", False),
}


def _flatten_operand(scope: Scope, site: Site, value: Value) -> list[Value]:
    """Return an operand as a flat list of references and collectors, each once."""
    if type(value) in _REFERENCES:
        return [value]
    operands: dict[Any, None] = {}
    for item in flatten_lists([value]):
        if type(item) is str:
            item = _parse_operand(scope, site, item)
        if not isinstance(item, ResourceCollector) and not _is_catalog_entry(item):
            raise _make_illegal_operand_error(site, item)
        operands[item] = None
    return list(operands)


_REFERENCES = (ResourceType, ClassType)


def _is_catalog_entry(item: Value) -> bool:
    """Return True for types of catalog entries, and for the types of these."""
    if type(item) in _REFERENCES:
        return True
    item_type = item.type if isinstance(item, TypeType) else item
    return isinstance(item_type, Type) and CATALOG_ENTRY.assignable(item_type)


def _parse_operand(scope: Scope, site: Site, text: str) -> Value:
    """Return the reference that a string means.

    It is a type expression; the specification also accepts unquoted titles and class names.
    """
    runtime = scope.runtime
    if runtime.dialect.text_operands:
        text = text.strip()
        key = parse_reference(text)
        return ClassType(text) if key is None or not text[:1].isupper() else make_entry_type(*key)
    try:
        return runtime.names.parse_type_or_reference(text)
    except Failure as problem:
        raise _make_operand_error(site, problem) from None


def _make_operand_error(site: Site, failure: Failure) -> PuppetError:
    node: Any = site.node
    return issues.make_labelled_error(failure, f"a '{node.operator}' expression", site.span())


def _make_illegal_operand_error(site: Site, item: Value) -> PuppetError:
    if values.is_type(item):
        return issues.make_error("NOT_CATALOG_TYPE", site.span(), type=str(item))
    actual = values.add_article(values.describe_kind(item))
    return issues.make_error("ILLEGAL_RELATIONSHIP_OPERAND_TYPE", site.span(), actual=actual)


def _make_untitled_error(site: Site, item: Value) -> PuppetError:
    if item.type_name == "class":
        return _make_operand_error(site, Failure("NO_REFERENCE", text='"class"'))
    return make_catalog_error("NO_REFERENCE", site.span(), placeless=True, text=f'"{format_reference(item)}"')


def _to_keys(site: Site, operands: list[Value]) -> list[Operand]:
    return [item if isinstance(item, ResourceCollector) else _to_key(site, item) for item in operands]


def _to_key(site: Site, item: Value) -> Key:
    """Return the key that a reference, or the type of one, means; raise for other types."""
    if type(item) is ResourceType and item.title is not None:
        return item.key
    inner = item.type if isinstance(item, TypeType) else item
    if not isinstance(inner, ResourceType | ClassType):
        raise _make_operand_error(site, make_no_entry_failure(item))
    if inner.title is None and inner.type_name in (None, "class"):
        raise _make_untitled_error(site, inner)
    return inner.key


# --- during the computation of the fixed point ------------------------------------------------------------


class ArrowEffects(Record):
    """The entries that arrows have added to the attributes of their sources.

    Attributes:
        extended: Arrays with such entries, by identity.
        own: Identities of the arrays that contain nothing else.
        _holders: For each attribute the resources that hold an array, by the identity of that.
    """

    extended: dict[int, list[Any]] = fresh(factory=dict)
    own: set[int] = fresh(factory=set)
    _holders: dict[str, dict[int, list[Key]]] = fresh(factory=dict)

    def find_holders(self, catalog: Catalog, kind: str, entries: list[Value]) -> list[Key]:
        """Return the keys of the resources that hold an array no arrow has changed yet.

        Resources that received an array from one body, default or collector share it.
        """
        if kind not in self._holders:
            holders = self._holders[kind] = defaultdict(list)
            for key, resource in catalog.resources.items():
                if type(entry_list := resource.parameters.get(kind)) is list:
                    holders[id(entry_list)].append(key)
        return self._holders[kind].get(id(entries), [])


def apply_arrows(
    catalog: Catalog,
    relationships: Iterable[Arrow],
    collected: dict[int, list[Key]],
    pending: PendingErrors,
    recorded: bool,
) -> ArrowEffects:
    """Add the targets of arrows to the attributes of their sources, and return what was added.

    Args:
        collected: For each collector, by identity, the keys that it found.
        recorded: True to record the causes of attribute values.

    Raises:
        PuppetError: RELATIONSHIP_SOURCE_MISSING or RELATIONSHIP_TARGET_MISSING, unless `pending` collects
            them.
    """
    application = _ArrowApplication(catalog, pending, recorded)
    effects, target_texts = application.effects, application.target_texts
    detours = dict(catalog.detours)
    resources, origins, owner = catalog.resources, catalog.origins, catalog.owner
    extended, own = effects.extended, effects.own
    for relationship in relationships:
        if relationship.uses_collectors:
            application.apply_to_collectors(relationship, collected, detours)
            continue
        sources: list[Any] = relationship.sources  # without a collector, all operands are keys
        targets: list[Any] = relationship.targets
        if len(sources) == 1 == len(targets) and not recorded:  # the most frequent case
            source, target, kind = sources[0], targets[0], relationship.kind
            resource, text = resources.get(source), target_texts[target]
            if resource is not None and text is not None:
                if resource.owner is not owner:
                    resource = catalog.make_writable(resource)
                former: Any = resource.parameters.get(kind)
                if former is None and source != MAIN_CLASS:
                    entries = resource.parameters[kind] = [text]
                    extended[id(entries)] = entries
                    own.add(id(entries))
                    origins[source, target, kind] = relationship
                    continue
                if id(former) in extended:
                    former.append(text)
                    origins[source, target, kind] = relationship
                    continue
        application.apply(relationship, sources, targets, format_key)
    return effects


class _TargetTexts(dict[Key, str | None]):
    """The strings by which attributes refer to targets of arrows; None for missing targets."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__()
        self._resources = catalog.resources
        self._find = catalog.find

    def __missing__(self, key: Key) -> str | None:
        name, title = key
        reference: str | None = None
        if name not in ("class", COMPONENT) and title and key in self._resources:  # the most frequent case
            reference = f"{capitalize_name(name)}[{title}]"
        elif title and self._find(key) is not None:
            reference = format_key(key)
        self[key] = reference
        return reference


class _ArrowApplication:
    """The application of arrows to a catalog; see `apply_arrows`.

    Attributes:
        effects: The entries that arrows have added so far.
        target_texts: The strings by which attributes refer to targets.
    """

    def __init__(self, catalog: Catalog, pending: PendingErrors, recorded: bool) -> None:
        self._catalog, self._pending, self._recorded = catalog, pending, recorded
        self.effects, self.target_texts = ArrowEffects(), _TargetTexts(catalog)

    def apply_to_collectors(
        self,
        arrow: Arrow,
        collected: dict[int, list[Key]],
        detours: dict[ResourceCollector, list[Operand]],
    ) -> None:
        """Apply an arrow for each pair of its operands, of which some are collectors."""
        for source_operand, target_operand in product(arrow.sources, arrow.targets):
            targets = _expand_collector(target_operand, collected)
            for reached in _find_sources(detours, source_operand, collected):
                is_kept = reached is source_operand or isinstance(reached, ResourceCollector)
                format_source = format_key if is_kept else _format_detour
                self.apply(arrow, _expand_collector(reached, collected), targets, format_source)

    def apply(
        self, arrow: Arrow, sources: list[Key], targets: list[Key], format_source: Callable[[Key], str]
    ) -> None:
        """Apply an arrow between keys, and report its missing ends.

        Args:
            format_source: Returns the text of a source in messages.
        """
        catalog, effects, kind = self._catalog, self.effects, arrow.kind
        references = [text for target in targets if (text := self.target_texts[target]) is not None]
        for source in sources:
            resource = catalog.find(source) if source[1] else None
            if resource is None or len(references) < len(targets):
                self._report_missing(arrow, source, format_source(source), targets)
            if resource is None or not references:
                continue
            if resource.owner is not catalog.owner:
                resource = catalog.make_writable(resource)
            former = resource.parameters.get(kind)
            if id(former) in effects.extended:
                effects.extended[id(former)] += references
            else:
                former_entries = [] if former is None else former if isinstance(former, list) else [former]
                entries = resource.parameters[kind] = [*former_entries, *references]
                for key in effects.find_holders(catalog, kind, former) if type(former) is list else ():
                    catalog.make_writable(catalog.resources[key]).parameters[kind] = entries
                effects.extended[id(entries)] = entries
                if former is None:
                    effects.own.add(id(entries))
            if self._recorded and resource.scope is not None:
                record_arrow(resource, kind, references, arrow.span, bool(former))
            source_key = resource.key
            for target in targets:
                # a later arrow becomes the origin of both edges
                catalog.origins[source_key, target, kind] = arrow

    def _report_missing(self, arrow: Arrow, source: Key, source_text: str, targets: list[Key]) -> None:
        """Report the missing ends of an arrow from one source."""
        for target in targets:
            missing = _find_missing_end_error(self._catalog, source, source_text, target, arrow.span)
            if missing is not None:
                if missing.code == "NO_REFERENCE":
                    raise missing
                self._pending.report(missing)


def _expand_collector(operand: Operand, collected: dict[int, list[Key]]) -> list[Key]:
    return collected.get(id(operand), []) if isinstance(operand, ResourceCollector) else [operand]


def _find_sources(
    detours: dict[ResourceCollector, list[Operand]], operand: Operand, collected: dict[int, list[Key]]
) -> list[Operand]:
    """Return an operand; for a collector without results, what precedes it in chains."""
    seen: set[int] = set()
    operands = [operand]
    while operands and not any(_expand_collector(current, collected) for current in operands):
        following: list[Operand] = []
        for current in operands:
            if isinstance(current, ResourceCollector) and id(current) not in seen:
                seen.add(id(current))
                following += detours.get(current, [])
        operands = following
    return operands


def _find_missing_end_error(
    catalog: Catalog, source: Key, source_text: str, target: Key, span: Span
) -> PuppetError | None:
    """Return the error for a missing source or target; None when both exist."""
    for key, code in ((source, "RELATIONSHIP_SOURCE_MISSING"), (target, "RELATIONSHIP_TARGET_MISSING")):
        if not key[1]:
            return make_catalog_error("NO_REFERENCE", span, placeless=True, text=f'"{format_key(key)}"')
        if catalog.find(key) is None:
            return make_catalog_error(
                code, span, placeless=True, source=source_text, target=format_key(target)
            )
    return None


def _format_detour(key: Key) -> str:
    """Return the text in messages of a reference that replaces a collector."""
    return f"Class[{key[1]}]" if key[0] == "class" else f"{capitalize_name(key[0])}['{key[1]}']"


# --- relationships in attributes -----------------------------------------------------------------------------


# Attribute -> (kind of edge, True when the resource itself is the source).
_MEANING = {
    "before": ("before", True),
    "notify": ("notify", True),
    "require": ("before", False),
    "subscribe": ("notify", False),
}


def collect_links(catalog: Catalog, resource: CatalogResource) -> list[Link]:
    """Return the relationships that the attributes of a resource make.

    References to missing resources are skipped.
    """
    links: list[Link] = []
    parameters, own_key = resource.parameters, (resource.type, resource.title)
    origins, resources = catalog.origins, catalog.resources
    for name, (kind, forward) in _MEANING.items():
        value = parameters.get(name)
        if value is None:
            continue
        for item in flatten_references(value):
            key = to_reference_key(item)
            target = None if key is None else resources.get(key)
            if key is not None and (target is None or key == MAIN_CLASS):
                target = catalog.find(key)
            if target is None or key is None or target.virtual:
                continue
            # arrows add strings
            arrow = origins.get((own_key, key, kind)) if origins and type(item) is str else None
            if target.title != key[1] or target.type != key[0]:  # the reference uses an alias
                key = (target.type, target.title)
            ends = (own_key, key, kind) if forward else (key, own_key, kind)
            links.append((ends, name, resource) if arrow is None else (ends, arrow.arrow, arrow))
    return links


def check_references(
    catalog: Catalog,
    related: Iterable[CatalogResource],
    pending: PendingErrors,
    effects: ArrowEffects,
) -> None:
    """Flatten the relationship attributes of resources and check that their targets exist.

    Args:
        related: The resources that have such attributes.
        effects: The entries that arrows have added; they are flat, and their targets exist.

    Raises:
        PuppetError: NO_REFERENCE; PARAMETER_TARGET_MISSING unless `pending` collects it.
    """
    resources, own = catalog.resources, effects.own
    flat: dict[int, list[Any]] = {}  # by identity, so that resources that share an array share its flat copy
    for resource in related:
        all_exist = True
        for name, value in resource.parameters.items():
            if name not in RELATIONSHIP_NAMES or value is None or id(value) in own:
                continue
            if type(value) is list and not is_flat_list(value):
                resource = catalog.make_writable(resource)
                value = resource.parameters[name] = flat.setdefault(id(value), flatten_references(value))
            for item in value if type(value) is list else (value,):
                if type(item) is AttributeReference and item.title and item.type_name != "class":
                    key: Any = (item.type_name, item.title)  # as `item.key`, which is slower
                else:
                    key = to_reference_key(item)
                if key not in resources or key == MAIN_CLASS:
                    all_exist = all_exist and key is not None and catalog.find(key) is not None
        if not all_exist and not resource.virtual:
            _check_targets(catalog, resource, pending, effects)


def _check_targets(
    catalog: Catalog, resource: CatalogResource, pending: PendingErrors, effects: ArrowEffects
) -> None:
    """Report each missing target of the relationship attributes of a resource."""
    for name, value in resource.parameters.items():
        if name not in RELATIONSHIP_NAMES:
            continue
        place = resource.find_place(name)
        # no place is known of what a function such as `create_resources` has passed, or an arrow has extended
        is_placeless = (
            place is None
            or id(value) in effects.extended
            or (resource.body is None and name not in (resource.places or ()))
        )
        if type(value) is values.Sensitive:  # its content is read as strings
            value = [values.format_value(part) for part in flatten_references([value.value])]
        for item in flatten_references(value):
            key = to_reference_key(item)
            if key is not None and catalog.find(key) is not None:
                continue
            span = place or resource.span
            if key is None or (not key[1] and key != MAIN_CLASS):
                text = format_invalid_reference(item)
                raise make_catalog_error("NO_REFERENCE", span, placeless=is_placeless, text=text)
            if not is_valid_tag(key[0]):
                raise make_catalog_error("INVALID_TAG", span, placeless=True, tag=key[0].lower())
            target = item if type(item) is str else format_key(key)
            pending.report(
                make_catalog_error(
                    "PARAMETER_TARGET_MISSING", span, placeless=is_placeless, target=target, name=name
                )
            )
