"""Function and method calls, and the control functions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from evaluator.calling import registry
from evaluator.calling.registry import plain_name
from evaluator.compiler import analysis
from evaluator.compiler.emitter import Emitter, Frame, emits, emits_statement
from evaluator.compiler.expressions import visible_locals
from evaluator.compiler.functions import attribute_of, lambda_
from evaluator.compiler.literals import constant_value, value_list
from evaluator.types import IntegerType
from lexer_parser.tree import nodes

# Functions that look at the variables around their call; they get a Scope that holds the locals.
_SEES_LOCALS = frozenset(
    {
        *("inline_epp", "epp", "inline_template", "template", "getvar", "defined", "call"),
        *("lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"),
    }
)


# --- calls


@emits(nodes.Call)
def call(emitter: Emitter, node: nodes.Call) -> ast.expr:
    functor = node.functor
    if isinstance(functor, nodes.Name):
        return _named_call(emitter, functor.value, node.arguments, node.block, node)
    target = emitter.expression(functor)
    arguments = value_list(emitter, node.arguments, node)
    block = _block(emitter, node.block)
    emitter.at(node)
    return emitter.call("NEW", emitter.scope(), target, arguments, block)


@emits(nodes.MethodCall)
def method_call(emitter: Emitter, node: nodes.MethodCall) -> ast.expr:
    name = node.name.value
    known = plain_name(name)
    if not _may_be_member(emitter, name) and (known in _CONTROL or _builtin(emitter, known) is not None):
        return _named_call(emitter, name, [node.receiver, *node.arguments], node.block, node)
    arguments = value_list(emitter, [node.receiver, *node.arguments], node)
    block = _block(emitter, node.block)
    emitter.at(node)
    return emitter.call("CALL_METHOD", emitter.literal(name), _call_scope(emitter, known), arguments, block)


def _builtin(emitter: Emitter, name: str) -> registry.Function | None:
    """The built-in function that is called by that name."""
    found: registry.Function | None = emitter.ask("builtin", name)
    return found


def _may_be_member(emitter: Emitter, name: str) -> bool:
    """Methods of values come before functions of the same name: `Deferred(…).call`, `T.new`, those of objects."""
    return plain_name(name) in ("call", "new") or emitter.ask("member", name)


def _named_call(
    emitter: Emitter, written: str, arguments: list[nodes.Node], block: nodes.Lambda | None, node: nodes.Node
) -> ast.expr:
    """A call by name, as it is written: of a control function, a built-in one, or one that the program has or finds."""
    name = plain_name(written)
    control = _CONTROL.get(name)
    if control is not None:
        if block is not None or not _is_at_most_one(arguments):
            return _builtin_control(emitter, name, arguments, node, block)
        return control(emitter, arguments, node)
    builtin = _builtin(emitter, name)
    if builtin is not None:
        if builtin.overloads[0].signature.legacy:
            block = None  # it gets none, so that not even the types of its parameters are evaluated
        direct = f"invoke{len(arguments)}"
        if block is None and direct in registry.DIRECT and not any(map(analysis.splat_of, arguments)):
            given = [emitter.expression(argument) for argument in arguments]
        else:
            direct = "invoke"
            given = [
                value_list(emitter, arguments, node),
                _block(emitter, block, _counted(emitter, name, arguments, block), name == "reduce"),
            ]
        emitter.at(node)
        # Looked up at each call: the first call replaces it by one made for the function's signatures.
        invoke = attribute_of(emitter, emitter.keep(builtin, "F"), direct)
        # CPython moves the position of a method call that ends on another line to that line: keep it on one.
        invoke.end_lineno, invoke.end_col_offset = invoke.lineno, invoke.col_offset
        return ast.Call(invoke, [_call_scope(emitter, name), *given], [], **emitter.position)
    splat = any(map(analysis.splat_of, arguments))
    if splat or block is not None or emitter.ask("ruby", name):
        values = value_list(emitter, arguments, node)
        passed = _block(emitter, block)
        emitter.at(node)
        return emitter.call("CALL", emitter.literal(written), _call_scope(emitter, name), values, passed)
    # `FUNCTIONS["name/2"]` is a dictionary that finds the Python function for that many arguments when asked.
    passed_values = [emitter.expression(argument) for argument in arguments]
    emitter.at(node)
    key = emitter.literal(f"{written}/{len(arguments)}")
    function = ast.Subscript(emitter.name("FUNCTIONS"), key, ast.Load(), **emitter.position)
    return ast.Call(function, passed_values, [], **emitter.position)


def _call_scope(emitter: Emitter, name: str) -> ast.expr:
    sees_locals = name in _SEES_LOCALS or emitter.ask("ruby", name)
    if not sees_locals or emitter.frame.kind == "scope":
        return emitter.scope()
    known = visible_locals(emitter)
    keys: list[ast.expr | None] = [emitter.literal(puppet) for puppet in known]
    items = [emitter.name(python) for python in known.values()]
    return emitter.call("LOCAL_SCOPE", emitter.scope(), ast.Dict(keys, items, **emitter.position))


# --- control functions


def _is_at_most_one(arguments: list[nodes.Node]) -> bool:
    """Whether there is one value or none; how many a splat stands for shows at run time."""
    return len(arguments) < 2 and not any(map(analysis.splat_of, arguments))


def _argument(emitter: Emitter, arguments: list[nodes.Node]) -> ast.expr:
    return emitter.expression(arguments[0]) if arguments else emitter.literal(None)


def _inside(emitter: Emitter, kind: str) -> bool:
    """True when the code being emitted stands in a frame of that kind, lambdas around it included."""
    frame: Frame | None = emitter.frame
    while frame is not None:
        if frame.kind == kind:
            return True
        frame = frame.outer
    return False


def _next(emitter: Emitter, arguments: list[nodes.Node], node: nodes.Node) -> ast.expr:
    value = _argument(emitter, arguments)
    emitter.at(node)
    if emitter.frame.kind != "scope":
        return emitter.call("RAISE_NEXT", value)
    return emitter.call("NEXT", emitter.scope(), value)


def _break(emitter: Emitter, arguments: list[nodes.Node], node: nodes.Node) -> ast.expr:
    if arguments:
        return _builtin_control(emitter, "break", arguments, node)
    emitter.at(node)
    return emitter.call("BREAK")


def _return(emitter: Emitter, arguments: list[nodes.Node], node: nodes.Node) -> ast.expr:
    value = _argument(emitter, arguments)
    emitter.at(node)
    if _inside(emitter, "function"):
        return emitter.call("RAISE_RETURN", value)
    return emitter.call("RETURN", emitter.scope(), value)


@emits_statement(nodes.Call)
def control_statement(emitter: Emitter, node: nodes.Call, returns: bool) -> list[ast.stmt]:
    """`return(x)` in a function and `next(x)` in a lambda are Python's `return` where statements stand."""
    name = plain_name(node.functor.value) if isinstance(node.functor, nodes.Name) else ""
    kind = emitter.frame.kind
    if (
        node.block is None
        and _is_at_most_one(node.arguments)
        and ((name == "return" and kind == "function") or (name == "next" and kind in ("function", "lambda")))
    ):
        value = _argument(emitter, node.arguments)
        emitter.at(node)
        leave = ast.Return(value, **emitter.position)
        if name == "return":
            leave.unchecked = True  # type: ignore[attr-defined]  # the released Puppet does not check its type
        return [leave]
    value = emitter.expression(node)
    if returns:
        return [ast.Return(value, **emitter.position)]
    return [ast.Expr(value, **emitter.position)]


def _builtin_control(
    emitter: Emitter,
    name: str,
    arguments: list[nodes.Node],
    node: nodes.Node,
    block: nodes.Lambda | None = None,
) -> ast.expr:
    """A control function with wrong arguments or a block: the function itself says so."""
    values = value_list(emitter, arguments, node)
    passed = _block(emitter, block)
    emitter.at(node)
    return emitter.call("CALL", emitter.literal(name), emitter.scope(), values, passed)


_CONTROL: dict[str, Callable[[Emitter, list[nodes.Node], nodes.Node], ast.expr]] = {
    "next": _next,
    "break": _break,
    "return": _return,
}


def is_control(name: str) -> bool:
    """Whether a function of that name steers what comes next."""
    return name in _CONTROL


# Which parameters of their blocks are integers when these functions iterate over a range of integers.
_COUNTING = dict.fromkeys(("each", "map", "filter", "any", "all"), slice(None)) | {"reduce": slice(1, None)}
_NONE = slice(0)


def _counted(emitter: Emitter, name: str, arguments: list[nodes.Node], block: nodes.Lambda | None) -> slice:
    """The parameters of the block that can only be integers, as in `Integer[1, 9].each |$n| { }`."""
    if (
        block is None
        or not arguments
        or name not in _COUNTING
        or any(p.default or p.splat for p in block.parameters)
    ):
        return _NONE
    return _COUNTING[name] if isinstance(constant_value(emitter, arguments[0]), IntegerType) else _NONE


def _block(
    emitter: Emitter, node: nodes.Lambda | None, integers: slice = _NONE, memo: bool = False
) -> ast.expr:
    """The Block for a lambda, None when there is none; what is known of its parameters as for `lambda_`."""
    if node is None:
        return emitter.literal(None)
    return lambda_(emitter, node, integers, memo)
