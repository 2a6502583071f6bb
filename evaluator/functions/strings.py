"""Functions of Strings: letters, ends, matching, substitution, splitting and formatting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial

from evaluator.calling.registry import function
from evaluator.issues import Failure, require
from evaluator.kinds.sprintf import sprintf as format_values
from evaluator.program.definitions import Scope
from evaluator.program.log import log_deprecation
from evaluator.types import PatternType, RegexpType, VariantType
from evaluator.values import Sensitive, Value, is_type, iterate
from evaluator.values import regexps as ruby
from evaluator.values.chunked import CHUNK, iterate_text_chunks, map_text, split_text, strip_text
from evaluator.values.dag import flatten_lists, map_leaves
from evaluator.values.regexps import RegexpValue
from evaluator.values.ruby_values import (
    get_ruby_class,
    get_ruby_class_name,
    make_no_method_failure,
    make_no_string_failure,
    require_method,
)
from lexer_parser.memo import LONGEST, memoize

BLANKS = " \t\n\v\f\r\0"


def _signatures(name: str) -> tuple[str, ...]:
    return (f"{name}(Numeric arg)", f"{name}(String arg)", f"{name}(Iterable[Variant[String, Numeric]] arg)")


def _nested_signatures(name: str) -> tuple[str, ...]:
    return (
        f"{name}(Numeric arg)",
        f"{name}(String arg)",
        f"{name}(Array[StringData] arg)",
        f"{name}(Hash[StringData, StringData] arg)",
    )


def _change_each(value: Value, change: Callable[[str], str]) -> Value:
    """Return the changed String, or an array of the changed elements; numbers stay unchanged."""
    if type(value) is str:
        return change(value)
    if type(value) in (int, float):
        return value
    require_method(not is_type(value), "map", value)
    return [change(element) if type(element) is str else element for element in iterate(value) or ()]


def _change_deep(value: Value, change: Callable[[str], str]) -> Value:
    """Return the value with all Strings changed in nested arrays and hashes, keys too."""
    return map_leaves(value, lambda leaf: change(leaf) if type(leaf) is str else leaf)


def to_lower(string: str) -> str:
    """Return the text in lower case, with one form of sigma in all positions."""
    if len(string) <= CHUNK and string.isascii():
        return string.lower()
    if "Σ" in string:
        return "".join(map(str.lower, string))
    return map_text(string, str.lower)


def to_upper(string: str) -> str:
    """Return the text in upper case."""
    return string.upper() if len(string) <= CHUNK and string.isascii() else map_text(string, str.upper)


def capitalize_word(string: str) -> str:
    """Return the text with its first letter in upper case and the others in lower case."""
    if len(string) <= CHUNK and string.isascii():
        return string.capitalize()
    return string[:1].title() + to_lower(string[1:])


@function(
    *_nested_signatures("upcase"),
    usage=("upcase(Variant[String, Numeric] text)", "upcase(Variant[Array, Hash] texts)"),
)
def upcase(value: Value) -> Value:
    """Convert a String, or all Strings in nested arrays and hashes, to upper case.

    > upcase('aé')
    'AÉ'

    > ['a', ['b']].upcase
    ['A', ['B']]
    """
    return to_upper(value) if type(value) is str else _change_deep(value, to_upper)


@function(
    *_nested_signatures("downcase"),
    usage=("downcase(Variant[String, Numeric] text)", "downcase(Variant[Array, Hash] texts)"),
)
def downcase(value: Value) -> Value:
    """Convert a String, or all Strings in nested arrays and hashes, to lower case.

    > downcase('ABÉ')
    'abé'

    > { 'A' => ['B', 1] }.downcase
    {'a' => ['b', 1]}
    """
    return to_lower(value) if type(value) is str else _change_deep(value, to_lower)


@function(*_signatures("capitalize"))
def capitalize(value: Value) -> Value:
    """Capitalize a String, or each String of an array; its other letters become lower case.

    > capitalize('aBC dEF')
    'Abc def'

    > capitalize(['ab', 'cd'])
    ['Ab', 'Cd']
    """
    return capitalize_word(value) if type(value) is str else _change_each(value, capitalize_word)


@function(*_signatures("camelcase"))
def camelcase(value: Value) -> Value:
    """Join the words between underscores and capitalize them.

    > camelcase('abc_def')
    'AbcDef'

    > ['web_server', 'HTTP_port'].camelcase
    ['WebServer', 'HttpPort']
    """
    return _change_each(value, lambda string: "".join(map(capitalize_word, split_text(string, "_"))))


@function(*_signatures("chomp"))
def chomp(value: Value) -> Value:
    r"""Remove a line end (LF, CR or CR LF) from a String or from each String of an array.

    > chomp("a\n\n")
    "a\n"

    > chomp(["a\r\n", 'b'])
    ['a', 'b']
    """
    return _change_each(value, _chomp)


def _chomp(string: str) -> str:
    return string.removesuffix(next(filter(string.endswith, ("\r\n", "\n", "\r")), ""))


@function(*_signatures("chop"))
def chop(value: Value) -> Value:
    """Remove the last character of a String or of each String of an array.

    CR LF at the end counts as one.

    `chomp` removes the last character only if it is a line end.

    > chop('abc')
    'ab'

    > chop(['abc', ''])
    ['ab', '']
    """
    return _change_each(value, lambda string: string[:-2] if string.endswith("\r\n") else string[:-1])


@function(*_signatures("lstrip"))
def lstrip(value: Value) -> Value:
    """Remove blanks, tabs and line ends from the start of a String or of each in an array.

    > lstrip('  a ')
    'a '

    > [' a', '  b '].lstrip
    ['a', 'b ']
    """
    return _change_each(value, partial(_strip, right=False))


@function(*_signatures("rstrip"))
def rstrip(value: Value) -> Value:
    r"""Remove blanks, tabs and line ends from the end of a String or of each in an array.

    > rstrip('  a ')
    '  a'

    > rstrip("two lines\n\n")
    'two lines'
    """
    return _change_each(value, partial(_strip, left=False))


@function(*_signatures("strip"))
def strip(value: Value) -> Value:
    """Remove blanks, tabs and line ends from both ends of a String or of each in an array.

    > strip('  a ')
    'a'

    > [' a ', 'b '].strip
    ['a', 'b']
    """
    return _strip(value) if type(value) is str else _change_each(value, _strip)


def _strip(string: str, *, left: bool = True, right: bool = True) -> str:
    if len(string) > CHUNK:
        return strip_text(string, BLANKS, left=left, right=right)
    if left and right:
        return string.strip(BLANKS)
    return string.lstrip(BLANKS) if left else string.rstrip(BLANKS)


@function("shellquote(Any p0*)", usage=("shellquote(Variant[String, Array] words*)",))
def shellquote(*values: Value) -> str:
    """Quote words for a Unix shell and join them with blanks; arrays are flattened.

    > shellquote('ls', '-l', ['my file', '$HOME'])
    'ls -l "my file" \\'$HOME\\''
    """
    words: list[str] = []
    for value in flatten_lists([*values]):
        if type(value) is str:
            words.append(_quote_word(value))
        elif type(value) is dict:
            raise make_no_string_failure("Hash")
        else:
            raise make_no_method_failure("length", value)
    return " ".join(words)


_QUOTED = str.maketrans({one: f"\\{one}" for one in '"`$\\!'})


def _quote_word(word: str) -> str:
    """Return a word in the quotes that a Unix shell needs, if it needs any."""
    if word and all(re.fullmatch(r"[A-Za-z0-9@%_+=:,./-]+", part) for part in iterate_text_chunks(word)):
        return word
    if not any(re.search(r'["`$\\!]', part) for part in iterate_text_chunks(word)):
        return f'"{word}"'
    if "'" not in word:
        return f"'{word}'"
    return '"' + map_text(word, lambda part: part.translate(_QUOTED)) + '"'


# --- match


def _make_pattern_failure(pattern: Value) -> Failure:
    return Failure("NO_PATTERN", actual=get_ruby_class(pattern))


def iterate_regexps(pattern: Value) -> Iterable[Value]:
    """Yield the regular expressions of a pattern.

    It is a String, a Regexp, a Regexp or Pattern type, or an array of these.

    They are compiled one by one: an error in one that follows a match is not reported.
    """
    if type(pattern) is RegexpValue:
        return [pattern]
    if type(pattern) is str:
        return [_compile(pattern)]
    if type(pattern) is list:
        return (regexp for part in pattern for regexp in iterate_regexps(part))
    if is_type(pattern):
        return _list_regexps_of_type(pattern)
    raise _make_pattern_failure(pattern)


def _list_regexps_of_type(pattern: Value) -> Iterable[Value]:
    """Return the regular expressions of a type. Raise Failure for other types."""
    resolved = pattern.resolve()
    if isinstance(resolved, PatternType):
        return resolved.patterns
    if isinstance(resolved, VariantType):
        return (regexp for part in resolved.types for regexp in iterate_regexps(part))
    if not isinstance(resolved, RegexpType):
        raise _make_pattern_failure(pattern)
    require(resolved.pattern is not None, "EMPTY_REGEXP_TYPE")
    return [resolved.pattern]


@memoize(1000, longest=LONGEST)
def _compile(source: str, flags: str = "") -> RegexpValue:
    return RegexpValue(source, flags).compile()


def _first_match(string: str, regexps: Iterable[Value]) -> list[Value] | None:
    for regexp in regexps:
        match = regexp.compiled.search(string)
        if match is not None:
            return [match[0], *match.groups()]
    return None


@function("match(String string, Variant[Any, Type] pattern)")
def match(string: str, pattern: Value) -> Value:
    """Return the matched text and its groups in an array, or undef.

    For an array of Strings it returns an array of these.

    The pattern is a Regexp, a String, a Regexp or Pattern type, or an array of these, of which the first that matches
    is used. Unlike `=~`, it does not set `$0`, `$1` and so on.

    > match('abc123', /([a-z]+)(\\d+)/)
    ['abc123', 'abc', '123']

    > match(['a1', 'b'], /\\d/)
    [['1'], undef]

    > '10.4'.match('(\\d+)[.](\\d+)')[1, 2]
    ['10', '4']
    """
    return _first_match(string, iterate_regexps(pattern))


@match.overload("match(Array[String] string, Variant[Any, Type] pattern)")
def match_all(strings: list[str], pattern: Value) -> list[Value]:
    """Match every String."""
    return [_first_match(string, iterate_regexps(pattern)) for string in strings]


# --- regsubst

_REPLACEMENT = "Variant[String, Hash[String, String]] replacement"
_TARGET = "regsubst(Variant[Array[String], String] target,"
_TARGETS = "Array[Variant[String, Sensitive[String]]]"
_SENSITIVE_TARGET = f"regsubst(Variant[{_TARGETS}, Sensitive[{_TARGETS}], String, Sensitive[String]] target,"
_FLAGS = "Optional[Pattern[/^[GEIM]*$/]] flags?"
_REGEXP = f" Variant[Regexp, Type[Regexp]] pattern, {_REPLACEMENT}, Pattern[/^G?$/] flags?)"


OPTIONS = {"E": "x", "I": "i", "M": "m"}  # flags of a String pattern, as options of an expression


def _substitute(target: Value, regexp: Value, replacement: Value, flags: str | None) -> Value:
    """Return the target with matches replaced, also in arrays and Sensitive values."""
    everywhere = flags is not None and "G" in flags
    if type(target) is str:
        return ruby.substitute(regexp, target, replacement, everywhere)
    if isinstance(target, Sensitive):
        return Sensitive(_substitute(target.value, regexp, replacement, flags))
    return [_substitute(item, regexp, replacement, flags) for item in target]


@function(
    f"{_TARGET} String pattern, {_REPLACEMENT}, Optional[Pattern[/^[GEIM]*$/]] flags?,"
    " Enum['E', 'N', 'S', 'U'] encoding?)",
    context=True,
    switch="!sensitive_targets",
    usage=(
        "regsubst(String target, Variant[String, Regexp] pattern, Variant[String, Hash] replacement, String flags?)",
        "regsubst(Array[String] target, Variant[String, Regexp] pattern, Variant[String, Hash] replacement,"
        " String flags?)",
    ),
)
def regsubst(
    scope: Scope,
    target: Value,
    pattern: str,
    replacement: Value,
    flags: str | None = None,
    encoding: str | None = None,
) -> Value:
    r"""Replace the first match of a pattern, or all, in a String or each String of an array.

    Flags of a String pattern: G all matches, I ignore case, M `.` matches line ends, E blanks are ignored.
    A replacement may contain `\0` to `\9` and `\k<name>`; a hash maps matched text to new text.

    > regsubst('abcabc', 'b', 'X', 'G')
    'aXcaXc'

    > regsubst('user@host', /(\w+)@(\w+)/, '\2: \1')
    'host: user'

    > regsubst('cat and dog', /cat|dog/, { 'cat' => 'dog', 'dog' => 'cat' }, 'G')
    'dog and cat'

    > ['a.conf', 'b.conf'].regsubst('[.]conf$', '')
    ['a', 'b']
    """
    if encoding is not None and scope.runtime.dialect.sensitive_split:
        message = (
            "The regsubst() function's encoding argument has been ignored since Ruby 1.9 and will be removed in a"
            " future release"
        )
        log_deprecation(scope.runtime, message)
    return _substitute_by_pattern(target, pattern, replacement, flags)


@memoize(100)
def _options(flags: str) -> str:
    return "".join(sorted({OPTIONS[flag] for flag in flags if flag in OPTIONS}))


def _substitute_by_pattern(
    target: Value, pattern: Value, replacement: Value, flags: str | None = None
) -> Value:
    """Replace the matches of a String, a Regexp or its type."""
    return _substitute(target, _to_regexp(pattern, flags), replacement, flags)


regsubst.add((f"{_TARGET}{_REGEXP}",), _substitute_by_pattern, context=False, switch="!sensitive_targets")
# A target that is Sensitive, or a part of it, stays so.
regsubst.add(
    (f"{_SENSITIVE_TARGET} String pattern, {_REPLACEMENT}, {_FLAGS})", f"{_SENSITIVE_TARGET}{_REGEXP}"),
    _substitute_by_pattern,
    context=False,
    switch="sensitive_targets",
)


def _to_regexp(pattern: Value, flags: str | None = None) -> Value:
    """Return the Regexp of a String with flags, the Regexp itself, or that of a Regexp type.

    The bare type matches the empty String.
    """
    if type(pattern) is str:
        return _compile(pattern, _options(flags) if flags else "")
    if not is_type(pattern):
        return pattern
    return pattern.resolve().pattern or RegexpValue("")


# --- split

SPECIAL = frozenset("\\.^$*+?()[]{}|")


_PATTERNS = ("String", "Regexp", "Type[Regexp]")


@function(*(f"split(String str, {pattern} pattern)" for pattern in _PATTERNS))
def split(string: str, pattern: Value) -> list[str]:
    """Split a String where a pattern matches; empty parts at the end are dropped.

    A String pattern is a regular expression too: write a literal dot or bar in brackets, as in `'[.]'`. The groups of
    the pattern are included in the result.

    > split('a,b,,c', ',')
    ['a', 'b', '', 'c']

    > 'a1b2c'.split(/\\d/)
    ['a', 'b', 'c']

    > split('abc', '')
    ['a', 'b', 'c']

    > '10.0.0.1'.split('[.]')
    ['10', '0', '0', '1']
    """
    if type(pattern) is not str:
        return ruby.split(string, _to_regexp(pattern))
    if not pattern:
        return list(string)
    if not SPECIAL.isdisjoint(pattern):
        return ruby.split(string, _compile(pattern))
    parts = split_text(string, pattern)
    return parts if parts and parts[-1] else ruby.remove_empty_end(parts)


@split.overload(
    *(f"split(Sensitive[String] sensitive, {pattern} pattern)" for pattern in _PATTERNS),
    context=True,
    switch="sensitive_split",
)
def split_sensitive(scope: Scope, sensitive: Sensitive, pattern: Value) -> Sensitive:
    """Split a secret: the parts are one, too."""
    return Sensitive(split.invoke(scope, (sensitive.value, pattern), None))


# --- sprintf


@function(
    "sprintf(Any p0, Any p1*)",
    usage=("sprintf(String format, Any values*)", "sprintf(String format, Hash values)"),
)
def sprintf(pattern: Value, *values: Value) -> str:
    """Format values.

    `%s` is text, `%d` an integer, `%x` hexadecimal, `%.2f` a float; `%-8s` and `%08d` set a width.

    `%%` is a percent sign; `%2$s` is the second value; a numeric String is converted for a number. With one hash
    argument `%<name>d` and `%{name}` are values of it.

    > sprintf('%05.2f|%s|%d|%x|%%', 3.14159, 'a', 10, 255)
    '03.14|a|10|ff|%'

    > sprintf('%<a>s %{b}', { 'a' => 1, 'b' => 2 })
    '1 2'

    > sprintf('%-6s|%3d', 'cpu', 42)
    'cpu   | 42'
    """
    if type(pattern) is not str:
        raise make_no_string_failure(get_ruby_class_name(pattern))
    if len(pattern) <= SHORT and _is_plain(pattern, (*map(type, values),)):
        return pattern % values
    return format_values(pattern, list(values))


PLAIN = re.compile(r"(?:[^%]|%%)*(?:%[-+]?0?\d{0,3}(?:d|(?:\.\d{1,2})?s)(?:[^%]|%%)*)*", re.DOTALL)
SHORT = 1_000  # longer ones are not cached
FITTING = {"s": (str, int), "d": (int,)}


@memoize(1000)
def _is_plain(pattern: str, kinds: tuple[type, ...]) -> bool:
    """Return whether Python's formatting has the same result for values of these types."""
    if not PLAIN.fullmatch(pattern):
        return False
    letters = re.findall(r"%[-+0-9.]*([sd])", pattern.replace("%%", ""))
    return len(letters) == len(kinds) and all(
        kind in FITTING[letter] for kind, letter in zip(kinds, letters, strict=True)
    )
