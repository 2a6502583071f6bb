"""Views of errors: code, message, excerpts with marks, suggestion and remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from puppet_kernel.remedies import COMMAND_LINE, Remedies, format_help, format_remark
from puppet_kernel.rendering.elements import (
    Element,
    Excerpt,
    Group,
    Line,
    Mark,
    NoteElement,
    TextElement,
    lines_of,
)

PLAIN_ERRORS = ("RUNTIME_ERROR", "FAILED", "COMMAND", "INTERRUPTED")  # their codes would tell nothing

LENGTH = 20_000  # characters of a message; people read no more, and a value may stand in it

Names = Callable[[Source], str | None]


def error(
    problem: PuppetError,
    names: Names = lambda source: None,
    *,
    kind: str = "error",
    ways: Remedies = COMMAND_LINE,
) -> Element:
    """Return an error with its code, message, excerpts, suggestion and remedy.

    Args:
        problem: The error.
        names: Returns the name of a source that has none of its own.
        kind: "error" or "warning".
        ways: The remedies of the front end for what an error needs.
    """
    parts: list[Element] = [error(related, names, ways=ways) for related in problem.related]
    parts.append(Group(_headline(problem, kind), *_places(problem, names), *_remarks(problem, ways)))
    return parts[0] if len(parts) == 1 else Group(*parts, spaced=True)


def _headline(problem: PuppetError, kind: str) -> TextElement:
    label = kind if problem.code in PLAIN_ERRORS else f"{kind}[{problem.code}]"
    first, *rest = lines_of(shorten_message(problem.message))
    return TextElement(((kind, f"{label}:"), ("", " "), *_strong(first)), *rest, fold="")


def shorten_message(message: str) -> str:
    """Return a message as it is shown; of a very long one the beginning."""
    if len(message) <= LENGTH:
        return message
    return f"{message[:LENGTH]}… ({len(message) - LENGTH:,} more characters)"


def _strong(parts: Line) -> Line:
    return tuple(("strong", text) for _, text in parts)


def _places(problem: PuppetError, names: Names) -> Iterable[Excerpt]:
    """Yield one excerpt for each source of the error, the primary position's first."""
    marks: list[Mark] = []
    if problem.span is not None:
        marks.append(Mark(problem.span, f"did you mean {problem.suggestion}?" if problem.suggestion else ""))
    marks += [
        Mark(extra.span, extra.text, primary=False) for extra in problem.notes if extra.span is not None
    ]
    sources = {id(mark.span.source): mark.span.source for mark in marks}
    for key, source in sources.items():
        yield Excerpt([mark for mark in marks if id(mark.span.source) == key], source.name or names(source))


def _remarks(problem: PuppetError, ways: Remedies) -> Iterable[NoteElement]:
    if problem.suggestion and problem.span is None and not (problem.help and problem.notes):
        yield NoteElement("help", f"did you mean {problem.suggestion}?", "help")
    for extra in problem.notes:
        if extra.span is None:
            yield NoteElement("note", shorten_message(format_remark(extra, ways)), "note")
    help = format_help(problem, ways)
    if help:
        yield NoteElement("help", shorten_message(help), "help")
