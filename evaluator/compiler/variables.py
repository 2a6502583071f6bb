"""Variables and assignment."""

from __future__ import annotations

import ast
from typing import Any

from evaluator.compiler.emitter import LOAD, Emitter, emits
from evaluator.program.scope import RESERVED_NAMES
from lexer_parser.tree import nodes

# --- variables


@emits(nodes.Variable)
def variable(emitter: Emitter, node: nodes.Variable) -> ast.expr:
    emitter.at(node)
    name = node.name
    if name.isdigit():
        return emitter.call("MATCH_GROUP", emitter.literal(int(name)))
    if "::" in name:
        return emitter.call("QUALIFIED", emitter.scope(), emitter.literal(name))
    return _read(emitter, name, emitter.frame)


def _read(emitter: Emitter, name: str, frame: Any) -> ast.expr:
    """Reads a variable as seen from `frame`: a Python local where it is one, else from the Scope."""
    while frame is not None and frame.kind != "scope":
        state = frame.assigned.get(name)
        if state == "yes":
            return emitter.name(frame.local(name))
        if name in frame.unset:
            return emitter.call("NOT_EVALUATED_YET", *map(emitter.literal, (*frame.unset[name], name)))
        if state == "maybe":
            own = emitter.name(frame.local(name))
            test = emitter.compare(own, (ast.IsNot(), emitter.name("MISSING")))
            return emitter.if_else(test, emitter.name(frame.local(name)), _read(emitter, name, frame.outer))
        if frame.kind == "function":
            break
        frame = frame.outer
    return emitter.call("VARIABLE", emitter.scope(), emitter.literal(name))


def visible_locals(emitter: Emitter) -> dict[str, str]:
    """Puppet name -> Python name of all locals that are visible in the current frame."""
    found: dict[str, str] = {}
    frame: Any = emitter.frame
    while frame is not None and frame.kind != "scope":
        for name in frame.assigned:
            found.setdefault(name, frame.local(name))
        if frame.kind == "function":
            break
        frame = frame.outer
    return found


@emits(nodes.Assignment)
def assignment(emitter: Emitter, node: nodes.Assignment) -> ast.expr:
    if node.operator != "=":
        return _append_or_delete(emitter, node)
    if isinstance(node.left, nodes.Variable):
        return _assign(emitter, node.left.name, emitter.expression(node.right), node)
    value = emitter.expression(node.right)
    emitter.at(node)
    held = emitter.temporary()
    steps = [emitter.bind(held, value)]
    steps += _destructure(emitter, node.left, emitter.name(held), node)
    return emitter.sequence([*steps, emitter.name(held)])


def _assign(emitter: Emitter, name: str, value: ast.expr, node: nodes.Node) -> ast.expr:
    emitter.at(node)
    frame = emitter.frame
    if frame.kind == "scope":
        return emitter.call("ASSIGN", emitter.scope(), emitter.literal(name), value)
    state = frame.assigned.get(name)
    frame.assigned[name] = "yes"
    if state == "yes" or name in RESERVED_NAMES:
        is_set = emitter.literal(state == "yes")
        return emitter.sequence([value, emitter.call("NOT_ASSIGNABLE", emitter.literal(name), is_set)])
    if state == "maybe":
        value = emitter.call("ASSIGN_ONCE", value, emitter.name(frame.local(name)), emitter.literal(name))
    return emitter.bind(frame.local(name), value)


def _append_or_delete(emitter: Emitter, node: nodes.Assignment) -> ast.expr:
    """`$x += value`: the specification's append, which starts from the outer variable of that name."""
    assert isinstance(node.left, nodes.Variable)
    name = node.left.name
    value = emitter.expression(node.right)
    emitter.at(node)
    held = emitter.temporary()
    frame = emitter.frame
    own = frame.assigned.get(name) if frame.kind != "scope" else None
    outer = emitter.call("OUTER", emitter.scope(), emitter.literal(name))
    if own is not None:
        outer = emitter.name("MISSING_OPERATOR")
    elif frame.kind != "scope":
        outer = _read_outer(emitter, name, frame)
    changed = emitter.call("APPEND", outer, emitter.bind(held, value), emitter.literal(node.operator))
    return emitter.sequence([_assign(emitter, name, changed, node), emitter.name(held)])


def _read_outer(emitter: Emitter, name: str, frame: Any) -> ast.expr:
    while frame.outer is not None and frame.kind == "lambda":
        frame = frame.outer
        if frame.kind != "scope" and frame.assigned.get(name) == "yes":
            return emitter.name(frame.local(name))
    return emitter.call("FIND", emitter.scope(), emitter.literal(name))


def _destructure(emitter: Emitter, target: nodes.Node, value: ast.expr, node: nodes.Node) -> list[ast.expr]:
    """Steps that assign the parts of `value` to the variables of a (nested) list of targets."""
    if isinstance(target, nodes.Variable):
        return [_assign(emitter, target.name, value, node)]
    assert isinstance(target, nodes.Array)
    emitter.at(node)
    parts = emitter.temporary()
    wanted = emitter.constant(_keys(target))
    steps = [emitter.bind(parts, emitter.call("DESTRUCTURE", value, wanted))]
    for index, item in enumerate(target.values):
        emitter.at(item)
        part = ast.Subscript(emitter.name(parts), emitter.literal(index), LOAD, **emitter.position)
        steps += _destructure(emitter, item, part, node)
    return steps


def _keys(target: nodes.Array) -> list[Any]:
    """The keys that the targets have in a hash: names, and for a nested list the list of its keys."""
    return [
        _keys(item) if isinstance(item, nodes.Array) else getattr(item, "name", "") for item in target.values
    ]
