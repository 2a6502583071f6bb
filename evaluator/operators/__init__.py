"""The operators of the language, on values: they know no syntax tree.

An error is a PuppetError without place; `operand` says which operand it blames (none: the operator).
A `Failure` has not even a sentence around it: the caller adds which operator was evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.operators.access import AccessOperators
from evaluator.operators.arithmetic import ArithmeticOperators
from evaluator.operators.comparison import ComparisonOperators
from evaluator.operators.matching import MatchingOperators
from lexer_parser.dialect import Dialect

if TYPE_CHECKING:
    from evaluator.program.protocols import Host

__all__ = ["Operators"]


class Operators(ComparisonOperators, ArithmeticOperators, MatchingOperators, AccessOperators):
    """All operators in one dialect.

    host  what they act upon: the running program

    Each family keeps what it needs of the dialect.
    """

    def __init__(self, dialect: Dialect, host: Host) -> None:
        ComparisonOperators.__init__(self, dialect, host)
        ArithmeticOperators.__init__(self, dialect, host)
        MatchingOperators.__init__(self, dialect, host)
        AccessOperators.__init__(self, dialect, host)
