"""Errors: what happened, where, and the way out. Drawing them is the business of the views."""

from __future__ import annotations

from typing import Any

from lexer_parser.source import Source, Span


class Issue:
    """A row of an issue table: all that the language says about one thing that can be wrong.

    code      its name, such as "UNKNOWN_VARIABLE"
    template  the message in the released Puppet's words, in `str.format` syntax
    severity  "error", "warning", "deprecation" or "strict" (decided by the `strict` setting)
    help      one line that says the way out, with the names of the template in braces
    words     what it means, for who asks;  wrong, right  a program that meets it, and the same program mended;
              or files, each below a line with its path: `# data/common.yaml`, the program below `# manifests/site.pp`
    needs     what a session must be given for it to be mended: "modulepath", "permission:files", "limit:NAME" …,
              with the names of the template in braces; a front end says how
    place     what the released Puppet tells of its place: "column" (and line), "line", "file", or "" for nothing
    """

    __slots__ = ("code", "help", "needs", "place", "right", "severity", "template", "words", "wrong")

    def __init__(
        self,
        code: str,
        template: str,
        severity: str = "error",
        *,
        help: str = "",
        words: str = "",
        wrong: str = "",
        right: str = "",
        needs: str = "",
        place: str = "column",
    ) -> None:
        self.code = code
        self.template = template
        self.severity = severity
        self.help = help
        self.words = words
        self.wrong = wrong
        self.right = right
        self.needs = needs
        self.place = place


class Note:
    """A secondary place of an error, such as "first declared here"."""

    __slots__ = ("span", "text")

    def __init__(self, text: str, span: Span | None = None) -> None:
        self.text = text
        self.span = span


class Hint(Note):
    """A note about something that is allowed and hardly meant, or that a machine would refuse; `problem` tells it."""

    __slots__ = ("problem", "severity")

    def __init__(self, problem: PuppetError, severity: str) -> None:
        super().__init__(str(problem), problem.span)
        self.problem = problem
        self.severity = severity

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hint) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


class PuppetError(Exception):
    """Anything that is wrong with a Puppet program.

    code        the issue's code, such as "UNKNOWN_VARIABLE"
    message     the released Puppet's wording, without place
    span        where it is; None when there is no place, or none yet: value-level code raises without a span
                and the evaluator adds it
    operand     set by value-level code that blames an operand: 0 for the left one, 1 for the right one
    notes       secondary places;  suggestion  a near name;  help  one line that says the way out
    incomplete  true when more input could mend it (an open string, bracket, heredoc …)
    related     further errors reported with this one (validation collects)
    column_known  false when the released Puppet tells only the line;  line_known  false when it tells only the file
    placeless     true when the released Puppet tells no place; the span still leads people to it
    arguments     what filled the template, by name
    needs         what the session must be given for it to be mended, as the issue's row says it; "" for nothing
    prefix        what the released Puppet puts before the message in its logs; no part of `message`
    told          the place that the released Puppet tells, where that is another one; None for the span
    cell          what the cell is called in which it is, where that is another than the one that ran: `[4]`
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
        self.column_known = column_known
        self.line_known = line_known
        self.placeless = placeless
        self.arguments = arguments or {}
        self.needs = ""
        self.prefix = ""
        self.cell = ""
        self.told: Span | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is pickled: with all that it tells; of what filled the template, what is no data becomes text."""
        told = {**self.__dict__, "arguments": _data(self.arguments)}
        return _made, (type(self), self.args), told

    def __str__(self) -> str:
        """The released wording with its place: `Unknown variable: 'x'. (line: 1, column: 3)`."""
        span = self.told or self.span
        if span is None or self.placeless:
            return self.prefix + self.message
        if not self.line_known:
            return f"{self.prefix}{self.message} (file: {span.source.name})"
        file = f"file: {span.source.name}, " if span.source.name else self.cell and f"{self.cell}, "
        column = f", column: {span.column}" if self.column_known else ""
        return f"{self.prefix}{self.message} ({file}line: {span.line}{column})"


def _made(kind: type[PuppetError], arguments: tuple[Any, ...]) -> PuppetError:
    """An error that is read back; what it tells is given to it afterwards."""
    return kind.__new__(kind, *arguments)


def _data(value: Any) -> Any:
    """A value as data that can go anywhere: what is more than that becomes its text."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if type(value) in (list, tuple):
        return [_data(part) for part in value]
    if type(value) is dict:
        return {_data(key): _data(part) for key, part in value.items() if type(key) is str}
    return str(value)


def put_at_end(error: PuppetError, source: Source) -> None:
    """Gives an error without a place the end of what was read, which the released Puppet does not tell."""
    if error.span is None and not error.related:
        source = next((note.span.source for note in error.notes if note.span is not None), source)
        end = len(source.text.rstrip())
        error.span, error.placeless = Span(source, max(end - 1, 0), end), True
