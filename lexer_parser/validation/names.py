"""Rules for names: of variables, parameters and definitions."""

from __future__ import annotations

import re
from typing import Any

from lexer_parser import nodes
from lexer_parser.labels import a_label
from lexer_parser.tokens import KEYWORDS
from lexer_parser.validation.walk import Visit, Walk

# Same language as the rule printed in the message, written so that it cannot backtrack without end.
VARIABLE = re.compile(r"(?:::)?(?:[a-z]\w*::)*[a-z_]\w*", re.ASCII).fullmatch
UNDERSCORED_SEGMENT = re.compile(r".*::_", re.ASCII).match
NUMERIC_VARIABLE = re.compile(r"0|[1-9][0-9]*").fullmatch
PARAMETER = re.compile(r"[a-z_]\w*", re.ASCII).fullmatch
NUMERIC_PARAMETER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]+").fullmatch
DEFINITION = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII).fullmatch
ALIAS = re.compile(r"[A-Z]\w*(?:::[A-Z]\w*)*", re.ASCII).fullmatch

RESERVED_TYPE_WORDS = (
    "any array boolean collection enum float hash init integer numeric object optional pattern regexp runtime"
    " scalar semver semverrange sensitive string struct timespan timestamp tuple type typeset unit variant"
)
RESERVED_TYPE_NAMES = frozenset(RESERVED_TYPE_WORDS.split())


def check_variable(walk: Walk, node: nodes.Variable) -> None:
    """A variable's name is lower case by segments, or a decimal number."""
    name = node.name
    if VARIABLE(name):
        if walk.dialect.strict_names and UNDERSCORED_SEGMENT(name):
            walk.report("ILLEGAL_VAR_NAME", node, name=name)
    elif name[:1].isdigit():
        if not NUMERIC_VARIABLE(name):
            walk.report("ILLEGAL_NUMERIC_VAR_NAME", node, name=name)
    else:
        walk.report("ILLEGAL_VAR_NAME", node, name=name)


def check_parameter(walk: Walk, node: nodes.Parameter) -> None:
    """A parameter's name is one lower-case segment."""
    if PARAMETER(node.name):
        return
    if NUMERIC_PARAMETER(node.name):
        walk.report("ILLEGAL_NUMERIC_PARAMETER", node, name=node.name)
    walk.report("ILLEGAL_PARAM_NAME", node, name=node.name)


def check_definition(walk: Walk, node: Any) -> None:
    """The name of a class, defined type or function is lower case, in its place, and not taken."""
    name = node.name
    if not DEFINITION(name):
        walk.report("ILLEGAL_DEFINITION_NAME", node, name=name, label=a_label(node))
    elif walk.dialect.strict_names and not KEYWORDS.keys().isdisjoint(name.split("::")):
        walk.report("ILLEGAL_NAME", node, name=name)
    if walk.module_file is not None:
        walk.module_file.check_definition(walk, node)
    if name in RESERVED_TYPE_NAMES:
        walk.report("RESERVED_TYPE_NAME", node, name=name, label=a_label(node))
    if name == "plan":
        walk.report("FUTURE_RESERVED_WORD", node, word=name)


def check_type_reference(walk: Walk, node: nodes.Node | None) -> None:
    """`Plan` is reserved as a type."""
    head = node.left if isinstance(node, nodes.Access) else node
    if isinstance(head, nodes.TypeName) and head.value.lower() == "plan":
        walk.report("FUTURE_RESERVED_WORD", head, word="plan")


def check_name(walk: Walk, node: nodes.Name) -> None:
    """In the specification no segment of a name is a keyword."""
    if "::" in node.value and not KEYWORDS.keys().isdisjoint(node.value.split("::")):
        walk.report("ILLEGAL_NAME", node, name=node.value)


def check_word(walk: Walk, node: nodes.String) -> None:
    """In the specification a bare word has no hyphen."""
    if "-" in node.value and walk.program.source.text[node.start : node.start + 1].isidentifier():
        walk.report("ILLEGAL_NAME", node, name=node.value)


STRICT_VISITS: dict[type[nodes.Node], Visit] = {nodes.Name: check_name, nodes.String: check_word}
