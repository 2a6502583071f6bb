"""What Sensitive values, types and iterators can do: how they are made, their formats."""

from __future__ import annotations

from typing import Any

from evaluator.calling.constructors import Constructor, New
from evaluator.kinds.formats.format import Format, Printing
from evaluator.types import TypeReference, parse_type
from evaluator.values.core import Sensitive
from evaluator.values.kind import ITERATOR, SENSITIVE, TYPE
from evaluator.values.printing import literal
from lexer_parser.dialect import PUPPET


class NewType(New):
    """`Type(text)`: the type of a text; a name that means nothing becomes a TypeReference."""

    def __call__(self, type: Any, args: list[Any], runtime: Any) -> Any:
        text = self.declared(args)
        if runtime is None:
            return parse_type(text, PUPPET, TypeReference)
        return parse_type(text, runtime.dialect, runtime.names.type_or_reference)


def _type(value: Any, format: Format) -> str:
    if format.letter in "sp":
        return format.padded(str(value), alternate=format.letter == "s")
    raise format.refuse("Type", "sp")


SENSITIVE.rules(new=New(Constructor("new_Sensitive", ([("Any", "value", "")], Sensitive))))
TYPE.rules(
    new=NewType(Constructor("new_type", ([("String[1]", "type_string", "")], str))), printing=Printing(_type)
)
# as the array of what it gives, whatever the format
ITERATOR.rules(printing=Printing(lambda value, format: literal(value)))
