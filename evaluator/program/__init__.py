"""The run-time data of a program: scopes, state, definitions, callables, code positions.

`CompanionProcess`, a program that runs beside this one, is imported when it is first used.
"""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.program.companions import CompanionProcess

__getattr__ = lazy_attributes(__name__, {"CompanionProcess": "companions"})
__all__ = ["CompanionProcess"]
