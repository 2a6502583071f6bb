"""How evaluation stops early: failures of value-level code, and the control flow of the language."""

from __future__ import annotations

from typing import Any


class Failure(Exception):
    """An error of a function's or operator's own, as text without place.

    Where it leaves Puppet code the nearest enclosing expression adds its place and its label:
    `Error while evaluating a Function Call, <text>`. An error that the language defines itself (an issue with
    a code) is a `PuppetError` and is not wrapped.

    related  the PuppetErrors behind it, which are shown with it
    """

    related: tuple[Any, ...] = ()


class NotEvaluatedYet(Failure):
    """The default of a parameter reads another one that has no value yet, or (`passed`) that was given none."""

    blames_caller = True

    def __init__(self, owner: str, parameter: str, name: str, *, passed: bool = False) -> None:
        super().__init__(
            f"{owner}: expects a value for parameter ${name}"
            if passed
            else f"{owner}: default expression for ${parameter} tries to illegally access"
            f" not yet evaluated ${name}"
        )


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
