"""The reply to an input, and the error of a command that cannot run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from evaluator.limits import MemoryExceeded
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from puppet_kernel.rendering.elements import Element, Group, NoteElement

_T = TypeVar("_T")


class Reply(Record):
    """The reply to an input.

    Attributes:
        element: The view to show, or None; the error if there is one.
        error: The error, or None.
        is_value: True if `element` is the result of Puppet code, False for the output of a command.
        page: True if the output is long and should be shown in a pager.
        action: "quit", "clear" or "".
        updated: Other cells whose outcomes changed.
        refreshable: True if it shows the program, so that it may become outdated.
        unresolved: True if the command names something that does not exist yet.
        data: The content of `element` as JSON, if the user requested JSON.
        draw: Returns the view if it has not been drawn yet; else None.
        is_small: True if drawing it takes so little time that it need not be interruptible.
        next_input: The text with which the next input begins.
    """

    element: Element | None = None
    error: PuppetError | None = None
    is_value: bool = False
    page: bool = False
    action: str = ""
    updated: Sequence[Any] = ()
    refreshable: bool = False
    unresolved: bool = False
    data: Any = None
    draw: Callable[[], Element | None] | None = None
    is_small: bool = False
    next_input: str = ""

    def draw_view(
        self, supervise: Callable[[Callable[[], Element | None]], Element | None] = lambda draw: draw()
    ) -> Reply:
        """Draw the view unless that is done, and return this reply; `supervise` calls `draw`."""
        if self.draw is not None:
            self.element, self.draw = supervise(self.draw), None
        return self

    def combine(self, other: Reply) -> Reply:
        """Return this reply followed by that of the next part of the input; an error replaces all."""
        if other.error is not None:
            return other
        parts = [part for part in (self.element, other.element) if part is not None]
        return Reply(
            Group(*parts, spaced=True) if len(parts) > 1 else next(iter(parts), None),
            is_value=other.is_value,
            page=self.page or other.page,
            action=other.action or self.action,
            updated=[*self.updated, *other.updated],
            refreshable=self.refreshable or other.refreshable,
            unresolved=other.unresolved,
            data=other.data if len(parts) == 1 else None,
            next_input=other.next_input or self.next_input,
        )


class CommandError(PuppetError):
    """A command that cannot run, with a message for the user."""

    def __init__(
        self, message: str, *, suggestion: str | None = None, help: str | None = None, needs: str = ""
    ) -> None:
        super().__init__("COMMAND", message, suggestion=suggestion, help=help)
        self.needs = needs


def refuse_if(condition: object, message: str, **details: str) -> None:
    """Raise the CommandError with this message and details if a condition is true."""
    if condition:
        raise CommandError(message, **details)


def require_found(
    result: _T | None, message: str, *, suggestion: str | None = None, help: str | None = None
) -> _T:
    """Return the result of a search; raise the CommandError with this message for None."""
    if result is None:
        raise CommandError(message, suggestion=suggestion, help=help)
    return result


@contextmanager
def refuse_problems(*kinds: type[Exception], lead: str = "", **details: str) -> Iterator[None]:
    """Raise a CommandError for an exception of these kinds: the lead, then the reason."""
    try:
        yield
    except kinds as problem:
        raise CommandError(f"{lead}{getattr(problem, 'strerror', None) or problem}", **details) from None


# messages shown in place of a result that could not be drawn or computed
_BEYOND: dict[type, str] = {
    MemoryError: "the system has no more memory",
    MemoryExceeded: "it takes too much memory",
    RecursionError: "it is nested too deeply",
    TimeoutError: "it takes too long",
}


def _describe(problem: Exception) -> str:
    return _BEYOND.get(type(problem), f"{type(problem).__name__}: {problem}")


def make_failure_note(problem: Exception) -> Element:
    """Return the view for a result that cannot be drawn."""
    return NoteElement("warning", f"the result cannot be shown: {_describe(problem)}", "warning")


def make_internal_error(problem: Exception) -> PuppetError:
    """Return the error for an unexpected exception; raise that if PUPPET_KERNEL_DEBUG is set."""
    if os.environ.get("PUPPET_KERNEL_DEBUG"):
        raise problem
    if type(problem) in _BEYOND:
        return CommandError(f"This cannot be shown: {_describe(problem)}")
    return PuppetError(
        "INTERNAL_ERROR",
        f"Sorry, this is a bug in puppet-kernel: {_describe(problem)}",
        help="please report it with the input that caused it; PUPPET_KERNEL_DEBUG=1 shows where it happened",
    )
