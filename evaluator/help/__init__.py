"""Help for errors of evaluation: a line of advice, a near name, and secondary places.

`add_help` is called in one place, where an error leaves evaluation (`session.program_state`). Nothing here runs
for a program without an error, and no message changes: messages keep the wording of released Puppet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.help.context import ErrorContext, add_callers, add_secondary
from evaluator.help.near_names import find_near_name
from evaluator.help.rules import RULES, HelpRule
from evaluator.issues import load_all_rows
from evaluator.program.tracing import FramePlace
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


def add_help(
    error: PuppetError, places: list[FramePlace], callers: list[FramePlace], runtime: Runtime
) -> PuppetError:
    """Add a line of help, a near name and secondary places to an error.

    Args:
        error: The error. If it has help already, only the places of the callers are added.
        places: The Puppet places of its traceback, outermost first (`evaluator.program.tracing.find_frames`).
        callers: The places that led to the place of the error.
        runtime: The program that ran, whose names are compared.

    Returns:
        The same error.
    """
    if error.help is None:
        context = ErrorContext(error, places, runtime)
        error.suggestion = error.suggestion or find_near_name(context)
        _add_line(context)  # whose rules read the near name
        add_secondary(context)
    add_callers(error, callers)
    return error


def _add_line(context: ErrorContext) -> None:
    """Add the help of the first rule that recognizes the situation, else that of the issue.

    The rule may also change what the error needs, and remove its near name.
    """
    error = context.error
    rule_and_match = RULES.first(error.code, context)
    if rule_and_match is None:
        row = load_all_rows().get(error.code)
        error.help = row.help.format_map(context.words) if row is not None and row.help else None
        return
    rule, match = rule_and_match
    if isinstance(rule, HelpRule):
        error.needs = error.needs if rule.needs is None else rule.needs
        error.suggestion = None if rule.drops_suggestion else error.suggestion
    error.help = rule.advise(match, context.words).help
