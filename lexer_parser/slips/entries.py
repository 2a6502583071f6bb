"""Slips in resources, hashes, selectors and their like: what stands between braces, and between statements."""

from __future__ import annotations

from lexer_parser.slips.brackets import short
from lexer_parser.slips.place import CLOSING, OPENING, VALUE_ENDS, VALUE_STARTS, Advice, Place
from lexer_parser.slips.spelling import FOREIGN_WORDS

SAYING = (
    "notice",
    "warning",
    "err",
    "info",
    "debug",
    "fail",
    "alert",
    "crit",
    "emerg",
    "include",
    "contain",
    "require",
)
ATTRIBUTES = (
    "ensure",
    "require",
    "before",
    "notify",
    "subscribe",
    "content",
    "mode",
    "owner",
    "enable",
    "source",
)

_WORDS = ("NAME", "WORD")


def title_alone(place: Place) -> Advice | None:
    """`package { ntp }`, `notice{'a'}`."""
    if place.kind(0) != "RBRACE" or place.braces() != "resource" or len(place.since_opening()) != 1:
        return None
    name, title = place.word(-3), place.word(-1)
    if place.kind(-3) not in ("NAME", "CLASS") or place.kind(-1) not in VALUE_ENDS:
        return None
    if name in SAYING:
        return Advice(f"A function is called with parentheses: `{name}({title})`.")
    return Advice(f"Put a colon after the title: `{name} {{ {title}: }}`.", ":")


def resource_in_parentheses(place: Place) -> Advice | None:
    """`file ( '/a': ensure => file )`."""
    if place.kind(0) == "COLON" and place.opener in ("LPAREN", "WSLPAREN") and place.kind(-1) in VALUE_ENDS:
        before = place.open[-1] - 1
        if before >= 0 and place.kinds[before] == "NAME":
            name = place.at(before)
            return Advice(f"A resource stands in braces: `{name} {{ {place.word(-1)}: … }}`.")
    return None


def list_in_parentheses(place: Place) -> Advice | None:
    """`$x = (1, 2)`."""
    if place.kind(0) == "COMMA" and place.opener in ("LPAREN", "WSLPAREN"):
        before = place.kinds[place.open[-1] - 1] if place.open[-1] else ""
        if before in ("EQUALS", "IN", "FARROW"):
            return Advice("A list stands in brackets: `[1, 2]`.", "[")
    return None


def several_references(place: Place) -> Advice | None:
    """`require => Package['a'] Service['b']`."""
    kinds = [place.kind(relative) for relative in (-1, 0, 1)]
    between = kinds in (["RBRACK", "CLASSREF", "LBRACK"], ["RBRACK", "CLASSREF", "LISTSTART"])
    if between and place.braces() == "resource":
        return Advice("Several references stand in brackets, with commas: `[A['x'], B['y']]`.", ",")
    return None


def title_colon(place: Place) -> Advice | None:
    """`file { 'a' ensure => …`, `file { 'a' => ensure => …`."""
    if place.kind(0) == "FARROW" and place.braces() == "resource" and place.since_opening() == ["STRING"]:
        return Advice(f"Put a colon after the title: `{place.word(-1)}:`.", ":")
    if place.kind(1) != "FARROW" or place.braces() != "resource":
        return None
    since = place.since_opening()
    entry = since[max((i for i, kind in enumerate(since) if kind == "SEMIC"), default=-1) + 1 :]
    if entry and place.kind(-1) in VALUE_ENDS and not {"COLON", "FARROW", "COMMA"} & set(entry):
        title = place.word(-1) if len(entry) == 1 else "…"
        return Advice(f"Put a colon after the title: `{title}:`.")
    return None


def title_of_words(place: Place) -> Advice | None:
    """`notify { hello world: }`."""
    if place.kind(0) not in _WORDS or place.braces() != "resource":
        return None
    since, last = place.since_opening(), place.index
    begin = max((i for i, kind in enumerate(since) if kind == "SEMIC"), default=-1) + 1
    while last + 1 < len(place.kinds) and place.kinds[last + 1] in _WORDS:
        last += 1
    closed = last + 1 < len(place.kinds) and place.kinds[last + 1] == "COLON"
    if not closed or not since[begin:] or not all(kind in _WORDS for kind in since[begin:]):
        return None
    words = " ".join(place.at(i) for i in range(place.index - len(since[begin:]), last + 1))
    return Advice(f"A title of several words stands in quotes: `'{words}':`.", f"'{words}'")


def value_of_words(place: Place) -> Advice | None:
    """`message => hello world`."""
    if place.kind(0) in _WORDS and place.kind(-1) in _WORDS and place.kind(-2) == "FARROW":
        words = place.kind(1) not in ("FARROW", "PARROW")
        text = f"'{place.word(-1)} {place.word(0)} …'"
        return Advice(f"A text of several words stands in quotes: `{text}`.") if words else None
    return None


def value_with_colon(place: Place) -> Advice | None:
    """`owner => root:root`."""
    if place.kind(0) != "COLON" or place.kind(-2) != "FARROW" or place.braces() != "resource":
        return None
    if place.kind(-1) in _WORDS and place.kind(1) in (*_WORDS, "NUMBER") and place.adjacent():
        text = f"'{place.word(-1)}:{place.word(1)}'"
        return Advice(f"A text with a colon stands in quotes: `{text}`.", text)
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


def value_without_braces(place: Place) -> Advice | None:
    """`case $x { 1: 'one' }`, `else 'b'`."""
    if place.kind(0) not in VALUE_STARTS or place.kind(0) == "LBRACE":
        return None
    option = place.kind(-1) == "COLON" and place.braces() == "case"
    if not option and place.kind(-1) != "ELSE":
        return None
    before = f"{short(place.word(-2))}:" if option else "else"
    return Advice(f"A branch stands in braces: `{before} {{ {short(place.word(0))} }}`.", "{")


def block_without_call(place: Place) -> Advice | None:
    """`each [1, 2] |$x| { … }`, `each $list |$x| { … }`."""
    if place.kind(0) != "PIPE" or place.kind(-1) not in VALUE_ENDS or place.kind(1) != "VARIABLE":
        return None
    begin, depth = place.index - 1, 0
    while begin > 0:
        depth += (place.kinds[begin] in CLOSING) - (place.kinds[begin] in OPENING)
        if depth == 0:
            break
        begin -= 1
    if begin < 1 or place.kinds[begin - 1] != "NAME":
        return None
    name, value = place.at(begin - 1), "".join(place.at(i) for i in range(begin, place.index))
    return Advice(f"A function with a block is called after a dot: `{short(value)}.{name} |$x| {{ … }}`.")


def block_in_parentheses(place: Place) -> Advice | None:
    """`[1, 2].each($x) { … }`, as in other languages."""
    for index in reversed(place.open):
        kinds = place.kinds[max(index - 5, 0) : index]
        if place.kinds[index] == "LBRACE" and kinds == ["DOT", "NAME", "LPAREN", "VARIABLE", "RPAREN"]:
            name, variable = place.at(index - 4), place.at(index - 2)
            note = place.note("the block begins here", index)
            return Advice(
                f"The parameters of a block stand between bars: `.{name} |{variable}| {{ … }}`.",
                None,
                (note,),
            )
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
    """`notice a => 1`, `ensure => file` outside of a resource, `file { … } => service { … }`."""
    if place.kind(0) == "FARROW" and place.kind(-1) == "RBRACE":
        return Advice("Between resources stands `->`, or `~>`, which notifies: `A -> B`.", "->")
    if place.kind(0) == "FARROW" and place.word(-1) in ATTRIBUTES and place.braces() in ("", "body"):
        return Advice(f"An attribute stands in a resource: `file {{ 'title': {place.word(-1)} => … }}`.")
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
