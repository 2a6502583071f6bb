"""What a program defines: classes, defines and nodes, ready to be evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.program.scope import Scope
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes


class Site:
    """A place in a program: its source and a node; what run-time code needs to name places."""

    __slots__ = ("node", "source")

    def __init__(self, source: Source, node: nodes.Node) -> None:
        self.source = source
        self.node = node

    def span(self, node: nodes.Node | None = None) -> Span:
        """The span of the site's node, or of a node inside it."""
        node = node or self.node
        return Span(self.source, node.start, node.end)


class DefinitionParameter:
    """A parameter of a class or define.

    type_of  gives the declared Type for the evaluating scope; None when untyped
    default  gives the default value, evaluated in the new body's scope; None when the parameter is required
    """

    __slots__ = ("default", "name", "type_of")

    def __init__(
        self,
        name: str,
        type_of: Callable[[Scope], Any] | None = None,
        default: Callable[[Scope], Any] | None = None,
    ) -> None:
        self.name = name
        self.type_of = type_of
        self.default = default


class Definition:
    """A class, define or node definition.

    kind     "class", "define" or "node";  name  the full name, lower case ("" for nodes)
    parent   the inherited class's name or None
    body     runs the body in a scope that already holds the parameters; compiled on its first run
    matches  node definitions only: names (str), Regexp values, DEFAULT, and functions that give a name for
             a scope; see `hosts`
    """

    __slots__ = ("body", "kind", "matches", "module_name", "name", "parameters", "parent", "site")

    def __init__(
        self,
        kind: str,
        name: str,
        site: Site,
        body: Callable[[Scope], Any],
        *,
        parameters: tuple[DefinitionParameter, ...] = (),
        parent: str | None = None,
        matches: tuple[Any, ...] = (),
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

    def hosts(self, scope: Scope) -> list[Any]:
        """What a node definition matches, with interpolated names evaluated in `scope`."""
        return [match(scope) if callable(match) else match for match in self.matches]
