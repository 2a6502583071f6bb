"""The operators `in`, `=~` and `!~`, and the matching of case and selector options.

Specification: Expressions, "Pattern Match", "IN operator" and "Conditional Expressions".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evaluator import values
from evaluator.issues import Failure, make_error
from evaluator.operators.comparison import Equal, parse_number
from evaluator.values import (
    DEFAULT,
    Value,
    add_article,
    describe_kind,
    encode_utf8,
    get,
    is_type,
    iterate_items,
    list_keys,
)
from evaluator.values.dag import CONTAINERS
from evaluator.values.kind import BINARY, REGEXP, SEMVER, SEMVER_RANGE, STRING, get_kind
from evaluator.values.regexps import RegexpValue, make_regexp
from evaluator.values.ruby_values import get_ruby_class_name
from lexer_parser.dialect import Dialect

if TYPE_CHECKING:
    from evaluator.running.runtime import Runtime


def fold_unicode(text: str) -> str:
    """Return a String in lower case, letter by letter, as `in` compares them."""
    return text.lower() if text.isascii() else "".join(map(str.lower, text))


# The classes of the elements of an array in which Python searches as Puppet does.
_ONLY_INTEGERS = {int}
# The types of which every part of a String is an instance, as they are printed.
_TYPES_OF_STRINGS = ("String", "Data", "Any", "Object")


class MatchingOperators:
    """The search and match operators of one dialect.

    Attributes:
        runtime: The running program; its `match` is the last match, from which match variables are read.
        equals: The operator `==`.
        option: Returns True when a value matches an option of a `case` or selector, as the dialect requires.
        _clears_match: True if a search without result clears the last match.
        _drops_anchors: True if `\\A` and `\\Z` in a String that is used as a pattern are ignored.
        _in_as_specified: True if `in` stores no match, and finds types in Strings.
        _in_finds_numbers: True if `in` finds a number in a String that denotes it.
    """

    equals: Equal

    def __init__(self, dialect: Dialect, runtime: Runtime) -> None:
        self.runtime = runtime
        self._clears_match = dialect.match_reset
        self._drops_anchors = dialect.regexp_form
        self._in_as_specified = dialect.in_search
        self._in_finds_numbers = dialect.string_numbers
        self.option = self._matches_specified if dialect.option_match else self._matches_released

    def search(self, regexp: Value, text: str) -> bool:
        """Return True when a Regexp matches in a String, and store the match."""
        # As `RegexpValue.search`, but without its call: for short texts, its `simple` form needs no limit of time.
        compiled = regexp.compiled
        match = (compiled.simple if len(text) <= compiled.quick else compiled).search(text)
        if match is not None:
            self.runtime.match = match
            return True
        if self._clears_match:
            self.runtime.match = None
        return False

    # --- =~ and !~

    def matches(self, left: Value, right: Value) -> bool:
        """Return `left =~ right`: search a pattern in a String, or test for an instance of a type."""
        if type(right) is RegexpValue and type(left) is str:  # the most frequent case
            return self.search(right, left)
        if is_type(right):
            return bool(right.instance(left))
        kind = get_kind(right)
        if kind is SEMVER_RANGE:
            return is_in_range(left, right)
        regexp = right if kind is REGEXP else _to_regexp(right, self._drops_anchors)
        if type(left) is not str:
            raise make_error("MATCH_NOT_STRING", left=add_article(describe_kind(left)), operand=0)
        return self.search(regexp, left)

    def not_matches(self, left: Value, right: Value) -> bool:
        """Return `left !~ right`; match variables are set as by `=~`."""
        return not self.matches(left, right)

    # --- in

    def contains(self, left: Value, right: Value) -> bool:
        """Return `left in right`: a part of a String, an element, a key, or a version in a range."""
        right_class = type(right)
        if right_class is str:
            return self._is_in_text(left, right)
        if right_class is dict:
            right = list_keys(right)
        elif right_class is not list:
            return _is_in_other(left, right)
        elif type(left) is int and set(map(type, right)) == _ONLY_INTEGERS:
            return left in right
        if is_type(left):
            return any(map(left.instance, right))
        left_kind = get_kind(left)
        if left_kind is REGEXP:
            return any(self._finds(left, element) for element in right if type(element) is str)
        if left_kind is SEMVER or (left_kind is STRING and not self._in_as_specified):
            # Puppet compares these as it compares the options of a `case`
            return any(self._matches_released(left, element) for element in right)
        return any(self.equals(element, left) for element in right)

    def _is_in_text(self, left: Value, right: str) -> bool:
        """Return `left in right` for a String on the right."""
        left_class = type(left)
        if left_class is str:
            return left in right or fold_unicode(left) in fold_unicode(right)
        if get_kind(left) is REGEXP:
            return self._finds(left, right)
        if self._in_finds_numbers and (left_class is int or left_class is float):
            return bool(parse_number(right, as_source=True) == left)
        return self._in_as_specified and is_type(left) and str(left) in _TYPES_OF_STRINGS

    def _finds(self, regexp: Value, text: str) -> bool:
        """Return True when a Regexp matches in a String; some dialects store the match of `in`."""
        if self._in_as_specified:
            return regexp.search(text) is not None
        return self.search(regexp, text)

    # --- case and selector options

    def _matches_specified(self, value: Value, option: Value) -> bool:
        """Return True when a value matches an option; arrays, hashes and types compare by `==`."""
        option_class = type(option)
        if option_class is str or option_class is int:
            return self.equals(value, option)
        if get_kind(option) is REGEXP:
            return type(value) is str and self.search(option, value)
        if is_type(option) and not is_type(value):
            return bool(option.instance(value))
        if get_kind(option) is SEMVER_RANGE:
            return is_in_range(value, option) or value == option
        return self.equals(value, option)

    def _matches_released(self, value: Value, option: Value) -> bool:
        """Return True when a value matches an option; arrays and hashes match part by part.

        It does not recurse, because CPython limits the recursion of calls through C; each pair of parts is
        compared once.
        """
        if type(option) not in CONTAINERS:
            return self._matches_released_part(value, option)
        seen: set[tuple[int, int]] = set()
        # the pairs that are left of each collection, from the outermost on
        levels = [iter([(value, option)])]
        while levels:
            for inner, part in levels[-1]:
                part_class = type(part)
                if part_class not in CONTAINERS:
                    if not self._matches_released_part(inner, part):
                        return False
                    continue
                if type(inner) is not part_class or (part_class is list and len(inner) != len(part)):
                    return False
                pair = id(inner), id(part)
                if pair not in seen:
                    seen.add(pair)
                    levels.append(_iterate_pairs(inner, part))
                    break
            else:
                levels.pop()
        return True

    def _matches_released_part(self, value: Value, option: Value) -> bool:
        """Return True when a value matches an option that is neither array nor hash."""
        option_class = type(option)
        if option_class is str or option_class is int:
            return self.equals(value, option)
        if option is DEFAULT:
            return True
        if get_kind(option) is REGEXP:
            return type(value) is str and self.search(option, value)
        if is_type(option):
            return bool(option.instance(value))
        if get_kind(option) is SEMVER_RANGE:
            return is_in_range(value, option)
        if get_kind(option) is SEMVER:
            return bool(to_version(value) == option)
        return self.equals(value, option)


def _iterate_pairs(value: Value, option: Value) -> Iterator[tuple[Value, Value]]:
    """Return the parts of an array or hash, paired with the parts of an option."""
    if type(option) is list:
        return zip(value, option, strict=True)
    return ((get(value, key), part) for key, part in iterate_items(option))


def to_version(value: Value) -> Value:
    """Return a SemVer, or the one that a String denotes; None for other values."""
    if type(value) is str:
        try:
            return values.SemVer.parse(value)  # loaded on first use
        except Failure:
            return None
    return value if get_kind(value) is SEMVER else None


def is_in_range(value: Value, version_range: Value) -> bool:
    """Return True when a SemVer, or a String that denotes one, is in a SemVerRange."""
    version = to_version(value)
    return version is not None and version_range.includes(version)


def _is_in_other(left: Value, right: Value) -> bool:
    """Return `left in right` for a SemVerRange or Binary; other values contain nothing."""
    kind = get_kind(right)
    if kind is SEMVER_RANGE:
        return is_in_range(left, right)
    if kind is BINARY:
        if type(left) is str:
            return encode_utf8(left) in right.data
        if type(left) is type(right):
            return left.data in right.data
        return left in tuple(right.data) if type(left) in (int, float) else left == right
    return False


def _to_regexp(value: Value, drops_anchors: bool) -> Value:
    """Return the right operand of a match as Regexp. Raises MATCH_NOT_REGEXP."""
    if type(value) is str:
        try:
            return make_regexp(value, drops_anchors)
        except Failure as failure:
            raise make_error("MATCH_NOT_REGEXP", detail=str(failure), operand=1) from None
    raise make_error(
        "MATCH_NOT_REGEXP",
        detail=f"no implicit conversion of {get_ruby_class_name(value)} into String",
        operand=1,
    )
