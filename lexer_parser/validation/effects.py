"""Rules for statements without effect, whose value is lost unless they are the last one."""

from __future__ import annotations

from itertools import pairwise

from lexer_parser.tree import nodes
from lexer_parser.tree.labels import begin_with_label, make_label
from lexer_parser.validation.walk import DEFINITIONS, ValidationWalk, VisitFunction

# Nodes that have a value and no effect of their own. Effects of their operands do not count, as in the released Puppet.
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
# Nodes that have an effect if one of their parts has one; `list_effective_parts` returns these parts.
CONTROL = frozenset((nodes.Paren, nodes.Block, nodes.If, nodes.Unless, nodes.Case))
MAYBE_WITHOUT_EFFECT = VALUES | CONTROL
# Nodes that set variables: a match sets `$0`, `$1`, ….
SETTERS = frozenset((nodes.Assignment, nodes.Match))


def list_effective_parts(node: nodes.Node) -> list[nodes.Node]:
    """Return the parts of a control node, which has no effect if none of them has one."""
    match node:
        case nodes.Conditional():
            return [node.then, node.test, node.otherwise]
        case nodes.Block():
            return node.statements
        case nodes.Paren():
            return [node.expr]
    assert isinstance(node, nodes.Case)
    return [node.test, *(part for option in node.options for part in (*option.values, option.then))]


def begins_with_effect(body: nodes.Node) -> bool:
    """Return True if the class of the first statement of a body shows that it has an effect."""
    first = body.statements[0] if type(body) is nodes.Block else body
    return type(first) not in MAYBE_WITHOUT_EFFECT


def has_no_effect(walk: ValidationWalk, node: nodes.Node) -> bool:
    """Return True if evaluating a node changes nothing, by the rule of the released Puppet.

    It uses no recursion, since statements may be nested deeply, and decides each control node once.
    """
    kind = type(node)
    if kind not in CONTROL:
        return kind in VALUES
    if kind is nodes.If and begins_with_effect(node.then):  # type: ignore[attr-defined]
        return False  # the most frequent case
    results = walk.without_effect
    pending = [node]  # a node stays here until its parts are decided
    while pending:
        current = pending[-1]
        if id(current) in results:
            pending.pop()
            continue
        inner = list_effective_parts(current)
        if not MAYBE_WITHOUT_EFFECT.issuperset(map(type, inner)):
            results[id(current)] = False
            continue
        undecided = [part for part in inner if type(part) in CONTROL and id(part) not in results]
        if undecided:
            pending.extend(undecided)
        else:
            results[id(current)] = all(results.get(id(part), True) for part in inner)
    return results[id(node)]


def get_untitled_resource_name(block: nodes.Block) -> str | None:
    """Return the name in `file { a => 1 }`, a resource without title; None for other blocks.

    It is parsed as two statements, a name and a hash.
    """
    match block.statements:
        case [nodes.Name() as name, nodes.Hash()]:
            return name.value
    return None


def is_list_of_values(walk: ValidationWalk, statements: list[nodes.Node]) -> bool:
    """Return True if each statement only has a value or sets a variable.

    A newline or a semicolon must separate each from the next.
    """
    gaps = (get_text_between(walk, before, statement) for before, statement in pairwise(statements))
    return all(
        type(statement) in SETTERS or has_no_effect(walk, statement) for statement in statements
    ) and all("\n" in gap or ";" in gap for gap in gaps)


def get_text_between(walk: ValidationWalk, before: nodes.Node, statement: nodes.Node) -> str:
    """Return the source text between two statements: blanks, comments, semicolons."""
    return walk.program.source.text[before.end : statement.start]


def visit_block(walk: ValidationWalk, node: nodes.Block) -> None:
    """Visit a block; report a resource without title, or a statement whose value is lost."""
    statements = node.statements
    kinds = set(map(type, statements))
    name = get_untitled_resource_name(node) if len(statements) == 2 else None
    if name is not None:
        walk.report("RESOURCE_WITHOUT_TITLE", node, name=name)
    elif not walk.interactive and not kinds.isdisjoint(MAYBE_WITHOUT_EFFECT):
        check_values_not_lost(walk, node)
    if not kinds.isdisjoint(DEFINITIONS):
        walk.record_body_kind(node, "body")
    walk.stack.extend(statements[::-1])


def check_values_not_lost(walk: ValidationWalk, block: nodes.Block) -> None:
    """Report the first statement without effect before the last one.

    The specification's examples are lists of values and assignments: a program may be such a list and nothing else.
    """
    is_free = block is walk.free_block and is_list_of_values(walk, block.statements)
    # Each statement but the last one, with the one before it; the first one follows the start of the block.
    for before, statement in pairwise([block, *block.statements[:-1]]):
        if type(statement) not in MAYBE_WITHOUT_EFFECT or not has_no_effect(walk, statement):
            continue
        # A bare name is a call without parentheses rather than a value to display.
        is_displayed = is_free and type(statement) is not nodes.Name
        # The specification's examples put a semicolon before an array, which would be an access otherwise.
        is_separate_array = (
            walk.dialect.free_statements
            and type(statement) is nodes.Array
            and ";" in get_text_between(walk, before, statement)
        )
        if not is_displayed and not is_separate_array:
            walk.report("IDEM_EXPRESSION_NOT_LAST", statement, label=make_label(statement))
            return


def check_last(walk: ValidationWalk, container: nodes.Node, body: nodes.Node) -> None:
    """Report a class, defined type or node that ends with an expression without effect."""
    if walk.interactive:
        return
    # The block of `file { }` begins at its name, that of the two statements `file; { }` at the brace of the body.
    if (
        isinstance(body, nodes.Block)
        and get_untitled_resource_name(body) is not None
        and body.start == body.statements[0].start
    ):
        return  # visiting the block reports it
    last = nodes.list_statements(body)[-1]
    # A Nop is an empty body. A block inside a block is a resource without title, which its visit reports.
    if type(last) not in (nodes.Nop, nodes.Block) and has_no_effect(walk, last):
        walk.report(
            "IDEM_NOT_ALLOWED_LAST", last, label=make_label(last), container=begin_with_label(container)
        )


VISITS: dict[type[nodes.Node], VisitFunction] = {nodes.Block: visit_block}
