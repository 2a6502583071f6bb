"""Mutations of programs: typing mistakes, and changes that only an attacker makes.

Each function in MUTATIONS takes a source, and another source from which it may take a piece.
"""

from __future__ import annotations

import re
from random import Random

from tests.fuzzing.spelling import SPELLINGS, UNICODE_BLANKS

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]+")
# Quotes and punctuation; heredocs and templates; control characters; other Unicode; blanks and numbers; brackets and
# operators.
_MARKS = (
    *(
        "'",
        '"',
        "${",
        "}",
        "$",
        "\\",
        "\\u{110000}",
        "\\u",
        "\\\n",
        "/",
        "/*",
        "*/",
        "#",
        "//",
        "`",
        "^",
        "&",
    ),
    *(
        "@(A)",
        '@("A")',
        "@(A:json/tn)",
        "\n| A\n",
        "\nA\n",
        "@(",
        "@",
        "<%",
        "%>",
        "-%>",
        "<%=",
        "<%-",
        "<%#",
        "<%%",
    ),
    *(
        "\x00",
        "\x07",
        "\x0b",
        "\x0c",
        "\x1b[2J",
        "\x7f",
        "\x85",
        "\ud800",
        "\udfff",
        "\ufeff",
        "\u2028",
        "\u2029",
    ),
    *(
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200d",
        "\u0301",
        "é",
        "ß",
        "İ",
        "\u212a",
        "٣",
        "²",
        "Ⅷ",
        "日本",
        "😀",
        "𝟙",
    ),
    *(
        "\r\n",
        "\r",
        "\n",
        "\t",
        *UNICODE_BLANKS,
        "1" * 25,
        "0x",
        "08",
        "1e",
        "1.",
        "1e999",
        "::",
        "a::",
        "_",
        "-",
    ),
    *(
        "(((((",
        ")))))",
        "[[[[",
        "{{{{",
        "}}}}",
        "!!!!",
        "- - -",
        ",",
        ";",
        "|",
        "||",
        "<|",
        "|>>",
        "=>",
        "==",
        "?",
        ".",
    ),
)
INSERTIONS = (*_MARKS, *(text for texts in SPELLINGS.values() for text in texts))


def mutate(random: Random, source: str, other: str) -> str:
    """Return a program with one to four mutations, which may take a piece of another one."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        source = random.choice(MUTATIONS)(random, source, other)
    return source


def _split_tokens(source: str) -> list[str]:
    return _TOKEN.findall(source) or [""]


def delete_token(random: Random, source: str, other: str) -> str:
    tokens = _split_tokens(source)
    del tokens[random.randrange(len(tokens))]
    return "".join(tokens)


def duplicate_token(random: Random, source: str, other: str) -> str:
    tokens = _split_tokens(source)
    index = random.randrange(len(tokens))
    tokens.insert(index, tokens[index])
    return "".join(tokens)


def swap_tokens(random: Random, source: str, other: str) -> str:
    tokens = _split_tokens(source)
    first, second = random.randrange(len(tokens)), random.randrange(len(tokens))
    tokens[first], tokens[second] = tokens[second], tokens[first]
    return "".join(tokens)


def replace_token(random: Random, source: str, other: str) -> str:
    tokens = _split_tokens(source)
    tokens[random.randrange(len(tokens))] = random.choice(INSERTIONS)
    return "".join(tokens)


def take_token(random: Random, source: str, other: str) -> str:
    tokens = _split_tokens(source)
    tokens[random.randrange(len(tokens))] = random.choice(_split_tokens(other))
    return "".join(tokens)


def insert(random: Random, source: str, other: str) -> str:
    index = random.randint(0, len(source))
    return source[:index] + random.choice(INSERTIONS) + source[index:]


def insert_between_tokens(random: Random, source: str, other: str) -> str:
    tokens = _split_tokens(source)
    tokens.insert(random.randrange(len(tokens)), random.choice(INSERTIONS))
    return "".join(tokens)


def flip_character(random: Random, source: str, other: str) -> str:
    if not source:
        return random.choice(INSERTIONS)
    index = random.randrange(len(source))
    flipped = chr(ord(source[index]) ^ 1 << random.randrange(7))
    return source[:index] + flipped + source[index + 1 :]


def cut_off(random: Random, source: str, other: str) -> str:
    return source[: random.randint(0, len(source))]


def cut_out(random: Random, source: str, other: str) -> str:
    first, second = sorted((random.randint(0, len(source)), random.randint(0, len(source))))
    return source[:first] + source[second:]


def splice(random: Random, source: str, other: str) -> str:
    return source[: random.randint(0, len(source))] + other[random.randint(0, len(other)) :]


def change_line_ends(random: Random, source: str, other: str) -> str:
    return source.replace("\n", random.choice(("\r\n", "\r", "\n\n", "\u2028", " ")))


MUTATIONS = (
    *(delete_token, duplicate_token, swap_tokens, replace_token, take_token, insert, insert_between_tokens),
    *(flip_character, cut_off, cut_out, splice, change_line_ends),
)
