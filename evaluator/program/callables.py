"""The lambdas of a program, as the builtin functions that receive them see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evaluator.issues import error
from evaluator.values.kind import CALLABLE, Value
from lexer_parser.source import Span


class ParameterSpec:
    """A declared parameter of a callable.

    Attributes:
        type: The declared Type; None when the parameter is untyped (Any).
        span: The place of the declaration.
    """

    __slots__ = ("name", "required", "span", "splat", "type")

    def __init__(
        self,
        name: str,
        type: Value = None,
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

    Attributes:
        fn: The Python function. It takes the arguments positionally, checks their types and returns the value. Call
            `block.fn(x, y)` with a number of arguments between `min` and `max`.
        parameters: The declared parameters.
        min: The smallest number of arguments it takes.
        max: The largest number of arguments it takes; None for any number.
        returns: The declared return type, or None.
    """

    __slots__ = ("fn", "max", "min", "parameters", "returns")

    kind = CALLABLE

    def __init__(
        self,
        fn: Callable[..., Value],
        parameters: tuple[ParameterSpec, ...],
        min: int,
        max: int | None,
        returns: Value = None,
    ) -> None:
        self.fn = fn
        self.parameters = parameters
        self.min = min
        self.max = max
        self.returns = returns

    def call(self, arguments: Sequence[Value]) -> Value:
        """Return the result of calling the lambda with any number of arguments.

        Surplus arguments are dropped. A parameter for the rest takes all that is left, and its own type check reports
        when that is too little or too much.

        Raises:
            PuppetError: A required parameter has no argument.
        """
        missing = self.parameters[len(arguments)] if len(arguments) < len(self.parameters) else None
        if missing is not None and missing.required:
            raise error("PARAMETER_NOT_GIVEN", missing.span, name=missing.name)
        takes_all = self.max is None or (bool(self.parameters) and self.parameters[-1].splat)
        return self.fn(*(arguments if takes_all else arguments[: self.max]))

    def accepts(self, count: int) -> bool:
        """Return True when the lambda can be called with `count` arguments."""
        return self.min <= count and (self.max is None or count <= self.max)


# --- control flow


class Unwind(Exception):
    """A signal of control flow on its way to the construct that ends it."""


class BreakIteration(Unwind):
    """The signal of `break()`: it ends the iteration of the function that called the lambda."""


class NextIteration(Unwind):
    """The signal of `next(value)`: it ends a lambda, function, class or define body.

    Its value is the result of that body.
    """

    def __init__(self, value: Value = None) -> None:
        super().__init__()
        self.value = value


class ReturnValue(Unwind):
    """The signal of `return(value)`: it ends the enclosing function, class or define body.

    Its value is the result of that body.
    """

    def __init__(self, value: Value = None) -> None:
        super().__init__()
        self.value = value
