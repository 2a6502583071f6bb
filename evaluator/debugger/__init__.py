"""The debugger, which is loaded on first use.

`engine` stops programs at breakpoints, after steps, at errors and on demand. `statements` maps compiled code to the
statements of a source at which it can stop. `frames` shows the stack in terms of the language (positions, variables,
values of expressions) and has the breakpoints: lines with a condition or a message.
"""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.debugger.engine import Debugger, Stop
    from evaluator.debugger.frames import CATALOG, Breakpoint, Frame
    from evaluator.debugger.statements import StatementTable, make_source_key

__getattr__ = lazy_attributes(
    __name__,
    {
        **dict.fromkeys(("Debugger", "Stop"), "engine"),
        **dict.fromkeys(("CATALOG", "Breakpoint", "Frame"), "frames"),
        **dict.fromkeys(("StatementTable", "make_source_key"), "statements"),
    },
)
__all__ = ["CATALOG", "Breakpoint", "Debugger", "Frame", "StatementTable", "Stop", "make_source_key"]
