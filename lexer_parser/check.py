"""A check that reports all errors of a text at once.

`puppet-repl --check` and `evaluator.check` use it. After a syntax error it continues at the next statement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lexer_parser.diagnostics.tokens import DEFINING, TokenContext
from lexer_parser.dialect import Dialect
from lexer_parser.errors import Note, PuppetError
from lexer_parser.lexing.tokens import CLOSING, OPENERS
from lexer_parser.lint import find_hints
from lexer_parser.parsing import parse
from lexer_parser.source import Source, Span
from lexer_parser.tree.nodes import Program
from lexer_parser.validation import validate
from lexer_parser.validation.walk import Diagnostic

MOST_ERRORS = 10  # errors that are reported
# Errors that removing a statement may cause, because another statement becomes the last one.
CONSEQUENCES = frozenset(("IDEM_EXPRESSION_NOT_LAST", "IDEM_NOT_ALLOWED_LAST"))


def find_problems(
    source: str,
    dialect: Dialect,
    name: str | None = None,
    *,
    epp: bool = False,
    path: str | None = None,
    modulepath: Sequence[str] = (),
    find_further: Callable[[Program], Sequence[Diagnostic]] | None = None,
) -> list[Diagnostic]:
    """Return the errors and warnings of a manifest or template in the order of the text.

    There are ten errors at most. The statement with a syntax error is blanked out and the rest is parsed again. An
    error that may only be a consequence of an earlier one is left out. Validation checks what could be parsed.

    Args:
        source: The text.
        dialect: The dialect in which it is written.
        name: The file name in messages.
        epp: True if it is a template.
        path: The absolute path of the file, if `name` is a shorter one.
        modulepath: The folders that contain modules; files of modules may define only names that match their paths.
        find_further: Returns findings in addition to those of this package, for a program without syntax errors.
    """
    try:
        program = parse(source, epp=epp, name=name, dialect=dialect, validate=False)
    except PuppetError as error:
        return _check_after_error(
            source, name, dialect, error, epp=epp, path=path or name, modulepath=modulepath
        )
    problems = _check_statically(program, dialect, path or name, modulepath)
    if find_further is not None:
        problems += find_further(program)
    return sorted(problems, key=_get_offset) if len(problems) > 1 else problems


def _check_statically(
    program: Program, dialect: Dialect, path: str | None, modulepath: Sequence[str]
) -> list[Diagnostic]:
    """Return the findings for a parsed program, with ten errors at most."""
    problems = [Diagnostic(warning, "warning") for warning in program.warnings]
    problems += [Diagnostic(hint, "warning") for hint in find_hints(program.body, program.source, dialect)]
    problems += validate(program, dialect, parse, file=path, modulepath=modulepath)
    return _drop_surplus_errors(problems)


def _drop_surplus_errors(problems: list[Diagnostic]) -> list[Diagnostic]:
    """Return findings without the errors behind the tenth one."""
    surplus = {*[problem for problem in problems if problem.severity == "error"][MOST_ERRORS:]}
    return [problem for problem in problems if problem not in surplus]


def _check_after_error(
    source: str,
    name: str | None,
    dialect: Dialect,
    error: PuppetError,
    *,
    epp: bool,
    path: str | None,
    modulepath: Sequence[str],
) -> list[Diagnostic]:
    """Return the first syntax error, and the findings in the rest."""
    original = Source(source, name)
    text = source  # the source without the statements that have a syntax error
    problems = [Diagnostic(error, "error")]
    while error.span is not None and not epp and len(problems) < MOST_ERRORS:
        begin, end = find_statement(Source(text, name), error.span.start)
        if end <= begin:
            break
        blanks = "\n".join(" " * len(line) for line in text[begin:end].split("\n"))
        text = text[:begin] + blanks + text[end:]
        try:
            program = parse(text, name=name, dialect=dialect, validate=False)
        except PuppetError as next_error:
            # An error before this offset is in what has been checked or is blanked out.
            further = max(end, error.span.start + 1)
            span = next_error.span
            if span is None or span.start < further or is_consequence(original, span.start):
                break
            error = next_error
            problems.append(Diagnostic(error, "error"))
        else:
            static = _check_statically(program, dialect, path, modulepath)
            problems += [problem for problem in static if problem.error.code not in CONSEQUENCES]
            break
    for problem in problems:
        _move_to_original(problem.error, original)
    return _drop_surplus_errors(sorted(problems, key=_get_offset))


def _get_offset(problem: Diagnostic) -> int:
    """Return the offset of a finding."""
    return problem.error.span.start if problem.error.span is not None else 0


def _move_to_original(error: PuppetError, original: Source) -> None:
    """Move the spans of an error into the original text."""
    holders: tuple[PuppetError | Note, ...] = (error, *error.notes)
    for holder in holders:
        if holder.span is not None:
            holder.span = Span(original, holder.span.start, holder.span.end)


# --- Where checking continues after a syntax error


CONTINUATIONS = ("else", "elsif")
STATEMENT_STARTS = frozenset(
    (
        "NAME",
        "CLASSREF",
        "VARIABLE",
        "AT",
        "ATAT",
        "IF",
        "UNLESS",
        "CASE",
        "CLASS",
        "DEFINE",
        "FUNCTION",
        "NODE",
        "TYPE",
        "WORD",
    )
)


def find_statement(source: Source, offset: int) -> tuple[int, int]:
    """Return the start and the end of the statement around an error at `offset`.

    It ends where the next statement begins, or its body ends. Brackets cannot be trusted around a syntax error, so the
    layout decides: a statement begins on a line of its own, and continues as long as the lines are indented deeper, and
    until as many brackets are closed as opened. If that does not determine the statement, the range is empty. In the
    parameters of a definition it is only the parameter at fault.
    """
    tokens = TokenContext(source, offset)
    parameter = find_parameter(tokens)
    if parameter is not None:
        return parameter
    begin = find_statement_start(tokens)
    if begin is None:
        return offset, offset
    start, indent = tokens.starts[begin], tokens.indent_of(begin)
    missing: list[str] = []  # the closing brackets of the open brackets
    for index in range(begin, len(tokens.kinds)):
        kind = tokens.kinds[index]
        is_behind_error = index > tokens.index
        if is_behind_error and not missing and tokens.line_of(index) != tokens.line_of(index - 1):
            line_indent = tokens.indent_of(index)
            starts_statement = kind in STATEMENT_STARTS and line_indent <= indent
            closes_body = kind in CLOSING and line_indent < indent
            if starts_statement or closes_body:
                return start, tokens.starts[index]
        if kind in OPENERS:
            missing.append(OPENERS[kind])
        elif kind in CLOSING and not missing:
            return (start, tokens.starts[index]) if is_behind_error else (start, start)
        elif kind in CLOSING and CLOSING[kind] in missing:
            while missing.pop() != CLOSING[kind]:  # a bracket of another kind is not closed
                pass
    return (start, start) if missing else (start, len(source.text))


def is_consequence(source: Source, offset: int) -> bool:
    """Return True if an error may be only a consequence of an earlier one.

    That is an error at the end of the text, at the `else` of an `if` that was blanked out, and at a closing bracket
    if the text has more closing than opening ones of its kind.

    Args:
        source: The original source.
        offset: The offset of the error.
    """
    text = source.text
    if offset >= len(text) or text.startswith(CONTINUATIONS, offset):
        return True
    bracket = text[offset]
    if bracket not in CLOSING.values():
        return False
    kinds = TokenContext(source, None).kinds
    opened = sum(OPENERS.get(kind) == bracket for kind in kinds)
    return opened < sum(CLOSING.get(kind) == bracket for kind in kinds)


def find_parameter(tokens: TokenContext) -> tuple[int, int] | None:
    """Return the range of the faulty parameter of a definition, up to the next parameter.

    The result is None if the error is not in such a list, or if the parameters are not on lines of their own.
    """
    # In `define name(` and `define name {` the keyword is two tokens before the bracket.
    openers = [opener for opener in tokens.open_brackets if tokens.kinds[max(opener - 2, 0)] in DEFINING]
    if not openers or tokens.kinds[openers[-1]] == "LBRACE":
        return None
    if tokens.open_brackets[-1] == openers[-1] and tokens.kind(0) == "LBRACE":
        return None  # the list is not closed before the body begins
    starts = [
        index
        for index in tokens.list_outer(openers[-1] + 1, tokens.index + 1)
        if tokens.kinds[index] not in CLOSING and tokens.line_of(index) != tokens.line_of(index - 1)
    ]
    if starts and starts[-1] == tokens.index and tokens.kind(-1) != "COMMA":
        starts.pop()  # the parameter before it is incomplete
    if not starts:
        return None
    start, indent = tokens.starts[starts[-1]], tokens.indent_of(starts[-1])
    end = start
    while (end := tokens.text.find("\n", end) + 1) > 0:
        line = tokens.text[end:].partition("\n")[0]
        line_indent = len(line) - len(line.lstrip())
        is_end = line_indent < indent or (line_indent == indent and line.strip()[:1] not in (")", "]", "}"))
        if line.strip() and is_end:
            return start, end
    return None


def find_statement_start(tokens: TokenContext) -> int | None:
    """Return the index of the token that begins the statement around the error, or None."""
    bodies = [opener for opener in tokens.open_brackets if tokens.role_of(opener) == "body"]
    first = bodies[-1] + 1 if bodies else 0
    begin, begin_line = None, 0
    for index in tokens.list_outer(first, tokens.index + 1):
        if tokens.kinds[index] in STATEMENT_STARTS and tokens.line_of(index) != begin_line:
            is_on_new_line = index == first or tokens.line_of(index - 1) != tokens.line_of(index)
            # A line that is indented deeper continues the statement.
            if is_on_new_line and (begin is None or tokens.indent_of(index) <= tokens.indent_of(begin)):
                begin, begin_line = index, tokens.line_of(index)
    return begin
