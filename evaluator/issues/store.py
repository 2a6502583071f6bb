"""The messages about what other nodes have exported, and what is asked about them."""

from __future__ import annotations

from lexer_parser.errors import Issue

ROWS = (
    Issue(
        "EXPORTED_TWICE",
        "A duplicate resource was found while collecting exported resources, with the type and title {resource}",
        help="Give one of the two another title; exported titles usually hold the name of the node.",
        words="What other nodes export comes in under its own title, which must be free here.",
    ),
)
