"""A parser of the Ruby in sources of resource types.

In the order of use: it groups the tokens that brackets or words such as `do` and `end` enclose, splits groups into
statements and these into parts, reads a statement as a call, and computes the values of literals.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any, Final

from evaluator.resource_types.sources.ruby_lexer import (
    OPERAND_KEYWORDS,
    MalformedSource,
    RubyToken,
    Text,
    UnsupportedSyntax,
    refuse_if,
    require_kind,
)
from lexer_parser.record import Record, fresh

# --- groups: the tokens between brackets, and between a word such as `do` and its `end`


Parts = list["RubyToken | TokenGroup"]

_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_OPENING = frozenset(
    {"def", "class", "module", "case", "begin", "do", "for", "if", "unless", "while", "until"}
)
MODIFIERS = frozenset({"if", "unless", "while", "until", "rescue"})
_LOOPS = frozenset({"for", "while", "until"})
MAX_NESTING = 100
# after these an expression continues in the next line
_CONTINUING = frozenset(
    (
        *("+", "-", "*", "/", "%", "**", "=", "==", "!=", "===", "=~", "!~", "<", ">", "<=", ">="),
        *("<=>", "&&", "||", "&", "|", "^", "<<", ">>", "=>", ",", ".", "&.", "::", "+=", "-="),
        *("||=", "&&=", "?", ":", "!", "->"),
    )
)


class TokenGroup(Record):
    """The tokens inside brackets, or of a statement such as `if`.

    Attributes:
        kind: The opening bracket, or the word that begins the statement; "" for the whole source.
        spaced: True if spaces precede it.
        parts: The tokens and inner groups, without the bracket or word at the beginning and the one at the end.
    """

    kind: Final[str]
    spaced: Final[bool]
    parts: Parts = fresh(factory=list)

    def __repr__(self) -> str:
        return f"{self.kind}{self.parts}"


def is_group(part: RubyToken | TokenGroup | None, *kinds: str) -> bool:
    """Return whether a part is a group of one of these kinds."""
    return isinstance(part, TokenGroup) and part.kind in kinds


def is_word(part: RubyToken | TokenGroup | None, *words: str) -> bool:
    """Return whether a token is one of these operators or keywords."""
    return isinstance(part, RubyToken) and part.kind in ("operator", "keyword") and part.value in words


def get_text(part: RubyToken | TokenGroup) -> str:
    """Return the text of a token; "" for a group."""
    return "" if isinstance(part, TokenGroup) else str(part.value)


def group_tokens(tokens: list[RubyToken]) -> Parts:
    """Return the tokens, with nested ones in groups. Raises UnsupportedSyntax."""
    top = TokenGroup("", spaced=False)
    stack = [top]
    awaits_do = False  # True between the keyword of a loop and its `do`, which opens no group of its own
    for index, token in enumerate(tokens):
        parts = stack[-1].parts
        last = parts[-1] if parts else None
        if token.kind == "line":
            if parts and not _is_incomplete(last, stack[-1]) and not _continues_with_dot(tokens, index):
                awaits_do = False
                parts.append(token)
            continue
        word = str(token.value) if token.kind in ("operator", "keyword") else ""
        if word in _BRACKETS or (word in _OPENING and not _is_modifier(word, last)):
            if word == "do" and awaits_do:
                awaits_do = False
                parts.append(RubyToken("line", "\n", spaced=False))
                continue
            refuse_if(len(stack) > MAX_NESTING)
            group = TokenGroup(word, token.spaced)
            parts.append(group)
            stack.append(group)
            awaits_do = word in _LOOPS or (awaits_do and word in _BRACKETS)
        elif word in (")", "]", "}", "end"):
            refuse_if(len(stack) == 1 or _BRACKETS.get(stack[-1].kind, "end") != word, MalformedSource)
            stack.pop()
        elif word == "=" and token.spaced and _is_method_head(stack[-1]):
            stack.pop()  # the method has no `end`
        elif word in (";", "then"):
            parts.append(RubyToken("line", "\n", spaced=False))
        else:
            parts.append(token)
    refuse_if(len(stack) > 1, MalformedSource)
    return top.parts


def _is_method_head(group: TokenGroup) -> bool:
    """Return whether a group has only the name of a method and its parameters in parentheses."""
    parts = group.parts[:-1] if group.parts and is_group(group.parts[-1], "(") else group.parts
    return group.kind == "def" and (len(parts) == 1 or (len(parts) == 3 and is_word(parts[1], ".")))


def _is_modifier(word: str, last: RubyToken | TokenGroup | None) -> bool:
    """Return whether a word such as `if` modifies the statement before it on the line."""
    if word not in MODIFIERS or last is None:
        return False
    if isinstance(last, TokenGroup):
        return True
    if last.kind == "keyword":
        return last.value in OPERAND_KEYWORDS or last.value in ("return", "break", "next", "redo", "retry")
    return last.kind not in ("line", "operator", "label")


def _is_incomplete(last: RubyToken | TokenGroup | None, group: TokenGroup) -> bool:
    """Return whether a line ends within a statement, or before one begins."""
    if last is None or isinstance(last, TokenGroup):
        return False
    if last.kind == "operator" and last.value == "|" and group.kind in ("do", "{"):
        return not _ends_block_parameters(group)
    return (
        last.kind == "line"
        or (last.kind == "operator" and last.value in _CONTINUING)
        or (last.kind == "keyword" and last.value in ("and", "or", "not"))
    )


def _ends_block_parameters(group: TokenGroup) -> bool:
    """Return whether the last bar closes the parameters of a block."""
    bars = [index for index, part in enumerate(group.parts) if is_word(part, "|")]
    return len(bars) == 2 and bars[0] == 0


def _continues_with_dot(tokens: list[RubyToken], index: int) -> bool:
    """Return whether the next line begins with the dot of a call."""
    following = (token for token in tokens[index + 1 : index + 50] if token.kind != "line")
    return is_word(next(following, None), ".", "&.")


# --- statements and their parts


def split_statements(parts: Parts) -> Iterator[Parts]:
    """Yield the statements, which lines separate."""
    for is_line, group in groupby(parts, lambda part: isinstance(part, RubyToken) and part.kind == "line"):
        if not is_line:
            yield list(group)


def collect_names(parts: Parts) -> Iterator[str]:
    """Yield all names in the parts, at any depth."""
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, TokenGroup):
            pending += part.parts
        elif part.kind in ("name", "constant", "symbol") and type(part.value) is str:
            yield part.value


def split_parts(parts: Parts, word: str) -> list[Parts]:
    """Return the parts between the operators `word`, without ends of lines."""
    pieces: list[Parts] = [[]]
    for part in parts:
        if is_word(part, word):
            pieces.append([])
        elif isinstance(part, TokenGroup) or part.kind != "line":
            pieces[-1].append(part)
    return pieces if pieces[-1] else pieces[:-1]


def is_pair(parts: Parts) -> bool:
    """Return whether an argument or element is a pair `key: value` or `key => value`."""
    is_labelled = bool(parts) and isinstance(parts[0], RubyToken) and parts[0].kind == "label"
    return is_labelled or any(is_word(part, "=>") for part in parts)


# --- calls


class RubyCall(Record):
    """A call with its arguments unread.

    Attributes:
        receiver: The text before its name: `A::B.`; "" without one.
        block: The block behind the arguments, in braces or from `do` to `end`.
    """

    receiver: str
    name: str
    arguments: list[Parts]
    block: TokenGroup | None

    @property
    def first(self) -> Parts:
        """The first argument; nothing if there is none."""
        return self.arguments[0] if self.arguments else []


def parse_call(statement: Parts) -> RubyCall:
    """Return the call that a statement is. Raises UnsupportedSyntax."""
    index = 0
    while len(statement) > index + 1 and is_word(statement[index + 1], ".", "::"):
        index += 2
    name = require_kind(statement[index] if index < len(statement) else None, RubyToken)
    refuse_if(name.kind != "name")
    receiver = "".join(get_text(part) for part in statement[:index])
    rest = statement[index + 1 :]
    last = rest[-1] if rest else None
    block = None
    # braces behind the name or the parentheses are a block, behind other arguments a hash
    if isinstance(last, TokenGroup) and (
        last.kind == "do" or (last.kind == "{" and (len(rest) == 1 or is_group(rest[-2], "(")))
    ):
        block = last
        rest = rest[:-1]
    if len(rest) == 1 and isinstance(rest[0], TokenGroup) and rest[0].kind == "(":
        rest = rest[0].parts
    return RubyCall(receiver, str(name.value), split_parts(rest, ","), block)


# --- literals


# The values of local variables and constants, by name.
Variables = dict[str, object]

_MAX_SIZE = 10_000  # elements of an array
_LITERAL_WORDS: dict[Any, object] = {"nil": None, "true": True, "false": False}
# Methods that return their receiver here.
_CONVERSIONS = frozenset({"freeze", "dup", "to_s", "to_sym", "intern"})


class RubyRegexp:
    """A regular expression; `text` includes its options, as Ruby prints it: `(?m-ix:…)`."""

    def __init__(self, source: str, flags: str) -> None:
        on = "".join(flag for flag in "mix" if flag in flags)
        off = "".join(flag for flag in "mix" if flag not in flags)
        self.source = source
        self.text = f"(?{on}{'-' + off if off else ''}:{source})"


class RubyLambda(Record):
    """A lambda, which is not evaluated: `read_value` returns it."""

    block: TokenGroup


def split_group(parts: Parts, kind: str) -> list[Parts]:
    """Return the elements of an array or hash. Raises UnsupportedSyntax."""
    group = require_kind(parts[0] if parts else None, TokenGroup)
    refuse_if(group.kind != kind)
    return split_parts(group.parts, ",")


def read_pairs(elements: list[Parts], variables: Variables) -> Iterator[tuple[object, Parts]]:
    """Yield the key and the unread value of each pair. Raises UnsupportedSyntax."""
    for element in elements:
        first = element[0] if element else None
        if isinstance(first, RubyToken) and first.kind == "label":
            yield first.value, element[1:]
            continue
        left, right = [*split_parts(element, "=>"), [], []][:2]
        key = read_value(left, variables)
        refuse_if(not isinstance(key, str | int | None))
        yield key, right


def read_value(parts: Parts, variables: Variables) -> Any:
    """Return the value of a literal, a name or a sum of arrays. Raises UnsupportedSyntax."""
    operands = [_read_operand(operand, variables) for operand in split_parts(parts, "+")]
    if len(operands) == 1:
        return operands[0]
    items: list[object] = []
    for operand in operands:
        refuse_if(len(items) > _MAX_SIZE)
        items += require_kind(operand, list)
    return items


def _read_operand(parts: Parts, variables: Variables) -> object:
    """Return the value of an operand: a literal or name, adjacent strings, a lambda."""
    while len(parts) > 2 and is_word(parts[-2], ".") and get_text(parts[-1]) in _CONVERSIONS:
        parts = parts[:-2]
    last = parts[-1] if parts else None
    if len(parts) == 1:
        return (
            _read_group(last, variables) if isinstance(last, TokenGroup) else _read_token(parts[0], variables)
        )
    if isinstance(last, TokenGroup) and get_text(parts[0]) in ("->", "lambda", "proc"):
        return RubyLambda(last)
    refuse_if(not parts or any(getattr(part, "kind", "") != "text" for part in parts))
    return "".join([str(_read_token(part, variables)) for part in parts])


def _read_group(group: TokenGroup, variables: Variables) -> object:
    """Return the value of an array, a hash or parentheses. Raises UnsupportedSyntax."""
    elements = split_parts(group.parts, ",")
    match group.kind:
        case "[":
            return [read_value(element, variables) for element in elements]
        case "{":
            return {key: read_value(value, variables) for key, value in read_pairs(elements, variables)}
        case "(":
            return read_value(group.parts, variables)
    raise UnsupportedSyntax


def _read_token(token: Any, variables: Variables) -> object:
    """Return the value of a single token. Raises UnsupportedSyntax."""
    value: Any = token.value
    match token.kind:
        case "text":
            return _join(value, variables)
        case "symbol" | "words":
            return value
        case "number":
            with suppress(ValueError):  # Python refuses thousands of digits
                return _read_number(value)
        case "regexp":
            return RubyRegexp(_join(value, variables), token.flags)
        case "name" | "constant" if value in variables:
            return variables[value]
        case "keyword" if value in _LITERAL_WORDS:
            return _LITERAL_WORDS[value]
    raise UnsupportedSyntax


def _read_number(text: str) -> int | float:
    if text.isdecimal():
        return int(text)
    return int(text, 0) if text[:2].lower() in ("0x", "0b") else float(text)


def _join(parts: Text, variables: Variables) -> str:
    """Return the text of a string or regular expression with the values that it interpolates."""
    texts = []
    for part in parts:
        value = part if isinstance(part, str) else read_value(group_tokens(part), variables)
        refuse_if(not isinstance(value, str | int | RubyRegexp))
        texts.append(value.text if isinstance(value, RubyRegexp) else str(value))
    return "".join(texts)
