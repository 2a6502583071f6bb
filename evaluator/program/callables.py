"""What can be called with values: lambdas of the program, as builtin functions see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from evaluator.issues import error
from evaluator.values.kind import CALLABLE
from lexer_parser.source import Span


class ParameterSpec:
    """A declared parameter: `type` is a Type, or None when untyped (Any); `span` is where it is declared."""

    __slots__ = ("name", "required", "span", "splat", "type")

    def __init__(
        self,
        name: str,
        type: Any = None,
        required: bool = True,
        splat: bool = False,
        span: Span | None = None,
    ) -> None:
        self.name = name
        self.type = type
        self.required = required
        self.splat = splat
        self.span = span


class LambdaBlock:
    """A lambda as it is passed to a function.

    fn          the Python function: takes the arguments positionally, checks their types, returns the value.
                Call `block.fn(x, y)` with a number of arguments between `min` and `max`
    parameters  ParameterSpecs;  min, max  how many arguments it takes (max is None for "any number")
    returns     the declared return type or None
    """

    __slots__ = ("fn", "max", "min", "parameters", "returns")

    kind = CALLABLE

    def __init__(
        self,
        fn: Callable[..., Any],
        parameters: tuple[ParameterSpec, ...],
        min: int,
        max: int | None,
        returns: Any = None,
    ) -> None:
        self.fn = fn
        self.parameters = parameters
        self.min = min
        self.max = max
        self.returns = returns

    def call(self, arguments: Sequence[Any]) -> Any:
        """Calls it with any number of arguments: what it does not take is dropped, what it needs is demanded.

        A parameter for the rest takes all that is left, and says itself when that is too little or too much.
        """
        missing = self.parameters[len(arguments)] if len(arguments) < len(self.parameters) else None
        if missing is not None and missing.required:
            raise error("PARAMETER_NOT_GIVEN", missing.span, name=missing.name)
        takes_all = self.max is None or (bool(self.parameters) and self.parameters[-1].splat)
        return self.fn(*(arguments if takes_all else arguments[: self.max]))

    def accepts(self, count: int) -> bool:
        """True when it can be called with `count` arguments."""
        return self.min <= count and (self.max is None or count <= self.max)


# --- control flow


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
