"""The operators of the language, on values; they know no syntax tree.

An error is a PuppetError without a place; its `operand` is the index of the operand that causes it, or None for the
operator itself. The caller of an operator adds the place, and to a `Failure` also the operator.

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
        runtime: The running program: it has the last match, logs warnings, and finds the resources and definitions that
            are accessed.
    """

    def __init__(self, dialect: Dialect, runtime: Runtime) -> None:
        ComparisonOperators.__init__(self, dialect, runtime)
        ArithmeticOperators.__init__(self, dialect, runtime)
        MatchingOperators.__init__(self, dialect, runtime)
        AccessOperators.__init__(self, dialect, runtime)
