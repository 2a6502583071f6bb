"""The error of a cell as a person gets it: with its place and with what helps."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from evaluator.program.tracing import to_error
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.program.protocols import ProgramContext


def explain_error(exception: BaseException, runtime: ProgramContext) -> PuppetError:
    """The PuppetError for anything that was raised while Puppet code ran.

    runtime  the program, whose names are compared with those that are not there

    A defect in what helps must not hide the error itself.
    """
    from evaluator.help import add_help  # most programs have no error

    problem, places, callers = to_error(exception)
    try:
        return add_help(problem, places, callers, runtime)
    except Exception:
        if os.environ.get("PUPPET_KERNEL_DEBUG"):
            raise
        return problem
