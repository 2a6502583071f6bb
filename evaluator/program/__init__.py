"""What a program has while it runs: scopes, state, definitions, what can be called, places in its code.

`CompanionProcess`, another program that runs beside this one, is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from evaluator.program.companions import CompanionProcess

__getattr__ = lazy_attributes(__name__, {"CompanionProcess": "companions"})
__all__ = ["CompanionProcess"]
