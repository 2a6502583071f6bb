"""The rules of each kind of value, and the errors of operands.

The rules are its constructor, its arithmetic, its order and its formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluator.issues import make_error
from evaluator.values.kind import Rule, Value
from evaluator.values.printing import describe_kind
from lexer_parser.errors import PuppetError
from lexer_parser.lazy import lazy_attributes
from lexer_parser.tree.labels import add_article

if TYPE_CHECKING:
    from evaluator.kinds.instances import make_instance

__all__ = ["make_instance", "make_left_refusal", "make_operand_error"]

__getattr__ = lazy_attributes(__name__, {"make_instance": "instances"})


def make_operand_error(operator: str, left: Value, right: Value = ...) -> PuppetError:
    """Return the error of operands that an operator does not take; `right` is passed if it is to blame."""
    if right is ...:
        return make_error(
            "OPERATOR_NOT_APPLICABLE", operator=operator, left=add_article(describe_kind(left)), operand=0
        )
    return make_error(
        "OPERATOR_NOT_APPLICABLE_WHEN",
        operator=operator,
        left=add_article(describe_kind(left)),
        right=add_article(describe_kind(right)),
        operand=0,
    )


def make_left_refusal(operator: str) -> Rule:
    """Return the rule that blames the left operand, whatever the right one is."""

    def refuse(left: Value, right: Value) -> Value:
        raise make_operand_error(operator, left)

    return refuse
