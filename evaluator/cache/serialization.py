"""Sources that have been read, with the code that they have become, as values that can be written down.

A constant of compiled code is written as what it is made of again: the place of a node in the tree, the name of a
function, the text of a type. Code with a constant of another kind is not kept; it is compiled anew.
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from evaluator import catalog
from evaluator.calling import registry
from evaluator.compiler.emitter import CodeEmitter, CompilationUnit
from evaluator.compiler.functions import make_block_arguments
from evaluator.compiler.literals import NOT_CONSTANT, fold_constant
from evaluator.compiler.unit import CompiledCode, CompiledSource
from evaluator.issues import Failure
from evaluator.program.definitions import Site
from evaluator.types import Type, parse_type
from evaluator.types.predicates import predicate
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source
from lexer_parser.tree import nodes
from lexer_parser.tree.packing import pack_tree, unpack_tree

_Places = dict[nodes.Node, int]
# How a constant is made again: one of _MAKERS, and what it takes.
_Kept = tuple[str, Any]
# The place of the node, the form, the code, its constants by name, and what it has asked, with the answers.
_Row = tuple[int, str, CodeType, list[tuple[str, _Kept]], list[tuple[str, str, Any]]]


class _NotSerializable(Exception):
    """A constant that cannot be written down."""


# --- writing


def serialize(reading: CompiledSource) -> Any:
    """A reading as `marshal` writes it; None for one that is not kept."""
    program = reading.program
    if program.warnings:
        return None  # they would have to be given again
    try:
        rows, places = pack_tree(program.body)
    except ValueError:
        return None
    found: list[_Row] = []
    for (node, form), code in reading.compiled.items():
        row = _row(node, form, code, places)
        if row is not None:
            found.append(row)
    found += [stored.row for stored in reading.stored.values() if isinstance(stored, StoredCode)]
    positions = [(*place, places[node]) for place, node in reading.nodes.items() if node in places]
    return program.start, program.end, rows, found, positions


def _row(node: nodes.Node, form: str, code: CompiledCode, places: _Places) -> _Row | None:
    if node not in places or code.defaults is not None:
        return None
    try:
        constants = [(name, _constant(name, value, code, places)) for name, value in code.constants.items()]
        asked = [(*question, _answer(given)) for question, given in code.assumptions.items()]
    except _NotSerializable:
        return None
    return places[node], form, code.code, constants, asked


def _constant(name: str, value: Any, code: CompiledCode, places: _Places) -> _Kept:
    kind, origin = code.origins.get(name, ("", None))
    if kind == "test":
        return kind, _type_text(origin)
    if kind:
        return kind, _place(origin, places)
    if type(value) is Site:
        return "site", _place(value.node, places)
    if isinstance(value, nodes.Node):
        return "node", _place(value, places)
    if type(value) is registry.BuiltinFunction:
        return "function", value.name
    if name.isupper() and getattr(catalog, name.lower(), None) is value:
        return "catalog", name.lower()
    raise _NotSerializable


def _place(node: nodes.Node, places: _Places) -> int:
    if node not in places:
        raise _NotSerializable
    return places[node]


def _type_text(declared: Type) -> str:
    """What names a type in every program. Raises _NotKept for one that needs more than its text."""
    text = str(declared)
    try:
        if parse_type(text, PUPPET) == declared:
            return text
    except (PuppetError, Failure):
        pass
    raise _NotSerializable


def _answer(given: registry.BuiltinFunction | bool | None) -> str | bool | None:
    """An answer to a question of compiled code; a built-in function by its name."""
    return given.name if isinstance(given, registry.BuiltinFunction) else given


# --- reading


def deserialize(text: str, path: str, found: Any) -> CompiledSource:
    """The reading that was written down. Raises what comes of something that is none."""
    start, end, rows, codes, positions = found
    made = unpack_tree(rows)
    reading = CompiledSource(nodes.Program(start, end, made[-1], Source(text, path)))
    reading.stored = {(made[row[0]], row[1]): StoredCode(row, made) for row in codes}
    reading.nodes.update({place[:4]: made[place[4]] for place in positions})
    return reading


class StoredCode:
    """Code as it was written down; called with a Unit it gives the Code, None when that cannot be made."""

    __slots__ = ("nodes", "row")

    def __init__(self, row: _Row, made: list[nodes.Node]) -> None:
        self.row = row
        self.nodes = made

    def __call__(self, unit: CompilationUnit) -> CompiledCode | None:
        _, _, code, constants, asked = self.row
        emitter = CodeEmitter(unit)
        origins: dict[str, Any] = {}
        values: dict[str, Any] = {}
        for name, (kind, given) in constants:
            held: Any = self.nodes[given] if type(given) is int else given
            if kind in ("value", "declared"):
                origins[name] = kind, held
            elif kind == "test":
                held = parse_type(held, PUPPET)
                origins[name] = kind, held
            values[name] = _MAKERS[kind](emitter, held)
        if any(value is NOT_CONSTANT or value is None for value in values.values()):
            return None
        answers = {
            (question, name): registry.find_function(given) if type(given) is str else given
            for question, name, given in asked
        }
        function = FunctionType(code, values, code.co_name)
        return CompiledCode(function, values, answers, origins)


_MAKERS: dict[str, Any] = {
    "value": fold_constant,
    "declared": make_block_arguments,
    "test": lambda _, declared: predicate(declared),
    "site": lambda emitter, node: Site(emitter.unit.source, node),
    "node": lambda _, node: node,
    "function": lambda _, name: registry.find_function(name),
    "catalog": lambda _, name: getattr(catalog, name),
}
