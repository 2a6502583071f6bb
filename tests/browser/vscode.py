"""A page by the rules of the renderers of VS Code: the format that they choose, and its styles.

The outputs are in a webview: the body has a class for the theme, colours are variables, and the theme sets no
`color-scheme`. Tables are striped and take the whole width; text has the colours of the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

PREFERRED = ("text/html", "image/svg+xml", "text/markdown", "text/plain")
THEMES = {
    "light": {
        "editor-background": "#ffffff",
        "editor-foreground": "#3b3b3b",
        "textPreformat-foreground": "#3b3b3b",
        "textPreformat-background": "#0000001f",
        "textLink-foreground": "#005fb8",
    },
    "dark": {
        "editor-background": "#1f1f1f",
        "editor-foreground": "#cccccc",
        "textPreformat-foreground": "#d0d0d0",
        "textPreformat-background": "#3c3c3c",
        "textLink-foreground": "#4daafc",
    },
}
ANSI = {
    "light": ("#000000", "#cd3131", "#107c10", "#949800", "#0451a5", "#bc05bc", "#0598bc", "#555555"),
    "dark": ("#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5"),
}
PLAIN = {"1": "font-weight:bold;", "2": "opacity:0.7;", "4": "text-decoration:underline;"}
STYLE = """
body { background: var(--vscode-editor-background); color: var(--vscode-editor-foreground); margin: 0;
  padding: 0 20px; font: 13px system-ui, Ubuntu, "DejaVu Sans", sans-serif; }
img { max-width: 100%; max-height: 100%; }
code { font-family: monospace; color: var(--vscode-textPreformat-foreground);
  background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
pre code { padding: 0; }
.output { margin: 8px 0 8px 40px; padding: 8px; }
.output > div { overflow-x: auto; }
.output pre.ansi { font: 12px/1.4 monospace; margin: 0; white-space: pre; overflow-x: auto; }
table, thead, tr, th, td, tbody { border: none !important; border-spacing: 0; border-collapse: collapse; }
table { width: 100%; }
table, th, tr { text-align: left !important; }
thead { font-weight: bold; background-color: rgba(130, 130, 130, 0.16); }
th, td { padding: 4px 8px; }
tr:nth-child(even) { background-color: rgba(130, 130, 130, 0.08); }
"""


def render_page(notebook: Mapping[str, Any], theme: str) -> str:
    """Return the page with the outputs of a notebook."""
    variables = "".join(f"--vscode-{name}:{value};" for name, value in THEMES[theme].items())
    outputs = "".join(
        f'<div class="output">{_render_output(output, theme)}</div>'
        for cell in notebook["cells"]
        for output in cell.get("outputs", ())
    )
    return (
        f'<!DOCTYPE html><html lang="en" style="{variables}"><meta charset="utf-8"><style>{STYLE}</style>'
        f'<body class="vscode-{theme}" data-vscode-theme-kind="vscode-{theme}">{outputs}</body></html>'
    )


def _render_output(output: Mapping[str, Any], theme: str) -> str:
    match output["output_type"]:
        case "stream":
            return _render_terminal_text("".join(output["text"]), theme)
        case "error":
            return _render_terminal_text("\n".join(output["traceback"]), theme)
    data = {kind: "".join(value) for kind, value in output["data"].items() if kind in PREFERRED}
    kind = next(kind for kind in PREFERRED if kind in data)
    return f"<div>{data[kind]}</div>" if kind in PREFERRED[:2] else _render_terminal_text(data[kind], theme)


def _render_terminal_text(text: str, theme: str) -> str:
    """Return text with SGR sequences in the colours of the terminal."""
    parts: list[str] = []
    style = ""
    for piece in re.split(r"(\x1b\[[\d;]*m)", text):
        if piece.startswith("\x1b["):
            style = "".join(_iterate_styles(piece[2:-1].split(";"), theme))
        elif piece:
            parts.append(f'<span style="{style}">{escape(piece)}</span>' if style else escape(piece))
    return f'<pre class="ansi">{"".join(parts)}</pre>'


def _iterate_styles(codes: list[str], theme: str) -> Iterable[str]:
    """Yield the styles for the numbers of one sequence."""
    rest = list(codes)
    while rest:
        code = rest.pop(0)
        if code in ("38", "48"):  # A colour: 2;red;green;blue
            _, red, green, blue = rest[:4]
            del rest[:4]
            yield f"{'color' if code == '38' else 'background'}:rgb({red},{green},{blue});"
        elif code in PLAIN:
            yield PLAIN[code]
        elif re.fullmatch("3[0-7]", code):
            yield f"color:{ANSI[theme][int(code[1])]};"
