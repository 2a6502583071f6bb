"""The part of the grammar about calls and choices; see `lexer_parser.grammar.grammar`."""

# It cannot count the parts of a token.
# mypy: disable-error-code="call-arg"

from __future__ import annotations

from typing import Any

from lexer_parser.grammar.building import merge_pairs
from lexer_parser.tree.nodes import (
    Call,
    Case,
    CaseOption,
    If,
    Lambda,
    MethodCall,
    Name,
    Nop,
    Selector,
    SelectorEntry,
    Unless,
)

# --- Calls


def p_call(p: Any) -> None:
    """expression : expression LPAREN RPAREN %prec LOW
    | expression LPAREN RPAREN lambda"""
    p[0] = Call(
        p[1].start,
        p[len(p) - 1].end if len(p) == 5 else p[3][1],
        p[1],
        [],
        p[4] if len(p) == 5 else None,
        True,
    )


def p_call_arguments(p: Any) -> None:
    """expression : expression LPAREN arguments RPAREN %prec LOW
    | expression LPAREN arguments COMMA RPAREN %prec LOW"""
    p[0] = Call(p[1].start, p[len(p) - 1][1], p[1], merge_pairs(p[3]), None, True)


def p_call_arguments_lambda(p: Any) -> None:
    """expression : expression LPAREN arguments RPAREN lambda
    | expression LPAREN arguments COMMA RPAREN lambda"""
    block = p[len(p) - 1]
    p[0] = Call(p[1].start, block.end, p[1], merge_pairs(p[3]), block, True)


def p_unit_type_call(p: Any) -> None:
    "expression : type_call %prec LOW"
    p[0] = p[1]


def p_type_call(p: Any) -> None:
    """type_call : TYPE LPAREN arguments RPAREN
    | TYPE LPAREN arguments COMMA RPAREN
    | TYPE LPAREN RPAREN"""
    arguments = merge_pairs(p[3]) if len(p) > 4 else []
    p[0] = Call(p[1][0], p[len(p) - 1][1], Name(*p[1]), arguments, None, True)


def p_type_call_lambda(p: Any) -> None:
    "expression : type_call lambda"
    p[1].block, p[1].end = p[2], p[2].end
    p[0] = p[1]


def p_method_call(p: Any) -> None:
    "expression : expression DOT method_name %prec LOW"
    p[0] = MethodCall(p[2][0], p[3].end, p[1], p[3], [], None)


def p_method_call_lambda(p: Any) -> None:
    "expression : expression DOT method_name lambda"
    p[0] = MethodCall(p[2][0], p[4].end, p[1], p[3], [], p[4])


def p_method_call_arguments(p: Any) -> None:
    """expression : expression DOT method_name LPAREN arguments RPAREN %prec LOW
    | expression DOT method_name LPAREN RPAREN %prec LOW"""
    p[0] = MethodCall(p[4][0], p[len(p) - 1][1], p[1], p[3], merge_pairs(p[5]) if len(p) == 7 else [], None)


def p_method_call_arguments_lambda(p: Any) -> None:
    """expression : expression DOT method_name LPAREN arguments RPAREN lambda
    | expression DOT method_name LPAREN RPAREN lambda"""
    block = p[len(p) - 1]
    p[0] = MethodCall(p[4][0], block.end, p[1], p[3], merge_pairs(p[5]) if len(p) == 8 else [], block)


def p_method_name(p: Any) -> None:
    """method_name : NAME
    | TYPE"""
    p[0] = Name(*p[1])


def p_lambda(p: Any) -> None:
    "lambda : PIPE lambda_parameters PIPE return_type block"
    p[0] = Lambda(p[1][0], p[5][1], p[2], p[5][2], p[4])


def p_lambda_parameters(p: Any) -> None:
    """lambda_parameters : parameter_list
    | parameter_list COMMA
    |"""
    p[0] = p[1] if len(p) > 1 else []


# --- Choices


def p_if(p: Any) -> None:
    "primary : IF if_part"
    p[2].start = p[1][0]
    p[0] = p[2]


def p_if_part(p: Any) -> None:
    "if_part : expression block"
    end = p[2][1]
    p[0] = If(p[1].start, end, p[1], p[2][2], Nop(end, end))


def p_if_part_else(p: Any) -> None:
    """if_part : expression block ELSE block
    | expression block ELSIF if_part"""
    if type(p[4]) is tuple:
        _, end, otherwise = p[4]
    else:
        p[4].start = p[3][0]
        end, otherwise = p[4].end, p[4]
    p[0] = If(p[1].start, end, p[1], p[2][2], otherwise)


def p_unless(p: Any) -> None:
    """primary : UNLESS expression block
    | UNLESS expression block ELSE block"""
    start, end, otherwise = p[5] if len(p) == 6 else (p[3][1], p[3][1], None)
    p[0] = Unless(p[1][0], end, p[2], p[3][2], otherwise or Nop(start, end))


def p_case(p: Any) -> None:
    "primary : CASE expression LBRACE case_options RBRACE"
    p[0] = Case(p[1][0], p[5][1], p[2], p[4])


def p_case_option(p: Any) -> None:
    "case_option : case_values COLON block"
    p[0] = CaseOption(p[2][0], p[3][1], p[1], p[3][2])


def p_selector_one(p: Any) -> None:
    "expression : expression QMARK selector_entry"
    p[0] = Selector(p[1].start, p[3].value.end, p[1], [p[3]])


def p_selector(p: Any) -> None:
    """expression : expression QMARK SELBRACE selector_entries RBRACE
    | expression QMARK SELBRACE selector_entries COMMA RBRACE"""
    p[0] = Selector(p[1].start, p[len(p) - 1][1], p[1], p[4])


def p_selector_entry(p: Any) -> None:
    "selector_entry : expression FARROW expression"
    p[0] = SelectorEntry(p[2][0], p[2][1], p[1], p[3])
