"""What a word, a variable, a parameter, a definition may be called."""

from __future__ import annotations

from itertools import repeat

from lexer_parser.memo import memoize

# Names are told by string methods: compiling the regular expressions that the messages print would cost more
# than all else of a start, and some of them backtrack without end.
MOST_NAMES = 16384  # that are remembered: a program names its variables again and again
HEXADECIMAL = frozenset("0123456789abcdefABCDEF")


@memoize(MOST_NAMES)
def is_word(text: str, first: str) -> bool:
    """Tells whether a text is letters, digits and underscores, its first character of the kind `first`."""
    return (
        text.isascii() and text.isidentifier() and (text[0].islower() if first == "a" else text[0].isupper())
    )


def is_parameter(name: str) -> bool:
    """A lower-case word; an underscore may come first."""
    return name.isascii() and name.isidentifier() and not name[0].isupper()


def is_variable(name: str) -> bool:
    """Lower-case words joined by `::`; only the last one may begin with an underscore."""
    if name.isidentifier():
        return name.isascii() and not name[0].isupper()
    *namespace, last = name.removeprefix("::").split("::")
    return is_parameter(last) and all(is_word(part, "a") for part in namespace)


def is_strict_variable(name: str) -> bool:
    """As in the specification: no segment behind a `::` begins with an underscore."""
    return is_variable(name) and "::_" not in name


def is_definition(name: str, first: str = "a") -> bool:
    """Words joined by `::`, each beginning in lower case, or with "A" in upper case."""
    # A generator in place of `map` would cost twice as much.
    return all(map(is_word, name.split("::"), repeat(first)))


def is_number(name: str) -> bool:
    """Digits, or hexadecimal digits after `0x`."""
    return name.isdecimal() or (
        name[:2] in ("0x", "0X") and len(name) > 2 and HEXADECIMAL.issuperset(name[2:])
    )
