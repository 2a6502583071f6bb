"""What a literal expression is worth, told without running it; for hash keys that are there twice."""

from __future__ import annotations

from typing import Any

from lexer_parser.tree import nodes
from lexer_parser.validation.walk import Walk

MAX_DEPTH = 100  # deeper keys are not compared
PLAIN = {
    nodes.String: "str",
    nodes.Name: "str",
    nodes.Integer: "int",
    nodes.Float: "float",
    nodes.Boolean: "bool",
}
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e", "\0": "\\0"}


class NotLiteral(Exception):
    """The expression has a value only when it runs."""


def literal(node: nodes.Node, depth: int = 0) -> Any:
    """A value that is equal for equal literals: tuples of a kind and what it holds. Raises NotLiteral."""
    if depth > MAX_DEPTH:
        raise NotLiteral
    kind = PLAIN.get(type(node))
    if kind:
        return (kind, node.value)  # type: ignore[attr-defined]
    if isinstance(node, nodes.Undef):
        return ("undef",)
    if isinstance(node, nodes.Default):
        return ("default",)
    if isinstance(node, nodes.Regexp):
        return ("regexp", node.pattern)
    if isinstance(node, nodes.Array):
        return ("array", tuple(literal(value, depth + 1) for value in node.values))
    if isinstance(node, nodes.Hash):
        pairs = {literal(e.key, depth + 1): literal(e.value, depth + 1) for e in node.entries}
        return ("hash", tuple(pairs.items()))
    raise NotLiteral


def comparable(value: Any) -> Any:
    """The part of a literal that decides equality: for hashes the order of entries does not."""
    if value[0] == "hash":
        return ("hash", frozenset((comparable(k), comparable(v)) for k, v in value[1]))
    if value[0] == "array":
        return ("array", tuple(comparable(item) for item in value[1]))
    return value


def text(value: Any) -> str:
    """A key as the message prints it."""
    kind = value[0]
    if kind in ("array", "hash"):
        return inspect(value)
    if kind == "undef":
        return ""
    if kind == "regexp":
        return f"(?-mix:{value[1]})"
    return value[1] if kind == "str" else "default" if kind == "default" else inspect(value)


def inspect(value: Any) -> str:
    """A value inside a key as the message prints it, in Ruby's notation."""
    kind = value[0]
    if kind == "str":
        return '"' + "".join(ESCAPES.get(c, c) for c in value[1]) + '"'
    if kind == "bool":
        return "true" if value[1] else "false"
    if kind == "float":
        return float_text(value[1])
    if kind == "regexp":
        pattern: str = value[1]
        return "/" + pattern.replace("/", "\\/") + "/"
    if kind == "array":
        return f"[{', '.join(inspect(item) for item in value[1])}]"
    if kind == "hash":
        return "{" + ", ".join(f"{inspect(k)}=>{inspect(v)}" for k, v in value[1]) + "}"
    return {"undef": "nil", "default": ":default"}.get(kind) or str(value[1])


def float_text(number: float) -> str:
    """A float as Puppet writes it: `1.0e+20`, not `1e+20`, and an exponent for 16 digits before the point."""
    text = f"{number:.15e}" if 1e15 <= abs(number) < 1e16 and number.is_integer() else repr(number)
    mantissa, mark, exponent = text.partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if mark else mantissa
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{mark}{exponent}"


def check_keys(walk: Walk, entries: list[nodes.Pair]) -> None:
    """Reports every entry whose key is equal to an earlier one."""
    first: dict[Any, nodes.Pair] = {}
    for entry in entries:
        try:
            key = literal(entry.key)
        except NotLiteral:
            continue
        if first.setdefault(comparable(key), entry) is not entry:
            walk.report("DUPLICATE_KEY", entry, first[comparable(key)], key=text(key))
