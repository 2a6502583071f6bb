"""A graph as HTML: its picture as an image, since sanitizers of notebooks preserve images.

Titles in an image have no effect; therefore empty boxes with titles, the tooltips, lie over it. Below it are the
cycles, the remarks and, folded, every relationship with its reason.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable
from itertools import islice

from puppet_kernel.rendering.elements import Element, Graph, Table, TextElement, make_line
from puppet_kernel.rendering.escape import Markup, escape, join, make_tag
from puppet_kernel.rendering.graphs import svg
from puppet_kernel.rendering.graphs.text import ARROWS, make_cycle_lines, make_graph_lines

MOST_LISTED = 100  # the number of relationships that are listed below a picture
MOST_TOOLTIPS = 120  # the number of boxes and relationships that have tooltips
# Lengths in units of the picture: the height of the title of a box that contains others; the half width and the least
# height of the tooltip on an arrow head.
TITLE_HEIGHT, ARROW_REACH, LEAST_ARROW_HEIGHT = 24, 5, 8
DARK_THEMES = (
    "body[data-jp-theme-light='false'] .puppet-graph,.vscode-dark .puppet-graph,"
    ".vscode-high-contrast:not(.vscode-high-contrast-light) .puppet-graph"
)
LIGHT_THEMES = (
    "body[data-jp-theme-light='true'] .puppet-graph,.vscode-light .puppet-graph,"
    ".vscode-high-contrast-light .puppet-graph"
)
# An image uses the colour scheme of the page. These rules detect pages that declare their theme in another way.
THEME = Markup(f"<style>{LIGHT_THEMES}{{color-scheme:light}}{DARK_THEMES}{{color-scheme:dark}}</style>")
FRAME = "position:relative;display:inline-block;width:{most}px;min-width:{least}px;max-width:100%"
# The smallest scale: in a picture that is wider than the page, letters shrink no further, and the page scrolls.
SMALLEST_SCALE = 0.7


def make_page(graph: Graph, show: Callable[[Element], Markup]) -> Markup:
    """Return a graph as HTML; `show` renders the elements below the picture."""
    if not (graph.edges or graph.inside or graph.counts):
        return show(TextElement(*make_graph_lines(graph)))
    picture = svg.Picture(graph)
    image = "data:image/svg+xml;base64," + b64encode(svg.write(picture).encode()).decode("ascii")
    words = escape(f"{svg.describe(graph)}; all relationships are listed below")
    picture_tag = Markup(f'<img src="{image}" alt="{words}" style="width:100%">')
    width, _ = svg.measure_picture(picture)
    frame = FRAME.format(least=round(SMALLEST_SCALE * width), most=round(width))
    inner = make_tag("div", picture_tag, *_draw_tooltips(picture), **{"class": "puppet-graph"}, style=frame)
    parts = [THEME, make_tag("div", inner, style="overflow-x:auto")]
    parts += [show(TextElement(*make_cycle_lines(graph, cycle))) for cycle in graph.cycles]
    parts += [show(remark) for remark in graph.remarks]
    if graph.edges or graph.implied:
        fold = make_tag("summary", "the order of the resources, with reasons", style="cursor:pointer")
        parts.append(make_tag("details", fold, show(_list_edges(graph))))
    return join(parts)


def _list_edges(graph: Graph) -> Table:
    """Return the relationships with their reasons, those that follow from others last."""
    relationships = [
        *((edge, "") for edge in graph.edges),
        *((edge, ", follows from others") for edge in graph.implied),
    ]
    rows = [
        (
            make_line(source),
            make_line(("dim", ARROWS[kind])),
            make_line(target),
            make_line(("dim", reason + more)),
        )
        for (source, target, kind, reason), more in relationships[:MOST_LISTED]
    ]
    if len(relationships) > MOST_LISTED:
        rows.append((make_line(("dim", f"… and {len(relationships) - MOST_LISTED} more")), (), (), ()))
    return Table(rows)


def _draw_tooltips(picture: svg.Picture) -> Iterable[Markup]:
    """Yield empty boxes with titles over the boxes and arrow heads of a picture."""
    picture_width, picture_height = svg.measure_picture(picture)
    for title, x, y, width, height in islice(_list_tooltips(picture), MOST_TOOLTIPS):
        position = (
            f"left:{100 * x / picture_width:.2f}%;top:{100 * y / picture_height:.2f}%;"
            f"width:{100 * width / picture_width:.2f}%;height:{100 * height / picture_height:.2f}%;"
        )
        yield Markup(f'<span title="{escape(title)}" style="position:absolute;{position}"></span>')


def _list_tooltips(picture: svg.Picture) -> Iterable[tuple[str, float, float, float, float]]:
    """Yield the title of each box and arrow head, and the x, y, width and height of its place."""
    graph = picture.graph
    for name, block in picture.blocks.items():
        height = block.height if not block.children else TITLE_HEIGHT
        yield svg.get_title(graph, name), block.x, block.y, block.width, height
    for (source, target, kind, reason), (points, _) in zip(graph.edges, picture.lines, strict=True):
        (ax, ay), (x, y) = points[-2:]
        title = f"{source} → {target}: {reason or svg.EDGES[kind].words}"
        width, height = abs(ax - x) + 2 * ARROW_REACH, max(abs(ay - y), LEAST_ARROW_HEIGHT)
        yield title, min(ax, x) - ARROW_REACH, min(ay, y), width, height
