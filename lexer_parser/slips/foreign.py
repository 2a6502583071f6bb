"""Slips of people who know other languages: slices, results behind an arrow, types in small letters, bodies."""

from __future__ import annotations

from lexer_parser.slips.place import VALUE_ENDS, VALUE_STARTS, Advice, Place

TYPES = frozenset(("any", "array", "boolean", "float", "hash", "integer", "numeric", "string", "type"))
WORD_OPERATORS = frozenset(("AND", "OR", "NOT", "IN"))
PARAMETRIC = frozenset(("CLASS", "DEFINE", "FUNCTION"))


def _in_parameters(place: Place) -> bool:
    """True in the parentheses of a definition."""
    return place.opener in ("LPAREN", "WSLPAREN") and place.head(place.open[-1]) in PARAMETRIC


def part_of_list(place: Place) -> Advice | None:
    """`$list[0:2]`, `$list[0..2]`, `(1..3)`."""
    has_dots = place.word(0) == place.word(-1) == "."
    if place.opener == "LBRACK" and (has_dots or place.word(0) == ":"):
        return Advice("A part of a list is `$list[START, LENGTH]`, or `$list[START, -1]` up to its end.")
    if has_dots:
        return Advice("The numbers from one to another are `range(1, 3)`, or the values of `Integer[1, 3]`.")
    return None


def result_type(place: Place) -> Advice | None:
    """`function f() -> Integer {`, `function f(): Integer {`."""
    is_function = place.kind(-1) == "RPAREN" and place.head(place.index) == "FUNCTION"
    if is_function and place.word(0) in ("->", ":", "=>") and place.kind(1) == "CLASSREF":
        return Advice(f"The type of the result stands behind `>>`: `>> {place.word(1)} {{ … }}`.", ">>")
    return None


def default_colon(place: Place) -> Advice | None:
    """`class web($port: 80)`."""
    is_type = place.kind(1) == "CLASSREF"
    if place.kind(0) == "COLON" and place.kind(-1) == "VARIABLE" and not is_type and _in_parameters(place):
        return Advice(f"A default stands behind `=`, a type before the name: `{place.word(-1)} = …`.", "=")
    return None


def small_type(place: Place) -> Advice | None:
    """`class web(string $root)`."""
    word = place.word(0)
    if word in TYPES and place.kind(1) == "VARIABLE" and _in_parameters(place):
        written = word.capitalize()
        return Advice(f"Types begin with a capital: `{written} {place.word(1)}`.", written)
    return None


def block_arrow(place: Place) -> Advice | None:
    """`map |$x| => { … }`."""
    if place.kind(-1) == "PIPE" and place.word(0) in ("=>", "->", ":"):
        return Advice("The body of a block follows its parameters at once: `|$x| { … }`.")
    return None


def method_without_dot(place: Place) -> Advice | None:
    """`[1, 2] map |$x| { … }`."""
    name = place.word(-1)
    if place.kind(0) == "PIPE" and place.kind(-1) == "NAME" and name != "do" and place.kind(-2) in VALUE_ENDS:
        return Advice(f"A dot stands before the function: `.{name} |$x| {{ … }}`.", f".{name}")
    return None


def big_operator(place: Place) -> Advice | None:
    """`if $a AND $b {`."""
    word = place.word(0)
    if place.kind(0) == "CLASSREF" and word in WORD_OPERATORS and place.kind(-1) in VALUE_ENDS:
        small = word.lower()
        return Advice(f"It is written in small letters: `{small}`.", small)
    return None


def hash_arrow(place: Place) -> Advice | None:
    """`{ 'a' -> 1 }`."""
    if place.braces() == "hash" and place.kind(0) in ("RBRACE", "COMMA"):
        since = place.since_opening()
        if "IN_EDGE" in since and "FARROW" not in since:
            return Advice("Write `=>` between a key and its value: `{ 'a' => 1 }`.", "=>")
    return None


def number_without_zero(place: Place) -> Advice | None:
    """`.5`."""
    if place.word(0) == "." and place.kind(1) == "NUMBER" and place.kind(-1) not in VALUE_ENDS:
        return Advice(f"Write a zero before the point: `0.{place.word(1)}`.")
    return None


def body_without_braces(place: Place) -> Advice | None:
    """`if $x notice(1)`."""
    is_condition = place.kind(-1) in VALUE_ENDS and place.head(place.index) in ("IF", "ELSIF", "UNLESS")
    if is_condition and place.kind(0) == "NAME":
        return Advice("The body stands in braces: `if $x { … }`.", "{")
    return None


def lone_tilde(place: Place) -> Advice | None:
    """`Package['a'] ~ Service['b']`."""
    if place.word(0) == "~" and place.kind(-1) in VALUE_ENDS:
        return Advice("Write `~>`, which orders and notifies, or `=~`, which matches.", "~>")
    return None


def whole_division(place: Place) -> Advice | None:
    """`7 // 2`."""
    if place.adjacent() and (place.word(-1), place.word(0)) == ("/", "/"):
        return Advice("Write `/`: of two whole numbers it gives a whole number.", "/")
    return None


def case_colon(place: Place) -> Advice | None:
    """`default { … }`, `'a' { … }` in a `case`."""
    if place.kind(0) == "LBRACE" and place.braces() == "case" and place.kind(-1) in VALUE_ENDS:
        return Advice(f"Put a colon before the braces: `{place.word(-1)}: {{ … }}`.", ":")
    return None


def function_as_value(place: Place) -> Advice | None:
    """`['a'].map(&upcase)`."""
    if place.here().startswith("&") and place.kind(-1) == "LPAREN" and place.kind(1) == "NAME":
        return Advice(f"A block calls the function: `|$x| {{ $x.{place.word(1)} }}`.")
    return None


def prefixed_text(place: Place) -> Advice | None:
    """`f"hi ${name}"`, `r'a'`: a letter that belongs to a text elsewhere."""
    letter = place.word(-1)
    if (
        place.adjacent()
        and place.kind(0) in ("STRING", "DQPRE")
        and place.kind(-1) == "NAME"
        and len(letter) == 1
    ):
        return Advice(
            f"Leave the `{letter}` out: no letter stands before a text. `\"…${{name}}\"` puts values in, `'…'` none."
        )
    return None


def colon_equals(place: Place) -> Advice | None:
    """`$x := 5`."""
    if (place.word(0), place.word(1)) == (":", "=") and place.kind(-1) == "VARIABLE":
        return Advice(f"Write `=` alone: `{place.word(-1)} = …`.", "=")
    return None


def double_braces(place: Place) -> Advice | None:
    """`{{ foo }}`."""
    if place.word(0) == "}" and place.word(-1 - len(place.since_opening())) == "{" and len(place.open) > 1:
        first, second = (place.tokens[index] for index in place.open[-2:])
        name = place.word(-1).lstrip("$")
        if first[1] == second[0] and len(place.since_opening()) == 1:
            return Advice(
                f'A variable is written `${name}`, and in a text `"${{{name}}}"`, with one pair of braces.'
            )
    return None


def _begins_line(place: Place, relative: int) -> bool:
    """True when nothing but blanks and a hyphen stand before a token on its line."""
    start = place.tokens[place.index + relative][0]
    return not place.text[place.text.rfind("\n", 0, start) + 1 : start].strip(" \t-")


def indented_data(place: Place) -> Advice | None:
    """`package: name=vim`, `- name: x`, `package 'vim': ensure => present`."""
    if place.kind(0) != "COLON" or place.open or place.index < 1:
        return None
    word = place.word(-1)
    if place.kind(-1) == "STRING" and place.kind(-2) == "NAME" and _begins_line(place, -2):
        return Advice(f"A resource stands in braces: `{place.word(-2)} {{ {word}: … }}`.", "{")
    if place.kind(-1) in ("NAME", "WORD", "STRING") and _begins_line(place, -1):
        name = word.strip("'\"")
        return Advice(
            "This reads like data in YAML or JSON. A resource is `file { '/tmp/a': ensure => file }`, "
            f"a hash `{{ '{name}' => … }}`."
        )
    return None


COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def shell_comparison(place: Place) -> Advice | None:
    """`if $a -eq 1 {`, `if [ $a -lt 1 ] {`."""
    sign = COMPARISONS.get(place.word(-1))
    if sign and place.word(-2) == "-" and place.kind(-3) in VALUE_ENDS and place.kind(0) in VALUE_STARTS:
        return Advice(
            f"Write `{sign}` for `-{place.word(-1)}`, without brackets around: `if $x {sign} 1 {{ … }}`."
        )
    return None


RULES = (
    prefixed_text,
    shell_comparison,
    part_of_list,
    result_type,
    default_colon,
    small_type,
    block_arrow,
    method_without_dot,
    big_operator,
    hash_arrow,
    number_without_zero,
    body_without_braces,
    lone_tilde,
    whole_division,
    case_colon,
    function_as_value,
    colon_equals,
    double_braces,
)
