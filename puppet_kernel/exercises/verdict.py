"""Judges an answer: not yet tried, right, nearly, not yet; and finds the sentence for an answer that is known."""

from __future__ import annotations

from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.tree import nodes
from puppet_kernel.exercises.checks import Result, Work, results, unset
from puppet_kernel.exercises.exercise import Exercise
from puppet_kernel.exercises.progress import NEARLY, NOT_TRIED, NOT_YET, RIGHT


class Verdict:
    """What there is to say of an answer.

    state   one of the four words of `progress`;  results  what was asked up to the first that does not hold
    says    the sentence for an answer that is known to be wrong, "" for others
    """

    __slots__ = ("results", "says", "state")

    def __init__(self, state: str, results: list[Result], says: str = "") -> None:
        self.state = state
        self.results = results
        self.says = says


def judge(exercise: Exercise, work: Work) -> Verdict:
    """Checks an answer. Raises ValueError for an exercise that asks what cannot be asked."""
    told: list[Result] = []
    for result in results(work, exercise.checks):
        told.append(result)
        if not result.holds:
            break
    else:
        return Verdict(RIGHT, told)
    answer = work.answer
    if answer is None or answer.source.strip() in ("", exercise.start.strip()) or not answer.code:
        return Verdict(NOT_TRIED, [])
    if answer.error is not None and not any("fails" in check for check in exercise.checks):
        told = [Result(False, "your answer runs", _ending(answer.error))]
    return Verdict(NEARLY if len(told) > 1 else NOT_YET, told, _known(exercise, work))


def _ending(error: PuppetError) -> str:
    """What a learner is told of the error of an answer, which stands in full below the answer: the first of several."""
    first = next(iter(error.related), error)
    return f"it ends in {first.code}: {str(first.message).partition(chr(10))[0]}"


def _known(exercise: Exercise, work: Work) -> str:
    """The sentence of the wrong answer that this one is: the same program, else one that does the same; "" for none.

    An answer that ended in an error left nothing behind, and one that gave another name a value says nothing of this
    one: neither does the same as another.
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
    return not unset(work, expression) and work.session.look(expression).value is True


def _meaning(code: str, work: Work) -> nodes.Node | str:
    """A program without what does not matter to it: places, blanks, remarks; its words, where it cannot be read."""
    try:
        return parse(code, dialect=DIALECTS[work.session.dialect]).body
    except PuppetError:
        return " ".join(code.split())
