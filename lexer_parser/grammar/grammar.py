"""The grammar: PLY's functions, each with its productions as docstring. Actions only build nodes.

A terminal's value is the triple (start, end, text); so is that of `block`, whose third part is its body.
This part holds statements and expressions, and takes in the others: `literals`, `calls`, `catalog`.
"""

# It cannot count the parts of a token.
# mypy: disable-error-code="call-arg"

from __future__ import annotations

from typing import Any

from lexer_parser.grammar.building import CommaList, merge_pairs, statement_block
from lexer_parser.grammar.calls import *  # noqa: F403
from lexer_parser.grammar.catalog import *  # noqa: F403
from lexer_parser.grammar.literals import *  # noqa: F403
from lexer_parser.operators import OPERATORS, PRECEDENCE
from lexer_parser.tree.nodes import (
    Access,
    And,
    Arithmetic,
    Array,
    Assignment,
    Comparison,
    Hash,
    In,
    Match,
    Minus,
    Nop,
    Not,
    Or,
    Pair,
    Paren,
    Relationship,
    Splat,
    String,
)

_TOKENS = (
    "APPENDS AT ATAT ATTR BOOLEAN CASE CLASS CLASSREF COLON COMMA DEFAULT DEFINE DELETES DQMID DQPOST "
    "DQPRE ELSE ELSIF EPP_END EPP_END_TRIM EPP_START EQUALS FARROW FUNCTION HEREDOC IF INHERITS IN_EDGE "
    "IN_EDGE_SUB LBRACE LCOLLECT LISTSTART LLCOLLECT LPAREN NAME NODE NUMBER OUT_EDGE OUT_EDGE_SUB PARROW "
    "PIPE PRIVATE RBRACE RBRACK RCOLLECT REGEX RENDER_EXPR RENDER_STRING RPAREN RRCOLLECT SELBRACE SEMIC "
    "STRING SUBLOCATE TYPE UNDEF UNLESS VARIABLE WORD WSLPAREN"
)
tokens = sorted({*_TOKENS.split(), *(row.token for row in OPERATORS)})

# LOW marks what ends where its last token could also begin more: it gives way to every operator and bracket.
precedence = (
    ("left", "LOW"),
    ("left", "FARROW"),
    ("left", "LBRACE"),
    *PRECEDENCE,
    ("left", "LCOLLECT", "LLCOLLECT"),
    ("left", "LPAREN", "PIPE"),
)

# --- Programs and statements


def p_program(p: Any) -> None:
    "program : statements"
    p[0] = statement_block(p[1], 0, 0)


def p_unit_program(p: Any) -> None:
    "program : epp_template"
    p[0] = p[1]


def p_program_empty(p: Any) -> None:
    "program :"
    p[0] = Nop(0, 0)


def p_statements_first(p: Any) -> None:
    "statements : statement"
    p[0] = [p[1]]


def p_statements_next(p: Any) -> None:
    "statements : statements statement"
    p[1].append(p[2])
    p[0] = p[1]


def p_statements_separated(p: Any) -> None:
    "statements : statements SEMIC statement"
    p[1].append(p[3])
    p[0] = p[1]


def p_unit_statement(p: Any) -> None:
    """statement : assignment
    | comma_list"""
    p[0] = p[1]


def p_comma_list_first(p: Any) -> None:
    "comma_list : assignment COMMA assignment"
    p[0] = CommaList([p[1], p[3]], p[2])


def p_comma_list_next(p: Any) -> None:
    "comma_list : comma_list COMMA assignment"
    p[1].items.append(p[3])
    p[0] = p[1]


def p_block(p: Any) -> None:
    "block : LBRACE statements RBRACE"
    start, end = p[1][0], p[3][1]
    p[0] = (start, end, statement_block(p[2], start, end))


def p_block_empty(p: Any) -> None:
    "block : LBRACE RBRACE"
    start, end = p[1][0], p[2][1]
    p[0] = (start, end, Nop(start, end))


def p_unit_assignment(p: Any) -> None:
    """assignment : relationship
    relationship : resource
    resource : expression %prec LOW
    | braced %prec LOW"""
    p[0] = p[1]


def p_assignment(p: Any) -> None:
    """assignment : relationship EQUALS assignment
    | relationship APPENDS assignment
    | relationship DELETES assignment"""
    p[0] = Assignment(*p[2], p[1], p[3])


def p_relationship(p: Any) -> None:
    """relationship : relationship IN_EDGE resource
    | relationship IN_EDGE_SUB resource
    | relationship OUT_EDGE resource
    | relationship OUT_EDGE_SUB resource"""
    p[0] = Relationship(*p[2], p[1], p[3])


# --- Expressions


def p_unit_expression(p: Any) -> None:
    """expression : primary
    primary : string
    | array
    | hash"""
    p[0] = p[1]


def p_arithmetic(p: Any) -> None:
    """expression : expression PLUS expression
    | expression MINUS expression
    | expression TIMES expression
    | expression DIV expression
    | expression MODULO expression
    | expression LSHIFT expression
    | expression RSHIFT expression"""
    p[0] = Arithmetic(*p[2], p[1], p[3])


def p_comparison(p: Any) -> None:
    """expression : expression ISEQUAL expression
    | expression NOTEQUAL expression
    | expression LESSTHAN expression
    | expression LESSEQUAL expression
    | expression GREATERTHAN expression
    | expression GREATEREQUAL expression"""
    p[0] = Comparison(*p[2], p[1], p[3])


def p_match(p: Any) -> None:
    """expression : expression MATCH expression
    | expression NOMATCH expression"""
    p[0] = Match(*p[2], p[1], p[3])


def p_in(p: Any) -> None:
    "expression : expression IN expression"
    p[0] = In(p[2][0], p[2][1], p[1], p[3])


def p_and(p: Any) -> None:
    "expression : expression AND expression"
    p[0] = And(p[2][0], p[2][1], p[1], p[3])


def p_or(p: Any) -> None:
    "expression : expression OR expression"
    p[0] = Or(p[2][0], p[2][1], p[1], p[3])


def p_not(p: Any) -> None:
    "expression : NOT expression"
    p[0] = Not(p[1][0], p[1][1], p[2])


def p_minus(p: Any) -> None:
    "expression : MINUS expression %prec NEGATION"
    p[0] = Minus(p[1][0], p[1][1], p[2])


def p_splat(p: Any) -> None:
    "expression : TIMES expression %prec SPLAT"
    p[0] = Splat(p[1][0], p[1][1], p[2])


def p_paren(p: Any) -> None:
    """primary : LPAREN assignment RPAREN
    | WSLPAREN assignment RPAREN"""
    p[0] = Paren(p[1][0], p[1][1], p[2])


def p_access(p: Any) -> None:
    """expression : expression LBRACK access_arguments RBRACK
    | expression LBRACK access_arguments COMMA RBRACK"""
    p[0] = Access(p[1].start, p[len(p) - 1][1], p[1], merge_pairs(p[3]))


def p_list_first(p: Any) -> None:
    """access_arguments : access_argument
    arguments : argument
    entries : entry
    pairs : pair
    selector_entries : selector_entry
    case_options : case_option
    case_values : expression
    parameter_list : parameter"""
    p[0] = [p[1]]


def p_list_next(p: Any) -> None:
    """access_arguments : access_arguments COMMA access_argument
    arguments : arguments COMMA argument
    entries : entries COMMA entry
    pairs : pairs COMMA pair
    selector_entries : selector_entries COMMA selector_entry
    case_values : case_values COMMA expression
    parameter_list : parameter_list COMMA parameter"""
    p[1].append(p[3])
    p[0] = p[1]


def p_list_adjacent(p: Any) -> None:
    "case_options : case_options case_option"
    p[1].append(p[2])
    p[0] = p[1]


def p_unit_member(p: Any) -> None:
    """access_argument : expression
    | pair
    argument : assignment
    | pair
    entry : hash_entry
    | pair
    hash_entry : assignment"""
    p[0] = p[1]


def p_pair(p: Any) -> None:
    "pair : hash_entry FARROW hash_entry"
    p[0] = Pair(p[2][0], p[2][1], p[1], p[3])


def p_keyword_entry(p: Any) -> None:
    """hash_entry : TYPE
    | FUNCTION"""
    p[0] = String(*p[1])


def p_array(p: Any) -> None:
    """array : LISTSTART entries RBRACK
    | LISTSTART entries COMMA RBRACK
    | LBRACK entries RBRACK
    | LBRACK entries COMMA RBRACK"""
    p[0] = Array(p[1][0], p[len(p) - 1][1], merge_pairs(p[2]))


def p_array_empty(p: Any) -> None:
    """array : LISTSTART RBRACK
    | LBRACK RBRACK"""
    p[0] = Array(p[1][0], p[2][1], [])


def p_hash(p: Any) -> None:
    """hash : LBRACE pairs RBRACE
    | LBRACE pairs COMMA RBRACE"""
    p[0] = Hash(p[1][0], p[len(p) - 1][1], p[2])


def p_hash_empty(p: Any) -> None:
    "hash : LBRACE RBRACE"
    p[0] = Hash(p[1][0], p[2][1], [])


# These make a list of one value, or add the last one to a list: the driver does it itself, since it is done most.
LISTS = {
    *(
        p_list_first,
        p_list_next,
        p_list_adjacent,
        p_statements_first,
        p_statements_next,
        p_statements_separated,
    ),
    *(p_bodies_first, p_bodies_next),  # noqa: F405
}
