"""An error together with what is known where it happened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from evaluator.program.tracing import Place
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.program.protocols import Program

SHORT = 30  # source text up to this length is quoted in a sentence

Help = "str | Callable[[Case], str | None] | None"


class Subject:
    """The expression that gave the value which an error is about; `span` may hold more than the expression."""

    __slots__ = ("node", "source", "span")

    def __init__(self, source: Source, node: Any, span: Span | None = None) -> None:
        self.source = source
        self.node = node
        self.span = span or Span(source, node.start, node.end)

    @property
    def text(self) -> str | None:
        """Its source when that is short enough for a sentence."""
        text = self.source.text[self.node.start : self.node.end]
        return text if len(text) <= SHORT and "\n" not in text and "`" not in text else None


class Case:
    """What the rules look at.

    error, places, runtime  as `enrich` gets them;  node  the innermost expression, or None
    found    the arguments of the error as texts, by name: `function`, `expected`, …
    subject  the expression whose value is wrong, None when it cannot be told
    """

    __slots__ = ("error", "found", "node", "places", "runtime", "subject")

    def __init__(self, error: PuppetError, places: list[Place], runtime: Program) -> None:
        self.error = error
        self.places = places
        self.runtime = runtime
        self.node: Any = places[-1].node if places else None
        self.subject: Subject | None = None
        self.found: dict[str, str] = {
            name: str(value).removesuffix("-Type")
            for name, value in error.arguments.items()
            if name != "detail"
        }

    @property
    def called(self) -> str | None:
        """The name of the function whose call failed; None when no call of a named function did."""
        node = self.node
        name = getattr(node, "functor", None) if isinstance(node, nodes.Call) else None
        if isinstance(node, nodes.MethodCall):
            name = node.name
        return name.value.removeprefix("::") if isinstance(name, nodes.Name) else None

    @property
    def arguments(self) -> list[Any]:
        """The expressions of the arguments of the call that failed, the receiver of a method call first."""
        node = self.node
        if isinstance(node, nodes.MethodCall):
            return [node.receiver, *node.arguments]
        return list(node.arguments) if isinstance(node, nodes.Call) else []

    def function(self) -> Any:
        """The function whose call failed, None when there is none of that name."""
        name = self.called or self.found.get("function")
        return self.runtime.names.find_function(name) if name else None


ONE_NUMBER = re.compile(r"(?:Integer|Float)\[(.+), \1\]")


def about_near(case: Case) -> str | None:
    """Where to read about the near name; None when there is none."""
    near = case.error.suggestion
    return f"`?{near}` tells about `{near}`." if near is not None else None
