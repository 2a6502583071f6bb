"""Productions for statements, expressions, literals, calls and choices.

Each function is a production of PLY: its docstring is the rule, its body builds the node. `p[1]` is the value of the
first symbol on the right, `p[0]` that of the left side. A terminal's value is the triple (start, end, text); so is
that of `block`, whose third part is its body. Functions called `p_unit_…` only pass their one value on.
"""

# mypy cannot count the parts of a token.
# mypy: disable-error-code="call-arg"

from __future__ import annotations

from typing import Any

from lexer_parser.grammar.building import (
    CommaList,
    Production,
    add_segments,
    make_number,
    make_statement_block,
    merge_pairs,
)
from lexer_parser.operators import BINARY, OPERATORS, PRECEDENCE, PREFIX
from lexer_parser.tree import nodes
from lexer_parser.tree.nodes import (
    Access,
    Array,
    Assignment,
    Boolean,
    Call,
    Case,
    CaseOption,
    Concat,
    Default,
    Hash,
    Heredoc,
    If,
    Lambda,
    MethodCall,
    Name,
    Nop,
    Pair,
    Paren,
    Regexp,
    Relationship,
    Reserved,
    Selector,
    SelectorEntry,
    String,
    TypeName,
    Undef,
    Unless,
    Variable,
)

_TOKENS = (
    "APPENDS AT ATAT ATTR BOOLEAN CASE CLASS CLASSREF COLON COMMA DEFAULT DEFINE DELETES DQMID DQPOST "
    "DQPRE ELSE ELSIF EPP_END EPP_END_TRIM EPP_START EQUALS FARROW FUNCTION HEREDOC IF INHERITS IN_EDGE "
    "IN_EDGE_SUB LBRACE LCOLLECT LISTSTART LLCOLLECT LPAREN NAME NODE NUMBER OUT_EDGE OUT_EDGE_SUB PARROW "
    "PIPE PRIVATE RBRACE RBRACK RCOLLECT REGEX RENDER_EXPR RENDER_STRING RPAREN RRCOLLECT SELBRACE SEMIC "
    "STRING SUBLOCATE TYPE UNDEF UNLESS VARIABLE WORD WSLPAREN"
)
tokens = sorted({*_TOKENS.split(), *(row.token for row in OPERATORS)})

# LOW is the precedence of productions whose last token could also begin a longer one: every operator and bracket binds
# more strongly.
precedence = (
    ("left", "LOW"),
    ("left", "FARROW"),
    ("left", "LBRACE"),
    *PRECEDENCE,
    ("left", "LCOLLECT", "LLCOLLECT"),
    ("left", "LPAREN", "PIPE"),
)

# --- Programs and statements


def p_program(p: Production) -> None:
    """program : statements
    |"""
    p[0] = make_statement_block(p[1] if len(p) > 1 else [], 0, 0)


def p_statements_first(p: Production) -> None:
    "statements : statement"
    p[0] = [p[1]]


def p_statements_next(p: Production) -> None:
    "statements : statements statement"
    p[1].append(p[2])
    p[0] = p[1]


def p_statements_separated(p: Production) -> None:
    "statements : statements SEMIC statement"
    p[1].append(p[3])
    p[0] = p[1]


def p_unit_statement(p: Production) -> None:
    """statement : assignment
    | comma_list"""
    p[0] = p[1]


def p_comma_list_first(p: Production) -> None:
    "comma_list : assignment COMMA assignment"
    p[0] = CommaList([p[1], p[3]], p[2])


def p_comma_list_next(p: Production) -> None:
    "comma_list : comma_list COMMA assignment"
    p[1].items.append(p[3])
    p[0] = p[1]


def p_block(p: Production) -> None:
    """block : LBRACE statements RBRACE
    | LBRACE RBRACE"""
    start, end = p[1][0], p[len(p) - 1][1]
    p[0] = (start, end, make_statement_block(p[2] if len(p) > 3 else [], start, end))


def p_unit_assignment(p: Production) -> None:
    """assignment : relationship
    relationship : resource
    resource : expression %prec LOW
    | braced %prec LOW"""
    p[0] = p[1]


def p_assignment(p: Production) -> None:
    """assignment : relationship EQUALS assignment
    | relationship APPENDS assignment
    | relationship DELETES assignment"""
    p[0] = Assignment(*p[2], p[1], p[3])


def p_relationship(p: Production) -> None:
    """relationship : relationship IN_EDGE resource
    | relationship IN_EDGE_SUB resource
    | relationship OUT_EDGE resource
    | relationship OUT_EDGE_SUB resource"""
    p[0] = Relationship(*p[2], p[1], p[3])


# --- Expressions


def p_unit_expression(p: Production) -> None:
    """program : epp_template
    expression : primary
    | type_call %prec LOW
    primary : string
    | array
    | hash
    string : concat
    | heredoc
    heredoc_text : concat"""
    p[0] = p[1]


# The classes of the nodes of operators, by the texts of the operators.
_BINARY: dict[str, Any] = {row.text: getattr(nodes, row.node) for row in BINARY}
_PREFIX: dict[str, Any] = {row.text: getattr(nodes, row.node) for row in PREFIX}


def p_operation(p: Production) -> None:
    """expression : expression PLUS expression
    | expression MINUS expression
    | expression TIMES expression
    | expression DIV expression
    | expression MODULO expression
    | expression LSHIFT expression
    | expression RSHIFT expression
    | expression ISEQUAL expression
    | expression NOTEQUAL expression
    | expression LESSTHAN expression
    | expression LESSEQUAL expression
    | expression GREATERTHAN expression
    | expression GREATEREQUAL expression
    | expression MATCH expression
    | expression NOMATCH expression"""
    p[0] = _BINARY[p[2][2]](*p[2], p[1], p[3])


def p_word_operation(p: Production) -> None:
    """expression : expression IN expression
    | expression AND expression
    | expression OR expression"""
    start, end, word = p[2]
    p[0] = _BINARY[word](start, end, p[1], p[3])


def p_prefix_operation(p: Production) -> None:
    """expression : NOT expression
    | MINUS expression %prec NEGATION
    | TIMES expression %prec SPLAT"""
    start, end, sign = p[1]
    p[0] = _PREFIX[sign](start, end, p[2])


def p_paren(p: Production) -> None:
    """primary : LPAREN assignment RPAREN
    | WSLPAREN assignment RPAREN"""
    p[0] = Paren(p[1][0], p[1][1], p[2])


def p_access(p: Production) -> None:
    """expression : expression LBRACK access_arguments RBRACK
    | expression LBRACK access_arguments COMMA RBRACK"""
    p[0] = Access(p[1].start, p[len(p) - 1][1], p[1], merge_pairs(p[3]))


def p_list_first(p: Production) -> None:
    """access_arguments : access_argument
    arguments : argument
    entries : entry
    pairs : pair
    selector_entries : selector_entry
    case_options : case_option
    case_values : expression
    parameter_list : parameter
    bodies : body
    attributes : attribute
    hosts : host"""
    p[0] = [p[1]]


def p_list_next(p: Production) -> None:
    """access_arguments : access_arguments COMMA access_argument
    arguments : arguments COMMA argument
    entries : entries COMMA entry
    pairs : pairs COMMA pair
    selector_entries : selector_entries COMMA selector_entry
    case_values : case_values COMMA expression
    parameter_list : parameter_list COMMA parameter
    bodies : bodies SEMIC body
    attributes : attributes COMMA attribute
    hosts : hosts COMMA host"""
    p[1].append(p[3])
    p[0] = p[1]


def p_list_adjacent(p: Production) -> None:
    "case_options : case_options case_option"
    p[1].append(p[2])
    p[0] = p[1]


def p_unit_member(p: Production) -> None:
    """access_argument : expression
    | pair
    argument : assignment
    | pair
    entry : hash_entry
    | pair
    hash_entry : assignment"""
    p[0] = p[1]


def p_pair(p: Production) -> None:
    "pair : hash_entry FARROW hash_entry"
    p[0] = Pair(p[2][0], p[2][1], p[1], p[3])


def p_array(p: Production) -> None:
    """array : LISTSTART entries RBRACK
    | LISTSTART entries COMMA RBRACK
    | LBRACK entries RBRACK
    | LBRACK entries COMMA RBRACK
    | LISTSTART RBRACK
    | LBRACK RBRACK"""
    p[0] = Array(p[1][0], p[len(p) - 1][1], merge_pairs(p[2]) if type(p[2]) is list else [])


def p_hash(p: Production) -> None:
    """hash : LBRACE pairs RBRACE
    | LBRACE pairs COMMA RBRACE
    | LBRACE RBRACE"""
    p[0] = Hash(p[1][0], p[len(p) - 1][1], p[2] if type(p[2]) is list else [])


# --- Literals


def p_variable(p: Production) -> None:
    "primary : VARIABLE"
    p[0] = Variable(*p[1])


def p_name(p: Production) -> None:
    """primary : NAME
    method_name : NAME
    | TYPE"""
    p[0] = Name(*p[1])


def p_type_name(p: Production) -> None:
    """primary : CLASSREF
    type_reference : CLASSREF %prec LOW"""
    p[0] = TypeName(*p[1])


def p_string(p: Production) -> None:
    """string : STRING
    | WORD
    heredoc_text : STRING
    hash_entry : TYPE
    | FUNCTION
    host : dotted_name"""
    p[0] = String(*p[1])


def p_number(p: Production) -> None:
    "primary : NUMBER"
    p[0] = make_number(*p[1])


def p_boolean(p: Production) -> None:
    "primary : BOOLEAN"
    p[0] = Boolean(p[1][0], p[1][1], p[1][2] == "true")


def p_undef(p: Production) -> None:
    "primary : UNDEF"
    p[0] = Undef(p[1][0], p[1][1])


def p_default(p: Production) -> None:
    """primary : DEFAULT
    host : DEFAULT"""
    p[0] = Default(p[1][0], p[1][1])


def p_regexp(p: Production) -> None:
    """primary : REGEX
    host : REGEX"""
    p[0] = Regexp(*p[1])


def p_reserved(p: Production) -> None:
    """primary : ATTR
    | PRIVATE"""
    p[0] = Reserved(*p[1])


def p_concat_first(p: Production) -> None:
    "concat_head : DQPRE assignment"
    p[0] = Concat(p[1][0], p[1][1], [])
    add_segments(p[0], p[1], p[2])


def p_concat_next(p: Production) -> None:
    "concat_head : concat_head DQMID assignment"
    add_segments(p[1], p[2], p[3])
    p[0] = p[1]


def p_concat(p: Production) -> None:
    "concat : concat_head DQPOST"
    add_segments(p[1], p[2])
    p[0] = p[1]


def p_heredoc(p: Production) -> None:
    "heredoc : HEREDOC SUBLOCATE heredoc_text"
    p[0] = Heredoc(*p[1], p[3])


# --- Calls


def p_call(p: Production) -> None:
    """expression : expression LPAREN arguments RPAREN %prec LOW
    | expression LPAREN arguments COMMA RPAREN %prec LOW
    | expression LPAREN RPAREN %prec LOW"""
    arguments = merge_pairs(p[3]) if len(p) > 4 else []
    p[0] = Call(p[1].start, p[len(p) - 1][1], p[1], arguments, None, True)


def p_call_lambda(p: Production) -> None:
    """expression : expression LPAREN arguments RPAREN lambda
    | expression LPAREN arguments COMMA RPAREN lambda
    | expression LPAREN RPAREN lambda"""
    arguments, block = merge_pairs(p[3]) if len(p) > 5 else [], p[len(p) - 1]
    p[0] = Call(p[1].start, block.end, p[1], arguments, block, True)


def p_type_call(p: Production) -> None:
    """type_call : TYPE LPAREN arguments RPAREN
    | TYPE LPAREN arguments COMMA RPAREN
    | TYPE LPAREN RPAREN"""
    arguments = merge_pairs(p[3]) if len(p) > 4 else []
    p[0] = Call(p[1][0], p[len(p) - 1][1], Name(*p[1]), arguments, None, True)


def p_type_call_lambda(p: Production) -> None:
    "expression : type_call lambda"
    p[1].block, p[1].end = p[2], p[2].end
    p[0] = p[1]


def p_method_call(p: Production) -> None:
    """expression : expression DOT method_name %prec LOW
    | expression DOT method_name lambda"""
    p[0] = MethodCall(p[2][0], p[len(p) - 1].end, p[1], p[3], [], p[4] if len(p) == 5 else None)


def p_method_call_arguments(p: Production) -> None:
    """expression : expression DOT method_name LPAREN arguments RPAREN %prec LOW
    | expression DOT method_name LPAREN RPAREN %prec LOW"""
    p[0] = MethodCall(p[4][0], p[len(p) - 1][1], p[1], p[3], merge_pairs(p[5]) if len(p) == 7 else [], None)


def p_method_call_arguments_lambda(p: Production) -> None:
    """expression : expression DOT method_name LPAREN arguments RPAREN lambda
    | expression DOT method_name LPAREN RPAREN lambda"""
    block = p[len(p) - 1]
    p[0] = MethodCall(p[4][0], block.end, p[1], p[3], merge_pairs(p[5]) if len(p) == 8 else [], block)


def p_lambda(p: Production) -> None:
    "lambda : PIPE lambda_parameters PIPE return_type block"
    p[0] = Lambda(p[1][0], p[5][1], p[2], p[5][2], p[4])


def p_lambda_parameters(p: Production) -> None:
    """lambda_parameters : parameter_list
    | parameter_list COMMA
    |"""
    p[0] = p[1] if len(p) > 1 else []


# --- Choices


def p_if(p: Production) -> None:
    "primary : IF if_part"
    p[2].start = p[1][0]
    p[0] = p[2]


def p_if_part(p: Production) -> None:
    "if_part : expression block"
    end = p[2][1]
    p[0] = If(p[1].start, end, p[1], p[2][2], Nop(end, end))


def p_if_part_else(p: Production) -> None:
    """if_part : expression block ELSE block
    | expression block ELSIF if_part"""
    if type(p[4]) is tuple:
        _, end, otherwise = p[4]
    else:
        p[4].start = p[3][0]
        end, otherwise = p[4].end, p[4]
    p[0] = If(p[1].start, end, p[1], p[2][2], otherwise)


def p_unless(p: Production) -> None:
    """primary : UNLESS expression block
    | UNLESS expression block ELSE block"""
    end = p[len(p) - 1][1]
    p[0] = Unless(p[1][0], end, p[2], p[3][2], p[5][2] if len(p) == 6 else Nop(end, end))


def p_case(p: Production) -> None:
    "primary : CASE expression LBRACE case_options RBRACE"
    p[0] = Case(p[1][0], p[5][1], p[2], p[4])


def p_case_option(p: Production) -> None:
    "case_option : case_values COLON block"
    p[0] = CaseOption(p[2][0], p[3][1], p[1], p[3][2])


def p_selector_one(p: Production) -> None:
    "expression : expression QMARK selector_entry"
    p[0] = Selector(p[1].start, p[3].value.end, p[1], [p[3]])


def p_selector(p: Production) -> None:
    """expression : expression QMARK SELBRACE selector_entries RBRACE
    | expression QMARK SELBRACE selector_entries COMMA RBRACE"""
    p[0] = Selector(p[1].start, p[len(p) - 1][1], p[1], p[4])


def p_selector_entry(p: Production) -> None:
    "selector_entry : expression FARROW expression"
    p[0] = SelectorEntry(p[2][0], p[2][1], p[1], p[3])


# Productions that make a list of one value, or append the last value to a list. They are reduced most often, so the
# parser does it without calling them.
LISTS = (
    p_list_first,
    p_list_next,
    p_list_adjacent,
    p_statements_first,
    p_statements_next,
    p_statements_separated,
)

# Productions that make a node of a single token. The parser calls these directly with the token's start, end and text.
TOKEN_NODES: dict[Any, Any] = {
    p_variable: Variable,
    p_name: Name,
    p_type_name: TypeName,
    p_string: String,
    p_number: make_number,
    p_regexp: Regexp,
}
