"""Tags: every resource carries its own and those of what contains it.

A resource's own tags are its explicit ones, its type, its title where that is a valid tag, and what was added
later. What contains it passes its tags on, also those it gets later; a class takes the tags of what first
included it, as they are at that moment. So that nothing is computed before somebody asks, an added tag has a
number, and a class remembers the number at its birth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from evaluator import values
from evaluator.catalog.errors import catalog_error
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, Catalog, CatalogResource, Key
from evaluator.types import ClassType, ResourceType
from lexer_parser.lazy import LazyPattern
from lexer_parser.memo import LONGEST, memoize
from lexer_parser.source import Span

VALID = LazyPattern(r"\w[\w:.-]*\n?\Z")
_BUILT_IN = (MAIN_STAGE, MAIN_CLASS)
LATEST = 1 << 60
_ITSELF = LATEST + 1  # what a resource has alone, and does not pass on
_STRINGS = frozenset({str})

Memo = dict[tuple[Key, int], list[str]]


def flatten_tags(value: Any) -> list[str]:
    """The tags that a `tag` attribute or argument means, in lower case; undef means none, and so does a reference."""
    if type(value) is str:
        return [value.lower()]
    if isinstance(value, ResourceType | ClassType):
        return []
    if type(value) is list and _STRINGS.issuperset(map(type, value)):
        return [*map(str.lower, value)]
    found: list[str] = []
    stack = [value]
    seen: set[int] = set()  # arrays and hashes may occur many times; their tags count once
    while stack:
        current = stack.pop()
        if current is None or id(current) in seen:
            continue
        if isinstance(current, list | dict):
            seen.add(id(current))
        if isinstance(current, list):
            stack.extend(reversed(current))
        elif isinstance(current, dict):
            stack.extend(part for pair in reversed(values.items(current)) for part in reversed(pair))
        else:
            found.append(values.host_text(current).lower())
    return found


@memoize(10_000, longest=LONGEST)
def is_valid_tag(tag: str) -> bool:
    """True when a text may be a tag."""
    return VALID.match(tag) is not None


def check_tags(value: Any, span: Span | None) -> list[str]:
    """`flatten_tags`, after checking that all are valid; raises INVALID_TAG."""
    found = flatten_tags(value)
    for tag in found:
        if not is_valid_tag(tag):
            raise catalog_error(
                "INVALID_TAG",
                span,
                tag=tag,
            )
    return found


def split_segments(tag: str) -> list[str]:
    """A tag and the segments of its name: `a::b` gives `a::b`, `a` and `b`."""
    return [tag, *tag.rstrip(":").split("::")] if "::" in tag else [tag]


def get_own_tags(resource: CatalogResource, before: int = LATEST) -> list[str]:
    """The resource's own tags as they were when `before` tags had been added; may repeat itself."""
    found: list[str] = []
    explicit = resource.parameters.get("tag")
    if explicit is not None and before < LATEST and _is_propagated(resource):
        explicit = None
    if type(explicit) is str and "::" not in explicit:  # what most are
        found.append(explicit.lower())
    elif explicit is not None:
        for tag in flatten_tags(explicit):
            if "::" in tag:
                found += split_segments(tag)
            else:
                found.append(tag)
    found += get_name_tags(resource)
    for sequence, tag in resource.extra_tags:
        if sequence < before:
            found += split_segments(tag)
    return found


def _is_propagated(resource: CatalogResource) -> bool:
    """Whether the attribute `tag` came from a container, which is after everything has been evaluated."""
    places = resource.places
    return places is not None and "tag" in places and places["tag"] is None


def get_name_tags(resource: CatalogResource) -> Sequence[str]:
    """The tags that a resource has of its type and title; a title that is no String is none."""
    return split_segments(resource.type) if resource.spoken else _of_name(resource.type, resource.title)


@memoize(10_000, longest=LONGEST)
def _of_name(kind: str, title: str) -> tuple[str, ...]:
    """The tags that a resource has of its type and title."""
    title = title.lower()
    if title.isidentifier() and title.isascii() and "::" not in kind:  # what most are
        return (kind, title) if (kind, title) not in _BUILT_IN else (kind,)
    found = split_segments(kind)
    if VALID.match(title) and (kind, title) not in _BUILT_IN:
        found += split_segments(title)
    return tuple(found)


def collect_tags(catalog: Catalog, resource: CatalogResource, memo: Memo | None = None) -> list[str]:
    """All tags of a resource, its own first, each once."""
    chain: list[tuple[CatalogResource, int]] = []
    rest: list[str] = []
    current: CatalogResource | None = resource
    before = _ITSELF
    while current is not None:
        known = memo.get((current.key, before)) if memo is not None and chain else None
        if known is not None:
            rest = known
            break
        chain.append((current, before))
        before = min(before, LATEST)
        key: Key | None = current.container
        if current.includer is not None:
            key, before = current.includer, min(before, current.born)
        elif current.type == "class" or current.type == "stage":
            key = current.container if current.container[0] != "stage" else None
        current = catalog.resources.get(key) if key is not None and key != resource.key else None
    for current, before in reversed(chain):
        rest = list(dict.fromkeys([*get_own_tags(current, before), *rest]))
        if memo is not None and current is not resource:
            memo[current.key, before] = rest
    return rest


def add_tags(
    catalog: Catalog, resource: CatalogResource, names: Iterable[str], *, alone: bool = False
) -> None:
    """Adds tags to a resource, and so to what it contains, unless it has them alone."""
    resource = catalog.make_writable(resource)
    for name in names:
        number = LATEST if alone else catalog.tag_sequence
        resource.set_optional(extra_tags=(*resource.extra_tags, (number, name)))
        catalog.tag_sequence += 1
