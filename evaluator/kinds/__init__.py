"""The rules of each kind of value: constructor, arithmetic, order and formats.

Each module sets the rules of some kinds when it is imported (`Kind.set_rules`). A `Constructor` in it lists signatures,
each by its parameters and a Python function; a parameter is the text of its type, its name, and "?" if it is optional.
Here are the errors of operands that no rule of their kind accepts.
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
    """Return the error of operands that an operator does not take.

    Args:
        operator: The operator.
        left: The left operand.
        right: The right operand, if the left one is valid with another one; left out if it is never valid.
    """
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
    """Return a rule that refuses the left operand, whatever the right one is."""

    def refuse(left: Value, right: Value) -> Value:
        raise make_operand_error(operator, left)

    return refuse
