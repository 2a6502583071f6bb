"""The queries of collectors, made into tests of resources once for all that they look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator import values
from evaluator.catalog.failures import problem
from evaluator.catalog.model import Resource
from lexer_parser.source import Span

# nested tuples, or None for all: ("==", name, value), ("!=", name, value), ("and", query, query), ("value", value)
Query = tuple[Any, ...] | None
TagsOf = Callable[[Resource], frozenset[str]]
Test = Callable[[Resource, TagsOf], bool]
Equal = Callable[[Any, Any], bool]


def attributes(query: Query) -> set[str]:
    """The names of the attributes that a query asks for."""
    if query is None or query[0] == "value":
        return set()
    if query[0] in ("and", "or"):
        return attributes(query[1]) | attributes(query[2])
    return {query[1]}


def both(one: Query, other: Query) -> Query:
    """What asks for two queries."""
    if one is None or other is None:
        return one or other
    return ("and", one, other)


def has_number_as_tag(query: Query) -> bool:
    """True when a query asks for a tag by a number, which no tag is."""
    if query is None or query[0] == "value":
        return False
    operator, left, right = query
    if operator in ("and", "or"):
        return has_number_as_tag(left) or has_number_as_tag(right)
    return operator == "==" and left == "tag" and type(right) in (int, float)


def is_legal(query: Query) -> bool:
    """False when there is a value in a query that compares nothing: who meets it fails."""
    if query is None:
        return True
    return query[0] != "value" and (
        query[0] not in ("and", "or") or (is_legal(query[1]) and is_legal(query[2]))
    )


def test_of(query: Query, equal: Equal, span: Span | None) -> Test:
    """What tells whether a query fits a resource, of which it is given all tags.

    The test raises ILLEGAL_QUERY_VALUE where it comes to a value that compares nothing.
    """
    if query is None:
        return lambda resource, tags_of: True
    if query[0] == "value":
        return _failing(query[1], span)
    operator, left, right = query
    if operator in ("and", "or"):
        one, other = test_of(left, equal, span), test_of(right, equal, span)
        if operator == "and":
            return lambda resource, tags_of: one(resource, tags_of) and other(resource, tags_of)
        return lambda resource, tags_of: one(resource, tags_of) or other(resource, tags_of)
    if operator == "==" and left == "tag":
        tag = values.text(right).lower()
        return lambda resource, tags_of: tag in tags_of(resource)
    return _comparing(operator == "==", left, right, equal)


def _failing(value: Any, span: Span | None) -> Test:
    def test(resource: Resource, tags_of: TagsOf) -> bool:
        raise problem("ILLEGAL_QUERY_VALUE", span, value=values.literal(value))

    return test


def _comparing(wanted: bool, name: str, right: Any, equal: Equal) -> Test:
    """The test of an attribute, or of the title; of an array one element has to be equal."""
    size = len(right) if type(right) is str else -1

    def test(resource: Resource, tags_of: TagsOf) -> bool:
        if name == "title":
            actual = resource.spoken[0] if resource.spoken else resource.title
        else:
            actual = resource.parameters.get(name)
        if type(actual) is str and size >= 0:  # Strings that are equal but for the case have one length
            found = len(actual) == size and (actual == right or equal(actual, right))
        elif wanted and isinstance(actual, list):
            return any(holds(item) for item in actual)
        else:
            found = holds(actual)
        return found is wanted

    def holds(actual: Any) -> bool:
        return not isinstance(actual, values.Sensitive) and bool(equal(actual, right))

    return test
