"""The choice of a node definition: by name, then by regular expression, then `default`."""

from __future__ import annotations

import pytest

from evaluator import Session

DEFINITIONS = [
    ("node 'web' { notify { 'name': } } node /w/ { notify { 'regexp': } }", "web", "Notify[name]"),
    ("node /^w/ { notify { 'first': } } node /b$/ { notify { 'second': } }", "web", "Notify[first]"),
    ("node /b$/ { notify { 'regexp': } } node default { notify { 'default': } }", "web", "Notify[regexp]"),
    ("node default { notify { 'default': } } node /^x/ { }", "web", "Notify[default]"),
    # Regular expressions are also tried on the name `default` if nothing matches the name of the node.
    ("node 'db' { } node /ult$/ { notify { 'regexp': } }", "web", "Notify[regexp]"),
    ('node /^(d)(e)/ { notify { "match $1 $2": } }', "web", "Notify[match d e]"),
    ("node /ult$/ { notify { 'regexp': } } node default { notify { 'default': } }", "web", "Notify[default]"),
]


@pytest.mark.parametrize(("program", "node", "resource"), DEFINITIONS)
def test_the_node_definition_that_applies_is_evaluated(program: str, node: str, resource: str) -> None:
    session = Session("puppet", node=node)
    assert session.run(program).error is None
    assert resource in session.catalog().summary()


def test_a_node_without_a_definition_is_an_error() -> None:
    error = Session("puppet", node="web").run("node 'db' { } node /^x/ { }").error
    assert error is not None and error.code == "NODE_MISSING"
