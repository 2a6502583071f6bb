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


# A comparison ("==" or "!=", name, value), or ("value", value) for a bare value. A value may be a query.
Condition = tuple[Any, ...]
# A condition, or a combination ("and" or "or", query, query); None for all resources.
Query = tuple[Any, ...] | None
TagsOf = Callable[[CatalogResource], frozenset[str]]
QueryTest = Callable[[CatalogResource, TagsOf], bool]
Test = Callable[[Any, Any], bool]  # an operator


def _iterate_conditions(query: Query) -> Iterator[Condition]:
    """Yield the comparisons and bare values of which a query consists."""
    if query is not None and query[0] in ("and", "or"):
        for part in query[1:]:
            yield from _iterate_conditions(part)
    elif query is not None:
        yield query


def collect_attribute_names(query: Query) -> set[str]:
    """Return the names of the attributes that a query reads."""
    return {name for operator, name, *_ in _iterate_conditions(query) if operator != "value"}


def combine_queries(left: Query, right: Query) -> Query:
    """Return the conjunction of two queries."""
    return ("and", left, right) if left and right else left or right


def has_number_as_tag(query: Query) -> bool:
    """Return True when a query compares a tag with a number, which no tag equals."""
    return any(
        operator == "==" and name == "tag" and type(value) in (int, float)
        for operator, name, *compared in _iterate_conditions(query)
        for value in compared
    )


def has_legal_values(query: Query) -> bool:
    """Return False when a query has a bare value, or compares one: an error when evaluated."""
    return all(operator != "value" and type(name) is str for operator, name, *_ in _iterate_conditions(query))


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
        test, other = (compile_query(part, equal, contains, span) for part in (left, right))
        if operator == "and":
            return lambda resource, tags_of: test(resource, tags_of) and other(resource, tags_of)
        return lambda resource, tags_of: test(resource, tags_of) or other(resource, tags_of)
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


def _make_comparison(is_equal: bool, name: str, value: Value, equal: Test, contains: Test) -> QueryTest:
    """Return the test of an attribute or the title: `==`, or `!=` if not `is_equal`.

    For `==` an array must contain the value.
    """
    right = to_attribute_value(value)
    size = len(right) if type(right) is str else -1
    is_query = type(value) is tuple

    def test(resource: CatalogResource, tags_of: TagsOf) -> bool:
        actual = _get_attribute(resource, name)
        if type(actual) is str and size >= 0:  # Strings that differ only in case have the same length
            equals = len(actual) == size and (actual == right or equal(actual, right))
        elif is_equal and isinstance(actual, list):
            return any(equals_value(item) for item in actual) or (not is_query and contains(value, actual))
        else:
            equals = equals_value(actual)
        return equals is is_equal

    def equals_value(actual: Value) -> bool:
        return not isinstance(actual, values.Sensitive) and bool(equal(actual, right))

    return test


# --- index of candidates -------------------------------------------------------------------------------------


_FEW = 20  # with fewer candidates, testing each is faster than an index

Positions = list[int]  # the positions of resources among those of their type


class _AttributeIndex:
    """An index of the resources of a type by the string that an attribute has.

    Attributes:
        texts: For each string in lower case, the positions of the resources whose value is the string or an array with
            it, in no order.
        others: Positions of the resources with other values, which must be tested one by one.
    """

    def __init__(self, values: Iterable[Value]) -> None:
        self.texts: dict[str, Positions] = defaultdict(list)
        self.others: Positions = []
        plain: dict[str, Positions] = defaultdict(list)
        for position, actual in enumerate(values):
            if type(actual) is str:  # the most frequent case, often with the same value
                plain[actual].append(position)
            elif actual is not None:
                self._add(position, actual)
        for text, positions in plain.items():
            # Comparisons fold only ASCII letters.
            same = self.texts[text.lower()] if text.isascii() else self.others
            same += positions

    def _add(self, position: int, actual: Value) -> None:
        if type(actual) is list and all(type(item) is str and item.isascii() for item in actual):
            for text in {item.lower() for item in actual}:
                self.texts[text].append(position)
        else:
            self.others.append(position)


class _TagIndex:
    """An index of the resources of a type by their tags.

    Attributes:
        explicit: For each explicit tag the positions of the resources that have it.
        titles: All titles in lower case, one for each line.
        inherited: For each tag the containers that pass it on.
    """

    def __init__(self, resources: list[CatalogResource], inherited: dict[str, list[Key]]) -> None:
        self._resources = resources
        self.explicit: dict[str, Positions] = defaultdict(list)
        self.inherited = inherited
        self.titles = "\n".join([resource.title for resource in resources]).lower()
        plain: dict[str, Positions] = defaultdict(list)
        for position, resource in enumerate(resources):
            explicit = resource.parameters.get("tag")
            if type(explicit) is str:  # the most frequent case, often with the same value
                plain[explicit].append(position)
            elif explicit is not None:
                self._add_tags(tags.flatten_tags(explicit), [position])
            for _, tag in resource.extra_tags:
                self._add_tags([tag], [position])
        for text, positions in plain.items():
            self._add_tags([text.lower()], positions)

    def _add_tags(self, names: list[str], positions: Positions) -> None:
        for tag in names:
            for segment in tags.split_segments(tag):
                self.explicit[segment] += positions

    def find_positions(self, tag: str) -> Positions:
        """Return the positions of the resources that have a tag, in order."""
        positions = set(self.explicit.get(tag, ()))
        # A tag that a title makes is a part of it. The exact index is built only for tags that pass this quick test.
        if tag in self.titles or tag in self._resources[0].type:
            positions.update(self._by_tag.get(tag, ()))
        positions.update(*[self._by_container[container] for container in self.inherited.get(tag, ())])
        return sorted(positions)

    @cached_property
    def _by_container(self) -> dict[Key, Positions]:
        """The positions by container."""
        by_container: dict[Key, Positions] = defaultdict(list)
        for position, resource in enumerate(self._resources):
            by_container[resource.container].append(position)
        return by_container

    @cached_property
    def _by_tag(self) -> dict[str, Positions]:
        """The positions by the tags that type and title make."""
        by_tag: dict[str, Positions] = defaultdict(list)
        for position, resource in enumerate(self._resources):
            for tag in tags.get_name_tags(resource):
                by_tag[tag].append(position)
        return by_tag


class CandidateIndex(dict[str, list[Key]]):
    """The keys of resources by type, with indexes by attribute and tag.

    Collectors select their candidates in it. An index is valid until one of its resources changes.

    Attributes:
        indexed_count: The number of the first resources of the catalog that are in the index, or before its start.
        version: A number that grows whenever resources were added or changed.
        is_stale: True if resources may have changed without `invalidate`, as bodies of defines change them.
    """

    def __init__(self, catalog: Catalog, start: int = 0) -> None:
        super().__init__()
        self.catalog = catalog
        self.indexed_count = start
        self.version = 0
        self.is_stale = True
        self._added_version = 0  # the version at which resources were last added
        self._changed_versions: dict[str, int] = {}  # the version of the last change, by attribute
        self._tags: dict[Key, frozenset[str]] = {}  # all tags of candidates
        self._inherited: dict[Key, tuple[str, ...]] = {}  # the tags that containers pass on
        self._tag_memo: tags.Memo = {}
        self._attribute_indexes: dict[str, dict[str, _AttributeIndex]] = {}  # by attribute, then by type
        self._tag_indexes: dict[str, _TagIndex] = {}  # by type

    def refresh(self) -> None:
        """Add the resources that were declared since the last call, and discard all indexes."""
        self.is_stale = False
        resources = self.catalog.resources
        for key in islice(resources, self.indexed_count, None):
            self.setdefault(key[0], []).append(key)
        self.indexed_count = len(resources)
        self._attribute_indexes.clear()
        self.invalidate(["tag"])
        self._added_version = self.version

    def has_changed(self, names: Iterable[str], since: int) -> bool:
        """Return True when resources were added, or these attributes changed, after a version."""
        changed = self._changed_versions
        return self._added_version > since or any(changed.get(name, 0) > since for name in names)

    def select(self, type_name: str, query: Query) -> tuple[Sequence[Key], Query]:
        """Return the candidates of a type in order, and the rest of the query.

        Some candidates that do not match are left out. The rest must be tested on each of the others; it is
        None when all match.
        """
        every = self.get(type_name, [])
        if query is None or len(every) < _FEW:
            return every, query
        positions, rest = self._find_positions(type_name, query)
        return (every if positions is None else [every[position] for position in positions]), rest

    def _find_positions(self, type_name: str, query: tuple[Value, ...]) -> tuple[Positions | None, Query]:
        """Return the positions of the candidates, None for all, and the rest of the query."""
        operator, left, right = query
        if operator == "or":
            positions, rest = self._find_positions(type_name, left)
            if positions is None:
                return None, query
            others, right_rest = self._find_positions(type_name, right)
            if others is None:
                return None, query
            return sorted({*positions, *others}), None if rest is None and right_rest is None else query
        if operator == "and":
            positions, rest = self._find_positions(type_name, left)
            if positions is not None and len(positions) < _FEW:
                return positions, combine_queries(rest, right)
            others, right_rest = self._find_positions(type_name, right)
            if positions is None or others is None:
                return (others if positions is None else positions), combine_queries(rest, right_rest)
            return sorted(set(positions).intersection(others)), combine_queries(rest, right_rest)
        if operator != "==" or type(right) is not str or (left == "tag" and type_name == "stage"):
            return None, query  # a stage inherits no tags
        if left == "tag":
            return self._index_tags(type_name).find_positions(right.lower()), None
        index = self._index_attribute(type_name, left)
        positions = sorted([*index.texts.get(right.lower(), ()), *index.others])
        return positions, None if right.isascii() and not index.others else query

    def _index_attribute(self, type_name: str, name: str) -> _AttributeIndex:
        """Return the index of an attribute, or of the title, of the resources of a type."""
        indexes = self._attribute_indexes.setdefault(name, {})
        if type_name not in indexes:
            resources = [self.catalog.resources[key] for key in self[type_name]]
            indexes[type_name] = _AttributeIndex(
                # As `_get_attribute`, without a call for each resource.
                [
                    resource.title_value[0] if resource.title_value else resource.title
                    for resource in resources
                ]
                if name == "title"
                else [resource.parameters.get(name) for resource in resources]
            )
        return indexes[type_name]

    def _index_tags(self, type_name: str) -> _TagIndex:
        """Return the index of the tags of the resources of a type."""
        index = self._tag_indexes.get(type_name)
        if index is None:
            resources = [self.catalog.resources[key] for key in self[type_name]]
            inherited: dict[str, list[Key]] = defaultdict(list)
            for container in {resource.container for resource in resources}:
                for tag in self._collect_inherited_tags(container):
                    inherited[tag].append(container)
            index = self._tag_indexes[type_name] = _TagIndex(resources, inherited)
        return index

    def collect_tags(self, resource: CatalogResource) -> frozenset[str]:
        """Return all tags of a candidate."""
        names = self._tags.get(resource.key)
        if names is None:
            names = self._tags[resource.key] = frozenset(
                tags.collect_tags(self.catalog, resource, self._tag_memo, as_shown=False)
                if resource.type == "stage"  # a stage inherits no tags
                else (*tags.get_own_tags(resource), *self._collect_inherited_tags(resource.container))
            )
        return names

    def _collect_inherited_tags(self, container: Key) -> tuple[str, ...]:
        """Return the tags that a container passes on."""
        names = self._inherited.get(container)
        if names is None:
            resource = self.catalog.resources.get(container)
            names = self._inherited[container] = (
                tuple(tags.collect_tags(self.catalog, resource, self._tag_memo, as_shown=False))
                if resource
                else ()
            )
        return names

    def invalidate(self, names: Iterable[str]) -> None:
        """Discard the indexes of changed attributes.

        Changed tags also change those of the contents.
        """
        self.version += 1
        for name in names:
            self._changed_versions[name] = self.version
            self._attribute_indexes.pop(name, None)
            if name == "tag":
                self._tag_indexes.clear()
                self._tags.clear()
                self._inherited.clear()
                self._tag_memo.clear()
