"""The parts of the lexer for strings with interpolations, and for the texts of templates.

`Lexer` inherits from `StringLexer` and enters it at a double quote or the text of a heredoc. The code inside `${…}` is
read by the main loop of the lexer, which calls `end_interpolation` at the closing brace.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.tokens import (
    BLANKS,
    LATER_KEYWORDS,
    NAMES_IN_TEXT,
    OPENERS,
    OPERATORS,
    LexerState,
    StringForm,
)

# --- Escape sequences

_SINGLE_QUOTED_ESCAPE = LazyPattern(r"\\([\\'])")
# The groups: the four digits of `\u`, the digits in `\u{}`, any other character; none matches before a line end.
_ESCAPE = LazyPattern(r"\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|\r?\n|([\s\S]))", re.ASCII)
_ESCAPED = {"\\": "\\", "$": "$", "'": "'", '"': '"', "r": "\r", "n": "\n", "t": "\t", "s": " "}


def unescape_single(text: str) -> str:
    r"""Return the value of a single quoted string: `\\` and `\'` lose their backslash."""
    return _SINGLE_QUOTED_ESCAPE.sub(r"\1", text)


def unescape_double(text: str, lexer: LexerState, start: int) -> str:
    """Return the value of a part of a double quoted string; an unknown escape stays, with a warning.

    Args:
        text: The part.
        lexer: The lexer, for warnings and errors.
        start: The offset of the part in the source.
    """

    def replace(match: re.Match[str]) -> str:
        digits = match[1] or match[2]
        if digits:
            return _read_character(digits, lexer, start + match.start(), match[0])
        letter = match[3]
        if letter is None:
            return ""
        if letter in _ESCAPED:
            return _ESCAPED[letter]
        place = start + match.start()
        lexer.warnings.append(
            lexer.make_error("ILLEGAL_UNICODE_ESCAPE", place)
            if letter == "u"
            else lexer.make_error("UNRECOGNIZED_ESCAPE", place, place + 2, character=letter)
        )
        return match[0]

    return _ESCAPE.sub(replace, text)


def _read_character(digits: str, lexer: LexerState, start: int, escape: str) -> str:
    """Return the character of an escape sequence with hexadecimal digits at `start`."""
    number = int(digits, 16)
    lexer.refuse_if(
        number > 0x10FFFF or 0xD800 <= number <= 0xDFFF, "ILLEGAL_UNICODE_ESCAPE", start, start + len(escape)
    )
    return chr(number)


def unescape_heredoc(text: str, escapes: str, lexer: LexerState, place: Callable[[int], int]) -> str:
    """Return the value of heredoc text in which only some escape sequences are enabled.

    Args:
        text: The text, without margin.
        escapes: The letters of the enabled escapes; `L` enables a backslash before a line end.
        lexer: The lexer, for errors.
        place: Returns the offset in the source of an offset in the text.
    """
    if not escapes or "\\" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        digits = match[1] or match[2]
        if digits:
            return (
                _read_character(digits, lexer, place(match.start()), match[0]) if "u" in escapes else match[0]
            )
        letter = match[3]
        if letter is None:
            return "" if "L" in escapes else match[0]
        if letter == "u" and "u" in escapes:
            raise lexer.make_error("ILLEGAL_UNICODE_ESCAPE", place(match.start()))
        is_enabled = letter == "\\" or (letter in escapes and letter in _ESCAPED)
        return _ESCAPED[letter] if is_enabled else match[0]

    return _ESCAPE.sub(replace, text)


# --- Strings with interpolations

# A `$` that is not followed by a variable or `{` is an ordinary character.
ORDINARY_DOLLAR = r"\$(?!\{|(?:::)?\w)"
# A quote or `$` is ordinary, too, at the start of the text or after such a `$`, if another one follows.
_STRETCH = r'(?:["$](?=(?:\\\\)*+["$]))?+[^"\\$]*+(?:\\[\s\S][^"\\$]*+)*+'
QUOTED_STRING = StringForm(
    LazyPattern(rf'({_STRETCH}(?:{ORDINARY_DOLLAR}{_STRETCH})*+)(?:("|\$\{{)|(?=\$))', re.ASCII),
    unescape_double,
)
LAST_DOLLAR = LazyPattern(rf"(?:{_STRETCH}{ORDINARY_DOLLAR})++", re.ASCII)
VARIABLE = LazyPattern(r"\$((?:::)?\w++(?:::\w++)*+)", re.ASCII)
SIMPLE_NAME = LazyPattern(
    r"[ \t]*+((?>(?:::)?[a-z_]\w*+(?:::[a-z_]\w*+)*+|[1-9][0-9]*|0))[ \t]*+\}", re.ASCII
)

BOOLEANS = frozenset(("true", "false"))
SHOWN = 5  # characters of what follows an error that a message shows
# The message about an unclosed string names the text that precedes it. The search for that text goes backwards: it
# skips the tokens in PUNCTUATION and ends at those in SEARCH_ENDS.
PUNCTUATION = frozenset(OPERATORS.values()) | {*OPENERS, "RBRACE", "DIV"}
SEARCH_ENDS = frozenset(("START", "OTHER", "DQPRE", "DQMID"))


def show_following(text: str, start: int) -> str:
    """Return the first characters from an offset on, as a message shows what follows an error."""
    shown = text[start : start + SHOWN].replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return f"{shown}..."


class StringLexer(LexerState):
    """The part of the lexer that reads strings with interpolations: in double quotes, and the texts of heredocs."""

    __slots__ = ()

    def make_unclosed_quote_error(self, after: str, start: int) -> PuppetError:
        """Return the error for a string without end; `after` is the text before `start`."""
        followed_by = show_following(self.text, start) if start < len(self.text) else "<eof>"
        quoted = f'"{after}"' if after == "'" else f"'{after}'"
        return self.make_error("UNCLOSED_QUOTE", start, after=quoted, followed_by=followed_by)

    def read_string(self, form: StringForm, start: int, position: int, kind: str) -> int:
        """Read a string with interpolations from `position` on.

        Reading ends with the string, or at a `${` that is followed by more than a name.

        Args:
            form: The form of the string.
            start: The offset of the next token, which includes the opening quote.
            position: The offset of its text.
            kind: The kind of the next token if an interpolation follows: DQPRE for the first, DQMID for a later one.

        Returns:
            The offset at which the lexer goes on: behind the string, or inside the interpolation.
        """
        text = self.text
        while True:
            match = form.segment.match(text, position, self.end)
            if match is None:
                raise self.make_unclosed_string_error(position, kind)
            value, stop = match[1], match.end()
            if "\\" in value:
                value = form.unescape(value, self, position)
            if match[2] is None:
                self.emit(kind, start, stop, value)
                position = self.read_variable(stop)
            elif match[2] == "${":
                self.emit(kind, start, stop, value)
                position = self.read_interpolation(stop, form)
                if position < 0:
                    return stop
            else:
                self.emit("STRING" if kind == "DQPRE" else "DQPOST", start, stop, value)
                if not self.suspended:
                    self.string_token = None
                return stop
            kind, start = "DQMID", position

    def make_unclosed_string_error(self, position: int, kind: str) -> PuppetError:
        """Return the error for a double quoted string without end.

        Like the released lexer, it names what has been read last: a `$` that is no variable, the opening quote, the
        last text inside of `${…}`, or the name of a variable.

        Args:
            position: The offset of the text that has no end.
            kind: The kind of its token, see `read_string`.
        """
        last = LAST_DOLLAR.match(self.text, position, self.end)
        if last:
            return self.make_unclosed_quote_error("", last.end())
        if kind == "DQPRE":
            return self.make_unclosed_quote_error('"', position)
        if self.text[position - 1] == "}":
            after = self._last_text_inside(position)
        else:
            _, _, after = self.tokens[-1]  # the name of a variable
        return self.make_unclosed_quote_error(after, position)

    def _last_text_inside(self, position: int) -> str:
        """Return the last text of the `${…}` before `position`: a token or the blanks after it."""
        _, end, _ = self.tokens[-1]
        tail = self.text[end : position - 1]
        if not tail:
            return self.last_token_text(end, 0)
        blanks = tail[len(tail.rstrip(BLANKS)) :]
        return "" if blanks == tail and self.types[-1] not in ("DQPRE", "DQMID") else blanks

    def last_token_text(self, end: int, first: int) -> str:
        """Return the text of the last token that is no punctuation, for an error message.

        Of a token that ends with a quote, that is only its last character and the quote.

        Args:
            end: The offset at which the last token ends; "" is returned if there is a gap before it.
            first: The index of the first token that may be returned.
        """
        for index in range(len(self.tokens) - 1, first - 1, -1):
            start, stop, _ = self.tokens[index]
            if stop != end or self.types[index] in SEARCH_ENDS:
                break
            if self.types[index] not in PUNCTUATION:
                text = self.text[start:stop]
                if text[-1:] not in ("'", '"'):
                    return text
                return text[-2:] if len(text) > 2 else text[-1]
            end = start
        return ""

    def read_variable(self, start: int) -> int:
        """Read `$name` in a string."""
        match = VARIABLE.match(self.text, start, self.end)
        assert match is not None
        self.emit("VARIABLE", start, match.end(), match[1])
        return match.end()

    def read_interpolation(self, start: int, form: StringForm) -> int:
        """Read `name}` after `${` and return the offset behind it.

        If something else is in the braces, return -1 and suspend the string: the main loop of the lexer reads on.
        """
        match = SIMPLE_NAME.match(self.text, start, self.end)
        if match is None:
            self.suspended.append((self.depth, len(self.types), form))
            self.depth = 0
            return -1
        if match[1] in BOOLEANS:
            self.reject_boolean(match[1], match.start(1))
        self.emit("VARIABLE", match.start(1), match.end(1), match[1])
        return match.end()

    def reject_boolean(self, word: str, start: int) -> None:
        """Record the error for `${true}`, which is raised if the text has no syntax error.

        In the specification it is a variable.
        """
        if not self.dialect.interpolation and self.rejected is None:
            self.rejected = self.make_error("BOOLEAN_AS_VARIABLE", start, start + len(word), name=word)

    def end_interpolation(self, start: int, width: int = 1) -> int:
        """End a `${…}` at its `}` and continue the string around it.

        A keyword or number that is alone in the braces, or precedes `[` or `.`, is the name of a variable.

        Args:
            start: The offset of the `}`.
            width: The length of the `}`; 0 if it is missing at the end of a text.
        """
        self.depth, first, form = self.suspended.pop()
        types = self.types
        kind = types[first] if len(types) > first else ""
        is_alone = len(types) == first + 1
        is_head = len(types) > first + 1 and types[first + 1] in ("LBRACK", "DOT")
        if kind == "BOOLEAN" and (is_alone or is_head):
            word_start, _, word = self.tokens[first]
            self.reject_boolean(word, word_start)
        if kind in NAMES_IN_TEXT and (is_alone or (is_head and not self.dialect.interpolation)):
            types[first] = "VARIABLE"
        elif kind in LATER_KEYWORDS and is_head:
            types[first] = "NAME"
        return self.read_string(form, start + width, start + width, "DQMID")


# --- The texts of templates

_TAG = LazyPattern(r"<%%|<%#-?|<%[=-]?")
_COMMENT_END = LazyPattern(r"(?<!%)%>")
_TRAILING_BLANKS = LazyPattern(r"[ \t]*\r?\n?")


def read_template_start(lexer: LexerState) -> int:
    """Read the text before the first tag of a template; return the offset of the code in it."""
    lexer.emit("EPP_START", 0, 0, None)
    return read_template_text(lexer, 0)


def read_tag_end(lexer: LexerState, start: int) -> int:
    """End the code of a tag, read the text behind it, and return the offset of the next code."""
    trim = lexer.text[start] == "-"
    stop = start + (3 if trim else 2)
    if lexer.open_tag == "<%=":
        lexer.emit("EPP_END_TRIM" if trim else "EPP_END", start, stop, lexer.text[start:stop])
    lexer.open_tag = ""
    # The text of a template begins after the tag, so a heredoc cannot have its text there.
    lexer.after_heredocs = None
    lexer.end = len(lexer.text)
    return read_template_text(lexer, stop, trim)


def read_template_text(lexer: LexerState, start: int, trim: bool = False) -> int:
    """Read the text of a template up to the next tag.

    In the text `%%>` is an escaped `%>`.

    Args:
        lexer: The lexer.
        start: The offset of the text.
        trim: True if the tag before the text ended with `-%>`, which removes the rest of a blank line.

    Returns:
        The offset of the code in the tag; -1 if there is no further tag.
    """
    source = lexer.text
    position = start
    pieces: list[str] = []
    while True:
        if position == len(source):
            return -1  # text before a comment at the very end is lost
        if trim:
            position = _TRAILING_BLANKS.match(source, position).end()  # type: ignore[union-attr]
            trim = False
        match = _TAG.search(source, position)
        if match is None:
            pieces.append(source[position:].replace("%%>", "%>"))
            lexer.emit("RENDER_STRING", start, len(source), "".join(pieces))
            return -1
        pieces.append(source[position : match.start()].replace("%%>", "%>"))
        tag, position = match[0], match.end()
        if tag == "<%%":
            pieces.append("<%")
        elif tag.startswith("<%#"):
            position, trim = _skip_comment(lexer, match.start(), tag, pieces)
        else:
            break
    lexer.refuse_if(position == len(source) and tag == "<%", "EPP_UNBALANCED_EXPRESSION", position)
    if tag == "<%-":
        _trim_blanks(pieces)
    value = "".join(pieces)
    if value:
        lexer.emit("RENDER_STRING", start, position, value)
    lexer.open_tag = tag
    if tag == "<%=":
        lexer.emit("RENDER_EXPR", start, position, None)
    return position


def _skip_comment(lexer: LexerState, start: int, tag: str, pieces: list[str]) -> tuple[int, bool]:
    """Skip a comment; return the offset behind it, and whether the text behind it is trimmed."""
    source = lexer.text
    end = _COMMENT_END.search(source, start + 3)
    if end is None:
        raise lexer.make_error("EPP_UNBALANCED_COMMENT", start + 2, len(source))
    if tag == "<%#-":
        _trim_blanks(pieces)
    return end.end(), source[end.start() - 1] == "-"


def _trim_blanks(pieces: list[str]) -> None:
    """Remove the blanks at the end of a text, which precedes a tag such as `<%-`."""
    pieces[:] = ["".join(pieces).rstrip(" \t")]
