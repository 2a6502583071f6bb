"""An error together with what is known where it happened."""

from __future__ import annotations

import re
from typing import Any

from lexer_parser import nodes
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span

SHORT = 30  # source text up to this length is quoted in a sentence


class Case:
    """What the rules look at.

    error, places, runtime  as `enrich` gets them;  node  the innermost expression, or None
    found                   what the rules have told apart in the message, by name: `function`, `expected`, …
    """

    __slots__ = ("error", "found", "node", "places", "runtime")

    def __init__(self, error: PuppetError, places: list[Any], runtime: Any) -> None:
        self.error = error
        self.places = places
        self.runtime = runtime
        self.node: Any = places[-1].node if places else None
        self.found: dict[str, str] = {
            name: str(value) for name, value in error.arguments.items() if name != "detail"
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

    @property
    def argument(self) -> Any:
        """The expression of the argument that the message is about, None when it cannot be told."""
        index = argument_index(self)
        given = self.arguments
        if index is None or index >= len(given):
            return None
        if any(isinstance(node, nodes.Splat) for node in given[: index + 1]):
            return None
        return given[index]

    def span(self, node: Any) -> Span:
        """The span of a part of the innermost expression."""
        return Span(self.places[-1].span.source, node.start, node.end)

    def text(self, node: Any) -> str | None:
        """The source of an expression when it is short enough for a sentence."""
        text = self.places[-1].span.source.text[node.start : node.end]
        return text if len(text) <= SHORT and "\n" not in text and "`" not in text else None

    def function(self) -> Any:
        """The function whose call failed, None when there is none of that name."""
        name = self.called or self.found.get("function")
        return self.runtime.find_function(name) if self.runtime is not None and name else None


def argument_index(case: Case) -> int | None:
    """Which argument of the call bears the name of the parameter that a message tells."""
    parameter = case.found.get("parameter")
    if parameter is None:
        return None
    if case.called is None:
        return 0 if parameter == "from" and isinstance(case.node, nodes.Call) else None
    function = case.function()
    if function is None:
        return None
    if hasattr(function, "facts"):
        return _only([position(function.facts[1], parameter, case)])
    return _only([position(overload.signature.parameters, parameter, case) for overload in function.overloads])


def position(parameters: Any, name: str, case: Case) -> int | None:
    """Where a parameter stands; of one that takes all the rest, only when a single argument is left for it."""
    for index, parameter in enumerate(parameters):
        if parameter.name == name:
            takes_rest = getattr(parameter, "splat", False) or getattr(parameter, "mode", "") in ("*", "+")
            return None if takes_rest and len(case.arguments) > index + 1 else index
    return None


def _only(found: list[int | None]) -> int | None:
    known = {index for index in found if index is not None}
    return known.pop() if len(known) == 1 else None


REASON = re.compile(
    r"expects (?:an? (?P<expected>.+?) value|a value of type (?P<either>.+?)"
    r"|(?:an undef value or )?a match for (?P<match>.+?)), got (?P<actual>.+)",
    re.DOTALL,
)


def read_reason(case: Case, text: str) -> None:
    """Takes `expects an Integer value, got String` apart."""
    found = REASON.search(text)
    if found is not None:
        case.found["expected"] = found["expected"] or found["either"] or found["match"]
        case.found["actual"] = found["actual"].split("\n")[0]
        case.found["match"] = found["match"] or ""
