"""The picture of a graph as SVG, and its colours.

Colours have a contrast of at least 4.5 on light and dark, without red and green. Colour is never the only difference:
notifying edges are dashed, derived ones dotted, cycles thick. A fixed-width font makes the size of labels known
without measuring. Every box and every relationship has a title; the picture has a description for those who cannot
see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from puppet_kernel.rendering.elements import Graph
from puppet_kernel.rendering.escape import cut_columns, escape, measure_width, to_one_line
from puppet_kernel.rendering.graphs.areas import PAD
from puppet_kernel.rendering.graphs.blocks import LayoutBlock
from puppet_kernel.rendering.graphs.layout import lay_out
from puppet_kernel.rendering.graphs.lines import Point
from puppet_kernel.rendering.literals import format_count

FONT = "12px DejaVu Sans Mono,Menlo,Consolas,monospace"
LIGHT = {
    "page": "#ffffff",
    "ink": "#1b2733",
    "quiet": "#4a5560",
    "box": "#eef3fb",
    "box-line": "#0072b2",
    "class": "#f6f8fa",
    "class-line": "#5b7a94",
    "nested": "#eaeff4",
    "define": "#fbf3f7",
    "define-line": "#9c4677",
    "new": "#e3f4ee",
    "new-line": "#00694d",
    "before": "#5b6570",
    "notify": "#a85000",
    "auto": "#00659c",
    "cycle": "#b83200",
}
DARK = {
    "page": "#14181d",
    "ink": "#e6edf3",
    "quiet": "#b4bec8",
    "box": "#16212c",
    "box-line": "#56b4e9",
    "class": "#1a2027",
    "class-line": "#7f97ab",
    "nested": "#232b34",
    "define": "#2a1f27",
    "define-line": "#e3a6c6",
    "new": "#10291f",
    "new-line": "#2fc79b",
    "before": "#9aa5b1",
    "notify": "#e69f00",
    "auto": "#56b4e9",
    "cycle": "#ff8a4c",
}


class EdgeKind(NamedTuple):
    """The drawing style of a kind of edges.

    Attributes:
        mark: The class in the style sheet, and the identity of the arrow head.
        words: The text of the legend.
        style: Additional style.
    """

    mark: str
    words: str
    style: str = ""


EDGES = {
    "before": EdgeKind("b", "is applied before"),
    "notify": EdgeKind("n", "before, and notifies", "stroke-dasharray:6 3"),
    "auto": EdgeKind("a", "required automatically", "stroke-dasharray:1.5 3"),
    "cycle": EdgeKind("c", "closes a cycle", "stroke-width:2.6"),
}


def make_style() -> str:
    """Return the style sheet of a picture, with the differences for dark pages.

    Class `e` is for all edges, `b`, `n`, `a`, `c` for their kinds (with `h` before the letter for arrow heads), `r` for
    those that are drawn backwards. `box`, `k`, `o`, `d` and `new` are for boxes: resource, class, nested class, define,
    new resource. `q` is for quiet text.
    """
    shapes = "".join(f".{kind.mark}{{{kind.style}}}" for kind in EDGES.values() if kind.style)
    ends = "".join(
        f".{mark}{{marker-end:url(#{mark})}}.{mark}.r{{marker-end:none;marker-start:url(#{mark})}}"
        for mark in (kind.mark for kind in EDGES.values())
    )
    return (
        f"text{{font:{FONT}}}.e{{fill:none;stroke-width:1.4}}{shapes}{ends}"
        f"{_write_colours(LIGHT)}@media (prefers-color-scheme:dark){{{_write_colours(DARK)}}}"
    )


def _write_colours(palette: dict[str, str]) -> str:
    """Return the rules of a style sheet for a palette, LIGHT or DARK."""
    rules = {
        "text": f"fill:{palette['ink']}",
        ".q": f"fill:{palette['quiet']}",
        ".page": f"fill:{palette['page']}",
        ".box": f"fill:{palette['box']};stroke:{palette['box-line']}",
        ".k": f"fill:{palette['class']};stroke:{palette['class-line']}",
        ".o": f"fill:{palette['nested']};stroke:{palette['class-line']}",
        ".d": f"fill:{palette['define']};stroke:{palette['define-line']}",
        ".new": f"fill:{palette['new']};stroke:{palette['new-line']}",
    }
    for name, kind in EDGES.items():
        rules[f".{kind.mark}"] = f"stroke:{palette[name]}"
        rules[f".h{kind.mark}"] = f"fill:{palette[name]}"
    return "".join(f"{name}{{{rule}}}" for name, rule in rules.items())


# Lengths are in pixels.
# The width of a character, the height of a box and of a second row in it.
CHARACTER, LINE, ROW = (7.3, 28.0, 15.0)
BASELINE = 4.0  # of a row of text, below the middle of the row
LABEL = 48  # the longest label, in characters
LOOP = 16.0  # the space for a relationship of a resource with itself
ROUND = 5.0  # the radius of the corners of lines
# The height of the legend; the length of each line in it, and the space before and after the words for the line.
LEGEND, LEGEND_LINE, LEGEND_GAP, LEGEND_SPACE = 26.0, 34, 8, 22


class Picture:
    """A graph with its layout: the blocks by name, the line of each edge, and the size."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        root = LayoutBlock("", is_framed=False)
        self.blocks = {name: _draw_block(graph, name) for name in graph.nodes}
        for name, block in self.blocks.items():
            self.blocks.get(graph.inside.get(name, ""), root).add(block)
        for source, target, _, _ in graph.edges:
            if source == target:
                self.blocks[source].reserve = LOOP
        in_cycle = {
            pair for cycle in graph.cycles for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        }
        self.kinds = [
            "cycle" if (source, target) in in_cycle else kind for source, target, kind, _ in graph.edges
        ]
        self.lines = lay_out(
            root,
            self.blocks,
            [
                (source, target, kind)
                for (source, target, _, _), kind in zip(graph.edges, self.kinds, strict=True)
            ],
        )
        self.width, self.height = root.width, root.height

    @property
    def legend(self) -> list[str]:
        """The kinds of relationships that occur, in the order of EDGES."""
        return sorted({*self.kinds}, key=[*EDGES].index)


def _draw_block(graph: Graph, name: str) -> LayoutBlock:
    """Return the block of a node, with the size of its text."""
    label = _format_label(graph, name)
    counts = graph.counts.get(name, "")
    characters = max(measure_width(label), measure_width(to_one_line(counts)))
    height = LINE + ROW if counts else LINE
    return LayoutBlock(name, characters * CHARACTER + 2 * PAD, height, measure_width(label) * CHARACTER)


def _format_label(graph: Graph, name: str) -> str:
    """Return the text in the box of a node; new nodes have a `+`, since colour is not enough."""
    label = get_label(graph.labels.get(name, name))
    return f"+ {label}" if name in graph.added else label


def get_label(name: str) -> str:
    """Return a name for a picture, cut in the middle because ends distinguish long names."""
    text = to_one_line(name)
    if measure_width(text) <= LABEL:
        return text
    tail = ""
    for character in reversed(text):
        if measure_width(character + tail) > LABEL // 2:
            break
        tail = character + tail
    return cut_columns(text, LABEL - measure_width(tail)) + tail


def draw(graph: Graph) -> str:
    """Return the graph as an SVG document; "" for an empty graph."""
    return write(Picture(graph)) if graph.nodes else ""


def describe(graph: Graph) -> str:
    """Return the picture in words."""
    parts = [
        format_count(len(graph.nodes), "box", "boxes"),
        *([f"{len(graph.counts)} of them closed"] if graph.counts else []),
        format_count(len(graph.edges), "relationship"),
        *([format_count(len(graph.cycles), "dependency cycle")] if graph.cycles else []),
    ]
    return f"The graph of resources: {', '.join(parts)}"


def measure_picture(picture: Picture) -> tuple[float, float]:
    """Return the width and height of a picture with its legend."""
    kinds = picture.legend
    legend = sum(map(_measure_legend_entry, kinds)) + PAD
    return max(picture.width, legend), picture.height + (LEGEND if kinds else 0)


def write(picture: Picture) -> str:
    """Return a picture as an SVG document."""
    graph = picture.graph
    kinds = picture.legend
    wide, high = measure_picture(picture)
    words = escape(describe(graph))
    steps = "; ".join(f"{a} → {b}" for a, b, _, _ in graph.edges[:100])
    marks = "".join(_draw_marker(EDGES[kind].mark) for kind in kinds)
    width, height = _format_number(wide), _format_number(high)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{words}"><desc>{escape(steps)}</desc>'
        f"<style>{make_style()}</style><defs>{marks}</defs>"
        f'<rect class="page" width="{width}" height="{height}" rx="6"/>',
        *_draw_containers(picture),
        *_draw_edges(picture),
        *_draw_leaves(picture),
        *_draw_legend(kinds, picture.height),
        "</svg>",
    ]
    return "".join(parts)


def _format_number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _draw_marker(mark: str) -> str:
    return (
        f'<marker id="{mark}" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="9" refX="8" refY="4.5" '
        f'orient="auto-start-reverse"><path class="h{mark}" d="M0 1 8.5 4.5 0 8z"/></marker>'
    )


def get_title(graph: Graph, name: str) -> str:
    """Return the title of a box: its full name, the contents of a closed box, and more."""
    return ", ".join(part for part in (name, graph.counts.get(name), graph.titles.get(name)) if part)


def _draw_containers(picture: Picture) -> Iterable[str]:
    """Yield the boxes of containers, each before its contents."""
    graph = picture.graph
    stack = [block for block in reversed(picture.blocks.values()) if block.children and block.depth == 1]
    while stack:
        block = stack.pop()
        name = block.name
        class_kind = "k" if block.depth % 2 else "o"  # nested classes alternate
        kind = "new" if name in graph.added else "d" if name in graph.defines else class_kind
        yield (
            f"<g><title>{escape(get_title(graph, name))}</title>{_draw_rectangle(block, kind)}"
            f'<text class="q" x="{_format_number(block.x + PAD)}" y="{_format_number(block.y + 16)}">'
            f"{escape(_format_label(graph, name))}</text></g>"
        )
        stack += [child for child in reversed(block.children) if child.children]


def _draw_leaves(picture: Picture) -> Iterable[str]:
    """Yield the boxes that contain no others: resources, and closed containers."""
    graph = picture.graph
    for name, block in picture.blocks.items():
        if block.children:
            continue
        counts = graph.counts.get(name)  # of a closed container
        closed_kind = "d" if name in graph.defines else "k"
        kind = "new" if name in graph.added else "box" if counts is None else closed_kind
        markup = f"<title>{escape(get_title(graph, name))}</title>{_draw_rectangle(block, kind)}"
        if counts is not None:  # a closed box has a double border
            markup += _draw_rectangle(block, kind, inset=3)
        x, y = _format_number(block.x + PAD), block.y + LINE / 2 + BASELINE
        markup += f'<text x="{x}" y="{_format_number(y)}">{escape(_format_label(graph, name))}</text>'
        if counts:
            markup += (
                f'<text class="q" x="{x}" y="{_format_number(y + ROW)}">{escape(to_one_line(counts))}</text>'
            )
        yield f"<g>{markup}</g>"


def _draw_rectangle(block: LayoutBlock, kind: str, inset: float = 0) -> str:
    return (
        f'<rect class="{kind}" x="{_format_number(block.x + inset)}" y="{_format_number(block.y + inset)}" '
        f'width="{_format_number(block.width - 2 * inset)}" height="{_format_number(block.height - 2 * inset)}" '
        f'rx="{3 if inset else 5}"/>'
    )


def _draw_edges(picture: Picture) -> Iterable[str]:
    """Yield the relationships, those of cycles last and so on top."""
    drawn = list(zip(picture.graph.edges, picture.kinds, picture.lines, strict=True))
    for draws_cycles in (False, True):
        for (source, target, _, reason), kind, (points, gathers) in drawn:
            if (kind == "cycle") == draws_cycles:
                words = f"{source} → {target}: {reason}" if reason else f"{source} → {target}"
                classes, path = EDGES[kind].mark, points
                if gathers:  # drawn from the end of the trunk, so that the dashes of all lines coincide
                    classes, path = f"{classes} r", points[::-1]
                yield f'<path class="e {classes}" d="{_draw_path(path)}"><title>{escape(words)}</title></path>'


def _draw_path(points: Sequence[Point]) -> str:
    """Return a line of vertical and horizontal segments with rounded corners."""
    (x, y), last = points[0], len(points) - 1
    parts = [f"M{x:.6g} {y:.6g}"]
    for n in range(1, last):  # each corner, which is at the point n
        corner_x, corner_y = points[n]
        next_x, next_y = points[n + 1]
        is_horizontal = abs(corner_x - x) > abs(corner_y - y)  # the segment before the corner
        width, height = next_x - x, next_y - y  # of both segments, of which each has one of these lengths
        radius = min(ROUND, abs(width) / 2, abs(height) / 2)
        if radius > 0.05:  # smaller ones result from rounding
            dx, dy = radius if width > 0 else -radius, radius if height > 0 else -radius
            curve = f"{dx:g} 0 {dx:g} {dy:g}" if is_horizontal else f"0 {dy:g} {dx:g} {dy:g}"
            parts.append(
                f"H{corner_x - dx:.6g}q{curve}" if is_horizontal else f"V{corner_y - dy:.6g}q{curve}"
            )
        x, y = corner_x, corner_y
    x, y = points[last]
    parts.append(f"L{x:.6g} {y:.6g}")
    return "".join(parts)


# --- the legend


def _draw_legend(kinds: Sequence[str], top: float) -> Iterable[str]:
    """Yield one row with the kinds of relationships that occur."""
    if not kinds:
        return
    x, y = PAD, top + LEGEND / 2 - 2
    yield '<g class="legend">'
    for kind in kinds:
        text_x, text_y = _format_number(x + LEGEND_LINE + LEGEND_GAP), _format_number(y + BASELINE)
        path = f"M{_format_number(x)} {_format_number(y)}h{LEGEND_LINE}"
        yield f'<path class="e {EDGES[kind].mark}" d="{path}"/>'
        yield f'<text class="q" x="{text_x}" y="{text_y}">{EDGES[kind].words}</text>'
        x += _measure_legend_entry(kind)
    yield "</g>"


def _measure_legend_entry(kind: str) -> float:
    """Return the width of the entry for a kind of edges, with the space after it."""
    return LEGEND_LINE + LEGEND_GAP + len(EDGES[kind].words) * CHARACTER + LEGEND_SPACE
