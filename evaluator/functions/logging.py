"""Functions that write to the log, and `fail`."""

from __future__ import annotations

from typing import Any

from evaluator.calling.registry import function
from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.values import text
from evaluator.values.host_values import host_value, shown


def _log(scope: Scope, level: str, values: tuple[Any, ...]) -> None:
    scope.runtime.log(level, " ".join([text(value) for value in values]))


@function("debug(Any values*) >> Undef", context=True)
def debug(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level debug. Debug messages are for the author of the code.

    > debug('checking', 1)
    debug: checking 1
    undef
    """
    _log(scope, "debug", values)


@function("info(Any values*) >> Undef", context=True)
def info(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level info.

    > info('port', 80)
    info: port 80
    undef
    """
    _log(scope, "info", values)


@function("notice(Any values*) >> Undef", context=True)
def notice(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level notice. Values are shown as they look in a string.

    It writes where the code is evaluated; the resource type `notify` writes on the machine that applies the catalog.

    > notice('a', 1, [1, undef], { 'k' => 'v' })
    notice: a 1 [1, ] {k => v}
    undef
    """
    _log(scope, "notice", values)


@function("warning(Any values*) >> Undef", context=True)
def warning(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level warning.

    > warning('disk is', '90%', 'full')
    warning: disk is 90% full
    undef
    """
    _log(scope, "warning", values)


@function("err(Any values*) >> Undef", context=True)
def err(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level err. The program goes on; `fail` would stop it.

    > err('no such user')
    err: no such user
    undef
    """
    _log(scope, "err", values)


@function("alert(Any values*) >> Undef", context=True)
def alert(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level alert.

    > alert('act now')
    alert: act now
    undef
    """
    _log(scope, "alert", values)


@function("crit(Any values*) >> Undef", context=True)
def crit(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level crit.

    > crit('disk', 'failed')
    crit: disk failed
    undef
    """
    _log(scope, "crit", values)


@function("emerg(Any values*) >> Undef", context=True)
def emerg(scope: Scope, *values: Any) -> None:
    """Logs its arguments, joined by blanks, at level emerg, the highest.

    > emerg('unusable')
    emerg: unusable
    undef
    """
    _log(scope, "emerg", values)


@function("fail(Any p0*)")
def fail(*values: Any) -> None:
    """Stops the program with a message made of its arguments.

    > fail('unsupported system:', 'AIX')
    ! Error while evaluating a Function Call, unsupported system: AIX
    """
    raise Failure("FAILED", message=" ".join([shown(host_value(value)) for value in values]))
