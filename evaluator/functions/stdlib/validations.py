"""stdlib: the checks `validate_…`, which types replace; most are deprecated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.calling.registry import function
from evaluator.functions.stdlib.addresses import is_address
from evaluator.functions.stdlib.checks import Test, is_absolute, is_domain, is_email
from evaluator.functions.stdlib.deprecation import warn_once
from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.types import TYPE
from evaluator.types.mismatch import mismatch
from evaluator.values import Regexp
from evaluator.values.core import is_type
from evaluator.values.host_classes import host_class, host_name
from evaluator.values.host_messages import inspect, no_string
from evaluator.values.host_numbers import parse_float, parse_integer
from evaluator.values.host_values import shown

Check = Callable[..., None]

CHECKS: dict[str, Check] = {}  # what the functions check, without their warnings


def _checking(name: str, replacement: str) -> Callable[[Check], Check]:
    """Declares a check; one that a type replaces warns and gets the values as they are."""

    def declare(check: Check) -> Check:
        def body(scope: Scope, *values: Any) -> None:
            if replacement:
                warn_once(
                    scope,
                    name,
                    "This method is deprecated, please use the stdlib validate_legacy function,\n"
                    f"                    with {replacement}. There is further documentation for validate_legacy"
                    " function in the README.",
                )
            check(*values)

        body.__doc__ = check.__doc__
        function(f"{name}(Any {'args' if replacement else 'p0'}*)", context=True)(body)
        CHECKS[name] = check
        return check

    return declare


# --- every argument alike


def _every(
    name: str,
    words: str,
    example: str,
    test: Test,
    complaint: Callable[[Any], Failure],
    replacement: str = "",
) -> None:
    """Declares `name`, which raises the `complaint` about the first value that does not pass the test."""

    def check(*values: Any) -> None:
        if not values:
            raise Failure("ARGUMENT_COUNT_OF", function=name, number=0, expected="> 0")
        for value in values:
            if not test(value):
                raise complaint(value)

    check.__doc__ = (
        f"Fails unless all arguments are {words} (deprecated: declare parameters with types)."
        f"\n\n    > {name}({example})\n    undef\n    "
    )
    _checking(name, replacement)(check)


def _looks(expected: str) -> Callable[[Any], Failure]:
    return lambda value: Failure(
        "VALIDATION_OF_TYPE", value=inspect(value), expected=expected, actual=host_class(value)
    )


def _invalid(expected: str) -> Callable[[Any], Failure]:
    return lambda value: Failure(
        "VALIDATION_OF_TEXT", value=inspect(value), expected=expected if type(value) is str else "a string."
    )


def _bad_path(value: Any) -> Failure:
    wrong = next((path for path in value if not is_absolute(path)), None) if type(value) is list else value
    return Failure("VALIDATION_OF_TEXT", value=inspect(wrong), expected="an absolute path.")


def _absolute_or_all(value: Any) -> bool:
    return all(map(is_absolute, value)) if type(value) is list else is_absolute(value)


_COMPAT = "Stdlib::Compat::"
for _name, _words, _example, _test, _complaint, _replacement in (
    ("string", "Strings", "'a'", lambda v: v is None or type(v) is str, _looks("a string"), "String"),
    ("array", "Arrays", "[]", lambda v: type(v) is list, _looks("an Array"), "Array"),
    ("hash", "Hashes", "{}", lambda v: type(v) is dict, _looks("a Hash"), "Hash"),
    ("bool", "Booleans", "true", lambda v: type(v) is bool, _looks("a boolean"), "Bool"),
    ("absolute_path", "absolute paths", "'/etc'", _absolute_or_all, _bad_path, "Absolute_Path"),
    (
        *("ip_address", "IP addresses", "'::1'", lambda v: is_address(v, 4, 6)),
        *(_invalid("a valid IP address."), "Ip_Address"),
    ),
    (
        *("ipv4_address", "IPv4 addresses", "'10.0.0.1'", lambda v: is_address(v, 4)),
        *(_invalid("a valid IPv4 address."), "Ipv4_Address"),
    ),
    (
        *("ipv6_address", "IPv6 addresses", "'::1'", lambda v: is_address(v, 6)),
        *(_invalid("a valid IPv6 address."), "Ipv6_address"),
    ),
):
    _every(f"validate_{_name}", _words, _example, _test, _complaint, _COMPAT + _replacement)
_every(
    *("validate_domain_name", "domain names", "'example.com'", is_domain),
    _invalid("a syntactically correct domain name"),
)
_every(
    *("validate_email_address", "e-mail addresses", "'a@example.com'", is_email),
    _invalid("a valid email address"),
)


# --- patterns


@_checking("validate_re", "Pattern[]")
def validate_re(*args: Any) -> None:
    """Fails unless a String matches one of some patterns; the third argument is the message (deprecated).

    > validate_re('abc', '^a')
    undef

    > validate_re('abc', '^b', 'must start with b')
    ! Error while evaluating a Function Call, must start with b
    """
    if len(args) not in (2, 3):
        raise Failure("ARGUMENT_COUNT_OF", function="validate_re", number=len(args), expected="2 or 3")
    value, patterns, message = (*args, None)[:3]
    if type(value) is not str:
        raise Failure("VALIDATE_RE_INPUT", actual=host_class(value))
    for pattern in patterns if type(patterns) is list else [patterns]:
        regexp = Regexp(pattern) if type(pattern) is str else pattern
        if type(regexp) is not Regexp:
            raise no_string(host_name(pattern))
        if regexp.search(value) is not None:
            return
    if message is None:
        raise Failure("VALIDATE_RE_MISMATCH", value=inspect(value), pattern=inspect(patterns))
    raise Failure("VALIDATION_MESSAGE", message=shown(message))


# --- numbers and lengths


class _Kind:
    """Integers or numbers: how messages call them, and how they are read from text."""

    __slots__ = ("name", "read", "words")

    def __init__(self, name: str, words: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self.words = words
        self.read = read

    def number(self, value: Any) -> Any:
        """The number that a value is or is written as, or None."""
        return self.read(shown(value)) if type(value) in (int, float, str) else None


_INTEGER = _Kind("validate_integer", "an Integer", parse_integer)
_NUMERIC = _Kind("validate_numeric", "a Numeric", parse_float)


def _validate_numbers(kind: _Kind, args: tuple[Any, ...]) -> None:
    name = kind.name
    if not 1 <= len(args) <= 3:
        raise Failure("VALIDATION_COUNT", function=name, number=len(args))
    most = least = None
    if len(args) > 1 and args[1] not in (None, ""):
        most = _bound(kind, "second", args[1], "String")
    if len(args) > 2:
        least = _bound(kind, "third", args[2], host_class(args[2]))
    if most is not None and least is not None and least > most:
        raise Failure("VALIDATION_BOUNDS", function=name, most=most, least=least)
    given = args[0]
    for value in given if type(given) is list else [given]:
        _check_bounds(kind, given, _element(kind, given, value), most, least)


def _bound(kind: _Kind, which: str, value: Any, class_name: str) -> Any:
    number = kind.number(value)
    if number is None:
        given = f"{'' if value is None else shown(value)}:{class_name}"
        raise _expected(kind.name, f"{which} argument", f"unset or {kind.words}", given)
    return number


def _element(kind: _Kind, given: Any, value: Any) -> Any:
    """The number of a value. Raises Failure, which tells what was given."""
    number = kind.number(value)
    if number is None and given is value:
        name = "validate_integer" if type(value) is dict else kind.name  # the other one gives a wrong name
        raise _expected(name, "first argument", f"{kind.words} or Array", host_class(value))
    if number is None:
        place = next(index for index, element in enumerate(given) if element is value)
        raise _expected(kind.name, f"element at array position {place}", kind.words, host_class(value))
    return number


def _expected(function: str, what: str, expected: str, actual: str) -> Failure:
    return Failure("VALIDATION_EXPECTED", function=function, what=what, expected=expected, actual=actual)


def _check_bounds(kind: _Kind, given: Any, number: Any, most: Any, least: Any) -> None:
    what = inspect(given) if type(given) is list else shown(number)
    for wrong, bound, words in (
        (most is not None and number > most, most, "smaller or equal"),
        (least is not None and number < least, least, "greater or equal"),
    ):
        if wrong:
            arguments = {"value": what, "expected": words, "bound": shown(bound)}
            raise Failure("VALIDATION_OF_NUMBER", function=kind.name, **arguments)


@_checking("validate_integer", _COMPAT + "Integer")
def validate_integer(*args: Any) -> None:
    """Fails unless a value is an Integer, or text of one, between max and min (deprecated).

    > validate_integer(5, 10, 1)
    undef
    """
    _validate_numbers(_INTEGER, args)


@_checking("validate_numeric", _COMPAT + "Numeric")
def validate_numeric(*args: Any) -> None:
    """Fails unless a value is a number, or text of one, between max and min (deprecated).

    > validate_numeric('1.5')
    undef
    """
    _validate_numbers(_NUMERIC, args)


@_checking("validate_slength", "String[]")
def validate_slength(*args: Any) -> None:
    """Fails unless a String, or every one of an array, is at most so long and at least so long (deprecated).

    > validate_slength('abc', 5, 1)
    undef
    """
    if len(args) not in (2, 3):
        raise Failure("SLENGTH_COUNT", number=len(args))
    value, most, least = (*args, None)[:3]
    most = _size("second argument", "a positive Numeric", most, 1)
    least = 0 if least is None else _size("third argument", "unset or a positive Numeric", least, 0)
    if most < least:
        raise Failure("SLENGTH_BOUNDS")
    if type(value) not in (str, list):
        raise _expected("validate_slength", "first argument", "a String or Array", host_class(value))
    for place, string in enumerate(value if type(value) is list else [value]):
        if type(string) is not str:
            what = f"element at array position {place}"
            raise _expected("validate_slength", what, "a String", host_class(string))
        if not least <= len(string) <= most:
            arguments = {"value": inspect(value), "least": least, "most": most, "number": len(value)}
            raise Failure("VALIDATION_OF_LENGTH", **arguments)


def _size(what: str, expected: str, value: Any, smallest: int) -> int:
    size = int(value) if type(value) in (int, float) else parse_integer(value) if type(value) is str else None
    if size is None or size < smallest:
        given = f"{'' if value is None else shown(value)}:{host_class(value)}"
        raise _expected("validate_slength", what, expected, given)
    return size


# --- types and old checks


@function("validate_legacy(Any target_type, String function_name, Any value, Any args*)", context=True)
def validate_legacy(scope: Scope, type_: Any, function_name: str, value: Any, *args: Any) -> Any:
    """Checks a value against a type, and against an old `validate_…` function for comparison.

    > validate_legacy(String, 'validate_string', 'a')
    undef

    > validate_legacy(Integer, 'validate_string', [])
    ! Error while evaluating a Function Call, validate_legacy(validate_string) expects an Integer value, got Array
    """
    expected = scope.runtime.names.parse_type(type_) if type(type_) is str else type_
    if not is_type(expected):
        raise Failure(
            "VALIDATION_FAILED", **mismatch("'validate_legacy' parameter 'target_type'", TYPE, type_)
        )
    check = CHECKS.get(function_name)
    try:
        if check is not None:
            check(value, *args)
        else:
            scope.runtime.call_function(function_name, [value, *args], None, scope)
    except Failure:
        if expected.instance(value):
            message = f"Accepting previously invalid value for target type '{expected}'"
            scope.runtime.log("notice", message)
            return message
        fits = False
    else:
        fits = True
    if expected.instance(value):
        return None
    refused = Failure("VALIDATION_FAILED", **mismatch(f"validate_legacy({function_name})", expected, value))
    if not fits:
        raise refused
    message = str(refused)
    return message if warn_once(scope, "validate_legacy", message) else None


@validate_legacy.mismatch
def _legacy_count(*args: Any) -> Failure | None:
    """The released function counts the scope that it gets as an argument."""
    if len(args) < 3:
        number = len(args) + 1
        return Failure(
            "ARGUMENT_COUNT", function="validate_legacy", expected="at least 4 arguments", number=number
        )
    return None
