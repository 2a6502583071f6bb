"""Types from source text, with all names that are built in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaluator.types.base import Type
from evaluator.types.builtin import named
from lexer_parser.dialect import Dialect

_parsed: dict[tuple[str, str], Type] = {}


def parse_type(text: str, dialect: Dialect, resolve: Callable[[str], Any] | None = None) -> Type:
    """The Type that a source text such as `Array[Integer, 1]` means.

    `resolve` gives the Type of a name that is not built in. Raises PuppetError for text that is no Puppet or
    names an unknown type, Failure for text that is no type expression.
    """
    from evaluator.types.parsing import parse, unknown  # half of all types, which would make the start longer

    def known(name: str) -> Type | None:
        return named(name, dialect)

    if resolve is not None:
        return parse(text, known, dialect, resolve)
    found = _parsed.get((text, dialect.name))
    if found is None:
        found = _parsed[text, dialect.name] = parse(text, known, dialect, unknown)
    return found
