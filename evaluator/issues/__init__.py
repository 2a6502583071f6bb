"""The issues of evaluation: one row per issue, and the two ways to raise one.

`Failure(code, …)` is raised by functions, operators, types and conversions, which know values and no place: where
it leaves Puppet code, the nearest enclosing expression adds its place and its label ("Error while evaluating a
Function Call, <text>"). `make_error(code, …)` makes a PuppetError, for what the language itself defines: it has no
label.

The rows are in the modules of this package, one for each part of the evaluator. They are loaded with the first error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from lexer_parser import issues as static
from lexer_parser.errors import Issue, Note, PuppetError
from lexer_parser.memo import memoize
from lexer_parser.source import Span

_T = TypeVar("_T")

TABLES = (
    *("language", "calls", "types", "objects", "conversions"),
    *("functions", "stdlib", "stdlib_arguments", "hiera", "catalog"),
)
HINTS = ("applying",)


@memoize(unbounded_because="one result")
def load_rows() -> dict[str, Issue]:
    """Return all issues of evaluation by code."""
    return static.load_tables(__name__, TABLES)


@memoize(unbounded_because="one result")
def load_hints() -> dict[str, Issue]:
    """Return the issues that are reported without stopping a program, by code."""
    return {**static.load_hints(), **static.load_tables(__name__, HINTS)}


def load_all_rows() -> dict[str, Issue]:
    """Return all issues of the project by code, those of the parser included."""
    return {**static.load_rows(), **load_rows(), **load_hints()}


def load_explained_rows() -> dict[str, Issue]:
    """Return the issues with an explanation and examples, which users can look up."""
    return {code: row for code, row in load_all_rows().items() if row.wrong}


def format_message(code: str, arguments: Mapping[str, object]) -> str:
    """Return the message of an issue, in the wording of released Puppet."""
    return load_rows()[code].template.format_map(arguments)


def format_needs(code: str, arguments: Mapping[str, object]) -> str:
    """Return what a session needs so that an issue does not occur, "" for nothing."""
    return load_rows()[code].needs.format_map(arguments)


def require(condition: object, code: str, **arguments: object) -> None:
    """Raise the Failure of an issue unless a condition is true."""
    if not condition:
        raise Failure(code, **arguments)


def refuse_if(condition: object, code: str, **arguments: object) -> None:
    """Raise the PuppetError of an issue if a condition is true."""
    if condition:
        raise make_error(code, **arguments)  # type: ignore[arg-type]  # none of them is named as its options


def require_found(found: _T | None, code: str, **arguments: object) -> _T:
    """Return what was found; raise the Failure of an issue for None."""
    if found is None:
        raise Failure(code, **arguments)
    return found


def make_error(
    code: str,
    span: Span | None = None,
    *,
    operand: int | None = None,
    notes: tuple[Note, ...] = (),
    **arguments: object,
) -> PuppetError:
    """Return the PuppetError of an issue.

    Args:
        code: The code of the issue.
        span: The place.
        operand: The operand that caused the error, 0 for the left one.
        notes: Secondary places.
        **arguments: The values for the placeholders of its template.
    """
    place = load_rows()[code].place
    error = PuppetError(
        *(code, format_message(code, arguments), span),
        operand=operand,
        notes=notes,
        column_known=place == "column",
        line_known=place != "file",
        placeless=not place,
        arguments=arguments,
    )
    error.needs = format_needs(code, arguments)
    return error


class Failure(Exception):
    """An issue that code about values raises, which knows no place.

    The place and the label are added where the issue leaves Puppet code.

    Attributes:
        code: The code of the issue.
        arguments: The values for the placeholders of its template.
        related: The PuppetErrors that caused it, which are shown with it.
        blames_caller: True if its place is the call, not the code that was called.
    """

    related: tuple[PuppetError, ...] = ()
    blames_caller = False

    def __init__(self, code: str, /, **arguments: object) -> None:
        super().__init__(code)
        self.code = code
        self.arguments: dict[str, Any] = arguments  # read by name, each with its own type

    def __str__(self) -> str:
        return format_message(self.code, self.arguments)


def make_labelled_error(failure: Failure, label: str, span: Span | None = None) -> PuppetError:
    """Return the PuppetError of a failure: `Error while evaluating <label>, <text>`."""
    error = make_error("RUNTIME_ERROR", span, label=label, detail=failure)
    error.code = failure.code
    error.needs = format_needs(failure.code, failure.arguments)
    error.arguments.update(failure.arguments)
    error.related = failure.related
    return error


class NotEvaluatedYet(Failure):
    """Raised when the default of a parameter reads another one that has no value."""

    blames_caller = True
