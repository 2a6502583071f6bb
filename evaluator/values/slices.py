"""What is long is looked at slice by slice: a call into C cannot be stopped, and one of a slice is short."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import Any

from evaluator.limits import COLLECTION, STRING

SLICE = 500_000  # characters that are changed in one step
SOME = 100_000  # elements that are looked at in one step


def some(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Elements in parts."""
    rest = iter(values)
    while part := list(islice(rest, SOME)):
        yield part


def in_order(values: Collection[Any]) -> list[Any]:
    """As `sorted(values)`, of values that are compared in C."""
    if len(values) <= SOME:
        return sorted(values)
    from heapq import merge

    return list(merge(*map(sorted, some(values))))


def distinct(values: Iterable[Any]) -> set[Any]:
    """As `set(values)`."""
    found: set[Any] = set()
    for part in some(values):
        found.update(part)
    return found


def types_among(values: Iterable[Any]) -> set[type]:
    """The types of elements."""
    if type(values) is list and len(values) <= SOME:
        return set(map(type, values))
    found: set[type] = set()
    for part in some(values):
        found.update(map(type, part))
    return found


def slices(text: str) -> Iterator[str]:
    """A text in parts, for what looks at each character alone."""
    return (text[start : start + SLICE] for start in range(0, len(text), SLICE))


def run_end(character: re.Pattern[str], text: str, start: int = 0) -> int:
    """Where the run of characters ends that begins at a place; `character` matches any number of them: `[a-z]*`."""
    while True:
        end = character.match(text, start, start + SLICE)
        assert end is not None
        if end.end() < start + SLICE:
            return end.end()
        start = end.end()


def finds(pattern: re.Pattern[str], text: str, longest: int) -> bool:
    """Whether there is a match in a text, of a pattern that looks at so many characters at most."""
    for start in range(0, max(len(text), 1), SLICE):
        end = start + SLICE
        found = pattern.search(text, start, end + longest - 1)
        if (
            found is not None and found.start() < end
        ):  # where another one begins, the next slice has all of it
            return True
    return False


def changed(text: str, change: Callable[[str], str]) -> str:
    """A text of which each slice is changed, for a change that looks at each character alone.

    Raises PuppetError when the result is too long for a String.
    """
    if len(text) <= SLICE:
        return change(text)
    parts = []
    length = 0
    for start in range(0, len(text), SLICE):
        parts.append(change(text[start : start + SLICE]))
        length += len(parts[-1])
        STRING.check(length)
    return "".join(parts)


def split(text: str, separator: str) -> list[str]:
    """As `text.split(separator)`. Raises PuppetError when there are too many parts for an Array."""
    if len(text) <= SLICE:
        parts = text.split(separator)
        if len(parts) > COLLECTION.value:
            raise COLLECTION.exceeded()
        return parts
    parts = []
    start = 0
    while len(text) - start > SLICE:
        found = text[start : start + SLICE].split(separator)
        if len(found) == 1:
            end = text.find(separator, start)
            if end < 0:
                break
            parts.append(text[start:end])
            start = end + len(separator)
            continue
        start += SLICE - len(found.pop())  # the last may go on
        parts += found
        COLLECTION.check(len(parts))
    parts += text[start:].split(separator) if len(text) - start <= SLICE else [text[start:]]
    COLLECTION.check(len(parts))
    return parts
