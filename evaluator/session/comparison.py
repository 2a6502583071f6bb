"""Comparison of evaluations: would a user see a difference?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from evaluator.catalog import CatalogDifference, CatalogResource
from evaluator.catalog.export import format_resource
from evaluator.catalog.references import AttributeReference
from evaluator.session.cell import Evaluation, Outcome
from evaluator.types import ClassType, ResourceType
from evaluator.values import Key, Sensitive, Value
from evaluator.values.dag import CONTAINERS, MANY, is_worth_memoizing

_PLAIN = frozenset({str, int, bool, type(None)})
_REFERENCES = frozenset({ResourceType, ClassType, AttributeReference})
_DATA = frozenset({*_PLAIN, *CONTAINERS, *_REFERENCES, float, Key})


def differ(one: Evaluation, other: Evaluation) -> bool:
    """Return True if a user sees a difference between two evaluations."""
    same = is_same_data(one.value, other.value) if one.has_value and other.has_value else None
    if same is False:
        return True
    with_change = not (one.change and other.change and _is_same_change(one.change, other.change))
    return get_visible_parts(one, same is None, with_change) != get_visible_parts(
        other, same is None, with_change
    )


def _is_same_change(one: CatalogDifference, other: CatalogDifference) -> bool:
    """Return True if two changes of the catalog consist of equal resources and edges."""
    return (
        _are_same_resources(one.added, other.added)
        and _are_same_resources(one.removed, other.removed)
        and _are_same_resources(*([before for before, _ in change.changed] for change in (one, other)))
        and _are_same_resources(*([after for _, after in change.changed] for change in (one, other)))
        and one.edges_added == other.edges_added
        and one.edges_removed == other.edges_removed
    )


def _are_same_resources(some: Sequence[CatalogResource], others: Sequence[CatalogResource]) -> bool:
    return len(some) == len(others) and all(map(_is_same_resource, some, others))


def _is_same_resource(one: CatalogResource, other: CatalogResource) -> bool:
    return one is other or (
        one.key == other.key
        and one.virtual == other.virtual
        and one.exported == other.exported
        and one.title_attributes == other.title_attributes
        and one.title_value == other.title_value
        and is_same_data(one.parameters, other.parameters) is True
    )


def get_visible_parts(
    evaluation: Evaluation, with_value: bool = True, with_change: bool = True
) -> tuple[Any, ...]:
    """Return what a user sees of an evaluation: value, type, log lines, change of the catalog, error; for comparison.

    Secrets are part of it: another secret in the catalog is a change too.
    """
    change, error = evaluation.change, evaluation.error
    outcome = Outcome(evaluation)
    return (
        (outcome.text, outcome.type) if with_value and evaluation.has_value else None,
        [(log.level, log.message) for log in evaluation.logs],
        list(evaluation.defined),
        [
            [format_resource(resource, redact=False) for resource in change.added],
            [format_resource(resource, redact=False) for resource in change.removed],
            [
                (format_resource(before, redact=False), format_resource(after, redact=False))
                for before, after in change.changed
            ],
            change.edges_added,
            change.edges_removed,
        ]
        if change and with_change
        else None,
        str(error) if error is not None else None,
    )


def is_same_data(one: Value, other: Value) -> bool | None:
    """Return whether two values are structurally equal data, or None if they are not only data and references.

    Equal data has the same text and type: `1` and `1.0` differ, and so do hashes in another order. Shared parts are
    compared once, and no text of a large value is built. Whether different secrets differ depends on who looks.
    """
    levels: list[Iterator[tuple[Value, Value]]] = [iter([(one, other)])]
    seen: set[tuple[int, int]] = set()
    compared = 0
    while levels:
        for left, right in levels[-1]:
            kind = type(left)
            if kind is not type(right):
                return False if kind in _DATA and type(right) in _DATA else None
            if left is right:
                continue
            if kind in _PLAIN:
                if left != right:
                    return False
            elif kind is float:
                if repr(left) != repr(right):  # there are two zeros
                    return False
            elif kind in _REFERENCES:
                if left.parts() != right.parts():
                    return False
            elif kind is Sensitive and left == right:
                continue
            elif kind not in _DATA:
                return None
            else:
                if kind in CONTAINERS and len(left) != len(right):
                    return False
                compared += 1
                if compared > MANY and kind in CONTAINERS and is_worth_memoizing(left):
                    if (id(left), id(right)) in seen:
                        continue
                    seen.add((id(left), id(right)))
                levels.append(_pair_parts(left, right))
                break
        else:
            levels.pop()
    return True


def _pair_parts(left: Value, right: Value) -> Iterator[tuple[Value, Value]]:
    """Return the pairs of parts of two containers of one kind."""
    if type(left) is Key:
        return iter([(left.value, right.value)])
    if type(left) is list:
        return zip(left, right, strict=True)
    return zip(chain.from_iterable(left.items()), chain.from_iterable(right.items()), strict=True)
