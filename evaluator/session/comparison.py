"""Comparison of evaluations: would a user see a difference?

Cells that were evaluated again are redrawn only if that is so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evaluator.catalog import CatalogDifference, CatalogResource
from evaluator.catalog.differences import is_same_data
from evaluator.catalog.export import format_resource
from evaluator.session.cell import Evaluation, Outcome


def differ(one: Evaluation, other: Evaluation) -> bool:
    """Return True if a user sees a difference between two evaluations.

    Values and changes that are equal as data are not formatted, which takes most of the time.
    """
    # None if only the formatted values decide.
    is_same_value = is_same_data(one.value, other.value) if one.has_value and other.has_value else None
    if is_same_value is False:
        return True
    is_same_change = one.change and other.change and _is_same_change(one.change, other.change)
    own_parts, other_parts = (
        get_visible_parts(each, with_value=is_same_value is None, with_change=not is_same_change)
        for each in (one, other)
    )
    return own_parts != other_parts


def _is_same_change(one: CatalogDifference, other: CatalogDifference) -> bool:
    """Return True if two changes of the catalog consist of equal resources and edges."""
    return (
        _are_same_resources(one.added, other.added)
        and _are_same_resources(one.removed, other.removed)
        and _are_same_resources(
            [before for before, _ in one.changed], [before for before, _ in other.changed]
        )
        and _are_same_resources([after for _, after in one.changed], [after for _, after in other.changed])
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
    evaluation: Evaluation, *, with_value: bool = True, with_change: bool = True
) -> tuple[Any, ...]:
    """Return what a user sees of an evaluation, for comparison.

    That is its value and type, log lines, definitions, the change of the catalog, and the error. Secrets are part of
    it: another secret in the catalog is a change too.

    Args:
        with_value: False to leave out the value and its type.
        with_change: False to leave out the change of the catalog.
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
