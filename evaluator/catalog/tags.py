"""Tags: every resource has its own and those of its containers.

The own tags of a resource are the explicit ones, its type, its title if that is a valid tag, and those added
later. A container passes its tags on, including those added later. A class takes the tags of the container
that first included it, as they were at that time. Tags are computed on demand: each added tag has a number,
and a class records the number of the last tag before it was included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evaluator import values
from evaluator.catalog.errors import make_catalog_error
from evaluator.catalog.model import COMPONENT, MAIN_CLASS, MAIN_STAGE, Catalog, CatalogResource, Key
from evaluator.types import ClassType, ResourceType, list_ruby_parts
from evaluator.values import Value
from evaluator.values.regexps import remove_empty_end
from lexer_parser.lazy import LazyPattern
from lexer_parser.memo import LONGEST, memoize
from lexer_parser.source import Span

VALID = LazyPattern(r"\w[\w:.-]*\n?\Z")
_BUILT_IN = (MAIN_STAGE, MAIN_CLASS)
# Numbers by which added tags are selected: those with smaller numbers. `Catalog.tag_sequence` never reaches them.
LATEST = 1 << 60  # selects all tags that a resource passes on; tags that are for it alone have this number
_ITSELF = LATEST + 1  # selects all tags that a resource has itself
_STRINGS = frozenset({str})

# The tags that resources pass on, by key and by the number below which added tags count.
Memo = dict[tuple[Key, int], list[str]]


def flatten_tags(value: Value) -> list[str]:
    """Return the tags in the value of a `tag` attribute or argument, in lower case.

    Undef and references contain none. Ruby can iterate over some types.
    """
    if type(value) is str:
        return [value.lower()]
    value = list_ruby_parts(value)
    if isinstance(value, ResourceType | ClassType):
        return []
    if type(value) is list and _STRINGS.issuperset(map(type, value)):
        return [*map(str.lower, value)]
    tags: list[str] = []
    stack = [value]
    if isinstance(value, dict):
        stack = [part for pair in reversed(values.iterate_items(value)) for part in reversed(pair)]
    seen: set[int] = set()  # arrays may occur many times, but their tags count once
    while stack:
        current = stack.pop()
        if current is None or id(current) in seen:
            continue
        if isinstance(current, list):
            seen.add(id(current))
            stack.extend(reversed(current))
        else:
            tags.append(values.to_ruby_text(current).lower())
    return tags


@memoize(10_000, longest=LONGEST)
def is_valid_tag(tag: str) -> bool:
    """Return True when a string is a valid tag."""
    return VALID.match(tag) is not None


def check_tags(value: Value, span: Span | None, released_span: Span | None = None) -> list[str]:
    """Return the tags in a value as `flatten_tags` does. Raises INVALID_TAG.

    Args:
        released_span: The place that Puppet prints, if it differs from `span`.
    """
    tags = flatten_tags(value)
    for tag in tags:
        if not is_valid_tag(tag):
            raise make_catalog_error("INVALID_TAG", span, released_span=released_span, tag=tag)
    return tags


def split_segments(tag: str) -> list[str]:
    """Return a tag and the segments of its name: for `a::b` the list `a::b`, `a` and `b`."""
    return [tag] if "::" not in tag else [tag, *remove_empty_end(tag.split("::"))]


def get_own_tags(resource: CatalogResource, before: int = LATEST) -> list[str]:
    """Return the own tags of a resource; may repeat some.

    Args:
        before: Added tags count if they have a smaller number.
    """
    tags: list[str] = []
    explicit = resource.parameters.get("tag")
    if explicit is not None and before < LATEST and _is_propagated(resource):
        explicit = None  # the resource did not have it yet
    if type(explicit) is str and "::" not in explicit:  # the most frequent case
        tags.append(explicit.lower())
    elif explicit is not None:
        tags += [segment for tag in flatten_tags(explicit) for segment in split_segments(tag)]
    tags += get_name_tags(resource)
    added = (tag for sequence, tag in resource.extra_tags if sequence < before)
    return [*tags, *(segment for tag in added for segment in split_segments(tag))]


def _is_propagated(resource: CatalogResource) -> bool:
    """Return True when a container propagated the attribute `tag`, after all evaluation."""
    places = resource.places
    return places is not None and "tag" in places and places["tag"] is None


def get_name_tags(resource: CatalogResource) -> Sequence[str]:
    """Return the tags that type and title make; a title that is not a String makes none."""
    kind = "class" if resource.type == COMPONENT else resource.type
    return split_segments(kind) if resource.title_value else _split_name(kind, resource.title)


@memoize(10_000, longest=LONGEST)
def _split_name(kind: str, title: str) -> tuple[str, ...]:
    title = title.lower()
    if title.isidentifier() and title.isascii() and "::" not in kind:  # the most frequent case
        return (kind, title) if (kind, title) not in _BUILT_IN else (kind,)
    tags = split_segments(kind)
    if VALID.match(title) and (kind, title) not in _BUILT_IN:
        tags += split_segments(title)
    return tuple(tags)


def collect_catalog_tags(catalog: Catalog) -> list[str]:
    """Return the tags of a catalog: those of its classes and nodes, without added ones."""
    names = [tag for name in catalog.classes for tag in split_segments(name.lower())]
    return [*dict.fromkeys([*names, *catalog.class_tags])]


def collect_tags(
    catalog: Catalog, resource: CatalogResource, memo: Memo | None = None, *, as_shown: bool = True
) -> list[str]:
    """Return all tags of a resource, its own first, each once.

    Args:
        memo: Caches the tags of containers.
        as_shown: Return the tags that the catalog shows. Collectors and `tagged` also find the others: those that a
            container got after it had included a class.
    """
    # From the resource to the outermost container: each with the number below which its added tags count.
    chain: list[tuple[CatalogResource, int]] = []
    tags: list[str] = []
    current: CatalogResource | None = resource
    before = _ITSELF
    while current is not None:
        stored_tags = memo.get((current.key, before)) if memo is not None and chain else None
        if stored_tags is not None:
            tags = stored_tags
            break
        chain.append((current, before))
        before = min(before, LATEST)
        key: Key | None = current.container
        if current.includer is not None:
            key = current.includer
            before = min(before, current.tag_horizon) if as_shown else before
        elif current.type == "class" or current.type == "stage":
            key = current.container if current.container[0] != "stage" else None
        current = catalog.resources.get(key) if key is not None and key != resource.key else None
    for current, before in reversed(chain):
        tags = list(dict.fromkeys([*get_own_tags(current, before), *tags]))
        if memo is not None and current is not resource:
            memo[current.key, before] = tags
    return tags


def add_tags(
    catalog: Catalog, resource: CatalogResource, names: Iterable[str], *, alone: bool = False
) -> None:
    """Add tags to a resource, and so to its contents unless they are for it `alone`."""
    resource = catalog.make_writable(resource)
    for name in names:
        number = LATEST if alone else catalog.tag_sequence
        resource.set_optional(extra_tags=(*resource.extra_tags, (number, name)))
        catalog.tag_sequence += 1
