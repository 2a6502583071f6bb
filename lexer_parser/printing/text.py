"""What the printer must know of the source: where nodes really begin and end, comments, brackets, heredocs."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from lexer_parser import nodes
from lexer_parser.dialect import Dialect
from lexer_parser.lexer import Lexer
from lexer_parser.parsing import comments

OPENING = frozenset(("LBRACE", "SELBRACE", "LPAREN", "WSLPAREN", "LBRACK", "LISTSTART"))
CLOSING = frozenset(("RBRACE", "RPAREN", "RBRACK"))


class SourceText:
    """The source of a program with its comments; `take` hands comments out, each once, in order."""

    def __init__(self, program: nodes.Program, dialect: Dialect) -> None:
        self.source = program.source
        self.text = program.source.text
        self.dialect = dialect
        unused = (chr(code) for code in range(0xE000, 0x110000) if chr(code) not in self.text)
        self.newline = next(
            unused
        )  # a line end inside a string: no place for a heredoc's text, nor to be indented
        self.heredoc = next(unused)  # behind a heredoc's header: its text comes after this line
        self.extents = extents(program)
        self.openings: list[int] = []  # of all pairs of brackets, with the pair around each
        self.closings: list[int] = []
        self.outer: list[int] = []
        self.bodies: dict[int, str] = {}  # the texts of heredocs by the offset of their header
        self.ends: list[int] = []  # where they end
        strings = self.brackets()
        self.comments = outside(comments(self.text, dialect), strings)
        self.starts = [start for start, _, _ in self.comments]
        self.taken = 0

    def brackets(self) -> list[tuple[int, int]]:
        """Finds the pairs of brackets and the heredocs' texts; gives the spans of strings and heredocs."""
        lexer = Lexer(self.source, self.dialect)
        lexer.run()
        open_: list[int] = []
        quoted: list[int] = []
        strings: list[tuple[int, int]] = []
        low = high = 0
        for index, kind in enumerate(lexer.types):
            start, end, _ = lexer.tokens[index]
            if low <= start < high:
                continue  # in the text of a heredoc, which is read before the rest of its line
            if kind in OPENING:
                self.outer.append(open_[-1] if open_ else -1)
                open_.append(len(self.openings))
                self.openings.append(start)
                self.closings.append(len(self.text))
            elif kind in CLOSING and open_:
                self.closings[open_.pop()] = start
            elif kind == "HEREDOC":
                low, high, _ = lexer.tokens[index + 1]
                strings.append((low, high))
                stop = self.text.find("\n", high)
                stop = stop if stop >= 0 else len(self.text)
                self.bodies[start] = self.text[low:stop]
                self.ends.append(stop)
            elif kind == "DQPRE":
                quoted.append(start)
            elif kind == "DQPOST" and quoted:
                strings.append((quoted.pop(), end))
        return strings

    def around(self, offset: int) -> tuple[int, int]:
        """Where the innermost pair of brackets around `offset` opens and closes."""
        index = bisect_left(self.openings, offset) - 1
        while index >= 0 and self.closings[index] <= offset:
            index = self.outer[index]
        return (self.openings[index], self.closings[index]) if index >= 0 else (0, len(self.text))

    def open_of(self, offset: int) -> int:
        """The offset of the bracket that opens the innermost pair around `offset`."""
        return self.around(offset)[0]

    def close_of(self, offset: int) -> int:
        """The offset of the bracket that closes the innermost pair around `offset`."""
        return self.around(offset)[1]

    def begin(self, node: nodes.Node) -> int:
        """Where a node begins with all its parts: a binary operation at its left side."""
        return self.extents[id(node)][0]

    def end(self, node: nodes.Node) -> int:
        """Where a node ends with all its parts."""
        return self.extents[id(node)][1]

    def slice(self, node: nodes.Node) -> str:
        """The source of a leaf."""
        return self.text[node.start : node.end]

    def after(self, offset: int) -> str:
        """The next visible character from `offset` on."""
        return self.text[offset:].lstrip()[:1] if offset < len(self.text) else ""

    def line(self, offset: int) -> int:
        """The line of an offset."""
        return self.source.position(offset)[0]

    def commented(self, start: int, end: int) -> bool:
        """Tells whether a comment that has not been taken stands in a stretch."""
        index = max(self.taken, bisect_left(self.starts, start))
        return index < len(self.starts) and self.starts[index] < end

    def take(self, before: int) -> list[tuple[int, int, str]]:
        """The comments up to `before` that have not been taken yet."""
        stop = bisect_left(self.starts, before)
        found = self.comments[self.taken : stop]
        self.taken = max(self.taken, stop)
        return found

    def drop(self, start: int, end: int) -> None:
        """Passes over the comments of a stretch that is printed as it stands."""
        low, high = max(self.taken, bisect_left(self.starts, start)), bisect_left(self.starts, end)
        del self.comments[low:high], self.starts[low:high]

    def take_trailing(self, end: int) -> str:
        """The comment that follows on the line of `end`, if only punctuation stands between."""
        if self.taken < len(self.comments):
            start, _, text = self.comments[self.taken]
            between = self.text[end:start] if start >= end else "\n"
            if not between.strip(" \t,;)]}") and "\n" not in text:
                self.taken += 1
                return f" {text}"
        return ""

    def blank_between(self, first: int, second: int) -> bool:
        """Tells whether an empty line stands between two offsets, behind the texts of heredocs."""
        index = bisect_left(self.ends, second) - 1
        if index >= 0 and self.ends[index] > first:
            first = self.ends[index]
        return any(not line.strip() for line in self.text[first:second].split("\n")[1:-1])


def outside(found: list[tuple[int, int, str]], strings: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """The comments that are in none of the strings."""
    strings = sorted(strings)
    starts = [start for start, _ in strings]
    ends = list(accumulate((end for _, end in strings), max))
    kept = []
    for comment in found:
        index = bisect_left(starts, comment[0]) - 1
        if index < 0 or ends[index] <= comment[0]:
            kept.append(comment)
    return kept


def extents(program: nodes.Program) -> dict[int, tuple[int, int]]:
    """Where each node begins and ends with all its parts, by id; without recursion.

    A heredoc ends with its header, since its text stands lines below.
    """
    found: dict[int, tuple[int, int]] = {}
    for node in reversed(list(nodes.walk(program))):
        low, high = node.start, node.end
        if not isinstance(node, nodes.Heredoc | nodes.Concat):
            for child in node.children():
                start, end = found[id(child)]
                if not isinstance(child, nodes.Nop) or start < end:
                    low, high = min(low, start), max(high, end)
        found[id(node)] = (low, high)
    return found
