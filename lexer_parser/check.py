"""A check that reports all errors of a text at once: after a syntax error it goes on at the next statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lexer_parser.diagnostics.recovery import find_statement, is_consequence
from lexer_parser.dialect import Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.lint import find_hints
from lexer_parser.parsing import parse
from lexer_parser.source import Source, Span
from lexer_parser.tree.nodes import Program
from lexer_parser.validation.validator import validate
from lexer_parser.validation.walk import Diagnostic

MOST_ERRORS = 10
# A statement taken out may leave a value last that was not.
CONSEQUENCES = frozenset(("IDEM_EXPRESSION_NOT_LAST", "IDEM_NOT_ALLOWED_LAST"))


def check(source: str, dialect: Dialect, name: str | None = None) -> list[PuppetError]:
    """Return the errors of a manifest in the order of the text, ten at most."""
    return [found.error for found in find_problems(source, dialect, name) if found.severity == "error"]


def find_problems(
    source: str,
    dialect: Dialect,
    name: str | None = None,
    *,
    epp: bool = False,
    path: str | None = None,
    modulepath: Sequence[str] = (),
    look: Callable[[Program], Sequence[Diagnostic]] | None = None,
) -> list[Diagnostic]:
    """Return errors, ten at most, and warnings of a manifest or template, in the order of the text.

    The statement with a syntax error is blanked out and the rest is parsed again. An error that may only be a
    consequence of an earlier one is left out. Validation checks what could be parsed.

    Args:
        source: The text.
        dialect: The dialect in which it is written.
        name: The file to show in messages.
        epp: Whether it is a template.
        path: The absolute path of the file, if `name` is a shorter one.
        modulepath: The folders that hold modules, whose files may define only the names that belong to their paths.
        look: Returns further findings for a program without syntax errors.
    """
    try:
        program = parse(source, epp=epp, name=name, dialect=dialect, validate=False)
    except PuppetError as error:
        return _check_after_error(source, name, dialect, error, epp, path or name, modulepath)
    found = _check_statically(program, dialect, path or name, modulepath)
    if look is not None:
        found += look(program)
    return sorted(found, key=_get_offset) if len(found) > 1 else found


def _check_statically(
    program: Program, dialect: Dialect, path: str | None, modulepath: Sequence[str]
) -> list[Diagnostic]:
    """Return the findings of parser, linter and validation for a parsed program, with ten errors at most."""
    found = [Diagnostic(warning, "warning") for warning in program.warnings]
    found += [Diagnostic(hint, "warning") for hint in find_hints(program.body, program.source, dialect)]
    errors = 0
    for diagnostic in validate(program, dialect, parse, file=path, modulepath=modulepath):
        errors += diagnostic.severity == "error"
        if diagnostic.severity != "error" or errors <= MOST_ERRORS:
            found.append(diagnostic)
    return found


def _check_after_error(
    source: str,
    name: str | None,
    dialect: Dialect,
    error: PuppetError,
    epp: bool,
    path: str | None,
    modulepath: Sequence[str],
) -> list[Diagnostic]:
    """Return the first syntax error, and the findings in the rest."""
    original = Source(source, name)
    text, read_to = source, 0
    found = [Diagnostic(error, "error")]
    while error.span is not None and not epp and len(found) < MOST_ERRORS:
        start = error.span.start
        begin, read_to = find_statement(Source(text, name), start)
        if read_to <= begin:
            break
        text = text[:begin] + _replace_by_blanks(text[begin:read_to]) + text[read_to:]
        try:
            program = parse(text, name=name, dialect=dialect, validate=False)
        except PuppetError as following:
            error = following
            if error.span is None or error.span.start < max(read_to, start + 1):
                break
            if is_consequence(original, error.span.start):
                break
            found.append(Diagnostic(error, "error"))
            continue
        static = _check_statically(program, dialect, path, modulepath)
        found += [diagnostic for diagnostic in static if diagnostic.error.code not in CONSEQUENCES]
        break
    for diagnostic in found:
        _move_to_original(diagnostic.error, original)
    ordered = sorted(found, key=_get_offset)
    too_many = [diagnostic for diagnostic in ordered if diagnostic.severity == "error"][MOST_ERRORS:]
    return [diagnostic for diagnostic in ordered if diagnostic not in too_many]


def _get_offset(found: Diagnostic) -> int:
    """Return the offset of a finding."""
    return found.error.span.start if found.error.span is not None else 0


def _move_to_original(error: PuppetError, original: Source) -> None:
    """Move the spans of an error into the original text."""
    holders: tuple[PuppetError | Note, ...] = (error, *error.notes)
    for holder in holders:
        if holder.span is not None:
            holder.span = Span(original, holder.span.start, holder.span.end)


def _replace_by_blanks(text: str) -> str:
    """Return blanks in place of a text; line ends stay."""
    return "".join(character if character == "\n" else " " for character in text)
