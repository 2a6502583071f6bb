"""The productions of the grammars, read from the docstrings that PLY reads them from."""

from __future__ import annotations

import inspect
from itertools import pairwise

from lexer_parser.grammar import driver

Production = tuple[str, ...]
Grammar = dict[str, list[Production]]
_ENDLESS = 10**6


def productions(grammar: driver.Grammar) -> Grammar:
    """Nonterminal -> its productions, for one of lexer_parser.grammar.driver.

    They are sorted, so that what is derived at random stays the same wherever the productions stand.
    """
    found: Grammar = {}
    for name, function in vars(grammar.make_namespace()).items():
        if name.startswith("p_") and callable(function):
            for left, right in rules(inspect.getdoc(function) or ""):
                found.setdefault(left, []).append(right)
    return {left: sorted(rights) for left, rights in found.items()}


def rules(text: str) -> list[tuple[str, Production]]:
    """The rules in a text: `left : a b | c left : d`; a left side is the word before a colon."""
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


def heights(rules: Grammar) -> dict[str, int]:
    """For each nonterminal the least depth of a derivation; a production of one symbol adds none."""
    found = dict.fromkeys(rules, _ENDLESS)
    changed = True
    while changed:
        changed = False
        for left, rights in rules.items():
            least = min(height(right, found) for right in rights)
            if least < found[left]:
                found[left], changed = least, True
    return found


def height(right: Production, known: dict[str, int]) -> int:
    """The least depth of a derivation that begins with a production."""
    deepest = max((known.get(symbol, 0) for symbol in right), default=0)
    return deepest + (len(right) > 1)
