"""Rules for expressions: what must be a value, what can be assigned to, what can be called."""

from __future__ import annotations

from typing import Any

from lexer_parser.tree import nodes
from lexer_parser.tree.labels import a_label, label, the_label
from lexer_parser.validation.literals import check_keys
from lexer_parser.validation.names import check_variable
from lexer_parser.validation.walk import NOT_VALUES, VARIABLE, Visit, Walk

TEXT = nodes.Text
MAX_INTEGER = 2**63 - 1


def visit_integer(walk: Walk, node: nodes.Integer) -> None:
    """An integer fits 64 bits, unless the dialect has unbounded ones."""
    if node.value > MAX_INTEGER and not walk.dialect.unbounded_integers:
        walk.report("NUMERIC_OVERFLOW", node, value=f"+{node.value:#x}")


def visit_reserved(walk: Walk, node: nodes.Reserved) -> None:
    """`attr` and `private` are reserved and mean nothing."""
    walk.report("RESERVED_WORD", node, word=node.word)


def visit_unary(walk: Walk, node: Any) -> None:
    """The operand of `!`, `-`, `*`, parentheses and an interpolation is a value."""
    inner = node.expr
    if type(inner) in NOT_VALUES:
        walk.require_value(inner)
    walk.stack.append(inner)


def visit_binary(walk: Walk, node: Any) -> None:
    """Both operands are values."""
    left, right = node.left, node.right
    if type(left) in NOT_VALUES:
        walk.require_value(left)
    if type(right) in NOT_VALUES:
        walk.require_value(right)
    if type(right) not in walk.leaves:
        walk.stack.append(right)
    if type(left) is not VARIABLE or left.name not in walk.variables:
        walk.stack.append(left)


def visit_relationship(walk: Walk, node: nodes.Relationship) -> None:
    """The operands are values or collectors."""
    for operand in (node.left, node.right):
        if type(operand) is not nodes.Collector:
            walk.require_value(operand)
    walk.stack.append(node.right)
    walk.stack.append(node.left)


def visit_assignment(walk: Walk, node: Any) -> None:
    """The left side is a variable of this scope or a list of such; `+=` is of the specification only."""
    if node.operator == "=" or walk.dialect.append_assignment:
        if type(node.left) is VARIABLE:
            check_assigned_variable(walk, node.left)
        else:
            check_assignable(walk, node.left)
    else:
        walk.report("APPENDS_DELETES_NO_LONGER_SUPPORTED", node, operator=node.operator)
    right = node.right
    if type(right) in NOT_VALUES and node.operator == "=":
        walk.require_value(right)
    kind = type(right)
    if kind not in walk.leaves and (kind is not VARIABLE or right.name not in walk.variables):
        walk.stack.append(right)
    if type(node.left) is not VARIABLE or node.left.name not in walk.variables:
        walk.stack.append(node.left)


def check_assigned_variable(walk: Walk, node: nodes.Variable) -> None:
    """A variable on the left of `=` is a plain name."""
    name = node.name
    if "::" in name:
        walk.report("CROSS_SCOPE_ASSIGNMENT", node, name=name)
    elif name == "0" or (name.isdecimal() and name[0] != "0"):
        walk.report("ILLEGAL_NUMERIC_ASSIGNMENT", node, name=name)


def check_assignable(walk: Walk, target: nodes.Node) -> None:
    """Reports every part of a left side that cannot be assigned to."""
    pending = [target]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.Variable):
            check_assigned_variable(walk, node)
        elif isinstance(node, nodes.Array):
            pending.extend(node.values[::-1])
        elif isinstance(node, nodes.Access):
            walk.report("ILLEGAL_INDEXED_ASSIGNMENT", node)
        else:
            walk.report("ILLEGAL_ASSIGNMENT", node, label=a_label(node))


def visit_access(walk: Walk, node: nodes.Access) -> None:
    """An access has no rules of its own."""
    walk.push(node.keys)
    if type(node.left) not in walk.leaves:
        walk.stack.append(node.left)


def visit_array(walk: Walk, node: nodes.Array) -> None:
    """The elements are values."""
    values = node.values
    for value in values:
        if type(value) in NOT_VALUES:
            walk.require_value(value)
    walk.push(values)


def visit_hash(walk: Walk, node: nodes.Hash) -> None:
    """No key that can be told without running is there twice."""
    entries = node.entries
    if len(entries) > 1:
        keys: list[Any] = [entry.key for entry in entries]
        simple = {key.value for key in keys if type(key) in SIMPLE_KEYS}
        if len(simple) < len(entries):
            check_keys(walk, entries)
    walk.stack.extend(entries[::-1])


SIMPLE_KEYS = frozenset((nodes.String, nodes.Name))


def visit_pair(walk: Walk, node: nodes.Pair) -> None:
    """Key and value are values."""
    key, value = node.key, node.value
    if type(key) in NOT_VALUES:
        walk.require_value(key)
    if type(value) in NOT_VALUES:
        walk.require_value(value)
    if type(value) not in walk.leaves:
        walk.stack.append(value)
    if type(key) not in walk.leaves:
        walk.stack.append(key)


def visit_concat(walk: Walk, node: nodes.Concat) -> None:
    """Only the interpolated parts have rules."""
    for part in reversed(node.segments):
        if type(part) is TEXT:
            inner = part.expr
            if type(inner) is not VARIABLE or inner.name not in walk.variables:
                walk.stack.append(part)


def visit_heredoc(walk: Walk, node: nodes.Heredoc) -> None:
    """A text that names a known syntax is checked against it."""
    text = node.text
    if type(text) is not nodes.String:
        walk.stack.append(text)
    elif node.syntax:
        # Its expressions take 3 ms to compile, and few heredocs name a syntax.
        from lexer_parser.validation.texts import check_text

        check_text(walk, node.syntax, text)


def visit_if(walk: Walk, node: Any) -> None:
    """The test is a value."""
    walk.require_value(node.test)
    walk.stack.append(node.otherwise)
    walk.stack.append(node.then)
    walk.stack.append(node.test)


def visit_case(walk: Walk, node: nodes.Case) -> None:
    """The test is a value and `default` is there at most once."""
    walk.require_value(node.test)
    first = None
    for option in node.options:
        for value in option.values:
            if type(value) is nodes.Default:
                if first is not None:
                    walk.report("DUPLICATE_DEFAULT", value, first, label=label(node))
                else:
                    first = value
    walk.stack.extend(node.options[::-1])
    walk.stack.append(node.test)


def visit_case_option(walk: Walk, node: nodes.CaseOption) -> None:
    """What is compared is a value; the rest is a body."""
    for value in node.values:
        walk.require_value(value)
    walk.place_statements(node.then, "body")
    walk.stack.append(node.then)
    walk.stack.extend(node.values[::-1])


def visit_selector(walk: Walk, node: nodes.Selector) -> None:
    """What is selected on is a value; only the first further `default` is reported."""
    walk.require_value(node.left)
    defaults = [entry.match for entry in node.entries if type(entry.match) is nodes.Default]
    if len(defaults) > 1:
        walk.report("DUPLICATE_DEFAULT", defaults[1], defaults[0], label=label(node))
    walk.stack.extend(node.entries[::-1])
    walk.stack.append(node.left)


def visit_selector_entry(walk: Walk, node: nodes.SelectorEntry) -> None:
    """What is compared is a value."""
    walk.require_value(node.match)
    walk.stack.append(node.value)
    walk.stack.append(node.match)


def visit_call(walk: Walk, node: nodes.Call) -> None:
    """Only a name, a type or a parameterized type can be called."""
    functor = node.functor
    if type(functor) is nodes.Name:
        pass
    elif type(functor) is nodes.RenderText:
        walk.report("ILLEGAL_EPP_PARAMETERS", functor)
    elif not is_callable(functor):
        report_illegal(walk, functor, "function name", node)
    if node.block is not None:
        walk.stack.append(node.block)
    walk.push(node.arguments)
    if type(functor) not in walk.leaves:
        walk.stack.append(functor)


def is_callable(functor: nodes.Node) -> bool:
    """Tells whether a call can begin with this expression."""
    if isinstance(functor, nodes.Access):
        return isinstance(functor.left, nodes.TypeName)
    return isinstance(functor, nodes.Name | nodes.TypeName)


def visit_method_call(walk: Walk, node: nodes.MethodCall) -> None:
    """A method call has no rules of its own."""
    if node.block is not None:
        walk.stack.append(node.block)
    walk.push(node.arguments)
    walk.stack.append(node.receiver)


def report_illegal(walk: Walk, node: nodes.Node, feature: str, container: nodes.Node) -> None:
    """Reports an expression of the wrong kind, as "function name", "type name" …"""
    walk.report(
        "ILLEGAL_EXPRESSION",
        node,
        label=the_label(node),
        feature=feature,
        container=a_label(container),
    )


VISITS: dict[type[nodes.Node], Visit] = {
    nodes.Integer: visit_integer,
    nodes.Variable: check_variable,
    nodes.Reserved: visit_reserved,
    nodes.Paren: visit_unary,
    nodes.Not: visit_unary,
    nodes.Minus: visit_unary,
    nodes.Splat: visit_unary,
    nodes.Text: visit_unary,
    nodes.Render: visit_unary,
    nodes.AttributesSplat: visit_unary,
    nodes.Arithmetic: visit_binary,
    nodes.Comparison: visit_binary,
    nodes.Match: visit_binary,
    nodes.In: visit_binary,
    nodes.And: visit_binary,
    nodes.Or: visit_binary,
    nodes.Relationship: visit_relationship,
    nodes.Assignment: visit_assignment,
    nodes.Access: visit_access,
    nodes.Array: visit_array,
    nodes.Hash: visit_hash,
    nodes.Pair: visit_pair,
    nodes.Concat: visit_concat,
    nodes.Heredoc: visit_heredoc,
    nodes.If: visit_if,
    nodes.Unless: visit_if,
    nodes.Case: visit_case,
    nodes.CaseOption: visit_case_option,
    nodes.Selector: visit_selector,
    nodes.SelectorEntry: visit_selector_entry,
    nodes.Call: visit_call,
    nodes.MethodCall: visit_method_call,
}
