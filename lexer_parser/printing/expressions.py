"""Printing of expressions: on one line where they fit, else opened up at their outermost brackets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from lexer_parser import nodes
from lexer_parser.printing.text import SourceText

WIDTH = 140
INDENT = "  "
BINARY = (nodes.Arithmetic, nodes.Comparison, nodes.Match, nodes.In, nodes.And, nodes.Or)
WORD_OPERATORS: dict[type[nodes.Node], str] = {nodes.In: "in", nodes.And: "and", nodes.Or: "or"}
# What, behind a name, would be an operation on it or the call of it.
OPERATES = ("-", "*", "/", "(")
PAIRS = (nodes.Pair, nodes.SelectorEntry)


class TooTall(Exception):
    """The node cannot stand on one line, or its author opened it."""


class ExpressionPrinter:
    """Prints expressions. Every method gives text whose lines after the first are indented already.

    `flat` tries an expression on one line, remembering the result, so that each is tried once; while it does,
    `on_one_line` is true and whatever needs more lines raises TooTall.
    """

    def __init__(self, text: SourceText) -> None:
        self.text = text
        self.heredocs: list[str] = []
        self.flat_texts: dict[int, str | None] = {}
        self.on_one_line = False

    # --- One line or several

    def expression(self, node: nodes.Node, indent: str = "", used: int = 0) -> str:
        """An expression that begins after `used` columns behind the indentation."""
        flat = self.flat(node)
        if self.on_one_line:
            if flat is None:
                raise TooTall
            return flat
        if flat is not None and len(indent) + used + len(flat) <= WIDTH:
            return flat
        method = self.methods.get(type(node))
        return self.leaf(node) if method is None else method(self, node, indent, used)

    def flat(self, node: nodes.Node) -> str | None:
        """An expression on one line, None when it cannot be."""
        if id(node) not in self.flat_texts:
            outer, self.on_one_line = self.on_one_line, True
            method = self.methods.get(type(node))
            try:
                found = self.leaf(node) if method is None else method(self, node, "", 0)
            except TooTall:
                found = None
            # The text of a heredoc would begin within a string that goes on behind the line.
            if found and method is not None and self.text.heredoc in found and self.text.newline in found:
                found = None
            self.on_one_line = outer
            self.flat_texts[id(node)] = found
        return self.flat_texts[id(node)]

    def leaf(self, node: nodes.Node) -> str:
        """A literal or a name, as it stands in the source."""
        if isinstance(node, nodes.Nop):
            return ""
        text = self.text.slice(node).replace("\n", self.text.newline)
        if isinstance(node, nodes.Heredoc | nodes.Concat) and "@(" in text:
            for inner in nodes.walk(node):
                if isinstance(inner, nodes.Heredoc):
                    text += f"{self.text.heredoc}{len(self.heredocs)}{self.text.heredoc}"
                    self.heredocs.append(self.text.bodies[inner.start])
        return text

    # --- Lists

    def listed(
        self,
        brackets: str,
        node: nodes.Node,
        items: Sequence[nodes.Node],
        indent: str,
        *,
        comma: bool = True,
        pad: str = "",
    ) -> str:
        """Elements in brackets, separated by commas: on one line, or each on its own with a comma behind it."""
        opening, closing = brackets[0], brackets[1]
        if not items:
            return opening + self.dangling(node, indent) + closing
        low, high = self.text.begin(items[0]), self.text.end(items[-1])
        if self.on_one_line:
            opened = self.text.line(self.text.open_of(low)) != self.text.line(low)
            if opened or self.text.commented(low, high):
                raise TooTall
            return opening + pad + ", ".join(self.expression(item) for item in items) + pad + closing
        if self.hugs(items[-1]) and (brackets == "()" or len(items) == 1):
            before = [text for text in map(self.flat, items[:-1]) if text is not None]
            if len(before) == len(items) - 1 and not self.text.commented(low, self.text.begin(items[-1])):
                return f"{opening}{', '.join([*before, self.expression(items[-1], indent, WIDTH)])}{closing}"
        deeper = indent + INDENT
        keys = self.left_sides(items, deeper)
        lines = []
        for index, item in enumerate(items):
            ending = "," if comma or index < len(items) - 1 else ""
            lines += self.item(item, deeper, ending, keys)
        lines += self.comment_lines(self.text.take(self.text.close_of(low)), deeper)
        return "\n".join([opening, *lines, indent + closing])

    def hugs(self, item: nodes.Node) -> bool:
        """Tells whether a lone element in brackets opens its own brackets at the same place."""
        return (
            isinstance(item, nodes.Array | nodes.Hash) and self.text.text[item.start : item.start + 1] in "[{"
        )

    def left_sides(self, items: Sequence[nodes.Node], indent: str) -> dict[int, str]:
        """The left sides of pairs, by id, so that their arrows are in one column."""
        keys = {id(i): self.expression(pair_sides(i)[0], indent) for i in items if isinstance(i, PAIRS)}
        return {item: f"{key} => " for item, key in in_one_column(keys).items()}

    def item(self, node: nodes.Node, indent: str, ending: str, keys: dict[int, str]) -> list[str]:
        """The lines of one element with the comments that belong to it; `keys` are the left sides of pairs."""
        before = self.text.take(self.text.begin(node))
        if id(node) in keys:
            left = keys[id(node)]
            body = left + self.expression(pair_sides(node)[1], indent, len(left))
        else:
            body = self.expression(node, indent)
        return self.with_comments(node, before, indent, body + ending)

    def with_comments(
        self, node: nodes.Node, before: list[tuple[int, int, str]], indent: str, body: str
    ) -> list[str]:
        """The lines of an element: the comments before and within it, then itself with the one behind it."""
        before = before + self.text.take(self.text.end(node))
        trailing = self.text.take_trailing(self.text.end(node))
        return [*self.comment_lines(before, indent), f"{indent}{body}{trailing}"]

    def comment_lines(self, found: list[tuple[int, int, str]], indent: str) -> list[str]:
        """Comments on lines of their own; an empty line between two of them stays."""
        lines: list[str] = []
        previous = None
        for start, end, text in found:
            if previous is not None and self.text.blank_between(previous, start):
                lines.append("")
            lines.append(indent + text.rstrip().replace("\n", self.text.newline))
            previous = end
        return lines

    def dangling(self, node: nodes.Node, indent: str) -> str:
        """The comments in empty brackets, on lines of their own."""
        if not self.text.commented(node.start, node.end):
            return ""
        if self.on_one_line:
            raise TooTall
        lines = self.comment_lines(self.text.take(node.end), indent + INDENT)
        return "\n" + "\n".join(lines) + f"\n{indent}"

    # --- Kinds of expressions

    def array(self, node: nodes.Array, indent: str, used: int) -> str:
        return self.listed("[]", node, node.values, indent)

    def hash(self, node: nodes.Hash, indent: str, used: int) -> str:
        if self.text.text[node.start : node.start + 1] != "{":
            return ", ".join(self.expression(entry, indent, used) for entry in node.entries)
        return self.listed("{}", node, node.entries, indent, pad=" " if node.entries else "")

    def pair(self, node: Any, indent: str, used: int) -> str:
        key, value = pair_sides(node)
        left = self.expression(key, indent, used)
        return f"{left} => {self.expression(value, indent, used + len(left) + 4)}"

    def access(self, node: nodes.Access, indent: str, used: int) -> str:
        left = self.expression(node.left, indent, used)
        return left + self.listed("[]", node, node.keys, indent, comma=False)

    def binary(self, node: Any, indent: str, used: int) -> str:
        first, parts = self.chain(node, BINARY, indent, indent + INDENT)
        if self.on_one_line or any("\n" in part for _, part in parts):
            return first + "".join(f" {operator} {right}" for operator, right in parts)
        return first + "".join(f" {operator}\n{indent}{INDENT}{right}" for operator, right in parts)

    def relationship(self, node: nodes.Relationship, indent: str, used: int) -> str:
        first, parts = self.chain(node, (nodes.Relationship,), indent, indent)
        start = " " if self.on_one_line else f"\n{indent}"
        return first + "".join(f"{start}{operator} {right}" for operator, right in parts)

    def chain(
        self, node: Any, kinds: tuple[type[nodes.Node], ...], indent: str, deeper: str
    ) -> tuple[str, list[tuple[str, str]]]:
        """The first operand of a chain of operations from left to right, and each operator with what follows."""
        links = []
        while isinstance(node, kinds):
            links.append((WORD_OPERATORS.get(type(node)) or getattr(node, "operator", ""), node))
            node = node.left  # type: ignore[attr-defined]
        first = self.expression(node, indent)
        return first, [(operator, self.expression(link.right, deeper)) for operator, link in reversed(links)]

    def assignment(self, node: nodes.Assignment, indent: str, used: int) -> str:
        left = f"{self.expression(node.left, indent, used)} {node.operator} "
        return left + self.expression(node.right, indent, used + len(left))

    def paren(self, node: nodes.Paren, indent: str, used: int) -> str:
        return f"({self.expression(node.expr, indent, used + 1)})"

    def unary(self, node: Any, indent: str, used: int) -> str:
        mark = {nodes.Not: "!", nodes.Minus: "-", nodes.Splat: "*"}[type(node)]
        return mark + self.expression(node.expr, indent, used + 1)

    def selector(self, node: nodes.Selector, indent: str, used: int) -> str:
        left = self.expression(node.left, indent, used)
        return f"{left} ? " + self.listed("{}", node, node.entries, indent, pad=" ")

    def call(self, node: nodes.Call, indent: str, used: int) -> str:
        name = self.expression(node.functor, indent, used)
        if type(node.functor) is not nodes.Name or self.text.after(node.functor.end) == "(":
            return name + self.listed("()", node, node.arguments, indent) + self.block(node, indent)
        if self.text.text.startswith(OPERATES, self.text.begin(node.arguments[0])):
            name += ";"
        if self.on_one_line or len(node.arguments) == 1:
            used += len(name) + 1
            return f"{name} " + ", ".join(self.expression(each, indent, used) for each in node.arguments)
        deeper = indent + INDENT
        return f"{name} " + f",\n{deeper}".join(self.expression(each, deeper) for each in node.arguments)

    def method_call(self, node: nodes.MethodCall, indent: str, used: int) -> str:
        name = f"{self.expression(node.receiver, indent, used)}.{node.name.value}"
        arguments = ""
        if self.text.after(node.name.end) == "(":
            arguments = self.listed("()", node, node.arguments, indent, comma=False)
        return name + arguments + self.block(node, indent)

    def block(self, node: Any, indent: str) -> str:
        """The lambda of a call."""
        return "" if node.block is None else " " + self.expression(node.block, indent)

    methods: ClassVar[dict[type[nodes.Node], Callable[..., str]]] = {
        nodes.Array: array,
        nodes.Hash: hash,
        nodes.Pair: pair,
        nodes.SelectorEntry: pair,
        nodes.Access: access,
        **dict.fromkeys(BINARY, binary),
        nodes.Relationship: relationship,
        nodes.Assignment: assignment,
        nodes.Paren: paren,
        nodes.Not: unary,
        nodes.Minus: unary,
        nodes.Splat: unary,
        nodes.Selector: selector,
        nodes.Call: call,
        nodes.MethodCall: method_call,
    }


def pair_sides(node: Any) -> tuple[nodes.Node, nodes.Node]:
    """Both sides of an arrow, or of a parameter's `=`."""
    if isinstance(node, nodes.Parameter):
        return node, node.default  # type: ignore[return-value]
    return (node.key, node.value) if isinstance(node, nodes.Pair) else (node.match, node.value)


def in_one_column(keys: dict[int, str]) -> dict[int, str]:
    """Texts of one line padded to the widest."""
    width = max((len(key) for key in keys.values() if "\n" not in key), default=0)
    return {item: key.ljust(width) for item, key in keys.items()}
