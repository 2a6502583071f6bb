"""The relationships that a program certainly makes whenever a body is evaluated, read from its text.

Only direct statements of a body count, not what a condition or a loop decides, and only literal titles.
`collect_body_orders` reads each body of a program; `find_evaluation_orders` joins bodies that are evaluated together.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from evaluator.calling.registry import to_plain_name
from evaluator.checking.names import iterate_literal_references, iterate_literal_strings
from lexer_parser.record import Record, fresh
from lexer_parser.tree import nodes

Key = tuple[str, str]  # the type and title of a resource; or a body: see `BodyOrders`

_FORWARD = {"before", "notify"}  # metaparameters of the resource that is applied first
_ARROWS = {"->": "->", "~>": "~>", "<-": "->", "<~": "~>"}  # each arrow, and the one that points to the right
_EVALUATING = ("include", "contain", "require")  # functions that evaluate classes


class OrderStep(NamedTuple):
    """A relationship between two resources.

    Attributes:
        source: The resource that is applied first.
        target: The resource that is applied afterwards.
        reason: The arrow, pointing to the right, or the metaparameter.
        file: The file in which the reason is written; None if the program has none.
        start: The offset at which the reason begins.
        end: The offset at which it ends.
    """

    source: Key
    target: Key
    reason: str
    file: str | None
    start: int
    end: int


class BodyOrder(Record):
    """The resources and relationships of one body.

    Attributes:
        file: The file of the body; None if the program has none.
        contains: The resources in it.
        evaluates: The classes that are evaluated with it.
        steps: Its relationships.
    """

    file: str | None
    contains: list[Key] = fresh(factory=list)
    evaluates: set[Key] = fresh(factory=set)
    steps: list[OrderStep] = fresh(factory=list)


# The orders of a program by the keys of its bodies: ("class", name), (_DEFINE_BODY, name), TOP for the statements
# outside of definitions, and ("", number) for a node definition.
BodyOrders = dict[Key, BodyOrder]
TOP: Key = ("", "")
_DEFINE_BODY = " define"  # begins with a blank, as no resource type does


class EvaluationOrder:
    """The relationships that one evaluation certainly makes: resources, containment, and steps.

    The program and its nodes, whose keys begin with "", contain nothing: they are not in the catalog.
    """

    def __init__(self, orders: BodyOrders) -> None:
        self.contains = [
            (owner, key) for owner, order in orders.items() for key in order.contains if owner[0]
        ]
        self.steps = list(dict.fromkeys(step for order in orders.values() for step in order.steps))
        ends = (key for step in self.steps for key in (step.source, step.target))
        every = [*orders, *(key for pair in self.contains for key in pair), *ends]
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
        for step in self.steps:
            before.add(("begin", step.target), ("end", step.source))
        try:
            before.prepare()
        except CycleError:
            return True
        return False


def collect_body_orders(program: nodes.Program) -> BodyOrders:
    """Return the resources and relationships of the bodies of a program."""
    orders = {TOP: BodyOrder(program.source.name)}
    _read_statements(program.body, orders[TOP], orders)
    return orders


def find_entry_points(orders: BodyOrders) -> Iterator[BodyOrders]:
    """Yield the entry points: the program, the program with each of its nodes, each class and define alone."""
    for key, order in orders.items():
        is_node = key[0] == TOP[0] and key != TOP
        yield {TOP: orders[TOP], key: order} if is_node else {key: order}


def add_reached_classes(reached: BodyOrders, orders: BodyOrders) -> None:
    """Add the classes that are evaluated with what is reached, as far as `orders` has them."""
    waiting = list(reached.values())
    for order in waiting:
        for key in sorted(order.evaluates):  # the same order each time
            if key in orders and key not in reached:
                reached[key] = orders[key]
                waiting.append(orders[key])


def find_evaluation_orders(orders: BodyOrders) -> Iterator[EvaluationOrder]:
    """Yield the order of each evaluation: of the program, and of each of its classes and defines."""
    if not any(order.steps for order in orders.values()):
        return
    for start in find_entry_points(orders):
        add_reached_classes(start, orders)
        yield EvaluationOrder(start)


def _read_statements(body: nodes.Node, order: BodyOrder, orders: BodyOrders) -> None:
    """Read the statements of a body, and the bodies of the definitions among them."""
    for statement in nodes.list_statements(body):
        match statement:
            case nodes.Class() | nodes.Define():
                kind = "class" if isinstance(statement, nodes.Class) else _DEFINE_BODY
                inner = orders.setdefault((kind, to_plain_name(statement.name)), BodyOrder(order.file))
                if isinstance(statement, nodes.Class) and statement.parent:
                    inner.evaluates.add(("class", to_plain_name(statement.parent)))
                _read_statements(statement.body, inner, orders)
            case nodes.NodeDefinition():
                inner = orders.setdefault((TOP[0], str(len(orders))), BodyOrder(order.file))
                _read_statements(statement.body, inner, orders)
            case nodes.Resource():
                _read_resource(statement, order)
            case nodes.Relationship():
                _read_chain(statement, order)
            case nodes.Call():
                _read_call(statement, order)


def _read_resource(node: nodes.Resource, order: BodyOrder) -> list[Key]:
    """Read a resource expression; return what it declares."""
    kind = to_plain_name(nodes.get_literal_string(node.type_name) or "")
    if not kind or node.form != "regular":
        return []
    all_keys: list[Key] = []
    for body in node.bodies:
        titles = [
            to_plain_name(title) if kind == "class" else title
            for title, _ in iterate_literal_strings(body.title)
        ]
        keys = [(kind, title) for title in titles]
        all_keys += keys
        if kind == "class":
            order.evaluates.update(keys)
        else:
            order.contains += keys
        for operation in body.operations:
            if isinstance(operation, nodes.Attribute) and operation.operator == "=>":
                _read_metaparameter(operation, keys, order)
    return all_keys


def _read_metaparameter(node: nodes.Attribute, keys: list[Key], order: BodyOrder) -> None:
    if node.name not in ("before", "require", "notify", "subscribe"):
        return
    value = node.value
    for reference in value.values if isinstance(value, nodes.Array) else [value]:
        for other in iterate_literal_references(reference):
            for key in keys:
                ends = (key, other) if node.name in _FORWARD else (other, key)
                _add_step(order, *ends, node.name, node)


def _add_step(order: BodyOrder, source: Key, target: Key, reason: str, node: nodes.Node) -> None:
    """Add a step; a class that it names is evaluated somewhere, or there is no catalog."""
    order.steps.append(OrderStep(source, target, reason, order.file, node.start, node.end))
    order.evaluates.update(key for key in (source, target) if key[0] == "class")


def _read_chain(node: nodes.Relationship, order: BodyOrder) -> list[Key]:
    """Read `a -> b -> c`; return what its right side names.

    The tree is nested on the left, so the arrows are collected from right to left, and read from left to right.
    """
    pending: list[nodes.Relationship] = []
    left: nodes.Node = node
    while isinstance(left, nodes.Relationship):
        pending.append(left)
        left = left.left
    before = _read_arrow_side(left, order)
    for arrow in reversed(pending):
        after = _read_arrow_side(arrow.right, order)
        forward = arrow.operator in ("->", "~>")
        for source in before if forward else after:
            for target in after if forward else before:
                _add_step(order, source, target, _ARROWS[arrow.operator], arrow)
        before = after
    return before


def _read_arrow_side(node: nodes.Node, order: BodyOrder) -> list[Key]:
    """Return what one side of an arrow names."""
    match node.expr if isinstance(node, nodes.Paren) else node:
        case nodes.Resource() as resource:
            return _read_resource(resource, order)
        case nodes.Relationship() as chain:
            return _read_chain(chain, order)
        case nodes.Array(values=values):
            return [key for value in values for key in _read_arrow_side(value, order)]
        case other:
            return list(iterate_literal_references(other))


def _read_call(node: nodes.Call, order: BodyOrder) -> None:
    name = (nodes.get_literal_string(node.functor) or "").removeprefix("::")
    if name not in _EVALUATING:
        return
    for argument in node.arguments:
        classes = [
            *(("class", to_plain_name(text)) for text, _ in iterate_literal_strings(argument)),
            *iterate_literal_references(argument),
        ]
        order.evaluates.update(classes)
        if name == "contain":
            order.contains += classes
