"""Text and patterns: matching, substitution, splitting and formatting."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from evaluator.calling.registry import function
from evaluator.issues import Failure
from evaluator.kinds.sprintf import sprintf as format_values
from evaluator.types import PatternType, RegexpType, VariantType
from evaluator.values import is_type, slices
from evaluator.values.host_classes import host_class, host_name
from evaluator.values.host_messages import no_string
from evaluator.values.regexps import regexps as ruby
from evaluator.values.regexps.regexps import Regexp
from evaluator.values.remembering import remembered

# --- match


def _pattern_failure(pattern: Any) -> Failure:
    return Failure("NO_PATTERN", actual=host_class(pattern))


def regexps_of(pattern: Any) -> Iterable[Any]:
    """The regular expressions that a pattern stands for: text, Regexp, Regexp[..], Pattern[..], arrays of them.

    Each is looked at when it is its turn: what is wrong behind one that matches does no harm.
    """
    if type(pattern) is Regexp:
        return [pattern]
    if type(pattern) is str:
        return [_compiled(pattern)]
    if type(pattern) is list:
        return (regexp for part in pattern for regexp in regexps_of(part))
    if is_type(pattern):
        return _regexps_of_type(pattern)
    raise _pattern_failure(pattern)


def _regexps_of_type(pattern: Any) -> Iterable[Any]:
    resolved = pattern.resolve()
    if isinstance(resolved, PatternType):
        return resolved.patterns
    if isinstance(resolved, VariantType):
        return (regexp for part in resolved.types for regexp in regexps_of(part))
    if not isinstance(resolved, RegexpType):
        raise _pattern_failure(pattern)
    if resolved.pattern is None:
        raise Failure("EMPTY_REGEXP_TYPE")
    return [resolved.pattern]


@remembered(1000)
def _compiled(source: str, flags: str = "") -> Regexp:
    """The Regexp of a source; a bad expression is reported here."""
    found = Regexp(source, flags)
    found.compiled  # noqa: B018
    return found


def _first_match(string: str, regexps: Iterable[Any]) -> list[Any] | None:
    for regexp in regexps:
        match = regexp.compiled.search(string)
        if match is not None:
            return [match[0], *match.groups()]
    return None


@function("match(String string, Variant[Any, Type] pattern)")
def match(string: str, pattern: Any) -> Any:
    """Gives the matched text and its groups in an array, or undef. For an array of Strings it gives an array.

    The pattern is a Regexp, a String, a Regexp or Pattern type, or an array of these, of which the first that matches
    counts. Other than `=~` it leaves `$0`, `$1`, … as they are.

    > match('abc123', /([a-z]+)(\\d+)/)
    ['abc123', 'abc', '123']

    > match(['a1', 'b'], /\\d/)
    [['1'], undef]

    > '10.4'.match('(\\d+)[.](\\d+)')[1, 2]
    ['10', '4']
    """
    return _first_match(string, regexps_of(pattern))


@match.overload("match(Array[String] string, Variant[Any, Type] pattern)")
def match_all(strings: list[str], pattern: Any) -> list[Any]:
    """Matches every String."""
    return [_first_match(string, regexps_of(pattern)) for string in strings]


# --- regsubst

REGSUBST = (
    "Variant[String, Hash[String, String]] replacement",
    "regsubst(Variant[Array[String], String] target, ",
)


OPTIONS = {"E": "x", "I": "i", "M": "m"}  # flags of a String pattern, as options of an expression


def _substituted(target: Any, regexp: Any, replacement: Any, flags: str | None) -> Any:
    everywhere = flags is not None and "G" in flags
    if type(target) is str:
        return ruby.substitute(regexp, target, replacement, everywhere)
    return [ruby.substitute(regexp, string, replacement, everywhere) for string in target]


@function(
    f"{REGSUBST[1]}String pattern, {REGSUBST[0]}, Optional[Pattern[/^[GEIM]*$/]] flags?,"
    " Enum['E', 'N', 'S', 'U'] encoding?)"
)
def regsubst(
    target: Any, pattern: str, replacement: Any, flags: str | None = None, _encoding: str = "U"
) -> Any:
    r"""Replaces the first match of a pattern, or all with the flag G, in a String or in every String of an array.

    Flags of a String pattern: G all matches, I ignore case, M `.` matches line ends, E blanks mean nothing.
    A replacement may hold `\0` to `\9` and `\k<name>`; a hash maps matched text to new text.

    > regsubst('abcabc', 'b', 'X', 'G')
    'aXcaXc'

    > regsubst('user@host', /(\w+)@(\w+)/, '\2: \1')
    'host: user'

    > regsubst('cat and dog', /cat|dog/, { 'cat' => 'dog', 'dog' => 'cat' }, 'G')
    'dog and cat'

    > ['a.conf', 'b.conf'].regsubst('[.]conf$', '')
    ['a', 'b']
    """
    return _substituted(target, _compiled(pattern, _options(flags) if flags else ""), replacement, flags)


@lru_cache(maxsize=100)
def _options(flags: str) -> str:
    return "".join(sorted({OPTIONS[flag] for flag in flags if flag in OPTIONS}))


@regsubst.overload(
    f"{REGSUBST[1]}Variant[Regexp, Type[Regexp]] pattern, {REGSUBST[0]}, Pattern[/^G?$/] flags?)"
)
def regsubst_regexp(target: Any, pattern: Any, replacement: Any, flags: str | None = None) -> Any:
    """Replaces what a Regexp matches."""
    return _substituted(target, _regexp_of(pattern), replacement, flags)


def _regexp_of(pattern: Any) -> Any:
    """The Regexp itself, or the one of a Regexp type; the bare type matches the empty text."""
    if not is_type(pattern):
        return pattern
    return pattern.resolve().pattern or Regexp("")


# --- split

SPECIAL = frozenset("\\.^$*+?()[]{}|")


@function("split(String str, String pattern)")
def split(string: str, pattern: str) -> list[str]:
    """Splits text where a pattern matches; empty parts at the end are dropped.

    A String pattern is a regular expression too: a dot or bar that is meant stands in brackets, as in `'[.]'`. Text
    that groups of the pattern match is kept among the parts.

    > split('a,b,,c', ',')
    ['a', 'b', '', 'c']

    > 'a1b2c'.split(/\\d/)
    ['a', 'b', 'c']

    > split('abc', '')
    ['a', 'b', 'c']

    > '10.0.0.1'.split('[.]')
    ['10', '0', '0', '1']
    """
    if pattern and SPECIAL.isdisjoint(pattern):
        parts = slices.split(string, pattern)
        while parts and not parts[-1]:
            parts.pop()
        return parts
    if not pattern:
        return list(string)
    return ruby.split(string, _compiled(pattern))


@split.overload("split(String str, Regexp pattern)", "split(String str, Type[Regexp] pattern)")
def split_at(string: str, pattern: Any) -> list[str]:
    """Splits where a Regexp matches."""
    return ruby.split(string, _regexp_of(pattern))


# --- sprintf


@function("sprintf(Any p0, Any p1*)")
def sprintf(pattern: Any, *values: Any) -> str:
    """Formats values: `%s` text, `%d` integer, `%x` hexadecimal, `%.2f` float, `%-8s` and `%08d` for width.

    `%%` is the sign itself; `%2$s` takes the second value; text for a number is converted, if it is one. With one
    hash argument `%<name>d` and `%{name}` take values from it.

    > sprintf('%05.2f|%s|%d|%x|%%', 3.14159, 'a', 10, 255)
    '03.14|a|10|ff|%'

    > sprintf('%<a>s %{b}', { 'a' => 1, 'b' => 2 })
    '1 2'

    > sprintf('%-6s|%3d', 'cpu', 42)
    'cpu   | 42'
    """
    if type(pattern) is not str:
        raise no_string(host_name(pattern))
    if len(pattern) <= SHORT and _is_plain(pattern, (*map(type, values),)):
        return pattern % values
    return format_values(pattern, list(values))


PLAIN = re.compile(r"(?:[^%]|%%)*(?:%[-+]?0?\d{0,3}(?:d|(?:\.\d{1,2})?s)(?:[^%]|%%)*)*", re.DOTALL)
SHORT = 1_000  # longer ones are not kept
FITTING = {"s": (str, int), "d": (int,)}


@lru_cache(maxsize=1000)
def _is_plain(pattern: str, kinds: tuple[type, ...]) -> bool:
    """Whether Python's own formatting gives the same for a format and values of these types."""
    if not PLAIN.fullmatch(pattern):
        return False
    letters = re.findall(r"%[-+0-9.]*([sd])", pattern.replace("%%", ""))
    return len(letters) == len(kinds) and all(
        kind in FITTING[letter] for kind, letter in zip(kinds, letters, strict=True)
    )
