"""The control flow of the language: what ends an iteration, a lambda or a body early."""

from __future__ import annotations

from typing import Any


class Unwind(Exception):
    """Control flow on its way to the construct that ends it."""


class BreakIteration(Unwind):
    """`break()`: ends the iteration of the function that called the lambda."""


class NextIteration(Unwind):
    """`next(value)`: ends the lambda, function, class or define body with `value`."""

    def __init__(self, value: Any = None) -> None:
        super().__init__()
        self.value = value


class ReturnValue(Unwind):
    """`return(value)`: ends the enclosing function, class or define body with `value`."""

    def __init__(self, value: Any = None) -> None:
        super().__init__()
        self.value = value
