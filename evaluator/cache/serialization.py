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
from evaluator.compiler.compiled_source import AssumedValue, Assumption, CompiledCode, CompiledSource
from evaluator.compiler.emitter import CodeEmitter, CompilationUnit
from evaluator.compiler.functions import make_block_declaration
from evaluator.compiler.literals import NOT_CONSTANT, fold_constant
from evaluator.issues import Failure
from evaluator.program.definitions import Site
from evaluator.types import Type, get_predicate, parse_type
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record
from lexer_parser.source import Source
from lexer_parser.tree import nodes
from lexer_parser.tree.packing import Row, pack_tree, unpack_tree

# Rows that `marshal` can write, so that they are plain tuples.

# The index of each node in the packed tree.
_NodeIndices = dict[nodes.Node, int]
# The kind of a constant, which is a key of `_MAKERS`, and the argument of its maker: the index of a node, or a string.
# The kinds "value" (of a constant expression), "declared" (for a lambda) and "test" (for a type) are made
# again from a node; the others (site, node, function, catalog) are found.
_StoredConstant = tuple[str, int | str]
# The index of a node, the form in which it was compiled, and the bytes of its code, of its constants by name, and of
# its assumptions with their values. The bytes are read when the code is first used.
_CodeRow = tuple[int, str, bytes]
# A position of instructions: line, column, end line, end column, and the index of the node.
_PositionRow = tuple[int, int, int, int, int]
# The start and the end of the program, its packed tree, its code, and the positions of instructions.
_StoredSource = tuple[int, int, list[Row], list[_CodeRow], list[_PositionRow]]


class _NotSerializable(Exception):
    """A constant cannot be stored."""


def serialize(source: CompiledSource, stored_count: int = -1) -> _StoredSource | None:
    """Return a compiled source as values for `marshal`; None for one that cannot be stored.

    Args:
        source: The source.
        stored_count: The number of codes that are stored already; if no more can be stored, None is returned.
    """
    program = source.tree
    if program.warnings:
        return None  # a session that loads it would have to issue them again
    try:
        tree_rows, indices = pack_tree(program.body)
    except ValueError:
        return None
    new_rows = [_serialize_code(node, form, code, indices) for (node, form), code in source.compiled.items()]
    unused_rows = [stored.row for stored in source.stored.values() if isinstance(stored, StoredCode)]
    code_rows: list[_CodeRow] = [*filter(None, new_rows), *unused_rows]
    if len(code_rows) <= stored_count:
        return None
    positions = [(*position, indices[node]) for position, node in source.nodes.items() if node in indices]
    return program.start, program.end, tree_rows, code_rows, positions


def _serialize_code(
    node: nodes.Node, form: str, code: CompiledCode, indices: _NodeIndices
) -> _CodeRow | None:
    """Return compiled code in its stored form; None for code that cannot be stored."""
    if node not in indices or code.defaults is not None:
        return None  # values of parameters belong to this process
    try:
        # first the part that fails early: parsing the types that a test refers to takes up to 40 ms
        assumptions = [
            (kind, name, _serialize_assumed(value)) for (kind, name), value in code.assumptions.items()
        ]
        constants = [
            (name, _serialize_constant(name, value, code, indices)) for name, value in code.constants.items()
        ]
    except _NotSerializable:
        return None
    return indices[node], form, marshal.dumps((code.code, constants, assumptions))


def _serialize_constant(
    name: str, value: object, code: CompiledCode, indices: _NodeIndices
) -> _StoredConstant:
    """Return a constant in its stored form. Raise _NotSerializable for one of another kind."""
    kind, origin = code.origins.get(name, ("", None))
    if kind == "test":
        return kind, _serialize_type(origin)
    if kind:
        return kind, _find_index(origin, indices)
    if type(value) is Site:
        return "site", _find_index(value.node, indices)
    if isinstance(value, nodes.Node):
        return "node", _find_index(value, indices)
    if type(value) is registry.BuiltinFunction:
        return "function", value.name
    if name.isupper() and getattr(catalog, name.lower(), None) is value:  # FIND_X is `catalog.find_x`
        return "catalog", name.lower()
    raise _NotSerializable


def _find_index(node: nodes.Node, indices: _NodeIndices) -> int:
    """Return the index of a node. Raise _NotSerializable if it is not in the tree."""
    if node not in indices:
        raise _NotSerializable
    return indices[node]


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


def _serialize_assumed(value: AssumedValue) -> str | bool | None:
    """Return the value of an assumption; a built-in function by its name.

    Raises:
        _NotSerializable: The value is a type of this process.
    """
    if isinstance(value, Type):
        raise _NotSerializable
    return value.name if isinstance(value, registry.BuiltinFunction) else value


def deserialize(text: str, path: str, stored: _StoredSource) -> CompiledSource:
    """Return the compiled source that was stored.

    Args:
        text: The text of the source.
        path: The path of its file.
        stored: The result of `serialize`, as it was read.

    Raises:
        ValueError, TypeError, IndexError, KeyError: The value is not the result of `serialize`.
    """
    start, end, tree_rows, code_rows, positions = stored
    tree = unpack_tree(tree_rows)
    source = CompiledSource(nodes.Program(start, end, tree[-1], Source(text, path)))
    source.stored = {
        (tree[node_index], form): StoredCode((node_index, form, content), tree)
        for node_index, form, content in code_rows
    }
    source.nodes.update(
        {
            (line, column, end_line, end_column): tree[node_index]
            for line, column, end_line, end_column, node_index in positions
        }
    )
    return source


class StoredCode(Record):
    """Compiled code in its stored form.

    A call with a compilation unit returns the code, None if it cannot be made.

    Attributes:
        row: The stored form.
        nodes: The nodes of the tree, by their indices.
    """

    row: _CodeRow
    nodes: list[nodes.Node]

    def __call__(self, unit: CompilationUnit) -> CompiledCode | None:
        _, _, content = self.row
        code, constants, assumptions = marshal.loads(content)
        emitter = CodeEmitter(unit)
        origins: dict[str, Any] = {}
        values: dict[str, Any] = {}
        for name, (kind, stored) in constants:
            argument: Any = self.nodes[stored] if type(stored) is int else stored
            if kind == "test":
                argument = parse_type(argument, PUPPET)
            if kind in ("value", "declared", "test"):  # the kinds of `CompiledCode.origins`
                origins[name] = kind, argument
            values[name] = _MAKERS[kind](emitter, argument)
        # a constant cannot be made, for example because this process has no function of that name
        if any(value is NOT_CONSTANT or value is None for value in values.values()):
            return None
        assumed_values: dict[Assumption, AssumedValue] = {
            (kind, name): registry.find_function(stored) if isinstance(stored, str) else stored
            for kind, name, stored in assumptions
        }
        return CompiledCode(code, None, values, assumed_values, origins)


# For each kind of constant a function that makes it from the emitter and the argument: a node, a string or a type.
_MAKERS: dict[str, Any] = {
    "value": fold_constant,
    "declared": make_block_declaration,
    "test": lambda _, declared: get_predicate(declared),
    "site": lambda emitter, node: Site(emitter.unit.source, node),
    "node": lambda _, node: node,
    "function": lambda _, name: registry.find_function(name),
    "catalog": lambda _, name: getattr(catalog, name),
}
