"""The verdict on an answer, and the feedback for the learner."""

from __future__ import annotations

from itertools import chain

from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.record import Record
from lexer_parser.tree import nodes
from puppet_kernel.exercises import NEARLY, NOT_TRIED, NOT_YET, RIGHT, Progress, Try
from puppet_kernel.exercises.checks import CheckedProgram, CheckResult, find_unset_variable, run_checks
from puppet_kernel.exercises.exercise import Exercise
from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Group,
    Line,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    make_line,
)
from puppet_kernel.rendering.literals import format_count


class Verdict(Record):
    """The verdict on an answer.

    Attributes:
        state: NOT_TRIED, NEARLY, NOT_YET or RIGHT.
        results: The results of the checks, up to the first check that fails.
        says: The explanation of a known mistake; else "".
    """

    state: str
    results: list[CheckResult]
    says: str = ""


def judge(exercise: Exercise, program: CheckedProgram) -> Verdict:
    """Check an answer, or raise ValueError for a malformed exercise."""
    results: list[CheckResult] = []
    for result in run_checks(program, exercise.checks):
        results.append(result)
        if not result.holds:
            break
    else:
        return Verdict(RIGHT, results)
    answer = program.answer
    if answer is None or answer.source.strip() in ("", exercise.start.strip()) or not answer.code:
        return Verdict(NOT_TRIED, [])
    if answer.error is not None and not any("fails" in check for check in exercise.checks):
        results = [CheckResult(False, "your answer runs", _find_error(answer.error))]
    return Verdict(NEARLY if len(results) > 1 else NOT_YET, results, _find_known_mistake(exercise, program))


def _find_error(error: PuppetError) -> str:
    """Return the first error of an answer; all of it is displayed below the answer."""
    first = next(iter(error.related), error)
    return f"it ends in {first.code}: {str(first.message).partition(chr(10))[0]}"


def _find_known_mistake(exercise: Exercise, program: CheckedProgram) -> str:
    """Return the explanation of the known mistake in an answer; "" for none.

    A known mistake is the same program, or one with the same effect. An answer that failed, or that assigns another
    name, has no effect to compare.
    """
    assert program.answer is not None
    answer = _normalize_program(program.answer.code, program)
    equal = (wrong for wrong in exercise.wrong if _normalize_program(wrong.code, program) == answer)
    equivalent = (
        wrong
        for wrong in exercise.wrong
        if wrong.when
        and program.answer.error is None
        and not find_unset_variable(program, wrong.when)
        and program.session.look(wrong.when).value is True
    )
    return next((wrong.says for wrong in chain(equal, equivalent)), "")


def _normalize_program(code: str, program: CheckedProgram) -> nodes.Node | str:
    """Return the syntax tree of a program, or its words if it cannot be parsed."""
    try:
        return parse(code, dialect=DIALECTS[program.session.dialect]).body
    except PuppetError:
        return " ".join(code.split())


ROLES = {RIGHT: "added", NOT_TRIED: "dim"}


def show_verdict(exercise: Exercise, verdict: Verdict, state: Try) -> Element:
    """Return the state, the checks up to the first that fails, and where to find help."""
    head = make_line(
        ("strong", exercise.name), ("", ": "), (ROLES.get(verdict.state, "warning"), verdict.state)
    )
    if verdict.state == NOT_TRIED:
        return TextElement(head)
    rows: list[Line] = [head]
    for result in verdict.results:
        sign = ("added", "✓ ") if result.holds else ("error", "✗ ")
        rows.append((sign, ("", result.words)))
        if not result.holds and result.actual:
            rows.append((("dim", "  but "), ("", result.actual)))
    below: list[Element] = [Paragraphs(verdict.says)] if verdict.says else []
    if verdict.state == RIGHT:
        below += [Paragraphs(exercise.why)] if exercise.why else []
        below += [NoteElement("hint", f"next: {exercise.next}")] if exercise.next else []
    elif state.hints < len(exercise.hints):
        count = len(exercise.hints) - state.hints
        words = "one hint" if count == 1 else format_count(count, "hint")
        below.append(NoteElement("hint", f"`%hint {exercise.name}` shows a hint ({words} left)"))
    else:
        below.append(NoteElement("hint", f"`%solution {exercise.name}` shows a solution"))
    return Group(TextElement(*rows), *below)


def show_hints(exercise: Exercise, state: Try) -> Element:
    """Return the hints that were shown so far, the latest one last."""
    rows = [
        make_line(("strong", f"{number}. "), ("words", text))
        for number, text in enumerate(exercise.hints[: state.hints], 1)
    ]
    rest = len(exercise.hints) - state.hints
    left = (
        format_count(rest, "more hint")
        if rest
        else f"that was the last; `%solution {exercise.name}` shows a solution"
    )
    return Group(TextElement(*rows), NoteElement("hint", left))


def show_solution(exercise: Exercise, answer: str) -> Element:
    """Return the solution and its explanation, next to the learner's answer."""
    parts: list[Element] = [Code(exercise.solution.strip("\n"))]
    parts += [Paragraphs(exercise.why)] if exercise.why else []
    if answer and answer != exercise.solution.strip():
        parts.append(Group(NoteElement("hint", "your answer"), Code(answer)))
    return Group(*parts, spaced=True)


def show_overview(progress: Progress) -> Element:
    """Return the exercises that were checked, with their states and numbers of tries."""
    if not progress.exercises:
        return NoteElement("hint", "No exercise has been checked yet: `%check` is below each of them.")
    rows = [
        (
            make_line(("name", name)),
            make_line((ROLES.get(item.state, "warning"), item.state)),
            make_line("" if item.tries == 0 else "once" if item.tries == 1 else f"{item.tries} times"),
        )
        for name, item in sorted(progress.exercises.items())
    ]
    return Table(rows, ("exercise", "state", "checked"))
