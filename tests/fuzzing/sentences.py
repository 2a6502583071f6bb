"""Sentences of the grammar: lists of terminals, derived at random within limits of depth and length."""

from __future__ import annotations

from functools import cache
from random import Random

from tests.fuzzing.productions import Production, grammar, height, heights

DEEPEST = 7
LONGEST = 64  # longer sentences hold more that is invalid for other reasons than their shape
# What is nearly always refused for another reason than its shape, or says little, is derived less often.
RARE = (
    *(("AT", "resource"), ("ATAT", "resource"), ("comma_list",), ("epp_template",), (), ("ATTR",), ("PRIVATE",)),
    *(("RENDER_STRING",), ("relationship", "APPENDS", "assignment"), ("relationship", "DELETES", "assignment")),
)
RARE_PARTS = ("braced", "RENDER_EXPR", "LISTSTART", "WSLPAREN")
OFTEN = 8


@cache
def choices(module: str) -> dict[str, tuple[tuple[Production, ...], ...]]:
    """Nonterminal -> depth left -> the productions that fit into it; at least the flattest ones."""
    rules = grammar(module)
    known = heights(rules)
    table = {}
    for left, rights in rules.items():
        by_depth = []
        for depth in range(DEEPEST + 1):
            limit = max(depth, known[left])
            fitting = [right for right in rights if height(right, known) <= limit]
            by_depth.append(tuple(right for right in fitting for _ in range(1 if is_rare(right) else OFTEN)))
        table[left] = tuple(by_depth)
    return table


def is_rare(right: Production) -> bool:
    """Whether a production is chosen seldom."""
    return right in RARE or not set(right).isdisjoint(RARE_PARTS)


def sentence(random: Random, module: str = "grammar", start: str = "program") -> list[str]:
    """The terminals of a random sentence."""
    table = choices(module)
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
