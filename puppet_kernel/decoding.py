"""JSON and YAML in files that a person or a command names: data and nothing else, which costs what its text is long.

A YAML of a few lines may stand for more values than there is room for: what an alias names counts each time. So that is
counted before a value is made, and what contains itself, or is nested deeper than anybody writes, is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from evaluator.values.yaml_events import DEEPEST, events

SUFFIXES = (".json", ".yaml", ".yml")
MOST_NODES = 1_000_000  # that aliases make of a text


def decoded(content: bytes, name: str) -> Any:
    """The data in a file with that name. Raises ValueError."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    return _json(text) if name.endswith(".json") else _yaml(text)


def _too_deep() -> ValueError:
    return ValueError(f"it is nested more than {DEEPEST} deep")


def _json(text: str) -> Any:
    import json

    try:
        found = json.loads(text)
    except RecursionError:
        raise _too_deep() from None
    inner = [found]
    for _ in range(DEEPEST):
        inner = [part for whole in inner for part in _parts(whole) if isinstance(part, dict | list)]
        if not inner:
            return found
    raise _too_deep()


def _parts(whole: Any) -> Iterable[Any]:
    return whole.values() if isinstance(whole, dict) else whole if isinstance(whole, list) else ()


# --- YAML

# what YAML has beside mappings, lists and scalars that JSON has
_OTHERS = ("timestamp", "binary", "set", "omap", "pairs")


@cache
def _loader() -> Any:
    """The loader of PyYAML to which tags that name objects, of a program or of YAML, stand for the data in them."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    def data(loader: Any, _: str, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("!", data)
    for name in _OTHERS:
        Loader.add_constructor(f"tag:yaml.org,2002:{name}", lambda loader, node: data(loader, "", node))
    return Loader


def _yaml(text: str) -> Any:
    """The data of a text with one document. Raises ValueError."""
    import yaml

    try:
        if any(depth > DEEPEST for _, depth in events(text, _loader())):
            raise _too_deep()
        loader = _loader()(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _Weights().of(node)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as problem:
        raise ValueError(str(problem).replace("\n", " ")) from None
    except LookupError:  # of `!!bool x` and `!!int ''`
        raise ValueError("a value in it is not of the type that its tag says") from None


class _Weights:
    """How many nodes stand in a node, one that has several names as often as it is named."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._shared = False

    def of(self, node: Any) -> int:
        """The weight of a node. Raises ValueError for one that is too large or contains itself."""
        if node.id == "scalar":
            return 1
        known = self._known.get(id(node))
        if known is not None:
            if not known:
                raise ValueError("an alias in it names what it stands in")
            self._shared = True
            return known
        self._known[id(node)] = 0
        inner = node.value if node.id == "sequence" else (one for pair in node.value for one in pair)
        weight = 1 + sum(map(self.of, inner))
        if self._shared and weight > MOST_NODES:
            raise ValueError(f"its aliases make more than {MOST_NODES:,} values")
        self._known[id(node)] = weight
        return weight
