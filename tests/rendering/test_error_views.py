"""Errors, word for word, as users read them."""

from __future__ import annotations

import pytest

from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source, Span
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Tree, make_line
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_ansi, render_plain

PROGRAM = Source("$port = 80\n\n$y = 3\n\tnotice($prót + '日本' + $x)\n")


def span(line: int, first: int, last: int, source: Source = PROGRAM) -> Span:
    """The characters `first` to `last`, counted from 1, of a line."""
    return Span(source, source.offset(line, first), source.offset(line, last) + 1)


def drawn(problem: PuppetError, name: str | None = None, columns: int = 100) -> str:
    return render_plain(views.describe_error(problem, lambda source: name), columns)


def test_the_place_is_marked() -> None:
    problem = PuppetError("UNKNOWN_VARIABLE", "Unknown variable: 'prót'.", span(4, 9, 13))
    assert drawn(problem) == (
        "error[UNKNOWN_VARIABLE]: Unknown variable: 'prót'.\n"
        "4 │     notice($prót + '日本' + $x)\n"
        "  │            ^^^^^"
    )


def test_wide_characters_and_tabs_keep_the_marks_in_place() -> None:
    problem = PuppetError("X", "wide", span(4, 24, 25))
    text, marks = drawn(problem).split("\n")[1:]
    assert text[text.index("$x") :] == "$x)"
    columns = sum(2 if character in "日本" else 1 for character in text[: text.index("$x")])
    assert marks == "  │" + " " * (columns - 3) + "^^"


def test_a_file_is_named_with_line_and_column() -> None:
    source = Source("$a = 1\n", "manifests/site.pp")
    problem = PuppetError("X", "wrong", span(1, 4, 4, source))
    assert drawn(problem).split("\n")[1:] == ["  ╭╴manifests/site.pp:1:4", "1 │ $a = 1", "  │    ^"]
    assert "╭╴here.pp:4:9" in drawn(PuppetError("X", "wrong", span(4, 9, 13)), "here.pp")


def test_secondary_places_stand_in_the_order_of_the_source() -> None:
    problem = PuppetError(
        "ILLEGAL_REASSIGNMENT",
        "Cannot reassign variable '$port'",
        span(3, 4, 4),
        notes=(Note("first assigned here", span(1, 1, 5)), Note("variables never change")),
        help="use another name",
    )
    assert drawn(problem) == (
        "error[ILLEGAL_REASSIGNMENT]: Cannot reassign variable '$port'\n"
        "1 │ $port = 80\n"
        "  │ ----- first assigned here\n"
        "  ⋮\n"
        "3 │ $y = 3\n"
        "  │    ^\n"
        "note: variables never change\n"
        "help: use another name"
    )


def test_places_in_two_sources_are_two_excerpts() -> None:
    other = Source("class a { }\n", "a.pp")
    problem = PuppetError("X", "twice", span(1, 1, 5), notes=(Note("declared here", span(1, 1, 11, other)),))
    assert drawn(problem) == (
        "error[X]: twice\n1 │ $port = 80\n  │ ^^^^^\n"
        "  ╭╴a.pp:1:1\n1 │ class a { }\n  │ ----------- declared here"
    )


def test_a_near_name_stands_at_the_place() -> None:
    problem = PuppetError("X", "unknown", span(4, 9, 13), suggestion="$port")
    assert drawn(problem).endswith("^^^^^ did you mean $port?")
    assert (
        drawn(PuppetError("X", "unknown", suggestion="$port"))
        == "error[X]: unknown\nhelp: did you mean $port?"
    )


def test_a_code_that_tells_nothing_is_left_out() -> None:
    assert drawn(PuppetError("RUNTIME_ERROR", "it failed")) == "error: it failed"


def test_a_span_over_lines_is_marked_on_its_first() -> None:
    source = Source("notice(\n  1,\n)\n")
    assert drawn(PuppetError("X", "long", Span(source, 0, 14))).split("\n")[1:] == [
        "1 │ notice(",
        "  │ ^^^^^^^",
    ]


@pytest.mark.parametrize("offset", [0, 5, 6])
def test_a_place_at_the_end_of_a_line_or_text_still_has_a_mark(offset: int) -> None:
    source = Source("$a = 1")
    assert (
        drawn(PuppetError("X", "here", Span(source, offset, offset))).split("\n")[2]
        == "  │ " + " " * offset + "^"
    )


def test_an_empty_source() -> None:
    assert drawn(PuppetError("X", "nothing", Span(Source(""), 0, 0))) == "error[X]: nothing\n1 │ \n  │ ^"


def test_a_long_line_is_shown_around_its_mark() -> None:
    source = Source("$x = '" + "a" * 500 + "' + undef + '" + "b" * 500 + "'")
    start = source.text.index("undef")
    shown = drawn(PuppetError("X", "long", Span(source, start, start + 5)), columns=60).split("\n")
    assert all(len(line) <= 60 for line in shown)
    assert shown[1][4] == "…" and shown[1][-1] == "…"
    assert shown[1][shown[2].index("^") :].startswith("undef")


def test_several_mistakes_are_all_shown() -> None:
    one, two = PuppetError("A", "first", span(1, 1, 5)), PuppetError("B", "second", span(3, 1, 2))
    shown = drawn(PuppetError("MANY", "two errors", related=(one, two)))
    assert [line for line in shown.split("\n") if line.startswith("error")] == [
        "error[A]: first",
        "error[B]: second",
        "error[MANY]: two errors",
    ]


def test_what_the_program_says_cannot_drive_the_terminal() -> None:
    source = Source("fail('\x1b[2J\u202e')", "ev\x1bil.pp")
    problem = PuppetError(
        "X", "bad \x1b]0;t\x07", Span(source, 0, 4), notes=(Note("\x9b", None),), help="\x08"
    )
    for text in (
        drawn(problem),
        render_ansi(views.describe_error(problem)).replace("\x1b[", "").replace("\x1b[0m", ""),
    ):
        assert not {"\x1b", "\x07", "\x08", "\x9b", "\u202e"} & set(text)


LONG = PuppetError(
    "RUNTIME_ERROR", "The value stands in single quotes and stays as it is written", span(3, 1, 2)
)


def test_who_reads_gets_headlines_of_whole_words() -> None:
    element = views.describe_error(LONG)
    assert render_plain(element, 40).startswith(f"error: {LONG.message}\n3 │")
    narrow = "error: The value stands in single quotes\nand stays as it is written\n3 │ $y = 3\n  │ ^^"
    assert render_plain(element, 40, wrap_labels=True) == narrow
    assert "white-space:pre-wrap" in render_html(element)


def test_who_reads_gets_trees_of_whole_words() -> None:
    leaf = Tree(make_line("one two three four"))
    tree = Tree(make_line("a b c"), [Tree(make_line("one two three four"), [leaf]), leaf])
    assert max(map(len, render_plain(tree).split("\n"))) == 24
    assert render_plain(tree, 18, wrap_labels=True) == (
        "a b c\n├─ one two\n│  │  three four\n│  └─ one two\n│     three four\n└─ one two three\n   four"
    )


def test_of_many_errors_the_first_are_shown() -> None:
    problem = PuppetError("LANGUAGE_VALIDATION", "Giving up")
    problem.related = [PuppetError("MISTAKE", f"mistake {number}") for number in range(10_000)]
    lines = drawn(problem).splitlines()
    assert lines[0] == "error[MISTAKE]: mistake 0" and len(lines) < 250
    assert lines[-3:] == ["… 9,900 more errors", "", "error[LANGUAGE_VALIDATION]: Giving up"]


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (0, ["-- the value comes from this default", "   of a parameter"]),
        (36, [" " * 36 + "--", "        the value comes from this", "        default of a parameter"]),
    ],
)
def test_a_long_label_is_broken_beside_its_place_or_below_it(start: int, expected: list[str]) -> None:
    note = Note("the value comes from this default of a parameter", Span(Source("$x" * 19), start, start + 2))
    shown = drawn(PuppetError("X", "long", notes=(note,)), columns=42).split("\n")
    assert [line.removeprefix("  │ ") for line in shown[2:]] == expected
