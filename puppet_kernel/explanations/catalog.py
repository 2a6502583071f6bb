"""Explanations of what can go wrong with classes, defines and resources: code -> (words, wrong, right)."""

from __future__ import annotations

ROWS: dict[str, tuple[str, str, str]] = {
    # classes and defines
    "REDEFINITION": (
        "Something of this name is defined already.",
        "class a { }\nclass a { }",
        "class a { }\nclass b { }",
    ),
    # resources
    # types of resources
}
