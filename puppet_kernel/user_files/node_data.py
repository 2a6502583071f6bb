"""Data in files, JSON or YAML: facts, trusted data, exported resources, classifications.

Functions that raise ValueError raise it with a sentence that names the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evaluator import program
from evaluator.facts.forms import read_node_facts
from evaluator.values import yaml_format
from lexer_parser.memo import memoize
from lexer_parser.record import Record, fresh

SUFFIXES = (".json", ".yaml", ".yml")
MAX_NODES = 1_000_000  # values in a document, after its aliases are expanded
_TOO_DEEP = f"it is nested more than {yaml_format.MAX_DEPTH} deep"

Data = Any  # decoded JSON or YAML: None, bool, int, float, str, and lists and mappings of them


def decode_data(content: bytes, name: str) -> Data:
    """Return the data in a file, JSON or YAML by its name; raise ValueError for damaged data."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    return _decode_json(text) if name.endswith(".json") else _decode_yaml(text)


def _decode_json(text: str) -> Data:
    """Return the data of a text, or raise ValueError."""
    import json

    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    level = [data]  # the values at one depth of nesting
    for _ in range(yaml_format.MAX_DEPTH + 1):
        containers = [value for value in level if isinstance(value, dict | list)]
        if not containers:
            return data
        level = [
            value
            for container in containers
            for value in (container.values() if isinstance(container, dict) else container)
        ]
    raise ValueError(_TOO_DEEP)


# --- YAML

# Tags of YAML for kinds of values that JSON lacks.
_EXTRA_TAGS = ("timestamp", "binary", "set", "omap", "pairs")


@memoize(unbounded_because="one result")
def _make_loader() -> Any:
    """Return a loader of PyYAML that ignores tags; it decodes the data in a tagged value."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    def construct_untagged(loader: Any, _: str, node: Any) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("!", construct_untagged)
    for name in _EXTRA_TAGS:
        Loader.add_constructor(
            f"tag:yaml.org,2002:{name}", lambda loader, node: construct_untagged(loader, "", node)
        )
    return Loader


def _decode_yaml(text: str) -> Data:
    """Return the data of a text with one document, or raise ValueError."""
    import yaml

    try:
        if any(
            depth > yaml_format.MAX_DEPTH for _, depth in yaml_format.iterate_events(text, _make_loader())
        ):
            raise ValueError(_TOO_DEEP)
        loader = _make_loader()(text)
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
        raise ValueError("a value in it does not match its tag") from None


class _NodeCounter(Record):
    """A counter of the nodes below a YAML node, in which each alias counts as its anchor.

    A few lines of YAML can expand to more values than memory holds. The values are therefore counted before any is
    made; a value that contains itself or is nested too deeply is refused.

    Attributes:
        _counts: The counts by the identity of a node; 0 while it is being counted.
    """

    _counts: dict[int, int] = fresh(factory=dict)
    _has_aliases: bool = False

    def count(self, node: Any) -> int:
        """Return the number of nodes; raise ValueError for too many, or a node within itself."""
        if node.id == "scalar":
            return 1
        count = self._counts.get(id(node))
        if count is not None:
            if not count:
                raise ValueError("an alias in it refers to a value that contains it")
            self._has_aliases = True
            return count
        self._counts[id(node)] = 0
        children = node.value if node.id == "sequence" else (child for pair in node.value for child in pair)
        count = 1 + sum(map(self.count, children))
        if self._has_aliases and count > MAX_NODES:
            raise ValueError(f"its aliases make more than {MAX_NODES:,} values")
        self._counts[id(node)] = count
        return count


# --- Facts and other contents


CLASSIFIER_SECONDS = 30  # the longest time without output of an external node classifier
CLASSIFIER_BYTES = 64_000_000
MAX_BYTES, CHUNK_BYTES = 1_000_000_000, 1_000_000  # of a file that an option names, and of one read from it

Facts = dict[str, Data]


def read_facts(name: str, node: str | None = None) -> dict[str, Data]:
    """Return the arguments `facts` and, where the file names the node, `node` of a Session.

    Args:
        name: A file, or the name of a bundled set of facts.
        node: The node to select from a file with the facts of several.

    Raises:
        ValueError: The file cannot be read, or contains several nodes but not this one.
    """
    if not os.path.exists(name) and not name.endswith(SUFFIXES):
        return {"facts": name}
    return parse_facts(read_bytes(name, "facts"), name, node)


def parse_facts(content: bytes, name: str, node: str | None) -> dict[str, Data]:
    """Return what `read_facts` returns for the content of a file, or raise ValueError."""
    nodes = _parse_nodes(content, name)
    if node not in nodes and len(nodes) > 1:
        names = ", ".join(sorted(nodes))
        raise ValueError(
            f"{name} contains the facts of several nodes; select one of them as the node: {names}"
        )
    selected = node if node in nodes else next(iter(nodes))
    return {"facts": nodes[selected], "node": selected} if selected else {"facts": nodes[selected]}


def parse_fleet_facts(content: bytes, path: str) -> dict[str, Facts]:
    """Return the facts in a file by node, or raise ValueError.

    A node that the file does not name is called as its facts say, or else as the file.
    """
    nodes = _parse_nodes(content, path)
    return {node or _find_node_name(facts) or Path(path).stem: facts for node, facts in nodes.items()}


def _parse_nodes(content: bytes, name: str) -> dict[str, Facts]:
    with _convert_to_value_error("facts", name):
        return read_node_facts(decode_data(content, name))


@contextmanager
def _convert_to_value_error(contents: str, name: str) -> Iterator[None]:
    """Convert errors of reading a file to a ValueError that names the contents and the file."""
    try:
        yield
    except (OSError, ValueError) as problem:
        raise ValueError(
            f"cannot read the {contents} in {name}: {getattr(problem, 'strerror', None) or problem}"
        ) from None


def _find_node_name(facts: Facts) -> str:
    """Return the name by which facts call their node, or "" where they do not."""
    networking = facts.get("networking")
    name = facts.get("clientcert") or (networking.get("fqdn") if isinstance(networking, dict) else None)
    return str(name or facts.get("fqdn") or "")


def read_fleet_facts(paths: list[str]) -> dict[str, Facts]:
    """Return the facts in files, and in the files of folders, by node.

    Raises:
        ValueError: A file cannot be read, or a node occurs twice.
    """
    nodes: dict[str, Facts] = {}
    for path in paths:
        entries = sorted(os.listdir(path)) if os.path.isdir(path) else None
        files = [path] if entries is None else [os.path.join(path, entry) for entry in entries]
        for file in files:
            if entries is None or file.endswith(SUFFIXES):
                add_nodes(nodes, parse_fleet_facts(read_bytes(file, "facts"), file), file)
    return nodes


def add_nodes(nodes: dict[str, Facts], more: dict[str, Facts], origin: str) -> None:
    """Add the nodes of a file, `origin`, or raise ValueError for a node that is there already."""
    for node, facts in more.items():
        if node in nodes:
            raise ValueError(f"there are two sets of facts for {node}, one of them in {origin}")
        nodes[node] = facts


def read_mapping(path: str, contents: str) -> dict[str, Data]:
    """Return the mapping in a JSON or YAML file; `contents` names in errors what it contains."""
    return _parse_mapping(read_bytes(path, contents), path, contents)


def parse_exported(content: bytes, name: str) -> Data:
    """Return the content of a file with data about other nodes, or raise ValueError."""
    with _convert_to_value_error("resources", name):
        return decode_data(content, name)


def _parse_mapping(content: bytes, name: str, contents: str) -> dict[str, Data]:
    """Return the mapping in the content of a file, or raise ValueError."""
    with _convert_to_value_error(contents, name):
        mapping = decode_data(content, name)
    if not isinstance(mapping, dict):
        raise ValueError(f"the {contents} in {name}: expected a mapping of names to values")
    return mapping


def read_classification(path: str, node: str, *, may_run: bool) -> dict[str, Data]:
    """Return the classification of a node by an external node classifier.

    Args:
        path: A file with the classification, or the program that prints it for a node.
        node: The certname of the node.
        may_run: True if programs are permitted.

    Raises:
        ValueError: There is no classification, or the program may not run.
    """
    if path.endswith(SUFFIXES) or not (os.path.isfile(path) and os.access(path, os.X_OK)):
        return read_mapping(path, "classification")
    if not may_run:
        raise ValueError(f"{path} is a program: it runs only with `--allow generate`")
    output = bytearray()
    try:
        with program.CompanionProcess([os.path.abspath(path), node], separates_errors=True) as classifier:
            for data in classifier.chunks(CLASSIFIER_SECONDS):
                output += data
                if len(output) > CLASSIFIER_BYTES:
                    raise ValueError(f"{path} {node} wrote more than {CLASSIFIER_BYTES:,} bytes")
            status = classifier.status(CLASSIFIER_SECONDS)
    except TimeoutError:
        raise ValueError(f"{path} {node} did not answer within {CLASSIFIER_SECONDS} seconds") from None
    except OSError as problem:
        raise ValueError(f"cannot run {path}: {problem.strerror}") from None
    if status:
        words = classifier.error_output.decode("utf-8", "replace").strip()
        raise ValueError(f"{path} {node} ended with {status}{f': {words}' if words else ''}")
    return _parse_mapping(bytes(output), f"{path} {node}", "classification")


def read_bytes(path: str, contents: str) -> bytes:
    """Return the bytes of a file, or raise ValueError, which names its contents."""
    with _convert_to_value_error(contents, path), open(path, "rb") as file:
        content = bytearray()
        while chunk := file.read(CHUNK_BYTES):
            content += chunk
            if len(content) > MAX_BYTES:  # a device has no end
                raise ValueError(f"it has more than {MAX_BYTES:,} bytes")
        return bytes(content)
