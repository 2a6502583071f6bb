"""Errors in the exact form that users read."""

from __future__ import annotations

import re

import pytest

from lexer_parser.errors import Note, PuppetError
from lexer_parser.source import Source, Span
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Tree, make_line
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.text import render_ansi, render_plain

PROGRAM = Source("$port = 80\n\n$y = 3\n\tnotice($prót + '日本' + $x)\n")


def make_span(line: int, first: int, last: int, source: Source = PROGRAM) -> Span:
    """Return the span of the characters `first` to `last` of a line, counted from 1."""
    return Span(source, source.offset(line, first), source.offset(line, last) + 1)


def render_error(problem: PuppetError, name: str | None = None, columns: int = 100) -> str:
    """Return an error as text."""
    return render_plain(views.describe_error(problem, lambda source: name), columns)


def test_the_position_of_an_error_is_marked() -> None:
    problem = PuppetError("UNKNOWN_VARIABLE", "Unknown variable: 'prót'.", make_span(4, 9, 13))
    assert render_error(problem) == (
        "error[UNKNOWN_VARIABLE]: Unknown variable: 'prót'.\n"
        "4 │     notice($prót + '日本' + $x)\n"
        "  │            ^^^^^"
    )


def test_marks_are_aligned_below_wide_characters_and_tabs() -> None:
    problem = PuppetError("X", "wide", make_span(4, 24, 25))
    text, marks = render_error(problem).split("\n")[1:]
    assert text[text.index("$x") :] == "$x)"
    columns = sum(2 if character in "日本" else 1 for character in text[: text.index("$x")])
    assert marks == "  │" + " " * (columns - 3) + "^^"


def test_a_file_is_named_with_line_and_column() -> None:
    source = Source("$a = 1\n", "manifests/site.pp")
    problem = PuppetError("X", "wrong", make_span(1, 4, 4, source))
    assert render_error(problem).split("\n")[1:] == ["  ╭╴manifests/site.pp:1:4", "1 │ $a = 1", "  │    ^"]
    assert "╭╴here.pp:4:9" in render_error(PuppetError("X", "wrong", make_span(4, 9, 13)), "here.pp")


def test_secondary_positions_are_in_the_order_of_the_source() -> None:
    problem = PuppetError(
        "ILLEGAL_REASSIGNMENT",
        "Cannot reassign variable '$port'",
        make_span(3, 4, 4),
        notes=(Note("first assigned here", make_span(1, 1, 5)), Note("variables never change")),
        help="use another name",
    )
    assert render_error(problem) == (
        "error[ILLEGAL_REASSIGNMENT]: Cannot reassign variable '$port'\n"
        "1 │ $port = 80\n"
        "  │ ----- first assigned here\n"
        "  ⋮\n"
        "3 │ $y = 3\n"
        "  │    ^\n"
        "note: variables never change\n"
        "help: use another name"
    )


def test_positions_in_two_sources_are_two_excerpts() -> None:
    other = Source("class a { }\n", "a.pp")
    problem = PuppetError(
        "X", "twice", make_span(1, 1, 5), notes=(Note("declared here", make_span(1, 1, 11, other)),)
    )
    assert render_error(problem) == (
        "error[X]: twice\n1 │ $port = 80\n  │ ^^^^^\n"
        "  ╭╴a.pp:1:1\n1 │ class a { }\n  │ ----------- declared here"
    )


def test_a_similar_name_is_suggested_at_the_position() -> None:
    problem = PuppetError("X", "unknown", make_span(4, 9, 13), suggestion="$port")
    assert render_error(problem).endswith("^^^^^ did you mean $port?")
    without_position = PuppetError("X", "unknown", suggestion="$port")
    assert render_error(without_position) == "error[X]: unknown\nhelp: did you mean $port?"


def test_a_general_code_is_not_displayed() -> None:
    assert render_error(PuppetError("RUNTIME_ERROR", "it failed")) == "error: it failed"


def test_a_span_of_several_lines_is_marked_on_the_first() -> None:
    source = Source("notice(\n  1,\n)\n")
    assert render_error(PuppetError("X", "long", Span(source, 0, 14))).split("\n")[1:] == [
        "1 │ notice(",
        "  │ ^^^^^^^",
    ]


@pytest.mark.parametrize("offset", [0, 5, 6])
def test_a_position_at_the_end_of_a_line_has_a_mark(offset: int) -> None:
    problem = PuppetError("X", "here", Span(Source("$a = 1"), offset, offset))
    assert render_error(problem).split("\n")[2] == "  │ " + " " * offset + "^"


def test_an_error_in_an_empty_source_has_a_mark() -> None:
    problem = PuppetError("X", "nothing", Span(Source(""), 0, 0))
    assert render_error(problem) == "error[X]: nothing\n1 │ \n  │ ^"


def test_a_long_line_is_shown_around_its_mark() -> None:
    source = Source("$x = '" + "a" * 500 + "' + undef + '" + "b" * 500 + "'")
    start = source.text.index("undef")
    lines = render_error(PuppetError("X", "long", Span(source, start, start + 5)), columns=60).split("\n")
    assert all(len(line) <= 60 for line in lines)
    assert lines[1][4] == "…" and lines[1][-1] == "…"
    assert lines[1][lines[2].index("^") :].startswith("undef")


def test_all_errors_of_a_program_are_shown() -> None:
    one, two = PuppetError("A", "first", make_span(1, 1, 5)), PuppetError("B", "second", make_span(3, 1, 2))
    output = render_error(PuppetError("MANY", "two errors", related=(one, two)))
    assert [line for line in output.split("\n") if line.startswith("error")] == [
        "error[A]: first",
        "error[B]: second",
        "error[MANY]: two errors",
    ]


def test_texts_of_a_program_cannot_control_the_terminal() -> None:
    source = Source("fail('\x1b[2J\u202e')", "ev\x1bil.pp")
    problem = PuppetError(
        "X", "bad \x1b]0;t\x07", Span(source, 0, 4), notes=(Note("\x9b", None),), help="\x08"
    )
    for text in (
        render_error(problem),
        re.sub(r"\x1b\[[\d;]*m", "", render_ansi(views.describe_error(problem))),
    ):
        assert not {"\x1b", "\x07", "\x08", "\x9b", "\u202e"} & set(text)


LONG = PuppetError(
    "RUNTIME_ERROR", "The value stands in single quotes and stays as it is written", make_span(3, 1, 2)
)


def test_headlines_are_wrapped_between_words_if_requested() -> None:
    element = views.describe_error(LONG)
    assert render_plain(element, 40).startswith(f"error: {LONG.message}\n3 │")
    narrow = "error: The value stands in single quotes\nand stays as it is written\n3 │ $y = 3\n  │ ^^"
    assert render_plain(element, 40, wrap_labels=True) == narrow
    assert "white-space:pre-wrap" in render_html(element)


def test_trees_are_wrapped_between_words_if_requested() -> None:
    leaf = Tree(make_line("one two three four"))
    tree = Tree(make_line("a b c"), [Tree(make_line("one two three four"), [leaf]), leaf])
    assert max(map(len, render_plain(tree).split("\n"))) == 24
    assert render_plain(tree, 18, wrap_labels=True) == (
        "a b c\n├─ one two\n│  │  three four\n│  └─ one two\n│     three four\n└─ one two three\n   four"
    )


def test_only_the_first_of_many_errors_are_shown() -> None:
    problem = PuppetError("LANGUAGE_VALIDATION", "Giving up")
    problem.related = [PuppetError("MISTAKE", f"mistake {number}") for number in range(10_000)]
    lines = render_error(problem).splitlines()
    assert lines[0] == "error[MISTAKE]: mistake 0" and len(lines) < 250
    assert lines[-3:] == ["… 9,900 more errors", "", "error[LANGUAGE_VALIDATION]: Giving up"]


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (0, ["-- the value comes from this default", "   of a parameter"]),
        (36, [" " * 36 + "--", "        the value comes from this", "        default of a parameter"]),
    ],
)
def test_a_long_label_is_wrapped_beside_its_position_or_below_it(start: int, expected: list[str]) -> None:
    note = Note("the value comes from this default of a parameter", Span(Source("$x" * 19), start, start + 2))
    lines = render_error(PuppetError("X", "long", notes=(note,)), columns=42).split("\n")
    assert [line.removeprefix("  │ ") for line in lines[2:]] == expected
