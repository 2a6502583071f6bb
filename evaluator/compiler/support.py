"""The run-time support of compiled code: functions under the names that emitters use.

`make_globals` returns the globals for a dialect. Each function here is small; operators, types and the
catalog have their own modules.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from evaluator import kinds, limits, values
from evaluator.compiler.runtime_checks import (
    check_unassigned,
    destructure,
    is_deferred_instance,
    is_rest_instance,
    raise_bad_argument,
    raise_bad_return,
    raise_not_assignable,
    raise_not_evaluated,
    raise_reserved_parameter,
    resolve_local_types,
)
from evaluator.issues import Failure, make_error
from evaluator.operators import Operators
from evaluator.program.definitions import (
    MISSING,
    RESERVED_NAMES,
    BreakIteration,
    LambdaBlock,
    NextIteration,
    ReturnValue,
    Scope,
)
from evaluator.types import ResourceType, Type
from evaluator.types.scalars import FAST_CONVERSIONS
from evaluator.values import Value
from lexer_parser import issues
from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.operators import OPERATORS
from lexer_parser.parsing import parse

if TYPE_CHECKING:
    from evaluator.compiler.compiled_source import Globals
    from evaluator.running.runtime import Runtime


def make_globals(runtime: Runtime, dialect: Dialect) -> Globals:
    """Return the globals for code of a dialect: built-ins of Python, and what emitters name."""
    operators = runtime.make_operators(dialect)
    table: dict[str, Any] = {
        **vars(builtins),
        "MISSING": MISSING,
        "MISSING_OPERATOR": MISSING_OPERATOR,
        "BreakIteration": BreakIteration,
        "NextIteration": NextIteration,
        "ReturnValue": ReturnValue,
        "BLOCK": LambdaBlock,
        "WITH_TYPES": resolve_local_types,
        "TEXT": values.format_value,
        "HASH_OF": values.make_hash,
        "STRING_LIMIT": runtime.settings.limits["max_string_length"],
        "COLLECTION_LIMIT": runtime.settings.limits["max_collection_size"],
        "STRING_TOO_LONG": _raise_string_too_long,
        "TYPE": partial(runtime.names.find_type, dialect),  # with a keyword it would take twice as long
        "TYPE_OR_REFERENCE": partial(runtime.names.find_type_or_reference, dialect),
        "SPLICE": to_elements,
        "REST": list,
        "AS_LIST": lambda value: value if isinstance(value, list) else [value],
        "COUNTED": count_frame,
        "IS_DEFERRED_INSTANCE": is_deferred_instance,
        "REST_FITS": is_rest_instance,
        "BAD_ARGUMENT": raise_bad_argument,
        "BAD_RETURN": raise_bad_return,
        "NOT_EVALUATED_YET": raise_not_evaluated,
        "RESERVED_PARAMETER": raise_reserved_parameter,
        "NOT_ASSIGNABLE": raise_not_assignable,
        "ASSIGN_ONCE": check_unassigned,
        "UNMATCHED_SELECTOR": raise_unmatched_selector,
        "LOCAL_SCOPE": make_local_scope,
        "RENDER": list.append,
        "RENDERED": join_rendered,
        "FUNCTIONS": runtime.functions,
        "CHECK_SYNTAX": partial(check_syntax, dialect),
        "UNTRANSFORMABLE": raise_untransformable,
        "RAISE": raise_error,
    }
    table.update(_make_operator_globals(operators))
    table.update(_make_match_globals(runtime, operators))
    table.update(_make_variable_globals(runtime, operators))
    table.update(_make_call_globals(runtime, dialect))
    return table


# --- operators and access


def _make_operator_globals(operators: Operators) -> Globals:
    access, new = operators.access, ResourceType.__new__

    def access_one(left: Value, key: Value) -> Value:
        if type(key) is str:
            if type(left) is dict:
                return left.get(key)
            if type(left) is ResourceType and left.title is None and left.type_name is not None:
                reference = new(ResourceType)  # as `make_reference`, but without its call
                reference.type_name = left.type_name
                reference.title = key
                return reference
        elif type(left) is list and type(key) is int:
            try:
                return left[key]
            except IndexError:
                return None
        return access(left, [key])

    rules = [row.rule for row in OPERATORS if row.rule]
    table = {rule.upper(): getattr(operators, rule) for rule in (*rules, "negate", "access", "option")}
    table["ACCESS_ONE"] = access_one
    table["GROWN"] = make_memo_adder(operators.add)
    table["ANY_OPTION"] = lambda value, options: any(operators.option(value, option) for option in options)
    return table


# Python classes whose values equal no String, or no number, in an option.
_NO_TEXTS = frozenset({int, float, bool, type(None), list, dict})
_NO_NUMBERS = frozenset({str, bool, type(None), list, dict})


def _make_match_globals(runtime: Runtime, operators: Operators) -> Globals:
    def restore_match(match: Value, value: Value) -> Value:
        runtime.match = match
        return value

    return {
        "MATCH_GROUP": runtime.match_group,
        "RUNTIME": runtime,
        "RESTORE_MATCH": restore_match,
        "SEARCH": operators.search,
        "NO_TEXTS": _NO_TEXTS,
        "NO_NUMBERS": _NO_NUMBERS,
    }


def to_elements(value: Value) -> list[Value]:
    """Return the values that `*value` means.

    They are the elements of an array, the pairs of a hash, none for undef, else the value.
    """
    if value is None:
        return []
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [list(pair) for pair in values.iterate_items(value)]
    if isinstance(value, values.PuppetIterator):
        return list(values.iterate(value) or ())
    return [value]


def _raise_string_too_long() -> None:
    raise limits.STRING.make_error()


def check_syntax(dialect: Dialect, text: str, syntax: str) -> str:
    """Return interpolated heredoc text after checking it against its declared syntax."""
    # imported here because it loads the reader of Base64, and few heredocs name a syntax
    from lexer_parser.validation.heredoc_syntax import find_syntax_error

    error = find_syntax_error(syntax, text, parse, dialect)
    if error is not None:
        raise error
    return text


def raise_untransformable(kind: str) -> None:
    """Raise the failure for a query that contains a general expression."""
    raise Failure("UNTRANSFORMABLE_QUERY", kind=kind)


def raise_error(error: Exception) -> None:
    """Raise an error that was found at compile time, or the signal of a control function."""
    raise error


def raise_unmatched_selector(value: Value) -> None:
    """Raise the error for a selector without a matching option."""
    raise make_error("UNMATCHED_SELECTOR", value=values.to_ruby_text(value))


# --- variables


def _make_variable_globals(runtime: Runtime, operators: Operators) -> Globals:
    def read_variable(scope: Scope, name: str) -> Value:
        value = scope.variables.get(name, MISSING)  # most variables are in the scope that reads them
        if value is MISSING:
            value = scope.find(name)
        return runtime.unknown_variable(name) if value is MISSING else value

    def read_qualified(scope: Scope, name: str) -> Value:
        value = runtime.names.find_variable(scope, name)
        return runtime.unknown_variable(name) if value is MISSING else value

    def assign(scope: Scope, name: str, value: Value) -> Value:
        if name in scope.variables or name in RESERVED_NAMES:
            raise_not_assignable(name, name in scope.variables)
        scope.variables[name] = value
        return value

    def find_outer(scope: Scope, name: str) -> Value:
        if name in scope.variables:
            return MISSING_OPERATOR
        return MISSING if scope.parent is None else scope.parent.find(name)

    def append(before: Value, value: Value, operator: str) -> Value:
        if before is MISSING:
            return value if operator == "+=" else None
        if not isinstance(before, list | dict):
            raise make_no_operator_error(operator)
        return operators.add(before, value) if operator == "+=" else operators.subtract(before, value)

    return {
        "VARIABLE": read_variable,
        "QUALIFIED": read_qualified,
        "ASSIGN": assign,
        "OUTER": find_outer,
        "FIND": lambda scope, name: scope.find(name),
        "APPEND": append,
        "TOP_SCOPE": lambda: runtime.state.top,
        "DESTRUCTURE": lambda value, keys: destructure(runtime, value, keys),
    }


# The value of `find_outer` for a variable of the same scope: `+=` begins with the value of an outer one only.
MISSING_OPERATOR: Any = object()


def make_no_operator_error(operator: str) -> PuppetError:
    """Return Puppet's error for `+=` and `-=`, which exist for outer arrays and hashes only."""
    error = issues.make_error("APPENDS_DELETES_NO_LONGER_SUPPORTED", operator=operator)
    error.prefix = "Could not parse for environment production: "
    return error


def make_local_scope(scope: Scope, variables: dict[str, Value]) -> Scope:
    """Return a Scope with the locals of a function or lambda.

    It is for functions that read variables by name.
    """
    local_scope = Scope(
        scope.runtime,
        "local",
        scope.name,
        parent=scope,
        caller=scope,
        container=scope.container,
        module_name=scope.module_name,
    )
    local_scope.variables = {name: value for name, value in variables.items() if value is not MISSING}
    return local_scope


# --- calls


def _make_call_globals(runtime: Runtime, dialect: Dialect) -> Globals:
    def new(scope: Scope, target: Value, arguments: list[Value], block: Value) -> Value:
        convert = FAST_CONVERSIONS.get(id(target))
        if convert is not None and block is None and len(arguments) == 1:
            instance = convert(arguments[0])
            if instance is not None:
                return instance
        if not isinstance(target, Type):  # the function refuses it
            return runtime.call_function("new", [target, *arguments], block, scope)
        return kinds.make_instance(target, arguments, block, runtime)

    def call_method(name: str, scope: Scope, arguments: list[Value], block: Value) -> Value:
        find_method = getattr(arguments[0], "member", None)
        method = None if find_method is None else find_method(name)
        if method is not None:
            return method(runtime, arguments[1:], block)
        return runtime.call_function(name, arguments, block, scope)

    return {
        "NEW": new,
        "CALL_METHOD": call_method,
        "CALL": lambda name, scope, arguments, block: runtime.call_function(name, arguments, block, scope),
    }


def count_frame() -> None:
    """Do nothing: the call itself counts against Python's limit of frames."""


# --- templates


def join_rendered(out: list[Value]) -> Value:
    """Return the output of a template as one String; Sensitive when a part was."""
    is_secret = any(isinstance(value, values.Sensitive) for value in out)
    parts = [
        values.format_value(value.value if isinstance(value, values.Sensitive) else value) for value in out
    ]
    limits.STRING.check(sum(map(len, parts)))
    text = "".join(parts)
    return values.Sensitive(text) if is_secret else text


# --- in-place append


def make_memo_adder(add: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    """Return a function that adds to the memo of `reduce`, in place if that is safe.

    Values never change; but a hash or array that only the running `reduce` refers to was made by its block in
    the previous round. Without this, collecting in n rounds copies n times. CPython counts the references.
    """

    def add_to_memo(memo: Value, more: Value) -> Value:
        is_unshared = getrefcount(memo) == SOLE_REFERENCES and type(memo) is type(more)
        if not is_unshared or len(memo) + len(more) > limits.COLLECTION.value:
            return add(memo, more)
        if type(memo) is dict:
            memo.update(more)
        else:
            memo += more
        return memo

    return add_to_memo


getrefcount = sys.getrefcount


def _measure_references() -> int:
    """Return the number of references to a memo that only `reduce` and its callees hold.

    The calls are nested as those of `reduce`, its block and `add_to_memo`.
    """

    def add_to_memo(memo: Value, more: Value) -> int:
        return getrefcount(memo)

    def block(memo: Value, value: Value) -> int:
        return add_to_memo(memo, {})

    memo: Any = dict.fromkeys("a")
    return block(memo, 1)


SOLE_REFERENCES = _measure_references()
