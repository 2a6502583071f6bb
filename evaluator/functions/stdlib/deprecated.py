"""stdlib: deprecated functions: `is_…`, `validate_…`, and older forms of functions.

The table `KINDS` declares functions `is_NAME` and `validate_NAME`; those with more parameters are written out below it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from evaluator.calling.call_mismatches import make_mismatch_failure
from evaluator.calling.registry import function
from evaluator.calling.signatures import Signature
from evaluator.functions.files import warn_of_no_path
from evaluator.functions.navigation import get_part
from evaluator.functions.stdlib.recognition import (
    is_absolute,
    is_address,
    is_domain,
    is_email,
    is_float_text,
    is_integer_text,
    is_mac_address,
    is_numeric_text,
    is_text,
)
from evaluator.issues import Failure, require
from evaluator.kinds.sprintf import sprintf
from evaluator.program import effects
from evaluator.program.definitions import Scope
from evaluator.program.tracing import list_running_calls
from evaluator.types.puppet_wording import describe_as_arguments
from evaluator.values import RegexpValue, Value, format_value, to_ruby_text
from evaluator.values.dag import flatten_lists
from evaluator.values.regexps import remove_empty_end
from evaluator.values.ruby_values import (
    get_ruby_class,
    get_ruby_class_name,
    inspect_for_message,
    parse_float,
    parse_integer,
    require_method,
    require_string,
    to_ruby_s,
)
from lexer_parser.record import Record

Test = Callable[[Value], bool]


def warn_once(scope: Scope, key: str, message: str) -> str | None:
    """Log a deprecation by the setting `strict`; return the warning, None without one.

    Raises Failure if the setting is "error".
    """
    strict, warned = scope.runtime.settings.strict, scope.runtime.state.warned
    effects.forbid_repetition()
    if strict == "off" or (strict != "error" and key in warned):
        return None
    calls = [f'["{file}", {line}]' for file, line in list_running_calls()]
    message = f"{message} at {':'.join([*calls, ''][:2])}"  # the two innermost; a missing one is ""
    require(strict != "error", "STDLIB_DEPRECATION", key=key, message=message)
    warned.add(key)
    scope.runtime.log("warning", message)
    return message


@function("deprecation(String key, String message)", context=True)
def deprecation(scope: Scope, key: str, message: str) -> str | None:
    """Log a warning that something is deprecated, once for each key.

    > deprecation('old_thing', 'use new_thing')
    warning: use new_thing at ["unknown", 1]:["unknown", 0]
    'use new_thing at ["unknown", 1]:["unknown", 0]'
    """
    return warn_once(scope, key, message)


# --- is_NAME and validate_NAME


class KindQuery(NamedTuple):
    """The function `is_NAME`.

    Attributes:
        compat_type: The type that replaces it: the end of its name after `Stdlib::Compat::`, or "".
        count_issue: The issue for a wrong number of arguments.
        ignores_rest: True if it ignores arguments after the first.
    """

    compat_type: str = ""
    count_issue: str = "ARGUMENT_COUNT_FOR"
    ignores_rest: bool = False


class KindValidation(NamedTuple):
    """The function `validate_NAME`.

    Attributes:
        expected: The end of its message about an invalid String: the expected kind.
        issue: The issue of its message.
        compat_type: The type that replaces it: the end of its name after `Stdlib::Compat::`, or "".
        test: Its own test, if it differs from that of the kind.
        expected_of_others: The end of its message about other invalid values, for the issue `_TEXT`.
    """

    expected: str
    issue: str
    compat_type: str = ""
    test: Test | None = None
    expected_of_others: str = "a string."


class ValueKind(NamedTuple):
    """A kind of values, and the functions that test for it.

    Attributes:
        name: The end of the names of its functions.
        words: The kind in the help of `is_NAME`.
        example: The source of a value of the kind.
        test: Returns True for a value of the kind.
        plural: The kind in the help of `validate_NAME`; "" if that does not exist.
        query: The function `is_NAME`; None if it does not exist.
        validation: The function `validate_NAME`; None if it does not exist.
        warn: Logs warnings about an argument before it is tested; None for none.
    """

    name: str
    words: str
    example: str
    test: Test
    plural: str = ""
    query: KindQuery | None = None
    validation: KindValidation | None = None
    warn: Callable[[Scope, Value], None] | None = None


_COUNT_IN_BRACKETS, _TYPE, _TEXT = "ARGUMENT_COUNT_GIVEN", "VALIDATION_OF_TYPE", "VALIDATION_OF_TEXT"
_WARNED_NAMES = {"is_ipv6_address": "is_ipv4_address"}  # stdlib warns of one under the name of another

# The names of types are in the case of the released messages: `Ip_address`, `Ip_Address`.
# fmt: off
KINDS = (
    ValueKind(name="array", words="an Array", plural="Arrays", example="[]", test=lambda value: type(value) is list,
              query=KindQuery("Array", _COUNT_IN_BRACKETS, ignores_rest=True),
              validation=KindValidation("an Array", _TYPE, "Array")),
    ValueKind(name="hash", words="a Hash", plural="Hashes", example="{}", test=lambda value: type(value) is dict,
              query=KindQuery("", _COUNT_IN_BRACKETS),
              validation=KindValidation("a Hash", _TYPE, "Hash")),
    ValueKind(name="bool", words="a Boolean", plural="Booleans", example="true",
              test=lambda value: type(value) is bool,
              query=KindQuery("Bool", _COUNT_IN_BRACKETS),
              validation=KindValidation("a boolean", _TYPE, "Bool")),
    ValueKind(name="string", words="a String that is not a number", plural="Strings", example="'a'", test=is_text,
              query=KindQuery("String", _COUNT_IN_BRACKETS, ignores_rest=True),
              validation=KindValidation("a string", _TYPE, "String",
                                        test=lambda value: value is None or type(value) is str)),
    ValueKind(name="integer", words="an Integer or a String with one", example="'1'", test=is_integer_text,
              query=KindQuery()),
    ValueKind(name="float", words="a Float or a String with one", example="'1.5'", test=is_float_text,
              query=KindQuery("Float")),
    ValueKind(name="numeric", words="a number or a String with one", example="'1e3'", test=is_numeric_text,
              query=KindQuery("Numeric")),
    ValueKind(name="ip_address", words="an IP address", plural="IP addresses", example="'::1'",
              test=lambda value: is_address(value, 4, 6),
              query=KindQuery("Ip_address"),
              validation=KindValidation("a valid IP address.", _TEXT, "Ip_Address")),
    ValueKind(name="ipv4_address", words="an IPv4 address", plural="IPv4 addresses", example="'10.0.0.1'",
              test=lambda value: is_address(value, 4),
              query=KindQuery("Ipv4"),
              validation=KindValidation("a valid IPv4 address.", _TEXT, "Ipv4_Address")),
    ValueKind(name="ipv6_address", words="an IPv6 address", plural="IPv6 addresses", example="'::1'",
              test=lambda value: is_address(value, 6),
              query=KindQuery("Ipv6"),
              validation=KindValidation("a valid IPv6 address.", _TEXT, "Ipv6_address")),
    ValueKind(name="absolute_path", words="an absolute path", plural="absolute paths", example="'/etc'",
              test=is_absolute, warn=warn_of_no_path,
              query=KindQuery("Absolute_Path", _COUNT_IN_BRACKETS),
              validation=KindValidation("an absolute path.", _TEXT, "Absolute_Path",
                                        expected_of_others="an absolute path.")),
    ValueKind(name="domain_name", words="a domain name", plural="domain names", example="'example.com'",
              test=is_domain, query=KindQuery(),
              validation=KindValidation("a syntactically correct domain name", _TEXT)),
    ValueKind(name="email_address", words="an e-mail address", plural="e-mail addresses", example="'a@example.com'",
              test=is_email, query=KindQuery(), validation=KindValidation("a valid email address", _TEXT)),
    ValueKind(name="mac_address", words="a hardware address", example="'00:11:22:33:44:55'", test=is_mac_address,
              query=KindQuery()),
)
# fmt: on

Check = Callable[..., None]
CHECKS: dict[str, Check] = {}  # the functions `validate_…` without their warnings, for `validate_legacy`

_MATCH_TYPES = (
    "This method is deprecated, please use match expressions with Stdlib::Compat::{} instead. They are described at"
    " https://docs.puppet.com/puppet/latest/reference/lang_data_type.html#match-expressions."
)
_VALIDATE_LEGACY = (
    "This method is deprecated, please use the stdlib validate_legacy function,\n"
    "                    with {}. There is further documentation for validate_legacy function in the README."
)


def _make_signature(name: str, replacement: str) -> str:
    """Return the signature of a function; one that a type replaces ignores a block."""
    return f"{name}(Any args*, Callable block?)" if replacement else f"{name}(Any p0*)"


def _declare_query(kind: ValueKind, query: KindQuery) -> None:
    """Declare `is_NAME`, which logs a warning if a type replaces it."""
    name = f"is_{kind.name}"

    def body(scope: Scope, *values: Value, block: object = None) -> bool:
        if query.compat_type:
            warn_once(scope, _WARNED_NAMES.get(name, name), _MATCH_TYPES.format(query.compat_type))
        is_count_valid = len(values) == 1 or (values and query.ignores_rest)
        require(is_count_valid, query.count_issue, function=name, number=len(values), expected="1")
        if kind.warn:
            kind.warn(scope, values[0])
        return kind.test(values[0])

    old = " (deprecated: match with a type instead)" if query.compat_type else ""
    body.__doc__ = (
        f"Return whether a value is {kind.words}{old}.\n\n    > {name}({kind.example})\n    true\n    "
    )
    function(_make_signature(name, query.compat_type), context=True, usage=("{name}(Any value)",))(body)


def _declare_validation(kind: ValueKind, validation: KindValidation) -> None:
    """Declare `validate_NAME`, which fails at its first argument that is not of the kind."""
    name = f"validate_{kind.name}"
    is_valid = validation.test or kind.test

    def check(scope: Scope, *values: Value) -> None:
        require(values, "ARGUMENT_COUNT_OF", function=name, number=0, expected="> 0")
        for value in values:
            # only `validate_absolute_path` accepts an array of values to test
            parts = value if kind.name == "absolute_path" and type(value) is list else [value]
            for part in parts:
                if kind.warn:
                    kind.warn(scope, part)
                if not is_valid(part):
                    raise _make_invalid_failure(validation, part)

    check.__doc__ = (
        f"Fail unless all arguments are {kind.plural} (deprecated: declare parameters with types)."
        f"\n\n    > {name}({kind.example})\n    undef\n    "
    )
    compat = f"Stdlib::Compat::{validation.compat_type}" if validation.compat_type else ""
    _declare_check(name, compat, ("{name}(Any values+)",), check)


def _make_invalid_failure(validation: KindValidation, value: Value) -> Failure:
    if validation.issue == _TYPE:
        return Failure(
            _TYPE,
            value=inspect_for_message(value),
            expected=validation.expected,
            actual=get_ruby_class(value),
        )
    return Failure(
        _TEXT,
        value=inspect_for_message(value),
        expected=validation.expected if type(value) is str else validation.expected_of_others,
    )


def _declare_check(name: str, replacement: str, usage: tuple[str, ...], check: Check) -> None:
    """Declare `validate_…`, which logs a warning if a type, named in full, replaces it."""

    def body(scope: Scope, *values: Value, block: object = None) -> None:
        if replacement:
            warn_once(scope, name, _VALIDATE_LEGACY.format(replacement))
        check(scope, *values)

    body.__doc__ = check.__doc__
    function(_make_signature(name, replacement), context=True, usage=usage)(body)
    CHECKS[name] = check


for _kind in KINDS:
    if _kind.query is not None:
        _declare_query(_kind, _kind.query)
    if _kind.validation is not None:
        _declare_validation(_kind, _kind.validation)


@function(
    "is_function_available(Any p0)", context=True, count="FUNCTION_NAME_COUNT", usage=("{name}(String name)",)
)
def is_function_available(scope: Scope, name: Value) -> bool:
    """Return whether a function of that name exists.

    The name has lower-case letters and no module.

    > is_function_available('map')
    true
    """
    return (
        type(name) is str
        and re.fullmatch(r"[a-z0-9_]+", name) is not None
        and scope.runtime.names.find_function(name) is not None
    )


# --- validate_re, validate_integer, validate_numeric, validate_slength


def validate_re(_scope: Scope, *args: Value) -> None:
    """Fail unless a String matches one of some patterns.

    The third argument is the message (deprecated).

    > validate_re('abc', '^a')
    undef

    > validate_re('abc', '^b', 'must start with b')
    ! Error while evaluating a Function Call, must start with b
    """
    require(
        len(args) in (2, 3), "ARGUMENT_COUNT_OF", function="validate_re", number=len(args), expected="2 or 3"
    )
    value, patterns, message = (*args, None)[:3]  # a missing message is None
    require(type(value) is str, "VALIDATE_RE_INPUT", actual=get_ruby_class(value))
    for pattern in flatten_lists([patterns]):
        regexp = RegexpValue(pattern) if type(pattern) is str else pattern
        require_string(type(regexp) is RegexpValue, get_ruby_class_name(pattern))
        if regexp.search(value) is not None:
            return
    if message is None:
        raise Failure(
            "VALIDATE_RE_MISMATCH", value=inspect_for_message(value), pattern=inspect_for_message(patterns)
        )
    raise Failure("VALIDATION_MESSAGE", message=to_ruby_s(message))


class NumberCheck(Record):
    """The function `validate_integer` or `validate_numeric`."""

    name: str
    words: str  # the expected kind of number, in messages
    parse: Callable[[str], float | None]  # returns the number of a String

    def check(self, _scope: Scope, *args: Value) -> None:
        """Fail unless a value, or each in an array, is a number within bounds (deprecated).

        The text of a number is accepted too; the bounds are the largest and the smallest number.

        > validate_integer(5, 10, 1)
        undef

        > validate_numeric('1.5')
        undef
        """
        require(1 <= len(args) <= 3, "VALIDATION_COUNT", function=self.name, number=len(args))
        most = least = None
        if len(args) > 1 and args[1] not in (None, ""):
            most = self._parse_bound("second", args[1], "String")
        if len(args) > 2:
            least = self._parse_bound("third", args[2], get_ruby_class(args[2]))
        is_range = most is None or least is None or least <= most
        require(is_range, "VALIDATION_BOUNDS", function=self.name, most=most, least=least)
        argument = args[0]
        for value in argument if type(argument) is list else [argument]:
            number = self._parse_element(argument, value)
            subject = inspect_for_message(argument) if type(argument) is list else to_ruby_s(number)
            if most is not None and number > most:
                raise self._make_bounds_failure(subject, "smaller or equal", most)
            if least is not None and number < least:
                raise self._make_bounds_failure(subject, "greater or equal", least)

    def _parse_number(self, value: Value) -> float | None:
        return self.parse(to_ruby_s(value)) if type(value) in (int, float, str) else None

    def _parse_bound(self, position: str, value: Value, class_name: str) -> float:
        """Return a bound, the second or third argument. Raise Failure if it is no number."""
        number = self._parse_number(value)
        if number is None:
            actual = f"{'' if value is None else to_ruby_text(value)}:{class_name}"
            raise _make_mismatch_failure(self.name, f"{position} argument", f"unset or {self.words}", actual)
        return number

    def _parse_element(self, argument: Value, value: Value) -> float:
        """Return the number of `value`: the argument itself or, of an array, an element of it."""
        number = self._parse_number(value)
        if number is not None:
            return number
        if argument is value:
            # both released functions report the name validate_integer for a hash
            name = "validate_integer" if type(value) is dict else self.name
            raise _make_mismatch_failure(
                name, "first argument", f"{self.words} or Array", get_ruby_class(value)
            )
        position = next(index for index, element in enumerate(argument) if element is value)
        raise _make_mismatch_failure(
            self.name, f"element at array position {position}", self.words, get_ruby_class(value)
        )

    def _make_bounds_failure(self, subject: str, words: str, bound: float) -> Failure:
        return Failure(
            "VALIDATION_OF_NUMBER", function=self.name, value=subject, expected=words, bound=to_ruby_s(bound)
        )


def validate_slength(_scope: Scope, *args: Value) -> None:
    """Fail unless a String, or each in an array, has a length from min to max (deprecated).

    > validate_slength('abc', 5, 1)
    undef
    """
    require(len(args) in (2, 3), "SLENGTH_COUNT", number=len(args))
    value, most, least = (*args, None)[:3]  # a missing bound is None
    most = _check_length("second argument", "a positive Numeric", most, smallest=1)
    least = (
        0
        if least is None
        else _check_length("third argument", "unset or a positive Numeric", least, smallest=0)
    )
    require(most >= least, "SLENGTH_BOUNDS")
    if type(value) not in (str, list):
        raise _make_mismatch_failure(
            "validate_slength", "first argument", "a String or Array", get_ruby_class(value)
        )
    for position, string in enumerate(value if type(value) is list else [value]):
        if type(string) is not str:
            subject = f"element at array position {position}"
            raise _make_mismatch_failure("validate_slength", subject, "a String", get_ruby_class(string))
        if not least <= len(string) <= most:
            # as released, the number for an array is the length of the array
            lengths = {"least": least, "most": most, "number": len(value)}
            raise Failure("VALIDATION_OF_LENGTH", value=inspect_for_message(value), **lengths)


def _check_length(subject: str, expected: str, value: Value, *, smallest: int) -> int:
    """Return a bound of `validate_slength`. Raise Failure below `smallest` or for no number."""
    length = int(value) if type(value) in (int, float) else None
    if type(value) is str:
        length = parse_integer(value)
    if length is None or length < smallest:
        actual = f"{'' if value is None else to_ruby_text(value)}:{get_ruby_class(value)}"
        raise _make_mismatch_failure("validate_slength", subject, expected, actual)
    return length


def _make_mismatch_failure(function: str, subject: str, expected: str, actual: str) -> Failure:
    return Failure("VALIDATION_EXPECTED", function=function, what=subject, expected=expected, actual=actual)


_declare_check(
    "validate_re",
    "Pattern[]",
    ("{name}(String text, Variant[String, Array[String]] patterns, String message?)",),
    validate_re,
)
for _check in (
    NumberCheck("validate_integer", "an Integer", parse_integer),
    NumberCheck("validate_numeric", "a Numeric", parse_float),
):
    _type = f"Stdlib::Compat::{_check.name.removeprefix('validate_').capitalize()}"
    _declare_check(_check.name, _type, ("{name}(Any value, Any max?, Any min?)",), _check.check)
_declare_check(
    "validate_slength",
    "String[]",
    ("{name}(Variant[String, Array[String]] text, Integer max, Integer min?)",),
    validate_slength,
)


@function(
    "validate_legacy(Type target_type, String function_name, Any value, Any args*, Callable block?)",
    "validate_legacy(String type_string, String function_name, Any value, Any args*, Callable block?)",
    context=True,
    usage=("{name}(Type type, String function_name, Any value, Any arguments*)",),
)
def validate_legacy(
    scope: Scope, type_: Value, function_name: str, value: Value, *args: Value, block: object = None
) -> str | None:
    """Check a value against a type, and report if an old function `validate_…` differs.

    > validate_legacy(String, 'validate_string', 'a')
    undef

    > validate_legacy(Integer, 'validate_string', [])
    ! Error while evaluating a Function Call, validate_legacy(validate_string) expects an Integer value, got Array
    """
    expected = scope.runtime.names.parse_type(type_) if type(type_) is str else type_
    check = CHECKS.get(function_name)
    try:
        if check is not None:
            check(scope, value, *args)
        else:
            scope.runtime.call_function(function_name, [value, *args], None, scope)
    except Failure:
        if expected.instance(value):
            message = f"Accepting previously invalid value for target type '{expected}'"
            scope.runtime.log("notice", message)
            return message
        was_valid = False
    else:
        was_valid = True
    if expected.instance(value):
        return None
    mismatch = Failure(
        "VALIDATION_FAILED", **describe_as_arguments(f"validate_legacy({function_name})", expected, value)
    )
    if not was_valid:
        raise mismatch
    return warn_once(scope, "validate_legacy", str(mismatch))


# The released function counts and lists the scope as an argument.
_LEGACY_FORMS = [
    Signature.parse(f"validate_legacy(Any scope, {checked}, String function_name, Any value, Any args*)")
    for checked in ("Type target_type", "String type_string")
]
validate_legacy.mismatch(lambda *args: make_mismatch_failure("validate_legacy", _LEGACY_FORMS, (None, *args)))


# --- older forms of functions that the language has now


@function("dig44(Any p0, Any p1*)", usage=("dig44(Variant[Hash, Array] data, Array path, Any default?)",))
def dig44(data: Value, *rest: Value) -> Value:
    """Return the value at a path of keys and indices in data, or a default.

    > dig44({ 'a' => { 'b' => 1 } }, ['a', 'b'], 'default')
    1
    """
    require(rest, "ARGUMENT_COUNT_GIVEN", function="dig44", number=1, expected="at least 2")
    path, default = (*rest, None)[:2]  # a missing default is None
    require(
        type(data) in (dict, list),
        "DIG44_ARGUMENT",
        which="first",
        expected="a hash or an array",
        actual=get_ruby_class(data),
    )
    actual = get_ruby_class(path)
    require(type(path) is list, "DIG44_ARGUMENT", which="second", expected="an array", actual=actual)
    return _get_value_at(data, path, default)


def _get_value_at(value: Value, path: list[Value], default: Value) -> Value:
    """Return the value at a path of keys and indices, or the default."""
    for step in path:
        value = get_part(value, _to_index(step) if type(value) is list else step)
        if value is None:
            return default
    return value


def _to_index(step: Value) -> int | None:
    """Return the index of an array that a step of a path means; None if it is not a number."""
    if type(step) is float:
        return int(step)
    return int(format_value(step)) if re.fullmatch(r"-?[0-9]+", format_value(step)) else None


@function(
    "try_get_value(Any p0, Any p1*)",
    context=True,
    usage=("try_get_value(Any data, String path, Any default?, String separator?)",),
)
def try_get_value(
    scope: Scope,
    data: Value,
    path: Value = "",
    default: Value = None,
    separator: Value = "/",
    *_ignored: Value,
) -> Value:
    """Return the value at a path such as 'a/b' in data (deprecated: use `get` or `dig`).

    > try_get_value({ 'a' => { 'b' => 1 } }, 'a/b')
    1
    """
    scope.runtime.log(
        "warning", "try_get_value() DEPRECATED: this function is deprecated, please use dig() instead."
    )
    if path == "" or type(data) not in (dict, list):
        return data if default is None or default is False else default
    require_method(type(path) is str, "split", path)
    mark = format_value(separator)
    return _get_value_at(data, remove_empty_end(path.split(mark) if mark else list(path)), default)


@function("sprintf_hash(String format, Hash arguments)", context=True)
def sprintf_hash(scope: Scope, pattern: str, values: dict[Value, Value]) -> str:
    """Format the values of a hash by their names (deprecated: `sprintf` does it).

    > sprintf_hash('%{a}', { 'a' => 1 })
    '1'
    """
    message = "This method is deprecated. From Puppet 4.10.10/5.3.4 please use the built-in sprintf instead"
    warn_once(scope, "sprintf_hash", message)
    return sprintf(pattern, [values])
