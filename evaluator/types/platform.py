"""Runtime: values of the platform that the language has no type for."""

from __future__ import annotations

from typing import Any

from evaluator.issues import Failure
from evaluator.types.base import Memo, Type
from evaluator.types.predicates import Code
from evaluator.values.printing import quoted


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


RUNTIME = RuntimeType()
