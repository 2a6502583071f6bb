"""The operators of the language, on values; they know no syntax tree.

An error is a PuppetError without place; its `operand` is the index of the operand to blame, or None for the
operator. The caller adds to a `Failure` which operator was evaluated.

Specification: Expressions, "Operators"; Types, Values, and Variables, "Operations per Type".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.operators.access import AccessOperators
from evaluator.operators.arithmetic import ArithmeticOperators
from evaluator.operators.comparison import ComparisonOperators
from evaluator.operators.matching import MatchingOperators
from lexer_parser.dialect import Dialect

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime

__all__ = ["Operators"]


class Operators(ComparisonOperators, ArithmeticOperators, MatchingOperators, AccessOperators):
    """All operators in one dialect.

    Attributes:
        host: The running program on which they act.
    """

    def __init__(self, dialect: Dialect, host: Runtime) -> None:
        ComparisonOperators.__init__(self, dialect, host)
        ArithmeticOperators.__init__(self, dialect, host)
        MatchingOperators.__init__(self, dialect, host)
        AccessOperators.__init__(self, dialect, host)
