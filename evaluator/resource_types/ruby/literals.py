"""Values of Ruby literals, and of names that were set to literals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluator.resource_types.ruby.lexer import (
    Parts,
    RubyToken,
    Text,
    TokenGroup,
    UnsupportedSyntax,
    group_tokens,
    is_word,
)
from lexer_parser.record import Record

# The values of local variables and constants.
Names = dict[str, object]

_MAX_SIZE = 10_000  # elements of an array
_LITERAL_WORDS: dict[Any, object] = {"nil": None, "true": True, "false": False}
_CONVERSIONS = frozenset(
    {"freeze", "dup", "to_s", "to_sym", "intern"}
)  # methods that return their receiver here


class RubyRegexp:
    """A regular expression; `text` includes its options, as Ruby prints it: `(?m-ix:…)`."""

    def __init__(self, source: str, flags: str) -> None:
        on = "".join(flag for flag in "mix" if flag in flags)
        off = "".join(flag for flag in "mix" if flag not in flags)
        self.source = source
        self.text = f"(?{on}{'-' + off if off else ''}:{source})"


class RubyLambda(Record):
    """A lambda, which is not evaluated."""

    block: TokenGroup


def is_group(part: RubyToken | TokenGroup | None, *kinds: str) -> bool:
    """Return whether a part is a group of one of these kinds."""
    return isinstance(part, TokenGroup) and part.kind in kinds


def split_parts(parts: Parts, word: str) -> list[Parts]:
    """Return the parts between the operators `word`, without ends of lines."""
    found: list[Parts] = [[]]
    for part in parts:
        if is_word(part, word):
            found.append([])
        elif isinstance(part, TokenGroup) or part.kind != "line":
            found[-1].append(part)
    return found if found[-1] else found[:-1]


def is_pair(parts: Parts) -> bool:
    """Return whether an argument or element is a pair `key: value` or `key => value`."""
    is_labelled = bool(parts) and isinstance(parts[0], RubyToken) and parts[0].kind == "label"
    return is_labelled or any(is_word(part, "=>") for part in parts)


def read_pairs(elements: list[Parts], names: Names) -> Iterator[tuple[object, Parts]]:
    """Yield the key and the unread value of each pair. Raises UnsupportedSyntax."""
    for element in elements:
        first = element[0] if element else None
        if isinstance(first, RubyToken) and first.kind == "label":
            yield first.value, element[1:]
            continue
        left, right = [*split_parts(element, "=>"), [], []][:2]
        key = read_value(left, names)
        if not isinstance(key, str | int | None):
            raise UnsupportedSyntax
        yield key, right


def read_value(parts: Parts, names: Names) -> Any:
    """Return the value of a literal, a name or a sum of arrays. Raises UnsupportedSyntax."""
    operands = [_read_operand(operand, names) for operand in split_parts(parts, "+")]
    if len(operands) == 1:
        return operands[0]
    items: list[object] = []
    for operand in operands:
        if not isinstance(operand, list) or len(items) > _MAX_SIZE:
            raise UnsupportedSyntax
        items += operand
    return items


def _read_operand(parts: Parts, names: Names) -> object:
    """Return the value of an operand: a literal or name, adjacent strings, a lambda."""
    while len(parts) > 2 and is_word(parts[-2], ".") and str(getattr(parts[-1], "value", "")) in _CONVERSIONS:
        parts = parts[:-2]
    last = parts[-1] if parts else None
    if len(parts) == 1:
        return _read_group(last, names) if isinstance(last, TokenGroup) else _read_token(parts[0], names)
    if isinstance(last, TokenGroup) and getattr(parts[0], "value", "") in ("->", "lambda", "proc"):
        return RubyLambda(last)
    if not parts or any(getattr(part, "kind", "") != "text" for part in parts):
        raise UnsupportedSyntax
    return "".join([str(_read_token(part, names)) for part in parts])


def _read_group(group: TokenGroup, names: Names) -> object:
    elements = split_parts(group.parts, ",")
    if group.kind == "[":
        return [read_value(element, names) for element in elements]
    if group.kind == "{":
        return {key: read_value(value, names) for key, value in read_pairs(elements, names)}
    if group.kind == "(":
        return read_value(group.parts, names)
    raise UnsupportedSyntax


def _read_token(token: Any, names: Names) -> object:
    value: Any = token.value
    if token.kind == "text":
        return _join(value, names)
    if token.kind in ("symbol", "words"):
        return value
    if token.kind == "number":
        return float(value) if "." in value else int(value, 0) if value.startswith("0x") else int(value)
    if token.kind == "regexp":
        return RubyRegexp(_join(value, names), token.flags)
    if token.kind in ("name", "constant") and value in names:
        return names[value]
    if token.kind == "keyword" and value in _LITERAL_WORDS:
        return _LITERAL_WORDS[value]
    raise UnsupportedSyntax


def _join(parts: Text, names: Names) -> str:
    """Return the text of a string or regular expression with the values that it interpolates."""
    found = []
    for part in parts:
        value = part if isinstance(part, str) else read_value(group_tokens(part), names)
        if not isinstance(value, str | int | RubyRegexp):
            raise UnsupportedSyntax
        found.append(value.text if isinstance(value, RubyRegexp) else str(value))
    return "".join(found)
