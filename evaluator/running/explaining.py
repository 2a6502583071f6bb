"""Where errors leave evaluation: each with its place and with what helps."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from evaluator.program.tracing import traced
from lexer_parser.errors import PuppetError

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


def explained(exception: BaseException, program: Program) -> PuppetError:
    """The PuppetError for anything that was raised while Puppet code ran, with its place and what helps.

    program  its names are compared with those that are not there
    """
    error, places, callers = traced(exception)
    try:
        from evaluator.help import enrich  # most programs have no error

        return enrich(error, places, callers, program)
    except Exception:  # a defect there must not hide the error itself
        if os.environ.get("PUPPET_KERNEL_DEBUG"):
            raise
        return error
