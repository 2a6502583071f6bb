"""Productions of the specification that differ from those of the released language or replace them.

A relationship binds weaker than an assignment, and nothing but parentheses, brackets or braces around it makes it
a value; not those of a call's arguments. A resource expression cannot be assigned. The empty forms `[,]`, `{,}`
and `case x { }` are allowed, a variable or an array may precede the braces of an override, and any bare name
before an array is a call. Catalog expressions have only the forms of their grammar: no `@@@`, no comma without an
attribute before it, and no override, also of a collector, without attributes.
"""

# mypy cannot count the parts of a token.
# mypy: disable-error-code="call-arg"

from __future__ import annotations

from lexer_parser.grammar import definitions, expressions
from lexer_parser.grammar.building import SEPARATOR, Production, make_array_calls
from lexer_parser.issues import Misuse
from lexer_parser.tree.nodes import (
    Array,
    Case,
    Relationship,
    ResourceDefaults,
    ResourceOverride,
    Variable,
)


def reject_token(token: tuple[int, int, str]) -> None:
    """Raise a syntax error at a token that the released grammar allows."""
    raise Misuse("SYNTAX_ERROR", token[0], token[1], found=f"'{token[2]}'")


def p_unit_statement(p: Production) -> None:
    """statement : chain
    | comma_list
    chain : link
    link : assignment
    | resource"""
    p[0] = p[1]


def p_statements_first(p: Production) -> None:
    "statements : statement_list"
    p[0] = make_array_calls(p[1])


def p_statement_list_first(p: Production) -> None:
    "statement_list : statement"
    p[0] = [p[1]]


def p_statements_next(p: Production) -> None:
    "statement_list : statement_list statement"
    p[1].append(p[2])
    p[0] = p[1]


def p_statements_separated(p: Production) -> None:
    "statement_list : statement_list SEMIC statement"
    p[1] += [SEPARATOR, p[3]]
    p[0] = p[1]


def p_comma_list_first(p: Production) -> None:
    "comma_list : chain COMMA chain"
    expressions.p_comma_list_first(p)


def p_comma_list_next(p: Production) -> None:
    "comma_list : comma_list COMMA chain"
    expressions.p_comma_list_next(p)


def p_relationship(p: Production) -> None:
    """chain : chain IN_EDGE link
    | chain IN_EDGE_SUB link
    | chain OUT_EDGE link
    | chain OUT_EDGE_SUB link"""
    p[0] = Relationship(*p[2], p[1], p[3])


def p_resource_marked(p: Production) -> None:
    """resource : AT link
    | ATAT link"""
    if getattr(p[2], "form", "regular") != "regular":
        raise Misuse("NOT_EXPORTED" if p[1][2] == "@@" else "NOT_VIRTUAL", *p[1][:2])
    definitions.p_resource_marked(p)


def p_attributes_behind_comma(p: Production) -> None:
    "attributes : COMMA attribute"
    reject_token(p[1])


def p_body_empty(p: Production) -> None:
    """body : expression COLON
    | expression COLON COMMA"""
    if len(p) > 3:
        reject_token(p[3])
    definitions.p_body_empty(p)


def p_unit_assignment(p: Production) -> None:
    """assignment : expression %prec LOW
    resource : braced %prec LOW"""
    p[0] = p[1]


def p_assignment(p: Production) -> None:
    """assignment : expression EQUALS assignment
    | expression APPENDS assignment
    | expression DELETES assignment"""
    expressions.p_assignment(p)


def p_paren(p: Production) -> None:
    """primary : LPAREN chain RPAREN
    | WSLPAREN chain RPAREN"""
    expressions.p_paren(p)


def p_unit_member(p: Production) -> None:
    """access_argument : expression
    | pair
    argument : link
    | argument_pair
    argument_entry : link
    entry : hash_entry
    | pair
    hash_entry : chain"""
    p[0] = p[1]


def p_pair(p: Production) -> None:
    """pair : hash_entry FARROW hash_entry
    argument_pair : argument_entry FARROW argument_entry"""
    expressions.p_pair(p)


def p_keyword_entry(p: Production) -> None:
    """argument_entry : TYPE
    | FUNCTION"""
    expressions.p_string(p)


def p_concat_first(p: Production) -> None:
    "concat_head : DQPRE chain"
    expressions.p_concat_first(p)


def p_concat_next(p: Production) -> None:
    "concat_head : concat_head DQMID chain"
    expressions.p_concat_next(p)


def p_resource_untitled(p: Production) -> None:
    """braced : expression LBRACE attributes RBRACE
    | expression LBRACE attributes COMMA RBRACE
    | expression LBRACE COMMA RBRACE
    | expression LBRACE RBRACE
    | braced LBRACE attributes RBRACE
    | braced LBRACE attributes COMMA RBRACE
    | braced LBRACE COMMA RBRACE
    | braced LBRACE RBRACE"""
    operations = p[3] if type(p[3]) is list else []
    if isinstance(p[1], Variable | Array):
        p[0] = ResourceOverride(p[1].start, p[len(p) - 1][1], p[1], operations, "regular")
    else:
        definitions.p_resource_untitled(p)
    may_be_empty = isinstance(p[0], ResourceDefaults) and len(p) == 4  # `File { }`, but not `File { , }`
    if not operations and not may_be_empty and isinstance(p[0], ResourceOverride | ResourceDefaults):
        reject_token(p[3])


def p_collector_attributes(p: Production) -> None:
    """expression : expression query LBRACE attributes RBRACE
    | expression query LBRACE attributes COMMA RBRACE
    | expression query LBRACE COMMA RBRACE
    | expression query LBRACE RBRACE"""
    definitions.p_collector_attributes(p)
    if not p[0].operations:
        reject_token(p[4])


def p_array_comma(p: Production) -> None:
    """array : LISTSTART COMMA RBRACK
    | LBRACK COMMA RBRACK"""
    expressions.p_array(p)


def p_hash_comma(p: Production) -> None:
    "hash : LBRACE COMMA RBRACE"
    expressions.p_hash(p)


def p_case_empty(p: Production) -> None:
    "primary : CASE expression LBRACE RBRACE"
    p[0] = Case(p[1][0], p[4][1], p[2], [])
