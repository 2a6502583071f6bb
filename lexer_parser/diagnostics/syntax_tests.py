"""Tests of the rules for syntax errors that need more than `when`.

Each recognizes one mistake in the tokens around the error; `syntax_rules` lists them in order.
"""

from __future__ import annotations

from lexer_parser.diagnostics import RuleMatch
from lexer_parser.diagnostics.foreign_words import (
    CHARACTERS,
    COMPARISONS,
    DOUBLED,
    FOREIGN_WORDS,
    NAME_TOKENS,
    OPERATOR_TOKENS,
    TOKEN_WORDS,
    VALUE_TOKENS,
)
from lexer_parser.diagnostics.tokens import (
    CONDITIONALS,
    DEFINING,
    VALUE_ENDS,
    VALUE_STARTS,
    TokenContext,
    shorten,
)
from lexer_parser.lexing.tokens import CLOSING, KEYWORDS, OPENERS, OPERATORS

FAR = 3  # the distance in tokens between a foreign word and the error from which on a note marks the word
WORDS = ("NAME", "WORD")
MOST_EXAMINED = 10  # tokens among which a foreign word is searched
MOST_EXPECTED = 4  # kinds of tokens that a sentence lists

# --- Characters and words


def find_foreign_character(tokens: TokenContext) -> RuleMatch | None:
    """Recognize a character that means nothing in Puppet."""
    advice = CHARACTERS.get(tokens.rest[:1]) if tokens.kind(0) == "OTHER" else None
    return RuleMatch(advice=advice) if advice is not None else None


def find_foreign_operator(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `===`, `=<`, `<>` and `++`."""
    pair = (tokens.word(-1), tokens.word(0))
    return RuleMatch(advice=DOUBLED[pair]) if tokens.is_adjacent and pair in DOUBLED else None


def find_shell_comparison(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `if $a -eq 1 {` and `if [ $a -lt 1 ] {`."""
    sign = COMPARISONS.get(tokens.word(-1))
    is_between = tokens.kind(-3) in VALUE_ENDS and tokens.kind(0) in VALUE_STARTS
    return RuleMatch(sign=sign) if sign and tokens.word(-2) == "-" and is_between else None


def find_braced_variable(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `${x}` outside of a string."""
    for index in (tokens.index, *tokens.open_brackets[-1:]):
        if index + 1 < len(tokens.kinds) and tokens.text_of(index) == "{":
            start = tokens.starts[index]
            if tokens.text[start - 1 : start] == "$":
                return RuleMatch(name=tokens.text_of(index + 1).removeprefix("$"))
    return None


def find_quote_in_string(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `'it's'`: the quote in the middle ends the string."""
    is_behind_string = tokens.is_adjacent and tokens.kind(-1) == "STRING" and tokens.kind(0) in WORDS
    quote = tokens.word(-1)[-1:] if is_behind_string else ""
    return RuleMatch(quote=quote, other='"' if quote == "'" else "'") if quote in ("'", '"') else None


def find_foreign_loop(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `foreach ($x in $list) { … }`, where the braces are taken for a resource."""
    for index in range(tokens.index):
        word = tokens.text_of(index)
        if word in ("foreach", "for", "while") and tokens.kinds[index + 1] in ("LPAREN", "WSLPAREN"):
            return _match_foreign_word(tokens, index)
    return None


def find_foreign_word(tokens: TokenContext) -> RuleMatch | None:
    """Recognize a word of another language before the error or the bracket around it."""
    starts = [0, *(opener - tokens.index for opener in tokens.open_brackets[-1:])]
    for start in starts:
        for relative in range(start, start - MOST_EXAMINED, -1):
            word = tokens.word(relative)
            is_name = tokens.kind(relative + 1) == "FARROW" or tokens.kind(relative - 1) == "DOT"
            if word in FOREIGN_WORDS and not is_name:
                is_far = start - relative > FAR or start != 0
                return _match_foreign_word(tokens, tokens.index + relative, is_far)
            if tokens.kind(relative) in ("SEMIC", "EQUALS", "COLON") and relative != start:
                break
    return None


def find_python_function(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `def f(x):`."""
    heads = [i for i in range(tokens.index - 1) if tokens.text_of(i) in ("def", "func", "fn")]
    if tokens.kind(0) != "COLON" or not heads or "LBRACE" in tokens.kinds[heads[-1] : tokens.index]:
        return None
    return _match_foreign_word(tokens, heads[-1])


def _match_foreign_word(tokens: TokenContext, index: int, is_far: bool = True) -> RuleMatch:
    """Return a match at a word of another language, with a note if the word is far away."""
    word = tokens.text_of(index)
    advice, fix = FOREIGN_WORDS[word]
    note = tokens.note_at(index, f"`{word}` is not a word of Puppet")
    return RuleMatch(*((note,) if is_far else ()), advice=advice, fix=fix)


# --- Brackets


def find_unclosed_condition(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `if ($x == 1 {`."""
    for index in tokens.open_brackets[:-1]:
        if tokens.keyword_before(index) in CONDITIONALS and tokens.kinds[index] in ("LPAREN", "WSLPAREN"):
            return RuleMatch(tokens.note_at(index, "still open"))
    return None


def find_double_braces(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `{{ foo }}`."""
    inside = tokens.kinds_inside
    if tokens.word(0) == "}" and tokens.word(-1 - len(inside)) == "{" and len(tokens.open_brackets) > 1:
        outer, inner = tokens.open_brackets[-2:]
        if tokens.ends[outer] == tokens.starts[inner] and len(inside) == 1:
            return RuleMatch(name=tokens.word(-1).lstrip("$"))
    return None


def find_long_string(tokens: TokenContext) -> RuleMatch | None:
    """Recognize a string of several lines just before the error.

    A quote is probably missing further up.
    """
    for relative in (-1, 0):
        if tokens.kind(relative) == "STRING" and "\n" in tokens.word(relative):
            index = tokens.index + relative
            return RuleMatch(tokens.note_at(index, "the string begins here"), line=tokens.line_of(index))
    return None


def find_unopened_bracket(tokens: TokenContext) -> RuleMatch | None:
    """Recognize a closing bracket where no bracket is open."""
    kind = tokens.kind(0)
    return RuleMatch(bracket=CLOSING[kind]) if kind in CLOSING and not tokens.open_brackets else None


def find_wrong_bracket(tokens: TokenContext) -> RuleMatch | None:
    """Recognize a closing bracket that does not belong to the open one."""
    kind = tokens.kind(0)
    if kind not in CLOSING or not tokens.open_brackets or OPENERS[tokens.opener_kind] == CLOSING[kind]:
        return None
    return RuleMatch(
        tokens.note_at(tokens.open_brackets[-1], "still open"), bracket=OPENERS[tokens.opener_kind]
    )


def is_operator(word: str) -> bool:
    """Return True if something must follow this mark."""
    return word in OPERATORS and word not in (",", ";", ":", ".", "]", ")")


def is_comma_first(tokens: TokenContext) -> bool:
    """Return True for a comma with nothing before it."""
    before = tokens.kind(-1)
    return tokens.word(0) == "," and (before == "COMMA" or before in OPENERS or tokens.index == 0)


# --- Resources


def is_lone_title(tokens: TokenContext) -> bool:
    """Return True at the end of `package { ntp }` and `notice{'a'}`."""
    is_resource = tokens.kind(0) == "RBRACE" and tokens.role == "resource" and len(tokens.kinds_inside) == 1
    return is_resource and tokens.kind(-3) in ("NAME", "CLASS") and tokens.kind(-1) in VALUE_ENDS


def find_several_references(tokens: TokenContext) -> bool:
    """Recognize `require => Package['a'] Service['b']`."""
    kinds = [tokens.kind(relative) for relative in (-1, 0, 1)]
    between = kinds in (["RBRACK", "CLASSREF", "LBRACK"], ["RBRACK", "CLASSREF", "LISTSTART"])
    return between and tokens.role == "resource"


def find_resource_in_parentheses(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `file ( '/a': ensure => file )`."""
    is_title = tokens.kind(0) == "COLON" and tokens.kind(-1) in VALUE_ENDS
    is_in_parentheses = tokens.opener_kind in ("LPAREN", "WSLPAREN") and tokens.kind_before_opener == "NAME"
    return (
        RuleMatch(name=tokens.text_of(tokens.open_brackets[-1] - 1))
        if is_title and is_in_parentheses
        else None
    )


def find_title_without_colon(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `file { 'a' ensure => …` and `file { 'a' => ensure => …`."""
    inside = tokens.kinds_inside
    if tokens.kind(0) == "FARROW" and tokens.role == "resource" and inside == ["STRING"]:
        return RuleMatch(title=tokens.word(-1), fix=":")
    if tokens.kind(1) != "FARROW" or tokens.role != "resource":
        return None
    entry = inside[_begin_of_body(inside) :]
    if entry and tokens.kind(-1) in VALUE_ENDS and not {"COLON", "FARROW", "COMMA"} & set(entry):
        return RuleMatch(title=tokens.word(-1) if len(entry) == 1 else "…", fix="")
    return None


def find_title_of_words(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `notify { hello world: }`."""
    if tokens.kind(0) not in WORDS or tokens.role != "resource":
        return None
    inside, last = tokens.kinds_inside, tokens.index
    entry = inside[_begin_of_body(inside) :]
    while last + 1 < len(tokens.kinds) and tokens.kinds[last + 1] in WORDS:
        last += 1
    is_closed = last + 1 < len(tokens.kinds) and tokens.kinds[last + 1] == "COLON"
    if not is_closed or not entry or not all(kind in WORDS for kind in entry):
        return None
    return RuleMatch(words=" ".join(map(tokens.text_of, range(tokens.index - len(entry), last + 1))))


def _begin_of_body(inside: list[str]) -> int:
    """Return the index after the last semicolon, where the body of another title begins."""
    return max((i for i, kind in enumerate(inside) if kind == "SEMIC"), default=-1) + 1


def find_value_with_colon(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `owner => root:root`."""
    is_value = tokens.kind(0) == "COLON" and tokens.kind(-2) == "FARROW" and tokens.role == "resource"
    is_joined = tokens.kind(-1) in WORDS and tokens.kind(1) in (*WORDS, "NUMBER") and tokens.is_adjacent
    return RuleMatch(string=f"'{tokens.word(-1)}:{tokens.word(1)}'") if is_value and is_joined else None


def find_missing_comma(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `ensure => present mode => 1`, in a resource, a hash or a selector."""
    is_next = tokens.kind(1) in ("FARROW", "PARROW") and tokens.kind(-1) in VALUE_ENDS
    parts = {"resource": "attributes", "selector": "options"}.get(tokens.role, "entries")
    return RuleMatch(parts=parts) if is_next and "FARROW" in tokens.kinds_inside else None


def find_arrow_in_attributes(tokens: TokenContext) -> bool:
    """Recognize `ensure -> file` and `ensure: file` in a resource."""
    if tokens.role != "resource" or tokens.kind(-1) not in WORDS:
        return False
    is_first = tokens.kind(-2) == "COLON" and "FARROW" not in tokens.kinds_inside
    return (tokens.kind(-2) == "COMMA" or is_first) and tokens.word(0) in ("->", "~>", ":", "=>>")


def find_several_titles(tokens: TokenContext) -> bool:
    """Recognize `file { '/a', '/b': … }`."""
    is_title = tokens.kind(0) == "COMMA" and tokens.kind(-1) in VALUE_ENDS
    is_first = is_title and tokens.role in ("resource", "hash") and len(tokens.kinds_inside) == 1
    return is_first and tokens.kind_before_opener in ("NAME", "CLASS")


def find_resource_as_value(tokens: TokenContext) -> bool:
    """Recognize `$x = notify { 'a': }` and `message => notify { 'a': }`."""
    if tokens.kind(0) == "LBRACE":
        brace = tokens.index
    elif tokens.kind(0) == "COLON" and tokens.role == "resource":
        brace = tokens.open_brackets[-1]
    else:
        return False
    if brace < 2 or tokens.kinds[brace - 1] != "NAME":
        return False
    before = tokens.kinds[brace - 2]
    return before in ("EQUALS", "COMMA", "FARROW", *OPENERS) and before != "LBRACE"


# --- Queries, branches


def is_in_query(tokens: TokenContext) -> bool:
    """Return True if the last sign of a query before the error opens one."""
    before = [kind for kind in tokens.kinds[: tokens.index] if kind in ("LCOLLECT", "RCOLLECT")]
    return before[-1:] == ["LCOLLECT"]


def find_branch_without_braces(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `case $x { 1: 'one' }` and `else 'b'`."""
    if tokens.kind(0) not in VALUE_STARTS or tokens.kind(0) == "LBRACE":
        return None
    if tokens.kind(-1) == "ELSE":
        return RuleMatch(branch="else")
    is_option = tokens.kind(-1) == "COLON" and tokens.role == "case"
    return RuleMatch(branch=f"{shorten(tokens.word(-2))}:") if is_option else None


# --- Lambdas, parameters, names


def find_parameter_without_dollar(tokens: TokenContext) -> bool:
    """Recognize `|x|`, `class a(x)` and `function f(String x)`."""
    if tokens.kind(0) not in WORDS:
        return False
    if tokens.kind(-1) == "PIPE":
        return True
    is_in_list = (
        tokens.opener_kind == "LPAREN" and tokens.keyword_before(tokens.open_brackets[-1]) in DEFINING
    )
    return is_in_list and tokens.kind(-1) in ("LPAREN", "COMMA", "CLASSREF", "RBRACK")


def find_function_before_list(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `each [1, 2] |$x| { … }` and `each $list |$x| { … }`."""
    if tokens.kind(0) != "PIPE" or tokens.kind(-1) not in VALUE_ENDS or tokens.kind(1) != "VARIABLE":
        return None
    begin, depth = tokens.index - 1, 0
    while begin > 0:
        depth += (tokens.kinds[begin] in CLOSING) - (tokens.kinds[begin] in OPENERS)
        if depth == 0:
            break
        begin -= 1
    if begin < 1 or tokens.kinds[begin - 1] != "NAME":
        return None
    value = "".join(map(tokens.text_of, range(begin, tokens.index)))
    return RuleMatch(value=shorten(value), name=tokens.text_of(begin - 1))


def find_lambda_in_parentheses(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `[1, 2].each($x) { … }`, as in other languages."""
    for index in reversed(tokens.open_brackets):
        kinds = tokens.kinds[max(index - 5, 0) : index]
        if tokens.kinds[index] == "LBRACE" and kinds == ["DOT", "NAME", "LPAREN", "VARIABLE", "RPAREN"]:
            note = tokens.note_at(index, "the lambda begins here")
            return RuleMatch(note, name=tokens.text_of(index - 4), variable=tokens.text_of(index - 2))
    return None


def find_lambda_without_parameters(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `[1, 2].each { notice(1) }`."""
    for index in reversed(tokens.open_brackets):
        if tokens.kinds[index] == "LBRACE" and index > 1 and tokens.kinds[index - 2] == "DOT":
            note = tokens.note_at(index, "the lambda begins here")
            return RuleMatch(note, name=tokens.text_of(index - 1))
    return None


def is_letter_before_string(tokens: TokenContext) -> bool:
    """Recognize `f"hi ${name}"` and `r'a'`: a letter that belongs to a string in other languages."""
    is_string = tokens.kind(0) in ("STRING", "DQPRE")
    return tokens.is_adjacent and is_string and tokens.kind(-1) == "NAME" and len(tokens.word(-1)) == 1


def find_definition_with_hyphen(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `define web-site() { }`, where the hyphen is read as an operator."""
    name = tokens.word(-1)
    is_hyphenated = tokens.kind(-1) == "WORD" and "-" in name and tokens.kind(-2) in DEFINING
    return RuleMatch(name=name.replace("-", "_")) if is_hyphenated else None


def find_strings_joined_by_dot(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `'a' . $b`."""
    if tokens.kind(-1) == "DOT" and tokens.kind(-2) in ("STRING", "DQPOST") and tokens.kind(0) == "VARIABLE":
        return RuleMatch(name=tokens.word(0)[1:])
    if tokens.kind(1) == "DOT" and tokens.kind(0) == "STRING" and tokens.kind(2) == "VARIABLE":
        return RuleMatch(name=tokens.word(2)[1:])
    return None


def find_type_in_lower_case(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `type port = …` and `>> integer`."""
    name = "::".join(part.capitalize() for part in tokens.word(0).split("::"))
    is_type = tokens.kind(0) == "NAME" and tokens.kind(-1) in ("TYPE", "RSHIFT")
    return RuleMatch(type=name) if is_type else None


def is_after_else(tokens: TokenContext) -> bool:
    """Return True behind a brace in a source with an `else` before."""
    return tokens.kind(-1) == "RBRACE" and "ELSE" in tokens.kinds[: tokens.index]


def is_keyword(tokens: TokenContext) -> bool:
    """Return True for a keyword."""
    return tokens.word(0) in KEYWORDS


def find_unindented_data(tokens: TokenContext) -> RuleMatch | None:
    """Recognize `package: name=vim` and `- name: x`."""
    is_key = tokens.kind(0) == "COLON" and tokens.kind(-1) in (*WORDS, "STRING")
    is_data = is_key and not tokens.open_brackets and tokens.begins_line(-1)
    return RuleMatch(name=tokens.word(-1).strip("'\"")) if is_data else None


def find_resource_like_yaml(tokens: TokenContext) -> bool:
    """Recognize `package 'vim': ensure => present`."""
    is_titled = tokens.kind(0) == "COLON" and tokens.kind(-1) == "STRING" and tokens.kind(-2) == "NAME"
    return is_titled and not tokens.open_brackets and tokens.begins_line(-2)


# --- The end of input, and the tokens that the grammar expects


def find_open_bracket(tokens: TokenContext) -> RuleMatch | None:
    """Recognize an open bracket at the end of input.

    It is the likeliest one by the layout, else the innermost.
    """
    if not tokens.open_brackets:
        return None
    suspect = tokens.open_brackets[-1] if tokens.suspect is None else tokens.suspect
    bracket = OPENERS[tokens.kinds[suspect]]
    return RuleMatch(tokens.note_at(suspect, "still open"), bracket=bracket, line=tokens.line_of(suspect))


def find_last_semicolon(tokens: TokenContext) -> RuleMatch | None:
    """Recognize a semicolon at the end of input."""
    return RuleMatch(tokens.note_at(tokens.index - 1, "this one")) if tokens.word(-1) == ";" else None


def find_expected_tokens(tokens: TokenContext) -> RuleMatch | None:
    """Return the tokens that the grammar expected, if a few words suffice to name them."""
    words = name_tokens(tokens.expected)
    if not 0 < len(words) <= MOST_EXPECTED:
        return None
    after = shorten(tokens.word(-1))
    choice = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return RuleMatch(choice=choice, position=f" after `{after}`" if after else "")


def name_tokens(expected: frozenset[str]) -> list[str]:
    """Return tokens in plain words; all that begins a value, or continues an expression, counts as one."""
    rest, words = set(expected), []
    if {"VARIABLE", "NUMBER"} <= rest:
        words.append("a value")
        rest -= VALUE_TOKENS
    elif {"NAME", "WORD"} <= rest:
        words.append("a name")
        rest -= NAME_TOKENS
    if {"PLUS", "TIMES"} <= rest:
        words.append("an operator")
        rest -= OPERATOR_TOKENS
    return words + sorted({TOKEN_WORDS.get(kind, f"`{kind.lower()}`") for kind in rest})
