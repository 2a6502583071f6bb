"""Errors about the catalog: in Puppet's wording, with the places that they show."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from evaluator.catalog.model import Catalog, CatalogResource, Key, format_key
from evaluator.issues import Failure, load_rows, make_error, make_labelled_error
from evaluator.program.definitions import BreakIteration, Site
from evaluator.program.tracing import find_frames
from evaluator.values import Value, to_ruby_text
from evaluator.values.dag import flatten_lists
from lexer_parser.errors import Note, PuppetError
from lexer_parser.record import Record, fresh
from lexer_parser.source import Span
from lexer_parser.tree.labels import add_article_to_label

# Returns the error for an exception, with its place and the name that the user probably meant.
Explain = Callable[[BaseException], PuppetError]

_SHORT = 80  # characters; a longer message is not repeated beside its place


def make_statement_error(
    site: Site | None, code: str, *, notes: tuple[Note, ...] = (), **arguments: Value
) -> Exception:
    """Return the error of an expression or call that failed.

    Its message is `Error while evaluating a Resource Statement, <text>`.

    Args:
        site: The expression; without it the result is a Failure, and the caller adds the place.
    """
    plain = Failure(code, **arguments)
    if site is None:
        return plain
    error = make_labelled_error(plain, add_article_to_label(site.node), site.span())
    error.notes = notes
    return error


def make_catalog_error(
    code: str,
    span: Span | None = None,
    *,
    placeless: bool = False,
    notes: tuple[Note, ...] = (),
    help: str | None = None,
    released_span: Span | None = None,
    **arguments: Value,
) -> PuppetError:
    """Return an error of the catalog's issue table.

    Args:
        placeless: True for errors without a place in Puppet's message; for others Puppet prints only the line.
        released_span: The place that Puppet prints, if it differs from `span`.
    """
    error = make_error(code, span, **arguments)
    error.column_known = False
    error.placeless = placeless
    error.notes = notes
    error.help = help
    error.released_span = released_span
    return error


class PendingErrors(Record):
    """The errors about things that a later cell may declare.

    While a session is interactive they are collected; otherwise the first one is raised.
    """

    _is_interactive: bool
    errors: list[PuppetError] = fresh(factory=list)

    def report(self, error: PuppetError) -> None:
        """Collect an error, or raise it when the session is not interactive."""
        if not self._is_interactive:
            raise error
        self.errors.append(error)


def format_place(span: Span | None, beside: Span | None = None) -> str:
    """Return a place for use inside a message: `(file: /m/init.pp, line: 3)`.

    Without a file it is `(line: 3)`, and "" without a span.

    Args:
        beside: The place of the message itself; if it is in another cell than `span`, the label of the cell is shown:
            `([4], line: 3)`.
    """
    if span is None:
        return ""
    name = span.source.name
    where = f"file: {name}, " if name else ""
    if not name and span.source.label and beside is not None and beside.source is not span.source:
        where = f"{span.source.label}, "
    return f"({where}line: {span.line})"


def add_leading_space(text: str) -> str:
    """Return the text with a space before it, or "" for an empty text."""
    return f" {text}" if text else ""


def format_at(span: Span | None, beside: Span | None = None) -> str:
    """Return a place for use in a sentence: ` at (line: 3)`, "" without a span."""
    return f" at {format_place(span, beside)}" if span is not None else ""


def quote_error(inner: PuppetError) -> str:
    """Return an error as Puppet quotes it inside another one.

    Errors of the evaluator begin with "Evaluation Error: ".
    """
    from evaluator.issues import language, types

    failed = "label" in inner.arguments and inner.code in load_rows()
    of_language = any(row.code == inner.code for table in (language, types) for row in table.ROWS)
    return f"Evaluation Error: {inner}" if failed or of_language else str(inner)


def make_body_error(resource: CatalogResource, exception: Exception, explain: Explain) -> PuppetError:
    """Return the error for an exception in the body of a resource.

    It names the resource and quotes the inner error.
    """
    # Puppet handles only errors that are StandardErrors of Ruby; these, such as LoadError, are not.
    if getattr(exception, "code", "") == "RUBY_NOT_RUNNABLE":
        return explain(exception)
    if isinstance(exception, BreakIteration):
        inner = explain(exception)
        wrapped = make_error("RUNTIME_ERROR", inner.span, label="an Object", detail=inner.message)
        wrapped.code, wrapped.help = inner.code, inner.help
    elif isinstance(exception, Failure) and not find_frames(exception.__traceback__):
        wrapped = make_labelled_error(exception, "a Resource Statement", resource.span)
    else:
        inner = explain(exception)
        wrapped = make_error(
            "RUNTIME_ERROR", resource.span, label="a Resource Statement", detail=quote_error(inner)
        )
        suggestion = f"; did you mean {inner.suggestion}?" if inner.suggestion else ""
        message = inner.message.rstrip(".")  # the error's message contains it already if it is long
        quoted = f": {message}" if len(message) <= _SHORT else ""
        body_note = Note(f"in the body of {resource.reference}{quoted}{suggestion}", inner.span)
        wrapped.notes = (body_note, *inner.notes)
        wrapped.code, wrapped.help = inner.code, inner.help
    wrapped.column_known = False
    return wrapped


# --- duplicate declarations ----------------------------------------------------------------------------------


def duplicate_error(catalog: Catalog, key: Key, site: Site | None) -> Exception:
    """Return the error for a second declaration of a resource."""
    return make_statement_error(
        site,
        "DUPLICATE_DECLARATION",
        **_duplicate_arguments(
            catalog.resources.get(key) or catalog.find(key), key, site.span() if site is not None else None
        ),
    )


def make_late_duplicate_error(existing: CatalogResource, key: Key, span: Span | None = None) -> PuppetError:
    """Return the error for a second declaration that is found after the program has run.

    It is a class with arguments in the classification, or the title is an alias that an override has set.
    """
    return make_catalog_error(
        "DUPLICATE_DECLARATION", span, placeless=True, **_duplicate_arguments(existing, key, span)
    )


def _duplicate_arguments(existing: CatalogResource | None, key: Key, span: Span | None) -> dict[str, Any]:
    """Return the arguments of the error for a second declaration at a place."""
    assert existing is not None
    return {
        "notes": _make_declaration_notes(existing),
        "resource": format_key(key),
        "known": format_at(existing.span, span),
        "place": add_leading_space(format_place(span, existing.span)),
    }


def get_alias_type(resource: CatalogResource) -> str:
    """Return the type under which Puppet stores an alias: the reference up to its last `[`.

    Only the first line of the reference counts.
    """
    return resource.reference.partition("\n")[0].rpartition("[")[0]


def make_alias_error(
    resource: CatalogResource, alias: Value, existing: CatalogResource, *, is_late: bool = False
) -> Exception:
    """Return the error for an alias that another resource has.

    Args:
        is_late: True after the program has run, when the error is not one of the resource's expression.
    """
    make_error_at_place = (
        partial(make_catalog_error, span=resource.span, placeless=True)
        if is_late
        else partial(make_statement_error, resource.site)
    )
    return make_error_at_place(
        "ALIAS_TAKEN",
        notes=_make_declaration_notes(existing),
        resource=resource.reference,
        alias=to_ruby_text([alias])[1:-1],
        place=format_at(resource.span, existing.span),
        other=to_ruby_text([get_alias_type(resource), *flatten_lists([alias])]),
        known=add_leading_space(format_place(existing.span, resource.span)),
    )


def _make_declaration_notes(existing: CatalogResource) -> tuple[Note, ...]:
    if existing.span is None and existing.included is not None:
        return (Note("first included here", existing.included.span),)
    return (Note("first declared here", existing.span),) if existing.span is not None else ()
