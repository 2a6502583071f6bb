"""The relationships that a program certainly makes whenever a body is evaluated, read from its text.

Only direct statements of a body count, not what a condition or a loop decides, and only literal titles.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from evaluator.checking.names import (
    Offsets,
    iterate_literal_references,
    iterate_literal_strings,
)
from lexer_parser.record import Record, fresh
from lexer_parser.tree import nodes

Key = tuple[str, str]
Step = tuple[Key, Key, str, Any]  # source, target, the arrow or metaparameter, and its position

_FORWARD = {"before", "notify"}
_ARROWS = {"->": "->", "~>": "~>", "<-": "->", "<~": "~>"}
_CONTAINING, _EVALUATING = "contain", ("include", "contain", "require")


class BodyOrder(Record):
    """The resources and relationships of one body.

    Attributes:
        contains: The resources in it.
        evaluates: The classes that are evaluated with it.
        steps: Its relationships.
    """

    contains: list[Key] = fresh(factory=list)
    evaluates: set[Key] = fresh(factory=set)
    steps: list[Step] = fresh(factory=list)


# The orders of a program: of TOP, of its classes and defines, and of its nodes.
BodyOrders = dict[Key, BodyOrder]
TOP: Key = ("", "")


class EvaluationOrder:
    """The relationships that one evaluation certainly makes: resources, containment, and steps."""

    def __init__(self, parts: BodyOrders) -> None:
        self.contains = [(owner, key) for owner, part in parts.items() for key in part.contains if owner[0]]
        self.steps = list(dict.fromkeys(step for part in parts.values() for step in part.steps))
        ends = (key for step in self.steps for key in step[:2])
        every = [*parts, *(key for pair in self.contains for key in pair), *ends]
        self.keys = dict.fromkeys(key for key in every if key[0])

    @property
    def has_cycle(self) -> bool:
        """True if the relationships form a cycle; a container is two points, its beginning and its end."""
        before: TopologicalSorter[tuple[str, Key]] = TopologicalSorter()
        for key in self.keys:
            before.add(("end", key), ("begin", key))
        for owner, key in self.contains:
            before.add(("begin", key), ("begin", owner))
            before.add(("end", owner), ("end", key))
        for source, target, _, _ in self.steps:
            before.add(("begin", target), ("end", source))
        try:
            before.prepare()
        except CycleError:
            return True
        return False


def collect_body_orders(program: nodes.Program) -> BodyOrders:
    """Return the resources and relationships of the bodies of a program."""
    parts = {TOP: BodyOrder()}
    _read(program.body, parts[TOP], parts)
    return parts


def find_entry_points(parts: BodyOrders) -> Iterator[BodyOrders]:
    """Yield the entry points: the program, the program with each of its nodes, each class and define alone."""
    for key, part in parts.items():
        yield {key: part} if key[0] or key == TOP else {TOP: parts[TOP], key: part}


def add_reached_classes(reached: BodyOrders, parts: BodyOrders) -> None:
    """Add the classes that are evaluated with what is reached, as far as `parts` has them."""
    waiting = list(reached.values())
    for part in waiting:
        for key in sorted(part.evaluates):  # the same order each time
            if key in parts and key not in reached:
                reached[key] = parts[key]
                waiting.append(parts[key])


def find_orders(parts: BodyOrders) -> Iterator[EvaluationOrder]:
    """Yield the order of each evaluation: of the program, and of each of its classes and defines."""
    if not any(part.steps for part in parts.values()):
        return
    for start in find_entry_points(parts):
        add_reached_classes(start, parts)
        yield EvaluationOrder(start)


def _read(body: nodes.Node, part: BodyOrder, parts: BodyOrders) -> None:
    """Read the statements of a body, and the bodies of the definitions among them."""
    for statement in nodes.list_statements(body):
        match statement:
            case nodes.Class() | nodes.Define():
                kind = "class" if isinstance(statement, nodes.Class) else " define"
                inner = parts.setdefault((kind, statement.name.lower().removeprefix("::")), BodyOrder())
                if isinstance(statement, nodes.Class) and statement.parent:
                    inner.evaluates.add(("class", statement.parent.lower().removeprefix("::")))
                _read(statement.body, inner, parts)
            case nodes.NodeDefinition():
                _read(statement.body, parts.setdefault(("", str(len(parts))), BodyOrder()), parts)
            case nodes.Resource():
                _read_resource(statement, part)
            case nodes.Relationship():
                _read_chain(statement, part)
            case nodes.Call():
                _call(statement, part)


def _read_resource(node: nodes.Resource, part: BodyOrder) -> list[Key]:
    """Read a resource expression; return what it declares."""
    kind = (nodes.get_literal_string(node.type_name) or "").lower().removeprefix("::")
    if not kind or node.form != "regular":
        return []
    all_keys: list[Key] = []
    for body in node.bodies:
        titles = [
            title.lower().removeprefix("::") if kind == "class" else title
            for title, _ in iterate_literal_strings(body.title)
        ]
        keys = [(kind, title) for title in titles]
        all_keys += keys
        if kind == "class":
            part.evaluates.update(keys)
        else:
            part.contains += keys
        for operation in body.operations:
            if isinstance(operation, nodes.Attribute) and operation.operator == "=>":
                _read_metaparameter(operation, keys, part)
    return all_keys


def _read_metaparameter(node: nodes.Attribute, keys: list[Key], part: BodyOrder) -> None:
    if node.name not in ("before", "require", "notify", "subscribe"):
        return
    value = node.value
    for reference in value.values if isinstance(value, nodes.Array) else [value]:
        for other in iterate_literal_references(reference):
            for key in keys:
                ends = (key, other) if node.name in _FORWARD else (other, key)
                _add_step(part, *ends, node.name, (node.start, node.end))


def _add_step(part: BodyOrder, source: Key, target: Key, reason: str, place: Offsets) -> None:
    """Add a step; a class that it names is evaluated somewhere, or there is no catalog."""
    part.steps.append((source, target, reason, place))
    part.evaluates.update(key for key in (source, target) if key[0] == "class")


def _read_chain(node: nodes.Relationship, part: BodyOrder) -> list[Key]:
    """Read `a -> b -> c`; return what its right side names."""
    pending: list[nodes.Relationship] = []
    left: nodes.Node = node
    while isinstance(left, nodes.Relationship):
        pending.append(left)
        left = left.left
    before = _read_arrow_side(left, part)
    for arrow in reversed(pending):
        after = _read_arrow_side(arrow.right, part)
        forward = arrow.operator in ("->", "~>")
        for source in before if forward else after:
            for target in after if forward else before:
                _add_step(part, source, target, _ARROWS[arrow.operator], (arrow.start, arrow.end))
        before = after
    return before


def _read_arrow_side(node: nodes.Node, part: BodyOrder) -> list[Key]:
    """Return what one side of an arrow names."""
    match node.expr if isinstance(node, nodes.Paren) else node:
        case nodes.Resource() as resource:
            return _read_resource(resource, part)
        case nodes.Relationship() as chain:
            return _read_chain(chain, part)
        case nodes.Array(values=values):
            return [key for value in values for key in _read_arrow_side(value, part)]
        case other:
            return list(iterate_literal_references(other))


def _call(node: nodes.Call, part: BodyOrder) -> None:
    name = (nodes.get_literal_string(node.functor) or "").removeprefix("::")
    if name not in _EVALUATING:
        return
    for argument in node.arguments:
        classes = [
            *(("class", text.lower().removeprefix("::")) for text, _ in iterate_literal_strings(argument)),
            *iterate_literal_references(argument),
        ]
        part.evaluates.update(classes)
        if name == _CONTAINING:
            part.contains += classes
