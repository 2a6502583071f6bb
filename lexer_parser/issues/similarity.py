"""The similarity of names, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable


def edit_distance(left: str, right: str, limit: int) -> int:
    """Return how many letters are inserted, deleted, changed or swapped; `limit` + 1 if more than `limit`."""
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for row, a in enumerate(left, 1):
        current = [row]
        for column, b in enumerate(right, 1):
            cost = min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (a != b))
            if before and column > 1 and a == right[column - 2] and b == left[row - 2]:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, previous = previous, current
    return previous[-1]


def find_nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most similar to `name`, None if more than a third of the letters differ.

    Case and hyphens count less than other differences. Of equally near ones the first in the alphabet wins.
    """
    best: tuple[int, str] | None = None
    plain = name.lower().replace("-", "_")
    limit = min(max(1, len(name) // 3), len(name) - 1)  # names of one letter are never similar
    for candidate in candidates:
        if candidate == name:
            continue
        found = edit_distance(plain, candidate.lower(), limit)
        if found <= limit and (best is None or (found, candidate) < best):
            best = (found, candidate)
    return best[1] if best else None
