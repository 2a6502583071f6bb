"""The values of literal expressions, to find duplicate keys of hashes without running the program."""

from __future__ import annotations

from typing import Any

from lexer_parser.tree import nodes
from lexer_parser.validation.walk import ValidationWalk

MAX_DEPTH = 100  # deeper keys are not compared
PLAIN = {
    nodes.String: "str",
    nodes.Name: "str",
    nodes.Integer: "int",
    nodes.Float: "float",
    nodes.Boolean: "bool",
}
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e", "\0": "\\0"}


class NotLiteralError(Exception):
    """An exception for an expression that has a value only when it runs."""


def evaluate_literal(node: nodes.Node, depth: int = 0) -> Any:
    """Return (kind, content), equal for equal literals. Raise NotLiteralError if it is no literal."""
    if depth > MAX_DEPTH:
        raise NotLiteralError
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
        return ("array", tuple(evaluate_literal(value, depth + 1) for value in node.values))
    if isinstance(node, nodes.Hash):
        pairs = {
            evaluate_literal(e.key, depth + 1): evaluate_literal(e.value, depth + 1) for e in node.entries
        }
        return ("hash", tuple(pairs.items()))
    raise NotLiteralError


def to_comparable(value: Any) -> Any:
    """Return the part of a literal that decides equality: not the order of entries of hashes."""
    if value[0] == "hash":
        return ("hash", frozenset((to_comparable(k), to_comparable(v)) for k, v in value[1]))
    if value[0] == "array":
        return ("array", tuple(to_comparable(item) for item in value[1]))
    return value


def format_key(value: Any) -> str:
    """Return a key as the message prints it."""
    kind = value[0]
    if kind in ("array", "hash"):
        return format_in_ruby(value)
    if kind == "undef":
        return ""
    if kind == "regexp":
        return f"(?-mix:{value[1]})"
    return value[1] if kind == "str" else "default" if kind == "default" else format_in_ruby(value)


def format_in_ruby(value: Any) -> str:
    """Return a value inside a key as the message prints it, in Ruby's notation."""
    kind = value[0]
    if kind == "str":
        return '"' + "".join(ESCAPES.get(c, c) for c in value[1]) + '"'
    if kind == "bool":
        return "true" if value[1] else "false"
    if kind == "float":
        return format_float(value[1])
    if kind == "regexp":
        pattern: str = value[1]
        return "/" + pattern.replace("/", "\\/") + "/"
    if kind == "array":
        return f"[{', '.join(format_in_ruby(item) for item in value[1])}]"
    if kind == "hash":
        return "{" + ", ".join(f"{format_in_ruby(k)}=>{format_in_ruby(v)}" for k, v in value[1]) + "}"
    return {"undef": "nil", "default": ":default"}.get(kind) or str(value[1])


def format_float(number: float) -> str:
    """Return a float as Puppet writes it: `1.0e+20`, and an exponent for 16 digits before the point."""
    text = f"{number:.15e}" if 1e15 <= abs(number) < 1e16 and number.is_integer() else repr(number)
    mantissa, mark, exponent = text.partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if mark else mantissa
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{mark}{exponent}"


def check_keys(walk: ValidationWalk, entries: list[nodes.Pair]) -> None:
    """Report every entry whose key is equal to an earlier one."""
    first: dict[Any, nodes.Pair] = {}
    for entry in entries:
        try:
            key = evaluate_literal(entry.key)
        except NotLiteralError:
            continue
        if first.setdefault(to_comparable(key), entry) is not entry:
            walk.report("DUPLICATE_KEY", entry, first[to_comparable(key)], key=format_key(key))
