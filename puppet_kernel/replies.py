"""What an input gives: a Reply, or the error of a command that cannot be done."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from lexer_parser.errors import PuppetError
from puppet_kernel.rendering.elements import Element, Group, Note


class Reply:
    """What an input gave.

    element  what to show, or None;  error  what went wrong, or None; `element` shows it then
    is_value True when `element` is the result of Puppet code, False for the answer of a command
    page     the answer is long and wants a pager;  action  "quit", "clear" or ""
    updated  other cells whose outcomes changed with this one
    refreshable    it shows the program as it is now, so it may become old
    unresolved    what it is asked about is not there yet: asked again, it means what is there then
    data     what `element` shows, as JSON has it, where a person asked for JSON
    draw     gives what to show when that is not drawn yet;  next_input  the text that the next input begins with
    """

    __slots__ = (
        *(
            "action",
            "data",
            "refreshable",
            "draw",
            "unresolved",
            "element",
            "error",
            "is_value",
            "next_input",
            "page",
        ),
        "updated",
    )

    def __init__(
        self,
        element: Element | None = None,
        *,
        error: PuppetError | None = None,
        is_value: bool = False,
        page: bool = False,
        action: str = "",
        updated: Sequence[Any] = (),
        refreshable: bool = False,
        unresolved: bool = False,
        data: Any = None,
        draw: Callable[[], Element | None] | None = None,
        next_input: str = "",
    ) -> None:
        self.draw = draw
        self.next_input = next_input
        self.element = element
        self.error = error
        self.is_value = is_value
        self.page = page
        self.action = action
        self.updated = updated
        self.refreshable = refreshable
        self.unresolved = unresolved
        self.data = data

    def render(self, through: Callable[[Callable[[], Element | None]], Element | None]) -> Reply:
        """This reply with what it shows; `through` calls what draws that."""
        if self.draw is not None:
            self.element, self.draw = through(self.draw), None
        return self

    def combine(self, other: Reply) -> Reply:
        """This reply and what the next part of the input gave; an error takes the place of all."""
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
    """A command that cannot be done; the message is for the person."""

    def __init__(self, message: str, *, suggestion: str | None = None, help: str | None = None) -> None:
        super().__init__("COMMAND", message, suggestion=suggestion, help=help)


# what stands for what cannot be drawn or done
_BEYOND: dict[type, str] = {
    MemoryError: "it takes too much memory",
    RecursionError: "it is nested too deeply",
    TimeoutError: "it takes too long",
}


def _describe(problem: Exception) -> str:
    return _BEYOND.get(type(problem), f"{type(problem).__name__}: {problem}")


def make_failure_note(problem: Exception) -> Element:
    """What stands for what cannot be drawn."""
    return Note("warning", f"the result cannot be shown: {_describe(problem)}", "warning")


def make_internal_error(problem: Exception) -> PuppetError:
    """The error for what should not have been raised. Raises it where PUPPET_KERNEL_DEBUG is set."""
    if os.environ.get("PUPPET_KERNEL_DEBUG"):
        raise problem
    if type(problem) in _BEYOND:
        return CommandError(f"This cannot be shown: {_describe(problem)}")
    return PuppetError(
        "INTERNAL_ERROR",
        f"Sorry, this is a mistake of puppet-kernel itself: {_describe(problem)}",
        help="please report it with the input that caused it; PUPPET_KERNEL_DEBUG=1 shows where it happened",
    )
