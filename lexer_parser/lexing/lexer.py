"""The lexer: one pass of the master pattern over the text, which fills two parallel lists.

`run` reads a source. It calls `scan`, the fast loop; the other methods read what the loop leaves to them.

`types` holds the token names, `tokens` the triples (start, end, value). Strings with interpolation, heredocs,
regular expressions and template tags leave the fast loop through `read_special`, which returns the offset at which
to continue. A lexical error does not stop the parser before it gets there: the error becomes the last token, `ERROR`,
and is raised when the parser reads it.
"""

from __future__ import annotations

import re
from typing import Any

from lexer_parser.errors import PuppetError
from lexer_parser.lazy import LazyPattern
from lexer_parser.lexing.strings import (
    QUOTED_STRING,
    StringLexer,
    read_tag_end,
    read_template_start,
    unescape_single,
)
from lexer_parser.lexing.tokens import (
    ABSOLUTE_NAME,
    ATTRIBUTE_KEYWORDS,
    BEFORE_DIVISION,
    BEFORE_HASH,
    BLANKS,
    CLOSING,
    DEFINING,
    IN_HEADING,
    MOST_EXAMINED,
    OPENERS,
    PLAIN,
    RULES,
    SKIPPED,
)
from lexer_parser.regexps.writing import remove_anchors, show_source

NUMERAL = LazyPattern(r"(?:0[xX][0-9A-Fa-f]++|[0-9]++(?:\.[0-9]++)?(?:[eE]-?[0-9]++)?)(?!\w)", re.ASCII)
NUMERAL_RUN = LazyPattern(r"[0-9]+\.[0-9]\w*|\w+", re.ASCII)
# The values of `match.lastindex`, in the order of tokens.RULES. The frequent ones are first, for the fast loop.
NAME, OPERATOR, QUOTED, VARIABLE_, BRACE, OPENING, TEXT, SPECIAL, CLASSREF, NUMBER, WORD, END, OTHER = range(
    1, len(RULES) + 1
)
_ABSOLUTE_NAME = LazyPattern(ABSOLUTE_NAME, re.ASCII)
REGEXP = LazyPattern(r"/([^/\\]*+(?:\\[\s\S][^/\\]*+)*+)/")
CLASS_REFERENCE = LazyPattern(r"(?:::)?[A-Z]\w*+(?:::[A-Z]\w*+)*+", re.ASCII)
_HASH_START = LazyPattern(
    rf"""\{{{SKIPPED}(?:'[^'\\]*+'|"[^"$\\]*+"|[0-9][\w.]*+|([a-z]\w*+)){SKIPPED}=>""", re.ASCII
)
SPACE = frozenset(BLANKS + "\n")


def is_word_character(character: str) -> bool:
    """Return whether a character beyond ASCII continues a word that begins with a digit."""
    from unicodedata import category

    # Letters, marks, numbers, and connectors such as the underscore.
    return category(character)[0] in "LMN" or category(character) == "Pc"


class Lexer(StringLexer):
    """The lexer of one source; `LexerState` describes its attributes."""

    __slots__ = ()

    def run(self, whole_strings: bool = True) -> None:
        """Read all tokens; the last one is `$end`, or `ERROR` after a lexical error.

        Args:
            whole_strings: True to drop the tokens of an unclosed string, so that it is reported before errors in it.
        """
        try:
            self.refuse_if(
                self.text.startswith("\ufeff"), "ILLEGAL_BOM", 0, 1, format="UTF-8", bytes="EF BB BF"
            )
            if self.template:
                self.position = read_template_start(self)
            self.scan()
        except PuppetError as error:
            self.error = error
            if whole_strings and self.string_token is not None:
                del self.types[self.string_token :], self.tokens[self.string_token :]
            self.emit("ERROR", self.end, self.end, None)
        else:
            self.emit("$end", self.end, self.end, None)
        del self.types[0], self.tokens[0]  # START, so that `types[-1]` exists
        if self.dialect.catalog_grammar and "<|" in self.text:
            self._name_attributes()

    def _name_attributes(self) -> None:
        """Turn keywords that a query compares into names, as names of attributes may be."""
        types, is_query = self.types, False
        for index, kind in enumerate(types):
            is_query = kind in ("LCOLLECT", "LLCOLLECT") or (
                is_query and kind not in ("RCOLLECT", "RRCOLLECT")
            )
            if is_query and kind in ATTRIBUTE_KEYWORDS and types[index + 1] in ("ISEQUAL", "NOTEQUAL"):
                types[index] = "NAME"

    def scan(self) -> None:
        """Read tokens in the fast loop.

        A method that reads a special token returns the offset at which the loop continues, -1 at the end.
        """
        text, types = self.text, self.types
        add_type, add_token = types.append, self.tokens.append
        finditer, plain = self.pattern.finditer, PLAIN.get
        position, depth = self.position, self.depth
        has_list_start = self.dialect.list_start
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
                        if has_list_start and types[-1] in BEFORE_HASH and self._begins_hash(start):
                            self.emit("SEMIC", start, end, word)
                        add_type("LBRACE" if types[-1] != "QMARK" else "SELBRACE")
                        add_token((start, end, word))
                    elif depth or not self.suspended:
                        depth -= 1
                        add_type("RBRACE")
                        add_token((start, end, word))
                    else:
                        position = self.end_interpolation(start)
                        depth = self.depth
                        break
                elif kind == OPENING:
                    add_type(self.classify_opening(start))
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
                    add_type("NAME" if _ABSOLUTE_NAME.fullmatch(word) else "WORD")
                    add_token((start, end, word))
                else:
                    self.depth = depth
                    position = self.read_special(start) if kind == SPECIAL else self.read_rare(kind, start)
                    depth = self.depth
                    break

    # --- Tokens that depend on their context

    def classify_opening(self, start: int) -> str:
        """Return the kind of the bracket or parenthesis that opens at `start`.

        LBRACK is an access, LISTSTART begins an array, and WSLPAREN is a parenthesis at the beginning of a line. In a
        dialect in which a name calls the array behind it, a semicolon is added before an array on another line.
        """
        text = self.text
        before = text[start - 1] if start else "\n"
        if text[start] == "[":
            if before not in SPACE or self._is_access(start):
                return "LBRACK"
            if self.dialect.list_start and self.types[-1] == "NAME" and not self._is_on_same_line(start):
                self.emit("SEMIC", start, start + 1, "[")
            return "LISTSTART"
        if before not in SPACE:
            return "LPAREN"
        _, last_end, _ = self.tokens[-1]
        between = text[last_end:start]
        newline = between.rfind("\n")
        on_new_line = newline >= 0 or len(self.types) == 1
        return "WSLPAREN" if on_new_line and not between[newline + 1 :].strip(BLANKS) else "LPAREN"

    def _is_access(self, start: int) -> bool:
        """Return whether a `[` behind a blank is an access, in a dialect that has such."""
        if not self.dialect.list_start or self.types[-1] == "NAME":
            return False
        if self._is_on_same_line(start):
            return self.types[-1] != "RBRACE" or not self._ends_definition()
        return self.types[-1] == "VARIABLE"

    def _ends_definition(self) -> bool:
        """Return whether the last brace ends a definition, which has no value.

        Only some tokens are examined, so that the time stays linear: an array on the line of a definition follows a
        short one.
        """
        depth, following = 0, ""
        for kind in reversed(self.types[-MOST_EXAMINED:]):
            if kind in CLOSING:
                depth += 1
            elif kind in OPENERS:
                depth -= 1
            if depth == 0 and kind not in IN_HEADING:
                return kind in DEFINING and following != "LBRACE"  # `class { 'a': }` declares a class
            following = kind
        return False

    def _begins_hash(self, start: int) -> bool:
        """Return whether a brace on a new line is no body: a key and an arrow follow.

        The key is a literal, or a word if the brace follows a closing one.
        """
        if self._is_on_same_line(start):
            return False
        match = _HASH_START.match(self.text, start)
        return match is not None and (match[1] is None or self.types[-1] == "RBRACE")

    def _is_on_same_line(self, start: int) -> bool:
        """Return True if no line end is between the last token and an offset."""
        _, last_end, _ = self.tokens[-1]
        return self.text.find("\n", last_end, start) < 0

    def read_special(self, start: int) -> int:
        """Read a string, regular expression, heredoc or template tag; return the offset behind it."""
        mark = self.text[start]
        if mark == '"':
            if not self.suspended:
                self.string_token = len(self.types)
            return self.read_string(QUOTED_STRING, start, start + 1, "DQPRE")
        if mark == "/":
            return self.read_slash(start)
        if mark == "@":
            # Its patterns take 0.6 ms to compile, a fifth of the import of the parser.
            from lexer_parser.lexing.heredocs import HeredocReader

            return HeredocReader(self, start).read()
        return read_tag_end(self, start)

    def read_slash(self, start: int) -> int:
        """Read a regular expression where one is possible, or a division."""
        text = self.text
        self.refuse_if(text.startswith("/*", start), "UNCLOSED_MLCOMMENT", start, self.end)
        match = None if self._previous_kind() in BEFORE_DIVISION else REGEXP.match(text, start, self.end)
        if match is None:
            self.emit("DIV", start, start + 1, "/")
            return start + 1
        # It takes 3 ms to load, and most programs have no regular expression.
        from lexer_parser.regexps.parser import find_regexp_error

        regexp, end = match[1].replace("\\/", "/"), match.end()
        if self.dialect.regexp_form:
            self.refuse_if(text[end : end + 1].isalpha(), "REGEXP_OPTIONS", end, end + 1)
            regexp = remove_anchors(regexp)
        reason = find_regexp_error(regexp)
        if reason is not None:
            raise self.make_error("INVALID_REGEXP", start, end, reason=reason, pattern=show_source(match[1]))
        self.emit("REGEX", start, end, regexp)
        return end

    def _previous_kind(self) -> str:
        """Return the kind of token before a slash; in front of `${…}` the text of the string does not count."""
        index = len(self.types) - 1
        while True:
            kind = self.types[index]
            if kind == "DQPRE":
                index -= 1
            elif kind == "DQMID" and self.text[self.tokens[index][0] - 1] == "}":
                return "RBRACE"
            elif kind == "DQMID":
                index -= 2  # the text behind `$name`, and the variable
            else:
                return kind

    def read_rare(self, kind: int, start: int) -> int:
        """Read the end of the text, or what matches no other rule; return -1 at the end."""
        if kind == END:
            return self.finish_text()
        character = self.text[start]
        if "0" <= character <= "9":
            return self.read_number(start)
        if character == "'":
            raise self.make_unclosed_quote_error("'", start + 1)
        if character == "$":
            self.emit("VARIABLE", start, start + 1, "")
        elif self.text.startswith("::", start) or "A" <= character <= "Z":
            reference = CLASS_REFERENCE.match(self.text, start, self.end)
            if reference:
                is_absolute = reference[0].startswith("::")
                raise self.make_error(
                    "ILLEGAL_CLASS_REFERENCE",
                    reference.end() + (3 if is_absolute else 1),  # where the released lexer reports the error
                    kind="fully qualified class" if is_absolute else "class",
                )
            raise self.make_error("ILLEGAL_FULLY_QUALIFIED_NAME", start + 2)
        elif character not in BLANKS:
            # The released lexer processes bytes here.
            for _ in character.encode("utf-8", "replace"):
                self.emit("OTHER", start, start + 1, "")
        return start + 1

    def finish_text(self) -> int:
        """Return the offset behind the heredocs of a line; -1 at the end of the text."""
        if self.after_heredocs is not None:
            # Never backwards, not even if the line of the header has no end.
            position, self.after_heredocs = max(self.after_heredocs, self.end), None
            self.end = len(self.text)
            return position
        if self.suspended:
            if (
                len(self.suspended) == 1
                and self.text is not self.source.text
                and not self.dialect.interpolation
            ):
                # In the released Puppet the end of the heredoc closes its interpolation.
                return self.end_interpolation(self.end, width=0)
            _, first, _ = self.suspended[-1]
            raise self.make_unclosed_quote_error(self.last_token_text(self.end, first), self.end)
        self.refuse_if(self.open_tag, "EPP_UNBALANCED_TAG", self.end)
        return -1

    # --- Numbers

    def read_number(self, start: int) -> int:
        """Read a number other than a plain decimal integer."""
        text = self.text
        match = NUMERAL.match(text, start, self.end)
        if match is None:
            start = self.find_start_of_run(start)
            run = NUMERAL_RUN.match(text, start, self.end)
            raise self.make_number_error(run[0] if run else "", start)
        value, end = match[0], match.end()
        whole, point, _ = value.partition(".")
        is_octal = len(whole) > 1 and whole[0] == "0" and whole[1] not in "xX"
        if is_octal and (point or whole.strip("01234567")):
            raise self.make_error("INVALID_OCTAL_NUMBER", start, end, value=value)
        if text[end : end + 1] > "\x7f" and is_word_character(text[end]):
            start = self.find_start_of_run(start)
            raise self.make_error("ILLEGAL_NUMBER", start + 1, value=text[start:end])
        self.emit("NUMBER", start, end, value)
        return end

    def find_start_of_run(self, start: int) -> int:
        """Return the offset of the digits before a point that precedes `start`, or else `start`."""
        digits = start
        if self.text[start - 1 : start] == ".":
            digits = len(self.text[: start - 1].rstrip("0123456789"))
        return digits if digits < start - 1 else start

    def make_number_error(self, value: str, start: int) -> PuppetError:
        """Return the error for a run of digits and letters that is no number."""
        whole, dot, _ = value.partition(".")
        if whole[:2] in ("0x", "0X"):
            code = "INVALID_HEX_NUMBER"
        elif len(whole) > 1 and whole[0] == "0":
            code = "INVALID_OCTAL_NUMBER"
        elif dot or whole.lstrip("0123456789")[:1] in ("e", "E"):
            code = "INVALID_DECIMAL_NUMBER"
        else:
            code = "ILLEGAL_NUMBER"
        return self.make_error(code, start, start + len(value), value=value)
