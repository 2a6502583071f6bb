"""YAML that a person or a command names: data and nothing else, which costs what its text is long.

A text of a few lines may stand for more values than there is room for: what an alias names counts each time. So that is
counted before a value is made, and what contains itself, or is nested deeper than anybody writes, is refused.
"""

from __future__ import annotations

from typing import Any

import yaml

from puppet_kernel.given import DEEPEST

MOST_NODES = 1_000_000  # that aliases make of a text


# what YAML has beside mappings, lists and scalars that JSON has
_OTHERS = ("timestamp", "binary", "set", "omap", "pairs")


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Tags that name objects, of a program or of YAML, stand for the data in them."""


def _data(loader: Any, _: str, node: Any) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node)


_Loader.add_multi_constructor("!", _data)
for _name in _OTHERS:
    _Loader.add_constructor(f"tag:yaml.org,2002:{_name}", lambda loader, node: _data(loader, "", node))


def read(text: str) -> Any:
    """The data of a text with one document. Raises ValueError."""
    loader = None
    try:
        _check_depth(text)
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _Weights().of(node)
        return loader.construct_document(node)
    except yaml.YAMLError as problem:
        raise ValueError(str(problem).replace("\n", " ")) from None
    except LookupError:  # of `!!bool x` and `!!int ''`
        raise ValueError("a value in it is not of the type that its tag says") from None
    finally:
        if loader is not None:
            loader.dispose()


def _check_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise ValueError(f"it is nested more than {DEEPEST} deep")


class _Weights:
    """How many nodes stand in a node, one that has several names as often as it is named."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._shared = False

    def of(self, node: Any) -> int:
        """The weight of a node. Raises ValueError for one that is too large or contains itself."""
        if isinstance(node, yaml.ScalarNode):
            return 1
        known = self._known.get(id(node))
        if known is not None:
            if not known:
                raise ValueError("an alias in it names what it stands in")
            self._shared = True
            return known
        self._known[id(node)] = 0
        inner = (
            node.value
            if isinstance(node, yaml.SequenceNode)
            else (one for pair in node.value for one in pair)
        )
        weight = 1 + sum(map(self.of, inner))
        if self._shared and weight > MOST_NODES:
            raise ValueError(f"its aliases make more than {MOST_NODES:,} values")
        self._known[id(node)] = weight
        return weight
