"""The part of the grammar about names, numbers and texts; see `lexer_parser.grammar.grammar`."""

# It cannot count the parts of a token.
# mypy: disable-error-code="call-arg"

from __future__ import annotations

from typing import Any

from lexer_parser.grammar.building import interpolated, number
from lexer_parser.tree.nodes import (
    Boolean,
    Concat,
    Default,
    Heredoc,
    Name,
    Regexp,
    Reserved,
    String,
    Text,
    TypeName,
    Undef,
    Variable,
)

# --- Literals


def p_variable(p: Any) -> None:
    "primary : VARIABLE"
    p[0] = Variable(*p[1])


def p_name(p: Any) -> None:
    "primary : NAME"
    p[0] = Name(*p[1])


def p_type_name(p: Any) -> None:
    "primary : CLASSREF"
    p[0] = TypeName(*p[1])


def p_string(p: Any) -> None:
    """string : STRING
    | WORD"""
    p[0] = String(*p[1])


def p_number(p: Any) -> None:
    "primary : NUMBER"
    p[0] = number(*p[1])


def p_boolean(p: Any) -> None:
    "primary : BOOLEAN"
    p[0] = Boolean(p[1][0], p[1][1], p[1][2] == "true")


def p_undef(p: Any) -> None:
    "primary : UNDEF"
    p[0] = Undef(p[1][0], p[1][1])


def p_default(p: Any) -> None:
    "primary : DEFAULT"
    p[0] = Default(p[1][0], p[1][1])


def p_regexp(p: Any) -> None:
    "primary : REGEX"
    p[0] = Regexp(*p[1])


def p_reserved(p: Any) -> None:
    """primary : ATTR
    | PRIVATE"""
    p[0] = Reserved(*p[1])


def p_unit_string(p: Any) -> None:
    """string : concat
    | heredoc"""
    p[0] = p[1]


def p_concat_first(p: Any) -> None:
    "concat_head : DQPRE assignment"
    start, end, value = p[1]
    p[0] = [String(start, end, value)] if value else []
    p[0].append(Text(p[2].start, p[2].end, interpolated(p[2])))
    p[0].append(start)


def p_concat_next(p: Any) -> None:
    "concat_head : concat_head DQMID assignment"
    first = p[1].pop()
    if p[2][2]:
        p[1].append(String(*p[2]))
    p[1].append(Text(p[3].start, p[3].end, interpolated(p[3])))
    p[1].append(first)
    p[0] = p[1]


def p_concat(p: Any) -> None:
    "concat : concat_head DQPOST"
    first = p[1].pop()
    if p[2][2]:
        p[1].append(String(*p[2]))
    p[0] = Concat(first, p[2][1], p[1])


def p_heredoc(p: Any) -> None:
    "heredoc : HEREDOC SUBLOCATE heredoc_text"
    p[0] = Heredoc(*p[1], p[3])


def p_heredoc_text(p: Any) -> None:
    "heredoc_text : STRING"
    p[0] = String(*p[1])


def p_unit_heredoc_text(p: Any) -> None:
    "heredoc_text : concat"
    p[0] = p[1]


# These make a node of a single token, and the driver does it itself, since it is done most: what is called with the
# token's start, end and text.
TOKEN_NODES: dict[Any, Any] = {
    p_variable: Variable,
    p_name: Name,
    p_type_name: TypeName,
    p_string: String,
    p_number: number,
    p_regexp: Regexp,
}
