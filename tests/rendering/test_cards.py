"""Help cards fit the width of their output in every medium."""

from __future__ import annotations

import pytest

from evaluator.assistance.inspection import find_cards
from puppet_kernel.commands.help import list_topics
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Code, NoteElement, Paragraphs, Table, make_line
from puppet_kernel.rendering.html import render_html
from puppet_kernel.rendering.layout import fit_widths, lay_out_element, wrap_line
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell

EMPTY_SHELL = Shell({})
COMMENTED = """# @summary Serves pages.
#
# Some more about it,
# on two lines.
# - an item with [a link](https://example.com)
#
# @param port
#   Where it listens.<br /> More about that.
# @param mode Either of two.
class web(Integer $port = 80, Enum['a', 'b'] $mode = 'a') { }"""


def render_cards(name: str, columns: int) -> str:
    """Return the help cards of a name as text."""
    return "\n\n".join(
        render_plain(views.describe_card(card, columns), columns)
        for card in find_cards(EMPTY_SHELL.session, name)
    )


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_line_of_a_card_is_too_wide(columns: int) -> None:
    for name in list_topics(EMPTY_SHELL):
        for row in render_cards(name, columns).split("\n"):
            assert len(row) <= columns, f"{name}: {row}"


def test_columns_share_the_width() -> None:
    assert fit_widths([5, 5, 5], 20) == [5, 5, 5]
    assert fit_widths([5, 40, 40], 65) == [5, 30, 30]
    assert fit_widths([20, 10, 90], 80) == [20, 10, 50]
    assert fit_widths([100, 100], 10) == [12, 12]


def test_each_of_three_columns_is_wrapped_separately() -> None:
    table = Table(
        [[make_line("one"), make_line("two three four five"), make_line("six seven eight nine ten")]],
        ("a", "b", "c"),
    )
    assert render_plain(table, 33).split("\n") == [
        "a    b              c",
        "one  two three      six seven",
        "     four five      eight nine",
        "                    ten",
    ]


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("a b c", 5, ["a b c"]),
        ("a b c", 3, ["a b", "c"]),
        ("abcdef g", 3, ["abc", "def", "g"]),
        ("  a b c", 5, ["  a b", "c"]),
    ],
)
def test_lines_are_broken_at_spaces(text: str, columns: int, lines: list[str]) -> None:
    assert ["".join(part for _, part in row) for row in wrap_line(make_line(text), columns)] == lines


def test_wrapped_lines_preserve_the_roles_of_their_parts() -> None:
    rows = wrap_line((("", "see "), ("code", "`a b`"), ("", ", then")), 7)
    assert rows == [(("", "see"), ("", " "), ("code", "`a")), (("code", "b`"), ("", ",")), (("", "then"),)]


def test_prose_code_and_notes_are_wrapped() -> None:
    assert render_plain(Paragraphs("one two three"), 8) == "one two\nthree"
    assert render_plain(Code("f(one, two)", fold=True), 10) == "f(one,\n    two)"
    assert render_plain(Code("f(one, two)"), 10) == "f(one, two)"
    assert render_plain(NoteElement("help", "one two three", "help"), 18) == "help: one two\n      three"
    assert lay_out_element(Paragraphs(""), 80) == [()]


def test_code_in_prose_is_a_code_element_in_html() -> None:
    page = render_html(Paragraphs("set `$x` & more"))
    assert "<code" in page and "$x</code>" in page and "`" not in page and "&amp;" in page


def test_a_card_shows_the_comment_above_a_definition() -> None:
    shell = Shell({})
    assert shell.submit(COMMENTED).error is None
    output = render_plain(shell.submit("?web").element)  # type: ignore[arg-type]
    assert output == (
        "class web\n\n"
        "Serves pages.\nSome more about it, on two lines.\n- an item with a link\n\n"
        "port  Integer = 80  Where it listens.\n"
        "mode  Enum['a', 'b'] = 'a'  Either of two.\n\n"
        "class of this program; include web evaluates it"
    )


def test_a_long_value_is_cut_unless_two_question_marks_request_it() -> None:
    shell = Shell({})
    shell.submit('$long = Array(400).map |$n| { "element ${n}" }')
    short, full = (render_plain(shell.submit(text).element) for text in ("?$long", "??$long"))  # type: ignore[arg-type]
    assert "more lines)" in short and "more lines)" not in full
    assert "'element 399'" in full


def test_a_card_hides_sensitive_values() -> None:
    shell = Shell({})
    shell.submit("$secret = { 'a' => Sensitive('hunter2') }")
    assert "hunter2" not in render_plain(shell.submit("??$secret").element)  # type: ignore[arg-type]
