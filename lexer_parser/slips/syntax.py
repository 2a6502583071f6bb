"""The commonest slips in syntax: each rule recognises one and says the way out."""

from __future__ import annotations

from collections.abc import Callable

from lexer_parser.lexing.tokens import KEYWORDS
from lexer_parser.slips import foreign
from lexer_parser.slips.brackets import (
    dangling_operator,
    expected_words,
    long_string,
    stray_separator,
    unclosed,
    wrong_bracket,
)
from lexer_parser.slips.entries import (
    arrow_for_equals,
    arrow_in_attributes,
    attribute_comma,
    block_in_parentheses,
    block_without_call,
    block_without_parameters,
    case_arrow,
    colon,
    condition_equals,
    equals_for_arrow,
    hyphen_in_definition,
    joined_by_dot,
    list_comma,
    list_in_parentheses,
    python_function,
    query_equals,
    quoted_attribute,
    reference_arrow,
    relationship_as_value,
    resource_as_value,
    resource_in_parentheses,
    semicolon_before_attribute,
    several_references,
    several_titles,
    statement_hash,
    title_alone,
    title_colon,
    title_of_words,
    unclosed_condition,
    unquoted_path,
    value_of_words,
    value_with_colon,
    value_without_braces,
)
from lexer_parser.slips.place import Advice, Place
from lexer_parser.slips.spelling import CHARACTERS, DOUBLED, FOREIGN_WORDS, SMART_QUOTES

NEAR = 3  # tokens between which and an error nobody has to look

# --- Characters and words


def smart_quote(place: Place) -> Advice | None:
    """Quotes made by a word processor."""
    if place.here()[:1] and place.here()[0] in SMART_QUOTES:
        return Advice("""Use straight quotes, ' or ": these were made by a word processor.""")
    return None


def foreign_character(place: Place) -> Advice | None:
    """`&`, `&&`, `||` and other characters that mean nothing in Puppet."""
    here = place.here()
    if here.startswith("||"):
        return Advice("Write `or`: `$a or $b`.")
    if place.kind(0) == "OTHER" and here[0] in CHARACTERS:
        return Advice(CHARACTERS[here[0]])
    return None


def foreign_operator(place: Place) -> Advice | None:
    """`===`, `=<`, `<>`, `++`."""
    if place.adjacent() and (place.word(-1), place.word(0)) in DOUBLED:
        return Advice(DOUBLED[place.word(-1), place.word(0)])
    return None


def braced_variable(place: Place) -> Advice | None:
    """`${x}` outside of a string."""
    for index in (place.index, *place.open[-1:]):
        if index + 1 < len(place.tokens) and place.at(index) == "{":
            start, name = place.tokens[index][0], place.at(index + 1).removeprefix("$")
            if place.text[start - 1 : start] == "$":
                return Advice(f"Only in a string a variable has braces: here it is `${name}`.")
    return None


def quote_in_string(place: Place) -> Advice | None:
    """`'it's'`: the quote in the middle ends the string."""
    if place.adjacent() and place.kind(-1) == "STRING" and place.kind(0) in ("NAME", "WORD"):
        quote = place.word(-1)[-1:]
        if quote in ("'", '"'):
            other = '"' if quote == "'" else "'"
            return Advice(
                f"The string ends before this: write `\\{quote}` inside it, or quote it with {other}."
            )
    return None


def else_if(place: Place) -> Advice | None:
    """`else if`."""
    if place.kind(-1) == "ELSE" and place.kind(0) == "IF":
        return Advice("Write `elsif`, in one word.", "elsif")
    return None


def loop(place: Place) -> Advice | None:
    """`foreach ($x in $list) { … }`, where the braces are taken for a resource."""
    for index in range(place.index):
        if place.at(index) in ("foreach", "for", "while") and place.kinds[index + 1] in (
            "LPAREN",
            "WSLPAREN",
        ):
            note = place.note(f"`{place.at(index)}` is no word of Puppet", index)
            return Advice(*FOREIGN_WORDS[place.at(index)], (note,))
    return None


def foreign_word(place: Place) -> Advice | None:
    """A word of Ruby, Python or another language, just before the error or before the braces around it."""
    starts = [0] if not place.open else [0, place.open[-1] - place.index]
    for start in starts:
        for relative in range(start, start - 10, -1):
            word = place.word(relative)
            as_name = place.kind(relative + 1) == "FARROW" or place.kind(relative - 1) == "DOT"
            if word in FOREIGN_WORDS and not as_name:
                note = place.note(f"`{word}` is no word of Puppet", place.index + relative)
                far = start - relative > NEAR or start
                return Advice(*FOREIGN_WORDS[word], (note,) if far else ())
            if place.kind(relative) in ("SEMIC", "EQUALS", "COLON") and relative != start:
                break
    return None


def template_tag(place: Place) -> Advice | None:
    """`<%= $x %>` in a manifest."""
    if place.here().startswith("<%"):
        return Advice('Tags are for templates; in a manifest write `$x`, or "${x}" in a string.')
    return None


# --- Lambdas and parameters


def lambda_inside_braces(place: Place) -> Advice | None:
    """`.each { |$x| … }`, as in Ruby."""
    if place.kind(0) == "PIPE" and place.kind(-1) == "LBRACE":
        return Advice("The parameters stand before the braces: `.each |$x| { … }`.")
    return None


def parameter_without_dollar(place: Place) -> Advice | None:
    """`|x|`, `class a(x)`, `function f(String x)`; `.each |$x| notice($x)`."""
    if place.kind(0) not in ("NAME", "WORD"):
        return None
    before = place.kind(-1)
    if before == "PIPE" and place.kind(-2) == "VARIABLE":
        return Advice("What a lambda does stands in braces: `.each |$x| { … }`.", "{")
    name = place.word(0)
    in_list = place.opener == "LPAREN" and place.head(place.open[-1]) in ("CLASS", "DEFINE", "FUNCTION")
    if before == "PIPE" or (before in ("LPAREN", "COMMA", "CLASSREF", "RBRACK") and in_list):
        return Advice(f"A parameter begins with a dollar sign: `${name}`.", f"${name}")
    return None


def type_behind_name(place: Place) -> Advice | None:
    """`class a($x: Integer)`, `|$x: Integer|`."""
    if place.kind(0) == "COLON" and place.kind(-1) == "VARIABLE" and place.kind(1) == "CLASSREF":
        return Advice(f"The type stands before the name: `{place.word(1)} {place.word(-1)}`.")
    return None


def lambda_without_call(place: Place) -> Advice | None:
    """`$f = |$x| { … }`."""
    if place.kind(0) == "PIPE" and place.kind(-1) == "EQUALS":
        return Advice("A lambda is no value: it follows a call, `map($list) |$x| { … }`.")
    return None


# --- Names


def type_name(place: Place) -> Advice | None:
    """`type port = …`, `>> integer`."""
    if place.kind(0) == "NAME" and place.kind(-1) in ("TYPE", "RSHIFT"):
        capital = "::".join(part.capitalize() for part in place.word(0).split("::"))
        return Advice(f"Types begin with a capital: `{capital}`.", capital)
    return None


def keyword(place: Place) -> Advice | None:
    """A keyword where a name or a value is due."""
    word = place.word(0)
    if word not in KEYWORDS:
        return None
    if word == "elsif":
        if place.kind(-1) == "RBRACE" and "ELSE" in place.kinds[: place.index]:
            return Advice("An `if` has one `else`, the last of its branches; others are `elsif`.", "elsif")
        return Advice("`elsif` follows the closing brace of an `if`; an `unless` has `else` only.")
    if word == "else":
        if place.kind(-1) == "RBRACE" and "ELSE" in place.kinds[: place.index]:
            return Advice("An `if` has one `else`, the last of its branches; others are `elsif`.", "elsif")
        return Advice("`else` follows the closing brace of an `if` or an `unless`.")
    if word == "inherits":
        return Advice("Only a class inherits: `class a inherits b { … }`.")
    if place.kind(-1) == "DOT":
        return Advice(f"`{word}` is a keyword: read a hash's entry with `['{word}']`.", f"['{word}']")
    if place.kind(-1) in ("CLASS", "DEFINE", "FUNCTION", "NODE"):
        return Advice(f"`{word}` is a keyword; choose another name.")
    return Advice(f"`{word}` is a keyword; quote it if it is meant as a string: `'{word}'`.", f"'{word}'")


def dotted_name(place: Place) -> Advice | None:
    """`node a-b.c { }`, `a.Foo`."""
    if place.kind(0) == "DOT" and place.kind(-1) == "WORD":
        return Advice("Put the name in quotes: `node 'web-1.example.com' { … }`.")
    if place.kind(-1) == "DOT" or place.kind(0) == "DOT":
        return Advice("After a dot comes the name of a function: `$x.length`, `$x.map |$y| { … }`.")
    return None


Rule = Callable[[Place], Advice | None]
FOUND_RULES: tuple[Rule, ...] = (
    smart_quote,
    *foreign.RULES,
    foreign_character,
    braced_variable,
    loop,
    template_tag,
    unclosed_condition,
    quote_in_string,
    else_if,
    foreign_operator,
    lambda_inside_braces,
    parameter_without_dollar,
    type_behind_name,
    lambda_without_call,
    resource_as_value,
    relationship_as_value,
    arrow_in_attributes,
    several_titles,
    several_references,
    title_alone,
    resource_in_parentheses,
    list_in_parentheses,
    reference_arrow,
    hyphen_in_definition,
    joined_by_dot,
    title_colon,
    title_of_words,
    value_of_words,
    value_with_colon,
    attribute_comma,
    value_without_braces,
    condition_equals,
    query_equals,
    equals_for_arrow,
    case_arrow,
    arrow_for_equals,
    semicolon_before_attribute,
    quoted_attribute,
    unquoted_path,
    python_function,
    foreign.indented_data,
    colon,
    type_name,
    foreign_word,
    block_without_parameters,
    block_without_call,
    block_in_parentheses,
    long_string,
    statement_hash,
    keyword,
    dotted_name,
    stray_separator,
    wrong_bracket,
    list_comma,
    dangling_operator,
    expected_words,
)
END_RULES: tuple[Rule, ...] = (unclosed,)
RULES: dict[str, tuple[Rule, ...]] = {
    "SYNTAX_ERROR": FOUND_RULES,
    "NOT_A_RESOURCE": (foreign_word,),
}
