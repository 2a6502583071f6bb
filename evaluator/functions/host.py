"""How messages of the released implementation name and show values: its classes and its notation."""

from __future__ import annotations

from typing import Any

from evaluator.values import host_text
from evaluator.values.host_classes import host_class, host_name

__all__ = ["host_class", "host_name", "inspect"]


def inspect(value: Any) -> str:
    """A value as messages show it: `"a"`, `nil`, `[1, nil]`, `{"a"=>1}`."""
    return host_text([value])[1:-1]
