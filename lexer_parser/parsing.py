"""From source text to a checked tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.grammar.building import qualify
from lexer_parser.grammar.driver import Tables, UnexpectedEnd, run
from lexer_parser.grammar.grammars import RELEASED, SPECIFICATION
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.lexing.tokens import COMMENT
from lexer_parser.memo import memoize
from lexer_parser.source import Source
from lexer_parser.tree.nodes import Program
from lexer_parser.validation.validator import conclude, validate

_load_tables = memoize(owner="one for each of two grammars")(Tables)


def _scan(source: Source, epp: bool, dialect: Dialect, whole_strings: bool = True) -> Lexer:
    lexer = Lexer(source, dialect, template=epp)
    lexer.run(whole_strings)
    return lexer


def _read(source: Source, epp: bool, dialect: Dialect, whole_strings: bool = True) -> Program:
    """The tree of a source, not yet validated."""
    lexer = _scan(source, epp, dialect, whole_strings)
    body = run(
        _load_tables(SPECIFICATION if dialect.catalog_precedence else RELEASED),
        lexer.types,
        _released(lexer.tokens),
        source,
        lexer.error,
    )
    program = Program(0, len(source.text), body, source, lexer.warnings)
    if _definitions(lexer.types) > 1:
        qualify(program)
    return program


_AT_ONCE = 10_000


def _released(tokens: list[Any]) -> Iterable[Any]:
    """The tokens, each gone when the parser has read on: of a long source they take more room than its tree."""
    if len(tokens) <= _AT_ONCE:
        return tokens
    tokens.reverse()

    def pieces() -> Iterator[list[Any]]:
        while tokens:
            piece = tokens[-_AT_ONCE:]
            del tokens[-_AT_ONCE:]
            piece.reverse()
            yield piece

    return chain.from_iterable(pieces())


def _definitions(types: list[str]) -> int:
    """How many classes and defined types the tokens define."""
    count, classes, position = types.count("DEFINE"), types.count("CLASS"), -1
    for _ in range(classes if count + classes > 1 else 0):
        position = types.index("CLASS", position + 1)
        count += types[position + 1] != "LBRACE"
    return count


def parse(
    source: str,
    dialect: Dialect,
    epp: bool = False,
    name: str | None = None,
    validate: bool = True,
    interactive: bool = False,
    strict: str = "warning",
    modulepath: Sequence[str] | None = (),
) -> Program:
    """Parses a manifest, or with `epp` a template; `name` is the file to show in messages.

    The files of modules, which `modulepath` tells with their folders, may define only what their paths say; None
    is for a program that was asked for itself, wherever it lies.
    Raises PuppetError: the syntax error, the one error that validation found, or LANGUAGE_VALIDATION with
    all of them as `related`. What is only worth a warning is in the program's `warnings`.
    """
    text = Source(source, name)
    try:
        program = _read(text, epp, dialect)
    except PuppetError as error:
        # Advice takes 5 ms to load and is needed only for programs with an error.
        from lexer_parser.diagnostics import add_advice

        raise add_advice(error, text, epp, getattr(error, "expected", ())) from None
    if validate:
        _validate(program, dialect, name, interactive, strict, modulepath)
    return program


def _validate(
    program: Program,
    dialect: Dialect,
    name: str | None,
    interactive: bool,
    strict: str,
    modulepath: Sequence[str] | None,
) -> None:
    diagnostics = validate(
        program, dialect, parse, file=name, interactive=interactive, strict=strict, modulepath=modulepath
    )
    if diagnostics:
        program.warnings += [found.error for found in diagnostics if found.severity != "error"]
        error = conclude(diagnostics)
        if error is not None:
            raise error


def tokenize(source: str, dialect: Dialect, epp: bool = False) -> list[tuple[str, Any, int, int]]:
    """The tokens as (name, value, start, end), named as the released Puppet names them; raises PuppetError."""
    lexer = _scan(Source(source), epp, dialect)
    if lexer.error is not None:
        raise lexer.error
    return [
        (kind, value, start, end)
        for kind, (start, end, value) in zip(lexer.types[:-1], lexer.tokens[:-1], strict=True)
    ]


class Status:
    """Whether an input is "complete", "incomplete" or "invalid", and the blanks that begin the next line."""

    __slots__ = ("indent", "kind")

    def __init__(self, kind: str, indent: str = "") -> None:
        self.kind = kind
        self.indent = indent

    def __repr__(self) -> str:
        return f"Status({self.kind!r}, {self.indent!r})"


def status(source: str, dialect: Dialect, epp: bool = False) -> Status:
    """Tells from the parser's own error whether more input could make the source a program."""
    try:
        _read(Source(source), epp, dialect, whole_strings=False)
    except UnexpectedEnd as end:
        return Status("incomplete", "  " * end.nesting)
    except PuppetError as error:
        return Status("incomplete" if error.incomplete else "invalid")
    return Status("complete")


def comments(source: str, dialect: Dialect) -> list[tuple[int, int, str]]:
    """The comments of a manifest as (start, end, text), found between the tokens; raises PuppetError."""
    comment = re.compile(COMMENT)
    found, position = [], 0
    for kind, _, start, end in sorted(tokenize(source, dialect), key=lambda token: token[2:]):
        if kind == "SUBLOCATE":  # the text of a heredoc; the line that ends it is none of its tokens
            newline = source.find("\n", end)
            end = newline if newline >= 0 else len(source)
        found += [(m.start(), m.end(), m[0]) for m in comment.finditer(source, position, start)]
        position = max(position, end)
    found += [(m.start(), m.end(), m[0]) for m in comment.finditer(source, position)]
    return found
