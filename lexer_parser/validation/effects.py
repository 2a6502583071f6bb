"""Which expressions have no effect, so that their value is lost when they stand alone."""

from __future__ import annotations

from itertools import pairwise

from lexer_parser.tree import nodes
from lexer_parser.tree.labels import label, the_label
from lexer_parser.validation.walk import DEFINITIONS, Visit, Walk

VALUES = nodes.LEAVES | {
    nodes.Concat,
    nodes.Heredoc,
    nodes.Array,
    nodes.Hash,
    nodes.Not,
    nodes.Minus,
    nodes.Splat,
    nodes.Arithmetic,
    nodes.Comparison,
    nodes.In,
    nodes.And,
    nodes.Or,
    nodes.Access,
    nodes.Selector,
}
CONTROL = frozenset((nodes.Paren, nodes.Block, nodes.If, nodes.Unless, nodes.Case))
MAYBE_IDEMPOTENT = VALUES | CONTROL


def parts(node: nodes.Node) -> list[nodes.Node]:
    """The parts of a control statement that must all be without effect for it to be so."""
    if isinstance(node, nodes.If):
        return [node.then, node.test, node.otherwise]
    if isinstance(node, nodes.Block):
        return node.statements
    if isinstance(node, nodes.Paren):
        return [node.expr]
    if isinstance(node, nodes.Unless):
        return [node.then, node.test, node.otherwise]
    assert isinstance(node, nodes.Case)
    return [node.test, *(part for option in node.options for part in (*option.values, option.then))]


def acts(body: nodes.Node) -> bool:
    """Whether the first statement of a body tells already that it has an effect, as it mostly does."""
    first = body.statements[0] if type(body) is nodes.Block else body
    return type(first) not in MAYBE_IDEMPOTENT


def is_idempotent(walk: Walk, node: nodes.Node) -> bool:
    """Tells whether evaluating `node` changes nothing; without recursion, each control statement once."""
    kind = type(node)
    if kind not in CONTROL:
        return kind in VALUES
    if kind is nodes.If and acts(node.then):  # type: ignore[attr-defined]
        return False
    known = walk.effects
    pending = [node]
    while pending:
        current = pending[-1]
        if id(current) in known:
            pending.pop()
            continue
        inner = parts(current)
        if not MAYBE_IDEMPOTENT.issuperset(map(type, inner)):
            known[id(current)] = False
            continue
        unknown = [part for part in inner if type(part) in CONTROL and id(part) not in known]
        if unknown:
            pending.extend(unknown)
        else:
            known[id(current)] = all(known.get(id(part), True) for part in inner)
    return known[id(node)]


def untitled_resource(block: nodes.Block) -> str | None:
    """The name of a "resource" without title: that is how `file { a => 1 }` reads."""
    if len(block.statements) == 2:
        name, attributes = block.statements
        if isinstance(name, nodes.Name) and isinstance(attributes, nodes.Hash):
            return name.value
    return None


def is_list_of_values(walk: Walk, statements: list[nodes.Node]) -> bool:
    """Tells whether each statement only gives a value and begins on a line of its own."""
    text = walk.program.source.text
    return all(is_idempotent(walk, each) for each in statements) and all(
        "\n" in text[one.end : other.start] for one, other in pairwise(statements)
    )


def visit_block(walk: Walk, node: nodes.Block) -> None:
    """Of the statements before the last, the first one without effect is reported.

    The specification's examples are lists of values, line by line: a program may be one, when that is all it is.
    """
    statements = node.statements
    kinds = set(map(type, statements))
    name = untitled_resource(node) if len(statements) == 2 else None
    if name is not None:
        walk.report("RESOURCE_WITHOUT_TITLE", node, name=name)
    elif not walk.interactive and not kinds.isdisjoint(MAYBE_IDEMPOTENT):
        free = node is walk.free_statements and is_list_of_values(walk, statements)
        for statement in statements[:-1]:
            # A bare name is a call that lacks its parentheses, nobody wants to look at its value.
            if (
                type(statement) in MAYBE_IDEMPOTENT
                and is_idempotent(walk, statement)
                and (not free or type(statement) is nodes.Name)
            ):
                walk.report("IDEM_EXPRESSION_NOT_LAST", statement, label=label(statement))
                break
    if not kinds.isdisjoint(DEFINITIONS):
        walk.place_statements(node, "body")
    walk.stack.extend(statements[::-1])


def check_last(walk: Walk, container: nodes.Node, body: nodes.Node) -> None:
    """A class, defined type or node does not end with an expression without effect."""
    if walk.interactive:
        return
    last = body
    if isinstance(body, nodes.Block):
        if untitled_resource(body) is not None and body.start == body.statements[0].start:
            return  # `file { }`; the block of `file; { }` begins at its brace
        last = body.statements[-1]
    if type(last) is not nodes.Nop and type(last) is not nodes.Block and is_idempotent(walk, last):
        walk.report("IDEM_NOT_ALLOWED_LAST", last, label=label(last), container=the_label(container))


VISITS: dict[type[nodes.Node], Visit] = {nodes.Block: visit_block}
