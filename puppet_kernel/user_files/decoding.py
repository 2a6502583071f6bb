"""JSON and YAML in files that the user names, decoded as plain data within limits.

A few lines of YAML can expand to more values than memory holds, because an alias repeats what it names. The values
are
therefore counted before any is made; a value that contains itself or is nested too deeply is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from lexer_parser.memo import memoize

SUFFIXES = (".json", ".yaml", ".yml")
MAX_NODES = 1_000_000  # of a document, after its aliases are expanded

Data = Any  # decoded JSON or YAML: None, bool, int, float, str, and lists and mappings of them


def decode_data(content: bytes, name: str) -> Data:
    """Return the data in a file: JSON if its name ends in .json, else YAML.

    Raise ValueError for damaged data.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    return _decode_json(text) if name.endswith(".json") else _decode_yaml(text)


def _make_depth_error() -> ValueError:
    return ValueError(f"it is nested more than {_load_format().MAX_DEPTH} deep")


def _load_format() -> ModuleType:
    from evaluator.values import yaml_format  # most users name no file of data

    return yaml_format


def _decode_json(text: str) -> Data:
    import json

    try:
        found = json.loads(text)
    except RecursionError:
        raise _make_depth_error() from None
    inner = [found]
    for _ in range(_load_format().MAX_DEPTH):
        inner = [part for whole in inner for part in _iterate_parts(whole) if isinstance(part, dict | list)]
        if not inner:
            return found
    raise _make_depth_error()


def _iterate_parts(whole: Data) -> Iterable[Data]:
    return whole.values() if isinstance(whole, dict) else whole if isinstance(whole, list) else ()


# --- YAML

# Tags of YAML for kinds of values that JSON lacks.
_EXTRA_TAGS = ("timestamp", "binary", "set", "omap", "pairs")


@memoize(owner="one result")
def _loader() -> Any:
    """Return a loader of PyYAML that ignores tags: a tagged value is decoded as the data in it."""
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
    for name in _EXTRA_TAGS:
        Loader.add_constructor(f"tag:yaml.org,2002:{name}", lambda loader, node: data(loader, "", node))
    return Loader


def _decode_yaml(text: str) -> Data:
    """Return the data of a text with one document, or raise ValueError."""
    import yaml

    form = _load_format()
    try:
        if any(depth > form.MAX_DEPTH for _, depth in form.iterate_events(text, _loader())):
            raise _make_depth_error()
        loader = _loader()(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _NodeCounter().count(node)
            return loader.construct_document(node)
        finally:
            loader.dispose()
    except yaml.YAMLError as problem:
        raise ValueError(str(problem).replace("\n", " ")) from None
    except LookupError:  # of `!!bool x` and `!!int ''`
        raise ValueError("a value in it is not of the type that its tag says") from None


class _NodeCounter:
    """A counter of the nodes below a YAML node, in which an anchor counts as often as aliases name it."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}
        self._shared = False

    def count(self, node: Any) -> int:
        """Return the number of nodes; raise ValueError for too many, or a node within itself."""
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
        total = 1 + sum(map(self.count, inner))
        if self._shared and total > MAX_NODES:
            raise ValueError(f"its aliases make more than {MAX_NODES:,} values")
        self._known[id(node)] = total
        return total
