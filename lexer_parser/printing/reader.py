"""Units: the tokens of a source, with the comments and line ends between them.

`UnitReader` reads them before `layout` prints them and decides where lines are broken. A unit is a token, a string with
all its interpolations, or the header of a heredoc. It is never broken. Commas, semicolons and colons belong to the unit
before them. A token may have several meanings; `TreeMarks` has the offsets of those that the syntax tree identifies.

`_read` calls, for most kinds of tokens, an action from the table at the end.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from typing import Any, ClassVar

from lexer_parser import operators
from lexer_parser.dialect import Dialect
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.lexing.tokens import COMMENT
from lexer_parser.printing.marks import TreeMarks
from lexer_parser.record import Record, fresh
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes


class SourceComment(Record):
    """A comment, and what is around it.

    Attributes:
        text: The comment with its `#`, or with `/*` and `*/`.
        trailing: True if code precedes it on its line.
        blank: True if an empty line precedes it.
        followed: True if code, or another comment, follows it on its line.
    """

    text: str
    trailing: bool
    blank: bool
    followed: bool = False


class Bracket(Record):
    """A pair of brackets, by the numbers of its units.

    Attributes:
        open: The opening bracket; -1 for the pair that encloses the whole source.
        kind: What the brackets are: "block", "hash", "array", "access", "paren", "call", "method", "parameters",
            "pipe", "selector", or the kind that `TreeMarks.ends` has for its closing brace.
        close: The closing bracket.
        punctuation: The commas, colons and semicolons between its elements, each with the unit behind it.
        starts: The units that begin a statement.
        arrows: The arrows and equals signs.
    """

    open: int
    kind: str
    close: int = 0  # set when it is read
    punctuation: list[tuple[int, str]] = fresh(factory=list)
    starts: list[int] = fresh(factory=list)
    arrows: list[int] = fresh(factory=list)

    def items(self) -> list[int]:
        """Return the units that begin the elements of a list."""
        if self.close == self.open + 1:
            return []
        return [self.open + 1, *(unit for unit, _ in self.punctuation)]


class Units:
    """The units of a source, in parallel lists.

    Attributes:
        texts, separators, starts: For each unit its text, the separator before it, and its offset.
        gaps: The comments before a unit.
        blanks, line_starts: The units before which there is an empty line, or a line end.
        at_base: Units that continue a statement without being indented, such as `else`.
        assignments: The equals signs of statements.
        multiline: Units with several lines.
        heredocs: The texts of the heredocs whose headers a unit contains.
        brackets: The pairs of brackets by their opening ones; `root` encloses all.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.texts: list[str] = []
        self.separators: list[str] = []
        self.starts: list[int] = []
        self.gaps: dict[int, list[SourceComment]] = {}
        self.blanks: set[int] = set()
        self.line_starts: set[int] = set()
        self.at_base: set[int] = set()
        self.assignments: set[int] = set()
        self.multiline: set[int] = set()
        self.heredocs: dict[int, list[str]] = {}
        self.brackets: dict[int, Bracket] = {}
        self.root = Bracket(-1, "block")

    def has_comment_line(self, unit: int) -> bool:
        """Return whether comments before a unit need a line end."""
        return unit in self.gaps and not all(is_inline(comment) for comment in self.gaps[unit])

    def unit_at(self, offset: int) -> int:
        """Return the number of the unit that begins at an offset."""
        return bisect_left(self.starts, offset)

    def last_unit_of(self, node: nodes.Node) -> int:
        """Return the number of the last unit of a node that ends where its span ends."""
        if type(node) is nodes.Paren:
            return self.brackets[self.unit_at(node.start)].close
        return bisect_left(self.starts, node.end) - 1

    def units_behind_heredocs(self) -> Iterator[int]:
        """Yield the multi-line units that follow the header of a heredoc in their statement.

        The text of the heredoc comes first, so that a line ends between the two whatever the layout.
        """
        statements = sorted(
            start
            for bracket in (self.root, *self.brackets.values())
            if bracket.kind != "lambda" or len(bracket.starts) > 1
            for start in bracket.starts
        )
        headers = sorted(self.heredocs)
        for unit in self.multiline if headers else ():
            header = bisect_left(headers, unit) - 1
            if header >= 0 and bisect_right(statements, headers[header]) == bisect_right(statements, unit):
                yield unit

    def source_column(self, unit: int) -> int:
        """Return the column of the source in which a unit begins."""
        return self.starts[unit] - self.text.rfind("\n", 0, self.starts[unit])


def is_inline(comment: SourceComment) -> bool:
    """Return whether a comment precedes code on its line."""
    return comment.followed and "\n" not in comment.text


# The tokens of operators: the words `and`, `or` and `in`; the signs between two values.
_WORDS = {row.token for row in operators.BINARY if row.text.isalpha()}
# All but DIV: the token after it decides whether it begins a regular expression.
_BINARY = {row.token for row in operators.BINARY} - _WORDS - {"DIV"}
# Operators that are binary in one place and something else in another.
_AMBIGUOUS = _WORDS | {row.token for row in operators.PREFIX if row.token in _BINARY}


_COMMENT = re.compile(COMMENT)


def _set(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


# No space follows the first set, and none precedes the second. CALL, ACCESS, UNARY, MARK and ENDPIPE are defined by the
# printer: a bracket after a function or an accessed value, a prefix operator, the pipe after parameters.
GLUED_BEHIND = _set("LPAREN CALL PARAMETERS LBRACK LISTSTART ACCESS PIPE DOT NOT UNARY AT ATAT")
GLUED_BEFORE = _set("RPAREN RBRACK CALL ACCESS DOT ENDPIPE")
# No line begins with these: a comment before them is moved after them.
NOT_FIRST = _BINARY | _set(
    "OPERATOR FARROW PARROW EQUALS APPENDS DELETES QMARK PIPE PARAMETERS LBRACE SELBRACE"
)
# Tokens that continue the previous statement unless a semicolon precedes them.
CONTINUING = _set("UNARY REGEX HASH")
BRACKETS = _set("LBRACK LISTSTART")
AT_BASE = _set("ELSE ELSIF IN_EDGE IN_EDGE_SUB OUT_EDGE OUT_EDGE_SUB")
NAMES = _set("NAME WORD CLASSREF TYPE")
# The kinds of the unit and of the brackets of a parenthesis, by the text before the name that precedes it.
_PARENTHESES = {
    **dict.fromkeys(("class", "define"), ("PARAMETERS", "parameters")),
    "function": ("CALL", "parameters"),
    ".": ("CALL", "method"),
}


class UnitReader(Units):
    """The reader of the units of a program; the constructor reads them all."""

    def __init__(self, program: nodes.Program, dialect: Dialect) -> None:
        super().__init__(program.source)
        self.dialect = dialect
        self.marks = TreeMarks(program)
        lexer = Lexer(program.source, dialect)
        lexer.run()
        self.types: list[str] = lexer.types
        self.tokens: list[Any] = lexer.tokens
        self.bracket = self.root  # the innermost open bracket
        self._outer_brackets: list[Bracket] = []
        self._comments: list[SourceComment] = []  # comments that no unit follows yet
        self._heredocs_to_come: deque[Span] = deque()  # the texts of heredocs that are still to come
        self._last_kind = ""  # the kind of the last unit
        # The offset behind the token that an action reads; an action that reads several tokens changes it.
        self._end = 0
        self._has_semicolon = False  # True if a semicolon follows the last unit
        # Brackets around selectors without braces whose arrow is still to come.
        self._brackets_of_selectors: list[Bracket] = []
        self._read()
        self.types, self.tokens = [], []  # they take more memory than the units
        self.root.close = len(self.texts)
        self.line_starts.update(self.units_behind_heredocs())

    # --- Tokens

    def _read(self) -> None:
        """Read all tokens, and what is between them."""
        text, types, tokens = self.text, self.types, self.tokens
        line_starts, blanks = self.line_starts, self.blanks
        actions = self._actions
        index, last, count = 0, 0, len(types)  # `last` is the offset behind the last token
        while index < count:
            kind = types[index]
            start, end, _ = tokens[index]
            if start != last and (between := text[last:start]) != " ":
                if self._heredocs_to_come or not between.isspace():
                    self._read_gap(last, start)
                elif lines := between.count("\n"):
                    line_starts.add(len(self.texts))
                    if lines > 1:
                        blanks.add(len(self.texts))
            action = actions.get(kind)
            if action is None:
                self._add_unit(kind, start, end)
                index += 1
                last = end
            else:
                self._end = end
                following = action(self, index, start)
                index = index + 1 if following is None else following
                last = self._end
        if self._comments:
            self.gaps[len(self.texts)] = self._comments

    def _add_unit(self, kind: str, start: int, end: int) -> None:
        """Add a unit with the separator and the comments before it.

        Args:
            kind: The kind of its token, or one that the printer defines, see `GLUED_BEHIND`.
            start: The offset of the unit.
            end: The offset behind it.
        """
        unit = len(self.texts)
        if self._has_semicolon:
            self._restore_semicolon(kind, start)
        glued = self._last_kind in GLUED_BEHIND or kind in GLUED_BEFORE
        if kind == "DOT" and self._last_kind == "NUMBER":  # digits after the dot would continue the number
            glued = start == self.starts[-1] + len(self.texts[-1])
        self.separators.append("" if glued else " ")
        self.texts.append(self.text[start:end])
        self.starts.append(start)
        if self._comments:
            self._place_comments(kind, start, unit)
        if start in self.marks.statements:
            is_alias = start in self.marks.aliases  # the node of an alias begins with its name
            self.bracket.starts.append(unit - 1 if is_alias else unit)
        self._last_kind = kind

    def _restore_semicolon(self, kind: str, start: int) -> None:
        """Print the semicolon between statements if the second would continue the first."""
        self._has_semicolon = False
        continues_access = kind in BRACKETS and self.dialect.list_start
        continues_call = start in self.marks.parens and self._is_behind_bare_call()
        if kind in CONTINUING or continues_access or continues_call:
            self.texts[-1] += ";"

    # The actions receive the index of a token and its offset. They return the index of the next token to read, None if
    # that is the one behind.

    def _read_end(self, index: int, start: int) -> None:
        """Read the end of the source, which is no unit."""

    def _read_comma(self, index: int, start: int) -> None:
        unit, bracket = len(self.texts), self.bracket
        # A comma right behind the opening bracket or a colon separates nothing, and is dropped.
        if bracket.open != unit - 1 and (unit, ":") not in bracket.punctuation[-1:]:
            self.texts[-1] += ","
            bracket.punctuation.append((unit, ","))

    def _read_colon(self, index: int, start: int) -> None:
        self.texts[-1] += ":"
        self.bracket.punctuation.append((len(self.texts), ":"))

    def _read_semicolon(self, index: int, start: int) -> None:
        if self.text[start] != ";":  # a semicolon that the lexer inserted before an array
            self._end = start
            return
        self._drop_comma()
        self.bracket.punctuation.append((len(self.texts), ";"))
        self._has_semicolon = True

    def _drop_comma(self) -> None:
        """Drop a comma that nothing follows."""
        punctuation = self.bracket.punctuation
        if punctuation and punctuation[-1] == (len(self.texts), ","):
            punctuation.pop()
            if self.bracket.kind != "pipe":
                self.texts[-1] = self.texts[-1][:-1]

    def _read_else(self, index: int, start: int) -> None:
        self.at_base.add(len(self.texts))
        self._read_plain(index, start)

    def _read_plain(self, index: int, start: int) -> None:
        self._add_unit(self.types[index], start, self._end)

    def _read_question_mark(self, index: int, start: int) -> None:
        if self.types[index + 1] != "SELBRACE":
            self._brackets_of_selectors.append(self.bracket)
        self._read_plain(index, start)

    def _read_arrow(self, index: int, start: int) -> None:
        if self._brackets_of_selectors[-1:] == [self.bracket]:
            self._brackets_of_selectors.pop()
        else:
            self.bracket.arrows.append(len(self.texts))
        self._read_plain(index, start)

    def _read_equals(self, index: int, start: int) -> None:
        unit, bracket = len(self.texts), self.bracket
        if bracket.kind in ("parameters", "pipe"):
            bracket.arrows.append(unit)
        elif bracket.starts[-1:] == [unit - 1]:
            self.assignments.add(unit)
        self._read_plain(index, start)

    def _read_ambiguous(self, index: int, start: int) -> None:
        """Read a sign or word that is an operator in one place and something else in another."""
        kind = self.types[index]
        following, _, _ = self.tokens[index + 1]  # the offset of the next token
        if kind in _WORDS:
            kind = "OPERATOR" if start in self.marks.words else "NAME"
        elif start in self.marks.splats:
            kind = "SPLAT"
        elif start in self.marks.unary or (kind == "TIMES" and following in self.marks.collecting):
            kind = "UNARY"
        elif kind in ("AT", "ATAT") and self.text[following] in "@(":
            kind = "MARK"
        self._add_unit(kind, start, self._end)

    # --- Brackets

    def _read_opening(self, index: int, start: int) -> None:
        unit_kind, bracket_kind = self._classify_opening(self.types[index], start)
        if bracket_kind == "paren" and not self._has_semicolon and self._is_behind_bare_call():
            self.texts[-1] += ";"  # without a line break, the parenthesis would be parsed as that of the call
        self._open_at(unit_kind, bracket_kind, start)

    def _open_at(self, unit_kind: str, bracket_kind: str, start: int) -> None:
        self._add_unit(unit_kind, start, self._end)
        self._outer_brackets.append(self.bracket)
        self.bracket = self.brackets[len(self.texts) - 1] = Bracket(len(self.texts) - 1, bracket_kind)

    def _is_behind_bare_call(self) -> bool:
        """Return whether the last unit is a function called without parentheses."""
        return bool(self.starts) and self.starts[-1] in self.marks.bare

    def _classify_opening(self, kind: str, start: int) -> tuple[str, str]:
        """Return the kind of the unit of a token, and that of the pair of brackets it opens."""
        if kind in ("LBRACE", "SELBRACE"):
            if start in self.marks.hashes:
                return "HASH", "hash"
            return kind, "selector" if kind == "SELBRACE" else "block"
        if kind in BRACKETS:
            if start in self.marks.arrays or kind == "LISTSTART":
                return kind, "array"
            return "ACCESS", "access"
        if start in self.marks.parens:
            return "LPAREN", "paren"
        is_behind_name = len(self.texts) > 1 and self._last_kind in NAMES
        return _PARENTHESES.get(self.texts[-2] if is_behind_name else "", ("CALL", "call"))

    def _read_closing(self, index: int, start: int) -> None:
        self._close_at(self.types[index], start)

    def _close_at(self, kind: str, start: int) -> None:
        self._drop_comma()
        self._has_semicolon = False
        bracket, self.bracket = self.bracket, self._outer_brackets.pop()
        bracket.close = unit = len(self.texts)
        self._add_unit(kind, start, start + 1)
        if kind == "RBRACE":
            bracket.kind = self.marks.ends.get(start, bracket.kind)
            if unit == bracket.open + 1 and unit not in self.gaps:
                self.separators[unit] = ""
            elif bracket.kind == "block" and not bracket.starts:
                bracket.kind = "hash"  # a hash in a type alias, whose node contains the aliased type

    def _read_pipe(self, index: int, start: int) -> None:
        if start in self.marks.lambdas:
            self._open_at("PIPE", "pipe", start)
        else:
            self._close_at("ENDPIPE", start)

    # --- Strings and heredocs

    def _read_literal(self, index: int, start: int) -> None:
        """Read a string without interpolations, or a regular expression, of one or more lines."""
        self._read_plain(index, start)
        self._note_multiline()

    def _read_string(self, index: int, start: int) -> int:
        """Read a string with all its interpolations."""
        stop, bodies = self._skip_string(index)
        _, self._end, _ = self.tokens[stop - 1]
        self._add_unit("STRING", start, self._end)
        self._note_multiline()
        self._store_heredocs([body for body in bodies if body.start >= self._end])
        return stop

    def _note_multiline(self) -> None:
        if "\n" in self.texts[-1]:
            self.multiline.add(len(self.texts) - 1)

    def _skip_string(self, index: int) -> tuple[int, list[Span]]:
        """Return the index of the token behind a string, and the texts of heredocs within it."""
        depth, bodies = 0, []
        while True:
            kind = self.types[index]
            if kind == "HEREDOC":
                index, body = self._skip_heredoc_text(index)
                bodies.append(body)
            else:
                depth += {"DQPRE": 1, "DQPOST": -1}.get(kind, 0)
                index += 1
            if depth == 0:
                return index, bodies

    def _read_heredoc(self, index: int, start: int) -> int:
        stop, body = self._skip_heredoc_text(index)
        self._add_unit("STRING", start, self._end)
        self._store_heredocs([body])
        return stop

    def _skip_heredoc_text(self, index: int) -> tuple[int, Span]:
        """Return the index of the token behind a heredoc, and its text with the end line.

        The tokens are HEREDOC, SUBLOCATE, and those of a string.
        """
        start, end, _ = self.tokens[index + 1]
        line_end = self.text.find("\n", end)
        body = Span(self.source, start, line_end if line_end >= 0 else len(self.text))
        if self.types[index + 2] == "STRING":
            return index + 3, body
        behind, _ = self._skip_string(index + 2)
        return behind, body

    def _store_heredocs(self, bodies: list[Span]) -> None:
        """Store the texts of the heredocs of the last unit, which are on the following lines."""
        if bodies:
            self.heredocs[len(self.texts) - 1] = [self.text[body.start : body.end] for body in bodies]
            self._heredocs_to_come += bodies

    # --- Comments and empty lines

    def _read_gap(self, start: int, end: int) -> None:
        """Find the comments and empty lines between two tokens, outside of the texts of heredocs."""
        if "\n" in self.text[start:end]:
            self.line_starts.add(len(self.texts))
        lines = 0  # the line ends since the last comment, or since the token
        comments: list[SourceComment] = []
        trailing = bool(self.texts)
        for position, stop in self._split_at_heredocs(start, end):
            for match in _COMMENT.finditer(self.text, position, stop):
                lines += self.text.count("\n", position, match.start())
                trailing = trailing and not lines and "\n" not in match[0]
                if comments and not lines:
                    comments[-1].followed = True
                comments.append(SourceComment(match[0].rstrip(), trailing, lines > 1))
                lines, position = 0, match.end()
            lines += self.text.count("\n", position, stop)
        if comments and not lines:
            comments[-1].followed = True
        self._comments += comments
        if lines > 1:
            self.blanks.add(len(self.texts))

    def _split_at_heredocs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the ranges of a gap that are not texts of heredocs.

        These texts no longer count as those that are still to come.
        """
        while self._heredocs_to_come and self._heredocs_to_come[0].start < end:
            body = self._heredocs_to_come.popleft()
            yield start, body.start - 1  # without the line end before the text
            start = body.end
        yield start, end

    def _place_comments(self, kind: str, start: int, unit: int) -> None:
        """Put the waiting comments before a unit, unless they must be moved behind it."""
        inline = all(is_inline(comment) for comment in self._comments)
        if kind in ("CALL", "ACCESS") or (kind in NOT_FIRST and not inline):
            return
        self.gaps[unit] = self._comments
        if inline:
            before = "" if self._last_kind in GLUED_BEHIND else " "
            after = "" if kind in GLUED_BEFORE else " "
            self.separators[unit] = before + " ".join(comment.text for comment in self._comments) + after
        self._comments = []

    _actions: ClassVar[dict[str, Any]] = {
        **dict.fromkeys(AT_BASE, _read_else),
        "$end": _read_end,
        "COMMA": _read_comma,
        "COLON": _read_colon,
        "SEMIC": _read_semicolon,
        **dict.fromkeys(("FARROW", "PARROW"), _read_arrow),
        "QMARK": _read_question_mark,
        "EQUALS": _read_equals,
        **dict.fromkeys((*_AMBIGUOUS, "AT", "ATAT"), _read_ambiguous),
        **dict.fromkeys(("LPAREN", "WSLPAREN", "LBRACK", "LISTSTART", "LBRACE", "SELBRACE"), _read_opening),
        **dict.fromkeys(("RPAREN", "RBRACK", "RBRACE"), _read_closing),
        "PIPE": _read_pipe,
        **dict.fromkeys(("STRING", "REGEX"), _read_literal),
        "DQPRE": _read_string,
        "HEREDOC": _read_heredoc,
    }
