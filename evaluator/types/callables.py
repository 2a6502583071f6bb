"""Callable: the type of functions and lambdas, by what they can be called with."""

from __future__ import annotations

from typing import Any

from evaluator.program.callables import LambdaBlock
from evaluator.types.base import ANY, UNDEF, Memo, Type, accepts, make_arity_error, make_usage_error
from evaluator.types.collections import ArrayType, TupleType
from evaluator.types.numbers import UNBOUNDED, split_trailing_size
from evaluator.types.predicates import TestCode
from evaluator.types.references import to_type
from evaluator.types.variants import OptionalType, VariantType
from evaluator.values.kind import Value
from evaluator.values.printing import with_capital_article
from lexer_parser.dialect import Dialect


class CallableType(Type):
    """Callable[P1, P2, min, max, block] or Callable[[…], return].

    Specification: "Callable".

    Attributes:
        parameters: A Tuple of the types of the arguments; None for a bare Callable.
        block: The type of the block, a Callable or Optional[Callable]; None if it takes no block.
        returns: The type of the result; None for Any.
    """

    __slots__ = ("block", "parameters", "returns")
    keyword = "Callable"
    composite = True

    def __init__(
        self, parameters: TupleType | None = None, block: Type | None = None, returns: Type | None = None
    ) -> None:
        self.parameters = parameters
        self.block = block
        self.returns = None if returns is ANY else returns

    def parts(self) -> tuple[object, ...]:
        return (self.parameters, self.block, self.returns)

    def arguments(self) -> list[str]:
        if self.parameters is None:
            return []
        arguments = self.parameters.arguments()
        if not arguments or (not self.parameters.types and self.parameters.size is None):
            arguments = ["0", "0"]
        if self.block is not None:
            arguments.append(self.block.inner())
        if self.returns is not None:
            return [f"[{', '.join(arguments)}]", self.returns.inner()]
        return arguments

    def _is_instance(self, value: Value) -> bool:
        return isinstance(value, LambdaBlock) and self.assignable(infer_block_type(value))

    def write_test(self, variable: str, code: TestCode) -> str:
        return f"{code.bind(self._is_instance)}({variable})"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        if not isinstance(actual, CallableType):
            return False
        if self.returns is not None and not accepts(self.returns, actual.returns or ANY, memo):
            return False
        if self.parameters is None:
            return True
        if actual.parameters is None:
            return False
        return accepts(actual.parameters, self.parameters, memo) and accepts(
            actual.block or UNDEF, self.block or UNDEF, memo
        )

    def generalize(self) -> Type:
        if self.parameters is None and self.returns is None:
            return self
        parameters = self.parameters.generalize() if self.parameters is not None else None
        return CallableType(
            parameters if isinstance(parameters, TupleType) else None,
            self.block.generalize() if self.block is not None else None,
            self.returns.generalize() if self.returns is not None else None,
        )

    def normalize(self) -> Type:
        if self.parameters is None and self.returns is None:
            return self
        parameters = self.parameters.normalize() if self.parameters is not None else None
        return CallableType(
            parameters if isinstance(parameters, TupleType) else None,
            self.block.normalize() if self.block is not None else None,
            self.returns.normalize() if self.returns is not None else None,
        )

    def apply_parameters(self, arguments: list[Value], dialect: Dialect) -> Value:
        returns = None
        if arguments and isinstance(arguments[0], list):
            if len(arguments) != 2:
                raise make_arity_error(with_capital_article(f"{self}-Type"), "2 arguments", len(arguments))
            if not isinstance(arguments[1], Type):
                raise make_usage_error(f"{self}-Type", arguments[1], "Any-Type", 2)
            arguments, returns = arguments
        arguments = list(arguments)
        block = None
        if arguments and is_block_type(arguments[-1]):
            block = arguments.pop()
        types, size = split_trailing_size(arguments)
        if dialect.bare_types and not types and size == UNBOUNDED and block is None and returns is None:
            return CALLABLE
        found = [to_type(argument) for argument in types]
        return CallableType(TupleType(found, size), block, returns)


CALLABLE = CallableType()
NO_ARGUMENTS = TupleType((), (0, 0))


def infer_block_type(block: LambdaBlock) -> CallableType:
    """Return the Callable of a lambda: untyped parameters are Any, a captures-rest parameter opens `max`."""
    types = [_infer_parameter_type(parameter) for parameter in block.parameters]
    size = None if block.min == block.max == len(types) else (block.min, block.max)
    return CallableType(TupleType(types, size if types else (0, 0)), None, block.returns)


def _infer_parameter_type(parameter: Any) -> Type:
    if parameter.type is None:
        return ANY
    kind: Type = parameter.type
    return kind.element if parameter.splat and isinstance(kind, ArrayType) else kind


def describe_count(low: int, high: int | None) -> str:
    """Return the number of arguments that are expected: `between 1 and 2 arguments`."""
    if low == high:
        return f"{low} argument{'' if low == 1 else 's'}" if low else "no arguments"
    if high is None:
        return f"at least {low} argument{'' if low == 1 else 's'}"
    if low == 0:
        return f"at most {high} argument{'' if high == 1 else 's'}"
    return f"between {low} and {high} arguments"


def describe_wrong_count(low: int, high: int | None, actual: int) -> str:
    """Return the message of a wrong number: `expects between 1 and 2 arguments, got none`."""
    return f"expects {describe_count(low, high)}, got {actual or 'none'}"


def is_block_type(value: Value) -> bool:
    """Return True for a type that, as the last parameter of a Callable, is the type of its block."""
    if isinstance(value, OptionalType) and value.type is not None:
        value = value.type
    if isinstance(value, VariantType):
        return all(map(is_block_type, value.types))
    return isinstance(value, CallableType)
