"""Literals, variables, operators and access."""

from __future__ import annotations

import ast
from typing import Any

from evaluator import values
from evaluator.compiler.emitter import Emitter, emits
from evaluator.errors import Failure
from evaluator.types import ClassType, Type, named, parameterize, predicate
from lexer_parser import nodes
from lexer_parser.errors import PuppetError

INT_MIN, INT_MAX = -(2**63), 2**63 - 1

NOT_CONSTANT: Any = object()


# --- constants


def constant_value(emitter: Emitter, node: nodes.Node) -> Any:
    """The value of a node that is the same whenever it is evaluated, or NOT_CONSTANT."""
    if isinstance(node, nodes.String | nodes.Integer | nodes.Float | nodes.Boolean | nodes.Name):
        if (
            type(node) is nodes.Integer
            and not INT_MIN <= node.value <= INT_MAX
            and not emitter.dialect.extensions
        ):
            return NOT_CONSTANT
        return node.value
    if isinstance(node, nodes.Undef):
        return None
    if isinstance(node, nodes.Default):
        return values.DEFAULT
    if isinstance(node, nodes.Regexp):
        return values.Regexp(node.pattern)
    if isinstance(node, nodes.Paren):
        return constant_value(emitter, node.expr)
    if isinstance(node, nodes.TypeName):
        found = named(node.value, emitter.dialect)
        return NOT_CONSTANT if found is None else found
    if isinstance(node, nodes.Minus):
        inner = constant_value(emitter, node.expr)
        return -inner if type(inner) is int or type(inner) is float else NOT_CONSTANT
    if isinstance(node, nodes.Array):
        return _constant_list(emitter, node.values)
    if isinstance(node, nodes.Hash):
        return _constant_hash(emitter, node)
    if isinstance(node, nodes.Access):
        return _constant_type(emitter, node)
    return NOT_CONSTANT


def _constant_list(emitter: Emitter, items: list[nodes.Node]) -> Any:
    found = []
    for item in items:
        value = constant_value(emitter, item)
        if value is NOT_CONSTANT:
            return NOT_CONSTANT
        found.append(value)
    return found


def _constant_hash(emitter: Emitter, node: nodes.Hash) -> Any:
    pairs = []
    for entry in node.entries:
        pair = _constant_list(emitter, [entry.key, entry.value])
        if pair is NOT_CONSTANT:
            return NOT_CONSTANT
        pairs.append(pair)
    return values.hash_of(pairs)


def _constant_type(emitter: Emitter, node: nodes.Access) -> Any:
    left = constant_value(emitter, node.left)
    if not isinstance(left, Type) or _is_reference(left):
        return NOT_CONSTANT
    keys = _constant_list(emitter, node.keys)
    if keys is NOT_CONSTANT:
        return NOT_CONSTANT
    try:
        return parameterize(left, keys, emitter.dialect)
    except (PuppetError, Failure):
        return NOT_CONSTANT  # evaluated at run time, where the error has its place
    except NotImplementedError:
        return NOT_CONSTANT


def _is_reference(found: Type) -> bool:
    """`File['/a']` and `Class[a]`: `[]` on them reads a parameter, which is not known before the program runs."""
    return getattr(found, "title", None) is not None or (
        isinstance(found, ClassType) and found.name is not None
    )


def _emit_constant(emitter: Emitter, node: nodes.Node) -> ast.expr | None:
    value = constant_value(emitter, node)
    if value is NOT_CONSTANT:
        return None
    if value is None or type(value) in (bool, int, str):
        return emitter.literal(value)
    return emitter.constant(value)


@emits(nodes.String, nodes.Name, nodes.Boolean, nodes.Undef, nodes.Default, nodes.Float, nodes.Regexp)
def literal(emitter: Emitter, node: Any) -> ast.expr:
    emitter.at(node)
    found = _emit_constant(emitter, node)
    assert found is not None
    return found


@emits(nodes.Nop)
def nop(emitter: Emitter, node: nodes.Nop) -> ast.expr:
    return emitter.literal(None)


@emits(nodes.Integer)
def integer(emitter: Emitter, node: nodes.Integer) -> ast.expr:
    emitter.at(node)
    return emitter.literal(node.value)


@emits(nodes.TypeName)
def type_name(emitter: Emitter, node: nodes.TypeName) -> ast.expr:
    emitter.at(node)
    return _emit_constant(emitter, node) or emitter.call("TYPE", emitter.literal(node.value))


@emits(nodes.Paren)
def paren(emitter: Emitter, node: nodes.Paren) -> ast.expr:
    return emitter.expression(node.expr)


@emits(nodes.Reserved)
def reserved(emitter: Emitter, node: nodes.Reserved) -> ast.expr:
    return emitter.literal(node.word)


@emits(nodes.Array)
def array(emitter: Emitter, node: nodes.Array) -> ast.expr:
    emitter.at(node)
    return _emit_constant(emitter, node) or value_list(emitter, node.values, node)


def value_list(emitter: Emitter, items: list[nodes.Node], node: nodes.Node) -> ast.expr:
    """A Python list of the values of `items`, with `*x` spliced in."""
    elements: list[ast.expr] = []
    for item in items:
        if isinstance(item, nodes.Splat):
            inner = emitter.expression(item.expr)
            emitter.at(item)
            spliced = emitter.call("SPLICE", inner)
            elements.append(ast.Starred(spliced, ast.Load(), **emitter.position))
        else:
            elements.append(emitter.expression(item))
    emitter.at(node)
    return emitter.py_list(elements)


@emits(nodes.Hash)
def hash_literal(emitter: Emitter, node: nodes.Hash) -> ast.expr:
    emitter.at(node)
    found = _emit_constant(emitter, node)
    if found is not None:
        return found
    if all(isinstance(entry.key, nodes.String | nodes.Name) for entry in node.entries):
        keys: list[ast.expr | None] = []
        entries = []
        for entry in node.entries:
            keys.append(emitter.expression(entry.key))
            entries.append(emitter.expression(entry.value))
        emitter.at(node)
        return ast.Dict(keys, entries, **emitter.position)
    pairs = []
    for entry in node.entries:
        pair = [emitter.expression(entry.key), emitter.expression(entry.value)]
        pairs.append(emitter.py_tuple(pair))
    emitter.at(node)
    return emitter.call("HASH_OF", emitter.py_tuple(pairs))


# --- strings


@emits(nodes.Concat)
def concat(emitter: Emitter, node: nodes.Concat) -> ast.expr:
    parts: list[ast.expr] = []
    for segment in node.segments:
        if isinstance(segment, nodes.String):
            parts.append(emitter.literal(segment.value))
        else:
            parts.append(ast.FormattedValue(_as_text(emitter, segment), -1, None, **emitter.position))
    emitter.at(node)
    joined = ast.JoinedStr(parts, **emitter.position)
    result = emitter.temporary()
    fits = emitter.compare(
        emitter.call("len", emitter.bind(result, joined)), (ast.LtE(), emitter.name("STRING_LIMIT"))
    )
    return emitter.if_else(fits, emitter.name(result), emitter.call("STRING_TOO_LONG"))


@emits(nodes.Text)
def text_expression(emitter: Emitter, node: nodes.Text) -> ast.expr:
    return _as_text(emitter, node)


def _as_text(emitter: Emitter, node: nodes.Node) -> ast.expr:
    inner = node.expr if isinstance(node, nodes.Text) else node
    if isinstance(inner, nodes.String):
        return emitter.literal(inner.value)
    value = emitter.expression(inner)
    emitter.at(inner)
    if not emitter.frame.hot:
        return emitter.call("TEXT", value)
    # Strings and integers print in Puppet as in Python: no call for them (interpolation twice as fast).
    held, kind = emitter.temporary(), emitter.temporary()
    kind_of = emitter.bind(kind, emitter.type_of(emitter.bind(held, value)))
    plain = ast.BoolOp(
        ast.Or(),
        [
            emitter.compare(kind_of, (ast.Is(), emitter.name("str"))),
            emitter.compare(emitter.name(kind), (ast.Is(), emitter.name("int"))),
        ],
        **emitter.position,
    )
    return emitter.if_else(plain, emitter.name(held), emitter.call("TEXT", emitter.name(held)))


@emits(nodes.Heredoc)
def heredoc(emitter: Emitter, node: nodes.Heredoc) -> ast.expr:
    text = emitter.expression(node.text)
    if node.syntax and isinstance(node.text, nodes.Concat):
        emitter.at(node.text)
        return emitter.call("CHECK_SYNTAX", text, emitter.literal(node.syntax))
    return text


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
    if state == "yes":
        return emitter.sequence([value, emitter.call("REASSIGNED", emitter.literal(name))])
    frame.assigned[name] = "yes"
    if name in RESERVED_NAMES:
        return emitter.sequence([value, emitter.call("RESERVED_ASSIGNED", emitter.literal(name))])
    if state == "maybe":
        value = emitter.call("ASSIGN_ONCE", emitter.name(frame.local(name)), value, emitter.literal(name))
    return emitter.bind(frame.local(name), value)


RESERVED_NAMES = frozenset({"facts", "trusted", "server_facts", "name", "title"})


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
    names = [item.name if isinstance(item, nodes.Variable) else "" for item in target.values]
    parts = emitter.temporary()
    wanted = emitter.py_tuple([emitter.literal(name) for name in names])
    steps = [emitter.bind(parts, emitter.call("DESTRUCTURE", value, wanted))]
    for index, item in enumerate(target.values):
        emitter.at(node)
        part = ast.Subscript(emitter.name(parts), emitter.literal(index), ast.Load(), **emitter.position)
        steps += _destructure(emitter, item, part, node)
    return steps


# --- operators

_ARITHMETIC: dict[str, tuple[str, ast.operator | None]] = {
    "+": ("ADD", ast.Add()),
    "-": ("SUBTRACT", ast.Sub()),
    "*": ("MULTIPLY", ast.Mult()),
    "/": ("DIVIDE", ast.FloorDiv()),
    "%": ("MODULO", ast.Mod()),
    "<<": ("SHIFT_LEFT", None),
    ">>": ("SHIFT_RIGHT", None),
}
_COMPARISON: dict[str, tuple[str, ast.cmpop]] = {
    "==": ("EQUALS", ast.Eq()),
    "!=": ("NOT_EQUALS", ast.NotEq()),
    "<": ("LESS", ast.Lt()),
    "<=": ("LESS_EQUAL", ast.LtE()),
    ">": ("GREATER", ast.Gt()),
    ">=": ("GREATER_EQUAL", ast.GtE()),
}


def _integers(
    emitter: Emitter, left: ast.expr, right: ast.expr
) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """For inlined integer operations: a test that both operands are integers, and how to name them.

    `type(t1 := left) is type(t2 := right) is int` evaluates both before it decides, so that the slow path may
    use them. Inlining makes loops up to 1.7 times faster; bodies that run once are not worth the code.
    None when an operand is a constant of another kind.
    """
    tests: list[ast.expr] = []
    operands: list[ast.expr] = []
    for value in (left, right):
        if isinstance(value, ast.Constant):
            if type(value.value) is not int:
                return None  # the operator decides, and has the words for what is wrong
            operands.append(value)
        elif isinstance(value, ast.Name):
            if value.id not in emitter.frame.integers:
                tests.append(emitter.type_of(value))
            operands.append(emitter.name(value.id))
        else:
            held = emitter.temporary()
            tests.append(emitter.type_of(emitter.bind(held, value)))
            operands.append(emitter.name(held))
    if not tests:
        return emitter.literal(True), operands[0], operands[1]
    rest: list[tuple[ast.cmpop, ast.expr]] = [
        (ast.Is(), value) for value in [*tests[1:], emitter.name("int")]
    ]
    return emitter.compare(tests[0], *rest), operands[0], operands[1]


def _operands(emitter: Emitter, node: Any) -> tuple[ast.expr, ast.expr]:
    left = emitter.expression(node.left)
    right = emitter.expression(node.right)
    emitter.at(node)
    return left, right


@emits(nodes.Arithmetic)
def arithmetic(emitter: Emitter, node: nodes.Arithmetic) -> ast.expr:
    function, operator = _ARITHMETIC[node.operator]
    left, right = _operands(emitter, node)
    inlined = None
    if operator is not None and emitter.frame.hot and _may_be_integer(node):
        inlined = _integers(emitter, left, right)
    if inlined is None or operator is None:
        return emitter.call(function, left, right)
    both_integers, left, right = inlined
    calculated = ast.BinOp(left, operator, right, **emitter.position)
    tests = [] if isinstance(both_integers, ast.Constant) else [both_integers]
    if node.operator in "/%" and not (isinstance(right, ast.Constant) and right.value):
        tests.append(right)
    slow = emitter.call(function, left, right)
    if node.operator == "%":  # the result lies between 0 and the divisor: it cannot overflow
        return emitter.if_else(emitter.both(*tests), calculated, slow)
    result = emitter.temporary()
    low, high = emitter.literal(INT_MIN), emitter.literal(INT_MAX)
    tests.append(emitter.compare(low, (ast.LtE(), emitter.bind(result, calculated)), (ast.LtE(), high)))
    return emitter.if_else(emitter.both(*tests), emitter.name(result), slow)


def _may_be_integer(node: Any) -> bool:
    never = (nodes.String, nodes.Concat, nodes.Array, nodes.Hash, nodes.Float, nodes.Boolean, nodes.Name)
    return not isinstance(node.left, never) and not isinstance(node.right, never)


@emits(nodes.Comparison)
def comparison(emitter: Emitter, node: nodes.Comparison) -> ast.expr:
    function, operator = _COMPARISON[node.operator]
    left, right = _operands(emitter, node)
    inlined = None
    if emitter.frame.hot and _may_be_integer(node):
        inlined = _integers(emitter, left, right)
    if inlined is None:
        return emitter.call(function, left, right)
    both_integers, left, right = inlined
    if isinstance(both_integers, ast.Constant):
        return emitter.compare(left, (operator, right))
    return emitter.if_else(
        both_integers, emitter.compare(left, (operator, right)), emitter.call(function, left, right)
    )


@emits(nodes.Match)
def match(emitter: Emitter, node: nodes.Match) -> ast.expr:
    function = "MATCHES" if node.operator == "=~" else "NOT_MATCHES"
    right = constant_value(emitter, node.right)
    if isinstance(right, Type):
        left = emitter.expression(node.left)
        emitter.at(node)
        result = emitter.call(emitter.unit.constant(predicate(right), "P"), left)
        return result if node.operator == "=~" else ast.UnaryOp(ast.Not(), result, **emitter.position)
    return emitter.call(function, *_operands(emitter, node))


@emits(nodes.In)
def contains(emitter: Emitter, node: nodes.In) -> ast.expr:
    return emitter.call("CONTAINS", *_operands(emitter, node))


@emits(nodes.And)
def conjunction(emitter: Emitter, node: nodes.And) -> ast.expr:
    left = condition(emitter, node.left)
    right = emitter.branches(lambda: condition(emitter, node.right), lambda: None)[0]
    emitter.at(node)
    return ast.BoolOp(ast.And(), [left, right], **emitter.position)


@emits(nodes.Or)
def disjunction(emitter: Emitter, node: nodes.Or) -> ast.expr:
    left = condition(emitter, node.left)
    right = emitter.branches(lambda: condition(emitter, node.right), lambda: None)[0]
    emitter.at(node)
    return ast.BoolOp(ast.Or(), [left, right], **emitter.position)


@emits(nodes.Not)
def negation(emitter: Emitter, node: nodes.Not) -> ast.expr:
    inner = condition(emitter, node.expr)
    emitter.at(node)
    return ast.UnaryOp(ast.Not(), inner, **emitter.position)


_BOOLEAN = (nodes.Comparison, nodes.Match, nodes.In, nodes.And, nodes.Or, nodes.Not, nodes.Boolean)


def condition(emitter: Emitter, node: nodes.Node) -> ast.expr:
    """A Python bool that tells whether a node's value is true: everything is but undef and false."""
    while isinstance(node, nodes.Paren):
        node = node.expr
    value = emitter.expression(node)
    if isinstance(node, _BOOLEAN):
        return value
    emitter.at(node)
    if isinstance(value, ast.Name):
        held = value.id
        first: ast.expr = value
    else:
        held = emitter.temporary()
        first = emitter.bind(held, value)
    return emitter.both(
        emitter.compare(first, (ast.IsNot(), emitter.literal(None))),
        emitter.compare(emitter.name(held), (ast.IsNot(), emitter.literal(False))),
    )


@emits(nodes.Minus)
def minus(emitter: Emitter, node: nodes.Minus) -> ast.expr:
    emitter.at(node)
    found = _emit_constant(emitter, node)
    if found is not None:
        return found
    inner = emitter.expression(node.expr)
    emitter.at(node)
    return emitter.call("NEGATE", inner)


@emits(nodes.Splat)
def splat(emitter: Emitter, node: nodes.Splat) -> ast.expr:
    inner = emitter.expression(node.expr)
    emitter.at(node)
    return emitter.call("SPLICE", inner)


@emits(nodes.Access)
def access(emitter: Emitter, node: nodes.Access) -> ast.expr:
    emitter.at(node)
    found = _emit_constant(emitter, node)
    if found is not None:
        return found
    left = emitter.expression(node.left)
    if len(node.keys) == 1 and not isinstance(node.keys[0], nodes.Splat):
        key = emitter.expression(node.keys[0])
        emitter.at(node)
        return emitter.call("ACCESS_ONE", left, key)
    keys = value_list(emitter, node.keys, node)
    return emitter.call("ACCESS", left, keys)


__all__ = ["condition", "constant_value", "value_list", "visible_locals"]
