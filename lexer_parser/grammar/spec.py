"""The grammar of the specification, where it differs from the released one in `lexer_parser.grammar.grammar`.

A relationship binds weaker than an assignment, and nothing but parentheses, brackets or braces around it makes it
a value; not those of a call's arguments. A resource expression cannot be assigned. The empty forms `[,]`, `{,}`
and `case x { }` are allowed, a variable or an array may stand before the braces of an override, and any bare name
before an array is a call.
"""

# Rules of the released grammar are replaced on purpose.
# mypy: disable-error-code="call-arg, no-redef"

from __future__ import annotations

from typing import Any

from lexer_parser.grammar import grammar
from lexer_parser.grammar.building import SEPARATOR, array_calls
from lexer_parser.grammar.grammar import *  # noqa: F403
from lexer_parser.grammar.grammar import precedence, tokens
from lexer_parser.tree.nodes import Array, Case, Hash, Relationship, ResourceOverride, Variable

__all__ = ["precedence", "tokens"]


def p_unit_statement(p: Any) -> None:
    """statement : chain
    | comma_list
    chain : link
    link : assignment
    | resource"""
    p[0] = p[1]


def p_statements_first(p: Any) -> None:
    "statements : statement_list"
    p[0] = array_calls(p[1])


def p_statement_list_first(p: Any) -> None:
    "statement_list : statement"
    p[0] = [p[1]]


def p_statements_next(p: Any) -> None:
    "statement_list : statement_list statement"
    p[1].append(p[2])
    p[0] = p[1]


def p_statements_separated(p: Any) -> None:
    "statement_list : statement_list SEMIC statement"
    p[1] += [SEPARATOR, p[3]]
    p[0] = p[1]


def p_comma_list_first(p: Any) -> None:
    "comma_list : chain COMMA chain"
    grammar.p_comma_list_first(p)


def p_comma_list_next(p: Any) -> None:
    "comma_list : comma_list COMMA chain"
    grammar.p_comma_list_next(p)


def p_relationship(p: Any) -> None:
    """chain : chain IN_EDGE link
    | chain IN_EDGE_SUB link
    | chain OUT_EDGE link
    | chain OUT_EDGE_SUB link"""
    p[0] = Relationship(*p[2], p[1], p[3])


def p_resource_marked(p: Any) -> None:
    """resource : AT link
    | ATAT link"""
    grammar.p_resource_marked(p)


def p_unit_assignment(p: Any) -> None:
    """assignment : expression %prec LOW
    resource : braced %prec LOW"""
    p[0] = p[1]


def p_assignment(p: Any) -> None:
    """assignment : expression EQUALS assignment
    | expression APPENDS assignment
    | expression DELETES assignment"""
    grammar.p_assignment(p)


def p_paren(p: Any) -> None:
    """primary : LPAREN chain RPAREN
    | WSLPAREN chain RPAREN"""
    grammar.p_paren(p)


def p_unit_member(p: Any) -> None:
    """access_argument : expression
    | pair
    argument : link
    | argument_pair
    argument_entry : link
    entry : hash_entry
    | pair
    hash_entry : chain"""
    p[0] = p[1]


def p_pair(p: Any) -> None:
    """pair : hash_entry FARROW hash_entry
    argument_pair : argument_entry FARROW argument_entry"""
    grammar.p_pair(p)


def p_keyword_entry(p: Any) -> None:
    """hash_entry : TYPE
    | FUNCTION
    argument_entry : TYPE
    | FUNCTION"""
    grammar.p_keyword_entry(p)


def p_concat_first(p: Any) -> None:
    "concat_head : DQPRE chain"
    grammar.p_concat_first(p)


def p_concat_next(p: Any) -> None:
    "concat_head : concat_head DQMID chain"
    grammar.p_concat_next(p)


def p_resource_untitled(p: Any) -> None:
    """braced : expression LBRACE attributes RBRACE
    | expression LBRACE attributes COMMA RBRACE
    | expression LBRACE COMMA RBRACE
    | expression LBRACE RBRACE
    | braced LBRACE attributes RBRACE
    | braced LBRACE attributes COMMA RBRACE
    | braced LBRACE COMMA RBRACE
    | braced LBRACE RBRACE"""
    if isinstance(p[1], Variable | Array):
        operations = p[3] if type(p[3]) is list else []
        p[0] = ResourceOverride(p[1].start, p[len(p) - 1][1], p[1], operations, "regular")
    else:
        grammar.p_resource_untitled(p)


def p_array_comma(p: Any) -> None:
    """array : LISTSTART COMMA RBRACK
    | LBRACK COMMA RBRACK"""
    p[0] = Array(p[1][0], p[3][1], [])


def p_hash_comma(p: Any) -> None:
    "hash : LBRACE COMMA RBRACE"
    p[0] = Hash(p[1][0], p[3][1], [])


def p_case_empty(p: Any) -> None:
    "primary : CASE expression LBRACE RBRACE"
    p[0] = Case(p[1][0], p[4][1], p[2], [])
