"""The errors of what is declared a second time."""

from __future__ import annotations

from evaluator.catalog.failures import at, failure, place, spaced
from evaluator.catalog.model import Catalog, Key, Resource, reference
from evaluator.program.definitions import Site
from lexer_parser.errors import Note


def duplicate(catalog: Catalog, key: Key, site: Site | None) -> Exception:
    """The error of a second declaration."""
    known = catalog.resources.get(key) or catalog.find(key)
    assert known is not None
    span = site.span() if site is not None else None
    return failure(
        site,
        "DUPLICATE_DECLARATION",
        notes=_declared(known),
        resource=reference(key),
        known=at(known.span, span),
        place=spaced(place(span, known.span)),
    )


def clash(resource: Resource, alias: str, told: str, known: Resource) -> Exception:
    """The error of an alias that another resource has."""
    return failure(
        resource.site,
        "ALIAS_TAKEN",
        notes=_declared(known),
        resource=resource.reference,
        alias=alias,
        place=at(resource.span, known.span),
        other=told,
        known=spaced(place(known.span, resource.span)),
    )


def _declared(known: Resource) -> tuple[Note, ...]:
    if known.span is None and known.included is not None:
        return (Note("first included here", known.included.span),)
    return (Note("first declared here", known.span),) if known.span is not None else ()
