"""Rules for expressions: duplicate keys, operands, assignments, conditions, callees."""

from __future__ import annotations

from functools import partial
from typing import Any

from lexer_parser.tree import nodes
from lexer_parser.tree.labels import (
    add_article_to_label,
    begin_with_label,
    format_finite_float,
    make_label,
)
from lexer_parser.validation.names import check_variable
from lexer_parser.validation.walk import MAYBE_WITHOUT_VALUE, VARIABLE, ValidationWalk, VisitFunction

MAX_DEPTH = 100  # deeper keys are not compared
# The kinds that `evaluate_literal` returns for nodes whose `value` is the content.
PLAIN = {
    nodes.String: "str",
    nodes.Name: "str",
    nodes.Integer: "int",
    nodes.Float: "float",
    nodes.Boolean: "bool",
}
SIMPLE_KEYS = frozenset((nodes.String, nodes.Name))
TEXT = nodes.Text  # a global is read faster than an attribute of a module
MAX_INTEGER = 2**63 - 1
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\x1b": "\\e", "\0": "\\0"}


# --- Literals, as which the keys of hashes are compared and printed


class NotLiteralError(Exception):
    """An exception for an expression that has a value only when it runs."""


def evaluate_literal(node: nodes.Node, has_types: bool, depth: int = 0) -> Any:
    """Return the value of a literal as the pair (kind, content), by which keys are compared.

    The kinds are "str", "int", "float", "bool", "undef", "default", "regexp", "array" and "hash". The content is None
    for "undef" and "default", a tuple of literals for "array", and a tuple of pairs (key, value) for "hash".

    Args:
        node: The expression.
        has_types: True in the dialects that also accept types and negative numbers as literals.
        depth: The number of arrays and hashes around the expression.

    Raises:
        NotLiteralError: The expression is no literal.
    """
    if depth > MAX_DEPTH:
        raise NotLiteralError
    kind = PLAIN.get(type(node))
    if kind:
        return (kind, node.value)  # type: ignore[attr-defined]
    evaluate = partial(evaluate_literal, has_types=has_types, depth=depth + 1)
    match node:
        case nodes.Undef():
            return ("undef", None)
        case nodes.Default():
            return ("default", None)
        case nodes.Regexp():
            return ("regexp", node.pattern)
        case nodes.Array():
            return ("array", tuple(map(evaluate, node.values)))
        case nodes.Hash():
            pairs = {evaluate(entry.key): evaluate(entry.value) for entry in node.entries}
            return ("hash", tuple(pairs.items()))
        case nodes.TypeName() if has_types:
            return ("str", node.value.lower())
        case nodes.Access() if has_types and not _has_array_alone(node):
            evaluate(node.left)  # which raises if it is no literal; the name of the type is not compared
            return ("array", tuple(map(evaluate, node.keys)))
        case nodes.Minus() if has_types:
            kind, content = evaluate(node.expr)
            return (kind, -content) if kind in ("int", "float") else (kind, content)
    raise NotLiteralError


def _has_array_alone(node: nodes.Access) -> bool:
    """Return True for `Enum[['a', 'b']]`, which is no literal."""
    return len(node.keys) == 1 and isinstance(node.keys[0], nodes.Array)


def to_comparable(literal: Any) -> Any:
    """Return a literal in a form in which hashes with the same entries are equal.

    Args:
        literal: A result of `evaluate_literal`.
    """
    kind, content = literal
    if kind == "hash":
        return (kind, frozenset((to_comparable(key), to_comparable(value)) for key, value in content))
    if kind == "array":
        return (kind, tuple(map(to_comparable, content)))
    return literal


def format_key(literal: Any) -> str:
    """Return a key, a result of `evaluate_literal`, as the message prints it."""
    match literal:
        case ("undef", _):
            return ""
        case ("default", _):
            return "default"
        case ("str", text):
            return str(text)
        case ("regexp", pattern):
            return f"(?-mix:{pattern})"
    return format_in_ruby(literal)


def format_in_ruby(literal: Any) -> str:
    """Return a literal inside a key as the message prints it, in Ruby's notation."""
    match literal:
        case ("undef", _):
            return "nil"
        case ("default", _):
            return ":default"
        case ("str", text):
            return '"' + "".join(ESCAPES.get(char, char) for char in text) + '"'
        case ("bool", flag):
            return "true" if flag else "false"
        case ("float", float(number)):
            return format_finite_float(number)
        case ("regexp", str(pattern)):
            return "/" + pattern.replace("/", "\\/") + "/"
        case ("array", items):
            return f"[{', '.join(map(format_in_ruby, items))}]"
        case ("hash", pairs):
            return "{" + ", ".join(f"{format_in_ruby(k)}=>{format_in_ruby(v)}" for k, v in pairs) + "}"
    return str(literal[1])


# --- Hashes, arrays and strings


def visit_hash(walk: ValidationWalk, node: nodes.Hash) -> None:
    """Visit a hash; report duplicate literal keys."""
    entries = node.entries
    if len(entries) > 1:
        # Most keys are strings, and most hashes have no equal ones: then there are as many strings as entries.
        strings = {entry.key.value for entry in entries if type(entry.key) in SIMPLE_KEYS}  # type: ignore[attr-defined]
        if len(strings) < len(entries):
            check_keys(walk, entries)
    walk.stack.extend(entries[::-1])


def check_keys(walk: ValidationWalk, entries: list[nodes.Pair]) -> None:
    """Report every entry whose key is equal to an earlier one."""
    entries_by_key: dict[Any, nodes.Pair] = {}
    for entry in entries:
        try:
            key = evaluate_literal(entry.key, walk.dialect.type_literals)
        except NotLiteralError:
            continue
        first = entries_by_key.setdefault(to_comparable(key), entry)
        if first is not entry:
            walk.report("DUPLICATE_KEY", entry, first, key=format_key(key))


def visit_pair(walk: ValidationWalk, node: nodes.Pair) -> None:
    """Visit a pair; report a key or value that has no value."""
    check_operands(walk, node.key, node.value)


def visit_access(walk: ValidationWalk, node: nodes.Access) -> None:
    """Visit an access, which has no rules of its own."""
    walk.push((node.left, *node.keys))


def visit_array(walk: ValidationWalk, node: nodes.Array) -> None:
    """Visit an array; report elements without a value."""
    check_operands(walk, *node.values)


def visit_concat(walk: ValidationWalk, node: nodes.Concat) -> None:
    """Visit the interpolated parts of a string, except variables with a valid name."""
    for part in reversed(node.segments):
        if type(part) is TEXT:
            inner = part.expr
            if type(inner) is not VARIABLE or inner.name not in walk.variables:
                walk.stack.append(part)


def visit_heredoc(walk: ValidationWalk, node: nodes.Heredoc) -> None:
    """Visit a heredoc; check a text that names a known syntax."""
    text = node.text
    if type(text) is not nodes.String:
        walk.stack.append(text)
    elif node.syntax:
        # Its expressions take 3 ms to compile, and few heredocs name a syntax.
        from lexer_parser.validation.heredoc_syntax import check_text

        check_text(walk, node.syntax, text)


# --- Numbers and operators


def visit_integer(walk: ValidationWalk, node: nodes.Integer) -> None:
    """Report an integer beyond 64 bits, unless the dialect has unbounded ones."""
    if node.value > MAX_INTEGER and not walk.dialect.unbounded_integers:
        walk.report("NUMERIC_OVERFLOW", node, value=f"+{node.value:#x}")


def visit_unary(walk: ValidationWalk, node: Any) -> None:
    """Visit `!`, `-`, `*`, parentheses or an interpolation; report an operand without a value."""
    check_operands(walk, node.expr)


def visit_binary(walk: ValidationWalk, node: Any) -> None:
    """Visit an operation; report operands without a value."""
    check_operands(walk, node.left, node.right)


def check_operands(walk: ValidationWalk, *operands: nodes.Node) -> None:
    """Report operands without a value, and push those that need a visit."""
    for operand in operands:
        if type(operand) in MAYBE_WITHOUT_VALUE:
            walk.require_value(operand)
    walk.push(operands)


def visit_relationship(walk: ValidationWalk, node: nodes.Relationship) -> None:
    """Visit a relationship; report operands that are neither values nor collectors."""
    for operand in (node.left, node.right):
        if type(operand) is not nodes.Collector:
            walk.require_value(operand)
    walk.push_children(node)


# --- Assignments


def visit_assignment(walk: ValidationWalk, node: Any) -> None:
    """Visit an assignment; report targets that are no variables of this scope.

    `+=` and `-=` are assignments only in a dialect that has them.
    """
    if node.operator == "=" or walk.dialect.append_assignment:
        if type(node.left) is VARIABLE:
            check_assigned_variable(walk, node.left)
        elif type(node.left) is nodes.Array and node.operator != "=":
            walk.report("ILLEGAL_ASSIGNMENT", node.left, label=add_article_to_label(node.left))
        else:
            check_assignable(walk, node.left)
    else:
        walk.report("APPENDS_DELETES_NO_LONGER_SUPPORTED", node, operator=node.operator)
    if type(node.right) in MAYBE_WITHOUT_VALUE and node.operator == "=":
        walk.require_value(node.right)
    walk.push((node.left, node.right))


def check_assigned_variable(walk: ValidationWalk, node: nodes.Variable) -> None:
    """Report a variable on the left of `=` that is qualified or numeric."""
    name = node.name
    if "::" in name:
        walk.report("CROSS_SCOPE_ASSIGNMENT", node, name=name)
    elif name == "0" or (name.isdecimal() and name[0] != "0"):
        walk.report("ILLEGAL_NUMERIC_ASSIGNMENT", node, name=name)


def check_assignable(walk: ValidationWalk, target: nodes.Node) -> None:
    """Report every part of a left side that cannot be assigned to."""
    pending = [target]
    while pending:
        match node := pending.pop():
            case nodes.Variable():
                check_assigned_variable(walk, node)
            case nodes.Array():
                pending.extend(node.values[::-1])
            case nodes.Access():
                walk.report("ILLEGAL_INDEXED_ASSIGNMENT", node)
            case _:
                walk.report("ILLEGAL_ASSIGNMENT", node, label=add_article_to_label(node))


# --- Conditions


def visit_if(walk: ValidationWalk, node: nodes.Conditional) -> None:
    """Visit an `if` or `unless`; report a test without a value."""
    walk.require_value(node.test)
    walk.push_children(node)


def visit_case(walk: ValidationWalk, node: nodes.Case) -> None:
    """Visit a `case`; report a test without a value, and each further `default`."""
    walk.require_value(node.test)
    values = [value for option in node.options for value in option.values]
    defaults = [value for value in values if type(value) is nodes.Default]
    for further in defaults[1:]:
        walk.report("DUPLICATE_DEFAULT", further, defaults[0], label=make_label(node))
    walk.push_children(node)


def visit_case_option(walk: ValidationWalk, node: nodes.CaseOption) -> None:
    """Visit an option of a `case`; report values to compare with that have no value."""
    for value in node.values:
        walk.require_value(value)
    walk.record_body_kind(node.then, "body")
    walk.push_children(node)


def visit_selector(walk: ValidationWalk, node: nodes.Selector) -> None:
    """Visit a selector; report an operand without a value, and the first further `default`."""
    walk.require_value(node.left)
    defaults = [entry.match for entry in node.entries if type(entry.match) is nodes.Default]
    if len(defaults) > 1:
        walk.report("DUPLICATE_DEFAULT", defaults[1], defaults[0], label=make_label(node))
    walk.push_children(node)


def visit_selector_entry(walk: ValidationWalk, node: nodes.SelectorEntry) -> None:
    """Visit an entry of a selector; report a value to compare with that has no value."""
    walk.require_value(node.match)
    walk.push_children(node)


# --- Calls


def visit_call(walk: ValidationWalk, node: nodes.Call) -> None:
    """Visit a call; report a callee that is no name, type or parameterized type."""
    functor = node.functor
    if type(functor) is nodes.RenderText:
        walk.report("ILLEGAL_EPP_PARAMETERS", functor)
    elif type(functor) is not nodes.Name and not nodes.is_type(functor):  # `Integer[1]('2')` makes a value
        report_illegal(walk, functor, "function name", node)
    if node.block is not None:
        walk.stack.append(node.block)
    walk.push((functor, *node.arguments))


def visit_method_call(walk: ValidationWalk, node: nodes.MethodCall) -> None:
    """Visit a method call, which has no rules of its own."""
    if node.block is not None:
        walk.stack.append(node.block)
    walk.push((node.receiver, *node.arguments))


def report_illegal(walk: ValidationWalk, node: nodes.Node, feature: str, container: nodes.Node) -> None:
    """Report an expression that is not what is required where it is.

    Args:
        walk: The walk.
        node: The expression.
        feature: What is required, as the message names it: "function name".
        container: The node of which it is a part.
    """
    walk.report(
        "ILLEGAL_EXPRESSION",
        node,
        label=begin_with_label(node),
        feature=feature,
        container=add_article_to_label(container),
    )


VISITS: dict[type[nodes.Node], VisitFunction] = {
    nodes.Integer: visit_integer,
    nodes.Variable: check_variable,
    nodes.Reserved: lambda walk, node: walk.report("RESERVED_WORD", node, word=node.word),
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
