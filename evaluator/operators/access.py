"""The access operator `value[key, …]`: parts of values, parameters of types and resources.

Specification: Expressions, "[ ] Access Operator".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evaluator import catalog
from evaluator.issues import make_error, refuse_if
from evaluator.kinds import make_operand_error
from evaluator.operators import arithmetic
from evaluator.operators.comparison import parse_number
from evaluator.types import RESOURCE, ResourceType, Type, UnknownReference, format_general_type, parameterize
from evaluator.values import Value, add_article
from evaluator.values.dag import flatten_lists
from evaluator.values.kind import BINARY, get_kind
from lexer_parser.dialect import Dialect

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


def slice_by_count(size: int, start: int, count: int) -> slice:
    """Return the slice from an index on with `count` elements.

    A negative index, and a negative count as the index of the last element, count from the end.
    """
    if start < 0:
        start += size
    end = size + count + 1 if count < 0 else start + count
    return slice(max(start, 0), max(end, 0))


def slice_by_range(size: int, start: int, end: int) -> slice:
    """Return the slice between two indexes, inclusive; negative ones count from the end."""
    first, last = (index + size if index < 0 else index for index in (start, end))
    return slice(max(first, 0), max(last + 1, 0))


class AccessOperators:
    """The access operator of one dialect."""

    number: Callable[[Any, int | None], Any]  # the method of `ArithmeticOperators`

    def __init__(self, dialect: Dialect, runtime: Runtime) -> None:
        self.runtime = runtime
        self.dialect = dialect
        self._slice = slice_by_range if dialect.range_to else slice_by_count
        self._integer_keys = dialect.integer_keys
        self._no_character = None if dialect.range_to else ""  # the value of `'abc'[5]`

    def access(self, left: Value, keys: list[Value]) -> Value:
        """Return `left[keys]`. Errors blame operand 0, the left side, or 1 + the index of a key."""
        left_class = type(left)
        if left_class is list:
            return self._access_part(left, keys, self._array_index, "BAD_ARRAY_SLICE_ARITY")
        if left_class is dict:
            return arithmetic.select_values(left, keys)
        if left_class is str:
            part = self._access_part(left, keys, self._string_index, "BAD_STRING_SLICE_ARITY")
            return self._no_character if part is None else part
        if isinstance(left, Type):  # a resource, too
            return self._access_type(left, keys)
        if get_kind(left) is BINARY:
            part = self._access_part(left.data, keys, self._string_index, "BAD_STRING_SLICE_ARITY")
            if type(part) is int:
                return left_class(bytes([part]))
            return left_class(b"" if part is None else part)
        raise make_operand_error("[]", left)

    def _mark_unknown(self, value: Value) -> Value:
        """Return references, marked where the type of the resource does not exist.

        The specification knows no such types.
        """
        if type(value) is list:
            return [self._mark_unknown(element) for element in value]
        if self.dialect.unknown_types or not isinstance(value, ResourceType) or value.type_name is None:
            return value
        if value.type_name == "class" or self.runtime.names.is_resource_type(value.type_name):
            return value
        return UnknownReference(value.type_name, value.title)

    def _access_part(
        self, sequence: Value, keys: list[Value], to_index: Callable[[Value, int], int], arity_code: str
    ) -> Value:
        """Return an element or a slice; None for a missing element.

        Args:
            sequence: A list, str or bytes.
            keys: One key, or two for a slice; arrays of keys are flattened.
            to_index: Returns the index that a key means; takes also the number of the operand to blame.
            arity_code: The code of the error for a wrong number of keys.
        """
        if len(keys) == 1 and type(keys[0]) is int:
            index = keys[0]
            return sequence[index] if -len(sequence) <= index < len(sequence) else None
        flat_keys = flatten_lists(keys) if any(type(key) is list for key in keys) else keys
        refuse_if(not 1 <= len(flat_keys) <= 2, arity_code, actual=len(flat_keys), operand=0)
        if type(sequence) is list:  # all keys are converted before one is rejected
            flat_keys = [self._array_key(key, operand) for operand, key in enumerate(flat_keys, 1)]
        indices = [to_index(key, operand) for operand, key in enumerate(flat_keys, 1)]
        if len(indices) == 1:  # the only key has become an Integer
            return self._access_part(sequence, indices, to_index, arity_code)
        return sequence[self._slice(len(sequence), *indices)]

    def _array_key(self, key: Value, operand: int) -> Value:
        """Return the number that a key of an array means, if the dialect converts it."""
        if type(key) is int or (self._integer_keys and type(key) is str and parse_number(key) is not None):
            return key
        return self.number(key, operand)

    def _array_index(self, key: Value, operand: int) -> int:
        """Return a key of an array, which `_array_key` has converted, if it is an Integer."""
        if type(key) is not int:
            raise make_error("BAD_SLICE_KEY_TYPE", actual=format_general_type(key), operand=operand)
        return key

    def _string_index(self, key: Value, operand: int) -> int:
        """Return the Integer that a key of a String or Binary means."""
        if type(key) is str and not self._integer_keys:
            converted = parse_number(key)
            key = key if converted is None else converted
        if type(key) is not int:
            raise make_error(
                "BAD_STRING_SLICE_KEY_TYPE", actual=add_article(format_general_type(key)), operand=operand
            )
        return key

    def _access_type(self, left: Value, keys: list[Value]) -> Value:
        """Return a parameterized type, or attributes of the resource that a reference names."""
        if getattr(left, "title", None) is None:
            parameterized = parameterize(left, keys, self.dialect)
            return (
                self._mark_unknown(parameterized)
                if type(keys[0]) is str and left == RESOURCE
                else parameterized
            )
        return None if keys == [None] else catalog.read_resource_parameters(self.runtime, left, keys)
