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
    text = (
        f"Duplicate declaration: {reference(key)} is already declared{at(known.span)};"
        f" cannot redeclare{spaced(place(span))}"
    )
    return failure(site, text, notes=_declared(known))


def clash(resource: Resource, alias: str, told: str, known: Resource) -> Exception:
    """The error of an alias that another resource has."""
    text = (
        f"Cannot alias {resource.reference} to {alias}{at(resource.span)};"
        f" resource {told} already declared{spaced(place(known.span))}"
    )
    return failure(resource.site, text, notes=_declared(known))


def _declared(known: Resource) -> tuple[Note, ...]:
    return (Note("first declared here", known.span),) if known.span is not None else ()
