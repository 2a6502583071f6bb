"""The serialization of compiled sources as values that `marshal` can write.

A constant of compiled code is stored in a form from which it can be made again: the position of a node in the tree, the
name of a function, the string of a type. Code with a constant of another kind is not stored; it is compiled again.
"""

from __future__ import annotations

import marshal
from contextlib import suppress
from typing import Any

from evaluator import catalog
from evaluator.calling import registry
from evaluator.compiler.emitter import CodeEmitter, CompilationUnit
from evaluator.compiler.functions import make_block_arguments
from evaluator.compiler.literals import NOT_CONSTANT, fold_constant
from evaluator.compiler.unit import Assumption, CompiledCode, CompiledSource, Fact
from evaluator.issues import Failure
from evaluator.program.definitions import Site
from evaluator.types import Type, get_predicate, parse_type
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.source import Source
from lexer_parser.tree import nodes
from lexer_parser.tree.packing import Row, pack_tree, unpack_tree

# The position of each node in the packed tree.
_Positions = dict[nodes.Node, int]
# One of _MAKERS and its argument: the position of a node, or a string.
_StoredConstant = tuple[str, int | str]
# The position of the node, the form, and the code, which is read on first use, with its constants by name and its
# assumptions with their facts.
_Row = tuple[int, str, bytes]
# The start and the end of the program, its packed tree, its code, and the position of the node of each instruction.
_StoredSource = tuple[int, int, list[Row], list[_Row], list[tuple[int, int, int, int, int]]]


class _NotSerializable(Exception):
    """A constant cannot be stored."""


def serialize(source: CompiledSource, known: int = -1) -> _StoredSource | None:
    """Return a compiled source as values for `marshal`; None for one that cannot be stored.

    Args:
        source: The source.
        known: The number of codes that are stored already; if no more can be stored, None is returned.
    """
    program = source.program
    if program.warnings:
        return None  # a session that loads it would have to issue them again
    try:
        rows, places = pack_tree(program.body)
    except ValueError:
        return None
    found: list[_Row] = []
    for (node, form), code in source.compiled.items():
        row = _serialize_code(node, form, code, places)
        if row is not None:
            found.append(row)
    found += [stored.row for stored in source.stored.values() if isinstance(stored, StoredCode)]
    if len(found) <= known:
        return None
    positions = [(*place, places[node]) for place, node in source.nodes.items() if node in places]
    return program.start, program.end, rows, found, positions


def _serialize_code(node: nodes.Node, form: str, code: CompiledCode, places: _Positions) -> _Row | None:
    if node not in places or code.defaults is not None:
        return None
    try:
        # first the part that fails early: parsing the types that a test refers to takes up to 40 ms
        assumptions = [(*one, _serialize_fact(fact)) for one, fact in code.assumptions.items()]
        constants = [
            (name, _serialize_constant(name, value, code, places)) for name, value in code.constants.items()
        ]
    except _NotSerializable:
        return None
    return places[node], form, marshal.dumps((code.code, constants, assumptions))


def _serialize_constant(name: str, value: object, code: CompiledCode, places: _Positions) -> _StoredConstant:
    kind, origin = code.origins.get(name, ("", None))
    if kind == "test":
        return kind, _serialize_type(origin)
    if kind:
        return kind, _find_position(origin, places)
    if type(value) is Site:
        return "site", _find_position(value.node, places)
    if isinstance(value, nodes.Node):
        return "node", _find_position(value, places)
    if type(value) is registry.BuiltinFunction:
        return "function", value.name
    if name.isupper() and getattr(catalog, name.lower(), None) is value:
        return "catalog", name.lower()
    raise _NotSerializable


def _find_position(node: nodes.Node, places: _Positions) -> int:
    if node not in places:
        raise _NotSerializable
    return places[node]


def _serialize_type(declared: Type) -> str:
    """Return a string that names a type in every program.

    Raises:
        _NotSerializable: The string of the type is not sufficient to make it again.
    """
    text = str(declared)
    with suppress(PuppetError, Failure):
        if parse_type(text, PUPPET) == declared:
            return text
    raise _NotSerializable


def _serialize_fact(fact: Fact) -> str | bool | None:
    """Return a fact on which compiled code depends; a built-in function by its name.

    Raises:
        _NotSerializable: The fact is a type of this process.
    """
    if isinstance(fact, Type):
        raise _NotSerializable
    return fact.name if isinstance(fact, registry.BuiltinFunction) else fact


def deserialize(text: str, path: str, stored: _StoredSource) -> CompiledSource:
    """Return the compiled source that was stored.

    Args:
        text: The text of the source.
        path: The path of its file.
        stored: The result of `serialize`, as it was read.

    Raises:
        ValueError, TypeError, IndexError, KeyError: The value is not the result of `serialize`.
    """
    start, end, rows, codes, positions = stored
    tree = unpack_tree(rows)
    source = CompiledSource(nodes.Program(start, end, tree[-1], Source(text, path)))
    source.stored = {(tree[row[0]], row[1]): StoredCode(row, tree) for row in codes}
    source.nodes.update({place[:4]: tree[place[4]] for place in positions})
    return source


class StoredCode(Record):
    """Compiled code in its stored form.

    A call with a compilation unit returns the code, None if it cannot be made.
    """

    row: _Row
    nodes: list[nodes.Node]

    def __call__(self, unit: CompilationUnit) -> CompiledCode | None:
        code, constants, assumptions = marshal.loads(self.row[2])
        emitter = CodeEmitter(unit)
        origins: dict[str, Any] = {}
        values: dict[str, Any] = {}
        for name, (kind, stored) in constants:
            argument: Any = self.nodes[stored] if type(stored) is int else stored
            if kind == "test":
                argument = parse_type(argument, PUPPET)
            if kind in ("value", "declared", "test"):
                origins[name] = kind, argument
            values[name] = _MAKERS[kind](emitter, argument)
        if any(value is NOT_CONSTANT or value is None for value in values.values()):
            return None
        facts: dict[Assumption, Fact] = {
            (kind, name): registry.find_function(fact) if isinstance(fact, str) else fact
            for kind, name, fact in assumptions
        }
        return CompiledCode(code, None, values, facts, origins)


# For each kind of constant a function that makes it from the emitter and the stored argument.
_MAKERS: dict[str, Any] = {
    "value": fold_constant,
    "declared": make_block_arguments,
    "test": lambda _, declared: get_predicate(declared),
    "site": lambda emitter, node: Site(emitter.unit.source, node),
    "node": lambda _, node: node,
    "function": lambda _, name: registry.find_function(name),
    "catalog": lambda _, name: getattr(catalog, name),
}
