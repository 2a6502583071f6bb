"""What a program says of the order of resources by its text alone: what is certain whenever a body is evaluated.

Only what stands directly in a body counts, not what a condition or a loop decides, and only literal titles.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import Any

from evaluator.checking.reading import Place, plain, reference_of, text_of, texts_of
from lexer_parser.tree import nodes

Key = tuple[str, str]
Step = tuple[Key, Key, str, Any]  # source, target, what says so, and where: in a file its Place

_FORWARD = {"before", "notify"}
_ARROWS = {"->": "->", "~>": "~>", "<-": "->", "<~": "~>"}
_CONTAINING, _EVALUATING = "contain", ("include", "contain", "require")


class Part:
    """What one body declares and orders.

    contains  what stands in it;  evaluates  the classes that are evaluated with it;  steps  what it orders
    """

    __slots__ = ("contains", "evaluates", "steps")

    def __init__(self) -> None:
        self.contains: list[Key] = []
        self.evaluates: set[Key] = set()
        self.steps: list[Step] = []

    @property
    def data(self) -> tuple[list[Key], set[Key], list[Step]]:
        """The part as plain data, for another process."""
        return self.contains, self.evaluates, self.steps

    @classmethod
    def from_data(cls, data: tuple[list[Key], set[Key], list[Step]]) -> Part:
        """The part that `data` was made from."""
        made = cls()
        made.contains, made.evaluates, made.steps = data
        return made


Parts = dict[Key, Part]  # of a program: what TOP, its classes and defines, and its nodes declare
TOP: Key = ("", "")


class Order:
    """What one evaluation certainly orders: the resources, what contains what, and the steps."""

    __slots__ = ("contains", "keys", "steps")

    def __init__(self, parts: Parts) -> None:
        self.contains = [(owner, key) for owner, part in parts.items() for key in part.contains if owner[0]]
        self.steps = list(dict.fromkeys(step for part in parts.values() for step in part.steps))
        ends = (key for step in self.steps for key in step[:2])
        every = [*parts, *(key for pair in self.contains for key in pair), *ends]
        self.keys = dict.fromkeys(key for key in every if key[0])

    @property
    def has_cycle(self) -> bool:
        """Whether something waits for itself; what contains others is two points, its beginning and its end."""
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


def parts_of(program: nodes.Program) -> Parts:
    """What the bodies of a program declare and order."""
    parts = {TOP: Part()}
    _read(program.body, parts[TOP], parts)
    return parts


def starts(parts: Parts) -> Iterator[Parts]:
    """What is evaluated at first: the program itself, with each of its nodes, and each class and define alone."""
    for key, part in parts.items():
        yield {key: part} if key[0] or key == TOP else {TOP: parts[TOP], key: part}


def reach(reached: Parts, parts: Parts) -> None:
    """Adds the classes that are evaluated with what is reached, as far as `parts` has them."""
    waiting = list(reached.values())
    for part in waiting:
        for key in sorted(part.evaluates):  # the same order each time
            if key in parts and key not in reached:
                reached[key] = parts[key]
                waiting.append(parts[key])


def orders(parts: Parts) -> Iterator[Order]:
    """What is ordered when the program, and when each of its classes and defines, is evaluated."""
    if not any(part.steps for part in parts.values()):
        return
    for start in starts(parts):
        reach(start, parts)
        yield Order(start)


def _read(body: nodes.Node, part: Part, parts: Parts) -> None:
    """Reads the statements of a body, and the bodies of the definitions among them."""
    for statement in body.statements if isinstance(body, nodes.Block) else [body]:
        if isinstance(statement, nodes.Class | nodes.Define):
            kind = "class" if isinstance(statement, nodes.Class) else " define"
            inner = parts.setdefault((kind, plain(statement.name.lower())), Part())
            if isinstance(statement, nodes.Class) and statement.parent:
                inner.evaluates.add(("class", plain(statement.parent.lower())))
            _read(statement.body, inner, parts)
        elif isinstance(statement, nodes.NodeDefinition):
            _read(statement.body, parts.setdefault(("", str(len(parts))), Part()), parts)
        elif isinstance(statement, nodes.Resource):
            _resource(statement, part)
        elif isinstance(statement, nodes.Relationship):
            _chain(statement, part)
        elif isinstance(statement, nodes.Call):
            _call(statement, part)


def _resource(node: nodes.Resource, part: Part) -> list[Key]:
    """Reads a resource expression; gives what it declares."""
    kind = plain((text_of(node.type_name) or "").lower())
    if not kind or node.form != "regular":
        return []
    found: list[Key] = []
    for body in node.bodies:
        titles = [plain(title.lower()) if kind == "class" else title for title, _ in texts_of(body.title)]
        keys = [(kind, title) for title in titles]
        found += keys
        if kind == "class":
            part.evaluates.update(keys)
        else:
            part.contains += keys
        for operation in body.operations:
            if isinstance(operation, nodes.Attribute) and operation.operator == "=>":
                _metaparameter(operation, keys, part)
    return found


def _metaparameter(node: nodes.Attribute, keys: list[Key], part: Part) -> None:
    if node.name not in ("before", "require", "notify", "subscribe"):
        return
    value = node.value
    for reference in value.values if isinstance(value, nodes.Array) else [value]:
        for other in reference_of(reference):
            for key in keys:
                ends = (key, other) if node.name in _FORWARD else (other, key)
                _step(part, *ends, node.name, (node.start, node.end))


def _step(part: Part, source: Key, target: Key, reason: str, place: Place) -> None:
    """Notes a step; a class that it names is evaluated somewhere, or there is no catalog."""
    part.steps.append((source, target, reason, place))
    part.evaluates.update(key for key in (source, target) if key[0] == "class")


def _chain(node: nodes.Relationship, part: Part) -> list[Key]:
    """Reads `a -> b -> c`; gives what its right side names."""
    pending: list[nodes.Relationship] = []
    left: nodes.Node = node
    while isinstance(left, nodes.Relationship):
        pending.append(left)
        left = left.left
    before = _ends(left, part)
    for arrow in reversed(pending):
        after = _ends(arrow.right, part)
        forward = arrow.operator in ("->", "~>")
        for source in before if forward else after:
            for target in after if forward else before:
                _step(part, source, target, _ARROWS[arrow.operator], (arrow.start, arrow.end))
        before = after
    return before


def _ends(node: nodes.Node, part: Part) -> list[Key]:
    """What one side of an arrow names."""
    if isinstance(node, nodes.Paren):
        node = node.expr
    if isinstance(node, nodes.Resource):
        return _resource(node, part)
    if isinstance(node, nodes.Relationship):
        return _chain(node, part)
    if isinstance(node, nodes.Array):
        return [key for value in node.values for key in _ends(value, part)]
    return list(reference_of(node))


def _call(node: nodes.Call, part: Part) -> None:
    name = plain(text_of(node.functor) or "")
    if name not in _EVALUATING:
        return
    for argument in node.arguments:
        found = [*(("class", plain(text.lower())) for text, _ in texts_of(argument)), *reference_of(argument)]
        part.evaluates.update(found)
        if name == _CONTAINING:
            part.contains += found
