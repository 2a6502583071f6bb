"""Productions for resources, definitions and templates; see `lexer_parser.grammar.expressions`."""

# mypy cannot count the parts of a token.
# mypy: disable-error-code="call-arg"

from __future__ import annotations

from typing import Any

from lexer_parser.grammar.building import (
    Production,
    make_alias_type,
    make_statement_block,
    make_untitled_resource,
    mark_virtual,
    merge_pairs,
)
from lexer_parser.issues import Misuse
from lexer_parser.tree.nodes import (
    Access,
    Attribute,
    AttributesSplat,
    Class,
    Collector,
    Define,
    Epp,
    Function,
    Lambda,
    Name,
    NodeDefinition,
    Parameter,
    Query,
    Render,
    RenderText,
    Resource,
    ResourceBody,
    TypeAlias,
    TypeDefinition,
    TypeMapping,
    TypeName,
)

# --- Resources


def p_resource_marked(p: Production) -> None:
    """resource : AT resource
    | ATAT resource"""
    p[0] = mark_virtual(p[1], p[2])


def p_resource(p: Production) -> None:
    """braced : expression LBRACE bodies RBRACE
    | expression LBRACE bodies SEMIC RBRACE
    | braced LBRACE bodies RBRACE
    | braced LBRACE bodies SEMIC RBRACE"""
    p[0] = Resource(p[1].start, p[len(p) - 1][1], p[1], p[3], "regular")


def p_resource_class(p: Production) -> None:
    """braced : CLASS LBRACE bodies RBRACE
    | CLASS LBRACE bodies SEMIC RBRACE"""
    p[0] = Resource(p[1][0], p[len(p) - 1][1], Name(*p[1]), p[3], "regular")


def p_resource_untitled(p: Production) -> None:
    """braced : expression LBRACE attributes RBRACE
    | expression LBRACE attributes COMMA RBRACE
    | expression LBRACE COMMA RBRACE
    | expression LBRACE RBRACE
    | braced LBRACE attributes RBRACE
    | braced LBRACE attributes COMMA RBRACE
    | braced LBRACE COMMA RBRACE
    | braced LBRACE RBRACE"""
    p[0] = make_untitled_resource(p[1], p[2], p[3] if type(p[3]) is list else [], p[len(p) - 1][1])


def p_attributes_behind_comma(p: Production) -> None:
    "attributes : COMMA attribute"
    p[0] = [p[2]]


def p_body(p: Production) -> None:
    """body : expression COLON attributes
    | expression COLON attributes COMMA"""
    p[0] = ResourceBody(p[1].start, p[2][1], p[1], p[3])


def p_body_empty(p: Production) -> None:
    """body : expression COLON
    | expression COLON COMMA"""
    p[0] = ResourceBody(p[1].start, p[2][1], p[1], [])


def p_attribute(p: Production) -> None:
    """attribute : NAME FARROW expression
    | NAME PARROW expression
    | keyword FARROW expression
    | keyword PARROW expression"""
    name, value = p[1], p[3]
    p[0] = Attribute(name[0], value.end, name[2], p[2][2], value)


def p_attributes_splat(p: Production) -> None:
    "attribute : TIMES FARROW expression"
    p[0] = AttributesSplat(p[1][0], p[3].end, p[3])


def p_unit_name(p: Production) -> None:
    """host : string
    dotted_name : NAME
    | NUMBER
    keyword : AND
    | ATTR
    | CASE
    | CLASS
    | DEFAULT
    | DEFINE
    | ELSE
    | ELSIF
    | FUNCTION
    | IF
    | IN
    | INHERITS
    | NODE
    | OR
    | PRIVATE
    | TYPE
    | UNDEF
    | UNLESS"""
    p[0] = p[1]


def p_collector(p: Production) -> None:
    "expression : expression query %prec LOW"
    p[0] = Collector(p[1].start, p[2].end, p[1], p[2], [])


def p_collector_attributes(p: Production) -> None:
    """expression : expression query LBRACE attributes RBRACE
    | expression query LBRACE attributes COMMA RBRACE
    | expression query LBRACE COMMA RBRACE
    | expression query LBRACE RBRACE"""
    p[0] = Collector(p[1].start, p[len(p) - 1][1], p[1], p[2], p[4] if type(p[4]) is list else [])


def p_query(p: Production) -> None:
    """query : LCOLLECT expression RCOLLECT
    | LCOLLECT RCOLLECT
    | LLCOLLECT expression RRCOLLECT
    | LLCOLLECT RRCOLLECT"""
    p[0] = Query(p[1][0], p[len(p) - 1][1], p[2] if len(p) > 3 else None, p[1][2] == "<<|")


# --- Definitions


def p_class(p: Production) -> None:
    "primary : CLASS definition_name parameters class_parent block"
    p[0] = Class(p[1][0], p[5][1], p[2], p[3], p[4], p[5][2])


def p_optional(p: Production) -> None:
    """class_parent : INHERITS definition_name
    |
    node_parent : INHERITS host
    |
    return_type : RSHIFT type_reference
    |
    epp_parameters : PIPE lambda_parameters PIPE
    |"""
    p[0] = p[2] if len(p) > 1 else None


def p_class_parent_default(p: Production) -> None:
    "class_parent : INHERITS DEFAULT"
    p[0] = p[2][2]


def p_define(p: Production) -> None:
    "primary : DEFINE definition_name parameters block"
    p[0] = Define(p[1][0], p[4][1], p[2], p[3], p[4][2])


def p_function(p: Production) -> None:
    "primary : FUNCTION definition_name parameters return_type block"
    p[0] = Function(p[1][0], p[5][1], p[2], p[3], p[4], p[5][2])


def p_definition_name(p: Production) -> None:
    """definition_name : NAME
    | WORD
    | CLASSREF"""
    p[0] = p[1][2]


def p_definition_name_class(p: Production) -> None:
    "definition_name : CLASS"
    raise Misuse("CLASS_NOT_ALLOWED_HERE", *p[1][:2])


def p_definition_name_quoted(p: Production) -> None:
    "definition_name : STRING"
    raise Misuse("QUOTED_NAME", *p[1][:2])


def p_parameters(p: Production) -> None:
    """parameters : LPAREN parameter_list RPAREN
    | LPAREN parameter_list COMMA RPAREN
    | WSLPAREN parameter_list RPAREN
    | WSLPAREN parameter_list COMMA RPAREN"""
    p[0] = p[2]


def p_parameters_none(p: Production) -> None:
    """parameters : LPAREN RPAREN
    | WSLPAREN RPAREN
    |"""
    p[0] = []


def p_parameter(p: Production) -> None:
    """parameter : VARIABLE
    | VARIABLE EQUALS expression"""
    p[0] = Parameter(*p[1], None, p[3] if len(p) > 2 else None, False)


def p_parameter_splat(p: Production) -> None:
    """parameter : TIMES VARIABLE
    | TIMES VARIABLE EQUALS expression"""
    p[0] = Parameter(*p[2], None, p[4] if len(p) > 3 else None, True)


def p_parameter_typed(p: Production) -> None:
    """parameter : type_reference VARIABLE
    | type_reference VARIABLE EQUALS expression"""
    p[0] = Parameter(*p[2], p[1], p[4] if len(p) > 3 else None, False)


def p_parameter_typed_splat(p: Production) -> None:
    """parameter : type_reference TIMES VARIABLE
    | type_reference TIMES VARIABLE EQUALS expression"""
    p[0] = Parameter(*p[3], p[1], p[5] if len(p) > 4 else None, True)


def p_type_reference_access(p: Production) -> None:
    "type_reference : CLASSREF LBRACK access_arguments RBRACK"
    p[0] = Access(p[1][0], p[4][1], TypeName(*p[1]), merge_pairs(p[3]))


def p_node(p: Production) -> None:
    """primary : NODE hosts node_parent block
    | NODE hosts COMMA node_parent block"""
    parent, (_, end, body) = p[len(p) - 2], p[len(p) - 1]
    p[0] = NodeDefinition(p[1][0], end, p[2], parent, body)


def p_dotted_name_next(p: Production) -> None:
    """dotted_name : dotted_name DOT NAME
    | dotted_name DOT NUMBER"""
    p[0] = (p[1][0], p[3][1], f"{p[1][2]}.{p[3][2]}")


# --- Types


def p_type_alias(p: Production) -> None:
    """primary : TYPE type_reference EQUALS CLASSREF hash
    | TYPE type_reference EQUALS hash"""
    base, attributes = TypeName(*p[4]) if len(p) == 6 else None, p[len(p) - 1]
    start = base.start if base else attributes.start
    p[0] = make_alias(p[2], make_alias_type(start, base, attributes))


def p_type_alias_reference(p: Production) -> None:
    """primary : TYPE type_reference EQUALS type_reference
    | TYPE type_reference EQUALS array"""
    p[0] = make_alias(p[2], p[4])


def p_type_alias_trailing_comma(p: Production) -> None:
    "primary : TYPE type_reference EQUALS CLASSREF LBRACK access_arguments COMMA RBRACK"
    p[0] = make_alias(p[2], Access(p[4][0], p[8][1], TypeName(*p[4]), merge_pairs(p[6])))


def p_type_definition(p: Production) -> None:
    """primary : TYPE CLASSREF block
    | TYPE CLASSREF INHERITS CLASSREF block"""
    _, end, body = p[len(p) - 1]
    p[0] = TypeDefinition(p[1][0], end, p[2][2], p[4][2] if len(p) == 6 else None, body)


def make_alias(left: Any, right: Any) -> Any:
    """Return a type alias, or a mapping when the left side has arguments."""
    if type(left) is TypeName:
        return TypeAlias(left.start, left.end, left.value, right)
    return TypeMapping(left.start, left.end, left, right)


# --- Templates


def p_epp_template(p: Production) -> None:
    """epp_template : EPP_START epp_parameters
    | EPP_START epp_parameters statements"""
    parameters = p[2]  # None if the template declares none
    start, end = p[1][0], p[1][1]
    body = make_statement_block(p[3] if len(p) > 3 else [], start, end)
    p[0] = Lambda(start, end, parameters or [], Epp(start, end, body, parameters is not None), None)


def p_render_text(p: Production) -> None:
    "primary : RENDER_STRING"
    p[0] = RenderText(*p[1])


def p_render(p: Production) -> None:
    """primary : RENDER_EXPR expression EPP_END
    | RENDER_EXPR expression EPP_END_TRIM"""
    p[0] = Render(p[1][0], p[3][1], p[2])


def p_render_block(p: Production) -> None:
    """primary : RENDER_EXPR LBRACE statements RBRACE EPP_END
    | RENDER_EXPR LBRACE statements RBRACE EPP_END_TRIM"""
    p[0] = Render(p[1][0], p[5][1], make_statement_block(p[3], p[2][0], p[4][1]))
