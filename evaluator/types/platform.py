"""Runtime: values of the platform that the language has no type for."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure
from evaluator.types.arguments import arity
from evaluator.types.base import RULES, Memo, Type
from evaluator.types.issues import cannot_use
from evaluator.types.predicates import Code
from evaluator.values.printing import an_upper, quoted
from evaluator.values.sharing import flat
from lexer_parser.dialect import PUPPET, Dialect


def runtime_type(runtime: str, type_name: str, short: bool = False) -> RuntimeType:
    """`Runtime[runtime, 'Name']`. Raises Failure for an empty name."""
    if not type_name:
        raise Failure("RUNTIME_NAME_EMPTY")
    return RuntimeType(runtime, type_name, short)


class RuntimeType(Type):
    """Runtime[runtime, 'Name']. No value of ours is an instance.

    `short` spells it by the runtime's name alone, as the specification's `Ruby['Name']`.
    """

    __slots__ = ("runtime", "short", "type_name")
    keyword = "Runtime"

    def __init__(self, runtime: str | None = None, type_name: str | None = None, short: bool = False) -> None:
        self.runtime = runtime
        self.type_name = type_name
        self.short = short

    def parts(self) -> tuple[Any, ...]:
        return (self.runtime, self.type_name)

    def inner(self) -> str:
        name = quoted(self.type_name) if self.type_name is not None else ""
        if self.short:
            platform = (self.runtime or "").capitalize()
            return f"{platform}[{name}]" if name else platform
        if self.runtime is None:
            return "Runtime"
        return f"Runtime[{self.runtime}, {name}]" if name else f"Runtime[{self.runtime}]"

    def test_source(self, variable: str, code: Code) -> str:
        return "False"

    def accepts_type(self, actual: Type, memo: Memo) -> bool:
        return (
            isinstance(actual, RuntimeType)
            and self.runtime in (None, actual.runtime)
            and self.type_name in (None, actual.type_name)
        )

    def parameterized(self, arguments: list[Any], dialect: Dialect) -> Any:
        arguments = flat(arguments)
        short = self.short
        if short:
            arguments = [self.runtime, *arguments]
        if len(arguments) != 2:
            raise arity(an_upper(f"{self}-Type"), "1 to 2 arguments", len(arguments))
        for index, argument in enumerate(arguments):
            if type(argument) is not str:
                raise cannot_use(f"{self}-Type", argument, "String or String", 1 + index)
        return runtime_type(arguments[0], arguments[1], short)


def literal_type(value: Any) -> Type:
    """A type that may be given by an example: a type itself, a platform type's name, or any value."""
    if isinstance(value, Type):
        return value
    if type(value) is str:
        return runtime_type("ruby", value)
    return RULES.infer(value, PUPPET).generalize()


RUNTIME = RuntimeType()
