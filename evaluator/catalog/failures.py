"""Errors about the catalog: in the released Puppet's words, with the places they show."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure, error, labelled, rows
from evaluator.program.definitions import Site
from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Span
from lexer_parser.tree.labels import a_label


def failure(site: Site | None, code: str, *, notes: tuple[Note, ...] = (), **arguments: Any) -> Exception:
    """The error of an expression or call that failed: `Error while evaluating a Resource Statement, <text>`.

    Without a site it is a Failure, and the place is found later.
    """
    plain = Failure(code, **arguments)
    if site is None:
        return plain
    found = labelled(plain, a_label(site.node), site.span())
    found.notes = notes
    return found


def problem(
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


def place(span: Span | None, beside: Span | None = None) -> str:
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


def spaced(text: str) -> str:
    """The text with a blank before it, nothing for nothing."""
    return f" {text}" if text else ""


def at(span: Span | None, beside: Span | None = None) -> str:
    """A place in a sentence: ` at (line: 3)`, nothing without a span."""
    return f" at {place(span, beside)}" if span is not None else ""


def prefixed(inner: PuppetError) -> str:
    """An error as it is quoted inside another: the evaluator's own begin with "Evaluation Error: "."""
    from evaluator.issues import access, language, types

    failed = "label" in inner.arguments and inner.code in rows()
    of_language = any(row.code == inner.code for table in (language, access, types) for row in table.ROWS)
    return f"Evaluation Error: {inner}" if failed or of_language else str(inner)
