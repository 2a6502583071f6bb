"""View elements as HTML that survives the sanitizers of notebooks, on light and dark pages.

All markup is made by `rendering.escape`. Sanitizers remove style sheets and variables, and few pages say whether they
are dark: colours are mixed from the text colour of the page. They are written with `rgb(…)`, which sanitizers accept;
browsers that cannot mix colours show the plain text colour.
"""

from __future__ import annotations

from collections.abc import Iterable

from puppet_kernel.rendering import graphs
from puppet_kernel.rendering.elements import (
    Element,
    Excerpt,
    Fold,
    Graph,
    Group,
    Line,
    NoteElement,
    Paragraphs,
    Table,
    Tabs,
    TextElement,
    Tree,
)
from puppet_kernel.rendering.escape import Markup, escape, join, make_tag
from puppet_kernel.rendering.layout import NOTE_ROLES, lay_out_element, mark_up
from puppet_kernel.rendering.text import RICH_LIMIT, render_cut


def _tint(red: int, green: int, blue: int) -> str:
    """Return a colour mixed into the page's text colour, readable on light and dark pages."""
    return f"color:color-mix(in srgb,currentcolor 35%,rgb({red},{green},{blue}))"


DIM, GREEN, CYAN, BLUE = (
    _tint(128, 128, 128),
    _tint(20, 140, 60),
    _tint(0, 135, 160),
    _tint(20, 120, 225),
)
PURPLE, OCHRE, RED = _tint(185, 75, 210), _tint(195, 108, 0), _tint(235, 65, 55)
COLOURS = {
    "dim": DIM,
    "strong": "font-weight:600",
    "title": "font-weight:600",
    "string": GREEN,
    "number": CYAN,
    "keyword": PURPLE,
    "type": BLUE,
    "code": CYAN,
    "variable": OCHRE,
    "comment": f"{DIM};font-style:italic",
    "error": f"{RED};font-weight:600",
    "mark": f"{RED};font-weight:600",
    "warning": f"{OCHRE};font-weight:600",
    "note": BLUE,
    "help": f"{GREEN};font-weight:600",
    "added": GREEN,
    "removed": RED,
    "changed": OCHRE,
}
PRE = (
    "font-family:monospace;margin:0;padding:0;background:transparent;color:inherit;line-height:1.4;"
    "white-space:pre;overflow-x:auto"
)
WRAPPED_PRE = f"{PRE};white-space:pre-wrap"
CODE = "font-family:monospace;background:transparent;padding:0;color:inherit"
# Browsers also break lines after a hyphen, and within `->` and `--all`. Code of up to so many characters is not broken.
UNBROKEN, UNBROKEN_LENGTH = ";white-space:nowrap", 40
# A remark is at the right of the line it belongs to, or below it if there is no room.
BESIDE = "display:inline-block;max-width:100%;vertical-align:top"
ASIDE = f"float:right;padding-left:12px;font-family:monospace;line-height:1.4;{DIM}"
AFTER = make_tag("div", style="clear:both")
CELL = "text-align:left;vertical-align:top;padding:2px 12px 2px 0;white-space:pre-wrap"
WORDS = "max-width:80ch;line-height:1.4"
# Pages that typeset mathematics ignore elements of these classes; the name depends on the page's version.
PAGE = {"class": "mathjax_ignore tex2jax_ignore", "style": "font-size:var(--jp-code-font-size,13px)"}
PICTURE_LIMIT = 8_000_000  # characters of a picture that the user requested
DEEPEST_TREE = 50  # levels; deeper trees are drawn as text


def render_html(element: Element) -> str:
    """Return an element as an HTML fragment; as cut plain text if it would be too large."""
    html = make_tag("div", _render_html(element), **PAGE)
    if len(html) <= (PICTURE_LIMIT if isinstance(element, Graph) else RICH_LIMIT):
        return html
    return make_tag("div", make_tag("pre", render_cut(element), style=PRE))


def _render_html(element: Element) -> Markup:
    """Return an element as HTML of any length."""
    match element:
        case Table():
            return _render_table(element)
        case Tree():
            return (
                _render_tree(element)
                if _measure_depth(element) <= DEEPEST_TREE
                else _render_pre(lay_out_element(element))
            )
        case Fold():
            return _render_fold(element.label, _render_html(element.inside), is_open=element.open)
        case NoteElement():
            return _render_note(element)
        case Paragraphs():
            return join(
                make_tag("div", _render_words(mark_up(row)), style=WORDS) for row in element.text.split("\n")
            )
        case Tabs():
            return _render_tabs(element)
        case Group():
            gap = "10px" if element.spaced else "2px"
            return join(
                make_tag("div", _render_html(child), style=f"margin-bottom:{gap}")
                for child in element.children
            )
        case Graph():
            return graphs.make_page(element, _render_html)
        case TextElement() if element.aside:
            return join(
                [
                    _render_pre(element.lines, f"{PRE};{BESIDE}"),
                    make_tag("span", element.aside, style=ASIDE),
                    AFTER,
                ]
            )
        case TextElement() if element.fold is not None:
            return _render_pre(element.lines, WRAPPED_PRE)
        case Excerpt():
            return make_tag("div", _render_pre(lay_out_element(element)), style="margin:4px 0")
        case _:
            return _render_pre(lay_out_element(element, highlight=True))


def _render_pre(lines: Iterable[Line], style: str = PRE) -> Markup:
    return make_tag("pre", join((_render_line(parts) for parts in lines), "\n"), style=style)


def _render_line(parts: Line) -> Markup:
    return join(_render_fragment(role, text) for role, text in parts)


def _render_fragment(role: str, text: str) -> Markup:
    style = COLOURS.get(role, "")
    return make_tag("span", text, style=style) if style else escape(text)


def _render_words(parts: Line) -> Markup:
    """Return a line of words, with text in backquotes as code."""
    return join(
        _render_code(
            (("", part.strip("`")),), UNBROKEN if "-" in part and len(part) <= UNBROKEN_LENGTH else ""
        )
        if role == "code"
        else _render_fragment(role, part)
        for role, part in parts
    )


def _render_cell(parts: Line) -> Markup:
    """Return a cell of a table: words or code."""
    return _render_words(parts) if any(role == "words" for role, _ in parts) else _render_code(parts)


def _render_table(table: Table) -> Markup:
    """Return a table; if it shows a value, that is folded below it as source code."""
    head = (
        [make_tag("tr", *(make_tag("th", title, style=CELL) for title in table.header))]
        if table.header
        else []
    )
    body = [
        make_tag("tr", *(make_tag("td", _render_cell(cell), style=CELL) for cell in row))
        for row in table.rows
    ]
    drawn = make_tag(
        "table", *head, *body, style="border-collapse:collapse;margin:0;width:auto;font-size:inherit"
    )
    if not table.written:
        return drawn
    return join(
        [drawn, _render_fold((("dim", "as source code"),), _render_pre(table.written), is_open=False)]
    )


def _render_code(parts: Line, style: str = "") -> Markup:
    return make_tag("code", _render_line(parts), style=f"{CODE}{style}")


def _render_tree(tree: Tree) -> Markup:
    if not tree.branches:
        return make_tag("div", _render_code(tree.label), style="margin-left:14px")
    return _render_fold(tree.label, join(_render_tree(branch) for branch in tree.branches), is_open=tree.open)


def _render_fold(label: Line, inside: Markup, *, is_open: bool, name: str = "") -> Markup:
    """Return a label that opens its content.

    Of the folds with the same name, a page opens one at a time; folds without a name are independent.
    """
    summary = make_tag("summary", _render_code(label), style="cursor:pointer")
    content = make_tag("div", inside, style="margin-left:14px")
    return make_tag("details", summary, content, name=name, open="open" if is_open else "")


def _render_tabs(tabs: Tabs) -> Markup:
    """Return parts that fold; a page that groups them shows one at a time."""
    name = "tabs-" + "-".join(label for label, _ in tabs.labelled)
    return join(
        _render_fold((("title", label),), _render_html(part), is_open=index == 0, name=name)
        for index, (label, part) in enumerate(tabs.labelled)
    )


def _measure_depth(tree: Tree) -> int:
    """Return the number of levels of a tree, which may be too many for recursion."""
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [branch for parent in level for branch in parent.branches]
    return depth


def _render_note(note: NoteElement) -> Markup:
    """Return a remark with its label."""
    label = make_tag("span", f"{note.label}: ", style=COLOURS[NOTE_ROLES[note.kind]]) if note.label else ""
    body = COLOURS["dim"] if note.kind == "hint" else ""
    words = join((_render_words(mark_up(row)) for row in note.text.split("\n")), "\n")
    return make_tag("div", label, make_tag("span", words, style=body), style="white-space:pre-wrap")
