"""How deep a YAML text is nested, told before a value is made of it: a level takes one character to write."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

DEEPEST = 100  # levels that a text may have


def events(text: str, loader: Any) -> Iterator[tuple[Any, int]]:
    """What a class of PyYAML's loaders meets in a text, and how many levels are open then. Raises YAMLError."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        yield event, depth
