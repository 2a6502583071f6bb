"""Functions that decide what runs: calls by name, blocks called with values, and leaving a block early."""

from __future__ import annotations

from evaluator.calling.registry import function
from evaluator.functions.navigation import dig
from evaluator.issues import Failure, error
from evaluator.program.callables import Block
from evaluator.program.scope import Scope
from evaluator.program.unwinding import BreakIteration, NextIteration, ReturnValue
from evaluator.values import Sensitive, Value, is_deferred, text
from evaluator.values.host_values import host_value, shown
from evaluator.values.sharing import once


@function("return(Any value?)")
def return_(value: Value = None) -> None:
    """Ends the enclosing function with a value, or the body of a class or define; also from within a block.

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
    """Ends this run of a block; its argument is the value of the block. The iteration goes on.

    > [1, 2, 3].map |$x| { if $x == 2 { next('two') } $x }
    [1, 'two', 3]
    """
    raise NextIteration(value)


@function("break()")
def break_() -> None:
    """Ends the iteration that runs the block; `map` and `filter` give what they have found so far.

    > [1, 2, 3].map |$x| { if $x == 2 { break() } $x }
    [1]

    > ['a', 'stop', 'b'].each |$x| { if $x == 'stop' { break() } notice($x) }
    notice: a
    ['a', 'stop', 'b']
    """
    raise BreakIteration


@function("call(String function_name, Any arguments*, Callable block?)", context=True)
def call(scope: Scope, name: str, *args: Value, block: Block | None = None) -> Value:
    """Calls the function with the given name, or resolves a Deferred value.

    > call('upcase', 'abc')
    'ABC'

    > call(Deferred('join', [['a', 'b'], '-']))
    'a-b'
    """
    return _call_by_name(scope, name, list(args), block)


@call.overload("call(Deferred deferred)", context=True)
def call_deferred(scope: Scope, deferred: Value) -> Value:
    """Resolves a Deferred: `$name` reads a variable and digs into it, another name calls a function.

    Deferred values among its arguments are resolved first.
    """
    name = deferred.attributes["name"]
    args = _resolved(deferred.attributes.get("arguments") or [], scope)
    if not name.startswith("$"):
        return _call_by_name(scope, name, args, None)
    return dig.invoke(scope, [scope.runtime.names.named_variable(scope, name[1:]), *args], None)


@once
def _resolved(again: Value, value: Value, scope: Scope) -> Value:
    """A value with the Deferred values in it resolved, but for those in keys."""
    kind = type(value)
    if kind is list:
        return [again(element, scope) for element in value]
    if kind is dict:
        return {key: again(element, scope) for key, element in value.items()}
    if kind is Sensitive:
        return Sensitive(again(value.value, scope))
    return call_deferred.invoke(scope, [value], None) if is_deferred(value) else value


def _call_by_name(scope: Scope, name: str, args: list[Value], block: Block | None) -> Value:
    if scope.runtime.names.find_function(name) is None:
        raise Failure("UNKNOWN_FUNCTION_CALLED", name=name)
    return scope.runtime.call_function(name, args, block, scope)


@function("with(Any arg*, Callable block)")
def with_(*args: Value, block: Block) -> Value:
    """Calls the block with the arguments. What the block sets stays inside it.

    > with(1, 2) |$a, $b| { $a + $b }
    3

    > 'name=value'.split('=').with |$pair| { { $pair[0] => $pair[1] } }
    {'name' => 'value'}
    """
    return block.call(args)


@function("then(Any arg, Callable[1, 1] block)")
def then(arg: Value, block: Block) -> Value:
    """Calls the block with the argument unless that is undef; undef stays undef. `lest` is for the other case.

    > 1.then |$x| { $x + 1 }
    2

    > undef.then |$x| { $x + 1 }
    undef

    > $facts.dig('os', 'family').then |$family| { $family.downcase }
    'debian'
    """
    return None if arg is None else block.fn(arg)


@function("lest(Any arg, Callable[0, 0] block)")
def lest(arg: Value, block: Block) -> Value:
    """Gives the argument, or what the block gives when the argument is undef.

    > undef.lest || { 'default' }
    'default'

    > 1.lest || { 'default' }
    1
    """
    return block.fn() if arg is None else arg


@function("unwrap(Sensitive arg, Callable block?)", "unwrap(Any arg, Callable block?)")
def unwrap(arg: Value, block: Block | None = None) -> Value:
    """Gives the value inside a Sensitive; with a block, what the block makes of it. What comes out is not hidden.

    Any other value comes out as it is.

    > unwrap(Sensitive('secret'))
    'secret'

    > Sensitive('secret').unwrap |$s| { $s.length }
    6
    """
    value = arg.value if type(arg) is Sensitive else arg
    return value if block is None else block.call((value,))


@function("import(Any args*)")
def import_(*args: Value) -> None:
    """Is no more: files are loaded from the module path.

    > import('x')
    ! Use of 'import' has been discontinued in favor of a manifest directory
    """
    raise error("DISCONTINUED_IMPORT")


# --- Functions that write to the log, and `fail`.


def _log(scope: Scope, level: str, values: tuple[Value, ...]) -> None:
    scope.runtime.log(level, " ".join([text(value) for value in values]))


@function("debug(Any values*) >> Undef", context=True)
def debug(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level debug. Debug messages are for the author of the code.

    > debug('checking', 1)
    debug: checking 1
    undef
    """
    _log(scope, "debug", values)


@function("info(Any values*) >> Undef", context=True)
def info(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level info.

    > info('port', 80)
    info: port 80
    undef
    """
    _log(scope, "info", values)


@function("notice(Any values*) >> Undef", context=True)
def notice(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level notice. Values are shown as they look in a string.

    It writes where the code is evaluated; the resource type `notify` writes on the machine that applies the catalog.

    > notice('a', 1, [1, undef], { 'k' => 'v' })
    notice: a 1 [1, ] {k => v}
    undef
    """
    _log(scope, "notice", values)


@function("warning(Any values*) >> Undef", context=True)
def warning(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level warning.

    > warning('disk is', '90%', 'full')
    warning: disk is 90% full
    undef
    """
    _log(scope, "warning", values)


@function("err(Any values*) >> Undef", context=True)
def err(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level err. The program goes on; `fail` would stop it.

    > err('no such user')
    err: no such user
    undef
    """
    _log(scope, "err", values)


@function("alert(Any values*) >> Undef", context=True)
def alert(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level alert.

    > alert('act now')
    alert: act now
    undef
    """
    _log(scope, "alert", values)


@function("crit(Any values*) >> Undef", context=True)
def crit(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level crit.

    > crit('disk', 'failed')
    crit: disk failed
    undef
    """
    _log(scope, "crit", values)


@function("emerg(Any values*) >> Undef", context=True)
def emerg(scope: Scope, *values: Value) -> None:
    """Logs its arguments, joined by blanks, at level emerg, the highest.

    > emerg('unusable')
    emerg: unusable
    undef
    """
    _log(scope, "emerg", values)


@function("fail(Any p0*)", usage=("fail(Any values+)",))
def fail(*values: Value) -> None:
    """Stops the program with a message made of its arguments.

    > fail('unsupported system:', 'AIX')
    ! Error while evaluating a Function Call, unsupported system: AIX
    """
    raise Failure("FAILED", message=" ".join([shown(host_value(value)) for value in values]))
