"""Colours are readable on light and dark pages, and in the errors of notebooks."""

from __future__ import annotations

import re

import pytest

from evaluator import Session
from evaluator.assistance.cards import Card
from puppet_kernel.jupyter.display import make_bundle, make_error_content
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import ROLES, Graph, Paragraphs, TextElement
from puppet_kernel.rendering.escape import COLUMNS
from puppet_kernel.rendering.graphs.svg import draw
from puppet_kernel.rendering.html import COLOURS, render_html
from puppet_kernel.rendering.text import NOTEBOOK_SGR, SGR
from puppet_kernel.rendering.views import describe_error
from puppet_kernel.replies import Reply
from tests.rendering.contrast import compute_contrast

# Text colour, its opacity, and background of JupyterLab and VS Code, with the striped rows of their tables.
PAGES = {
    "lab light": ((0, 0, 0), 0.87, (255, 255, 255)),
    "lab light, striped": ((0, 0, 0), 0.87, (245, 245, 245)),
    "lab dark": ((255, 255, 255), 1.0, (17, 17, 17)),
    "lab dark, striped": ((255, 255, 255), 1.0, (33, 33, 33)),
    "code light": ((59, 59, 59), 1.0, (255, 255, 255)),
    "code dark": ((204, 204, 204), 1.0, (31, 31, 31)),
    "code dark, striped": ((204, 204, 204), 1.0, (39, 39, 39)),
}
MIX = re.compile(r"color-mix\(in srgb,currentcolor (\d+)%,rgb\((\d+),(\d+),(\d+)\)\)")


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("role", [role for role, style in COLOURS.items() if "color" in style])
def test_a_role_has_a_contrast_of_four_and_a_half(role: str, page: str) -> None:
    match = MIX.search(COLOURS[role])
    assert match is not None, "a fixed colour is not readable on both light and dark pages"
    part, *channels = map(int, match.groups())
    (ink, opacity, ground), share = PAGES[page], part / 100
    mixed = [
        i * opacity * share + c * (1 - share) + g * (1 - opacity) * share
        for i, c, g in zip(ink, channels, ground, strict=True)
    ]
    assert compute_contrast(tuple(mixed), ground) >= 4.5


def test_every_role_has_colours() -> None:
    plain = {"", "name", "words"}
    assert set(COLOURS) == set(ROLES) - plain
    assert set(SGR) == set(ROLES) - plain | {"name"}
    assert set(NOTEBOOK_SGR) < set(ROLES)


def test_a_colour_in_the_error_of_a_notebook_has_its_own_background() -> None:
    for code in NOTEBOOK_SGR.values():
        match = re.fullmatch(r"(?:1;38;2;(\d+);(\d+);(\d+);48;2;(\d+);(\d+);(\d+)|1|2)", code)
        assert match is not None, code
        if match.group(1):
            red, green, blue, *ground = map(int, match.groups())
            assert compute_contrast((red, green, blue), tuple(ground)) >= 4.5


def render_traceback(source: str) -> list[str]:
    """Return the lines of an error as a notebook shows them, without escape sequences."""
    problem = Session().run(source).error
    assert problem is not None
    lines = make_error_content(Reply(describe_error(problem), error=problem))["traceback"]
    return [re.sub(r"\x1b\[[\d;]*m", "", text) for text in lines]


def test_an_error_in_a_notebook_breaks_between_words() -> None:
    lines = render_traceback("notify { 'web': }\nnotify { 'web': }")
    assert lines[0].endswith("Duplicate declaration:")
    assert lines[1].startswith("Notify[web] is already declared")
    assert all(len(text) <= COLUMNS for text in lines)


def test_the_marks_of_an_error_keep_their_columns() -> None:
    lines = render_traceback("$x = [1].mop |$a| { $a }")
    assert lines[1:3] == ["1 │ $x = [1].mop |$a| { $a }", "  │         ^^^^^^^^^^^^^^^^ did you mean map?"]


def test_a_type_follows_its_value_and_does_not_narrow_it() -> None:
    page = render_html(TextElement((("number", "42"),), aside="Integer"))
    assert page.index("42") < page.index("Integer")
    assert re.search(r'<pre style="[^"]*display:inline-block;max-width:100%', page)


def test_a_new_box_has_a_plus_sign_besides_its_colour() -> None:
    graph = Graph(["Notify[a]", "Notify[b]"], {}, [("Notify[a]", "Notify[b]", "before", "")])
    assert "+ Notify" not in draw(graph)
    graph.added = frozenset({"Notify[b]"})
    assert re.findall(r">([^<]*Notify\[\w\])</text>", draw(graph)) == ["Notify[a]", "+ Notify[b]"]


def test_text_in_backquotes_is_a_code_element_in_html() -> None:
    problem = Session().run("$x = [1].mop |$a| { $a }").error
    assert problem is not None
    page = make_bundle(describe_error(problem))["text/html"]
    assert "`" not in page
    assert re.search(r"<code[^>]*>.*?map.*?</code>", page)


def test_short_code_with_a_hyphen_is_not_broken_in_html() -> None:
    unbroken = re.findall(
        r"<code[^>]*nowrap[^>]*>([^<]*)<", render_html(Paragraphs("`$x = A -> B` and `--all`, `$x`, `a b`"))
    )
    assert unbroken == ["$x = A -&gt; B", "--all"]
    assert "nowrap" not in render_html(Paragraphs(f"`{'a-b ' * 20}`"))


def test_a_card_of_a_command_is_not_highlighted_as_puppet_code() -> None:
    card = Card("command", "%x", signatures=["%x [Y]", "%x a.b  # does"])
    assert [part for child in views.describe_card(card).children for row in child.lines for part in row] == [
        ("strong", "%x [Y]"),
        ("comment", ""),
        ("strong", "%x a.b"),
        ("comment", "  # does"),
    ]
