"""What is shown, as the bundles of formats that front ends pick from."""

from __future__ import annotations

from typing import Any

from puppet_kernel.rendering.elements import Element, Graph, Text
from puppet_kernel.rendering.escape import printable
from puppet_kernel.rendering.graphs.svg import draw
from puppet_kernel.rendering.html import LIMIT, PICTURE_LIMIT, html
from puppet_kernel.rendering.markdown import markdown
from puppet_kernel.rendering.problems import told
from puppet_kernel.rendering.text import ansi_lines, plain
from puppet_kernel.replies import Reply

COLUMNS = 100
EMPTY = Text(())


def bundle(element: Element | None, data: Any = None) -> dict[str, Any]:
    """An element for the wire: plain text, HTML and Markdown; a graph as a picture too, data as JSON when asked for.

    A picture and JSON that are too large to view are left out.
    """
    if element is None:
        return {}
    found: dict[str, Any] = {
        "text/plain": plain(element, COLUMNS),
        "text/html": html(element),
        "text/markdown": markdown(element, COLUMNS),
    }
    if isinstance(element, Graph) and (element.edges or element.inside):
        drawn = draw(element)
        if drawn and len(drawn) <= PICTURE_LIMIT:
            found["image/svg+xml"] = drawn
    if data is not None and len(found["text/plain"]) <= LIMIT:  # which shows it too
        found["application/json"] = data
    return found


def error_content(reply: Reply) -> dict[str, Any]:
    """The error of a reply for the wire: its code, its wording, and the lines that a person sees."""
    problem, lines = reply.error, ansi_lines(reply.element or EMPTY, COLUMNS)
    assert problem is not None
    return {"ename": problem.code, "evalue": printable(told(problem.message)), "traceback": lines}
