"""What is long is looked at slice by slice: a call into C cannot be stopped, and one of a slice is short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import Any

from evaluator.limits import COLLECTION, STRING

CHUNK = 500_000  # characters that are changed in one step
SOME = 20_000  # elements that are looked at in one step
LONG = 250  # characters: longer texts take a while to be compared with each other
COMPARED = 50_000_000  # characters that are compared in one step


def iterate_chunks(values: Iterable[Any]) -> Iterator[list[Any]]:
    """Elements in parts."""
    rest = iter(values)
    while part := list(islice(rest, SOME)):
        yield part


def sort_chunked(values: Collection[Any]) -> list[Any]:
    """As `sorted(values)`, of numbers or of texts."""
    are_texts = isinstance(next(iter(values), None), str)
    if len(values) <= SOME:
        characters = sum(map(len, values)) if are_texts else 0
        if len(values) < 2 or characters * len(values).bit_length() <= COMPARED:
            return sorted(values)
    elif not are_texts or all(max(map(len, part)) <= LONG for part in iterate_chunks(values)):
        from heapq import merge

        return list(merge(*map(sorted, iterate_chunks(values))))
    texts, middle = list(values), len(values) // 2
    return _merged(sort_chunked(texts[:middle]), sort_chunked(texts[middle:]))


def _merged(left: list[str], right: list[str]) -> list[str]:
    """Texts of two lists that are in order, in order: of long ones, one pair is compared in one step."""
    found, first, second = [], 0, 0
    while first < len(left) and second < len(right):
        if left[first] <= right[second]:
            found.append(left[first])
            first += 1
        else:
            found.append(right[second])
            second += 1
    return found + left[first:] + right[second:]


def sort_characters(text: str) -> str:
    """As `"".join(sorted(text))`."""
    count = Counter[str]()
    for part in iterate_text_chunks(text):
        count.update(part)
    return "".join(character * count[character] for character in sort_chunked(count))


def collect_distinct(values: Iterable[Any]) -> set[Any]:
    """As `set(values)`."""
    found: set[Any] = set()
    for part in iterate_chunks(values):
        found.update(part)
    return found


def make_dict(keys: Iterable[Any], value: Any = None) -> dict[Any, Any]:
    """As `dict.fromkeys(keys, value)`."""
    if isinstance(keys, list | str) and len(keys) <= SOME:
        return dict.fromkeys(keys, value)
    found: dict[Any, Any] = {}
    for part in iterate_chunks(keys):
        found.update(dict.fromkeys(part, value))
    return found


def merge_dicts(hashes: Iterable[dict[Any, Any]]) -> dict[Any, Any]:
    """The entries of hashes as one: of equal keys the last value counts."""
    found: dict[Any, Any] = {}
    for one in hashes:
        if not found or len(one) <= SOME:
            found.update(one)
        else:
            for part in iterate_chunks(one.items()):
                found.update(part)
    return found


def collect_classes(values: Iterable[Any]) -> set[type]:
    """The types of elements."""
    if type(values) is list and len(values) <= SOME:
        return set(map(type, values))
    found: set[type] = set()
    for part in iterate_chunks(values):
        found.update(map(type, part))
    return found


def iterate_text_chunks(text: str) -> Iterator[str]:
    """A text in parts, for what looks at each character alone."""
    return (text[start : start + CHUNK] for start in range(0, len(text), CHUNK))


def find_run_end(character: re.Pattern[str], text: str, start: int = 0) -> int:
    """Where the run of characters ends that begins at a place; `character` matches any number of them: `[a-z]*`."""
    while True:
        end = character.match(text, start, start + CHUNK)
        assert end is not None
        if end.end() < start + CHUNK:
            return end.end()
        start = end.end()


def has_match(pattern: re.Pattern[str], text: str, longest: int) -> bool:
    """Whether there is a match in a text, of a pattern that looks at so many characters at most."""
    for start in range(0, max(len(text), 1), CHUNK):
        end = start + CHUNK
        found = pattern.search(text, start, end + longest - 1)
        if (
            found is not None and found.start() < end
        ):  # where another one begins, the next slice has all of it
            return True
    return False


def has_line_match(pattern: re.Pattern[str], text: str) -> bool:
    """Whether there is a match in a text, of a multi-line pattern that matches within a line."""
    start = 0
    while (end := text.find("\n", start + CHUNK)) >= 0:
        if pattern.search(text, start, end) is not None:
            return True
        start = end + 1
    return pattern.search(text, start) is not None


def strip_text(text: str, blanks: str, *, left: bool = True, right: bool = True) -> str:
    """As `text.strip(blanks)`, or at one end."""
    start, end = 0, len(text)
    while left and start < end:
        part = text[start : min(start + CHUNK, end)]
        rest = len(part.lstrip(blanks))
        start += len(part) - rest
        left = not rest
    while right and start < end:
        part = text[max(end - CHUNK, start) : end]
        rest = len(part.rstrip(blanks))
        end -= len(part) - rest
        right = not rest
    return text[start:end]


def map_text(text: str, change: Callable[[str], str]) -> str:
    """A text of which each slice is changed, for a change that looks at each character alone.

    Raises PuppetError when the result is too long for a String.
    """
    if len(text) <= CHUNK:
        return change(text)
    parts = []
    length = 0
    for start in range(0, len(text), CHUNK):
        parts.append(change(text[start : start + CHUNK]))
        length += len(parts[-1])
        STRING.check(length)
    return "".join(parts)


def split_text(text: str, separator: str) -> list[str]:
    """As `text.split(separator)`. Raises PuppetError when there are too many parts for an Array."""
    if len(text) <= CHUNK:
        parts = text.split(separator)
        if len(parts) > COLLECTION.value:
            raise COLLECTION.make_error()
        return parts
    parts = []
    start = 0
    while len(text) - start > CHUNK:
        found = text[start : start + CHUNK].split(separator)
        if len(found) == 1:
            end = text.find(separator, start)
            if end < 0:
                break
            parts.append(text[start:end])
            start = end + len(separator)
            continue
        start += CHUNK - len(found.pop())  # the last may go on
        parts += found
        COLLECTION.check(len(parts))
    parts += text[start:].split(separator) if len(text) - start <= CHUNK else [text[start:]]
    COLLECTION.check(len(parts))
    return parts
