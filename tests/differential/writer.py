"""The common parts of all generators: choices, the variables in scope, and the table of kinds of expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
Maker = Callable[["Writer", int], str]
FLAT: dict[str, list[tuple[int, Maker]]] = {}  # what needs no depth
KINDS: dict[str, list[tuple[int, Maker]]] = {}


def words(text: str, *others: str) -> list[str]:
    """The words of a text, and other texts."""
    return [*text.split(), *others]


def makes(kind: str, weight: int = 1, deep: bool = False) -> Callable[[Maker], Maker]:
    """Registers a function `(writer, depth) -> source` for a kind of expression; `deep`: for depths above 0 only."""

    def register(maker: Maker) -> Maker:
        KINDS.setdefault(kind, []).append((weight, maker))
        if not deep:
            FLAT.setdefault(kind, []).append((weight, maker))
        return maker

    return register


class Writer:
    """Makes sources by chance. `oddness` is the probability that an expression of any other kind is put instead.

    `variables` holds (name, kind) of what is assigned where the expression will stand.
    """

    def __init__(self, random: Random, oddness: float = 0.05) -> None:
        self.random = random
        self.oddness = oddness
        self.variables: list[tuple[str, str]] = []
        self.count = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one(self, choices: Sequence[T]) -> T:
        return choices[self.random.randrange(len(choices))]

    def number(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def fresh(self) -> str:
        """A new variable name."""
        self.count += 1
        return f"v{self.count}"

    def make(self, kind: str, depth: int = 2) -> str:
        """Source of an expression of a kind; "a|b" means one of several."""
        if self.chance(self.oddness):
            kind = "any"
        elif "|" in kind:
            kind = self.one(kind.split("|"))
        fitting = [name for name, its in self.variables if its == kind or kind == "any"]
        if fitting and self.chance(0.35):
            return f"${self.one(fitting)}"
        makers = KINDS[kind] if depth > 0 else FLAT[kind]
        total = sum(weight for weight, _ in makers)
        picked = self.random.randrange(total)
        for weight, maker in makers:
            picked -= weight
            if picked < 0:
                return maker(self, depth)
        raise AssertionError(kind)

    def several(self, kind: str, depth: int, least: int = 0, most: int = 3) -> list[str]:
        return [self.make(kind, depth) for _ in range(self.number(least, most))]
