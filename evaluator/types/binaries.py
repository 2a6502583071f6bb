"""Binary."""

from __future__ import annotations

from evaluator.types.base import Type
from evaluator.types.predicates import Code
from evaluator.values import kind as kinds
from evaluator.values.binaries import Binary


class BinaryType(Type):
    """Binary."""

    __slots__ = ()
    keyword = "Binary"
    makes = kinds.BINARY

    def test_source(self, variable: str, code: Code) -> str:
        return f"type({variable}) is {code.bind(Binary)}"


BINARY = BinaryType()
