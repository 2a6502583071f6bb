"""The drawing of a resource graph."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puppet_kernel.rendering.elements import Graph
from puppet_kernel.rendering.graphs import ordering, svg
from puppet_kernel.rendering.graphs.svg import LABEL, Picture, draw, get_label
from puppet_kernel.rendering.html import render_html
from tests.effort import run_within
from tests.rendering.contrast import compute_contrast

SVG = "{http://www.w3.org/2000/svg}"
Rectangle = tuple[float, float, float, float]


@st.composite
def graphs(draw_from: st.DrawFn) -> Graph:
    """Generate a graph of a few nodes, each perhaps inside an earlier one, with any edges."""
    count = draw_from(st.integers(1, 24))
    names = [f"Notify[{i}:{draw_from(st.text(max_size=5))}]" for i in range(count)]
    inside = {}
    for i, name in enumerate(names[1:], 1):
        container = draw_from(st.integers(-3, i - 1))
        if container >= 0:
            inside[name] = names[container]
    pairs = st.tuples(
        st.sampled_from(names), st.sampled_from(names), st.sampled_from(["before", "notify", "auto"])
    )
    edges = {
        (a, b): (a, b, kind, "require, line 1") for a, b, kind in draw_from(st.lists(pairs, max_size=40))
    }
    return Graph(names, inside, list(edges.values()))


def get_boxes(picture: Picture) -> dict[str, Rectangle]:
    """Return left, top, right and bottom of every box."""
    return {
        name: (block.x, block.y, block.x + block.width, block.y + block.height)
        for name, block in picture.blocks.items()
    }


def list_containers(graph: Graph, name: str) -> list[str]:
    """Return a node and its containers, from the inside out."""
    names = [name]
    while names[-1] in graph.inside:
        names.append(graph.inside[names[-1]])
    return names


def is_inside(one: Rectangle, other: Rectangle) -> bool:
    """Return whether a rectangle is inside another one."""
    return other[0] <= one[0] and other[1] <= one[1] and one[2] <= other[2] and one[3] <= other[3]


def is_apart(one: Rectangle, other: Rectangle) -> bool:
    """Return whether two rectangles do not overlap."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def runs_through(points: list[tuple[float, float]], box: Rectangle) -> bool:
    """Return whether a line of horizontal and vertical pieces runs through a box."""
    left, top, right, bottom = box[0] + 0.6, box[1] + 0.6, box[2] - 0.6, box[3] - 0.6
    return any(
        max(min(ax, bx), left) < min(max(ax, bx), right) + 1e-9
        and max(min(ay, by), top) < min(max(ay, by), bottom) + 1e-9
        for (ax, ay), (bx, by) in itertools.pairwise(points)
    )


@settings(deadline=None)
@given(graphs())
def test_boxes_are_nested_or_apart_and_inside_the_picture(graph: Graph) -> None:
    picture = Picture(graph)
    boxes = get_boxes(picture)
    assert list(boxes) == list(graph.nodes)
    names = list(boxes)
    for i, name in enumerate(names):
        assert is_inside(boxes[name], (0.0, 0.0, picture.width, picture.height))
        for other in names[:i]:
            if other in list_containers(graph, name):
                assert is_inside(boxes[name], boxes[other])
            elif name not in list_containers(graph, other):
                assert is_apart(boxes[name], boxes[other])


@settings(deadline=None)
@given(graphs())
def test_no_line_runs_through_a_box_or_a_label_of_others(graph: Graph) -> None:
    picture = Picture(graph)
    boxes = get_boxes(picture)
    for (source, target, _, _), (points, _) in zip(graph.edges, picture.lines, strict=True):
        related = {*list_containers(graph, source), *list_containers(graph, target)}
        assert all(ax == bx or ay == by for (ax, ay), (bx, by) in itertools.pairwise(points))
        for name, box in boxes.items():
            if name not in related:
                assert not runs_through(points, box), (source, target, name)
            elif picture.blocks[name].children and name not in (source, target):
                x, y = box[0] + 14, box[1] + 6
                assert not runs_through(points, (x, y, x + picture.blocks[name].header, y + 12)), (
                    source,
                    target,
                    name,
                )


@settings(deadline=None)
@given(graphs())
def test_lines_begin_and_end_at_their_boxes(graph: Graph) -> None:
    picture = Picture(graph)
    boxes = get_boxes(picture)
    for (source, target, _, _), (points, _) in zip(graph.edges, picture.lines, strict=True):
        for name, (x, y) in ((source, points[0]), (target, points[-1])):
            left, top, right, bottom = boxes[name]
            assert left - 0.1 <= x <= right + 0.1 and top - 0.1 <= y <= bottom + 0.1


@settings(deadline=None)
@given(graphs())
def test_every_relationship_has_a_title_and_drawing_is_deterministic(graph: Graph) -> None:
    text = draw(graph)
    root = ElementTree.fromstring(text)
    titles = [title.text for path in root.iter(f"{SVG}path") for title in path.iter(f"{SVG}title")]
    assert len(titles) == len(graph.edges)
    assert all(title and " → " in title and title.endswith(": require, line 1") for title in titles)
    assert draw(graph) == text


def draw_boxes(graph: Graph) -> dict[str, Rectangle]:
    """Return the boxes of the drawing of a graph."""
    return get_boxes(Picture(graph))


def test_a_resource_is_drawn_above_those_that_follow_it() -> None:
    boxes = draw_boxes(Graph(["a", "b", "c"], {}, [("b", "a", "before", ""), ("a", "c", "before", "")]))
    assert boxes["b"][3] < boxes["a"][1] and boxes["a"][3] < boxes["c"][1]


def test_a_chain_is_straight() -> None:
    names = [f"Notify[{'x' * n}]" for n in range(12)]
    edges = [(a, b, "before", "") for a, b in itertools.pairwise(names)]
    assert all(len(points) == 2 for points, _ in Picture(Graph(names, {}, edges)).lines)


def test_many_successors_are_folded_to_the_width_of_a_page() -> None:
    names = ["Package[a]", *(f"File[/etc/a/conf.d/{n}.conf]" for n in range(60))]
    picture = Picture(Graph(names, {}, [(names[0], name, "before", "") for name in names[1:]]))
    assert picture.width < 1300


def list_kinds(text: str) -> list[str]:
    """Return the kind of each line of a drawing and of its legend."""
    return [
        path.attrib["class"].split()[1]
        for path in ElementTree.fromstring(text).iter(f"{SVG}path")
        if "e" in path.attrib.get("class", "").split()
    ]


def test_kinds_of_lines_and_cycles_differ_and_are_in_the_legend() -> None:
    edges = [
        ("a", "b", "before", "->, line 1"),
        ("b", "c", "notify", "~>, line 2"),
        ("c", "a", "before", "require"),
    ]
    acyclic = draw(Graph(["a", "b", "c"], {}, edges[:2]))
    # Each kind is once in the drawing, and once in the legend.
    assert sorted(list_kinds(acyclic)) == ["b", "b", "n", "n"]
    assert "before, and notifies" in acyclic and "closes a cycle" not in acyclic
    cyclic = draw(Graph(["a", "b", "c"], {}, edges, [["a", "b", "c"]]))
    assert list_kinds(cyclic) == ["c"] * 4 and "closes a cycle" in cyclic


def test_the_picture_has_a_description_for_screen_readers() -> None:
    graph = Graph(["a", "b"], {}, [("a", "b", "before", "require, line 2")])
    root = ElementTree.fromstring(draw(graph))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == "The graph of resources: 2 boxes, 1 relationship"
    assert root.findtext(f"{SVG}desc") == "a → b"
    page = render_html(graph)
    assert 'alt="The graph of resources: 2 boxes, 1 relationship' in page
    # The tooltip needs neither a script nor an inline picture.
    assert 'title="a → b: require, line 2"' in page


def parse_colour(colour: str) -> tuple[int, ...]:
    """Return red, green and blue of a colour in the form `#rrggbb`."""
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))


@pytest.mark.parametrize("colours", [svg.LIGHT, svg.DARK], ids=["light", "dark"])
def test_text_and_lines_have_a_contrast_of_four_and_a_half(colours: dict[str, str]) -> None:
    def compute(one: str, other: str) -> float:
        return compute_contrast(parse_colour(colours[one]), parse_colour(colours[other]))

    for ground in ("page", "box", "class", "nested", "define", "new"):
        assert compute("ink", ground) >= 4.5 and compute("quiet", ground) >= 4.5
    for kind in svg.EDGES:
        assert min(compute(kind, ground) for ground in ("page", "class", "nested")) >= 4.5, kind


def test_markup_in_titles_is_escaped() -> None:
    hostile = '</text></title><script>alert(1)</script>"'
    graph = Graph(
        [hostile, "b"],
        {},
        [(hostile, "b", "before", "'\"<")],
        counts={hostile: hostile},
        titles={hostile: hostile},
        labels={"b": hostile},
    )
    tags = {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(draw(graph)).iter()}
    assert tags == {"svg", "desc", "style", "defs", "marker", "g", "path", "rect", "text", "title"}
    assert "<script" not in render_html(graph)


def test_long_names_are_cut_in_the_middle() -> None:
    label = get_label("File[/" + "x" * 500 + "/end.conf]")
    assert len(label) <= LABEL and "…" in label
    assert label.startswith("File[/x") and label.endswith("/end.conf]")


@pytest.mark.parametrize(("count", "remark"), [(100, ""), (101, "… and 1 more")])
def test_the_first_hundred_relationships_are_listed(count: int, remark: str) -> None:
    graph = Graph(["a", "b"], {}, [("a", "b", "before", f"line {number}") for number in range(count)])
    page = render_html(graph)
    assert "line 99<" in page and ("… and" in page) is bool(remark) and remark in page


def make_large_graph(count: int) -> Graph:
    """Return a graph of defines with ten nodes each, each after the previous one."""
    nodes: list[str] = []
    within: dict[str, str] = {}
    edges: list[Any] = []
    for n in range(count // 10):
        outer, *inner = names = [f"Site[{n}]", *(f"File[/srv/{n}/{k}]" for k in range(9))]
        nodes += names
        within |= dict.fromkeys(inner, outer)
        edges += [(inner[0], name, "before", "require, line 3") for name in inner[1:]]
        edges += [(f"Site[{n - 1}]", outer, "notify", "~>, line 9")] if n else []
    return Graph(nodes, within, edges)


@pytest.mark.parametrize(("count", "seconds"), [(20, 0.05), (500, 0.6), (2000, 2.5)])
def test_a_large_picture_is_drawn_in_time(count: int, seconds: float) -> None:
    """The limit is ten times the duration on an idle machine."""
    graph = make_large_graph(count)
    text = run_within(seconds, lambda: draw(graph))
    assert len(re.findall("<rect", text)) == count + 1


def test_a_deep_containment_is_drawn_without_recursion() -> None:
    names = [f"n{i}" for i in range(1500)]
    inner = {name: names[i] for i, name in enumerate(names[1:])}
    assert draw(Graph(names, inner, [(names[0], names[-1], "before", "")])).startswith("<svg")


def copy_graph(graph: Graph, count: int) -> Graph:
    """Return a graph of several containers with a copy of a graph in each."""
    nodes, inside, edges = [], {}, []
    for n in range(count):
        nodes.append(f"Class[{n}]")
        for name in graph.nodes:
            nodes.append(f"{name}{n}")
            inside[f"{name}{n}"] = f"{graph.inside[name]}{n}" if name in graph.inside else f"Class[{n}]"
        edges += [(f"{a}{n}", f"{b}{n}", kind, reason) for a, b, kind, reason in graph.edges]
    edges += [(f"Class[{n}]", f"Class[{n + 1}]", "before", "") for n in range(1, count - 1)]
    return Graph(nodes, inside, edges)


@settings(max_examples=40, deadline=None)
@given(graphs(), st.integers(2, 4))
def test_a_container_laid_out_as_another_is_drawn_as_if_laid_out_alone(graph: Graph, count: int) -> None:
    several = copy_graph(graph, count)
    drawing = draw(several)
    with pytest.MonkeyPatch.context() as patch:
        # No two containers have an equal shape.
        patch.setattr(ordering, "compute_shape", lambda area, heap: object())
        assert draw(several) == drawing
