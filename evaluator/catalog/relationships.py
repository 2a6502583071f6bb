"""Relationships: arrows, and the metaparameters `before`, `notify`, `require` and `subscribe`.

An arrow becomes an entry of its source's `before` or `notify` when the catalog is settled: its operands may
be collectors, or resources that are declared later.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from evaluator import issues, values
from evaluator.catalog.collectors import Collector, reference_key, shown_reference
from evaluator.catalog.failures import problem
from evaluator.catalog.model import MAIN_CLASS, Catalog, Key, Resource, reference
from evaluator.catalog.references import parse_reference, reference_text
from evaluator.issues import Failure
from evaluator.program.definitions import Site
from evaluator.program.scope import Scope
from evaluator.resource_types import RELATIONSHIPS
from evaluator.types import CATALOG_ENTRY, ClassType, ResourceType, Type, TypeType, parse_type
from evaluator.types.issues import no_entry
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span

Operand = Key | Collector


class Relationship:
    """Every source comes before every target; kind is "before" or "notify". arrow and span tell where it stands."""

    __slots__ = ("arrow", "kind", "sources", "span", "targets")

    def __init__(
        self, sources: list[Operand], targets: list[Operand], kind: str, arrow: str, span: Span
    ) -> None:
        self.sources = sources
        self.targets = targets
        self.kind = kind
        self.arrow = arrow
        self.span = span

    @property
    def collects(self) -> bool:
        """True when an operand is a collector."""
        return any(isinstance(operand, Collector) for operand in (*self.sources, *self.targets))


def relate(scope: Scope, site: Site, left: Any, operator: str, right: Any) -> Any:
    """Evaluates `left -> right`; gives the right side, or the left one when the right is empty.

    Raises ILLEGAL_RELATIONSHIP_OPERAND_TYPE, and Failure for strings that are no references.
    """
    before = _operands(scope, site, left)
    after = _operands(scope, site, right)
    if not before:
        return after
    if not after:
        return before
    left_keys, right_keys = _keys(site, before), _keys(site, after)
    first, second = (left_keys, right_keys) if operator in ("->", "~>") else (right_keys, left_keys)
    kind = "notify" if "~" in operator else "before"
    made = Relationship(first, second, kind, operator, site.span())
    catalog: Catalog = scope.runtime.state.catalog
    catalog.relationships.append(made)
    catalog.detours += [(item, left_keys) for item in after if isinstance(item, Collector)]
    return after


def _operands(scope: Scope, site: Site, value: Any) -> list[Any]:
    """An operand as a flat list of references and collectors, each once."""
    if type(value) in _REFERENCES:
        return [value]
    found: dict[Any, None] = {}
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
            continue
        if type(item) is str:
            item = _from_text(scope, site, item)
        if not isinstance(item, Collector) and not _is_entry(item):
            raise _illegal(site, item)
        found[item] = None
    return list(found)


_REFERENCES = (ResourceType, ClassType)


def _is_entry(item: Any) -> bool:
    """True for the types of what is in a catalog, and for the types of these."""
    if type(item) in _REFERENCES:
        return True
    kind = item.type if isinstance(item, TypeType) else item
    return isinstance(kind, Type) and CATALOG_ENTRY.assignable(kind)


def _from_text(scope: Scope, site: Site, text: str) -> Any:
    """What a text means: a type expression, in which the specification also takes titles as they are, and classes."""
    runtime = scope.runtime
    if runtime.dialect.text_operands:
        text = text.strip()
        key = parse_reference(text)
        if key is None or not text[:1].isupper():
            return ClassType(text)
        return ClassType(key[1]) if key[0] == "class" else ResourceType(*key)
    try:
        return parse_type(text, runtime.dialect, runtime.names.type_or_reference)
    except Failure as problem:
        raise _failure(site, problem) from None


def _failure(site: Site, failure: Failure) -> PuppetError:
    node: Any = site.node
    return issues.labelled(failure, f"a '{node.operator}' expression", site.span())


def _illegal(site: Site, item: Any) -> PuppetError:
    if values.is_type(item):
        return issues.error("NOT_CATALOG_TYPE", site.span(), type=str(item))
    actual = values.an(values.label(item))
    return issues.error("ILLEGAL_RELATIONSHIP_OPERAND_TYPE", site.span(), actual=actual)


def _no_title(site: Site, item: Any) -> PuppetError:
    if isinstance(item, ClassType):
        return _failure(site, Failure("NO_REFERENCE", text='"class"'))
    return problem("NO_REFERENCE", site.span(), placeless=True, text=f'"{reference_text(item)}"')


def _keys(site: Site, operands: list[Any]) -> list[Operand]:
    return [item if isinstance(item, Collector) else _key(site, item) for item in operands]


def _key(site: Site, item: Any) -> Key:
    """What a reference means, or its type; raises for types that are none of one resource."""
    inner = item.type if isinstance(item, TypeType) else item
    if not isinstance(inner, ResourceType | ClassType):
        raise _failure(site, no_entry(item))
    if inner.title is None and (isinstance(inner, ClassType) or inner.type_name is None):
        raise _no_title(site, inner)
    return inner.key


# --- while the catalog is settled -------------------------------------------------------------------------------


def apply_relationships(
    catalog: Catalog,
    relationships: Iterable[Relationship],
    collected: dict[int, list[Key]],
    pending: list[Any] | None,
) -> None:
    """Adds relationships to the attributes of their sources.

    collected  id of a collector -> the keys it found
    Raises RELATIONSHIP_SOURCE_MISSING and RELATIONSHIP_TARGET_MISSING, or adds them to `pending`.
    """
    detours = dict(catalog.detours)
    for relationship in relationships:
        _apply(catalog, relationship, collected, detours, pending)


def _apply(
    catalog: Catalog,
    relationship: Relationship,
    collected: dict[int, list[Key]],
    detours: dict[Any, list[Any]],
    pending: list[Any] | None,
) -> None:
    sources = _expand(relationship.sources, collected) or _detour(detours, relationship.sources, collected)
    targets = _expand(relationship.targets, collected)
    for source in sources:
        for target in targets:
            missing = _missing(catalog, source, target, relationship.span)
            if missing is not None:
                if pending is None or missing.code == "NO_REFERENCE":
                    raise missing
                pending.append(missing)
                continue
            resource = catalog.find(source)
            assert resource is not None
            resource = catalog.own(resource)
            known = resource.parameters.get(relationship.kind)
            entries = [] if known is None else known if isinstance(known, list) else [known]
            resource.parameters[relationship.kind] = [*entries, reference(target)]
            catalog.origins[resource.key, target, relationship.kind] = (relationship.arrow, relationship.span)


def _expand(operands: list[Operand], collected: dict[int, list[Key]]) -> list[Key]:
    found: list[Key] = []
    for operand in operands:
        if isinstance(operand, Collector):
            found += collected.get(id(operand), [])
        else:
            found.append(operand)
    return found


def _detour(
    detours: dict[Any, list[Any]], operands: list[Operand], collected: dict[int, list[Key]]
) -> list[Key]:
    """What came before collectors that found nothing: a chain closes over them."""
    seen: set[int] = set()
    while operands:
        following: list[Operand] = []
        for operand in operands:
            if isinstance(operand, Collector) and id(operand) not in seen:
                seen.add(id(operand))
                following += detours.get(operand, [])
        operands = following
        found = _expand(operands, collected)
        if found:
            return found
    return []


def _missing(catalog: Catalog, source: Key, target: Key, span: Span) -> Any:
    """What is wrong with the source, else with the target; None when both are there."""
    for key, code in ((source, "RELATIONSHIP_SOURCE_MISSING"), (target, "RELATIONSHIP_TARGET_MISSING")):
        if not key[1]:
            return problem("NO_REFERENCE", span, placeless=True, text=f'"{reference(key)}"')
        if catalog.find(key) is None:
            return problem(code, span, placeless=True, source=_named(source), target=_named(target))
    return None


def _named(key: Key) -> str:
    """A reference as the program means it: the built-in class `main` is none of its classes."""
    return "Class[Main]" if key == MAIN_CLASS else reference(key)


# --- metaparameters ------------------------------------------------------------------------------------------------


def references_of(value: Any) -> list[Any]:
    """The references of a relationship attribute, flat and without undef."""
    found: list[Any] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif item is not None:
            found.append(item)
    return found


def check_targets(catalog: Catalog, resource: Resource, pending: list[Any] | None) -> None:
    """Checks that the targets of a resource's relationship attributes exist.

    Raises NO_REFERENCE and PARAMETER_TARGET_MISSING, the latter only when `pending` does not take it.
    """
    for name in resource.parameters:
        if name not in RELATIONSHIPS:
            continue
        for item in references_of(resource.parameters[name]):
            key = reference_key(item)
            span = resource.place_of(name) or resource.span
            if key is None:
                raise problem("NO_REFERENCE", span, text=shown_reference(item))
            if catalog.find(key) is None:
                target = item if type(item) is str else _named(key)
                missing = problem("PARAMETER_TARGET_MISSING", span, target=target, name=name)
                if pending is None:
                    raise missing
                pending.append(missing)
