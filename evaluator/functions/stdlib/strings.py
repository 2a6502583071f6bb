"""stdlib: functions of Strings, paths, encodings and command lines.

The released functions take any arguments and test them themselves, hence `Any p0`. `usage` is what help shows instead;
`count` and `takes` word the error of a wrong number of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import chain
from posixpath import splitext
from string import ascii_lowercase, digits

from evaluator.calling.registry import function
from evaluator.issues import Failure, require
from evaluator.types import Type
from evaluator.values import Sensitive, Value, encode_utf8, format_value, to_ruby_text
from evaluator.values.binaries import Binary, decode_base64
from evaluator.values.chunked import iterate_text_chunks, map_text
from evaluator.values.regexps import escape_regexp
from evaluator.values.ruby_values import (
    get_ruby_class_name,
    inspect_for_message,
    make_no_string_failure,
    parse_leading_integer,
    require_argument,
    require_method,
    require_string,
    to_ruby_s,
)

# --- Letters and lines


def _change_strings(name: str, value: Value, change: Callable[[str], str]) -> Value:
    """Return a changed String, or an array of changed Strings.

    Raises Failure for other values.
    """
    if type(value) is str:
        return change(value)
    if type(value) is list:
        return [change(element) if type(element) is str else element for element in value]
    raise Failure("ARGUMENT_REQUIRED", function=name, expected="either array or string to work with")


def make_character_test(letters: Value) -> Callable[[str], bool]:
    """Return a function that tests whether a character is in a set such as `a-c` or `^x`.

    A backslash escapes a character.
    """
    require_string(type(letters) is str, get_ruby_class_name(letters))
    is_negated = len(letters) > 1 and letters[0] == "^"
    ranges = []
    for match in re.finditer(r"(\\?.)(?:-(\\?.))?", letters[is_negated:], re.DOTALL):
        low = match[1][-1]
        high = match[2][-1] if match[2] else low
        require(low <= high, "INVALID_CHARACTER_RANGE", low=low, high=high)
        ranges.append((low, high))

    def is_in_set(char: str) -> bool:
        return any(low <= char <= high for low, high in ranges) is not is_negated

    return is_in_set


@function(
    "squeeze(Any p0)",
    "squeeze(Any p0, Any p1)",
    count="ARGUMENT_COUNT_FOR",
    takes="2 or 1",
    usage=("squeeze(Variant[String, Array[String]] text, String characters?)",),
)
def squeeze(value: Value, letters: str | None = None) -> Value:
    """Replace runs of a character by one; with a second argument only runs of its characters.

    > squeeze('aabb')
    'ab'

    > squeeze('aabb', 'a')
    'abb'
    """
    is_squeezed = make_character_test(letters) if letters is not None else lambda char: True

    def change(string: Value) -> str:
        require_method(type(string) is str, "squeeze", string)
        parts, before = [], ""
        for part in iterate_text_chunks(string):
            pairs = zip(chain((before,), part), part, strict=False)
            parts.append("".join([char for last, char in pairs if char != last or not is_squeezed(char)]))
            before = part[-1]
        return "".join(parts)

    return [change(element) for element in value] if type(value) is list else change(value)


@function("swapcase(Any p0, Any p1*)", takes="1", usage=("swapcase(Variant[String, Array[String]] text)",))
def swapcase(value: Value, *_ignored: Value) -> Value:
    """Convert upper case letters to lower case and the reverse.

    > swapcase('aBc')
    'AbC'
    """
    return _change_strings("swapcase", value, partial(map_text, change=str.swapcase))


def _check_string(name: str, value: Value, expected: str = "string as argument") -> str:
    """Return an argument, which must be a String. Raise Failure otherwise."""
    require(type(value) is str, "ARGUMENT_REQUIRED", function=name, expected=expected)
    return str(value)


@function("dos2unix(Any p0)", usage=("dos2unix(String text)",))
def dos2unix(value: Value) -> str:
    r"""Convert DOS line ends to Unix ones.

    > dos2unix("a\r\nb")
    "a\nb"
    """
    return _check_string("dos2unix", value).replace("\r\n", "\n")


@function("unix2dos(Any p0)", usage=("unix2dos(String text)",))
def unix2dos(value: Value) -> str:
    r"""Convert Unix line ends to DOS ones.

    > unix2dos("a\nb")
    "a\r\nb"
    """
    lines = _check_string("unix2dos", value).replace("\r\n", "\n")
    return map_text(lines, lambda part: part.replace("\n", "\r\n"))


@function(
    "regexpescape(Any p0, Any p1*)", takes="1", usage=("regexpescape(Variant[String, Array[String]] text)",)
)
def regexpescape(value: Value, *_ignored: Value) -> Value:
    r"""Escape the special characters of regular expressions.

    > regexpescape('a.b')
    'a\.b'
    """
    return _change_strings("regexpescape", value, partial(map_text, change=escape_regexp))


@function("uriescape(Any p0, Any p1*)", takes="1", usage=("uriescape(Variant[String, Array[String]] text)",))
def uriescape(value: Value, *_ignored: Value) -> Value:
    """Escape the characters that are not allowed in a URI.

    > uriescape('a b&c')
    'a%20b&c'
    """
    from urllib.parse import quote

    def escape(part: str) -> str:
        return quote(encode_utf8(part), safe="-_.!~*'();/?:@&=+$,[]")

    return _change_strings("uriescape", value, lambda string: map_text(string, escape))


@function("stdlib::xml_encode(String str, Enum['text','attr'] type?)")
def xml_encode(string: str, kind: str = "text") -> str:
    """Escape text for XML; with 'attr' it becomes a quoted attribute value.

    > stdlib::xml_encode('<a>')
    '&lt;a&gt;'
    """
    encoded = string.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if kind == "text":
        return encoded
    return '"' + encoded.replace('"', "&quot;").replace("'", "&apos;") + '"'


PREFIXES = "Variant[String[1], Array[String[1], 1]]"


@function(f"stdlib::start_with(String test_string, {PREFIXES} prefixes)")
def start_with(string: str, prefixes: Value) -> bool:
    """Return whether a String starts with another one, or with one of several.

    > stdlib::start_with('abc', ['x', 'a'])
    true
    """
    return string.startswith(tuple(prefixes) if type(prefixes) is list else prefixes)


@function(f"stdlib::end_with(String test_string, {PREFIXES} suffixes)")
def end_with(string: str, suffixes: Value) -> bool:
    """Return whether a String ends with another one, or with one of several.

    > stdlib::end_with('abc', 'c')
    true
    """
    return string.endswith(tuple(suffixes) if type(suffixes) is list else suffixes)


# --- Paths


@function("dirname(Any p0*)", usage=("dirname(String path)",))
def dirname(*args: Value) -> str:
    """Return the folder part of a path.

    > dirname('/etc/hosts')
    '/etc'

    > dirname('hosts')
    '.'
    """
    require(args, "NO_ARGUMENTS", function="dirname")
    require(len(args) <= 1, "TOO_MANY_ARGUMENTS", function="dirname", number=len(args))
    path = _check_string("dirname", args[0])
    require(path, "ARGUMENT_REQUIRED", function="dirname", expected="a non-empty string as argument")
    folder, slash, _ = re.sub("^//+", "/", path).rstrip("/").rpartition("/")
    return folder.rstrip("/") or ("/" if slash or path.startswith("/") else ".")


@function("basename(Any p0*)", usage=("basename(String path, String extension?)",))
def basename(*args: Value) -> str:
    """Return the last part of a path, without an extension if one is named.

    '.*' is any extension.

    > basename('/a/b.txt', '.txt')
    'b'
    """
    require(args, "NO_ARGUMENTS", function="basename")
    require(len(args) <= 2, "TOO_MANY_ARGUMENTS", function="basename", number=len(args))
    path, extension = (*args, "")[:2]  # a missing extension is ""
    path = _check_string("basename", path, "string as first argument")
    require(
        type(extension) is str, "ARGUMENT_REQUIRED", function="basename", expected="string as second argument"
    )
    name = str(path).rstrip("/").rpartition("/")[2] or ("/" if path else "")
    if extension == ".*":
        return name.removesuffix(find_extension(name))
    return name.removesuffix(extension) if name != extension else name


def find_extension(path: str) -> str:
    """Return the extension of a path with its dot; a leading dot begins no extension."""
    return splitext(path.rstrip("/"))[1]


@function("stdlib::extname(String filename)")
def extname(filename: str) -> str:
    """Return the extension of a file name, with its dot.

    > stdlib::extname('a.tar.gz')
    '.gz'
    """
    return find_extension(filename)


# --- Encodings


@function(
    "base64(Any p0*)",
    usage=(
        "base64(Enum['encode', 'decode'] action, String text, Enum['default', 'strict', 'urlsafe'] method?)",
    ),
)
def base64(*args: Value) -> str:
    r"""Encode or decode base64.

    Methods: 'default' (lines of 60), 'strict' (one line), 'urlsafe'.

    > base64('encode', 'hello')
    "aGVsbG8=\n"

    > base64('decode', 'aGVsbG8=')
    'hello'
    """
    require(len(args) >= 2, "BASE64_COUNT", number=len(args))
    action, value, *rest = args
    method = rest[0] if rest else "default"
    require_argument(
        action in ("encode", "decode"), "base64", "the first argument", "one of 'encode' or 'decode'"
    )
    require_argument(type(value) is str, "base64", "the second argument", "a string to base64")
    require_argument(
        method in list(_ENCODERS),
        "base64",
        "the third argument",
        "one of 'default', 'strict', or 'urlsafe'",
    )
    return _ENCODERS[method](Binary.of_text(value)) if action == "encode" else decode_base64(value, method)


_ENCODERS: dict[str, Callable[[Binary], str]] = {
    "default": Binary.wrapped_base64,
    "strict": Binary.base64,
    "urlsafe": Binary.urlsafe_base64,
}


_FIGURES = digits + ascii_lowercase


@function(
    "convert_base(Any p0, Any p1)",
    usage=("convert_base(Variant[Integer, String] number, Variant[Integer[2, 36], String] base)",),
)
def convert_base(value: Value, base: Value) -> str:
    """Write a number with another base, from 2 to 36.

    > convert_base(5, 2)
    '101'

    > convert_base('254', '16')
    'fe'
    """
    for argument, words in ((value, "First"), (base, "Second")):
        require_argument(
            type(argument) in (int, str), "convert_base", f"{words} argument", "either a string or an integer"
        )
    require_argument(
        all(type(part) is int or re.search(r"^\d+$", part, re.MULTILINE) for part in (value, base)),
        "convert_base",
        "First argument",
        "an integer or a string corresponding to an integer in base 10",
    )
    # As Ruby's `^` and `$`, the pattern accepts a string with a line of digits; only digits at its start count.
    number, radix = (part if type(part) is int else parse_leading_integer(part) for part in (value, base))
    rest = abs(number)
    require(2 <= radix <= 36, "CONVERT_BASE_RANGE")
    figures = ""
    while rest or not figures:
        rest, digit = divmod(rest, radix)
        figures = _FIGURES[digit] + figures
    return f"-{figures}" if number < 0 else figures


@function("to_bytes(Any p0)", usage=("to_bytes(Variant[String, Numeric] size)",))
def to_bytes(value: Value) -> int | float:
    """Read a size such as '4 kB' as a number of bytes; a kilobyte has 1024.

    > to_bytes('4 kB')
    4096
    """
    if type(value) is int or type(value) is float:
        return value
    if type(value) in (bool, list, dict, Sensitive) or isinstance(value, Type):
        raise make_no_string_failure(get_ruby_class_name(value))
    match = re.match(r"([-+0-9.e]*)\s*([^bB]?)", format_value(value))
    assert match is not None
    number = re.match(r"[-+]?(\d+(\.\d+)?|\.\d+)(e[-+]?\d+)?", match[1])
    amount = float(number[0]) if number else 0.0
    powers = {"": 0, "k": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}
    require(match[2] in powers, "UNKNOWN_SIZE_PREFIX", prefix=match[2])
    return int(amount * 2 ** powers[match[2]])


# --- command lines of Unix and Windows


def escape_word(word: str) -> str:
    """Return a word escaped for a Unix shell."""
    return "''" if not word else map_text(word, lambda part: part.translate(_UNIX_ESCAPES))


class ShellEscapes(dict[int, str]):
    """A table of escapes of a Unix shell, for `str.translate`; the default is a backslash."""

    def __missing__(self, character: int) -> str:
        return f"\\{chr(character)}"


_PLAIN_IN_UNIX = re.compile(r"[A-Za-z0-9_\-.,:+/@]")
_UNIX_ESCAPES = ShellEscapes(
    {code: chr(code) if _PLAIN_IN_UNIX.match(chr(code)) else f"\\{chr(code)}" for code in range(256)}
    | {ord("\n"): "'\n'"}
)
_POWERSHELL_ESCAPES = str.maketrans({character: f"`{character}" for character in " $'`|\n"} | {'"': '\\`"'})


@function("shell_escape(Any string)")
def shell_escape(value: Value) -> str:
    r"""Escape a String so that a Unix shell reads it as one word.

    > shell_escape('a b')
    'a\ b'
    """
    return escape_word(to_ruby_text(value))


@function("shell_join(Any p0)", usage=("shell_join(Array[String] words)",))
def shell_join(words: Value) -> str:
    r"""Join words into a command line, each escaped.

    > shell_join(['ls', 'a b'])
    'ls a\ b'
    """
    if type(words) is not list:
        raise Failure("SHELL_JOIN_ARRAY", value=inspect_for_message(words))
    return " ".join(escape_word(to_ruby_s(word)) for word in words)


# Its groups: plain text, text in single quotes, text in double quotes, an escaped character, a gap between words. It
# matches a quote that is not closed without a group.
_WORD_PART = re.compile(
    r"""([^\s\\'"]+)|'([^']*)'|"((?:[^"\\]++|\\.)*+)"|(\\.?)|(\s+)|.""", re.DOTALL | re.ASCII
)


@function("shell_split(Any p0)", usage=("shell_split(String line)",))
def shell_split(line: Value) -> list[str]:
    """Split a command line into words as a Unix shell does.

    > shell_split('ls "a b" c')
    ['ls', 'a b', 'c']
    """
    words: list[str] = []
    is_word_open = False
    for part in _WORD_PART.finditer(to_ruby_s(line)):
        plain, single, double, escaped, gap = part.groups()
        if part.lastindex is None:
            raise Failure("UNMATCHED_QUOTE", value=inspect_for_message(to_ruby_s(line)))
        if gap is None:
            words += [] if is_word_open else [""]
            # one group matched; an escape loses its backslash
            words[-1] += plain or single or _unquote(double or "") or (escaped or "")[-1:]
        is_word_open = gap is None
    return words


def _unquote(string: str) -> str:
    """Return the content of double quotes, where a backslash escapes special characters only."""
    # a function as replacement: it can be interrupted between its calls
    return re.sub(r'\\([$`"\\\n])', lambda match: match[1], string)


@function("batch_escape(Any string)")
def batch_escape(value: Value) -> str:
    """Quote a String for a Windows batch file.

    > batch_escape('a b')
    '"a b"'
    """
    return '"' + to_ruby_text(value).replace('"', '""').replace("\\", "\\\\").replace("$", "\\$") + '"'


@function("powershell_escape(Any string)")
def powershell_escape(value: Value) -> str:
    """Escape a String for PowerShell.

    > powershell_escape('a b')
    'a` b'
    """
    return map_text(to_ruby_text(value), lambda part: part.translate(_POWERSHELL_ESCAPES))
