"""What the rules see of a program: its tree, its text, and what is known of its variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes


class View:
    """A program while its hints are looked for.

    names    of the variables that it sets or takes, and of those that were set before
    found    the hints so far
    """

    def __init__(self, body: nodes.Node, source: Source, dialect: Dialect, values: Mapping[str, Any]) -> None:
        self.source = source
        self.dialect = dialect
        self.values = values
        self.found: list[PuppetError] = []
        self._set: dict[str, nodes.Node] = {}
        self.names = set(values)
        self.undef_words = {"undef", "nil", "null"}
        self._queries: list[tuple[int, int]] = []
        times: Counter[str] = Counter()
        for node in nodes.walk(body):
            self._see_query(node)
            if isinstance(node, nodes.Assignment) and isinstance(node.left, nodes.Variable):
                times[node.left.name] += 1
                self._set[node.left.name] = node.right
            elif isinstance(node, nodes.Parameter):
                times[node.name] += 2  # its value may be any
        self.names.update(times)
        self._once = {name for name, count in times.items() if count == 1}

    def _see_query(self, node: nodes.Node) -> None:
        """Where queries stand; and `'undef'` as the value of a parameter or variable, which a program may ask for."""
        if isinstance(node, nodes.Collector):
            self._queries.append((node.start, node.end))
        given = (
            getattr(node, "default", None)
            if isinstance(node, nodes.Parameter)
            else getattr(node, "right", None)
        )
        if isinstance(node, nodes.Parameter | nodes.Assignment) and isinstance(given, nodes.String):
            self.undef_words.discard(given.value)

    def in_query(self, node: nodes.Node) -> bool:
        """True in `<| … |>`, where a name is that of an attribute."""
        return any(start <= node.start < end for start, end in self._queries)

    def text(self, node: nodes.Node) -> str:
        """How a node is written."""
        return self.source.text[node.start : node.end]

    def whole(self, node: nodes.Node) -> tuple[int, int]:
        """From where to where a node is written with its operands: that of an operator is at its sign alone."""
        inside = list(nodes.walk(node))
        return min(one.start for one in inside), max(one.end for one in inside)

    def literal(self, node: nodes.Node) -> Any:
        """What a node gives that is a literal, or a variable that is set once, to one: a node, a value, or None."""
        if isinstance(node, nodes.Variable):
            if node.name in self._once:
                return self._set[node.name]
            return None if node.name in self._set else self.values.get(node.name)
        return node

    def report(self, code: str, start: int, end: int, **arguments: Any) -> None:
        """Adds a hint at a stretch of the source."""
        self.found.append(issues.hint(issues.hints()[code], Span(self.source, start, end), **arguments))
