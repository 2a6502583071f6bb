"""Errors with their places and remedies, and the rows of the tables of issues."""

from __future__ import annotations

from collections.abc import Sequence
from copyreg import __newobj__  # type: ignore[attr-defined]  # makes an object without attributes, which pickle sets
from typing import Any

from lexer_parser.record import Record
from lexer_parser.source import Source, Span


class Issue(Record):
    """A row of an issue table: everything that is known about one kind of error.

    Attributes:
        code: Its name, such as "UNKNOWN_VARIABLE".
        template: The message in the released Puppet's words, in `str.format` syntax.
        severity: "error", "warning", "note", "deprecation" or "strict" (decided by the `strict` setting).
        help: One line with the remedy; names in braces are those of the template.
        words: The explanation that help displays on request.
        wrong, right: A program with the error, and the corrected program; or several files, each below a line with its
            path: `# data/common.yaml`, the program below `# manifests/site.pp`.
        needs: The requirement of a session for the remedy: "modulepath", "permission:files", "limit:NAME" …, with names
            of the template in braces; a front end describes how to meet it.
        place: The part of the position that the released Puppet prints: "column" (and line), "line", "file", or "" for
            none.
    """

    code: str
    template: str
    severity: str = "error"
    help: str = ""
    words: str = ""
    wrong: str = ""
    right: str = ""
    needs: str = ""
    place: str = "column"


class Note(Record):
    """A secondary position of an error, such as "first declared here".

    Notes of one class are equal if their texts are.
    """

    text: str
    span: Span | None = None

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and type(other) is type(self) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


class Hint(Note):
    """A note about code that compiles but is probably not intended, or cannot be applied to a machine.

    Attributes:
        problem: The issue.
        severity: The severity of the issue.
    """

    __slots__ = ("problem", "severity")

    def __init__(self, problem: PuppetError, severity: str) -> None:
        super().__init__(str(problem), problem.span)
        self.problem = problem
        self.severity = severity


class PuppetError(Exception):
    """An error of a Puppet program.

    Attributes:
        code: The issue's code, such as "UNKNOWN_VARIABLE".
        message: The released Puppet's wording, without the position.
        span: The position. None if there is none, or none yet: code that works on values raises the error without a
            span, and the evaluator adds it.
        operand: Set by code that works on values, if an operand caused the error: 0 for the left one, 1 for the right
            one. For parameters in brackets, 0 for the type as a whole, and 1 + the index for one of them.
        notes: Secondary positions.
        suggestion: A similar name.
        help: One line with the remedy.
        incomplete: True if more input could correct it (an open string, bracket, heredoc …).
        related: Other errors that are reported with this one, collected by validation.
        warnings: Warnings about the same source; the released Puppet logs them before the error.
        column_known: False if the released Puppet prints no column.
        line_known: False if it prints no line either, only the file.
        placeless: True if the released Puppet prints no position; the span still leads users to it.
        arguments: The values that were inserted into the template, by name.
        needs: The requirement of the session for the remedy, as in the row of the issue; "" for none.
        prefix: The text that the released Puppet logs before the message; not part of `message`.
        released_span: The position that the released Puppet prints, if it differs from `span`.
        is_in_other_cell: True if the position is in another cell than the one that ran; its label is then printed:
            `[4]`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        operand: int | None = None,
        notes: tuple[Note, ...] = (),
        suggestion: str | None = None,
        help: str | None = None,
        incomplete: bool = False,
        related: tuple[PuppetError, ...] = (),
        column_known: bool = True,
        line_known: bool = True,
        placeless: bool = False,
        arguments: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.operand = operand
        self.notes = notes
        self.suggestion = suggestion
        self.help = help
        self.incomplete = incomplete
        self.related = related
        self.warnings: Sequence[PuppetError] = ()
        self.column_known = column_known
        self.line_known = line_known
        self.placeless = placeless
        self.arguments = arguments or {}
        self.needs = ""
        self.prefix = ""
        self.is_in_other_cell = False
        self.released_span: Span | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs; arguments of the template that are no plain data become text."""
        fields = {**self.__dict__, "arguments": _to_data(self.arguments)}
        return __newobj__, (type(self), *self.args), fields

    def __str__(self) -> str:
        """Return the released wording with its position: `Unknown variable: 'x'. (line: 1, column: 3)`."""
        span = self.released_span or self.span
        if span is None or self.placeless:
            return self.prefix + self.message
        if not self.line_known:
            return f"{self.prefix}{self.message} (file: {span.source.name})"
        file = f"{span.source.label}, " if self.is_in_other_cell and span.source.label else ""
        file = f"file: {span.source.name}, " if span.source.name else file
        column = f", column: {span.column}" if self.column_known else ""
        return f"{self.prefix}{self.message} ({file}line: {span.line}{column})"


def _to_data(value: Any) -> Any:
    """Return a value as plain data for another process; anything else becomes its text."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if type(value) in (list, tuple):
        return [_to_data(part) for part in value]
    if type(value) is dict:
        return {_to_data(key): _to_data(part) for key, part in value.items() if type(key) is str}
    return str(value)


def locate_at_end(error: PuppetError, source: Source) -> None:
    """Set the span of an error without a position to the end of the source.

    The released Puppet prints only the file there. An error that has others as `related` gets no span.

    Args:
        error: The error.
        source: The source; that of a note of the error takes precedence.
    """
    if error.span is None:
        source = next((note.span.source for note in error.notes if note.span is not None), source)
        end = len(source.text.rstrip())
        error.released_span = Span(source, max(end - 1, 0), end)
        error.span = None if error.related else error.released_span
        error.placeless = source.name is None
        error.line_known = False
