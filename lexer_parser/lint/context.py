"""The program as the linter's tests see it: its source and the values of its variables."""

from __future__ import annotations

from collections.abc import Mapping

from lexer_parser.dialect import Dialect
from lexer_parser.source import Source
from lexer_parser.tree import nodes


class LintContext:
    """A program that is linted.

    Attributes:
        source: The source of the program.
        dialect: The dialect in which it is written.
        variable_values: The values of variables that were set before the program, by name.
        undef_words: Strings that probably mean undef, except strings that the program itself assigns.
    """

    def __init__(
        self, body: nodes.Node, source: Source, dialect: Dialect, variable_values: Mapping[str, object]
    ) -> None:
        self.source = source
        self.dialect = dialect
        self.variable_values = variable_values
        self.undef_words = {"undef", "nil", "null"}
        # The values that the program assigns to each variable, by its name.
        self._assigned: dict[str, list[nodes.Node]] = {}
        self._parameters: set[str] = set()
        self._queries: list[nodes.Collector] = []
        for node in nodes.walk(body):
            if isinstance(node, nodes.Collector):
                self._queries.append(node)
            elif isinstance(node, nodes.Assignment):
                self._exclude_word(node.right)
                if isinstance(node.left, nodes.Variable):
                    self._assigned.setdefault(node.left.name, []).append(node.right)
            elif isinstance(node, nodes.Parameter):
                self._exclude_word(node.default)
                self._parameters.add(node.name)

    def _exclude_word(self, value: nodes.Node | None) -> None:
        """Remove a string that the program assigns from the words that probably mean undef."""
        if isinstance(value, nodes.String):
            self.undef_words.discard(value.value)

    def is_variable(self, name: str) -> bool:
        """Return True for a variable that the program or an earlier cell sets."""
        return name in self._assigned or name in self._parameters or name in self.variable_values

    def is_in_query(self, node: nodes.Node) -> bool:
        """Return True in `<| … |>`, where a name is that of an attribute."""
        return any(query.start <= node.start < query.end for query in self._queries)

    def text_of(self, node: nodes.Node) -> str:
        """Return the source text of a node."""
        return self.source.text[node.start : node.end]

    def full_text_of(self, node: nodes.Node) -> str:
        """Return the source text of a node with its operands."""
        return nodes.get_expression_text(node, self.source.text)

    def literal_of(self, node: nodes.Node) -> object:
        """Return the node or value from which the value of a node can be read.

        Returns:
            For a variable, the value that it had before the program, or the node that the program assigns to it; None
            if several nodes are assigned, or if a parameter, which may have any value, has the same name. For any other
            node, the node itself.
        """
        if not isinstance(node, nodes.Variable):
            return node
        assigned = self._assigned.get(node.name)
        if assigned is None:
            return self.variable_values.get(node.name)
        return assigned[0] if len(assigned) == 1 and node.name not in self._parameters else None

    def is_after_slashes(self, node: nodes.Node) -> bool:
        """Return True on a line that begins like a comment of other languages."""
        return self.source.line(self.source.position(node.start)[0]).lstrip().startswith("//")

    def is_followed_closely(self, statement: nodes.Node, following: nodes.Node) -> bool:
        """Return True if only blanks separate a statement from the next one."""
        start, _ = nodes.find_expression_extent(following, self.source.text)
        return not self.source.text[statement.end : start].strip(" ")
