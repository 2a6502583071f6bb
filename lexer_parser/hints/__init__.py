"""Hints: what a program says that is allowed and hardly meant.

`find` looks at a tree that could be read and knows nothing of what it gives; who runs it tells what is known of the
variables. A hint is a PuppetError that stops nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lexer_parser.dialect import Dialect
from lexer_parser.errors import PuppetError
from lexer_parser.hints import meanings, rules
from lexer_parser.hints.view import View
from lexer_parser.source import Source
from lexer_parser.tree import nodes

Rule = Callable[[View, Any], None]
_RULES: dict[type[nodes.Node], tuple[Rule, ...]] = {
    kind: (*rules.RULES.get(kind, ()), *meanings.RULES.get(kind, ()))
    for kind in {*rules.RULES, *meanings.RULES}
}


def find(
    body: nodes.Node, source: Source, dialect: Dialect, values: Mapping[str, Any] | None = None
) -> list[PuppetError]:
    """The hints for a program in the order of its text.

    body    what was read from the source;  values  of variables that were set before it, by name
    """
    view = View(body, source, dialect, values or {})
    for node in nodes.walk(body):
        for rule in _RULES.get(type(node), ()):
            rule(view, node)
    rules.value_of_all(view, body)
    return sorted(view.found, key=lambda hint: hint.span.start if hint.span is not None else 0)
