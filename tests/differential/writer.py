"""The writer of random sources, and the table of makers of each kind of expression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
Maker = Callable[["Writer", int], str]
# The makers of each kind of expression, with their weights. Those in FLAT can also be used if no depth is left.
FLAT: dict[str, list[tuple[int, Maker]]] = {}
KINDS: dict[str, list[tuple[int, Maker]]] = {}


def split_words(text: str, *others: str) -> list[str]:
    """Return the words of a text, and other texts."""
    return [*text.split(), *others]


def register_maker(kind: str, weight: int = 1, deep: bool = False) -> Callable[[Maker], Maker]:
    """Return a decorator that registers a maker.

    A maker takes a writer and a depth, and returns a source.

    Args:
        kind: The kind of expression that it makes.
        weight: Its weight among the makers of the kind.
        deep: Whether it is used for depths above 0 only.
    """

    def register(maker: Maker) -> Maker:
        KINDS.setdefault(kind, []).append((weight, maker))
        if not deep:
            FLAT.setdefault(kind, []).append((weight, maker))
        return maker

    return register


class Writer:
    """A writer of random sources.

    Attributes:
        mismatch: The probability that an expression of any kind replaces one of the required kind.
        variables: The name and kind of each variable that is in scope at the position of the expression.
    """

    def __init__(self, random: Random, mismatch: float = 0.05) -> None:
        self.random = random
        self.mismatch = mismatch
        self.variables: list[tuple[str, str]] = []
        self.count = 0

    def decide(self, probability: float) -> bool:
        return self.random.random() < probability

    def choose(self, choices: Sequence[T]) -> T:
        return choices[self.random.randrange(len(choices))]

    def choose_integer(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    def make_name(self) -> str:
        """Return a new name of a variable."""
        self.count += 1
        return f"v{self.count}"

    def make(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a kind; the kind "a|b" is one of several."""
        if self.decide(self.mismatch):
            kind = "any"
        elif "|" in kind:
            kind = self.choose(kind.split("|"))
        names = [name for name, its_kind in self.variables if kind in (its_kind, "any")]
        if names and self.decide(0.35):
            return f"${self.choose(names)}"
        makers = KINDS[kind] if depth > 0 else FLAT[kind]
        total = sum(weight for weight, _ in makers)
        rest = self.random.randrange(total)
        for weight, maker in makers:
            rest -= weight
            if rest < 0:
                return maker(self, depth)
        raise AssertionError(kind)

    def make_several(self, kind: str, depth: int, least: int = 0, most: int = 3) -> list[str]:
        return [self.make(kind, depth) for _ in range(self.choose_integer(least, most))]
