"""The properties that every input must have, and their checks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from lexer_parser import PUPPET, SPEC, Dialect, PuppetError, find_status, parse, to_pn
from lexer_parser.check import find_problems
from lexer_parser.printing.layout import format_program
from lexer_parser.tree import nodes
from puppet_kernel.rendering.highlight import PuppetLexer
from tests.effort import exceeds
from tests.fuzzing.inputs import Input
from tests.printing.checks import list_comments

SLOW = 0.5  # CPU seconds for an input of usual length


class Case:
    """An input and its cached parse results, for each dialect with and without validation.

    Several checks need the same tree, which is parsed once.
    """

    def __init__(self, text_and_mode: Input) -> None:
        self.source, self.epp = text_and_mode
        self._results: dict[tuple[Dialect, bool], nodes.Program | PuppetError] = {}

    def parse(self, dialect: Dialect, validate: bool) -> nodes.Program:
        """Return the result of `parse`, or raise its error."""
        options = dialect, validate
        if options not in self._results:
            try:
                self._results[options] = parse(self.source, epp=self.epp, dialect=dialect, validate=validate)
            except PuppetError as error:
                self._results[options] = error
        result = self._results[options]
        if isinstance(result, PuppetError):
            raise result
        return result


def find_violations(text_and_mode: Input) -> Iterator[str]:
    """Yield a line for each violated property: an exception, a wrong result, a slow run."""
    start = time.process_time()
    case = Case(text_and_mode)
    for dialect in (PUPPET, SPEC):
        for check_property in (check_parsing,) if case.epp else (check_parsing, check_printing):
            yield from _run_check(check_property, case, dialect)
    for check_property in (check_highlighting, check_several_errors):
        yield from _run_check(check_property, case, PUPPET)
    seconds = time.process_time() - start
    if exceeds(seconds, SLOW * max(1, len(case.source) / 1000)):
        yield f"slow: {seconds:.2f} s"


def _run_check(
    check_property: Callable[[Case, Dialect], Iterator[str]], case: Case, dialect: Dialect
) -> Iterator[str]:
    """Yield the violations that a check finds, with its name; an exception is one, too."""
    try:
        for violation in check_property(case, dialect):
            yield f"{check_property.__name__} [{dialect.name}]: {violation}"
    except Exception as error:
        yield f"{check_property.__name__} [{dialect.name}]: {type(error).__name__}: {str(error)[:200]}"


def check_parsing(case: Case, dialect: Dialect) -> Iterator[str]:
    """Check that `parse` has a tree or an error with a position, as `find_status` reports."""
    end = len(case.source)
    kind = find_status(case.source, dialect, case.epp).kind
    try:
        program = case.parse(dialect, validate=False)
    except PuppetError as error:
        yield from _check_position(error, end)
        if kind == "complete":
            yield f"complete, though {error}"
        return
    if kind != "complete":
        yield f"{kind}, though it parses"
    if any(not 0 <= node.start <= node.end <= end for node in nodes.walk(program)):
        yield "a node lies outside of the text"
    to_pn(program)
    try:
        case.parse(dialect, validate=True)
    except PuppetError as error:
        for each in (error, *error.related):
            yield from _check_position(each, end)


def _check_position(error: PuppetError, end: int) -> Iterator[str]:
    """Check that an error has a message, and a position within a text of length `end`."""
    if not error.message or not str(error):
        yield "an error without message"
    if error.span is not None and not 0 <= error.span.start <= error.span.end <= end + 1:
        yield f"an error outside of the text: {error.span}"


def check_printing(case: Case, dialect: Dialect) -> Iterator[str]:
    """Check that a printed source has the same tree and comments, and prints unchanged again."""
    try:
        program = case.parse(dialect, validate=False)
    except PuppetError:
        return
    printed = format_program(program, dialect)
    if printed == case.source:
        return
    try:
        reparsed = parse(printed, dialect=dialect, validate=False)
    except PuppetError as error:
        yield f"printed source fails: {error}"
        return
    if reparsed != program:
        yield "printed source has another tree"
    if list_comments(printed, dialect) != list_comments(case.source, dialect):
        yield "printed source has other comments"
    if format_program(reparsed, dialect) != printed:
        yield "printed source changes when printed again"


def check_highlighting(case: Case, dialect: Dialect) -> Iterator[str]:
    """Check that the tokens of the highlighter, joined, are the source."""
    offset, pieces = 0, []
    for start, _, text in PuppetLexer(epp=case.epp).get_tokens_unprocessed(case.source):
        if start != offset:
            yield f"a token at {start} instead of {offset}"
            return
        offset += len(text)
        pieces.append(text)
    if "".join(pieces) != case.source:
        yield "the tokens joined are another text"


def check_several_errors(case: Case, dialect: Dialect) -> Iterator[str]:
    """Check that `find_problems` finds errors exactly if `parse` fails."""
    if case.epp:
        return
    problems = find_problems(case.source, PUPPET)
    errors = [problem.error for problem in problems if problem.severity == "error"]
    try:
        case.parse(PUPPET, validate=True)
    except PuppetError as error:
        if not errors:
            yield f"no errors, though {error}"
    else:
        if errors:
            yield f"an error in a source that parses: {errors[0]}"
