"""Making values of types out of others: `Integer('12')`, `Timestamp.new(0)`, `new(String, 5)`."""

from __future__ import annotations

from evaluator.conversions.instances import new_instance

__all__ = ["new_instance"]
