"""Random sentences of the grammar: lists of terminals of limited depth and length."""

from __future__ import annotations

from functools import cache
from random import Random

from lexer_parser.grammar.driver import RELEASED, Grammar
from tests.fuzzing.productions import (
    Production,
    collect_productions,
    compute_height,
    compute_heights,
    parse_rules,
)

DEEPEST = 7  # levels of productions
LONGEST = 64  # terminals; longer sentences contain more that is invalid for other reasons than their shape
# Forms that users write: validation refuses most of the sentences that the grammar alone produces.
_LIKELY = """
statement : VARIABLE EQUALS expression | NAME LPAREN arguments RPAREN
    | CLASSREF LBRACK access_arguments RBRACK OUT_EDGE resource
resource : NAME LBRACE bodies RBRACE | CLASS LBRACE bodies RBRACE | CLASSREF LBRACE attributes RBRACE
    | CLASSREF LBRACK access_arguments RBRACK LBRACE attributes RBRACE | AT NAME LBRACE bodies RBRACE | CLASSREF query
expression : NAME LPAREN arguments RPAREN | NAME LPAREN arguments RPAREN lambda | VARIABLE DOT method_name lambda
    | VARIABLE LBRACK access_arguments RBRACK | CLASSREF LBRACK access_arguments RBRACK | VARIABLE | STRING
parameter : CLASSREF LBRACK access_arguments RBRACK VARIABLE EQUALS expression | VARIABLE
definition_name : NAME
"""
# Productions whose sentences are nearly always refused, or test little.
_RARE = """
resource : AT resource | ATAT resource | braced
braced : braced LBRACE attributes RBRACE | braced LBRACE attributes COMMA RBRACE | braced LBRACE RBRACE
    | braced LBRACE bodies RBRACE | braced LBRACE bodies SEMIC RBRACE
assignment : relationship APPENDS assignment | relationship DELETES assignment
statement : comma_list
program : epp_template
primary : ATTR | PRIVATE | RENDER_STRING | RENDER_EXPR expression EPP_END | RENDER_EXPR expression EPP_END_TRIM
    | RENDER_EXPR LBRACE statements RBRACE EPP_END | RENDER_EXPR LBRACE statements RBRACE EPP_END_TRIM
definition_name : CLASS | STRING
"""
# Nonterminals that are mostly replaced by the next one in a chain of levels, so that the chain does not end too early.
_CHAINED = frozenset(("assignment", "relationship", "resource", "statement", "chain", "link"))
RARELY, SOMETIMES, OFTEN = 1, 12, 60
LIKELY, RARE = parse_rules(_LIKELY), frozenset(parse_rules(_RARE))


@cache
def list_choices(grammar: Grammar) -> dict[str, tuple[tuple[Production, ...], ...]]:
    """Return the right sides that may replace each nonterminal, by the remaining depth.

    A right side occurs as often as its weight. At each depth there are only those that can be derived within it, or
    those of the least depth.
    """
    rights_by_left = collect_productions(grammar)
    for left, right in LIKELY:
        rights_by_left[left].append(right)
    least = compute_heights(rights_by_left)
    table = {}
    for left, rights in rights_by_left.items():
        by_depth = []
        for depth in range(DEEPEST + 1):
            limit = max(depth, least[left])
            derivable = [right for right in rights if compute_height(right, least) <= limit]
            by_depth.append(tuple(right for right in derivable for _ in range(find_weight(left, right))))
        table[left] = tuple(by_depth)
    return table


def find_weight(left: str, right: Production) -> int:
    """Return how often a production is among the choices."""
    if (left, right) in RARE or not right:
        return RARELY
    is_chained = left in _CHAINED and len(right) == 1
    return OFTEN if is_chained or (left, right) in LIKELY else SOMETIMES


def derive_sentence(random: Random, grammar: Grammar = RELEASED, start: str = "program") -> list[str]:
    """Return the terminals of a random sentence.

    Args:
        random: The source of random choices.
        grammar: The grammar.
        start: The nonterminal that is derived.
    """
    table = list_choices(grammar)
    terminals: list[str] = []
    pending = [(start, random.randrange(2, DEEPEST + 1))]
    while pending:
        symbol, depth = pending.pop()
        if symbol not in table:
            terminals.append(symbol)
            continue
        if len(terminals) + len(pending) > LONGEST:
            depth = 0
        right = random.choice(table[symbol][depth])
        inner = depth - 1 if len(right) > 1 and depth else depth
        pending.extend((part, inner) for part in reversed(right))
    return terminals
