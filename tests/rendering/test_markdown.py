"""Markdown: code is between fences, and prose contains no markup."""

from __future__ import annotations

from html import unescape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from puppet_kernel.rendering.elements import (
    Code,
    Element,
    Graph,
    Group,
    NoteElement,
    Paragraphs,
    Table,
    TextElement,
    Tree,
    make_line,
)
from puppet_kernel.rendering.escape import to_one_line
from puppet_kernel.rendering.markdown import format_code, format_words, make_fence, render_markdown
from puppet_kernel.rendering.text import RICH_LIMIT
from puppet_kernel.shell import Shell

ELEMENTS: list[tuple[Element, str]] = [
    (TextElement(make_line("one"), make_line("two")), "```\none\ntwo\n```"),
    (TextElement(make_line("1"), aside="Integer"), "```puppet\n1\n```"),
    (TextElement(make_line(("type", "file"), " { '/a': }")), "```puppet\nfile { '/a': }\n```"),
    (Code("$a = '```'"), "````puppet\n$a = '```'\n````"),
    (Paragraphs("Say `a|b` to *all*\nand `more"), "Say `a|b` to \\*all\\*  \nand \\`more"),
    (NoteElement("help", "costs $5 or $6", "help"), "**help:** costs \\$5 or \\$6"),
    (NoteElement("hint", "- 2 cells: [4], [9]"), "\\- 2 cells: [4], [9]"),
    (NoteElement("help", "", "right"), "**right:**"),
    (TextElement(), ""),
    (
        Group(TextElement(make_line("a")), TextElement(make_line("b")), NoteElement("hint", "c")),
        "```\na\nb\n```\n\nc",
    ),
    (
        Group(TextElement(make_line("a")), TextElement(make_line("b")), spaced=True),
        "```\na\n```\n\n```\nb\n```",
    ),
    (
        Table(
            [(make_line("a|b"), make_line("x|y")), (make_line("c"), make_line(("number", "1")))],
            ("name", "value"),
        ),
        "| name | value |\n| --- | --- |\n| `a\\|b` | x\\|y |\n| `c` | `1` |",
    ),
    (
        Table([(make_line("a"),), (make_line("b"), make_line("c"))]),
        "|  |  |\n| --- | --- |\n| `a` |  |\n| `b` | c |",
    ),
    (Tree(make_line("a"), (Tree(make_line("b")),)), "```\na\n└─ b\n```"),
    (Graph(["A", "B"], {"B": "A"}, []), "```\nA\n└─ B\n```"),
]


@pytest.mark.parametrize(("element", "expected"), ELEMENTS)
def test_each_element_is_rendered(element: Element, expected: str) -> None:
    assert render_markdown(element) == expected


def test_an_error_is_one_block_with_its_excerpt() -> None:
    element = Shell({}).submit("$x = 1\n$x = 2").element
    assert element is not None
    fence, *lines = render_markdown(element).split("\n")
    assert fence == "```"
    assert lines.index("```") == 5
    assert lines[-1].startswith("**help:** ")


def test_backquotes_in_code_do_not_end_it() -> None:
    assert make_fence("a ```` b") == "`````\na ```` b\n`````"
    assert format_code("a `` b") == "```a `` b```"
    assert format_code("`a`") == "`` `a` ``"


def test_a_large_element_is_cut() -> None:
    output = render_markdown(NoteElement("note", "a" * (RICH_LIMIT + 1)))
    assert len(output) < RICH_LIMIT // 4
    assert output.endswith("… (cut: too large for a rich view)\n```")


HOSTILE = [
    *("<script>alert(1)</script>", "[x](javascript:alert(1))", "![x](y)", "[x]: /y", "[x][y]"),
    *("&lt;", "# a", "1. a", "a_b _c_"),
]
MARKS = "ab1 `*_{}[]()<>#+-.!|~$&;=\\/:\n"


@given(st.one_of(st.sampled_from(HOSTILE), st.text(MARKS, max_size=20), st.text(max_size=9)))
@example("\\(a\\)")
@example("2) b")
@example("==")
@example("__0__")
def test_prose_is_rendered_as_it_is_written(text: str) -> None:
    parser = pytest.importorskip("markdown_it").MarkdownIt("gfm-like", {"linkify": False})
    text = to_one_line(text).strip()
    html = parser.render(format_words(text)).strip()
    assert unescape(html.removeprefix("<p>").removesuffix("</p>")) == text


def test_prose_contains_no_formulas() -> None:
    assert format_words("$a and \\(b\\) and \\[c\\]") == "\\$a and &#92;(b&#92;) and &#92;[c&#92;]"
