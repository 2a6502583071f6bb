"""What to do about an error of evaluation: a line of help, a near name, and the places that belong to it.

`enrich` is called in one place, where an error leaves evaluation (`evaluator.session.explaining`). Nothing
here runs for a program that has no error, and no message changes: they stay in the words of the released Puppet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.help import names, subjects
from evaluator.help import places as marks
from evaluator.help.case import Case
from evaluator.help.lines import line
from evaluator.program.tracing import Place
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


def enrich(error: PuppetError, places: list[Place], callers: list[Place], runtime: Program) -> PuppetError:
    """Adds to an error what helps a person.

    places   the Puppet places of its traceback, outermost first (`evaluator.program.tracing.places`)
    callers  those of them that led to the error's own
    runtime  the program that ran, whose names are compared
    """
    case = Case(error, places, runtime)
    if error.help is None:
        case.subject = subjects.subject_of(case)
        error.suggestion = error.suggestion or names.near(case)
        error.help = line(case)
        marks.add_secondary(case)
    marks.add_callers(error, callers)
    return error
