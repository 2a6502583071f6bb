"""The commonest slips in syntax: each rule recognises one and says the way out."""

from __future__ import annotations

from collections.abc import Callable

from lexer_parser.lexing.tokens import KEYWORDS
from lexer_parser.slips.brackets import (
    dangling_operator,
    expected_words,
    long_string,
    short,
    stray_separator,
    unclosed,
    wrong_bracket,
)
from lexer_parser.slips.place import OPENING, VALUE_ENDS, VALUE_STARTS, Advice, Place
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
    """`|x|`, `class a(x)`, `function f(String x)`."""
    if place.kind(0) not in ("NAME", "WORD"):
        return None
    before = place.kind(-1)
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


# --- Resources, hashes and their like


def title_colon(place: Place) -> Advice | None:
    """`file { 'a' ensure => …`."""
    if place.kind(1) != "FARROW" or place.braces() != "resource":
        return None
    since = place.since_opening()
    entry = since[max((i for i, kind in enumerate(since) if kind == "SEMIC"), default=-1) + 1 :]
    if entry and place.kind(-1) in VALUE_ENDS and not {"COLON", "FARROW", "COMMA"} & set(entry):
        title = place.word(-1) if len(entry) == 1 else "…"
        return Advice(f"Put a colon after the title: `{title}:`.")
    return None


def attribute_comma(place: Place) -> Advice | None:
    """`ensure => present mode => 1`, in a resource or a hash."""
    if place.kind(1) not in ("FARROW", "PARROW") or place.kind(-1) not in VALUE_ENDS:
        return None
    what = {"resource": "attributes", "hash": "entries", "selector": "options"}.get(place.braces(), "entries")
    if "FARROW" in place.since_opening():
        return Advice(f"Put a comma after `{short(place.word(-1))}`: {what} are separated by commas.")
    return None


def list_comma(place: Place) -> Advice | None:
    """`[1 2]`, `foo(1 2)`."""
    in_list = place.opener in ("LBRACK", "LISTSTART", "LPAREN")
    if in_list and place.kind(-1) in VALUE_ENDS and place.kind(0) in VALUE_STARTS:
        return Advice(f"Put a comma after `{short(place.word(-1))}`.")
    return None


def condition_equals(place: Place) -> Advice | None:
    """`if $x = 1 {`."""
    if place.kind(0) == "EQUALS" and place.head(place.index) in ("IF", "ELSIF", "UNLESS"):
        return Advice("Compare with `==`: `if $x == 1 { … }`.", "==")
    return None


def query_equals(place: Place) -> Advice | None:
    """`File <| mode = '0644' |>`."""
    before = [kind for kind in place.kinds[: place.index] if kind in ("LCOLLECT", "RCOLLECT")]
    if place.kind(0) == "EQUALS" and before[-1:] == ["LCOLLECT"]:
        return Advice("A query compares with `==` and `!=`.", "==")
    return None


def equals_for_arrow(place: Place) -> Advice | None:
    """`ensure = present`, `{ 'a' = 1 }`."""
    braces = place.braces()
    if place.kind(0) == "EQUALS" and braces in ("resource", "hash", "selector"):
        return Advice(f"Write `=>` between a name and its value: `{short(place.word(-1))} => …`.", "=>")
    if braces == "hash" and place.kind(0) in ("RBRACE", "COMMA") and "EQUALS" in place.since_opening():
        return Advice("Write `=>` between a key and its value: `{ 'a' => 1 }`.", "=>")
    return None


def unclosed_condition(place: Place) -> Advice | None:
    """`if ($x == 1 {`."""
    for index in place.open[:-1]:
        condition = place.head(index) in ("IF", "ELSIF", "UNLESS")
        if condition and place.kinds[index] in ("LPAREN", "WSLPAREN"):
            note = place.note("still open", index)
            return Advice("Close the parenthesis of the condition before the `{`.", ")", (note,))
    return None


def arrow_for_equals(place: Place) -> Advice | None:
    """`$x => 1` as a statement."""
    if place.kind(0) == "FARROW" and place.kind(-1) == "VARIABLE" and place.braces() in ("", "body"):
        return Advice(f"Assign with `=`: `{place.word(-1)} = …`.", "=")
    return None


def case_arrow(place: Place) -> Advice | None:
    """`case $x { 'a' => … }`."""
    if place.kind(0) == "FARROW" and place.braces() == "case":
        return Advice("In a `case` the value is followed by a colon and braces: `'a': { … }`.", ":")
    return None


def semicolon_before_attribute(place: Place) -> Advice | None:
    """`ensure => present; mode => 1`."""
    if place.kind(0) == "FARROW" and place.kind(-2) == "SEMIC" and place.braces() == "resource":
        return Advice("Separate attributes by commas; after a semicolon comes another title.", ",")
    return None


def arrow_in_attributes(place: Place) -> Advice | None:
    """`ensure -> file` and `ensure: file` in a resource."""
    if place.braces() != "resource" or place.kind(-1) not in ("NAME", "WORD"):
        return None
    after = place.kind(-2) == "COMMA" or (place.kind(-2) == "COLON" and "FARROW" not in place.since_opening())
    if after and place.word(0) in ("->", "~>", ":", "=>>"):
        return Advice(f"Write `=>` between a name and its value: `{place.word(-1)} => …`.", "=>")
    return None


def several_titles(place: Place) -> Advice | None:
    """`file { '/a', '/b': … }`."""
    since = place.since_opening()
    if place.kind(0) == "COMMA" and place.kind(-1) in VALUE_ENDS and place.braces() in ("resource", "hash"):
        before = place.kinds[place.open[-1] - 1] if place.open[-1] else ""
        if len(since) == 1 and before in ("NAME", "CLASS"):
            return Advice(f"Several titles stand in brackets: `[{place.word(-1)}, …]:`.")
    return None


def reference_arrow(place: Place) -> Advice | None:
    """`Notify['a'] => Notify['b']`."""
    if place.kind(0) == "FARROW" and place.kind(-1) == "RBRACK" and place.kind(1) == "CLASSREF":
        return Advice("Between resources stands `->`, or `~>`, which notifies: `A -> B`.", "->")
    return None


def hyphen_in_definition(place: Place) -> Advice | None:
    """`define web-site() { }`, where the hyphen is read as an operator."""
    name = place.word(-1)
    if place.kind(-1) == "WORD" and "-" in name and place.kind(-2) in ("CLASS", "DEFINE", "FUNCTION"):
        better = name.replace("-", "_")
        return Advice(f"Names are lower-case words joined by `::`, without hyphens: `{better}`.", better)
    return None


def python_function(place: Place) -> Advice | None:
    """`def f(x):`."""
    heads = [i for i in range(place.index) if place.at(i) in ("def", "func", "fn") and i + 1 < place.index]
    if place.kind(0) == "COLON" and heads and "LBRACE" not in place.kinds[heads[-1] : place.index]:
        note = place.note(f"`{place.at(heads[-1])}` is no word of Puppet", heads[-1])
        return Advice(*FOREIGN_WORDS[place.at(heads[-1])], (note,))
    return None


def block_without_parameters(place: Place) -> Advice | None:
    """`[1, 2].each { notice(1) }`."""
    for index in reversed(place.open):
        if place.kinds[index] == "LBRACE" and index > 1 and place.kinds[index - 2] == "DOT":
            name = place.at(index - 1)
            note = place.note("the block begins here", index)
            return Advice(
                f"A block has parameters before its braces: `.{name} |$x| {{ … }}`.", "|$x| {", (note,)
            )
    return None


def joined_by_dot(place: Place) -> Advice | None:
    """`'a' . $b`."""
    if place.kind(-1) == "DOT" and place.kind(-2) in ("STRING", "DQPOST") and place.kind(0) == "VARIABLE":
        return Advice(f'Texts are joined in a string: `"…${{{place.word(0)[1:]}}}"`.')
    return joined_before(place)


def joined_before(place: Place) -> Advice | None:
    """The same, where the text is what is in the way."""
    if place.kind(1) == "DOT" and place.kind(0) == "STRING" and place.kind(2) == "VARIABLE":
        return Advice(f'Texts are joined in a string: `"…${{{place.word(2)[1:]}}}"`.')
    return None


def statement_hash(place: Place) -> Advice | None:
    """`notice a => 1`."""
    if place.kind(0) == "FARROW" and place.braces() in ("", "body"):
        return Advice("Put a hash in braces: `notice({ 'a' => 1 })`.")
    return None


def colon(place: Place) -> Advice | None:
    """`{ 'a': 1 }`, `if $x:`, `$a ? b : c`, `:symbol`."""
    if place.kind(0) != "COLON":
        return None
    if place.braces() == "selector":
        return Advice("In a selector the value is followed by an arrow: `'a' => 1`.", "=>")
    if place.head(place.index) in ("IF", "ELSIF", "UNLESS", "CLASS", "DEFINE", "FUNCTION") or (
        place.kind(-1) == "ELSE"
    ):
        return Advice("The body stands in braces: `{ … }`.", "{")
    if "QMARK" in place.since_opening():
        return Advice("A choice is written `$x ? { true => 'a', default => 'b' }`.")
    if place.braces() == "hash":
        return Advice("A hash is written with arrows: `{ 'a' => 1 }`.", "=>")
    if place.kind(1) in ("NAME", "WORD") and place.kind(-1) not in VALUE_ENDS:
        return Advice(f"Puppet has no symbols; write a string: `'{place.word(1)}'`.", f"'{place.word(1)}'")
    return None


def quoted_attribute(place: Place) -> Advice | None:
    """`'ensure' => present` or `$name => …` as an attribute."""
    if place.kind(1) != "FARROW" or place.braces() != "resource":
        return None
    if place.kind(0) == "STRING":
        return Advice(f"Attributes are written without quotes: `{place.value(0)} => …`.", str(place.value(0)))
    if place.kind(0) == "VARIABLE":
        return Advice("Attributes whose names are computed come from a hash: `* => { $name => … }`.")
    return None


def unquoted_path(place: Place) -> Advice | None:
    """`/etc/motd` without quotes."""
    if place.kind(-1) == "REGEX" and place.kind(0) in ("NAME", "WORD") and place.adjacent():
        path = place.word(-1) + place.word(0)
        return Advice(f"Put a path in quotes: `'{path}'`.", f"'{path}'")
    return None


def resource_as_value(place: Place) -> Advice | None:
    """`$x = notify { 'a': }`, which the specification does not know, and `message => notify { 'a': }`."""
    opened = place.kind(0) == "LBRACE"
    titled = place.kind(0) == "COLON" and place.braces() == "resource"
    name = place.index - 1 if opened else place.open[-1] - 1 if titled else 0
    if name < 1 or place.kinds[name] != "NAME":
        return None
    if place.kinds[name - 1] in ("EQUALS", "COMMA", "FARROW", *OPENING) and place.kinds[name - 1] != "LBRACE":
        return Advice("A resource is no value: declare it by itself, then use its reference, `Notify['a']`.")
    return None


def relationship_as_value(place: Place) -> Advice | None:
    """`f(A -> B)`, which the specification does not know, and `$x[A -> B]`."""
    if place.word(0) in ("->", "~>", "<-", "<~") and place.opener in OPENING and place.opener != "LBRACE":
        return Advice(f"An arrow joins whole statements; it has no place in brackets: `A {place.word(0)} B`.")
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
    if word in ("else", "elsif"):
        if place.kind(-1) == "RBRACE" and "UNLESS" in place.kinds[: place.index]:
            return Advice("`unless` has no `elsif`: turn it into an `if`.", "if")
        if place.kind(-1) == "RBRACE" and "ELSE" in place.kinds[: place.index]:
            return Advice("An `if` has one `else`, the last of its branches; others are `elsif`.", "elsif")
        return Advice(f"`{word}` follows the closing brace of an `if`.")
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
    foreign_character,
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
    reference_arrow,
    hyphen_in_definition,
    joined_by_dot,
    title_colon,
    attribute_comma,
    condition_equals,
    query_equals,
    equals_for_arrow,
    case_arrow,
    arrow_for_equals,
    semicolon_before_attribute,
    quoted_attribute,
    unquoted_path,
    python_function,
    colon,
    type_name,
    foreign_word,
    block_without_parameters,
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
