"""The definitions of a program: classes, defines and nodes, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaluator.program.scope import Scope
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

if TYPE_CHECKING:
    from evaluator.values.kind import Value


class Site:
    """A place in a program, as run-time code needs it to name places: the source and a node."""

    __slots__ = ("node", "source")

    def __init__(self, source: Source, node: nodes.Node) -> None:
        self.source = source
        self.node = node

    def span(self, node: nodes.Node | None = None) -> Span:
        """Return the span of the site's node, or of a node inside it."""
        node = node or self.node
        return Span(self.source, node.start, node.end)


class DefinitionParameter:
    """A parameter of a class or define.

    Attributes:
        type_of: Returns the declared Type for the evaluating scope; None when the parameter is untyped.
        default: Returns the default value, evaluated in the new body's scope; None when the parameter is required.
    """

    __slots__ = ("default", "name", "type_of")

    def __init__(
        self,
        name: str,
        type_of: Callable[[Scope], Value] | None = None,
        default: Callable[[Scope], Value] | None = None,
    ) -> None:
        self.name = name
        self.type_of = type_of
        self.default = default


class Definition:
    """A class, define or node definition.

    Attributes:
        kind: "class", "define" or "node".
        name: The full name in lower case; "" for nodes.
        parent: The name of the inherited class, or None.
        body: Runs the body in a scope that already holds the parameters. It is compiled on its first run.
        matches: For node definitions only: names (str), Regexp values, DEFAULT, and functions that return a name for
            a scope; see `hosts`.
    """

    __slots__ = ("body", "kind", "matches", "module_name", "name", "parameters", "parent", "site")

    def __init__(
        self,
        kind: str,
        name: str,
        site: Site,
        body: Callable[[Scope], Value],
        *,
        parameters: tuple[DefinitionParameter, ...] = (),
        parent: str | None = None,
        matches: tuple[Value | Callable[[Scope], Value], ...] = (),
        module_name: str = "",
    ) -> None:
        self.kind = kind
        self.name = name
        self.site = site
        self.body = body
        self.parameters = parameters
        self.parent = parent
        self.matches = matches
        self.module_name = module_name

    def hosts(self, scope: Scope) -> list[Value]:
        """Return the names and patterns a node definition matches; evaluate names in `scope`.

        Only interpolated names need the evaluation.
        """
        return [match(scope) if callable(match) else match for match in self.matches]
