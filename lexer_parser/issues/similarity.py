"""The similarity of names, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable


def edit_distance(left: str, right: str, limit: int) -> int:
    """Return the number of letters to insert, delete, change or swap (Damerau-Levenshtein).

    Args:
        left: A name.
        right: Another name.
        limit: The largest distance of interest; for a larger one the result is `limit` + 1.
    """
    if abs(len(left) - len(right)) > limit:
        return limit + 1
    second_last: list[int] = []  # the row before `last`
    last = list(range(len(right) + 1))
    for row, a in enumerate(left, 1):
        current = [row]
        for column, b in enumerate(right, 1):
            cost = min(last[column] + 1, current[-1] + 1, last[column - 1] + (a != b))
            if second_last and column > 1 and a == right[column - 2] and b == left[row - 2]:
                cost = min(cost, second_last[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        second_last, last = last, current
    return last[-1]


def find_nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most similar to `name`, None if more than a third of the letters differ.

    Case and hyphens count less than other differences. Of equally near ones the first in the alphabet wins.
    """
    plain = name.lower().replace("-", "_")
    limit = min(max(1, len(name) // 3), len(name) - 1)  # names of one letter are never similar
    distances = (
        (edit_distance(plain, candidate.lower(), limit), candidate)
        for candidate in candidates
        if candidate != name
    )
    distance, nearest = min(distances, default=(limit + 1, ""))
    return nearest if distance <= limit else None
