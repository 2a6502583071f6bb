"""The pipeline from source text to a validated syntax tree, and what needs only its first steps.

`parse` is the pipeline; `tokenize` and `find_comments` need the lexer alone, `find_status` no validation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, compress, count
from typing import Any

from lexer_parser import validation
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.grammar.building import qualify_names
from lexer_parser.grammar.driver import RELEASED, SPECIFICATION, ParseTables, UnexpectedEnd, run_parser
from lexer_parser.lexing.lexer import Lexer
from lexer_parser.lexing.tokens import COMMENT
from lexer_parser.memo import memoize
from lexer_parser.record import Record
from lexer_parser.source import Source
from lexer_parser.tree.nodes import Program

_load_tables = memoize(unbounded_because="one for each of two grammars")(ParseTables)


def _scan(source: Source, epp: bool, dialect: Dialect, whole_strings: bool = True) -> Lexer:
    """Return a lexer that has read a source.

    Args:
        whole_strings: True to report an unclosed string before the errors in it; False to read the tokens in it, too.
    """
    lexer = Lexer(source, dialect, template=epp)
    lexer.run(whole_strings)
    return lexer


def _parse_unchecked(source: Source, epp: bool, dialect: Dialect, whole_strings: bool = True) -> Program:
    """Return the syntax tree of a source, not yet validated; see `_scan` for the arguments."""
    lexer = _scan(source, epp, dialect, whole_strings)
    tokens = chain.from_iterable(_remove_pieces(lexer.tokens))
    try:
        body = run_parser(
            _load_tables(SPECIFICATION if dialect.catalog_precedence else RELEASED),
            lexer.types,
            tokens,
            source,
            lexer.error,
        )
        if lexer.rejected is not None:
            raise lexer.rejected
    except PuppetError as error:
        if lexer.warnings:
            unread = len([*tokens])
            # The source is scanned again, because the tokens that were read have been removed.
            lexer = _scan(source, epp, dialect, whole_strings)
            error.warnings = _list_warnings(lexer, len(lexer.tokens) - unread)
        raise
    program = Program(0, len(source.text), body, source, lexer.warnings)
    if _has_inner_definitions(lexer.types):  # visiting the whole tree takes 5 % of compiling and running it
        qualify_names(program)
    return program


def _list_warnings(lexer: Lexer, count: int) -> Sequence[PuppetError]:
    """Return the warnings about the text of the first tokens.

    If the last of them is in a string, its end is included: the released parser reads a string at once.

    Args:
        count: The number of tokens that the parser has read.
    """
    open_strings = end = 0
    for number, (kind, token) in enumerate(zip(lexer.types, lexer.tokens, strict=True), 1):
        open_strings += {"DQPRE": 1, "DQPOST": -1}.get(kind, 0)
        _, end, _ = token
        if number >= count and open_strings <= 0:
            break
    return [warning for warning in lexer.warnings if warning.span is None or warning.span.start < end]


_PIECE_LENGTH = 10_000  # tokens that are removed together


def _remove_pieces(tokens: list[Any]) -> Iterator[list[Any]]:
    """Yield the tokens in pieces, in order, and remove each piece from the list.

    The tokens of a long source take more memory than its tree, so those that were read are released.
    """
    tokens.reverse()  # only the end of a list can be removed without moving the rest
    while tokens:
        piece = tokens[-_PIECE_LENGTH:]
        del tokens[-_PIECE_LENGTH:]
        piece.reverse()
        yield piece


def _has_inner_definitions(types: list[str]) -> bool:
    """Return True if there are classes or defined types in braces, and so perhaps in a class.

    Args:
        types: The types of the tokens.
    """
    open_braces = previous = 0  # `previous` is the position of the previous keyword
    # The positions of the keywords. A `for` statement over all tokens would take a twentieth of the time of parsing.
    for position in compress(count(), map({"CLASS", "DEFINE"}.__contains__, types)):
        between = types[previous:position]
        open_braces += between.count("LBRACE") + between.count("SELBRACE") - between.count("RBRACE")
        if open_braces and types[position + 1] != "LBRACE":  # `class { 'a': }` is not a definition
            return True
        previous = position
    return False


def parse(
    source: str,
    dialect: Dialect,
    epp: bool = False,
    name: str | None = None,
    validate: bool = True,
    interactive: bool = False,
    strict: str | None = None,
    modulepath: Sequence[str] | None = (),
) -> Program:
    """Parse and validate a manifest, or a template.

    Args:
        source: The text.
        dialect: The dialect in which it is written.
        epp: True if it is a template.
        name: The file name in messages.
        validate: True to check the rules of `lexer_parser.validation`.
        interactive: True to allow a statement without effect, as in a notebook.
        strict: The severity of duplicate keys: "off", "warning" or "error"; None for the default of the dialect.
        modulepath: The folders that contain modules: a file of a module may define only names that match its path. None
            to permit all names.

    Returns:
        The syntax tree. Its `warnings` are the warnings of validation.

    Raises:
        PuppetError: A syntax error, the only error that validation found, or LANGUAGE_VALIDATION with several errors as
            `related`.
    """
    named_source = Source(source, name)
    try:
        program = _parse_unchecked(named_source, epp, dialect)
    except PuppetError as error:
        # Advice takes 5 ms to load and is needed only for programs with an error.
        from lexer_parser.diagnostics.advice import add_advice

        # Only an UnexpectedToken has expected tokens.
        raise add_advice(error, named_source, epp, getattr(error, "expected", ())) from None
    if validate:
        diagnostics = validation.validate(
            program, dialect, parse, file=name, interactive=interactive, strict=strict, modulepath=modulepath
        )
        program.warnings += [each.error for each in diagnostics if each.severity != "error"]
        summary = validation.summarize_errors(diagnostics)
        if summary is not None:
            summary.warnings = program.warnings
            raise summary
    return program


def tokenize(source: str, dialect: Dialect, epp: bool = False) -> list[tuple[str, Any, int, int]]:
    """Return the tokens as (released name, value, start, end). Raises PuppetError."""
    lexer = _scan(Source(source), epp, dialect)
    if lexer.error is not None:
        raise lexer.error
    return [
        (kind, value, start, end)
        for kind, (start, end, value) in zip(lexer.types[:-1], lexer.tokens[:-1], strict=True)
    ]


class Status(Record):
    """The status of an input.

    Attributes:
        kind: "complete", "incomplete" or "invalid".
        indent: The spaces at the beginning of the next line.
    """

    kind: str
    indent: str = ""

    def __repr__(self) -> str:
        return f"Status({self.kind!r}, {self.indent!r})"


def find_status(source: str, dialect: Dialect, epp: bool = False) -> Status:
    """Return the status of an input, which follows from the error of the parser."""
    try:
        _parse_unchecked(Source(source), epp, dialect, whole_strings=False)
    except UnexpectedEnd as end:
        return Status("incomplete", "  " * end.nesting)
    except PuppetError as error:
        return Status("incomplete" if error.incomplete else "invalid")
    return Status("complete")


def find_comments(source: str, dialect: Dialect) -> list[tuple[int, int, str]]:
    """Return the comments of a manifest as (start, end, text). Raises PuppetError.

    Comments are between the tokens: the same characters in a string are part of a token.
    """
    comment = re.compile(COMMENT)
    comments, position, length = [], 0, len(source)
    tokens = sorted(tokenize(source, dialect), key=lambda token: token[2:])
    for kind, _, start, end in [*tokens, ("$end", None, length, length)]:
        if kind == "SUBLOCATE":  # the text of a heredoc; its end line is not part of any token
            newline = source.find("\n", end)
            end = newline if newline >= 0 else length
        comments += [(m.start(), m.end(), m[0]) for m in comment.finditer(source, position, start)]
        position = max(position, end)
    return comments
