"""Pictures of resource graphs: selection, layout, and output for each medium."""

from typing import TYPE_CHECKING

from lexer_parser.lazy import lazy_attributes

if TYPE_CHECKING:
    from puppet_kernel.rendering.graphs.page import make_page
    from puppet_kernel.rendering.graphs.svg import draw
    from puppet_kernel.rendering.graphs.text import make_graph_lines

__all__ = ["draw", "make_graph_lines", "make_page"]

__getattr__ = lazy_attributes(__name__, {"draw": "svg", "make_graph_lines": "text", "make_page": "page"})
