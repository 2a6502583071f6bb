"""Reads the tables of this folder, and evaluates what stands in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lexer_parser
from evaluator.issues import error
from evaluator.types import ResourceType, Type, TypeAlias, new_object
from evaluator.types.parsing import evaluate
from lexer_parser import nodes
from lexer_parser.dialect import PUPPET, Dialect

FOLDER = Path(__file__).parent
RESOURCE_TYPES = {"file", "user", "notify", "package"}


def rows(name: str, separator: str) -> list[tuple[str, ...]]:
    """The rows of a table, split at the separator."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [
        tuple(part.strip() for part in line.split(f"  {separator}  "))
        for line in lines
        if line.strip() and not line.startswith("#")
    ]


def resolve(name: str) -> Any:
    """Types that are not built in: a few resource types."""
    if name.lower() in RESOURCE_TYPES:
        return ResourceType(name)
    raise error("UNKNOWN_RESOURCE_TYPE", name=name)


def value_of(source: str, dialect: Dialect = PUPPET) -> Any:
    """The value of a literal or type expression."""
    return evaluate(lexer_parser.parse(source, dialect=dialect).body, dialect, resolve)


class Program:
    """Type aliases, and expressions that make objects of their types."""

    def __init__(self) -> None:
        self.aliases: dict[str, TypeAlias] = {}

    def define(self, source: str) -> None:
        """Adds `type Name = …`."""
        node = lexer_parser.parse(source).body
        assert isinstance(node, nodes.TypeAlias)
        self.aliases[node.name] = TypeAlias(
            node.name, lambda: evaluate(node.type, PUPPET, self.resolve).normalize()
        )

    def resolve(self, name: str) -> Any:
        """An alias, or the Object type that it defines."""
        return self.aliases[name].entity() if name in self.aliases else resolve(name)

    def run(self, source: str) -> Any:
        """The value of an expression."""
        return self._value(lexer_parser.parse(source).body)

    def _value(self, node: nodes.Node) -> Any:
        if isinstance(node, nodes.Call):
            kind = self._value(node.functor)
            assert isinstance(kind, Type)
            return new_object(kind, [self._value(argument) for argument in node.arguments])
        if isinstance(node, nodes.Array):
            return [self._value(item) for item in node.values]
        return evaluate(node, PUPPET, self.resolve)
