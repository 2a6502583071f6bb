"""The operators of the language, on values: they know no syntax tree.

An error is a PuppetError without place; `operand` says which operand it blames (none: the operator).
A `Failure` has not even a sentence around it: the caller adds which operator was evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.operators.access import Access
from evaluator.operators.arithmetic import Arithmetic
from evaluator.operators.comparison import Comparison
from evaluator.operators.matching import Matching
from lexer_parser.dialect import Dialect

if TYPE_CHECKING:
    from evaluator.program.protocols import Host

__all__ = ["Operators"]


class Operators(Comparison, Arithmetic, Matching, Access):
    """All operators in one dialect.

    host  what they act upon: the running program

    Each family keeps what it needs of the dialect.
    """

    def __init__(self, dialect: Dialect, host: Host) -> None:
        Comparison.__init__(self, dialect, host)
        Arithmetic.__init__(self, dialect, host)
        Matching.__init__(self, dialect, host)
        Access.__init__(self, dialect, host)
