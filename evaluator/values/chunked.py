"""Interruptible operations on long strings and collections: they proceed chunk by chunk.

A call into C cannot be interrupted. A call for one chunk is short, and the program can be interrupted after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from operator import gt

from evaluator.limits import COLLECTION, STRING
from evaluator.values.kind import Value

CHUNK = 500_000  # characters that are changed in one call
MOST_ELEMENTS = 20_000  # elements that are processed in one call
LONG_TEXT = 250  # characters; comparing many longer strings takes a noticeable time
MOST_COMPARED = 50_000_000  # characters that are compared in one call
MOST_PARTS = 50_000  # strings between matches that are joined in one call


def iterate_chunks(values: Iterable[Value]) -> Iterator[list[Value]]:
    """Yield the elements in lists of limited length."""
    rest = iter(values)
    while part := list(islice(rest, MOST_ELEMENTS)):
        yield part


def sort_chunked(values: Collection[Value]) -> list[Value]:
    """Return `sorted(values)`, for numbers or strings."""
    are_texts = isinstance(next(iter(values), None), str)
    if len(values) <= MOST_ELEMENTS:
        # each element is compared about as often as the number of elements has binary digits
        characters = sum(map(len, values)) if are_texts else 0
        if len(values) < 2 or characters * len(values).bit_length() <= MOST_COMPARED:
            return sorted(values)
    elif not are_texts or all(max(map(len, part)) <= LONG_TEXT for part in iterate_chunks(values)):
        from heapq import merge

        return list(merge(*map(sorted, iterate_chunks(values))))
    # of long strings even few comparisons take long, so each is a call of its own
    texts, middle = list(values), len(values) // 2
    return merge_sorted(sort_chunked(texts[:middle]), sort_chunked(texts[middle:]), gt)


def merge_sorted(
    left: list[Value], right: list[Value], compare: Callable[[Value, Value], int]
) -> list[Value]:
    """Return the elements of two sorted lists in order.

    `compare(left, right)` is greater than 0 if the right element precedes the left one.
    """
    merged, first, second = [], 0, 0
    while first < len(left) and second < len(right):
        if compare(left[first], right[second]) <= 0:
            merged.append(left[first])
            first += 1
        else:
            merged.append(right[second])
            second += 1
    return merged + left[first:] + right[second:]


def sort_characters(text: str) -> str:
    """Return `"".join(sorted(text))`."""
    count = Counter[str]()
    for part in iterate_text_chunks(text):
        count.update(part)
    return "".join(character * count[character] for character in sort_chunked(count))


def collect_distinct(values: Iterable[Value]) -> set[Value]:
    """Return `set(values)`."""
    distinct: set[Value] = set()
    for part in iterate_chunks(values):
        distinct.update(part)
    return distinct


def make_dict(keys: Iterable[Value], value: Value = None) -> dict[Value, Value]:
    """Return `dict.fromkeys(keys, value)`."""
    if isinstance(keys, list | str) and len(keys) <= MOST_ELEMENTS:
        return dict.fromkeys(keys, value)
    entries: dict[Value, Value] = {}
    for part in iterate_chunks(keys):
        entries.update(dict.fromkeys(part, value))
    return entries


def merge_dicts(hashes: Iterable[dict[Value, Value]]) -> dict[Value, Value]:
    """Return the entries of several hashes as one; of equal keys the last value counts."""
    merged: dict[Value, Value] = {}
    for entries in hashes:
        if not merged or len(entries) <= MOST_ELEMENTS:
            merged.update(entries)
        else:
            for part in iterate_chunks(entries.items()):
                merged.update(part)
    return merged


def collect_classes(values: Iterable[Value]) -> set[type]:
    """Return the classes of the elements."""
    if type(values) is list and len(values) <= MOST_ELEMENTS:
        return set(map(type, values))
    classes: set[type] = set()
    for part in iterate_chunks(values):
        classes.update(map(type, part))
    return classes


def iterate_text_chunks(text: str) -> Iterator[str]:
    """Yield a text in chunks, for operations that treat each character separately."""
    return (text[start : start + CHUNK] for start in range(0, len(text), CHUNK))


def find_run_end(character: re.Pattern[str], text: str, start: int = 0) -> int:
    """Return the end of a run of characters that begins at `start`.

    Args:
        character: Matches any number of the characters: `[a-z]*`.
        text: The text.
        start: The start of the run.
    """
    while True:
        match = character.match(text, start, start + CHUNK)
        assert match is not None
        if match.end() < start + CHUNK:
            return match.end()
        start = match.end()


def has_match(pattern: re.Pattern[str], text: str, longest: int) -> bool:
    """Return True when a pattern that examines at most `longest` characters matches in a text."""
    for start in range(0, max(len(text), 1), CHUNK):
        end = start + CHUNK
        match = pattern.search(text, start, end + longest - 1)
        # a match that begins later is complete in the next chunk
        if match is not None and match.start() < end:
            return True
    return False


def has_line_match(pattern: re.Pattern[str], text: str) -> bool:
    """Return True when a multi-line pattern that matches within a line matches in a text."""
    start = 0
    while (end := text.find("\n", start + CHUNK)) >= 0:
        if pattern.search(text, start, end) is not None:
            return True
        start = end + 1
    return pattern.search(text, start) is not None


def strip_text(text: str, blanks: str, *, left: bool = True, right: bool = True) -> str:
    """Return `text.strip(blanks)`, or strip one end only."""
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
    """Return a text changed chunk by chunk, for a change that treats characters separately.

    Raises:
        PuppetError: The result is too long for a String.
    """
    if len(text) <= CHUNK:  # nearly all
        changed = change(text)
        STRING.check(len(changed))
        return changed
    return join_checked("", map(change, iterate_text_chunks(text)))


def join_checked(separator: str, parts: Iterable[str]) -> str:
    """Return the joined parts. Raises PuppetError if they exceed the limit of a String."""
    checked, size = list[str](), 0
    for part in parts:
        checked.append(part)
        size += len(part) + len(separator)
        STRING.check(size)
    return separator.join(checked)


def split_text(text: str, separator: str) -> list[str]:
    """Return `text.split(separator)`.

    Raises:
        PuppetError: There are too many parts for an Array.
    """
    if len(text) < CHUNK and len(text) < COLLECTION.value:  # nearly all
        return text.split(separator)
    parts: list[str] = []
    start = 0
    while len(text) - start > CHUNK:
        pieces = text[start : start + CHUNK].split(separator)
        if len(pieces) == 1:
            end = text.find(separator, start)
            if end < 0:
                break
            parts.append(text[start:end])
            start = end + len(separator)
            continue
        start += CHUNK - len(pieces.pop())  # the last part may continue
        parts += pieces
        COLLECTION.check(len(parts))
    parts += text[start:].split(separator) if len(text) - start <= CHUNK else [text[start:]]
    COLLECTION.check(len(parts))
    return parts


def join_replaced(text: str, replacements: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with parts replaced. Raises PuppetError if it exceeds the limit of a string.

    Args:
        text: The text.
        replacements: Start and end of each part in order, and its replacement.
    """
    joined, parts = list[str](), list[str]()
    # The end of the text that was read, and the characters that may be added.
    done, room = 0, STRING.value - len(text)
    for start, end, new in replacements:
        parts += text[done:start], new
        done = end
        room -= len(new) - (end - start)
        if room < 0:
            raise STRING.make_error()
        if len(parts) > MOST_PARTS:
            joined.append("".join(parts))
            parts = []
    return "".join([*joined, *parts, text[done:]])
