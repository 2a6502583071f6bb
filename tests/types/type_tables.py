"""A reader for the tables of this folder, and an evaluator for their programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lexer_parser
from evaluator.issues import make_error
from evaluator.kinds.instances import make_instance
from evaluator.types import AliasType, ResourceType, Type, find_builtin_type, parameterize
from evaluator.values import DEFAULT, RegexpValue, make_hash
from lexer_parser.dialect import PUPPET, Dialect
from lexer_parser.tree import nodes

FOLDER = Path(__file__).parent
RESOURCE_TYPES = {"file", "user", "notify", "package"}


def read_rows(name: str, separator: str) -> list[tuple[str, ...]]:
    """Return the rows of a table, split at the separator."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [
        tuple(part.strip() for part in line.split(f"  {separator}  "))
        for line in lines
        if line.strip() and not line.startswith("#")
    ]


def resolve(name: str) -> Any:
    """Return a resource type, the only kind of type in the tables that is not built in."""
    if name.lower() in RESOURCE_TYPES:
        return ResourceType(name)
    raise make_error("UNKNOWN_RESOURCE_TYPE", name=name)


def evaluate(node: nodes.Node, dialect: Dialect, resolve: Any) -> Any:
    """Return the value of an expression with type names, parameters and literals."""

    def evaluate_part(part: Any) -> Any:
        return evaluate(part, dialect, resolve)

    if isinstance(node, nodes.TypeName):
        builtin_type = find_builtin_type(node.value, dialect)
        return builtin_type if builtin_type is not None else resolve(node.value)
    if isinstance(node, nodes.Access):
        return parameterize(evaluate_part(node.left), [evaluate_part(key) for key in node.keys], dialect)
    if isinstance(node, nodes.Array):
        return [evaluate_part(value) for value in node.values]
    if isinstance(node, nodes.Hash):
        return make_hash((evaluate_part(pair.key), evaluate_part(pair.value)) for pair in node.entries)
    if isinstance(node, nodes.Paren | nodes.Minus):
        return -evaluate_part(node.expr) if isinstance(node, nodes.Minus) else evaluate_part(node.expr)
    if isinstance(node, nodes.Regexp):
        return RegexpValue(node.pattern)
    if isinstance(node, nodes.Default | nodes.Undef):
        return DEFAULT if isinstance(node, nodes.Default) else None
    return node.value  # type: ignore[attr-defined]


def evaluate_source(source: str, dialect: Dialect = PUPPET) -> Any:
    """Return the value of a literal or of a type expression."""
    return evaluate(lexer_parser.parse(source, dialect=dialect).body, dialect, resolve)


class Program:
    """A program with type aliases, whose expressions may create objects of their types."""

    def __init__(self) -> None:
        self.aliases: dict[str, AliasType] = {}

    def define(self, source: str) -> None:
        """Add the alias that a statement `type Name = …` defines."""
        node = lexer_parser.parse(source, dialect=PUPPET).body
        assert isinstance(node, nodes.TypeAlias)
        self.aliases[node.name] = AliasType(
            node.name, lambda: evaluate(node.type, PUPPET, self.resolve).normalize()
        )

    def resolve(self, name: str) -> Any:
        """Return the type of an alias, or a resource type."""
        return self.aliases[name].to_entity() if name in self.aliases else resolve(name)

    def run(self, source: str) -> Any:
        """Return the value of an expression."""
        return self._evaluate(lexer_parser.parse(source, dialect=PUPPET).body)

    def _evaluate(self, node: nodes.Node) -> Any:
        if isinstance(node, nodes.Call):
            kind = self._evaluate(node.functor)
            assert isinstance(kind, Type)
            return make_instance(kind, [self._evaluate(argument) for argument in node.arguments])
        if isinstance(node, nodes.Array):
            return [self._evaluate(item) for item in node.values]
        return evaluate(node, PUPPET, self.resolve)
