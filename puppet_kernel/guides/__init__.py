"""The guides: a page of Markdown for each subject, which `%help NAME` and `puppet-repl --help NAME` show."""

from __future__ import annotations

from pathlib import Path

from lexer_parser.memo import memoize
from puppet_kernel.rendering.elements import Element
from puppet_kernel.rendering.pages import parse_page

GUIDES = (
    *("cells", "safety", "dialects", "debugger", "repositories", "fleets"),
    *("site", "notebooks-as-tests", "exercises", "limits"),
)


@memoize(owner="one for each guide")
def read_guide(name: str) -> str:
    """Return the Markdown of a guide; the name is one of GUIDES."""
    return Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8")


def render_guide(name: str) -> Element:
    """Return a guide as a view element."""
    return parse_page(read_guide(name))
