"""Puppet source text to an abstract syntax tree.

`parse` reads a program, `to_pn` prints it as Puppet Notation, `tokenize` shows the tokens, `status` tells
whether an input is complete, and `comments` gives what the tree leaves out.
"""

from __future__ import annotations

from lexer_parser.dialect import PUPPET, SPEC, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import Status, comments, parse, status, tokenize
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes

__all__ = [
    "PUPPET",
    "SPEC",
    "Dialect",
    "PuppetError",
    "Source",
    "Span",
    "Status",
    "comments",
    "nodes",
    "parse",
    "status",
    "to_pn",
    "tokenize",
]


def to_pn(ast: nodes.Node) -> str:
    """A tree as Puppet Notation, as `puppet parser dump --format pn` prints it."""
    from lexer_parser.printing import pn  # no program needs it

    return pn.to_pn(ast)
