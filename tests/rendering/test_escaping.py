"""Data reaches a terminal or a page only as text."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from lexer_parser.source import Source, Span
from puppet_kernel.rendering.elements import (
    Code,
    Excerpt,
    Graph,
    Group,
    Mark,
    NoteElement,
    Table,
    TextElement,
    Tree,
    make_line,
    make_lines,
)
from puppet_kernel.rendering.escape import (
    cut_columns,
    escape,
    make_tag,
    measure_width,
    to_one_line,
    to_printable,
)
from puppet_kernel.rendering.graphs.page import THEME
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.layout import lay_out_element
from puppet_kernel.rendering.literals import make_value_lines
from puppet_kernel.rendering.text import render_ansi, render_plain

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)
HOSTILE = st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' onmouseover='x",
        "</pre></div><b>",
        "\x1b]0;title\x07",
        "\x1b[2J",
        "\x9b31m",
        "a\u202eb\u2066c",
        "\ud800",
        "]]>",
        "javascript:alert(1)",
        "&lt;",
    ]
)
DATA = st.one_of(ANY_TEXT, HOSTILE)
DANGEROUS = [
    *range(0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    *(0x061C, 0x200B, 0x200C, 0x200E, 0x200F, 0x2028, 0x2029),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x206A),
    *range(0xD800, 0xE000),
    *(0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFE, 0xFFFF),
    *range(0xE0000, 0xE0080),
]


def test_every_dangerous_character_is_escaped() -> None:
    for code in DANGEROUS:
        printable = to_printable(f"a{chr(code)}b")
        assert chr(code) not in printable, hex(code)
        assert printable.startswith("a\\") and printable.endswith("b")


def test_ordinary_text_is_unchanged() -> None:
    text = "Grüße, 日本語, emoji 👩\u200d👩\u200d👧, tab\t and\nnewline"
    assert to_printable(text) == text
    assert to_one_line("a\nb\tc") == "a\\nb\\tc"


def test_printable_text_can_be_encoded() -> None:
    for first in range(0, 0x110000, 0x1000):
        printable = to_printable("".join(map(chr, range(first, first + 0x1000))))
        assert printable.encode("utf-8").decode("utf-8") == printable


@given(DATA)
def test_escaping_is_idempotent(text: str) -> None:
    assert to_printable(to_printable(text)) == to_printable(text)


@given(DATA, st.integers(1, 30))
def test_cut_text_is_not_wider_than_requested(text: str, columns: int) -> None:
    assert measure_width(cut_columns(to_one_line(text), columns)) <= columns


class PageParser(HTMLParser):
    """A parser that collects the tags, the attributes and the text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text: list[str] = []

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((name, tuple(key for key, _ in attributes)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parse_page(page: str) -> PageParser:
    """Return the parser of a page after reading it."""
    reader = PageParser()
    reader.feed(page)
    reader.close()
    return reader


def make_elements(text: str) -> list[object]:
    """Return elements of every kind with a text in each place for data."""
    source = Source(f"fail('{text}')", text)
    span = Span(source, 0, 4)
    return [
        TextElement(*make_lines(text)),
        TextElement(*make_value_lines({text: [text, {"k": text}]}, 40)),
        Excerpt([Mark(span, text), Mark(span, text, primary=False)], text),
        Table([[make_line(text), make_line(("name", text))]], [text, text]),
        Tree(make_line(text), [Tree(make_line(text))]),
        Graph(["b", f"n{text}"], {"b": f"n{text}"}, [(f"n{text}", "b", "before", text)]),
        NoteElement("help", text, text),
    ]


@given(DATA)
def test_html_has_the_same_tags_for_any_data(text: str) -> None:
    flat = text.replace("\n", " ").replace("\r", " ") or "x"
    note = flat.replace("`", "'")  # backquotes mark code in notes
    benign = parse_page(
        render_html(
            Group(
                TextElement(make_line(("string", "x"))),
                NoteElement("help", "x", "x"),
                Tree(make_line("x"), [Tree(make_line("x"))]),
            )
        )
    )
    hostile = parse_page(
        render_html(
            Group(
                TextElement(make_line(("string", flat))),
                NoteElement("help", note, note),
                Tree(make_line(flat), [Tree(make_line(flat))]),
            )
        )
    )
    assert hostile.tags == benign.tags


@given(DATA)
def test_every_element_in_every_medium_is_harmless(text: str) -> None:
    for element in make_elements(text):
        page = render_html(element)  # type: ignore[arg-type]
        page = page.replace(THEME, "")  # the only style sheet, which contains no data
        tags = parse_page(page).tags
        assert {name for name, _ in tags} <= {
            "div",
            "pre",
            "span",
            "table",
            "tr",
            "th",
            "td",
            "code",
            "details",
            "summary",
            "img",
        }
        assert {key for _, keys in tags for key in keys} <= {"style", "open", "src", "alt", "class", "title"}
        plain = render_plain(element)  # type: ignore[arg-type]
        coloured = render_ansi(element)  # type: ignore[arg-type]
        for output in (page, plain, coloured):
            output.encode("utf-8")
        assert not {chr(code) for code in DANGEROUS} & set(plain)
        assert not {chr(code) for code in DANGEROUS if code != 0x1B} & set(coloured)


@given(DATA)
def test_code_with_any_errors_is_harmless(text: str) -> None:
    page = render_html(Code(text))
    assert {name for name, _ in parse_page(page).tags} <= {"div", "pre", "span"}
    assert len(lay_out_element(Code(text), highlight=True)) == text.count("\n") + 1


@given(DATA)
def test_data_cannot_end_an_attribute(text: str) -> None:
    ((name, keys),) = parse_page(make_tag("span", "x", style=text or "x")).tags
    assert (name, keys) == ("span", ("style",))
    assert "<" not in escape(text) and '"' not in escape(text)
