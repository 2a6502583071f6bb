"""The lexer: one pass of the master expression over the text, filling two parallel lists.

`types` holds the token names, `tokens` the triples (start, end, value). Strings with interpolation, heredocs,
regular expressions and template tags leave the fast loop through `special` and come back with the offset at
which to go on. A lexical error does not stop the parser before it gets there: the error becomes the last
token, `ERROR`, and is raised when the parser reads it.
"""

from __future__ import annotations

import re
from typing import Any

from lexer_parser import issues
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.lexing.strings import (
    LAST_DOLLAR,
    SEGMENT,
    SIMPLE_NAME,
    VARIABLE,
    Heredoc,
    on_one_line,
    unescape_double,
    unescape_single,
)
from lexer_parser.lexing.tokens import (
    ABSOLUTE_NAME,
    BEFORE_DIVISION,
    BLANKS,
    LATER_KEYWORDS,
    NAMES_IN_TEXT,
    OPERATORS,
    PLAIN,
    RULES,
    master,
)
from lexer_parser.source import Source

Token = tuple[int, int, Any]


# What `match.lastindex` says, in the order of tokens.RULES.
NAME, OPERATOR, QUOTED, VARIABLE_, BRACE, OPENING, TEXT, SPECIAL, CLASSREF, NUMBER, WORD, END, OTHER = range(
    1, len(RULES) + 1
)
_patterns: dict[tuple[bool, bool], re.Pattern[str]] = {}


def pattern(dialect: Dialect, template: bool) -> re.Pattern[str]:
    """The compiled master expression, made on first use."""
    key = (dialect.strict_names, template)
    if key not in _patterns:
        _patterns[key] = re.compile(master(dialect, template), re.ASCII)
    return _patterns[key]


_ABSOLUTE_NAME = re.compile(ABSOLUTE_NAME, re.ASCII)
NUMERAL = re.compile(r"(?:0[xX][0-9A-Fa-f]++|[0-9]++(?:\.[0-9]++)?(?:[eE]-?[0-9]++)?)(?!\w)", re.ASCII)
NUMERAL_RUN = re.compile(r"[0-9]+\.[0-9]\w*|\w+", re.ASCII)
REGEXP = re.compile(r"/([^/\\]*+(?:\\[\s\S][^/\\]*+)*+)/")
CLASS_REFERENCE = re.compile(r"(?:::)?[A-Z]\w*+(?:::[A-Z]\w*+)*+", re.ASCII)
_BRACKETS = "LPAREN WSLPAREN LBRACK LISTSTART LBRACE SELBRACE RBRACE"
BOOLEANS = frozenset(("true", "false"))
MARKS = frozenset(OPERATORS.values()) | {*_BRACKETS.split(), "DIV"}
NOT_READ = frozenset(("START", "OTHER", "DQPRE", "DQMID"))
SPACE = frozenset(BLANKS + "\n")


def is_letter(character: str) -> bool:
    """Whether a character beyond ASCII makes a word with a digit before it."""
    from unicodedata import category

    return category(character)[0] in "LMN" or category(character) == "Pc"


class Lexer:
    """Reads the tokens of one source; `scan` fills `types`, `tokens` and `warnings`.

    `frames` holds what is suspended while the inside of `${…}` is read: for each open one the depth of braces
    outside it, the number of its first token, and the method that reads on in the string around it.
    """

    __slots__ = (
        "depth",
        "dialect",
        "end",
        "error",
        "frames",
        "interrupted",
        "pattern",
        "position",
        "rendering",
        "source",
        "string_token",
        "template",
        "text",
        "tokens",
        "types",
        "warnings",
    )

    def __init__(
        self, source: Source, dialect: Dialect = PUPPET, text: str | None = None, template: bool = False
    ) -> None:
        self.source = source
        self.dialect = dialect
        self.text = source.text if text is None else text
        self.end = len(self.text)
        self.types: list[str] = ["START"]
        self.tokens: list[Token] = [(0, 0, None)]
        self.warnings: list[PuppetError] = []
        self.error: PuppetError | None = None
        self.pattern = pattern(dialect, template)
        self.position = 0
        self.depth = 0
        self.frames: list[tuple[int, int, Any]] = []
        self.interrupted: int | None = None  # where a heredoc ends: the next line to read
        self.string_token: int | None = None  # the first token of the outermost open string
        self.rendering: bool | None = None  # within a template's code: whether that is <%= … %>
        self.template = template

    def run(self, whole_strings: bool = True) -> None:
        """Reads all tokens; ends the lists with `$end`, or with `ERROR` where the text is no Puppet.

        With `whole_strings` a string that is not closed gives no tokens, so that it is told before what is in it.
        """
        try:
            self._reject_byte_order_mark()
            if self.template:
                from lexer_parser.lexing.templates import begin

                self.position = begin(self)
            self.scan()
        except PuppetError as error:
            self.error = error
            if whole_strings and self.string_token is not None:
                del self.types[self.string_token :], self.tokens[self.string_token :]
            self.emit("ERROR", self.end, self.end, None)
        else:
            self.emit("$end", self.end, self.end, None)
        del self.types[0], self.tokens[0]

    def _reject_byte_order_mark(self) -> None:
        if self.text.startswith("\ufeff"):
            raise issues.error("ILLEGAL_BOM", format="UTF-8", bytes="EF BB BF")

    def emit(self, kind: str, start: int, end: int, value: Any) -> None:
        """Adds one token."""
        self.types.append(kind)
        self.tokens.append((start, end, value))

    def fail(self, code: str, start: int, end: int | None = None, **arguments: Any) -> PuppetError:
        """The PuppetError for an issue at an offset of this text."""
        return issues.syntax_error(code, self.source, start, start if end is None else end, **arguments)

    def scan(self) -> None:
        """The fast loop."""
        text, types = self.text, self.types
        add_type, add_token = types.append, self.tokens.append
        finditer, plain = self.pattern.finditer, PLAIN.get
        absolute_name = _ABSOLUTE_NAME.fullmatch
        position, depth = self.position, self.depth
        while position >= 0:
            for match in finditer(text, position, self.end):
                kind: Any = match.lastindex
                word = match[kind]
                start = match.start(kind)
                end = start + len(word)
                if kind <= OPERATOR:  # a name or an operator
                    add_type(plain(word, "NAME"))
                    add_token((start, end, word))
                elif kind == QUOTED:
                    value = word[1:-1]
                    add_type("STRING")
                    add_token((start, end, unescape_single(value) if "\\" in value else value))
                elif kind == VARIABLE_:
                    add_type("VARIABLE")
                    add_token((start, end, word[1:]))
                elif kind == BRACE:
                    if word == "{":
                        depth += 1
                        add_type("LBRACE" if types[-1] != "QMARK" else "SELBRACE")
                        add_token((start, end, word))
                    elif depth or not self.frames:
                        depth -= 1
                        add_type("RBRACE")
                        add_token((start, end, word))
                    else:
                        position = self.end_interpolation(start)
                        depth = self.depth
                        break
                elif kind == OPENING:
                    add_type(self.opening(start))
                    add_token((start, end, word))
                elif kind == TEXT:
                    add_type("STRING")
                    add_token((start, end, word[1:-1]))
                elif kind == CLASSREF:
                    add_type("CLASSREF")
                    add_token((start, end, word))
                elif kind == NUMBER:
                    add_type("NUMBER")
                    add_token((start, end, word))
                elif kind == WORD:
                    add_type("NAME" if absolute_name(word) else "WORD")
                    add_token((start, end, word))
                else:
                    self.depth = depth
                    position = self.special(start) if kind == SPECIAL else self.rare(kind, start)
                    depth = self.depth
                    break

    # --- Tokens that depend on what is around them

    def opening(self, start: int) -> str:
        """Which kind of bracket or parenthesis opens at `start`."""
        text = self.text
        before = text[start - 1] if start else "\n"
        if text[start] == "[":
            if before not in SPACE or self._is_access(start):
                return "LBRACK"
            if self.dialect.list_start and self.types[-1] == "NAME" and not self._same_line(start):
                self.emit("SEMIC", start, start + 1, "[")  # a name calls only an array on its own line
            return "LISTSTART"
        if before not in SPACE:
            return "LPAREN"
        between = text[self.tokens[-1][1] : start]
        newline = between.rfind("\n")
        on_new_line = newline >= 0 or len(self.types) == 1
        return "WSLPAREN" if on_new_line and not between[newline + 1 :].strip(BLANKS) else "LPAREN"

    def _is_access(self, start: int) -> bool:
        """Whether a `[` behind a blank accesses what is before it, where the dialect has such."""
        if not self.dialect.list_start or self.types[-1] == "NAME":
            return False
        return self._same_line(start) or self.types[-1] == "VARIABLE"

    def _same_line(self, start: int) -> bool:
        return self.text.find("\n", self.tokens[-1][1], start) < 0

    def special(self, start: int) -> int:
        """Reads a string, regular expression, heredoc or template tag; gives the offset to go on from."""
        mark = self.text[start]
        if mark == '"':
            if not self.frames:
                self.string_token = len(self.types)
            return self.string(start, start + 1, "DQPRE")
        if mark == "/":
            return self.slash(start)
        if mark == "@":
            return Heredoc(self, start).read()
        from lexer_parser.lexing.templates import end_tag

        return end_tag(self, start)

    def slash(self, start: int) -> int:
        """Reads a regular expression where one may stand, or a division."""
        text = self.text
        if text.startswith("/*", start):
            raise self.fail("UNCLOSED_MLCOMMENT", start, self.end)
        match = None if self._before() in BEFORE_DIVISION else REGEXP.match(text, start, self.end)
        if match is None:
            self.emit("DIV", start, start + 1, "/")
            return start + 1
        from lexer_parser.lexing.regexps import flaw, without_anchors

        regexp, end = match[1].replace("\\/", "/"), match.end()
        if self.dialect.regexp_form:
            if text[end : end + 1].isalpha():
                raise self.fail("REGEXP_OPTIONS", end, end + 1)
            regexp = without_anchors(regexp)
        reason = flaw(regexp)
        if reason is not None:
            error = self.fail("INVALID_REGEXP", start, end, reason=reason, pattern=match[1])
            error.placeless = True
            raise error
        self.emit("REGEX", start, end, regexp)
        return end

    def _before(self) -> str:
        """What stands before a slash; in front of `${…}` the string's own text does not count."""
        index = len(self.types) - 1
        while True:
            kind = self.types[index]
            if kind == "DQPRE":
                index -= 1
            elif kind == "DQMID" and self.text[self.tokens[index][0] - 1] == "}":
                return "RBRACE"
            elif kind == "DQMID":
                index -= 2
            else:
                return kind

    def rare(self, kind: int | None, start: int) -> int:
        """Reads the end of the text, or what no other rule takes; -1 when all is read."""
        if kind == END:
            return self.end_of_text()
        character = self.text[start]
        if "0" <= character <= "9":
            return self.number(start)
        if character == "'":
            raise self.unclosed_quote("'", start + 1)
        if character == "$":
            self.emit("VARIABLE", start, start + 1, "")
        elif self.text.startswith("::", start) or "A" <= character <= "Z":
            reference = CLASS_REFERENCE.match(self.text, start, self.end)
            if reference:
                qualified = reference[0].startswith("::")
                raise self.fail(
                    "ILLEGAL_CLASS_REFERENCE",
                    reference.end() + (3 if qualified else 1),
                    kind="fully qualified class" if qualified else "class",
                )
            raise self.fail("ILLEGAL_FULLY_QUALIFIED_NAME", start + 2)
        elif character not in BLANKS:
            # The released lexer reads bytes here.
            for _ in character.encode("utf-8", "replace"):
                self.emit("OTHER", start, start + 1, "")
        return start + 1

    def end_of_text(self) -> int:
        """Goes on after the heredocs of a line, or ends."""
        if self.interrupted is not None:
            position, self.interrupted = self.interrupted, None
            self.end = len(self.text)
            return position
        if self.frames:
            raise self.unclosed_quote(self.read_last(self.end, self.frames[-1][1]), self.end)
        if self.rendering is not None:
            raise self.fail("EPP_UNBALANCED_TAG", self.end)
        return -1

    def number(self, start: int) -> int:
        """Reads a number other than a plain decimal integer."""
        text = self.text
        match = NUMERAL.match(text, start, self.end)
        if match is None:
            start = self.start_of_run(start)
            run = NUMERAL_RUN.match(text, start, self.end)
            raise self.bad_number(run[0] if run else "", start)
        value, end = match[0], match.end()
        whole = value.partition(".")[0]
        if (
            len(whole) > 1
            and whole[0] == "0"
            and whole[1] not in "xX"
            and (whole != value or whole.strip("01234567"))
        ):
            raise self.fail("INVALID_OCTAL_NUMBER", start, end, value=value)
        if text[end : end + 1] > "\x7f" and is_letter(text[end]):
            start = self.start_of_run(start)
            raise self.fail("ILLEGAL_NUMBER", start + 1, value=text[start:end])
        self.emit("NUMBER", start, end, value)
        return end

    def start_of_run(self, start: int) -> int:
        """Where the digits begin that stand before a point in front of `start`."""
        digits = start
        if self.text[start - 1 : start] == ".":
            digits = len(self.text[: start - 1].rstrip("0123456789"))
        return digits if digits < start - 1 else start

    def bad_number(self, value: str, start: int) -> PuppetError:
        """The error for a run of digits and letters that is no number."""
        whole, dot, _ = value.partition(".")
        if whole[:2] in ("0x", "0X"):
            code = "INVALID_HEX_NUMBER"
        elif len(whole) > 1 and whole[0] == "0":
            code = "INVALID_OCTAL_NUMBER"
        elif dot or whole.lstrip("0123456789")[:1] in ("e", "E"):
            code = "INVALID_DECIMAL_NUMBER"
        else:
            code = "ILLEGAL_NUMBER"
        return self.fail(code, start, start + len(value), value=value)

    # --- Strings

    def unclosed_quote(self, after: str, start: int) -> PuppetError:
        """The error for a string without end, `after` being the text before `start`."""
        rest = self.text[start : start + 5]
        followed_by = f"{on_one_line(rest)}..." if rest else "<eof>"
        quoted = f'"{after}"' if after == "'" else f"'{after}'"
        return self.fail("UNCLOSED_QUOTE", start, after=quoted, followed_by=followed_by)

    def string(self, start: int, position: int, kind: str) -> int:
        """Reads on in a double quoted string from `position`; the token `kind` begins at `start`."""
        text = self.text
        while True:
            match = SEGMENT.match(text, position, self.end)
            if match is None:
                raise self.unclosed_string(position, kind)
            value, stop = match[1], match.end()
            if "\\" in value:
                value = unescape_double(value, self, match.start(1))
            if match[2] == '"':
                self.emit("STRING" if kind == "DQPRE" else "DQPOST", start, stop, value)
                if not self.frames:
                    self.string_token = None
                return stop
            self.emit(kind, start, stop, value)
            kind = "DQMID"
            if match[2]:
                position = self.interpolation(stop, self.string)
                if position < 0:
                    return stop
            else:
                position = self.variable(stop)
            start = position

    def unclosed_string(self, position: int, kind: str) -> PuppetError:
        """The error for a double quoted string without end."""
        last = LAST_DOLLAR.match(self.text, position, self.end)
        if last:
            return self.unclosed_quote("", last.end())
        if kind == "DQPRE":
            return self.unclosed_quote('"', position)
        _, end, value = self.tokens[-1]
        after = self.read_last(end, 0) if self.text[position - 1] == "}" else str(value)
        return self.unclosed_quote(after, position)

    def read_last(self, end: int, first: int) -> str:
        """The text of the last token from the number `first` on that is no mark, if only marks are behind it."""
        for index in range(len(self.tokens) - 1, first - 1, -1):
            start, stop, _ = self.tokens[index]
            if stop != end or self.types[index] in NOT_READ:
                break
            if self.types[index] not in MARKS:
                text = self.text[start:stop]
                return text if text[-1:] not in ("'", '"') else text[-2:] if len(text) > 2 else text[-1]
            end = start
        return ""

    def variable(self, start: int) -> int:
        """Reads `$name` in a string."""
        match = VARIABLE.match(self.text, start, self.end)
        assert match is not None
        self.emit("VARIABLE", start, match.end(), match[1])
        return match.end()

    def interpolation(self, start: int, resume: Any) -> int:
        """Reads `name}` after `${`, or, giving -1, leaves what is in the braces to the loop."""
        match = SIMPLE_NAME.match(self.text, start, self.end)
        if match is None:
            self.frames.append((self.depth, len(self.types), resume))
            self.depth = 0
            return -1
        if match[1] in BOOLEANS:
            self.reject_boolean(match[1], match.start(1))
        self.emit("VARIABLE", match.start(1), match.end(1), match[1])
        return match.end()

    def reject_boolean(self, word: str, start: int) -> None:
        """Raises for `${true}`, where the released lexer fails in its own code; the specification has a variable."""
        if not self.dialect.interpolation:
            raise self.fail("BOOLEAN_AS_VARIABLE", start, start + len(word), name=word)

    def end_interpolation(self, start: int) -> int:
        """Ends a `${…}` at its `}`, and reads on in the string around it."""
        self.depth, first, resume = self.frames.pop()
        types = self.types
        single = len(types) == first + 1 or (len(types) > first and types[first + 1] in ("LBRACK", "DOT"))
        if single and types[first] == "BOOLEAN":
            self.reject_boolean(self.tokens[first][2], self.tokens[first][0])
        if len(types) == first + 1:
            if types[first] in NAMES_IN_TEXT:
                types[first] = "VARIABLE"
        elif len(types) > first and types[first + 1] in ("LBRACK", "DOT"):
            if not self.dialect.interpolation:
                if types[first] in NAMES_IN_TEXT:
                    types[first] = "VARIABLE"
            elif types[first] in LATER_KEYWORDS:
                types[first] = "NAME"
        return resume(start + 1, start + 1, "DQMID")
