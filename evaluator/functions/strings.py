"""Changing the letters and the ends of text, one by one or all in a list."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from evaluator.calling.registry import function
from evaluator.values import hash_of, items, iterate
from evaluator.values.host_messages import no_method, no_string
from evaluator.values.sharing import once
from evaluator.values.slices import SLICE, changed, slices, split, stripped

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


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """A changed String, a number as it is, or the array of what the elements of anything else give."""
    if type(value) is str:
        return change(value)
    if type(value) in (int, float):
        return value
    return [change(element) if type(element) is str else element for element in iterate(value) or ()]


@once
def _deep_text(again: Any, value: Any, change: Callable[[str], str]) -> Any:
    """As `_each_text`, for nested arrays and hashes, keys too."""
    if type(value) is str:
        return change(value)
    if type(value) is list:
        return [again(element, change) for element in value]
    if type(value) is dict:
        return hash_of([(again(k, change), again(v, change)) for k, v in items(value)])
    return value


def lower(string: str) -> str:
    """The text in small letters; a sigma is one, wherever it stands."""
    if "Σ" in string:
        return "".join(map(str.lower, string))
    return changed(string, str.lower)


def upper(string: str) -> str:
    """The text in capitals."""
    return changed(string, str.upper)


def capital(string: str) -> str:
    """The text with the first letter big and the others small."""
    if len(string) <= SLICE and string.isascii():
        return string.capitalize()
    return string[:1].title() + lower(string[1:])


@function(*_nested_signatures("upcase"))
def upcase(value: Any) -> Any:
    """Turns all letters into capitals, in a String or in all Strings of nested arrays and hashes, keys too.

    > upcase('aé')
    'AÉ'

    > ['a', ['b']].upcase
    ['A', ['B']]
    """
    if type(value) is str and len(value) <= SLICE:
        return value.upper()
    return _deep_text(value, upper)


@function(*_nested_signatures("downcase"))
def downcase(value: Any) -> Any:
    """Turns all letters into small ones, in a String or in all Strings of nested arrays and hashes, keys too.

    > downcase('ABÉ')
    'abé'

    > { 'A' => ['B', 1] }.downcase
    {'a' => ['b', 1]}
    """
    return lower(value) if type(value) is str else _deep_text(value, lower)


@function(*_signatures("capitalize"))
def capitalize(value: Any) -> Any:
    """Makes the first letter a capital and the others small, in a String or in each String of an array.

    > capitalize('aBC dEF')
    'Abc def'

    > capitalize(['ab', 'cd'])
    ['Ab', 'Cd']
    """
    return capital(value) if type(value) is str else _each_text(value, capital)


@function(*_signatures("camelcase"))
def camelcase(value: Any) -> Any:
    """Joins the words between underscores and makes their first letters capitals, the others small.

    > camelcase('abc_def')
    'AbcDef'

    > ['web_server', 'HTTP_port'].camelcase
    ['WebServer', 'HttpPort']
    """
    return _each_text(value, _camel)


def _camel(string: str) -> str:
    return "".join([capital(word) for word in split(string, "_")])


@function(*_signatures("chomp"))
def chomp(value: Any) -> Any:
    r"""Removes one line end, LF, CR or both, from the end of a String or of each String of an array.

    > chomp("a\n\n")
    "a\n"

    > chomp(["a\r\n", 'b'])
    ['a', 'b']
    """
    return _each_text(value, _chomped)


def _chomped(string: str) -> str:
    for end in ("\r\n", "\n", "\r"):
        if string.endswith(end):
            return string[: -len(end)]
    return string


@function(*_signatures("chop"))
def chop(value: Any) -> Any:
    """Removes the last character of a String or of each String of an array; CR LF at the end counts as one.

    `chomp` removes the last character only where it is a line end.

    > chop('abc')
    'ab'

    > chop(['abc', ''])
    ['ab', '']
    """
    return _each_text(value, lambda string: string[:-2] if string.endswith("\r\n") else string[:-1])


@function(*_signatures("lstrip"))
def lstrip(value: Any) -> Any:
    """Removes blanks, tabs and line ends from the start of a String or of each String of an array.

    > lstrip('  a ')
    'a '

    > [' a', '  b '].lstrip
    ['a', 'b ']
    """
    return _each_text(value, partial(_stripped, right=False))


@function(*_signatures("rstrip"))
def rstrip(value: Any) -> Any:
    r"""Removes blanks, tabs and line ends from the end of a String or of each String of an array.

    > rstrip('  a ')
    '  a'

    > rstrip("two lines\n\n")
    'two lines'
    """
    return _each_text(value, partial(_stripped, left=False))


@function(*_signatures("strip"))
def strip(value: Any) -> Any:
    """Removes blanks, tabs and line ends from both ends of a String or of each String of an array.

    > strip('  a ')
    'a'

    > [' a ', 'b '].strip
    ['a', 'b']
    """
    return _stripped(value) if type(value) is str else _each_text(value, _stripped)


def _stripped(string: str, *, left: bool = True, right: bool = True) -> str:
    if len(string) > SLICE:
        return stripped(string, BLANKS, left=left, right=right)
    if left and right:
        return string.strip(BLANKS)
    return string.lstrip(BLANKS) if left else string.rstrip(BLANKS)


@function("shellquote(Any p0*)")
def shellquote(*values: Any) -> str:
    """Quotes words for a Unix shell and joins them with blanks; arrays are taken apart.

    > shellquote('ls', '-l', ['my file', '$HOME'])
    'ls -l "my file" \\'$HOME\\''
    """
    words: list[str] = []
    pending = list(reversed(values))
    while pending:
        value = pending.pop()
        if type(value) is list:
            pending += reversed(value)
        elif type(value) is str:
            words.append(_quoted_word(value))
        elif type(value) is dict:
            raise no_string("Hash")
        else:
            raise no_method("length", value)
    return " ".join(words)


def _quoted_word(word: str) -> str:
    if word and all(re.fullmatch(r"[A-Za-z0-9@%_+=:,./-]+", part) for part in slices(word)):
        return word
    if not any(re.search(r'["`$\\!]', part) for part in slices(word)):
        return f'"{word}"'
    if "'" not in word:
        return f"'{word}'"
    return '"' + changed(word, lambda part: re.sub(r'(["`$\\!])', r"\\\1", part)) + '"'
