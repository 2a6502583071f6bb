"""Queries of collectors, compiled to tests, and the index by which they find resources.

Specification: Catalog Expressions, "Collector Expressions".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from evaluator import values
from evaluator.catalog import tags
from evaluator.catalog.errors import make_catalog_error
from evaluator.catalog.model import Catalog, CatalogResource, Key
from evaluator.catalog.references import to_attribute_value
from evaluator.values import Value
from lexer_parser.source import Span

# --- queries -------------------------------------------------------------------------------------------------


# ("==", name, value), ("!=", name, value), or ("value", value) for a bare value; a value may be a query
Condition = tuple[Any, ...]
# a condition, ("and", query, query) or ("or", query, query); None for all resources
Query = tuple[Any, ...] | None
TagsOf = Callable[[CatalogResource], frozenset[str]]
QueryTest = Callable[[CatalogResource, TagsOf], bool]
Test = Callable[[Any, Any], bool]  # an operator


def _iterate_conditions(query: Query) -> Iterator[Condition]:
    """Yield the comparisons and bare values of which a query consists."""
    if query is not None and query[0] in ("and", "or"):
        yield from _iterate_conditions(query[1])
        yield from _iterate_conditions(query[2])
    elif query is not None:
        yield query


def collect_attribute_names(query: Query) -> set[str]:
    """Return the names of the attributes that a query reads."""
    return {one[1] for one in _iterate_conditions(query) if one[0] != "value"}


def combine_queries(one: Query, other: Query) -> Query:
    """Return the conjunction of two queries."""
    if one is None or other is None:
        return one or other
    return ("and", one, other)


def has_number_as_tag(query: Query) -> bool:
    """Return True when a query compares a tag with a number, which no tag equals."""
    return any(
        one[:2] == ("==", "tag") and type(one[2]) in (int, float) for one in _iterate_conditions(query)
    )


def has_legal_values(query: Query) -> bool:
    """Return False when a query has a bare value, or compares one: an error when evaluated."""
    return all(one[0] != "value" and type(one[1]) is str for one in _iterate_conditions(query))


def compile_query(query: Query, equal: Test, contains: Test, span: Span | None) -> QueryTest:
    """Return the test of a query: a function of a resource and of a getter of its tags.

    The test raises ILLEGAL_QUERY_VALUE when it comes to a bare value, or to the comparison of one.

    Args:
        query: The query.
        equal: The operator `==`.
        contains: The operator `in`.
        span: The place of the query.
    """
    if query is None:
        return lambda resource, tags_of: True
    if query[0] == "value":
        return _make_failing_test(query[1], span)
    operator, left, right = query
    if operator in ("and", "or"):
        one, other = (compile_query(part, equal, contains, span) for part in (left, right))
        if operator == "and":
            return lambda resource, tags_of: one(resource, tags_of) and other(resource, tags_of)
        return lambda resource, tags_of: one(resource, tags_of) or other(resource, tags_of)
    if type(left) is not str:
        return _make_failing_test(left, span)
    if operator == "==" and left == "tag" and type(right) is not tuple:
        tag = values.format_value(right).lower()
        return lambda resource, tags_of: tag in tags_of(resource)
    return _make_comparison(operator == "==", left, right, equal, contains)


def _make_failing_test(value: Value, span: Span | None) -> QueryTest:
    def test(resource: CatalogResource, tags_of: TagsOf) -> bool:
        raise make_catalog_error("ILLEGAL_QUERY_VALUE", span, value=values.format_literal(value))

    return test


def _get_attribute(resource: CatalogResource, name: str) -> Value:
    """Return an attribute, or the title, with which a query compares."""
    if name != "title":
        return resource.parameters.get(name)
    return resource.title_value[0] if resource.title_value else resource.title


def _make_comparison(wanted: bool, name: str, value: Value, equal: Test, contains: Test) -> QueryTest:
    """Return the test of an attribute or the title; an array must contain the value."""
    right = to_attribute_value(value)
    size = len(right) if type(right) is str else -1
    is_query = type(value) is tuple

    def test(resource: CatalogResource, tags_of: TagsOf) -> bool:
        actual = _get_attribute(resource, name)
        if type(actual) is str and size >= 0:  # Strings that differ only in case have the same length
            found = len(actual) == size and (actual == right or equal(actual, right))
        elif wanted and isinstance(actual, list):
            return any(holds(item) for item in actual) or (not is_query and contains(value, actual))
        else:
            found = holds(actual)
        return found is wanted

    def holds(actual: Value) -> bool:
        return not isinstance(actual, values.Sensitive) and bool(equal(actual, right))

    return test


# --- index of candidates -------------------------------------------------------------------------------------


_FEW = 20  # with fewer candidates, testing each is faster than an index

Places = list[int]  # indexes of resources among those of their type


class _AttributeIndex:
    """An index of the resources of a type by the string that an attribute has.

    Attributes:
        texts: For each string in lower case, the positions of the resources whose value is the string or an array with
            it.
        others: Positions of the resources with other values, which must be tested one by one.
    """

    __slots__ = ("others", "texts")

    def __init__(self, values: Iterable[Value]) -> None:
        self.texts: dict[str, Places] = defaultdict(list)
        self.others: Places = []
        plain: dict[str, Places] = defaultdict(list)
        for place, actual in enumerate(values):
            if type(actual) is str:  # the most frequent case, often with the same value
                plain[actual].append(place)
            elif actual is not None:
                self._add(place, actual)
        for text, places in plain.items():
            if not text.isascii():  # comparisons fold only ASCII letters
                self.others += places
            elif (lower := text.lower()) in self.texts:
                self.texts[lower] = sorted(self.texts[lower] + places)
            else:
                self.texts[lower] = places

    def _add(self, place: int, actual: Value) -> None:
        if type(actual) is list and all(type(item) is str and item.isascii() for item in actual):
            for text in {item.lower() for item in actual}:
                self.texts[text].append(place)
        else:
            self.others.append(place)


class _TagIndex:
    """An index of the resources of a type by their tags.

    Attributes:
        explicit: For each explicit tag the positions of the resources that have it.
        titles: All titles in lower case, one for each line.
        inherited: For each tag the containers that pass it on.
    """

    def __init__(self, resources: list[CatalogResource], inherited: dict[str, list[Key]]) -> None:
        self._resources = resources
        self.explicit: dict[str, Places] = defaultdict(list)
        self.inherited = inherited
        self.titles = "\n".join([resource.title for resource in resources]).lower()
        plain: dict[str, Places] = defaultdict(list)
        for place, resource in enumerate(resources):
            explicit = resource.parameters.get("tag")
            if type(explicit) is str:  # the most frequent case, often with the same value
                plain[explicit].append(place)
            elif explicit is not None:
                self._add_tags(tags.flatten_tags(explicit), [place])
            for _, tag in resource.extra_tags:
                self._add_tags([tag], [place])
        for text, places in plain.items():
            self._add_tags([text.lower()], places)

    def _add_tags(self, found: list[str], places: Places) -> None:
        for tag in found:
            for segment in tags.split_segments(tag):
                self.explicit[segment] += places

    def find_places(self, tag: str) -> Places:
        """Return the positions of the resources that have a tag, in order."""
        found = set(self.explicit.get(tag, ()))
        # a substring test; the exact index is built only for tags that pass it
        if tag in self.titles or tag in self._resources[0].type:
            found.update(self._places_by_tag.get(tag, ()))
        for container in self.inherited.get(tag, ()):
            found.update(self._places_by_container[container])
        return sorted(found)

    @cached_property
    def _places_by_container(self) -> dict[Key, Places]:
        """The positions by container."""
        found: dict[Key, Places] = defaultdict(list)
        for place, resource in enumerate(self._resources):
            found[resource.container].append(place)
        return found

    @cached_property
    def _places_by_tag(self) -> dict[str, Places]:
        """The positions by the tags that type and title make."""
        found: dict[str, Places] = defaultdict(list)
        for place, resource in enumerate(self._resources):
            for tag in tags.get_name_tags(resource):
                found[tag].append(place)
        return found


class CandidateIndex(dict[str, list[Key]]):
    """The keys of resources by type, with indexes by attribute and tag.

    Collectors select their candidates in it. An index is valid until one of its resources changes.

    Attributes:
        version: A number that grows whenever resources were added or changed.
    """

    def __init__(self, catalog: Catalog, start: int = 0) -> None:
        super().__init__()
        self.catalog = catalog
        self.indexed_count = start
        self.version = 0
        self._added_version = 0  # the version at which resources were last added
        self._changed_versions: dict[str, int] = {}  # the version of the last change, by attribute
        self._tags: dict[Key, frozenset[str]] = {}
        self._inherited: dict[Key, tuple[str, ...]] = {}
        self._memo: tags.Memo = {}
        self._having: dict[str, dict[str, _AttributeIndex]] = {}
        self._tagged: dict[str, _TagIndex] = {}

    def refresh(self) -> None:
        """Add the resources that were declared since the last call."""
        resources = self.catalog.resources
        for key in islice(resources, self.indexed_count, None):
            self.setdefault(key[0], []).append(key)
        self.indexed_count = len(resources)
        self._having.clear()
        self.invalidate(["tag"])
        self._added_version = self.version

    def has_changed(self, names: Iterable[str], since: int) -> bool:
        """Return True when resources were added, or these attributes changed, after a version."""
        changed = self._changed_versions
        return self._added_version > since or any(changed.get(name, 0) > since for name in names)

    def select(self, kind: str, query: Query) -> tuple[Sequence[Key], Query]:
        """Return the candidates of a type in order, and the rest of the query.

        Some candidates that do not match are left out. The rest must be tested on each of the others; it is
        None when all match.
        """
        every = self.get(kind, [])
        if query is None or len(every) < _FEW:
            return every, query
        places, rest = self._find_places(kind, query)
        return (every if places is None else [every[place] for place in places]), rest

    def _find_places(self, kind: str, query: tuple[Value, ...]) -> tuple[Places | None, Query]:
        """Return the positions of the candidates, None for all, and the rest of the query."""
        operator, left, right = query
        if operator == "or":
            one, rest = self._find_places(kind, left)
            if one is None:
                return None, query
            other, more = self._find_places(kind, right)
            if other is None:
                return None, query
            return sorted({*one, *other}), None if rest is None and more is None else query
        if operator == "and":
            one, rest = self._find_places(kind, left)
            if one is not None and len(one) < _FEW:
                return one, combine_queries(rest, right)
            other, more = self._find_places(kind, right)
            if one is None or other is None:
                return (other if one is None else one), combine_queries(rest, more)
            return sorted(set(one).intersection(other)), combine_queries(rest, more)
        if operator != "==" or type(right) is not str or (left == "tag" and kind == "stage"):
            return None, query  # a stage inherits no tags
        if left == "tag":
            return self._index_tags(kind).find_places(right.lower()), None
        known = self._index_attribute(kind, left)
        places = known.texts.get(right.lower(), [])
        if known.others:
            return sorted({*places, *known.others}), query
        return places, None if right.isascii() else query

    def _index_attribute(self, kind: str, name: str) -> _AttributeIndex:
        """Return the index of an attribute, or of the title, of the resources of a type."""
        having = self._having.setdefault(name, {})
        if kind not in having:
            resources = [self.catalog.resources[key] for key in self[kind]]
            having[kind] = _AttributeIndex(_get_attribute(resource, name) for resource in resources)
        return having[kind]

    def _index_tags(self, kind: str) -> _TagIndex:
        """Return the index of the tags of the resources of a type."""
        found = self._tagged.get(kind)
        if found is None:
            resources = [self.catalog.resources[key] for key in self[kind]]
            handed: dict[str, list[Key]] = defaultdict(list)
            for container in {resource.container for resource in resources}:
                for tag in self._collect_inherited_tags(container):
                    handed[tag].append(container)
            found = self._tagged[kind] = _TagIndex(resources, handed)
        return found

    def collect_tags(self, resource: CatalogResource) -> frozenset[str]:
        """Return all tags of a candidate."""
        found = self._tags.get(resource.key)
        if found is None:
            found = self._tags[resource.key] = frozenset(
                tags.collect_tags(self.catalog, resource, self._memo, final=False)
                if resource.type == "stage"  # a stage inherits no tags
                else (*tags.get_own_tags(resource), *self._collect_inherited_tags(resource.container))
            )
        return found

    def _collect_inherited_tags(self, container: Key) -> tuple[str, ...]:
        """Return the tags that a container passes on."""
        found = self._inherited.get(container)
        if found is None:
            resource = self.catalog.resources.get(container)
            found = self._inherited[container] = (
                tuple(tags.collect_tags(self.catalog, resource, self._memo, final=False)) if resource else ()
            )
        return found

    def invalidate(self, names: Iterable[str]) -> None:
        """Discard the indexes of changed attributes.

        Changed tags also change those of the contents.
        """
        self.version += 1
        for name in names:
            self._changed_versions[name] = self.version
            self._having.pop(name, None)
            if name == "tag":
                self._tagged.clear()
                self._tags.clear()
                self._inherited.clear()
                self._memo.clear()
