"""Heredocs: the header, the end line, and the text without its margin."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from lexer_parser.errors import PuppetError
from lexer_parser.lexing.strings import ORDINARY_DOLLAR, StringLexer, show_following, unescape_heredoc
from lexer_parser.lexing.tokens import BLANKS, StringForm

_HEREDOC_LETTERS = "trnsuL$"
_HEADER_BLANKS = f"[{BLANKS}]*+".replace("\r", "")
_HEADER = re.compile(
    rf"@\((?P<tag>[^:/\r\n)]*+)(?::{_HEADER_BLANKS}(?P<syntax>[a-z][a-zA-Z0-9_+]+){_HEADER_BLANKS})?"
    rf"(?:/(?P<escapes>(?:\w|\$)*){_HEADER_BLANKS})?\)",
    re.ASCII,
)
_RUBY_BLANKS = "\0\t\n\v\f\r "  # the characters that String#strip removes


class HeredocReader:
    """The reader of one heredoc, which adds its tokens to the lexer that found it.

    The text is read by a lexer of its own, since its margin is removed first; the offsets of its tokens are then
    translated back.

    Attributes:
        lexer: The lexer that found the heredoc.
        start: The offset of the header.
        body_start, body_end: The range of the text in the source, with its margin; set by `_find_body`, as the others.
        margin: The blanks at the beginning of each line that are removed.
        value: The text without its margin.
    """

    def __init__(self, lexer: StringLexer, start: int) -> None:
        self.lexer = lexer
        self.start = start

    def read(self) -> int:
        """Emit the tokens and return the offset behind the header."""
        lexer, text = self.lexer, self.lexer.text
        # A heredoc inside the text of a heredoc would need its own text there, too.
        lexer.refuse_if(text is not lexer.source.text, "HEREDOC_INVALID_SYNTAX", self.start)
        close = text.find(")", self.start)
        if close < 0:
            error = lexer.make_error(
                "HEREDOC_UNCLOSED_PARENTHESIS", self.start, followed_by=show_following(text, self.start)
            )
            error.incomplete = "\n" not in text[self.start : lexer.end]
            raise error
        match = _HEADER.search(text, self.start, close + 1)  # a second `@(` discards the text before it
        if match is None or not match["tag"]:
            raise lexer.make_error("HEREDOC_INVALID_SYNTAX", close + 1)
        stop = match.end()
        tag = match["tag"].strip(_RUBY_BLANKS)
        is_interpolated = len(tag) > 1 and tag[0] == tag[-1] == '"'
        if is_interpolated:
            tag = tag[1:-1].strip(_RUBY_BLANKS)
        lexer.refuse_if(not tag, "HEREDOC_EMPTY_ENDTAG", stop)
        escapes = self._check_escapes(match["escapes"], stop)
        self._find_body(tag, stop)
        lexer.emit("HEREDOC", self.start, stop, match["syntax"])
        lexer.emit("SUBLOCATE", self.body_start, self.body_end, text[self.body_start : self.body_end])
        if is_interpolated:
            self._read_interpolated(escapes)
        else:
            # Only an error needs an offset in the source, so the function for offsets is made for errors only.
            value = unescape_heredoc(
                self.value, escapes, lexer, lambda offset: self._make_offset_function()(offset)
            )
            lexer.emit("STRING", self.body_start, self.body_end, value)
        return stop

    def _check_escapes(self, letters: str | None, stop: int) -> str:
        """Return the letters of the enabled escape sequences; a bare slash enables all of them.

        Args:
            letters: The letters behind the slash of the header; None without a slash.
            stop: The offset behind the header, for errors.
        """
        if letters is None:
            return ""
        self.lexer.refuse_if(
            len(set(letters)) < len(letters), "HEREDOC_MULTIPLE_AT_ESCAPES", stop, escapes=", ".join(letters)
        )
        for letter in letters:
            self.lexer.refuse_if(
                letter not in _HEREDOC_LETTERS, "HEREDOC_INVALID_ESCAPE", stop, actual=letter
            )
        return letters or _HEREDOC_LETTERS

    def _find_body(self, tag: str, stop: int) -> None:
        """Find the text and its end line, and remove the margin.

        The text begins on the line after the header, or after the texts of the headers before it on the same line. So
        the lexer first reads the line of the header to its end (`end`), and goes on behind the text
        (`after_heredocs`).
        """
        lexer, text = self.lexer, self.lexer.text
        if lexer.after_heredocs is None:
            newline = text.find("\n", stop)
            lexer.refuse_if(newline < 0, "HEREDOC_WITHOUT_TEXT", stop)
            lexer.end = newline
            lexer.after_heredocs = newline + 1
        elif stop > lexer.end:  # a header that continues after the text of another heredoc
            newline = text.find("\n", stop)
            lexer.end = newline if newline >= 0 else len(text)
        begin = lexer.after_heredocs
        blank = f"[{BLANKS}]*"
        # The `|` removes the margin, the `-` the last line end.
        end_line = re.compile(
            rf"(?<![{BLANKS}])(?P<margin>{blank})(?:(?P<bar>\|){blank})?(?:(?P<hyphen>-){blank})?"
            rf"{re.escape(tag)}{blank}$",
            re.MULTILINE,
        )
        match = end_line.search(text, begin)
        if match is None:
            raise lexer.make_error("HEREDOC_WITHOUT_END_TAGGED_LINE", begin)
        end = max(begin, text.rfind("\n", begin, match.start()) + 1)
        lexer.after_heredocs = min(match.end() + 1, len(text))
        self.body_start, self.body_end = begin, end
        value = text[begin:end]
        self.margin = match["margin"] if match["bar"] else ""
        if self.margin:
            value = re.sub("^" + self.margin, "", value, flags=re.MULTILINE)
        if match["hyphen"] and value.endswith("\n"):
            value = value.removesuffix("\n").removesuffix("\r")
        self.value = value

    def _read_interpolated(self, escapes: str) -> None:
        """Read the text as a string with interpolations, and add its tokens to the lexer."""
        inner = type(self.lexer)(self.lexer.source, self.lexer.dialect, self.value)
        inner.pattern = self.lexer.pattern
        offset = self._make_offset_function()
        try:
            inner.position = inner.read_string(_make_form(escapes), 0, 0, "DQPRE")
            inner.scan()
            # What it recorded is raised here, where offsets are translated. In a heredoc, a warning is an error, too.
            if inner.rejected is not None:
                raise inner.rejected
            if inner.warnings:
                raise inner.warnings[0]
        except PuppetError as error:
            if error.span is not None:
                error.span.start, error.span.end = offset(error.span.start), offset(error.span.end)
            raise
        # without START, the first token of each lexer
        self.lexer.types.extend(inner.types[1:])
        self.lexer.tokens.extend(  # the text begins with its margin, at the beginning of a line
            (offset(start) if start else self.body_start, offset(end), value)
            for start, end, value in inner.tokens[1:]
        )

    def _make_offset_function(self) -> Callable[[int], int]:
        """Return a function from an offset in the text without margin to one in the source."""
        begin, margin = self.body_start, self.margin
        if not margin:
            return lambda offset: begin + offset
        starts, shifts, position, removed = [], [], 0, 0
        for line in self.lexer.text[begin : self.body_end].splitlines(keepends=True):
            removed += len(margin) if line.startswith(margin) else 0
            starts.append(position)
            shifts.append(begin + removed)
            position += len(line.removeprefix(margin))
        return lambda offset: offset + (shifts[bisect_right(starts, offset) - 1] if starts else begin)


def _make_form(escapes: str) -> StringForm:
    """Return the form of a heredoc with interpolations and some escape sequences.

    Args:
        escapes: The letters of the sequences, as `_check_escapes` returns them.
    """
    ordinary = r"[^\\$]|\\[\\$]|\\(?!\$)" if "$" in escapes else "[^$]"
    segment = re.compile(rf"((?:{ordinary}|{ORDINARY_DOLLAR})*+)(?:(\Z|\$\{{)|(?=\$))", re.ASCII)
    return StringForm(
        segment,
        lambda text, lexer, start: unescape_heredoc(text, escapes, lexer, lambda offset: start + offset),
    )
