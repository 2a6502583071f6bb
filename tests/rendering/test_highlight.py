"""The Pygments lexer: all of the text, and the right kind of token."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Token

from puppet_kernel.rendering.highlight import PuppetLexer, highlight_lines

PIECES = st.lists(
    st.sampled_from(
        [
            *("/*", "*/", "#", "=>", "<%=", "%>", "<%#", "-%>", "\\", "1.5", "(", "é"),
            "$x",
            "${",
            "}",
            '"',
            "'",
            "@(END)",
            '@("END")',
            "| END",
            "\n",
            " ",
            "class",
            "a::b",
            "Foo",
            "{",
            "/",
        ]
    ),
    max_size=30,
).map("".join)


def kinds(source: str, **options: bool) -> list[tuple[object, str]]:
    tokens = PuppetLexer(**options).get_tokens_unprocessed(source)
    return [(token, text) for _, token, text in tokens if text.strip()]


@pytest.mark.parametrize("epp", [False, True])
@given(source=PIECES)
def test_nothing_is_lost(source: str, epp: bool) -> None:
    offset = 0
    for start, _, text in PuppetLexer(epp=epp).get_tokens_unprocessed(source):
        assert start == offset and text
        offset += len(text)
    assert offset == len(source)
    assert "\n".join("".join(text for _, text in line) for line in highlight_lines(source)) == source


def test_a_resource() -> None:
    assert kinds("file { '/a': ensure => $x }") == [
        (Name.Class, "file"),
        (Punctuation, "{"),
        (String.Single, "'/a'"),
        (Punctuation, ":"),
        (Name.Attribute, "ensure"),
        (Operator, "=>"),
        (Name.Variable, "$x"),
        (Punctuation, "}"),
    ]


def test_words() -> None:
    by_text = {text: token for token, text in kinds("if and true notice( 0x1F Integer 1.5")}
    assert by_text["if"] is Keyword
    assert by_text["and"] is Operator.Word
    assert by_text["true"] is Token.Keyword.Constant
    assert by_text["notice"] is Name.Function
    assert by_text["0x1F"] is Number.Hex
    assert by_text["Integer"] is Token.Keyword.Type
    assert by_text["1.5"] is Number.Float


def test_interpolation_nests() -> None:
    assert kinds('"a ${"b ${c}"} d"') == [
        (String.Double, '"'),
        (String.Double, "a "),
        (String.Interpol, "${"),
        (String.Double, '"'),
        (String.Double, "b "),
        (String.Interpol, "${"),
        (Name.Variable, "c"),
        (String.Interpol, "}"),
        (String.Double, '"'),
        (String.Interpol, "}"),
        (String.Double, " d"),
        (String.Double, '"'),
    ]


def test_the_options_of_pygments_are_known() -> None:
    assert (Name.Variable, "$x") == next(iter(PuppetLexer(stripall=True).get_tokens(" $x ")))


def test_heredocs() -> None:
    source = '$x = [@(A), @("B"/L)]\n  raw ${x}\n  | A\n  cooked ${x}\n  |- B\n$y\n'
    told = kinds(source)
    assert (String.Heredoc, "@(A)") in told
    assert (String.Heredoc, "  raw ${x}\n") in told
    assert (Name.Variable, "x") in told
    assert (String.Heredoc, "  |- B") in told
    assert told[-1] == (Name.Variable, "$y")
    assert (String.Heredoc, "not $code\n") in kinds("$x = @(E) \nnot $code\n| E\n")  # a blank behind the tag


def test_slashes() -> None:
    assert (String.Regex, "/a b/") in kinds("$x =~ /a b/")
    assert String.Regex not in [token for token, _ in kinds("$x / 2 / 3")]


def test_comments_and_what_is_unfinished() -> None:
    assert kinds("# a\n/* b */ /* c") == [
        (Comment.Single, "# a"),
        (Comment.Multiline, "/* b */"),
        (Comment.Multiline, "/* c"),
    ]
    assert kinds("'open")[0] == (String.Single, "'open")
    assert (Error, "^") in kinds("1 ^ 2")


def test_templates() -> None:
    told = kinds("Hello <%= $x %> <%# no %> <% if $y { -%>\nyes\n<% } -%>\n", epp=True)
    assert (Name.Variable, "$x") in told
    assert (Keyword, "if") in told
    assert [text for token, text in told if token is Comment.Multiline] == ["<%# no %>"]
