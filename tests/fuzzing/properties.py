"""The properties that hold for every input."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from lexer_parser import PUPPET, SPEC, Dialect, PuppetError, find_status, parse, to_pn
from lexer_parser.check import check
from lexer_parser.printing.layout import format_program
from lexer_parser.tree import nodes
from puppet_kernel.rendering.highlight import PuppetLexer
from tests.effort import exceeds
from tests.fuzzing.inputs import Input
from tests.printing.checks import words

SLOW = 0.5  # CPU seconds for an input of usual length


class Case:
    """An input, read once in each way, however many of the checks ask for it."""

    def __init__(self, given: Input) -> None:
        self.source, self.epp = given
        self._read: dict[tuple[Dialect, bool], nodes.Program | PuppetError] = {}

    def tree(self, dialect: Dialect, validate: bool) -> nodes.Program:
        """Return the result of `parse`. Raises PuppetError."""
        way = dialect, validate
        if way not in self._read:
            try:
                self._read[way] = parse(self.source, epp=self.epp, dialect=dialect, validate=validate)
            except PuppetError as error:
                self._read[way] = error
        found = self._read[way]
        if isinstance(found, PuppetError):
            raise found
        return found


def violations(given: Input) -> Iterator[str]:
    """Yield the violated properties, one line each: another exception, a wrong result, a slow one."""
    begun = time.process_time()
    case = Case(given)
    for dialect in (PUPPET, SPEC):
        for check_one in (reads, prints) if not case.epp else (reads,):
            yield from _guarded(check_one, case, dialect)
    for check_one in (highlights, checks):
        yield from _guarded(check_one, case, PUPPET)
    spent = time.process_time() - begun
    if exceeds(spent, SLOW * max(1, len(case.source) / 1000)):
        yield f"slow: {spent:.2f} s"


def _guarded(
    check_one: Callable[[Case, Dialect], Iterator[str]], case: Case, dialect: Dialect
) -> Iterator[str]:
    try:
        for found in check_one(case, dialect):
            yield f"{check_one.__name__} [{dialect.name}]: {found}"
    except Exception as error:
        yield f"{check_one.__name__} [{dialect.name}]: {type(error).__name__}: {str(error)[:200]}"


def reads(case: Case, dialect: Dialect) -> Iterator[str]:
    """Check that `parse` returns a tree or an error with a position, and that `find_status` agrees."""
    end = len(case.source)
    kind = find_status(case.source, dialect, case.epp).kind
    try:
        program = case.tree(dialect, validate=False)
    except PuppetError as error:
        yield from _places(error, end)
        if kind == "complete":
            yield f"complete, though {error}"
        return
    if kind != "complete":
        yield f"{kind}, though it parses"
    if any(not 0 <= node.start <= node.end <= end for node in nodes.walk(program)):
        yield "a node lies outside of the text"
    to_pn(program)
    try:
        case.tree(dialect, validate=True)
    except PuppetError as error:
        for each in (error, *error.related):
            yield from _places(each, end)


def _places(error: PuppetError, end: int) -> Iterator[str]:
    if not error.message or not str(error):
        yield "an error without message"
    if error.span is not None and not 0 <= error.span.start <= error.span.end <= end + 1:
        yield f"an error outside of the text: {error.span}"


def prints(case: Case, dialect: Dialect) -> Iterator[str]:
    """A parsed source prints as source of the same tree and comments, and printing that again changes nothing."""
    try:
        program = case.tree(dialect, validate=False)
    except PuppetError:
        return
    printed = format_program(program, dialect)
    if printed == case.source:
        return
    try:
        again = parse(printed, dialect=dialect, validate=False)
    except PuppetError as error:
        yield f"printed source fails: {error}"
        return
    if again != program:
        yield "printed source has another tree"
    if words(printed, dialect) != words(case.source, dialect):
        yield "printed source has other comments"
    if format_program(again, dialect) != printed:
        yield "printed source changes when printed again"


def highlights(case: Case, dialect: Dialect) -> Iterator[str]:
    """Highlighting leaves the text as it is."""
    offset, pieces = 0, []
    for start, _, text in PuppetLexer(epp=case.epp).get_tokens_unprocessed(case.source):
        if start != offset:
            yield f"a token at {start} instead of {offset}"
            return
        offset += len(text)
        pieces.append(text)
    if "".join(pieces) != case.source:
        yield "the tokens joined are another text"


def checks(case: Case, dialect: Dialect) -> Iterator[str]:
    """Looking for several errors ends, finds one where `parse` does, and none in what is right."""
    if case.epp:
        return
    found = check(case.source, PUPPET)
    try:
        case.tree(PUPPET, validate=True)
    except PuppetError as error:
        if not found:
            yield f"no errors, though {error}"
    else:
        if found:
            yield f"an error in what parses: {found[0]}"
