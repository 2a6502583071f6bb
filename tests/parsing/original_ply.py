"""The original PLY: its lexer with our rules, its parser with our grammar."""

import re
from typing import Any

from ply import lex

from lexer_parser.dialect import Dialect
from lexer_parser.grammar.building import qualify_names
from lexer_parser.grammar.driver import RELEASED, SPECIFICATION, Grammar
from lexer_parser.grammar.generate import build_parser
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.lexing.strings import unescape_single
from lexer_parser.lexing.tokens import PLAIN, RULES, SKIPPED, STRICT_RULES
from lexer_parser.source import Source
from lexer_parser.tree.nodes import Program


class _Tokens:
    """The rules for PLY's lexer; the action of each emits our tokens for the matched text."""

    def __init__(self, lexer: Lexer, dialect: Dialect) -> None:
        self.lexer = lexer
        self.tokens = []
        special = STRICT_RULES if dialect.strict_names else {}
        skipped = ("SKIPPED", rf"(?=[ \t\r\n]|/\*|\#){SKIPPED}")
        for number, (name, rule) in enumerate([skipped, *RULES[:-2]]):
            # PLY tries rules of the same line in the order of their names.
            self.tokens.append(f"RULE{number:02}")
            setattr(self, f"t_RULE{number:02}", self._rule(name, special.get(name, rule)))

    def _rule(self, name: str, regex: str) -> Any:
        action = getattr(self, f"_{name.lower()}", None)

        def rule(token: Any) -> Any:
            end = token.lexer.lexpos
            if name == "SKIPPED":
                return None
            if action is not None:
                token.lexer.lexpos = action(token.lexpos, end, token.value)
            else:
                kind = {"QUOTED": "STRING", "TEXT": "STRING"}.get(name, name)
                value = token.value
                if kind == "STRING":
                    value = value[1:-1] if name == "TEXT" else unescape_single(value[1:-1])
                self.lexer.emit(kind, token.lexpos, end, value)
            return token

        rule.__doc__ = regex
        rule.regex = regex  # type: ignore[attr-defined]
        return rule

    def _name(self, start: int, end: int, text: str) -> int:
        self.lexer.emit(PLAIN.get(text, "NAME"), start, end, text)
        return end

    _operator = _name

    def _word(self, start: int, end: int, text: str) -> int:
        kind = "WORD" if "-" in text or "::_" in text or text.startswith("_") else "NAME"
        self.lexer.emit(kind, start, end, text)
        return end

    def _variable(self, start: int, end: int, text: str) -> int:
        self.lexer.emit("VARIABLE", start, end, text[1:])
        return end

    def _brace(self, start: int, end: int, text: str) -> int:
        lexer = self.lexer
        if text == "}" and not lexer.depth and lexer.suspended:
            return lexer.end_interpolation(start)
        lexer.depth += 1 if text == "{" else -1
        opening = "SELBRACE" if lexer.types[-1] == "QMARK" else "LBRACE"
        lexer.emit(opening if text == "{" else "RBRACE", start, end, text)
        return end

    def _opening(self, start: int, end: int, text: str) -> int:
        self.lexer.emit(self.lexer.classify_opening(start), start, end, text)
        return end

    def _special(self, start: int, end: int, text: str) -> int:
        return self.lexer.read_special(start)

    def t_error(self, token: Any) -> None:
        token.lexer.lexpos = self.lexer.read_rare(None, token.lexpos)


class _Stream:
    """The input of PLY's parser: the emitted tokens, one at a time."""

    def __init__(self, source: Source, dialect: Dialect) -> None:
        self.lexer = Lexer(source, dialect)
        self.ply = lex.lex(object=_Tokens(self.lexer, dialect), reflags=re.ASCII, errorlog=lex.NullLogger())
        self.ply.input(source.text)
        self.index = 1

    def token(self) -> Any:
        # The type of the first token of `${…}` is only known when the end of the interpolation has been read.
        while self.index == len(self.lexer.types) or self.lexer.suspended:
            if self.ply.token() is None and self.index == len(self.lexer.types):
                return None
        token = lex.LexToken()
        token.type = self.lexer.types[self.index]
        token.value = self.lexer.tokens[self.index]
        token.lineno, token.lexpos = 1, token.value[0]
        self.index += 1
        return token


_parsers: dict[Grammar, Any] = {}


def parse(text: str, dialect: Dialect) -> Program:
    """Return the tree that the original PLY makes of a manifest without errors and heredocs."""
    source = Source(text)
    grammar = SPECIFICATION if dialect.catalog_precedence else RELEASED
    if grammar not in _parsers:
        _parsers[grammar] = build_parser(grammar)[0]
    body = _parsers[grammar].parse(lexer=_Stream(source, dialect))
    program = Program(0, len(text), body, source)
    qualify_names(program)
    return program
