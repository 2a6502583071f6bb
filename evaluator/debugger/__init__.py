"""The debugger: stops programs where a person wants, and tells what is there. It is loaded when it is first asked for.

layout   where a source can be stopped: its statements, and which of its code they have become
frames   what stands on the stack, in words of the language: places, variables, what an expression gives there
points   where a person wants a stop or a message, and on what condition
engine   stops at breakpoints, after steps, at errors and on demand
"""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.debugger.engine import Debugger, Stop
    from evaluator.debugger.frames import CATALOG, Frame
    from evaluator.debugger.layout import Layout, key_of
    from evaluator.debugger.points import Breakpoint

_PLACES = {
    "Breakpoint": "points",
    **dict.fromkeys(("Debugger", "Stop"), "engine"),
    **dict.fromkeys(("CATALOG", "Frame"), "frames"),
    **dict.fromkeys(("Layout", "key_of"), "layout"),
}

__getattr__ = lazy_attributes(__name__, _PLACES)
__all__ = ["CATALOG", "Breakpoint", "Debugger", "Frame", "Layout", "Stop", "key_of"]
