"""The productions of the grammars, read from the docstrings that PLY reads them from."""

from __future__ import annotations

import inspect
from itertools import pairwise

from lexer_parser.grammar import driver

Production = tuple[str, ...]
Grammar = dict[str, list[Production]]
_UNLIMITED = 10**6


def collect_productions(grammar: driver.Grammar) -> Grammar:
    """Return the productions of each nonterminal of a grammar.

    They are sorted, so that moving a production to another file does not change the sentences of a seed.
    """
    grouped: Grammar = {}
    for name, function in vars(grammar.make_namespace()).items():
        if name.startswith("p_") and callable(function):
            for left, right in parse_rules(inspect.getdoc(function) or ""):
                grouped.setdefault(left, []).append(right)
    return {left: sorted(rights) for left, rights in grouped.items()}


def parse_rules(text: str) -> list[tuple[str, Production]]:
    """Return the rules of a docstring like `left : a b | c other : d`, by alternative.

    A left side is the word before a colon.
    """
    words = text.split()
    starts = [index - 1 for index, word in enumerate(words) if word == ":"] + [len(words)]
    rules = []
    for start, stop in pairwise(starts):
        for alternative in " ".join(words[start + 2 : stop]).split("|"):
            symbols = alternative.split()
            if "%prec" in symbols:
                symbols = symbols[: symbols.index("%prec")]
            rules.append((words[start], tuple(symbols)))
    return rules


def compute_heights(rules: Grammar) -> dict[str, int]:
    """Return the least depth of a derivation of each nonterminal.

    A production of one symbol adds no depth. The depths begin unlimited, and are lowered until no production lowers
    one.
    """
    depths = dict.fromkeys(rules, _UNLIMITED)
    changed = True
    while changed:
        changed = False
        for left, rights in rules.items():
            least = min(compute_height(right, depths) for right in rights)
            if least < depths[left]:
                depths[left], changed = least, True
    return depths


def compute_height(right: Production, depths: dict[str, int]) -> int:
    """Return the least depth of a derivation with a production; a terminal has depth 0."""
    deepest = max((depths.get(symbol, 0) for symbol in right), default=0)
    return deepest + (len(right) > 1)
