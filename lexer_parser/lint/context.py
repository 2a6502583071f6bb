"""The program as the linter's tests see it: its source and the values of its variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lexer_parser.dialect import Dialect
from lexer_parser.source import Source
from lexer_parser.tree import nodes


class LintContext:
    """A program that is linted.

    Attributes:
        variable_values: The values of variables that were set before the program, by name.
        undef_words: Strings that probably stand for undef, except strings that the program itself assigns.
    """

    def __init__(
        self, body: nodes.Node, source: Source, dialect: Dialect, variable_values: Mapping[str, object]
    ) -> None:
        self.source = source
        self.dialect = dialect
        self.variable_values = variable_values
        self.undef_words = {"undef", "nil", "null"}
        self._assigned: dict[str, nodes.Node] = {}
        self._queries: list[tuple[int, int]] = []
        assignment_counts: Counter[str] = Counter()
        for node in nodes.walk(body):
            if isinstance(node, nodes.Collector):
                self._queries.append((node.start, node.end))
            elif isinstance(node, nodes.Assignment):
                self._exclude_word(node.right)
                if isinstance(node.left, nodes.Variable):
                    assignment_counts[node.left.name] += 1
                    self._assigned[node.left.name] = node.right
            elif isinstance(node, nodes.Parameter):
                self._exclude_word(node.default)
                assignment_counts[node.name] += 2  # counts as two assignments: a parameter may have any value
        self._own_names = set(assignment_counts)
        self._assigned_once = {name for name, count in assignment_counts.items() if count == 1}

    def _exclude_word(self, value: nodes.Node | None) -> None:
        """Remove a string that the program assigns from the words that probably mean undef."""
        if isinstance(value, nodes.String):
            self.undef_words.discard(value.value)

    def is_variable(self, name: str) -> bool:
        """Return True for a variable that the program or an earlier cell sets."""
        return name in self._own_names or name in self.variable_values

    def is_in_query(self, node: nodes.Node) -> bool:
        """Return True in `<| … |>`, where a name is that of an attribute."""
        return any(start <= node.start < end for start, end in self._queries)

    def text_of(self, node: nodes.Node) -> str:
        """Return the source text of a node."""
        return self.source.text[node.start : node.end]

    def full_text_of(self, node: nodes.Node) -> str:
        """Return the source text of a node with its operands."""
        return nodes.get_expression_text(node, self.source.text)

    def literal_of(self, node: nodes.Node) -> object:
        """Return the node or value from which the value of a node can be read.

        Returns:
            For a variable, the node of its only assignment, or the value that it had before the program, or None if
            it has neither; for any other node, the node itself.
        """
        if isinstance(node, nodes.Variable):
            if node.name in self._assigned_once:
                return self._assigned[node.name]
            return None if node.name in self._assigned else self.variable_values.get(node.name)
        return node

    def is_after_slashes(self, node: nodes.Node) -> bool:
        """Return True on a line that begins like a comment of other languages."""
        return self.source.line(self.source.position(node.start)[0]).lstrip().startswith("//")

    def is_followed_closely(self, statement: nodes.Node, following: nodes.Node) -> bool:
        """Return True if only blanks separate a statement from the next one."""
        start, _ = nodes.find_expression_extent(following, self.source.text)
        return not self.source.text[statement.end : start].strip(" ")
