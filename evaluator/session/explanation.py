"""The error of a cell as it is shown to the user: with its place and with help."""

from __future__ import annotations

import os

from evaluator.program.tracing import to_error
from evaluator.running.runtime import Runtime
from lexer_parser.errors import PuppetError


def explain_error(exception: BaseException, runtime: Runtime) -> PuppetError:
    """Return the PuppetError, with help, for any exception raised while Puppet code ran.

    A defect in the help, or a system without memory for it, must not hide the error itself, so it is raised only if
    PUPPET_KERNEL_DEBUG is set.

    Args:
        exception: The exception.
        runtime: The program; unknown names are compared with its names for suggestions.
    """
    problem, places, callers = to_error(exception)
    try:
        from evaluator.help import add_help  # most programs have no error

        return add_help(problem, places, callers, runtime)
    except Exception:
        if os.environ.get("PUPPET_KERNEL_DEBUG"):
            raise
        return problem
