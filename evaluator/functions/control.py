"""Functions of control flow and logging: calls, early exits from blocks, log messages.

Where the signature of a function fixes the number of arguments of its block, `block.fn` is called; otherwise
`block.call`, which adapts any number of them to the parameters of the block.
"""

from __future__ import annotations

from evaluator.calling.registry import function
from evaluator.catalog.references import to_attribute_value
from evaluator.functions.navigation import dig
from evaluator.issues import Failure, make_error, require
from evaluator.program.definitions import BreakIteration, LambdaBlock, NextIteration, ReturnValue, Scope
from evaluator.values import Sensitive, Value, format_value, is_deferred
from evaluator.values.dag import memoize_recursion
from evaluator.values.ruby_values import to_ruby_s, to_ruby_value


@function("return(Any value?)")
def return_(value: Value = None) -> None:
    """End the enclosing function with a value, or the body of a class or define.

    In a block it ends the function around the block.

    > function double($x) { return($x * 2) }
    > double(4)
    8

    > function first_even($list) { $list.each |$x| { if $x % 2 == 0 { return($x) } } }
    > first_even([1, 4, 6])
    4
    """
    raise ReturnValue(value)


@function("next(Any value?)")
def next_(value: Value = None) -> None:
    """End this run of a block with a value. The iteration continues.

    > [1, 2, 3].map |$x| { if $x == 2 { next('two') } $x }
    [1, 'two', 3]
    """
    raise NextIteration(value)


@function("break()")
def break_() -> None:
    """End the iteration that runs the block; `map` and `filter` return their results so far.

    > [1, 2, 3].map |$x| { if $x == 2 { break() } $x }
    [1]

    > ['a', 'stop', 'b'].each |$x| { if $x == 'stop' { break() } notice($x) }
    notice: a
    ['a', 'stop', 'b']
    """
    raise BreakIteration


@function("call(String function_name, Any arguments*, Callable block?)", context=True)
def call(scope: Scope, name: str, *args: Value, block: LambdaBlock | None = None) -> Value:
    """Call a function by its name, or resolve a Deferred value.

    `return` in the block ends this call.

    > call('upcase', 'abc')
    'ABC'

    > call(Deferred('join', [['a', 'b'], '-']))
    'a-b'
    """
    return _call_by_name(scope, name, list(args), block)


@call.overload("call(Deferred deferred)", context=True)
def call_deferred(scope: Scope, deferred: Value) -> Value:
    """Resolve a Deferred: `$name` reads a variable, another name calls a function.

    Deferred values among its arguments are resolved first; those of a variable are keys to dig into it.
    """
    name = deferred.attributes["name"]
    args = _resolve_deferred(deferred.attributes.get("arguments") or [], scope)
    if not name.startswith("$"):
        return _call_by_name(scope, name, args, None)
    return dig.invoke(scope, [scope.runtime.names.read_named_variable(scope, name[1:]), *args], None)


@memoize_recursion
def _resolve_deferred(recurse: Value, value: Value, scope: Scope) -> Value:
    """Return a value in which Deferred values are resolved, except in keys."""
    kind = type(value)
    if kind is list:
        return [recurse(element, scope) for element in value]
    if kind is dict:
        return {key: recurse(element, scope) for key, element in value.items()}
    if kind is Sensitive:
        return Sensitive(recurse(value.value, scope))
    return call_deferred.invoke(scope, [value], None) if is_deferred(value) else value


def _call_by_name(scope: Scope, name: str, args: list[Value], block: LambdaBlock | None) -> Value:
    require(scope.runtime.names.find_function(name) is not None, "UNKNOWN_FUNCTION_CALLED", name=name)
    try:
        return scope.runtime.call_function(name, args, block, scope)
    except (NextIteration, ReturnValue) as signal:
        return signal.value


@function("with(Any arg*, Callable block)")
def with_(*args: Value, block: LambdaBlock) -> Value:
    """Call the block with the arguments. Variables that the block sets are local to it.

    > with(1, 2) |$a, $b| { $a + $b }
    3

    > 'name=value'.split('=').with |$pair| { { $pair[0] => $pair[1] } }
    {'name' => 'value'}
    """
    return block.call(args)


@function("then(Any arg, Callable[1, 1] block)")
def then(arg: Value, block: LambdaBlock) -> Value:
    """Call the block with the argument unless that is undef; return undef for undef.

    `lest` handles the other case.

    > 1.then |$x| { $x + 1 }
    2

    > undef.then |$x| { $x + 1 }
    undef

    > $facts.dig('os', 'family').then |$family| { $family.downcase }
    'debian'
    """
    return None if arg is None else block.fn(arg)


@function("lest(Any arg, Callable[0, 0] block)")
def lest(arg: Value, block: LambdaBlock) -> Value:
    """Return the argument, or the value of the block if the argument is undef.

    > undef.lest || { 'default' }
    'default'

    > 1.lest || { 'default' }
    1
    """
    return block.fn() if arg is None else arg


@function("unwrap(Sensitive arg, Callable block?)", "unwrap(Any arg, Callable block?)")
def unwrap(arg: Value, block: LambdaBlock | None = None) -> Value:
    """Return the value inside a Sensitive, or the value of a block called with it.

    The result is not hidden any more. Any other value is returned unchanged.

    > unwrap(Sensitive('secret'))
    'secret'

    > Sensitive('secret').unwrap |$s| { $s.length }
    6
    """
    value = arg.value if type(arg) is Sensitive else arg
    return value if block is None else block.call((value,))


@function("import(Any args*)")
def import_(*args: Value) -> None:
    """Fail: the statement was removed, and files are loaded from the module path.

    > import('x')
    ! Use of 'import' has been discontinued in favor of a manifest directory
    """
    raise make_error("DISCONTINUED_IMPORT")


# --- log messages, and `fail`


# The levels of log messages, each with the help of its function.
_LEVELS = {
    "debug": """Log its arguments, joined by blanks, at level debug.

    They are for the author of the code.

    > debug('checking', 1)
    debug: checking 1
    undef
    """,
    "info": """Log its arguments, joined by blanks, at level info.

    > info('port', 80)
    info: port 80
    undef
    """,
    "notice": """Log its arguments, joined by blanks, at level notice. They are formatted as in a string.

    The message is logged where the code is evaluated; the resource type `notify` logs on the machine that applies
    the catalog.

    > notice('a', 1, [1, undef], { 'k' => 'v' })
    notice: a 1 [1, ] {k => v}
    undef
    """,
    "warning": """Log its arguments, joined by blanks, at level warning.

    > warning('disk is', '90%', 'full')
    warning: disk is 90% full
    undef
    """,
    "err": """Log its arguments, joined by blanks, at level err. The program continues.

    `fail` would stop it.

    > err('no such user')
    err: no such user
    undef
    """,
    "alert": """Log its arguments, joined by blanks, at level alert.

    > alert('act now')
    alert: act now
    undef
    """,
    "crit": """Log its arguments, joined by blanks, at level crit.

    > crit('disk', 'failed')
    crit: disk failed
    undef
    """,
    "emerg": """Log its arguments, joined by blanks, at level emerg, the highest.

    > emerg('unusable')
    emerg: unusable
    undef
    """,
}


def _declare_log(level: str) -> None:
    """Declare the function that logs at a level."""

    def log(scope: Scope, *values: Value) -> None:
        scope.runtime.log(level, " ".join([format_value(value) for value in values]))

    log.__doc__ = _LEVELS[level]
    function(f"{level}(Any values*) >> Undef", context=True)(log)


for _level in _LEVELS:
    _declare_log(_level)


@function("fail(Any p0*)", usage=("fail(Any values+)",))
def fail(*values: Value) -> None:
    """Stop the program with a message: its arguments, joined by blanks.

    > fail('unsupported system:', 'AIX')
    ! Error while evaluating a Function Call, unsupported system: AIX
    """
    raise Failure(
        "FAILED", message=" ".join([to_ruby_s(to_ruby_value(to_attribute_value(value))) for value in values])
    )
