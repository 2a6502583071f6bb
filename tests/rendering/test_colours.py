"""Colours can be read: on light pages, on dark ones, and where a notebook shows an error."""

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

Colour = tuple[float, ...]
# ink, how opaque it is, and ground: JupyterLab and VS Code, light and dark, and what their striped tables have
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


def lightness(colour: Colour) -> float:
    channels = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((lightness(one), lightness(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("role", [role for role, style in COLOURS.items() if "color" in style])
def test_a_role_has_a_contrast_of_four_and_a_half(role: str, page: str) -> None:
    found = MIX.search(COLOURS[role])
    assert found is not None, "a literal colour does not read on light and on dark"
    part, *channels = map(int, found.groups())
    (ink, opaque, ground), share = PAGES[page], part / 100
    seen = [
        i * opaque * share + c * (1 - share) + g * (1 - opaque) * share
        for i, c, g in zip(ink, channels, ground, strict=True)
    ]
    assert contrast(tuple(seen), ground) >= 4.5


def test_every_role_has_its_colours() -> None:
    plain = {"", "name", "words"}
    assert set(COLOURS) == set(ROLES) - plain
    assert set(SGR) == set(ROLES) - plain | {"name"}
    assert set(NOTEBOOK_SGR) < set(ROLES)


def test_errors_in_notebooks_have_no_colour_without_a_ground_of_its_own() -> None:
    for code in NOTEBOOK_SGR.values():
        own = re.fullmatch(r"(?:1;38;2;(\d+);(\d+);(\d+);48;2;(\d+);(\d+);(\d+)|1|2)", code)
        assert own is not None, code
        if own.group(1):
            red, green, blue, *ground = map(int, own.groups())
            assert contrast((red, green, blue), tuple(ground)) >= 4.5


def traceback(source: str) -> list[str]:
    """The lines of an error as a notebook has them, without sequences."""
    problem = Session().run(source).error
    assert problem is not None
    lines = make_error_content(Reply(describe_error(problem), error=problem))["traceback"]
    return [re.sub(r"\x1b\[[\d;]*m", "", text) for text in lines]


def test_an_error_in_a_notebook_breaks_between_words() -> None:
    lines = traceback("notify { 'web': }\nnotify { 'web': }")
    assert lines[0].endswith("Duplicate declaration:")
    assert lines[1].startswith("Notify[web] is already declared")
    assert all(len(text) <= COLUMNS for text in lines)


def test_the_marks_of_an_error_stand_where_they_stood() -> None:
    lines = traceback("$x = [1].mop |$a| { $a }")
    assert lines[1:3] == ["1 │ $x = [1].mop |$a| { $a }", "  │         ^^^^^^^^^^^^^^^^ did you mean map?"]


def test_a_type_stands_behind_its_value_and_never_takes_its_room() -> None:
    shown = render_html(TextElement((("number", "42"),), aside="Integer"))
    assert shown.index("42") < shown.index("Integer")
    assert re.search(r'<pre style="[^"]*display:inline-block;max-width:100%', shown)


def test_a_new_box_has_a_plus_for_those_who_do_not_see_its_colour() -> None:
    graph = Graph(["Notify[a]", "Notify[b]"], {}, [("Notify[a]", "Notify[b]", "before", "")])
    assert "+ Notify" not in draw(graph)
    graph.added = frozenset({"Notify[b]"})
    assert re.findall(r">([^<]*Notify\[\w\])</text>", draw(graph)) == ["Notify[a]", "+ Notify[b]"]


def test_what_stands_in_backquotes_is_code_on_a_page() -> None:
    problem = Session().run("$x = [1].mop |$a| { $a }").error
    assert problem is not None
    shown = make_bundle(describe_error(problem))["text/html"]
    assert "`" not in shown
    assert re.search(r"<code[^>]*>.*?map.*?</code>", shown)


def test_short_code_with_a_hyphen_is_not_broken_on_a_page() -> None:
    whole = re.findall(
        r"<code[^>]*nowrap[^>]*>([^<]*)<", render_html(Paragraphs("`$x = A -> B` and `--all`, `$x`, `a b`"))
    )
    assert whole == ["$x = A -&gt; B", "--all"]
    assert "nowrap" not in render_html(Paragraphs(f"`{'a-b ' * 20}`"))


def test_a_command_is_no_puppet_code() -> None:
    card = Card("command", "%x", signatures=["%x [Y]", "%x a.b  # does"])
    assert [part for child in views.describe_card(card).children for row in child.lines for part in row] == [
        ("strong", "%x [Y]"),
        ("comment", ""),
        ("strong", "%x a.b"),
        ("comment", "  # does"),
    ]
