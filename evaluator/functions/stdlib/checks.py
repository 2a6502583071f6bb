"""stdlib: the tests `is_…`, most of them deprecated, which types replace."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from evaluator.calling.registry import function
from evaluator.functions.numbers import host_float
from evaluator.functions.stdlib.addresses import is_address
from evaluator.functions.stdlib.deprecation import warn_once
from evaluator.issues import Failure
from evaluator.program.scope import Scope
from evaluator.values import text
from evaluator.values.host_classes import host_name
from evaluator.values.host_messages import no_string
from evaluator.values.slices import finds, finds_line, run_end

Test = Callable[[Any], bool]

# --- What the tests ask. The host's `^` and `$` stand at the ends of every line.

_INTEGER = re.compile(r"^-?(?:[1-9][0-9]*|0)$", re.MULTILINE)
_NUMERIC = re.compile(r"^-?(?:[1-9][0-9]*|0)(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?$", re.MULTILINE)
_ABSOLUTE = re.compile(
    r"^(?:/|[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/][^\\/]+|[\\/]{2}\?[\\/][^\\/]+)", re.MULTILINE
)
_LABEL = re.compile(r"^[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?$", re.MULTILINE)
_LAST_LABEL = re.compile(r"^[A-Za-z]+$", re.MULTILINE)
# an e-mail address: (WORD OTHER?)+ @ HOST+ (\. LABEL+)+
_WORD = re.compile(r"[\w+\-]", re.ASCII)
_NO_WORDS = re.compile(r"[^\w+\-]{2}|\n", re.ASCII)
_HOST, _LABELS = re.compile(r"[a-z\d\-]*", re.ASCII), re.compile(r"[a-z.]*")
_MAC = re.compile(r"^(?:[0-9a-fA-F]{2}:){5}(?:(?:[0-9a-fA-F]{2}:){14})?[0-9a-fA-F]{2}$", re.MULTILINE)


def is_integer_text(value: Any) -> bool:
    """An Integer, or decimal text of one without leading zeros."""
    return type(value) is int or (type(value) is str and finds_line(_INTEGER, value))


def is_float_text(value: Any) -> bool:
    """A Float, or text that is exactly how a Float is written."""
    if type(value) is not str:
        return type(value) is float
    number = host_float(value)
    return number is not None and text(number) == value


def is_numeric_text(value: Any) -> bool:
    """A number, or decimal text of one without leading zeros."""
    return type(value) in (int, float) or (type(value) is str and finds_line(_NUMERIC, value))


def is_text(value: Any) -> bool:
    """A String that is not just how a number is written. What is not set counts as empty text."""
    if type(value) is not str:
        return value is None
    return not (is_float_text(value) or (re.fullmatch(r"-?\d+", value) and str(int(value)) == value))


def is_domain(value: Any) -> bool:
    """A name of labels, of which the last one of several has only letters; a dot at the end is allowed."""
    if type(value) is not str or not value or len(value) > 255:
        return False
    *labels, last = value.removesuffix(".").split(".")
    if value == ".":
        return True
    return all(map(_LABEL.search, [*labels, last])) and (not labels or _LAST_LABEL.search(last) is not None)


def is_absolute(value: Any) -> bool:
    """An absolute path of Unix or Windows."""
    return type(value) is str and _ABSOLUTE.search(value) is not None


def is_email(value: Any) -> bool:
    """The text of an e-mail address."""
    if type(value) is not str:
        return False
    user, _, domain = value.rpartition("@")
    host, _, labels = domain.partition(".")
    return (
        _WORD.match(user) is not None
        and not finds(_NO_WORDS, user, 2)
        and host != ""
        and run_end(_HOST, host) == len(host)
        and run_end(_LABELS, labels) == len(labels)
        and ".." not in f".{labels}."
    )


def _is_mac(value: Any) -> bool:
    if type(value) is not str:
        raise no_string(host_name(value))
    return _MAC.search(value) is not None


# --- is_…

_TYPES_INSTEAD = (
    "This method is deprecated, please use match expressions with Stdlib::Compat::{} instead. They are described at"
    " https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions."
)


def _declare(
    name: str, words: str, example: str, test: Test, replacement: str, count: str, extra: bool
) -> None:
    """Declares a test. One that a type replaces warns and gets the values as they are.

    count  the code for a wrong number of arguments;  extra  true where arguments after the first are ignored
    """

    def body(scope: Scope, *values: Any) -> bool:
        if replacement:
            warn_once(scope, name, _TYPES_INSTEAD.format(replacement))
        if not values or (len(values) > 1 and not extra):
            raise Failure(count, function=name, number=len(values), expected="1")
        return test(values[0])

    old = " (deprecated: match with a type instead)" if replacement else ""
    body.__doc__ = f"Tells whether a value is {words}{old}.\n\n    > {name}({example})\n    true\n    "
    function(f"{name}(Any {'args' if replacement else 'p0'}*)", context=True)(body)


_IN_BRACKETS = "ARGUMENT_COUNT_GIVEN"
_BARE = "ARGUMENT_COUNT_FOR"
for _row in (
    ("is_array", "an Array", "[]", lambda value: type(value) is list, "Array", _IN_BRACKETS, True),
    ("is_hash", "a Hash", "{}", lambda value: type(value) is dict, "", _IN_BRACKETS, False),
    ("is_bool", "a Boolean", "true", lambda value: type(value) is bool, "Bool", _IN_BRACKETS, False),
    ("is_string", "a String that is no number", "'a'", is_text, "String", _IN_BRACKETS, True),
    ("is_integer", "an Integer or the text of one", "'1'", is_integer_text, "", _BARE, False),
    ("is_float", "a Float or the text of one", "'1.5'", is_float_text, "Float", _BARE, False),
    ("is_numeric", "a number or the text of one", "'1e3'", is_numeric_text, "Numeric", _BARE, False),
    ("is_ip_address", "an IP address", "'::1'", lambda v: is_address(v, 4, 6), "Ip_address", _BARE, False),
    ("is_ipv4_address", "an IPv4 address", "'10.0.0.1'", lambda v: is_address(v, 4), "Ipv4", _BARE, False),
    ("is_ipv6_address", "an IPv6 address", "'::1'", lambda v: is_address(v, 6), "Ipv6", _BARE, False),
    ("is_absolute_path", "an absolute path", "'/etc'", is_absolute, "Absolute_Path", _IN_BRACKETS, False),
    ("is_domain_name", "a domain name", "'example.com'", is_domain, "", _BARE, False),
    ("is_email_address", "an e-mail address", "'a@example.com'", is_email, "", _BARE, False),
    ("is_mac_address", "a hardware address", "'00:11:22:33:44:55'", _is_mac, "", _BARE, False),
):
    _declare(*_row)


@function(
    "is_function_available(Any p0)",
    context=True,
    count="FUNCTION_NAME_COUNT",
)
def is_function_available(scope: Scope, name: Any) -> bool:
    """Tells whether there is a function of that name, which must be in small letters and in no module.

    > is_function_available('map')
    true
    """
    return (
        type(name) is str
        and re.fullmatch(r"[a-z0-9_]+", name) is not None
        and scope.runtime.names.find_function(name) is not None
    )
