"""The parser: positions, status of incomplete input, comments, and hostile input."""

import random
import time
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexer_parser import PUPPET, SPEC, PuppetError, find_comments, find_status, parse, to_pn, tokenize
from lexer_parser.regexps.parser import find_regexp_error
from lexer_parser.tree import nodes

DIALECTS = pytest.mark.parametrize("dialect", [PUPPET, SPEC], ids=["puppet", "spec"])


def parse_unvalidated(source, dialect=PUPPET, **options):
    return parse(source, dialect=dialect, validate=False, **options)


def list_texts(source, kind, **options):
    """Return the source text of each node of a class."""
    return [
        source[node.start : node.end]
        for node in nodes.walk(parse_unvalidated(source, **options))
        if type(node) is kind
    ]


# --- The public functions


def test_the_default_dialect_is_the_released_language():
    assert to_pn(parse("$a = 1")) == '(= (var "a") 1)'
    assert to_pn(parse("<%= 1 %>", epp=True)) == to_pn(parse("<%= 1 %>", True, "a.epp", PUPPET))
    source = "$x = if true { 1 }"
    assert to_pn(parse(source)) == to_pn(parse(source, dialect=PUPPET))
    with pytest.raises(PuppetError, match=r"\(file: a.pp, line: 1, column: 6\)"):
        parse("$a = )", False, "a.pp")


# --- Positions


@pytest.mark.parametrize(
    ("kind", "source", "texts"),
    [
        (nodes.Arithmetic, "1 + 22 * 3", ["+", "*"]),
        (nodes.Assignment, "$a = 1", ["="]),
        (nodes.Relationship, "A -> B ~> C", ["~>", "->"]),
        (nodes.Not, "! $a", ["!"]),
        (nodes.Paren, "(1)", ["("]),
        (nodes.Access, "$a[1] + $b['x', 2]", ["$a[1]", "$b['x', 2]"]),
        (nodes.Call, "x + foo(1, 2) |$y| { 1 }", ["foo(1, 2) |$y| { 1 }"]),
        (nodes.Call, "$x; notice 1, $y", ["notice 1, $y"]),
        (nodes.MethodCall, "$x.foo(1)", ["(1)"]),
        (nodes.MethodCall, "$x.foo", [".foo"]),
        (nodes.Variable, "$a::b + $c", ["$a::b", "$c"]),
        (nodes.Variable, '"é ${a} $b"', ["a", "$b"]),
        (nodes.Pair, "{ a => 1 }", ["=>"]),
        (nodes.Attribute, "file { 'a': mode => 1 }", ["mode => 1"]),
        (nodes.Class, "1; class a { 2 }", ["class a { 2 }"]),
        (nodes.Block, "if 1 { 2; 3 }", ["{ 2; 3 }"]),
        (nodes.CaseOption, "case 1 { 2: { 3 } }", [": { 3 }"]),
        (nodes.Parameter, "define a(Integer $x = 1) { }", ["$x"]),
        (nodes.TypeAlias, "type Foo = Integer", ["Foo"]),
        (nodes.Heredoc, "$a = @(X)\nb\nX", ["@(X)"]),
        (nodes.Concat, '"a$b" [1]', ['"a$b"']),
        (nodes.Variable, '$a = @("X")\n   é ${b}\n   $c\n   | X', ["$a", "b", "$c"]),
    ],
)
def test_a_node_has_the_span_of_its_text(kind, source, texts):
    assert list_texts(source, kind) == texts


def test_columns_are_counted_in_characters():
    with pytest.raises(PuppetError) as caught:
        parse("$é = 1", name="a.pp", dialect=PUPPET)
    assert str(caught.value) == "Syntax error at '' (file: a.pp, line: 1, column: 2)"


def test_an_error_at_the_end_has_no_position():
    with pytest.raises(PuppetError) as caught:
        parse("if true {", dialect=PUPPET)
    error = caught.value
    assert (error.code, error.message, error.span) == ("SYNTAX_ERROR", "Syntax error at end of input", None)
    assert error.incomplete


def test_several_validation_errors_are_related_to_one():
    with pytest.raises(PuppetError) as caught:
        parse("define a($name, $title) { }", dialect=PUPPET)
    assert caught.value.code == "LANGUAGE_VALIDATION"
    assert caught.value.span is None
    assert len(caught.value.related) == 2


def test_a_program_has_its_warnings():
    program = parse('"\\q \\u1"', dialect=PUPPET)
    assert [str(warning) for warning in program.warnings] == [
        "Unrecognized escape sequence '\\q' (line: 1, column: 2)",
        "Unicode escape '\\u' was not followed by 4 hex digits or 1-6 hex digits in {} or was > 10ffff"
        " (line: 1, column: 5)",
    ]


@pytest.mark.parametrize(
    ("source", "characters"),
    [
        ('1 "a${x}\\q${"\\z"}" "\\y"', "qz"),
        ('"${[1, 2 "\\q"]} \\z" "\\y"', "qz"),
        ('"\\q" 1) "\\z"', "q"),
    ],
)
def test_an_error_has_the_warnings_about_the_source_before_it(source, characters):
    with pytest.raises(PuppetError) as caught:
        parse(f"notice({source})", dialect=PUPPET)
    assert [warning.arguments["character"] for warning in caught.value.warnings] == list(characters)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("<%= (1 %> a <%# b %><%", "EPP_UNBALANCED_EXPRESSION"),
        ("<%= (1 -%><%# b", "EPP_UNBALANCED_COMMENT"),
        ("<%= (1 %><% 08", "SYNTAX_ERROR"),
        ("<%= ) %><%", "SYNTAX_ERROR"),
    ],
)
def test_the_text_after_a_tag_is_lexed_with_the_tag(source, code):
    with pytest.raises(PuppetError) as caught:
        parse(source, dialect=PUPPET, epp=True)
    assert caught.value.code == code


# --- Status


@pytest.mark.parametrize(
    ("source", "kind", "indent"),
    [
        ("", "complete", ""),
        ("1 + 1", "complete", ""),
        ("if true { }", "complete", ""),
        ("notice", "complete", ""),
        ("$x = ", "incomplete", ""),
        ("1 +", "incomplete", ""),
        ("$x.", "incomplete", ""),
        ("foo(", "incomplete", "  "),
        ("foo(1,\n  [2", "incomplete", "    "),
        ("if true {", "incomplete", "  "),
        ("class a {\n  if $x {\n    file { 'a':", "incomplete", "      "),
        ("if true {\n}\nelse {", "incomplete", "  "),
        ("[1].each |$x", "incomplete", "  "),
        ("File <|", "incomplete", "  "),
        ("'abc", "incomplete", ""),
        ('foo("abc ${x', "incomplete", ""),
        ("@(X)\nabc", "incomplete", ""),
        ("@(X)", "incomplete", ""),
        ("/* abc", "incomplete", ""),
        ("1 1 =>", "invalid", ""),
        (")", "invalid", ""),
        ("09", "invalid", ""),
        ("$x = /(/", "invalid", ""),
    ],
)
@DIALECTS
def test_the_status_of_a_source_has_a_kind_and_an_indent(dialect, source, kind, indent):
    status = find_status(source, dialect)
    assert (status.kind, status.indent) == (kind, indent)


def test_a_template_has_a_status():
    assert find_status("a <%= 1", PUPPET, epp=True).kind == "incomplete"
    assert find_status("a <%= 1 %>", PUPPET, epp=True).kind == "complete"


# --- Comments


def test_all_comments_of_a_source_are_found():
    source = "# a\n$x = '# no' # b\n/* c\n*/ \"${y /* d */ + 1}\"\n@(E) # e\n# no\nE\n# f\n"
    source += '@("F")\n${y /* within its text */ + 1}\nF\n# g'
    comments = find_comments(source, PUPPET)
    assert [text for *_, text in comments] == ["# a", "# b", "/* c\n*/", "/* d */", "# e", "# f", "# g"]
    assert all(source[start:end] == text for start, end, text in comments)


# --- The specification's dialect


@pytest.mark.parametrize(
    ("source", "pn"),
    [
        ("$x = A -> B", '(-> (= (var "x") (qr "A")) (qr "B"))'),
        ("include a -> b", '(invoke {:functor (qn "include") :args [(-> (qn "a") (qn "b"))]})'),
        ("abc [1]", '(invoke {:functor (qn "abc") :args [(array 1)]})'),
        ("$a [1]", '(access (var "a") 1)'),
        ("[1] [2]", "(access (array 1) 2)"),
        ("[1]\n[2]", "(block (array 1) (array 2))"),
        ("[,]", "(array)"),
        ("{,}", "(hash)"),
        ("case 1 { }", "(case 1 [])"),
        ("$r { a => 1 }", '(resource-override {:resources (var "r") :ops [(=> "a" 1)]})'),
        ('"${x[1].y}"', '(concat (str (call-method {:functor (. (access (var "x") 1) (qn "y")) :args []})))'),
        ('"${x[1] + 1}"', '(concat (str (+ (access (qn "x") 1) 1)))'),
        ('"${class}"', '(concat (str (var "class")))'),
        ("a-b", '(- (qn "a") (qn "b"))'),
        (r"/\Aa\Z\\A/", r'(regexp "a\\\\A")'),
    ],
)
def test_the_specification_parses_otherwise(source, pn):
    assert to_pn(parse_unvalidated(source, SPEC)) == pn


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("notice (A -> B)", "Syntax error at '->' (line: 1, column: 11)"),
        ("$r = notify { 'a': }", "Syntax error at ':' (line: 1, column: 18)"),
        ('"${class[1]}"', "Syntax error at '[' (line: 1, column: 9)"),
        ("/a/m", "Options are not allowed after a regular expression (line: 1, column: 4)"),
    ],
)
def test_the_specification_refuses_a_source(source, message):
    with pytest.raises(PuppetError) as caught:
        parse_unvalidated(source, SPEC)
    assert str(caught.value) == message


# --- Hostile input


# The opening text, the innermost text, and the closing text.
NESTED = [
    ("[", "", "]"),
    ("(", "1", ")"),
    ("{a=>", "1", "}"),
    ("f(", "", ")"),
    ('"${', "1", '}"'),
    ("if 1 {", "", "}"),
    ("$a.b |$x| {", "", "}"),
    ("!", "1", ""),
    ("$a = ", "1", ""),
    ("1 + ", "1", ""),
    ("A -> ", "A", ""),
    ("", "$a", "[1]"),
    ("", "$a", ".b"),
    ("", "if 1 {}", " elsif 1 {}"),
    ("/", "/", ""),
]


# Both grammars have the same parser, so each input is parsed with one of them.
@pytest.mark.parametrize(("nested", "dialect"), [*zip(NESTED, cycle([PUPPET, SPEC]), strict=False)])
@pytest.mark.slow
def test_deep_nesting_is_parsed_without_recursion(nested, dialect):
    """Twenty thousand levels exceed any stack; they are a tree or a PuppetError."""
    opening, middle, closing = nested
    try:
        program = parse_unvalidated(opening * 20_000 + middle + closing * 20_000, dialect)
    except PuppetError:
        return
    assert to_pn(program)
    assert sum(1 for _ in nodes.walk(program)) > 1000


@pytest.mark.parametrize(
    ("opening", "kind"),
    [
        *((opening, "incomplete") for opening in ("[", "(", "{", '"${', "f(", "@(", "$a ? {", "/*")),
        *((opening, "invalid") for opening in ("file { a => ", "<")),
        *((opening, "complete") for opening in ("'", "$")),  # pairs of quotes; validation refuses a lone `$`
    ],
)
def test_a_long_repetition_of_an_opening_has_a_status(opening, kind):
    assert find_status(opening * 50_000, PUPPET).kind == kind


@pytest.mark.parametrize(
    "piece",
    [
        "$a = 1\n",
        "# comment\n",
        "/* c */ ",
        "'x' ",
        '"$a" ',
        "( ",
        " /",
        "\\n",
        "a-",
        "::a",
        "é",
        "$",
        "\\u",
        "@(X)\n",
    ],
)
@pytest.mark.slow
def test_a_status_is_found_in_linear_time(piece):
    check_linear_time(piece, PUPPET)


@pytest.mark.parametrize("piece", ["1\n", "} [1] ", "$x [1] "])
@pytest.mark.slow
def test_a_status_is_found_in_linear_time_if_the_specification_looks_back(piece):
    check_linear_time(piece, SPEC)


def check_linear_time(piece, dialect):
    """Check that four times the text takes about four times the time, far from sixteen times."""

    def measure(size):
        source = piece * (size // len(piece))
        start = time.process_time()
        find_status(source, dialect)
        return time.process_time() - start

    least = min(measure(25_000) for _ in range(2))
    assert measure(100_000) < 10 * least + 0.15


def test_the_warnings_before_an_error_in_a_long_string_take_linear_time():
    """The end of a string decides which warnings precede the error, as in the released parser."""

    def measure(count):
        start = time.process_time()
        with pytest.raises(PuppetError) as caught:
            parse(f'"\\q" "${{ 1 ) [{"1," * count}1] }}" "\\w"', dialect=PUPPET)
        assert len(caught.value.warnings) == 1
        return time.process_time() - start

    assert measure(20_000) < 10 * measure(5_000) + 0.3


def test_a_number_that_is_too_long_is_refused():
    for digits in ("1" * 100_000, "0x" + "f" * 100_000, "0" * 100_000, "1e999"):
        with pytest.raises(PuppetError):
            parse(digits, dialect=PUPPET)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a(b|c)*d{1,3}[^\\]x-z[:alpha:]]\\d+(?<n>x)\\k<n>(?i:a)(?=b)", None),
        ("(" * 100_000 + ")" * 100_000, None),
        ("(", "end pattern with unmatched parenthesis"),
        ("[a", "premature end of char-class"),
        ("a|*", "target of repeat operator is not specified"),
        ("(?x) # (\n", None),
    ],
)
def test_a_mistake_in_a_regular_expression_has_a_reason(pattern, reason):
    assert find_regexp_error(pattern) == reason


# --- Properties

_FRAGMENTS = (
    '$a \'b\' "c" "d${e}f" "${ [ ] { } ( ) | => = == + - * / % ! ? : ; , . <| |> -> ~> @ @( @(X) \n X if else case '
    "class define node function type default undef true 1 0x 1.5 foo Foo a::b a-b /x/ # /* */ \\ é \x00 notice in and"
)
FRAGMENTS = _FRAGMENTS.split(" ")
puppet_like = st.lists(st.sampled_from([*FRAGMENTS, " ", "\n"]), max_size=30).map("".join)


@given(source=st.one_of(puppet_like, st.text(max_size=40)), template=st.booleans())
@DIALECTS
def test_any_text_is_a_program_or_an_error_with_a_position(dialect, source, template):
    """A program is complete, and its nodes and tokens are inside of the text."""
    try:
        program = parse(source, epp=template, dialect=dialect)
    except PuppetError as error:
        for each in (error, *error.related):
            assert each.span is None or 0 <= each.span.start <= len(source) + 1
            assert str(each)
        return
    assert to_pn(program) == to_pn(parse(source, epp=template, dialect=dialect))
    assert find_status(source, dialect, epp=template).kind == "complete"
    for node in nodes.walk(program):
        assert 0 <= node.start <= node.end <= len(source)
    if not template:
        tokens = tokenize(source, dialect)
        assert all(0 <= start <= end <= len(source) for _, _, start, end in tokens)


@given(numbers=st.lists(st.integers(0, 10**6), min_size=1, max_size=20), seed=st.integers())
def test_blanks_and_comments_do_not_change_the_tree(numbers, seed):
    chance = random.Random(seed)

    def choose_blank():
        return chance.choice([" ", "\n", " # c\n", "/* c */ ", "\t\r\n"])

    plus = f"{choose_blank()}+{choose_blank()}"
    spaced = "$x" + choose_blank() + "=" + choose_blank() + plus.join(map(str, numbers))
    assert parse_unvalidated(spaced) == parse_unvalidated("$x = " + " + ".join(map(str, numbers)))
