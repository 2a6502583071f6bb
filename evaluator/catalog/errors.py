"""Errors about the catalog: in Puppet's own words, with the places that they show."""

from __future__ import annotations

from typing import Any

from evaluator.catalog.model import Catalog, CatalogResource, Key, format_key
from evaluator.issues import Failure, error, labelled, rows
from evaluator.program.definitions import Site
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Span
from lexer_parser.tree.labels import a_label


def statement_error(
    site: Site | None, code: str, *, notes: tuple[Note, ...] = (), **arguments: Any
) -> Exception:
    """The error of an expression or call that failed: `Error while evaluating a Resource Statement, <text>`.

    Without a site it is a Failure, and the place is found later.
    """
    plain = Failure(code, **arguments)
    if site is None:
        return plain
    found = labelled(plain, a_label(site.node), site.span())
    found.notes = notes
    return found


def catalog_error(
    code: str,
    span: Span | None = None,
    *,
    placeless: bool = False,
    notes: tuple[Note, ...] = (),
    help: str | None = None,
    **arguments: Any,
) -> PuppetError:
    """An error of the table above. The released Puppet tells only the line of these, or, `placeless`, no place."""
    found = error(code, span, **arguments)
    found.column_known = False
    found.placeless = placeless
    found.notes = notes
    found.help = help
    return found


def format_place(span: Span | None, beside: Span | None = None) -> str:
    """A place inside a message: `(line: 3)`, `(file: /m/init.pp, line: 3)`, nothing without a span.

    Where the message is about a place in another cell as well, it says in which this one is: `([4], line: 3)`.
    """
    if span is None:
        return ""
    name = span.source.name
    where = f"file: {name}, " if name else ""
    if not name and span.source.label and beside is not None and beside.source is not span.source:
        where = f"{span.source.label}, "
    return f"({where}line: {span.line})"


def with_leading_space(text: str) -> str:
    """The text with a blank before it, nothing for nothing."""
    return f" {text}" if text else ""


def format_at(span: Span | None, beside: Span | None = None) -> str:
    """A place in a sentence: ` at (line: 3)`, nothing without a span."""
    return f" at {format_place(span, beside)}" if span is not None else ""


def quote_error(inner: PuppetError) -> str:
    """An error as it is quoted inside another: the evaluator's own begin with "Evaluation Error: "."""
    from evaluator.issues import access, language, types

    failed = "label" in inner.arguments and inner.code in rows()
    of_language = any(row.code == inner.code for table in (language, access, types) for row in table.ROWS)
    return f"Evaluation Error: {inner}" if failed or of_language else str(inner)


# --- duplicate declarations ----------------------------------------------------------------------------------


def duplicate_error(catalog: Catalog, key: Key, site: Site | None) -> Exception:
    """The error of a second declaration."""
    return statement_error(
        site,
        "DUPLICATE_DECLARATION",
        **_duplicate_arguments(catalog, key, site.span() if site is not None else None),
    )


def classified_duplicate_error(catalog: Catalog, key: Key) -> PuppetError:
    """The error of a class that has been declared and that the node's classification gives parameters."""
    return catalog_error("DUPLICATE_DECLARATION", placeless=True, **_duplicate_arguments(catalog, key, None))


def _duplicate_arguments(catalog: Catalog, key: Key, span: Span | None) -> dict[str, Any]:
    """What the error of a second declaration tells, that at a place."""
    known = catalog.resources.get(key) or catalog.find(key)
    assert known is not None
    return {
        "notes": _declaration_notes(known),
        "resource": format_key(key),
        "known": format_at(known.span, span),
        "place": with_leading_space(format_place(span, known.span)),
    }


def alias_error(resource: CatalogResource, alias: str, told: str, known: CatalogResource) -> Exception:
    """The error of an alias that another resource has."""
    return statement_error(
        resource.site,
        "ALIAS_TAKEN",
        notes=_declaration_notes(known),
        resource=resource.reference,
        alias=alias,
        place=format_at(resource.span, known.span),
        other=told,
        known=with_leading_space(format_place(known.span, resource.span)),
    )


def _declaration_notes(known: CatalogResource) -> tuple[Note, ...]:
    if known.span is None and known.included is not None:
        return (Note("first included here", known.included.span),)
    return (Note("first declared here", known.span),) if known.span is not None else ()
