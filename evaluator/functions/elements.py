"""What iteration yields: the elements of a value, within the limits, and iterators over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from evaluator.limits import COLLECTION
from evaluator.types import UNIT, IntegerType, StringType, TupleType, infer, infer_detailed, variant
from evaluator.values import PuppetIterator, items, iterate, unkey
from lexer_parser.dialect import PUPPET


def pairs(hash_value: dict[Any, Any]) -> list[list[Any]]:
    """The entries of a hash as `[key, value]` arrays."""
    return [[key, value] for key, value in items(hash_value)]


def true(value: Any) -> bool:
    """Puppet's truth: everything but undef and false."""
    return value is not None and value is not False


def sequence(value: Any) -> Sequence[Any]:
    """What iterating a value yields, as something that has a length and can be sliced: a list, str or range."""
    values = iterate(value)
    if isinstance(values, list | str | range):
        return values
    if type(values) is PuppetIterator:
        inner = values.iterable
        return inner if isinstance(inner, list | str | range) else list(bounded(inner))
    return list(bounded(values or ()))


def steps(value: Any) -> bool:
    """Whether iterating counts integers or leaves out elements: `break` ends such an `all` or `any` quietly."""
    return getattr(value, "steps", False) or type(getattr(value, "iterable", iterate(value))) is range


def bounded(values: Iterable[Any]) -> Iterable[Any]:
    """The same elements; raises as soon as they are more than an array may hold."""
    if isinstance(values, list | str) and len(values) <= COLLECTION.value:
        return values
    if isinstance(values, range) and not values[COLLECTION.value :]:  # a range may be too long for len()
        return values
    return _counted(values)


def _counted(values: Iterable[Any]) -> Iterator[Any]:
    rest = iter(values)
    yield from islice(rest, COLLECTION.value)
    for _ in rest:
        raise COLLECTION.exceeded()


def iterator(values: Iterable[Any], source: Any, *, steps: bool = False) -> PuppetIterator:
    """An Iterator over `values`, whose elements have the type of the elements of `source`."""
    return PuppetIterator(values, lambda: _iterated_type(values, source), steps=steps)


def _iterated_type(values: Iterable[Any], source: Any) -> Any:
    if isinstance(values, range) and values:
        return IntegerType(min(values[0], values[-1]), max(values[0], values[-1]))
    return source.element_type if type(source) is PuppetIterator else element_type(source)


MANY = 50  # of more elements the iterator's type tells only what they have in common


def element_type(value: Any) -> Any:
    """The inferred type of what iterating a value yields."""
    if type(value) is list:
        return _type_of(value) if len(value) <= MANY else infer(value, PUPPET).element_type()
    if type(value) is dict:
        return TupleType((_type_of([*value][:MANY]), _type_of([*value.values()][:MANY])), (2, 2))
    if type(value) is str:
        return StringType((1, 1))
    if type(value) is int:
        return IntegerType(0, value - 1) if value else UNIT
    return value


def _type_of(values: list[Any]) -> Any:
    """The type of an element: a Variant of the elements' own types."""
    if not values:
        return UNIT
    return variant(list(dict.fromkeys(infer_detailed(unkey(value), PUPPET) for value in values)))
