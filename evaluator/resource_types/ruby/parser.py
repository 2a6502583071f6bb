"""A parser of Ruby expressions: operators, calls with arguments and blocks, literals.

A node is a tuple whose first element is its kind:

    ("value", value)  ("text", parts)  ("regexp", parts, flags)  ("array", nodes)  ("hash", nodes)
    ("name", name)  ("constant", "A::B")  ("variable", "@a")  ("call", receiver, name, arguments, block)
    ("set", node, operator, value)  ("and"/"or"/"not"/"if", nodes…)  ("lambda", block)  ("group", TokenGroup)
    ("pair", key, value), ("splat", node) and ("block", node) among arguments and elements
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from evaluator.resource_types.ruby.lexer import (
    Parts,
    RubyToken,
    TokenGroup,
    UnsupportedSyntax,
    group_tokens,
    is_word,
    split_statements,
)

Node = tuple[Any, ...]

_PRECEDENCE = {
    **dict.fromkeys(("or", "and"), 1),
    **dict.fromkeys(("if", "unless", "while", "until", "rescue"), 0),
    **dict.fromkeys(("=", "+=", "-=", "||=", "&&=", "<<=", "*="), 3),
    "?": 4,
    **dict.fromkeys(("..", "..."), 5),
    "||": 6,
    "&&": 7,
    **dict.fromkeys(("==", "!=", "===", "=~", "!~", "<=>"), 8),
    **dict.fromkeys(("<", ">", "<=", ">="), 9),
    **dict.fromkeys(("|", "^"), 10),
    "&": 11,
    **dict.fromkeys(("<<", ">>"), 12),
    **dict.fromkeys(("+", "-"), 13),
    **dict.fromkeys(("*", "/", "%"), 14),
    "**": 15,
}
_ASSIGNMENT = 3
_ARGUMENT = 2  # operators above this level need no brackets in arguments
_UNARY = 16
_LITERAL_WORDS: dict[Any, Any] = {"nil": None, "true": True, "false": False}
_STARTS = frozenset({"symbol", "label", "text", "regexp", "words", "number", "variable", "constant", "name"})


class RubyParser:
    """A parser of one statement."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.position = 0

    def parse(self) -> Node:
        """Return the tree of the whole statement. Raises UnsupportedSyntax."""
        found = self.parse_expression(-1)
        if is_word(self._next(), ","):  # several targets or values
            raise UnsupportedSyntax
        if self.position < len(self.parts):
            raise UnsupportedSyntax
        return found

    def _next(self) -> RubyToken | TokenGroup | None:
        return self.parts[self.position] if self.position < len(self.parts) else None

    def parse_expression(self, floor: int) -> Node:
        """Parse an expression whose operators have a higher precedence than `floor`."""
        left = self._parse_operand(floor)
        while True:
            part = self._next()
            if not isinstance(part, RubyToken) or part.kind not in ("operator", "keyword"):
                return left
            word = str(part.value)
            precedence = _PRECEDENCE.get(word)
            if precedence is None or precedence <= floor:
                return left
            self.position += 1
            left = self._parse_operation(left, word, precedence)

    def _parse_operation(self, left: Node, word: str, precedence: int) -> Node:
        if precedence == 0:
            if word not in ("if", "unless"):
                raise UnsupportedSyntax
            condition = self.parse_expression(0)
            return ("if", condition if word == "if" else ("not", condition), left, None)
        if precedence == _ASSIGNMENT:
            return ("set", left, word[:-1], self.parse_expression(_ASSIGNMENT - 1))
        if word == "?":
            yes = self.parse_expression(4)
            part = self._next()
            if isinstance(part, RubyToken) and part.kind == "symbol":
                raise UnsupportedSyntax
            self._expect(":")
            return ("if", left, yes, self.parse_expression(3))
        if word in ("and", "&&", "or", "||"):
            return ("and" if word in ("and", "&&") else "or", left, self.parse_expression(precedence))
        right = self.parse_expression(precedence - (word == "**"))
        if word in ("!=", "!~"):
            return ("not", ("call", left, "==" if word == "!=" else "=~", [right], None))
        return ("call", left, word, [right], None)

    def _expect(self, word: str) -> None:
        if not is_word(self._next(), word):
            raise UnsupportedSyntax
        self.position += 1

    # --- operands

    def _parse_operand(self, floor: int) -> Node:
        part = self._next()
        if part is None:
            raise UnsupportedSyntax
        self.position += 1
        if isinstance(part, TokenGroup):
            return self._parse_calls(self._of_group(part))
        value: Any = part.value
        match part.kind:
            case "symbol" | "number":
                return self._parse_calls(("value", value if part.kind == "symbol" else _number(value)))
            case "words":
                return self._parse_calls(("array", [("value", word) for word in value]))
            case "text":
                return self._parse_calls(self._adjacent_strings(value))
            case "regexp":
                return self._parse_calls(("regexp", _parse_parts(value), part.flags))
            case "variable":
                return self._parse_calls(("variable", value))
            case "constant" | "name":
                return self._parse_calls(self._parse_named(part, floor))
            case "label":
                self.position -= 1
                raise UnsupportedSyntax
        return self._parse_word(value, floor)

    def _adjacent_strings(self, value: Any) -> Node:
        parts = _parse_parts(value)
        while isinstance(part := self._next(), RubyToken) and part.kind == "text":
            self.position += 1
            parts += _parse_parts(part.value)
        return ("text", parts)

    def _parse_word(self, word: str, floor: int) -> Node:
        if word in _LITERAL_WORDS:
            return self._parse_calls(("value", _LITERAL_WORDS[word]))
        if word == "self":
            return self._parse_calls(("self",))
        if word == "__FILE__":
            return self._parse_calls(("file",))
        if word in ("!", "not"):
            return ("not", self.parse_expression(_UNARY if word == "!" else _ARGUMENT))
        if word == "-":
            return ("call", ("value", 0), "-", [self.parse_expression(_UNARY)], None)
        if word == "->":
            return self._parse_calls(("lambda", *self._parse_lambda()))
        if word == "::":
            return self._parse_operand(floor)
        if word in ("return", "next"):
            ended = self.position >= len(self.parts) or is_word(self._next(), "if", "unless")
            return ("return", None if ended else self.parse_expression(_ARGUMENT))
        raise UnsupportedSyntax

    def _parse_lambda(self) -> tuple[list[str], TokenGroup]:
        names: list[str] = []
        if isinstance(part := self._next(), TokenGroup) and part.kind == "(":
            names = parse_parameters(part.parts)
            self.position += 1
        elif isinstance(part, RubyToken) and part.kind == "name":
            names = [str(part.value)]
            self.position += 1
        body = self._next()
        if not isinstance(body, TokenGroup) or body.kind not in ("{", "do"):
            raise UnsupportedSyntax
        self.position += 1
        return names, body

    def _of_group(self, group: TokenGroup) -> Node:
        if group.kind == "[":
            return ("array", parse_elements(group.parts))
        if group.kind == "{":
            return ("hash", parse_elements(group.parts))
        return ("group", group)

    # --- names and calls

    def _parse_named(self, part: RubyToken, floor: int) -> Node:
        """Parse a name with its arguments and block, if it has any."""
        name = str(part.value)
        following = self._next()
        called = isinstance(following, TokenGroup) and (
            (following.kind == "(" and not following.spaced)
            or (following.kind in ("do", "{") and part.kind == "name")
        )
        if called or (part.kind == "name" and self._begins_argument(following)):
            arguments, block = self._parse_arguments()
            return ("call", None, name, arguments, block)
        return ("constant" if part.kind == "constant" else "name", name)

    def _begins_argument(self, part: RubyToken | TokenGroup | None) -> bool:
        if isinstance(part, TokenGroup):
            return part.kind in ("[", "(") and part.spaced
        if part is None or not part.spaced:
            return False
        if part.kind in _STARTS:
            return True
        if part.kind == "keyword":
            return part.value in ("nil", "true", "false", "self", "not", "__FILE__")
        if is_word(part, "*", "&", "-", "::", "->", "!"):
            following = self.parts[self.position + 1] if self.position + 1 < len(self.parts) else None
            return is_word(part, "->") or (following is not None and not following.spaced)
        return False

    def _parse_arguments(self) -> tuple[list[Node], Any]:
        """Parse the arguments, in brackets or not, and the block."""
        part = self._next()
        found: list[Node] = []
        if isinstance(part, TokenGroup) and part.kind == "(" and not part.spaced:
            self.position += 1
            found = parse_elements(part.parts)
        elif not (isinstance(part, TokenGroup) and part.kind in ("do", "{")):
            found = self.parse_elements(_ARGUMENT)
        part = self._next()
        if isinstance(part, TokenGroup) and part.kind in ("do", "{"):
            self.position += 1
            return found, part
        return found, None

    def parse_elements(self, floor: int) -> list[Node]:
        """Parse expressions, pairs and splats with commas between them."""
        found = [self._parse_element(floor)]
        while is_word(self._next(), ","):
            self.position += 1
            if self._next() is None:
                break
            found.append(self._parse_element(floor))
        return found

    def _parse_element(self, floor: int) -> Node:
        part = self._next()
        if isinstance(part, RubyToken) and part.kind == "label":
            self.position += 1
            if self._next() is None or is_word(self._next(), ","):
                return ("pair", ("value", part.value), ("name", part.value))
            return ("pair", ("value", part.value), self.parse_expression(floor))
        if is_word(part, "*", "**", "&"):
            self.position += 1
            kind = "block" if is_word(part, "&") else "splat"
            return (kind, self.parse_expression(_UNARY))
        found = self.parse_expression(floor)
        if is_word(self._next(), "=>"):
            self.position += 1
            return ("pair", found, self.parse_expression(floor))
        return found

    def _parse_calls(self, node: Node) -> Node:
        """Parse what follows an operand: calls of methods, members of modules, indices."""
        while True:
            part = self._next()
            if is_word(part, ".", "&.", "::"):
                following = self.parts[self.position + 1] if self.position + 1 < len(self.parts) else None
                if not isinstance(following, RubyToken) or following.kind not in ("name", "constant"):
                    raise UnsupportedSyntax
                self.position += 2
                name = str(following.value)
                if is_word(part, "::") and following.kind == "constant" and node[0] == "constant":
                    node = ("constant", f"{node[1]}::{name}")
                    continue
                after = self._next()
                given = isinstance(after, TokenGroup) and (
                    after.kind in ("do", "{") or (after.kind == "(" and not after.spaced)
                )
                arguments, block = (
                    self._parse_arguments() if given or self._begins_argument(after) else ([], None)
                )
                node = ("call", node, name, arguments, block)
            elif isinstance(part, TokenGroup) and part.kind == "[" and not part.spaced:
                self.position += 1
                node = ("call", node, "[]", parse_elements(part.parts), None)
            else:
                return node


def parse_elements(parts: Parts) -> list[Node]:
    """Return the elements between brackets. Raises UnsupportedSyntax."""
    kept: Parts = [part for part in parts if not (isinstance(part, RubyToken) and part.kind == "line")]
    if not kept:
        return []
    parser = RubyParser(kept)
    found = parser.parse_elements(0)
    if parser.position < len(kept):
        raise UnsupportedSyntax
    return found


def parse_parameters(parts: Parts) -> list[str]:
    """Return the names of plain parameters; raise UnsupportedSyntax for others."""
    names = []
    for index, part in enumerate(parts):
        if index % 2 == 0 and isinstance(part, RubyToken) and part.kind == "name":
            names.append(str(part.value))
        elif index % 2 == 0 or not is_word(part, ","):
            raise UnsupportedSyntax
    return names


def split_block(group: TokenGroup) -> tuple[list[str], Parts]:
    """Return the parameters of a block and its body. Raises UnsupportedSyntax."""
    parts = group.parts
    if not parts or not is_word(parts[0], "|"):
        return [], parts
    for index in range(1, len(parts)):
        if is_word(parts[index], "|"):
            return parse_parameters(parts[1:index]), parts[index + 1 :]
    raise UnsupportedSyntax


def parse_statement(parts: Parts) -> Node:
    """Return the tree of one statement. Raises UnsupportedSyntax."""
    return RubyParser(parts).parse()


def _number(text: str) -> int | float:
    try:
        return int(text, 0) if not text.isdigit() else int(text)
    except ValueError:
        return float(text)


def _parse_parts(value: Any) -> list[Any]:
    """Return the parts of a string: its text, and the trees of its interpolations."""
    return [part if type(part) is str else _parse_interpolation(part) for part in value]


def _parse_interpolation(tokens: list[RubyToken]) -> Node:
    """Return the tree of an interpolation; ("unknown",) if it is not one expression."""
    with suppress(UnsupportedSyntax, ValueError):
        (found,) = split_statements(group_tokens(tokens))
        return parse_statement(found)
    return ("unknown",)
