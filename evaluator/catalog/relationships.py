"""Relationships: arrows, and the metaparameters `before`, `notify`, `require` and `subscribe`.

An arrow becomes an entry of its source's `before` or `notify` when the catalog is settled: its operands may
be collectors, or resources that are declared later.
"""

from __future__ import annotations

from typing import Any

from evaluator import issues, values
from evaluator.catalog.collectors import Collector, parse_reference
from evaluator.catalog.failures import problem
from evaluator.catalog.model import MAIN_CLASS, Catalog, Key, Resource, reference
from evaluator.definitions import Site
from evaluator.resource_types import RELATIONSHIPS
from evaluator.scope import Scope
from evaluator.types import ClassType, ResourceType
from lexer_parser import nodes
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


def relate(scope: Scope, site: Site, left: Any, operator: str, right: Any) -> Any:
    """Evaluates `left -> right`; gives the right side, or the left one when the right is empty.

    Raises ILLEGAL_RELATIONSHIP_OPERAND_TYPE, and Failure for strings that are no references.
    """
    node: Any = site.node
    before = _operands(scope, site, node.left, left)
    after = _operands(scope, site, node.right, right)
    if not before:
        return after
    if not after:
        return before
    first, second = (before, after) if operator in ("->", "~>") else (after, before)
    kind = "notify" if "~" in operator else "before"
    made = Relationship(_keys(first), _keys(second), kind, operator, site.span())
    catalog: Catalog = scope.runtime.state.catalog
    catalog.relationships.append(made)
    for item in after:
        if isinstance(item, Collector):
            catalog.detours[item] = _keys(before)
    return after


def _operands(scope: Scope, site: Site, node: nodes.Node, value: Any) -> list[Any]:
    """An operand as a flat list of references and collectors, each once."""
    found: list[Any] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
            continue
        if type(item) is str:
            item = _from_text(scope, site, node, item)
        if isinstance(item, ResourceType | ClassType):
            if item.title is None:
                raise _no_title(site, node, item)
        elif not isinstance(item, Collector):
            raise _illegal(site, node, item)
        if item not in found:
            found.append(item)
    return found


def _from_text(scope: Scope, site: Site, node: nodes.Node, text: str) -> Any:
    key = parse_reference(text)
    if key is not None and text[:1].isupper():
        return ClassType(key[1]) if key[0] == "class" else ResourceType(*key)
    if scope.runtime.dialect.extensions:
        return ClassType(text)
    if text[:1].isupper() and text.replace("::", "").isalnum():
        return ResourceType(text)
    raise issues.error(
        "RUNTIME_ERROR",
        site.span(node),
        label=_label(site),
        detail=f"The expression <{text}> is not a valid type specification.",
    )


def _illegal(site: Site, node: nodes.Node, item: Any) -> Exception:
    if values.is_type(item):
        return issues.error("NOT_CATALOG_TYPE", site.span(node), type=item)
    operand = values.an(values.label(item))
    return issues.error("ILLEGAL_RELATIONSHIP_OPERAND_TYPE", site.span(node), operand=operand)


def _no_title(site: Site, node: nodes.Node, item: Any) -> Exception:
    if isinstance(item, ClassType):
        detail = 'No title provided and "class" is not a valid resource reference'
        return issues.error("RUNTIME_ERROR", site.span(), label=_label(site), detail=detail)
    return problem("NO_REFERENCE", site.span(node), placeless=True, text=f'"{item}[]"')


def _label(site: Site) -> str:
    node: Any = site.node
    return f"a '{node.operator}' expression"


def _keys(operands: list[Any]) -> list[Operand]:
    return [item if isinstance(item, Collector) else item.key for item in operands]


# --- while the catalog is settled -------------------------------------------------------------------------------


def apply_relationship(
    catalog: Catalog, relationship: Relationship, collected: dict[int, list[Key]], pending: list[Any] | None
) -> None:
    """Adds a relationship to the attributes of its sources.

    collected  id of a collector -> the keys it found
    Raises RELATIONSHIP_SOURCE_MISSING and RELATIONSHIP_TARGET_MISSING, or adds them to `pending`.
    """
    sources = _expand(relationship.sources, collected) or _detour(catalog, relationship.sources, collected)
    targets = _expand(relationship.targets, collected)
    for source in sources:
        for target in targets:
            missing = _missing(catalog, source, target, relationship.span)
            if missing is not None:
                if pending is None:
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


def _detour(catalog: Catalog, operands: list[Operand], collected: dict[int, list[Key]]) -> list[Key]:
    """What came before collectors that found nothing: a chain closes over them."""
    seen: set[int] = set()
    while operands:
        following: list[Operand] = []
        for operand in operands:
            if isinstance(operand, Collector) and id(operand) not in seen:
                seen.add(id(operand))
                following += catalog.detours.get(operand, [])
        operands = following
        found = _expand(operands, collected)
        if found:
            return found
    return []


def _missing(catalog: Catalog, source: Key, target: Key, span: Span) -> Any:
    code = "RELATIONSHIP_SOURCE_MISSING" if catalog.find(source) is None else "RELATIONSHIP_TARGET_MISSING"
    if code == "RELATIONSHIP_TARGET_MISSING" and catalog.find(target) is not None:
        return None
    return problem(code, span, placeless=True, source=_named(source), target=_named(target))


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


def target_key(item: Any) -> Key | None:
    """The key that an entry of a relationship attribute means; None when it is no reference."""
    if isinstance(item, ResourceType | ClassType):
        return item.key if item.title is not None else None
    return parse_reference(item) if type(item) is str else None


def check_targets(catalog: Catalog, resource: Resource, pending: list[Any] | None) -> None:
    """Checks that the targets of a resource's relationship attributes exist.

    Raises NO_REFERENCE and PARAMETER_TARGET_MISSING, the latter only when `pending` does not take it.
    """
    for name in resource.parameters:
        if name not in RELATIONSHIPS:
            continue
        for item in references_of(resource.parameters[name]):
            key = target_key(item)
            span = resource.span
            if key is None:
                raise problem("NO_REFERENCE", span, text=_shown(item))
            if catalog.find(key) is None:
                target = item if type(item) is str else _named(key)
                missing = problem("PARAMETER_TARGET_MISSING", span, target=target, name=name)
                if pending is None:
                    raise missing
                pending.append(missing)


def _shown(item: Any) -> str:
    if isinstance(item, ResourceType):
        return f'"{item}[]"'
    text = item if type(item) is str else values.host_text(item)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
