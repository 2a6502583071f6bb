"""The errors of what is declared a second time."""

from __future__ import annotations

from typing import Any

from evaluator.catalog.failures import at, failure, place, problem, spaced
from evaluator.catalog.model import Catalog, Key, Resource, reference
from evaluator.program.definitions import Site
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Span


def duplicate(catalog: Catalog, key: Key, site: Site | None) -> Exception:
    """The error of a second declaration."""
    return failure(
        site, "DUPLICATE_DECLARATION", **_told(catalog, key, site.span() if site is not None else None)
    )


def duplicate_of_node(catalog: Catalog, key: Key) -> PuppetError:
    """The error of a class that has been declared and that the node's classification gives parameters."""
    return problem("DUPLICATE_DECLARATION", placeless=True, **_told(catalog, key, None))


def _told(catalog: Catalog, key: Key, span: Span | None) -> dict[str, Any]:
    """What the error of a second declaration tells, that at a place."""
    known = catalog.resources.get(key) or catalog.find(key)
    assert known is not None
    return {
        "notes": _declared(known),
        "resource": reference(key),
        "known": at(known.span, span),
        "place": spaced(place(span, known.span)),
    }


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
