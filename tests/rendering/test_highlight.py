"""The Pygments lexer returns the whole text, as tokens of the right kinds."""

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


def list_tokens(source: str, **options: bool) -> list[tuple[object, str]]:
    """Return kind and text of each token that is not blank."""
    tokens = PuppetLexer(**options).get_tokens_unprocessed(source)
    return [(token, text) for _, token, text in tokens if text.strip()]


@pytest.mark.parametrize("epp", [False, True])
@given(source=PIECES)
def test_the_tokens_contain_the_whole_text(source: str, epp: bool) -> None:
    offset = 0
    for start, _, text in PuppetLexer(epp=epp).get_tokens_unprocessed(source):
        assert start == offset and text
        offset += len(text)
    assert offset == len(source)
    assert "\n".join("".join(text for _, text in line) for line in highlight_lines(source)) == source


def test_a_resource_is_highlighted() -> None:
    assert list_tokens("file { '/a': ensure => $x }") == [
        (Name.Class, "file"),
        (Punctuation, "{"),
        (String.Single, "'/a'"),
        (Punctuation, ":"),
        (Name.Attribute, "ensure"),
        (Operator, "=>"),
        (Name.Variable, "$x"),
        (Punctuation, "}"),
    ]


def test_words_and_numbers_are_highlighted() -> None:
    by_text = {text: token for token, text in list_tokens("if and true notice( 0x1F Integer 1.5")}
    assert by_text["if"] is Keyword
    assert by_text["and"] is Operator.Word
    assert by_text["true"] is Token.Keyword.Constant
    assert by_text["notice"] is Name.Function
    assert by_text["0x1F"] is Number.Hex
    assert by_text["Integer"] is Token.Keyword.Type
    assert by_text["1.5"] is Number.Float


def test_nested_interpolation_is_highlighted() -> None:
    assert list_tokens('"a ${"b ${c}"} d"') == [
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


def test_the_options_of_pygments_are_supported() -> None:
    assert (Name.Variable, "$x") == next(iter(PuppetLexer(stripall=True).get_tokens(" $x ")))


def test_heredocs_are_highlighted() -> None:
    source = '$x = [@(A), @("B"/L)]\n  raw ${x}\n  | A\n  cooked ${x}\n  |- B\n$y\n'
    tokens = list_tokens(source)
    assert (String.Heredoc, "@(A)") in tokens
    assert (String.Heredoc, "  raw ${x}\n") in tokens
    assert (Name.Variable, "x") in tokens
    assert (String.Heredoc, "  |- B") in tokens
    assert tokens[-1] == (Name.Variable, "$y")
    assert (String.Heredoc, "not $code\n") in list_tokens(
        "$x = @(E) \nnot $code\n| E\n"
    )  # a space after the tag


def test_a_slash_is_division_or_begins_a_regular_expression() -> None:
    assert (String.Regex, "/a b/") in list_tokens("$x =~ /a b/")
    assert String.Regex not in [token for token, _ in list_tokens("$x / 2 / 3")]


def test_comments_and_unfinished_code_are_highlighted() -> None:
    assert list_tokens("# a\n/* b */ /* c") == [
        (Comment.Single, "# a"),
        (Comment.Multiline, "/* b */"),
        (Comment.Multiline, "/* c"),
    ]
    assert list_tokens("'open")[0] == (String.Single, "'open")
    assert (Error, "^") in list_tokens("1 ^ 2")


def test_templates_are_highlighted() -> None:
    tokens = list_tokens("Hello <%= $x %> <%# no %> <% if $y { -%>\nyes\n<% } -%>\n", epp=True)
    assert (Name.Variable, "$x") in tokens
    assert (Keyword, "if") in tokens
    assert [text for token, text in tokens if token is Comment.Multiline] == ["<%# no %>"]
