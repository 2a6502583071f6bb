"""How Arrays and Tuples are made of other values."""

from __future__ import annotations

from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.issues import Failure
from evaluator.limits import COLLECTION
from evaluator.types import infer
from evaluator.values.binaries import Binary
from evaluator.values.core import iterate
from evaluator.values.kind import ARRAY
from evaluator.values.slices import some
from lexer_parser.dialect import PUPPET


def kind_words(value: Any) -> str:
    """How a message calls the type of a value."""
    return str(infer(value, PUPPET).generalize())


def kind_name(value: Any) -> str:
    """How a message calls the type of a value without its parameters."""
    return infer(value, PUPPET).generalize().keyword


def elements(value: Any, subject: str) -> list[Any]:
    """What iteration over a value yields. Raises Failure for what cannot be iterated."""
    if type(value) is Binary and subject:
        return list(value.data)
    iterable = iterate(value)
    if iterable is None:
        raise Failure(
            "VALUE_NOT_CONVERTIBLE", subject=subject, actual=kind_words(value), type=_TARGETS[subject]
        )
    if type(iterable) is range:
        COLLECTION.check_range(iterable)
    found = []
    for part in some(iterable):
        found += part
        COLLECTION.check(len(found))
    return found


_TARGETS = {"'new_array' ": "Array", "": "Hash"}


def _array(value: Any, wrap: bool = False) -> list[Any]:
    if type(value) is list:
        return value
    return [value] if wrap else elements(value, "'new_array' ")


_ARRAY = Constructor(
    "new_array",
    ([("Variant[Array, Hash, Binary, Iterable]", "from", ""), ("Boolean[false]", "wrap", "?")], _array),
    ([("Any", "from", ""), ("Boolean[true]", "wrap", "")], _array),
)


def _new(args: Any) -> Any:
    """`Array(value, wrap?)`: what cannot be taken apart is refused, or with `wrap` put into an array."""
    if len(args) == 1 or (len(args) == 2 and args[1] is False):
        return _array(args[0])
    return _ARRAY(args)


ARRAY.rules(new=New(_ARRAY, _new))
