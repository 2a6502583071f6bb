"""The errors for operands that an operator does not take."""

from __future__ import annotations

from typing import Any

from evaluator.issues import error
from evaluator.values.kind import Rule
from evaluator.values.printing import label, with_article
from lexer_parser.errors import PuppetError


def make_operand_error(operator: str, left: Any, right: Any = ...) -> PuppetError:
    """The error for operands that an operator does not take; `right` is given when it is to blame."""
    if right is ...:
        return error("OPERATOR_NOT_APPLICABLE", operator=operator, left=with_article(label(left)), operand=0)
    return error(
        "OPERATOR_NOT_APPLICABLE_WHEN",
        operator=operator,
        left=with_article(label(left)),
        right=with_article(label(right)),
        operand=0,
    )


def make_left_refusal(operator: str) -> Rule:
    """The rule for operands of which the left one is to blame, whatever the right one is."""

    def refuse(left: Any, right: Any) -> Any:
        raise make_operand_error(operator, left)

    return refuse
