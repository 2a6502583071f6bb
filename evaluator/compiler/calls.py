"""Compilation of function and method calls, and of the control functions.

Specification: Expressions, "Function Calls".
"""

from __future__ import annotations

import ast

from evaluator.calling import registry
from evaluator.calling.registry import to_plain_name
from evaluator.compiler import analysis
from evaluator.compiler.emitter import CodeEmitter, emits, emits_statement
from evaluator.compiler.expressions import collect_visible_locals
from evaluator.compiler.functions import emit_lambda
from evaluator.compiler.literals import emit_value_list, fold_constant
from evaluator.types import IntegerType
from lexer_parser.tree import nodes

# Functions that read the caller's variables by name; they receive a Scope with the locals.
_READS_LOCALS = frozenset(
    {
        *("inline_epp", "epp", "inline_template", "template", "getvar", "defined", "call"),
        *("lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include"),
    }
)


# Functions that evaluate classes, which see the variables of a lambda or function that calls them.
_SHOWS_LOCALS = frozenset({"include", "require", "contain", "create_resources"})


# --- calls


@emits(nodes.Call)
def emit_call(emitter: CodeEmitter, node: nodes.Call) -> ast.expr:
    functor = node.functor
    if isinstance(functor, nodes.Name):
        return _emit_named_call(emitter, functor.value, node.arguments, node.block)
    target = emitter.emit_expression(functor)
    passed = _emit_passed(emitter, node.arguments, node.block)
    return emitter.call("NEW", emitter.scope(), target, *passed)


@emits(nodes.MethodCall)
def emit_method_call(emitter: CodeEmitter, node: nodes.MethodCall) -> ast.expr:
    name = node.name.value
    plain_name = to_plain_name(name)
    if not _may_be_member(emitter, name) and (
        plain_name in CONTROL or _find_builtin(emitter, plain_name) is not None
    ):
        return _emit_named_call(emitter, name, [node.receiver, *node.arguments], node.block)
    passed = _emit_passed(emitter, [node.receiver, *node.arguments], node.block)
    return emitter.call("CALL_METHOD", emitter.literal(name), _emit_call_scope(emitter, plain_name), *passed)


def _find_builtin(emitter: CodeEmitter, name: str) -> registry.BuiltinFunction | None:
    """Return the built-in function of a name; the code then depends on the name's meaning."""
    function = emitter.assume("builtin", name)
    return function if isinstance(function, registry.BuiltinFunction) else None


def _may_be_member(emitter: CodeEmitter, name: str) -> bool:
    """Return True when a name may be a method of the value: methods precede functions.

    Examples are `Deferred(…).call`, `T.new` and methods of objects.
    """
    return to_plain_name(name) in ("call", "new") or bool(emitter.assume("member", name))


def _emit_named_call(
    emitter: CodeEmitter,
    written: str,
    arguments: list[nodes.Node],
    block: nodes.Lambda | None,
) -> ast.expr:
    """Emit a call by name: of a control function, a built-in function or a user function.

    Args:
        emitter: The emitter.
        written: The name as the program writes it, which may begin with `::`.
        arguments: The nodes of the arguments.
        block: The lambda, or None.
    """
    name = to_plain_name(written)
    if name in CONTROL:
        signal, most = CONTROL[name]
        if block is None and _is_at_most(most, arguments):
            values = [_emit_argument(emitter, arguments)] if most else []
            return emitter.call("RAISE", emitter.call(signal, *values))
        # a call that reports the wrong arguments, or the block
        passed = _emit_passed(emitter, arguments, block)
        return emitter.call("CALL", emitter.literal(name), emitter.scope(), *passed)
    has_splat = any(map(analysis.find_splat, arguments))
    builtin = _find_builtin(emitter, name)
    if builtin is not None:
        if builtin.overloads[0].signature.legacy:
            # The function receives no block, so the types of the block's parameters are not evaluated either.
            block = None
        direct = f"invoke{len(arguments)}"
        if block is None and direct in registry.DIRECT and not has_splat:
            passed = [emitter.emit_expression(argument) for argument in arguments]
        else:
            direct = "invoke"
            passed = _emit_passed(emitter, arguments, block, name)
        # The attribute is read at each call, because the first call replaces the method.
        invoke = emitter.attribute(emitter.add_global(builtin, "F"), direct)
        # CPython moves the position of a method call that ends on another line to that line: keep it on one.
        invoke.end_lineno, invoke.end_col_offset = invoke.lineno, invoke.col_offset
        return ast.Call(invoke, [_emit_call_scope(emitter, name), *passed], [], **emitter.position)
    if has_splat or block is not None or emitter.assume("ruby", name):
        passed = _emit_passed(emitter, arguments, block)
        return emitter.call("CALL", emitter.literal(written), _emit_call_scope(emitter, name), *passed)
    # `FUNCTIONS["name/2"]` finds the Python function for that number of arguments on first use.
    passed = [emitter.emit_expression(argument) for argument in arguments]
    key = emitter.literal(f"{written}/{len(arguments)}")
    function = ast.Subscript(emitter.name("FUNCTIONS"), key, ast.Load(), **emitter.position)
    return ast.Call(function, passed, [], **emitter.position)


def _emit_call_scope(emitter: CodeEmitter, name: str) -> ast.expr:
    """Emit the scope that a function receives; Ruby code may read any variable of it by name."""
    if name in _SHOWS_LOCALS:
        return emit_class_scope(emitter)
    sees_locals = name in _READS_LOCALS or emitter.assume("ruby", name)
    return _emit_named_scope(emitter) if sees_locals else emitter.scope()


def emit_class_scope(emitter: CodeEmitter) -> ast.expr:
    """Emit the scope that evaluates classes."""
    return emitter.scope() if emitter.dialect.closed_lambdas else _emit_named_scope(emitter)


def _emit_named_scope(emitter: CodeEmitter) -> ast.expr:
    """Emit a scope that knows the variables of a lambda or function by name."""
    if emitter.frame.kind == "scope":
        return emitter.scope()
    python_names = collect_visible_locals(emitter)
    keys: list[ast.expr | None] = [emitter.literal(name) for name in python_names]
    items = [emitter.name(python_name) for python_name in python_names.values()]
    return emitter.call("LOCAL_SCOPE", emitter.scope(), ast.Dict(keys, items, **emitter.position))


# --- control functions


# The signal that a control function raises, and how many arguments the function takes at most.
CONTROL = {"next": ("NextIteration", 1), "return": ("ReturnValue", 1), "break": ("BreakIteration", 0)}


def _is_at_most(most: int, arguments: list[nodes.Node]) -> bool:
    """Return True for at most so many arguments; the number of values of a splat is unknown."""
    return len(arguments) <= most and not any(map(analysis.find_splat, arguments))


def _emit_argument(emitter: CodeEmitter, arguments: list[nodes.Node]) -> ast.expr:
    return emitter.emit_expression(arguments[0]) if arguments else emitter.literal(None)


@emits_statement(nodes.Call)
def emit_control_statement(emitter: CodeEmitter, node: nodes.Call, returns: bool) -> list[ast.stmt]:
    """Emit Python's `return` for `return(x)` in a function and `next(x)` in a lambda."""
    name = to_plain_name(node.functor.value) if isinstance(node.functor, nodes.Name) else ""
    kind = emitter.frame.kind
    if (
        node.block is None
        and _is_at_most(1, node.arguments)
        and ((name == "return" and kind == "function") or (name == "next" and kind in ("function", "lambda")))
    ):
        leave = ast.Return(_emit_argument(emitter, node.arguments), **emitter.position)
        if name == "return":
            leave.unchecked = True  # type: ignore[attr-defined]  # the released Puppet does not check its type
        return [leave]
    return emitter.evaluate(emit_call(emitter, node), returns)


# The parameters of a block that are integers when these functions iterate over a range of integers, as a slice.
_COUNTING = dict.fromkeys(("each", "map", "filter", "any", "all"), slice(None)) | {"reduce": slice(1, None)}
_NONE = slice(0)


def _find_integer_parameters(
    emitter: CodeEmitter, name: str, arguments: list[nodes.Node], block: nodes.Lambda
) -> slice:
    """Return the block parameters that can only be integers.

    An example is `Integer[1, 9].each |$n| { }`.
    """
    if not arguments or name not in _COUNTING or any(p.default or p.splat for p in block.parameters):
        return _NONE
    return _COUNTING[name] if isinstance(fold_constant(emitter, arguments[0]), IntegerType) else _NONE


def _emit_passed(
    emitter: CodeEmitter, arguments: list[nodes.Node], block: nodes.Lambda | None, builtin: str = ""
) -> list[ast.expr]:
    """Emit what a call passes: a list of arguments, and the Block of a lambda or None.

    Args:
        builtin: The name of the built-in function that is called, if it is one; see `emit_lambda`.
    """
    values = emit_value_list(emitter, arguments)
    if block is None:
        return [values, emitter.literal(None)]
    integers = _find_integer_parameters(emitter, builtin, arguments, block)
    with emitter.at(block):
        return [values, emit_lambda(emitter, block, integers, memo=builtin == "reduce")]
