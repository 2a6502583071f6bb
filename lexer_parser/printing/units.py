"""A source as units that are never broken, with what stands between them: separators, brackets, comments.

A unit is a token, a string with all its interpolations, or the header of a heredoc. Commas, semicolons and colons
belong to the unit before them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from lexer_parser.tree import nodes


class Comment:
    """A comment: whether it stands behind something on its line, before something, or behind an empty line."""

    __slots__ = ("blank", "followed", "text", "trailing")

    def __init__(self, text: str, trailing: bool, blank: bool) -> None:
        self.text = text
        self.trailing = trailing
        self.blank = blank
        self.followed = False


class Bracket:
    """A pair of brackets, by the numbers of its units.

    `cuts` are the marks between its elements with the number of the unit behind each, `starts` the units that
    begin a statement, `arrows` the arrows and equals signs.
    """

    __slots__ = ("arrows", "close", "cuts", "kind", "open", "starts")

    def __init__(self, open_: int, kind: str) -> None:
        self.open = open_
        self.close = open_
        self.kind = kind
        self.cuts: list[tuple[int, str]] = []
        self.starts: list[int] = []
        self.arrows: list[int] = []

    def items(self) -> list[int]:
        """The units that begin the elements of a list."""
        if self.close == self.open + 1:
            return []
        return [self.open + 1, *(unit for unit, _ in self.cuts)]


class Units:
    """Parallel lists over the units: `texts`, the separators before them `seps`, and where they begin, `starts`.

    By the number of the unit behind, `gaps` are comments, `blanks` empty lines and `line_starts` line ends. Units
    `at_base` go on with a statement, but not indented; `assignments` are the equals signs of statements; `several`
    are of several lines. `heredocs` are the texts of the heredocs whose headers a unit holds, `brackets` the pairs
    by their opening ones, and `root` is around all.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.texts: list[str] = []
        self.seps: list[str] = []
        self.starts: list[int] = []
        self.gaps: dict[int, list[Comment]] = {}
        self.blanks: set[int] = set()
        self.line_starts: set[int] = set()
        self.at_base: set[int] = set()
        self.assignments: set[int] = set()
        self.several: set[int] = set()
        self.heredocs: dict[int, list[str]] = {}
        self.brackets: dict[int, Bracket] = {}
        self.root = Bracket(-1, "block")

    def commented(self, unit: int) -> bool:
        """Whether comments before a unit need a line end."""
        return unit in self.gaps and not all(is_inline(comment) for comment in self.gaps[unit])

    def at(self, offset: int) -> int:
        """The number of the unit that begins at an offset."""
        return bisect_left(self.starts, offset)

    def last_of(self, node: nodes.Node) -> int:
        """The number of the last unit of a node that ends where its span ends."""
        if type(node) is nodes.Paren:
            return self.brackets[self.at(node.start)].close
        return bisect_left(self.starts, node.end) - 1

    def behind_heredocs(self) -> Iterator[int]:
        """The units of several lines that stand behind the header of a heredoc in their statement.

        The text of the heredoc comes first, so that a line ends between the two whatever the layout.
        """
        begun = sorted(
            start
            for bracket in (self.root, *self.brackets.values())
            if bracket.kind != "lambda" or len(bracket.starts) > 1
            for start in bracket.starts
        )
        headers = sorted(self.heredocs)
        for unit in self.several if headers else ():
            header = bisect_left(headers, unit) - 1
            if header >= 0 and bisect_right(begun, headers[header]) == bisect_right(begun, unit):
                yield unit

    def column(self, unit: int) -> int:
        """The column of the source in which a unit begins."""
        return self.starts[unit] - self.text.rfind("\n", 0, self.starts[unit])


def is_inline(comment: Comment) -> bool:
    """Whether a comment stands before something on its line."""
    return comment.followed and "\n" not in comment.text
