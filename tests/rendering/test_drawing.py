"""The picture of a resource graph."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_kernel.rendering.drawing import LARGEST, Box, draw
from puppet_kernel.rendering.elements import Graph
from puppet_kernel.rendering.html import html

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def graphs(draw_from: st.DrawFn) -> Graph:
    """Graphs of a few nodes, each perhaps inside an earlier one, with any edges."""
    count = draw_from(st.integers(1, 12))
    names = [f"Notify[{i}{draw_from(st.text(max_size=5))}]" for i in range(count)]
    inside = {}
    for i, name in enumerate(names[1:], 1):
        place = draw_from(st.integers(-2, i - 1))
        if place >= 0:
            inside[name] = names[place]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names), st.sampled_from(["before", "notify"]))
    edges = [
        (a, b, kind, "require, line 1") for a, b, kind in draw_from(st.lists(pairs, max_size=15)) if a != b
    ]
    return Graph(names, inside, edges)


def rectangles(picture: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of every box."""
    found = []
    for shape in ElementTree.fromstring(picture).iter(f"{SVG}rect"):
        x, y, width, height = (float(shape.attrib[name]) for name in ("x", "y", "width", "height"))
        found.append((x, y, x + width, y + height))
    return found


def inside(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return other[0] <= one[0] and other[1] <= one[1] and one[2] <= other[2] and one[3] <= other[3]


def apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@settings(deadline=None)
@given(graphs())
def test_boxes_nest_or_stand_apart_and_fit_the_picture(graph: Graph) -> None:
    picture = draw(graph)
    boxes = rectangles(picture)
    assert len(boxes) == len(graph.nodes)
    root = ElementTree.fromstring(picture)
    frame = (0.0, 0.0, float(root.attrib["width"]) + 0.1, float(root.attrib["height"]) + 0.1)
    for i, box in enumerate(boxes):
        assert inside(box, frame)
        for other in boxes[:i]:
            assert apart(box, other) or inside(box, other) or inside(other, box)


@settings(deadline=None)
@given(graphs())
def test_every_relationship_is_drawn_and_the_bytes_are_the_same(graph: Graph) -> None:
    picture = draw(graph)
    lines = [
        path for path in ElementTree.fromstring(picture).iter(f"{SVG}path") if "marker-end" in path.attrib
    ]
    assert len(lines) == len({edge[:2] for edge in graph.edges})
    assert draw(graph) == picture


def test_what_comes_before_stands_above() -> None:
    boxes = rectangles(draw(Graph(["a", "b", "c"], {}, [("b", "a", "before", ""), ("a", "c", "before", "")])))
    by_name = dict(zip("abc", boxes, strict=True))
    assert by_name["b"][3] < by_name["a"][1] and by_name["a"][3] < by_name["c"][1]


def test_kinds_and_cycles_are_told_apart() -> None:
    edges = [
        ("a", "b", "before", "->, line 1"),
        ("b", "c", "notify", "~>, line 2"),
        ("c", "a", "before", "require"),
    ]
    straight = draw(Graph(["a", "b", "c"], {}, edges[:2]))
    assert "stroke-dasharray" in straight and 'url(#c)"' not in straight
    assert draw(Graph(["a", "b", "c"], {}, edges, [["a", "b", "c"]])).count('url(#c)"') == 3


def test_a_picture_that_nobody_could_read_is_left_to_the_text() -> None:
    names = [f"n{i}" for i in range(LARGEST + 1)]
    edges = [(names[0], names[1], "before", "")]
    assert draw(Graph(names, {}, edges)) == ""
    assert "<img" not in html(Graph(names, {}, edges))


def test_titles_cannot_leave_their_place() -> None:
    hostile = '</text><script>alert(1)</script>"'
    picture = draw(Graph([hostile, "b"], {}, [(hostile, "b", "before", "'\"<")]))
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(picture).iter()}
    assert tags == {"svg", "defs", "marker", "path", "rect", "text", "title"}


def test_long_names_are_cut_in_the_picture() -> None:
    assert len(Box("File[/" + "x" * 500 + "]").label) <= 48
