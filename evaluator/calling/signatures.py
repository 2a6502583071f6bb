"""Signatures of functions in Puppet's notation: `join(Array arg, String delimiter?) >> String`.

Messages and help show them as they are written; `dispatch` and `call_mismatches` test arguments against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from evaluator.types import AliasType, Type, get_predicate, parse_type
from evaluator.values.kind import Value
from lexer_parser.dialect import PUPPET
from lexer_parser.memo import memoize
from lexer_parser.record import Record

OPENING = "([{"
CLOSING = ")]}"
# The type of a last parameter that is the block begins with one of these.
_BLOCK_TYPES = ("Callable", "BlockType = Callable")


class SignatureParameter(Record):
    """A parameter of a built-in function.

    Attributes:
        text: The type in Puppet's notation.
        name: The name, without the mark of the mode.
        mode: "" (required), "?" (optional), "*" (any number) or "+" (one or more).
    """

    text: str
    name: str
    mode: str
    _type: Type | None = None

    @property
    def type(self) -> Type:
        """The declared Type, parsed on the first access."""
        if self._type is None:
            self._type = parse_signature_type(self.text)
        return self._type


class Signature:
    """One way to call a function.

    Attributes:
        text: The signature in Puppet's notation; by default it is made from the other arguments.
        name: The name of the function.
        parameters: The parameters without the block.
        min: The least number of arguments.
        max: The greatest number of arguments, None for any number.
        block: The parameter of the block, or None.
        returns: The return type in Puppet's notation, or "".
        legacy: True for functions of the old interface (parameters p0, p1 …). They count their arguments themselves,
            receive undef as '' and ignore a block.
    """

    __slots__ = ("block", "legacy", "max", "min", "name", "parameters", "returns", "text")

    def __init__(
        self,
        name: str,
        parameters: list[SignatureParameter],
        block: SignatureParameter | None,
        returns: str,
        text: str = "",
    ) -> None:
        if not text:
            parts = parameters if block is None else [*parameters, block]
            listed = ", ".join(f"{part.text} {part.name}{part.mode}" for part in parts)
            text = f"{name}({listed})" + (f" >> {returns}" if returns else "")
        self.text = text
        self.returns = returns
        self.name = name
        self.block = block
        self.parameters = tuple(parameters)
        self.min = sum(parameter.mode in ("", "+") for parameter in parameters)
        self.max = None if parameters and parameters[-1].mode in ("*", "+") else len(parameters)
        self.legacy = bool(parameters) and parameters[0].name == "p0"

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Return the signature of a text in Puppet's notation."""
        head, _, returns = text.partition(" >> ")
        name, _, inside = head.partition("(")
        parameters = [_parse_parameter(part) for part in split_at_commas(inside.rstrip().removesuffix(")"))]
        last = parameters[-1] if parameters else None
        block = last if last is not None and last.text.startswith(_BLOCK_TYPES) else None
        return cls(name, parameters if block is None else parameters[:-1], block, returns, text)

    def takes_count(self, count: int) -> bool:
        """Return True if it takes this number of arguments."""
        return count >= self.min and (self.max is None or count <= self.max)

    @property
    def listing(self) -> str:
        """The parameters as a message lists them: `(Array arg, String delimiter?)`.

        A block that is named `_` is left out.
        """
        parts = [*self.parameters] + ([self.block] if self.block and self.block.name != "_" else [])
        return f"({', '.join(_format_parameter(part) for part in parts)})"

    def parameter_at(self, index: int) -> SignatureParameter:
        """Return the parameter that takes the argument at an index; the last one takes the rest."""
        return self.parameters[min(index, len(self.parameters) - 1)]

    def accepts(self, arguments: list[Value]) -> bool:
        """Return True if it takes these arguments without a block."""
        needs_block = self.block is not None and self.block.mode != "?"
        return (
            self.takes_count(len(arguments))
            and not needs_block
            and all(
                get_predicate(self.parameter_at(index).type)(value) for index, value in enumerate(arguments)
            )
        )


def _parse_parameter(text: str) -> SignatureParameter:
    type_text, _, name = text.rpartition(" ")
    mode = name[-1] if name[-1] in "?*+" else ""
    return SignatureParameter(type_text, name.removesuffix(mode), mode)


def _format_parameter(parameter: SignatureParameter) -> str:
    """Return a parameter as a message lists it."""
    text = parameter.text
    if text.replace("::", "").isalnum() and parameter.type.shown_by_definition:
        text = str(parameter.type)
    if parameter.mode == "?":
        if text.startswith("Optional["):
            text = text.removeprefix("Optional[").removesuffix("]")
        text = "" if text == "Optional" else text  # the mark has the same meaning
    return f"{text} {parameter.name}{parameter.mode}"


def split_at_commas(text: str) -> list[str]:
    """Return the parts between the commas that are in no bracket; blank text has no parts.

    The brackets of a regexp must be balanced.
    """
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char in OPENING:
            depth += 1
        elif char in CLOSING:
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:index].strip())
            start = index + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


# Types that occur in signatures although the language does not define them.
LOCAL_TYPES = {
    "MergeType": "Variant[String[1], Hash[String, Scalar]]",
    "StringData": "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]",
    "ValueType": "Type",
}


def parse_signature_type(text: str) -> Type:
    """Return the Type of a text in a signature; `Name = Type` makes an alias of that name."""
    if " = " in text:
        return parse_named_type(text, parse_named_types([text]))
    return _parse(text, {})


_NAMING = r"\b([A-Z]\w*) = "  # before a type, to name it


def parse_named_types(texts: Iterable[str]) -> dict[str, AliasType]:
    """Return the types that texts name by `Name = Type`, by name."""
    names: dict[str, AliasType] = {}
    for text in texts:
        for match in re.finditer(_NAMING, text):
            definition = _remove_definitions(text[match.end() : _find_type_end(text, match.end())])
            names[match[1]] = AliasType(match[1], partial(_parse, definition, names))
    return names


def parse_named_type(text: str, names: dict[str, AliasType]) -> Type:
    """Return the Type of a text.

    Args:
        text: A type, in which `Name = Type` has the same meaning as `Name`.
        names: The types of such names.
    """
    bare = _remove_definitions(text)
    return names[bare] if bare in names else _parse(bare, names)


def _remove_definitions(text: str) -> str:
    """Return a text in which each `Name = Type` is replaced by the name."""
    match = re.search(_NAMING, text)
    while match is not None:
        text = text[: match.start()] + match[1] + text[_find_type_end(text, match.end()) :]
        match = re.search(_NAMING, text)
    return text


def _find_type_end(text: str, start: int) -> int:
    """Return the index after the type that begins at `start`."""
    depth, position = 0, start
    while position < len(text):
        char = text[position]
        if char == "/":
            position = text.index("/", position + 1)
        elif char in OPENING:
            depth += 1
        elif char in CLOSING:
            depth -= 1
        if depth < 0 or (char == "," and not depth):
            break
        position += 1
    return position


def _parse(text: str, names: dict[str, AliasType]) -> Type:
    return parse_type(text, PUPPET, resolve=lambda name: names.get(name) or _find_local_type(name))


# One alias for each name, also within its own definition, because an alias stores its resolved type.
@memoize(unbounded_because="one for each local type of the built-in functions", interned=True)
def _find_local_type(name: str) -> Type | None:
    definition = LOCAL_TYPES.get(name)
    if definition is None:
        return None
    return AliasType(name, lambda: parse_type(definition, PUPPET, resolve=_find_local_type))
