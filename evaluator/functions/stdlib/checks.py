"""stdlib: the deprecated tests `is_…` and checks `validate_…`, which types replace."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.errors import Failure
from evaluator.functions.host import host_class, inspect
from evaluator.functions.registry import function
from evaluator.values import text

Test = Callable[[Any], bool]

# --- What the tests ask


def is_integer_text(value: Any) -> bool:
    """An Integer, or decimal text of one without leading zeros."""
    return type(value) is int or (type(value) is str and re.fullmatch(r"-?(0|[1-9]\d*)", value) is not None)


def is_float_text(value: Any) -> bool:
    """A Float, or decimal text of one."""
    return type(value) is float or (
        type(value) is str and re.fullmatch(r"-?(0|[1-9]\d*)\.\d+", value) is not None
    )


def is_numeric_text(value: Any) -> bool:
    """A number, or decimal text of one."""
    return type(value) in (int, float) or (
        type(value) is str and re.fullmatch(r"-?\d+(\.\d+)?([eE]-?\d+)?", value) is not None
    )


def is_text(value: Any) -> bool:
    """A String that is no number."""
    return type(value) is str and not is_numeric_text(value)


def _ip(value: Any, *versions: int) -> bool:
    import ipaddress

    if type(value) is not str:
        return False
    try:
        return ipaddress.ip_interface(value).version in versions
    except ValueError:
        return False


def is_domain(value: Any) -> bool:
    """A name of labels, the last of which is no number; a dot at the end is allowed."""
    if type(value) is not str or not value or len(value) > 255:
        return False
    labels = value.removesuffix(".").split(".")
    if value == ".":
        return True
    label = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?")
    return all(label.fullmatch(part) for part in labels) and not labels[-1].isdigit()


def is_absolute(value: Any) -> bool:
    """An absolute path of Unix or Windows."""
    return type(value) is str and re.match(r"/|[A-Za-z]:[\\/]|\\\\[^\\]+\\|//[^/]+/", value) is not None


def _email(value: Any) -> bool:
    return type(value) is str and re.search(r"\A[^@]+@([\w-]+\.)+[A-Za-z]+\Z", value) is not None


def _mac(value: Any) -> bool:
    if type(value) is not str:
        raise Failure(f"no implicit conversion of {host_class(value)} into String")
    return (
        re.fullmatch(r"([0-9a-fA-F]{2}:){5}([0-9a-fA-F]{2})|([0-9a-fA-F]{2}:){19}[0-9a-fA-F]{2}", value)
        is not None
    )


# --- is_…


def _declare_test(name: str, words: str, example: str, test: Test, replacement: str = "") -> None:
    """Declares `name`; `replacement` is the type that a deprecation warning names."""

    def body(scope: Any, *values: Any) -> bool:
        if replacement:
            scope.runtime.log(
                "warning",
                f"This method is deprecated, please use match expressions with Stdlib::Compat::{replacement} instead."
                " They are described at"
                " https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions.",
            )
        if len(values) != 1:
            raise Failure(f"{name}(): Wrong number of arguments given ({len(values)} for 1)")
        return test(values[0])

    old = " (deprecated: match with a type instead)" if replacement else ""
    body.__doc__ = f"Tells whether a value is {words}{old}.\n\n    > {name}({example})\n    true\n    "
    function(f"{name}(Any p0*)", context=True)(body)


_declare_test("is_array", "an Array", "[]", lambda value: type(value) is list, "Array")
_declare_test("is_hash", "a Hash", "{}", lambda value: type(value) is dict)
_declare_test("is_bool", "a Boolean", "true", lambda value: type(value) is bool, "Bool")
_declare_test("is_string", "a String that is no number", "'a'", is_text, "String")
_declare_test("is_integer", "an Integer or the text of one", "'1'", is_integer_text)
_declare_test("is_float", "a Float or the text of one", "'1.5'", is_float_text, "Float")
_declare_test("is_numeric", "a number or the text of one", "'1e3'", is_numeric_text, "Numeric")
_declare_test("is_ip_address", "an IP address", "'10.0.0.1'", lambda value: _ip(value, 4, 6), "Ip_address")
_declare_test("is_ipv4_address", "an IPv4 address", "'10.0.0.1'", lambda value: _ip(value, 4), "Ipv4")
_declare_test("is_ipv6_address", "an IPv6 address", "'::1'", lambda value: _ip(value, 6), "Ipv6")
_declare_test("is_absolute_path", "an absolute path", "'/etc'", is_absolute, "Absolute_Path")
_declare_test("is_domain_name", "a domain name", "'example.com'", is_domain)
_declare_test("is_email_address", "an e-mail address", "'a@example.com'", _email)
_declare_test("is_mac_address", "a hardware address", "'00:11:22:33:44:55'", _mac)


@function("is_function_available(Any p0)", context=True)
def is_function_available(scope: Any, name: Any) -> bool:
    """Tells whether there is a function of that name.

    > is_function_available('map')
    true
    """
    return type(name) is str and scope.runtime.find_function(name) is not None


# --- validate_…


def _deprecated(scope: Any, replacement: str) -> None:
    scope.runtime.log(
        "warning",
        "This method is deprecated, please use the stdlib validate_legacy function,\n"
        f"                    with {replacement}. There is further documentation for validate_legacy function"
        " in the README.",
    )


def _declare_check(
    name: str, words: str, example: str, test: Test, complaint: Callable[[Any], str], type_: str
) -> None:
    """Declares `name`, which fails with `complaint` for the first value that does not pass the test."""

    def body(scope: Any, *values: Any) -> None:
        _deprecated(scope, type_)
        if not values:
            raise Failure(f"{name}(): wrong number of arguments (0; must be > 0)")
        for value in values:
            if not test(value):
                raise Failure(complaint(value))

    body.__doc__ = (
        f"Fails unless all arguments are {words} (deprecated: declare parameters with types)."
        f"\n\n    > {name}({example})\n    undef\n    "
    )
    function(f"{name}(Any p0*)", context=True)(body)


def _looks(what: str) -> Callable[[Any], str]:
    return lambda value: f"{inspect(value)} is not {what}.  It looks to be a {host_class(value)}"


def _invalid(what: str) -> Callable[[Any], str]:
    return lambda value: (
        f"{inspect(value)} is not a valid {what}."
        if type(value) is str
        else f"{inspect(value)} is not a string."
    )


def _bad_path(value: Any) -> str:
    wrong = next((path for path in value if not is_absolute(path)), None) if type(value) is list else value
    return f"{inspect(wrong)} is not an absolute path."


def _absolute_or_all(value: Any) -> bool:
    return all(map(is_absolute, value)) if type(value) is list else is_absolute(value)


_COMPAT = "Stdlib::Compat::"
_declare_check(
    "validate_string", "Strings", "'a'", lambda v: type(v) is str, _looks("a string"), _COMPAT + "String"
)
_declare_check(
    "validate_array", "Arrays", "[]", lambda v: type(v) is list, _looks("an Array"), _COMPAT + "Array"
)
_declare_check("validate_hash", "Hashes", "{}", lambda v: type(v) is dict, _looks("a Hash"), _COMPAT + "Hash")
_declare_check(
    "validate_bool", "Booleans", "true", lambda v: type(v) is bool, _looks("a boolean"), _COMPAT + "Bool"
)
_declare_check(
    "validate_absolute_path",
    "absolute paths",
    "'/etc'",
    _absolute_or_all,
    _bad_path,
    _COMPAT + "Absolute_Path",
)
_declare_check(
    "validate_ip_address",
    "IP addresses",
    "'::1'",
    lambda value: _ip(value, 4, 6),
    _invalid("IP address"),
    _COMPAT + "Ip_Address",
)
_declare_check(
    "validate_ipv4_address",
    "IPv4 addresses",
    "'10.0.0.1'",
    lambda value: _ip(value, 4),
    _invalid("IPv4 address"),
    _COMPAT + "Ipv4_Address",
)
_declare_check(
    "validate_ipv6_address",
    "IPv6 addresses",
    "'::1'",
    lambda value: _ip(value, 6),
    _invalid("IPv6 address"),
    _COMPAT + "Ipv6_address",
)
_declare_check(
    "validate_domain_name",
    "domain names",
    "'example.com'",
    is_domain,
    lambda value: f"{inspect(value)} is not a syntactically correct domain name",
    "Stdlib::Fqdn",
)
_declare_check(
    "validate_email_address",
    "e-mail addresses",
    "'a@example.com'",
    _email,
    lambda value: f"{inspect(value)} is not a valid email address",
    "Stdlib::Email",
)


@function("validate_re(Any p0*)", context=True)
def validate_re(scope: Any, *args: Any) -> None:
    """Fails unless a String matches one of some patterns; the third argument is the message (deprecated).

    > validate_re('abc', '^a')
    undef

    > validate_re('abc', '^b', 'must start with b')
    ! Error while evaluating a Function Call, must start with b
    """
    from evaluator.values import Regexp

    _deprecated(scope, "Pattern[]")
    if len(args) not in (2, 3):
        raise Failure(f"validate_re(): wrong number of arguments ({len(args)}; must be 2 or 3)")
    value, patterns, *message = args
    if type(value) is not str:
        raise Failure(f"validate_re(): input needs to be a String, not a {host_class(value)}")
    for pattern in patterns if type(patterns) is list else [patterns]:
        regexp = Regexp(pattern) if type(pattern) is str else pattern
        if type(regexp) is not Regexp:
            raise Failure(f"no implicit conversion of {host_class(pattern)} into String")
        if regexp.search(value) is not None:
            return
    raise Failure(
        text(message[0]) if message else f"validate_re(): {inspect(value)} does not match {inspect(patterns)}"
    )


def _bound(name: str, which: str, value: Any, number: Callable[[str], Any], kind: str) -> Any:
    if value in ("", None):
        return None
    if not is_numeric_text(value) or (number is int and not is_integer_text(value)):
        raise Failure(
            f"{name}(): Expected {which} argument to be unset or {kind}, got {text(value)}:{host_class(value)}"
        )
    return number(value)


def _validate_numbers(
    name: str, args: tuple[Any, ...], number: Callable[[Any], Any], kind: str, test: Test
) -> None:
    if not 1 <= len(args) <= 3:
        raise Failure(f"{name}(): Wrong number of arguments; must be 1, 2 or 3, got {len(args)}")
    most = _bound(name, "second", args[1] if len(args) > 1 else "", number, kind)
    least = _bound(name, "third", args[2] if len(args) > 2 else "", number, kind)
    if most is not None and least is not None and least > most:
        raise Failure(
            f"{name}(): Expected second argument to be larger than third argument, got {most} < {least}"
        )
    given = args[0]
    if type(given) is not list and not test(given):
        raise Failure(f"{name}(): Expected first argument to be {kind} or Array, got {host_class(given)}")
    values = given if type(given) is list else [given]
    for place, value in enumerate(values):
        if not test(value):
            raise Failure(
                f"{name}(): Expected element at array position {place} to be {kind}, got {host_class(value)}"
            )
    for value in values:
        shown = (
            inspect([number(element) for element in given]) if type(given) is list else text(number(value))
        )
        for bound, wrong, words in (
            (most, most is not None and number(value) > most, "smaller or equal"),
            (least, least is not None and number(value) < least, "greater or equal"),
        ):
            if wrong:
                raise Failure(f"{name}(): Expected {shown} to be {words} to {text(bound)}, got {shown}.")


@function("validate_integer(Any p0*)", context=True)
def validate_integer(scope: Any, *args: Any) -> None:
    """Fails unless a value is an Integer, or text of one, between max and min (deprecated).

    > validate_integer(5, 10, 1)
    undef
    """
    _deprecated(scope, _COMPAT + "Integer")
    _validate_numbers("validate_integer", args, int, "an Integer", is_integer_text)


@function("validate_numeric(Any p0*)", context=True)
def validate_numeric(scope: Any, *args: Any) -> None:
    """Fails unless a value is a number, or text of one, between max and min (deprecated).

    > validate_numeric('1.5')
    undef
    """
    _deprecated(scope, _COMPAT + "Numeric")
    _validate_numbers("validate_numeric", args, float, "a Numeric", is_numeric_text)


@function("validate_slength(Any p0*)", context=True)
def validate_slength(scope: Any, *args: Any) -> None:
    """Fails unless a String, or every one of an array, is at most so long and at least so long (deprecated).

    > validate_slength('abc', 5, 1)
    undef
    """
    name = "validate_slength"
    _deprecated(scope, "String[]")
    if len(args) not in (2, 3):
        raise Failure(f"{name}(): Wrong number of arguments ({len(args)}; must be 2 or 3)")
    value, most, *rest = args
    least = rest[0] if rest else 0
    for which, bound in (("second", most), ("third", least)):
        if not re.fullmatch(r"\d+", text(bound)):
            raise Failure(
                f"{name}(): Expected {which} argument to be a positive Numeric, got {text(bound)}:{host_class(bound)}"
            )
    least, most = int(least), int(most)
    if most < least:
        raise Failure(f"{name}(): Expected second argument to be equal to or larger than third argument")
    if type(value) not in (str, list):
        raise Failure(f"{name}(): Expected first argument to be a String or Array, got {host_class(value)}")
    for string in value if type(value) is list else [value]:
        if not least <= len(string) <= most:
            raise Failure(
                f"{name}(): Expected length of {inspect(value)} to be between {least} and {most}, was {len(value)}"
            )


@function("validate_legacy(Any target_type, String function_name, Any value, Any args*)", context=True)
def validate_legacy(scope: Any, type_: Any, function_name: str, value: Any, *args: Any) -> Any:
    """Checks a value against a type, and against an old `validate_…` function for comparison.

    > validate_legacy(String, 'validate_string', 'a')
    undef

    > validate_legacy(Integer, 'validate_string', [])
    ! Error while evaluating a Function Call, validate_legacy(validate_string) expects an Integer value, got Array
    """
    from evaluator.types import TYPE, describe_mismatch
    from evaluator.values.core import is_type

    expected = scope.runtime.parse_type(type_) if type(type_) is str else type_
    if not is_type(expected):
        raise Failure(describe_mismatch("'validate_legacy' parameter 'target_type'", TYPE, type_))
    try:
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
    message = describe_mismatch(f"validate_legacy({function_name})", expected, value)
    if not fits:
        raise Failure(message)
    scope.runtime.log("warning", message)
    return message
