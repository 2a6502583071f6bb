"""The parser of the Puppet language: from source text to an abstract syntax tree (see README.md).

`parse` returns the tree of a program, `to_pn` prints it as Puppet Notation, `tokenize` returns the tokens,
`find_status` whether an input is complete, and `find_comments` what the tree leaves out.
"""

from __future__ import annotations

from typing import Any

from lexer_parser import parsing
from lexer_parser.dialect import PUPPET, SPEC, Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import Status, find_comments, find_status, tokenize
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
    "find_comments",
    "find_status",
    "nodes",
    "parse",
    "to_pn",
    "tokenize",
]


def parse(
    source: str, epp: bool = False, name: str | None = None, dialect: Dialect = PUPPET, **options: Any
) -> nodes.Program:
    """Parse a manifest, or with `epp` a template, by default in the released language.

    `name` is the file to show in messages; the options are those of `lexer_parser.parsing.parse`.

    Raises:
        PuppetError: The source is not a valid program.
    """
    return parsing.parse(source, dialect, epp, name, **options)


def to_pn(ast: nodes.Node) -> str:
    """Return a tree in Puppet Notation, as `puppet parser dump --format pn` prints it."""
    from lexer_parser.printing import pn  # imported here because programs do not need it

    return pn.to_pn(ast)
