"""The colours of pictures: contrast of at least 4.5 on light and dark, without red and green.

Colour is never the only difference: notifying edges are dashed, derived ones dotted, cycles thick.
"""

from __future__ import annotations

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
EDGES = {
    "before": ("b", "is applied before", ""),
    "notify": ("n", "before, and notifies", "stroke-dasharray:6 3"),
    "auto": ("a", "required by itself", "stroke-dasharray:1.5 3"),
    "cycle": ("c", "closes a cycle", "stroke-width:2.6"),
}  # kind -> (class, words of the legend, further style)


def style() -> str:
    """Return the style sheet of a picture, with the differences for dark pages."""
    shapes = "".join(f".{mark}{{{extra}}}" for mark, _, extra in EDGES.values() if extra)
    ends = "".join(
        f".{mark}{{marker-end:url(#{mark})}}.{mark}.r{{marker-end:none;marker-start:url(#{mark})}}"
        for mark, _, _ in EDGES.values()
    )
    return (
        f"text{{font:{FONT}}}.e{{fill:none;stroke-width:1.4}}{shapes}{ends}"
        f"{_colours(LIGHT)}@media (prefers-color-scheme:dark){{{_colours(DARK)}}}"
    )


def _colours(of: dict[str, str]) -> str:
    rules = {
        "text": f"fill:{of['ink']}",
        ".q": f"fill:{of['quiet']}",
        ".page": f"fill:{of['page']}",
        ".box": f"fill:{of['box']};stroke:{of['box-line']}",
        ".k": f"fill:{of['class']};stroke:{of['class-line']}",
        ".o": f"fill:{of['nested']};stroke:{of['class-line']}",
        ".d": f"fill:{of['define']};stroke:{of['define-line']}",
        ".new": f"fill:{of['new']};stroke:{of['new-line']}",
    }
    for kind, (mark, _, _) in EDGES.items():
        rules[f".{mark}"] = f"stroke:{of[kind]}"
        rules[f".h{mark}"] = f"fill:{of[kind]}"
    return "".join(f"{name}{{{rule}}}" for name, rule in rules.items())
