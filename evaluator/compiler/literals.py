"""Compilation of literals and strings, and constant folding.

Specification: Expressions, "Literal Value Expressions" and "Array and Hash Expressions".
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from evaluator import values
from evaluator.compiler import analysis
from evaluator.compiler.emitter import EXPRESSIONS, CodeEmitter, emits
from evaluator.issues import Failure
from evaluator.operators.comparison import MAXIMUM, MINIMUM
from evaluator.types import RESOURCE, ClassType, Type, find_builtin_type, parameterize
from evaluator.values import Value
from lexer_parser.errors import PuppetError
from lexer_parser.tree import nodes

NOT_CONSTANT: Any = object()


# --- constants


def fold_constant(emitter: CodeEmitter, node: nodes.Node) -> Value:
    """Return the constant value of a node, or NOT_CONSTANT."""
    kind = type(node)
    if kind in _SIMPLE:
        return _SIMPLE[kind](emitter, node)
    if kind not in _WITH_PARTS:
        return NOT_CONSTANT
    constants = emitter.unit.compiled_source.constants
    if node not in constants:
        constants[node] = _WITH_PARTS[kind](emitter, node)
    return constants[node]


def _fold_integer(emitter: CodeEmitter, node: nodes.Integer) -> Value:
    fits = MINIMUM <= node.value <= MAXIMUM or emitter.dialect.unbounded_integers
    return node.value if fits else NOT_CONSTANT


def _fold_type_name(emitter: CodeEmitter, node: nodes.TypeName) -> Value:
    builtin_type = find_builtin_type(node.value, emitter.dialect)
    return NOT_CONSTANT if builtin_type is None else builtin_type


def _fold_negative(emitter: CodeEmitter, node: nodes.Minus) -> Value:
    inner = fold_constant(emitter, node.expr)
    return -inner if type(inner) is int or type(inner) is float else NOT_CONSTANT


def _fold_list(emitter: CodeEmitter, items: list[nodes.Node]) -> Value:
    constants = []
    for item in items:
        value = fold_constant(emitter, item)
        if value is NOT_CONSTANT:
            return NOT_CONSTANT
        constants.append(value)
    return constants


def _fold_hash(emitter: CodeEmitter, node: nodes.Hash) -> Value:
    parts = _fold_list(emitter, [part for entry in node.entries for part in (entry.key, entry.value)])
    if parts is NOT_CONSTANT:
        return NOT_CONSTANT
    return values.make_hash(zip(parts[::2], parts[1::2], strict=True))


def _fold_type(emitter: CodeEmitter, node: nodes.Access) -> Value:
    left = fold_constant(emitter, node.left)
    if not isinstance(left, Type) or _is_reference(left):
        return NOT_CONSTANT
    keys = _fold_list(emitter, node.keys)
    if keys is NOT_CONSTANT:
        return NOT_CONSTANT
    try:
        return parameterize(left, keys, emitter.dialect)
    except (PuppetError, Failure):
        return NOT_CONSTANT  # evaluated at run time, so that the error has a place


_Fold = Callable[[CodeEmitter, Any], Any]
_SIMPLE: dict[type[nodes.Node], _Fold] = {
    **dict.fromkeys((nodes.String, nodes.Float, nodes.Boolean, nodes.Name), lambda emitter, node: node.value),
    nodes.Integer: _fold_integer,
    nodes.Undef: lambda emitter, node: None,
    nodes.Default: lambda emitter, node: values.DEFAULT,
    nodes.Regexp: lambda emitter, node: values.RegexpValue(node.pattern),
    nodes.TypeName: _fold_type_name,
}
# The results for these are cached, because they can be nested deeply.
_WITH_PARTS: dict[type[nodes.Node], _Fold] = {
    nodes.Paren: lambda emitter, node: fold_constant(emitter, node.expr),
    nodes.Minus: _fold_negative,
    nodes.Array: lambda emitter, node: _fold_list(emitter, node.values),
    nodes.Hash: _fold_hash,
    nodes.Access: _fold_type,
}


def _is_reference(constant: Type) -> bool:
    """Return True for a type whose `[]` is evaluated at run time.

    On `File['/a']` and `Class[a]` it reads attributes; on `Resource` it finds out whether a resource type exists.
    """
    return (
        getattr(constant, "title", None) is not None
        or (isinstance(constant, ClassType) and constant.name is not None)
        or constant is RESOURCE
    )


def emit_folded(emitter: CodeEmitter, node: nodes.Node) -> ast.expr | None:
    """Emit the constant value of a node at the current position; None if it is not constant."""
    value = fold_constant(emitter, node)
    if value is NOT_CONSTANT:
        return None
    if value is None or type(value) in (bool, int, str):
        return emitter.literal(value)
    return emitter.constant(value, ("value", node))


def emit_value_list(emitter: CodeEmitter, items: list[nodes.Node]) -> ast.expr:
    """Emit a Python list of values, with `*x` spliced in."""
    elements: list[ast.expr] = []
    for item in items:
        splat = analysis.find_splat(item)
        if splat is not None:
            elements.append(ast.Starred(emitter.emit_expression(splat), ast.Load(), **emitter.position))
        else:
            elements.append(emitter.emit_expression(item))
    return emitter.py_list(elements)


@emits(nodes.Hash)
def emit_hash(emitter: CodeEmitter, node: nodes.Hash) -> ast.expr:
    folded = emit_folded(emitter, node)
    if folded is not None:
        return folded
    pairs = [
        (emitter.emit_expression(entry.key), emitter.emit_expression(entry.value)) for entry in node.entries
    ]
    # keys that are strings are the keys of the Python dict, too; `make_hash` converts others
    if all(isinstance(entry.key, nodes.String | nodes.Name | nodes.Concat) for entry in node.entries):
        return ast.Dict([key for key, _ in pairs], [value for _, value in pairs], **emitter.position)
    return emitter.call("HASH_OF", emitter.py_tuple([emitter.py_tuple([*pair]) for pair in pairs]))


# --- strings


@emits(nodes.Concat)
def emit_concat(emitter: CodeEmitter, node: nodes.Concat) -> ast.expr:
    parts: list[ast.expr] = []
    for segment in node.segments:
        # in a template of statements of one shape, a text is an argument
        value_in_slot = emitter.find_slot("value", segment)
        if value_in_slot is not None:
            parts.append(ast.FormattedValue(value_in_slot, -1, None, **emitter.position))
        elif isinstance(segment, nodes.String):
            parts.append(emitter.literal(segment.value))
        else:
            parts.append(ast.FormattedValue(_emit_as_text(emitter, segment), -1, None, **emitter.position))
    joined = ast.JoinedStr(parts, **emitter.position)
    result = emitter.temporary()
    fits = emitter.compare(
        emitter.call("len", emitter.bind(result, joined)), (ast.LtE(), emitter.name("STRING_LIMIT"))
    )
    return emitter.if_else(fits, emitter.name(result), emitter.call("STRING_TOO_LONG"))


def _emit_as_text(emitter: CodeEmitter, node: nodes.Node) -> ast.expr:
    inner = node.expr if isinstance(node, nodes.Text) else node
    if isinstance(inner, nodes.String):
        return emitter.literal(inner.value)
    value = emitter.emit_expression(inner)
    with emitter.at(inner):
        if not emitter.frame.is_hot:
            return emitter.call("TEXT", value)
        # Strings and integers print in Puppet as in Python: without a call, interpolation is twice as fast.
        if isinstance(value, ast.Name) and emitter.is_integer(value.id):
            return value
        local, kind = emitter.temporary(), emitter.temporary()
        kind_of = emitter.bind(kind, emitter.type_of(emitter.bind(local, value)))
        plain = ast.BoolOp(
            ast.Or(),
            [
                emitter.compare(kind_of, (ast.Is(), emitter.name("str"))),
                emitter.compare(emitter.name(kind), (ast.Is(), emitter.name("int"))),
            ],
            **emitter.position,
        )
        return emitter.if_else(plain, emitter.name(local), emitter.call("TEXT", emitter.name(local)))


@emits(nodes.Heredoc)
def emit_heredoc(emitter: CodeEmitter, node: nodes.Heredoc) -> ast.expr:
    text = emitter.emit_expression(node.text)
    # the validation has checked a text without expressions
    if node.syntax and isinstance(node.text, nodes.Concat):
        with emitter.at(node.text):
            return emitter.call("CHECK_SYNTAX", text, emitter.literal(node.syntax))
    return text


# The literals whose value is constant in every dialect.
_LITERALS = (nodes.String, nodes.Name, nodes.Boolean, nodes.Undef, nodes.Default, nodes.Float, nodes.Regexp)
EXPRESSIONS.update(dict.fromkeys(_LITERALS, emit_folded))  # type: ignore[arg-type]  # it returns no None for them
EXPRESSIONS |= {
    nodes.Nop: lambda emitter, node: emitter.literal(None),
    # the validation reports an integer that does not fit
    nodes.Integer: lambda emitter, node: emitter.literal(node.value),
    nodes.Reserved: lambda emitter, node: emitter.literal(node.word),
    nodes.Paren: lambda emitter, node: emitter.emit_expression(node.expr),
    nodes.Array: lambda emitter, node: emit_folded(emitter, node) or emit_value_list(emitter, node.values),
    nodes.TypeName: lambda emitter, node: (
        emit_folded(emitter, node) or emitter.call("TYPE", emitter.literal(node.value))
    ),
    nodes.Text: _emit_as_text,
}
