"""An error together with what is known where it happened."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

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
    found    what the rules have told apart in the message, by name: `function`, `expected`, …
    help     what the kind of failure says: a line, a function of the case, or None
    subject  the expression whose value is wrong, None when it cannot be told
    """

    __slots__ = ("error", "found", "help", "node", "places", "runtime", "subject")

    def __init__(self, error: PuppetError, places: list[Any], runtime: Any) -> None:
        self.error = error
        self.places = places
        self.runtime = runtime
        self.node: Any = places[-1].node if places else None
        self.help: str | Callable[[Case], str | None] | None = None
        self.subject: Subject | None = None
        self.found: dict[str, str] = {
            name: str(value).removesuffix("-Type")
            for name, value in error.arguments.items()
            if name != "detail"
        }

    @property
    def detail(self) -> str | None:
        """The text of a failure without a code of its own, as it follows `Error while evaluating …, `."""
        arguments = self.error.arguments
        if self.error.code == "RUNTIME_ERROR" and "detail" in arguments:
            return str(arguments["detail"])
        return None

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
        return self.runtime.find_function(name) if self.runtime is not None and name else None


REASON = re.compile(
    r"expects (?:an? (?P<expected>.+?) value|a value of type (?P<either>.+?)"
    r"|(?:an undef value or )?a match for (?P<match>.+?)), got (?P<actual>.+)",
    re.DOTALL,
)
ALIAS = re.compile(r"\A[A-Z]\w*(?:::[A-Z]\w*)* = ")
ONE_NUMBER = re.compile(r"(?:Integer|Float)\[(.+), \1\]")


def read_reason(case: Case, text: str) -> None:
    """Takes `expects an Integer value, got String` apart; an alias counts as what it stands for."""
    found = REASON.search(text)
    if found is not None:
        expected = found["expected"] or found["either"] or found["match"]
        case.found["expected"] = ALIAS.sub("", expected)
        case.found["actual"] = found["actual"].split("\n")[0]
        case.found["match"] = found["match"] or ""


def about_near(case: Case) -> str | None:
    """Where to read about the near name; None when there is none."""
    near = case.error.suggestion
    return f"`?{near}` tells about `{near}`." if near is not None else None
