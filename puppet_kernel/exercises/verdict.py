"""The verdict on an answer: not tried, right, nearly, not yet.

And the known mistake in it.
"""

from __future__ import annotations

from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes
from puppet_kernel.exercises.checks import CheckResult, Work, find_unset, run_checks
from puppet_kernel.exercises.exercise import Exercise
from puppet_kernel.exercises.progress import NEARLY, NOT_TRIED, NOT_YET, RIGHT


class Verdict:
    """The verdict on an answer.

    Attributes:
        state: One of the four states of `progress`.
        results: The results of checks up to the first that fails.
        says: The explanation of a known mistake; else "".
    """

    __slots__ = ("results", "says", "state")

    def __init__(self, state: str, results: list[CheckResult], says: str = "") -> None:
        self.state = state
        self.results = results
        self.says = says


def judge(exercise: Exercise, work: Work) -> Verdict:
    """Check an answer, or raise ValueError for a malformed exercise."""
    told: list[CheckResult] = []
    for result in run_checks(work, exercise.checks):
        told.append(result)
        if not result.holds:
            break
    else:
        return Verdict(RIGHT, told)
    answer = work.answer
    if answer is None or answer.source.strip() in ("", exercise.start.strip()) or not answer.code:
        return Verdict(NOT_TRIED, [])
    if answer.error is not None and not any("fails" in check for check in exercise.checks):
        told = [CheckResult(False, "your answer runs", _find_error(answer.error))]
    return Verdict(NEARLY if len(told) > 1 else NOT_YET, told, _find_known_mistake(exercise, work))


def _find_error(error: PuppetError) -> str:
    """Return the first error of an answer; all of it is displayed below the answer."""
    first = next(iter(error.related), error)
    return f"it ends in {first.code}: {str(first.message).partition(chr(10))[0]}"


def _find_known_mistake(exercise: Exercise, work: Work) -> str:
    """Return the explanation of the known mistake in an answer; "" for none.

    A known mistake is the same program, or one with the same effect. An answer that failed, or that assigns another
    name, has
    no effect to compare.
    """
    assert work.answer is not None
    given = _meaning(work.answer.code, work)
    same = (wrong for wrong in exercise.wrong if _meaning(wrong.code, work) == given)
    alike = (
        wrong
        for wrong in exercise.wrong
        if wrong.when and work.answer.error is None and _holds(wrong.when, work)
    )
    return next((wrong.says for found in (same, alike) for wrong in found), "")


def _holds(expression: str, work: Work) -> bool:
    return not find_unset(work, expression) and work.session.look(expression).value is True


def _meaning(code: str, work: Work) -> nodes.Node | str:
    """Return a program without positions, blanks and comments.

    Its words if it cannot be parsed.
    """
    try:
        return parse(code, dialect=DIALECTS[work.session.dialect]).body
    except PuppetError:
        return " ".join(code.split())
