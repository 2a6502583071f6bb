"""Data about nodes in files: facts, trusted data, exported resources, classifications.

Functions that raise ValueError raise it with a sentence that names the file.
"""

from __future__ import annotations

import os
from pathlib import Path

from evaluator import program
from evaluator.facts.forms import read_node_facts
from puppet_kernel.user_files.decoding import SUFFIXES, Data, decode_data

CLASSIFIER_SECONDS = 30
CLASSIFIER_BYTES = 64_000_000
MAX_BYTES, CHUNK_BYTES = 1_000_000_000, 1_000_000  # of a file that an option names, and of one read from it

Facts = dict[str, Data]


def read_facts(name: str, node: str | None = None) -> dict[str, Data]:
    """Return the arguments `facts` and, where the file names the node, `node` of a Session.

    Args:
        name: A file, or the name of a bundled set of facts.
        node: The node to select from a file with the facts of several.

    Raises:
        ValueError: The file cannot be read, or holds several nodes but not this one.
    """
    if not os.path.exists(name) and not name.endswith(SUFFIXES):
        return {"facts": name}
    return parse_facts(read_bytes(name, "facts"), name, node)


def parse_facts(content: bytes, name: str, node: str | None = None) -> dict[str, Data]:
    """Return what `read_facts` returns for the content of a file, or raise ValueError."""
    nodes = _parse_nodes(content, name)
    if node not in nodes and len(nodes) > 1:
        known = ", ".join(sorted(nodes))
        raise ValueError(f"{name} holds the facts of several nodes, of which the node is none: {known}")
    found = node if node in nodes else next(iter(nodes))
    return {"facts": nodes[found], "node": found} if found else {"facts": nodes[found]}


def parse_fleet_facts(content: bytes, path: str) -> dict[str, Facts]:
    """Return the facts in a file by node, or raise ValueError.

    A node that the file does not name is called as its facts say, or else as the file.
    """
    nodes = _parse_nodes(content, path)
    return {node or _find_node_name(facts) or Path(path).stem: facts for node, facts in nodes.items()}


def _parse_nodes(content: bytes, name: str) -> dict[str, Facts]:
    try:
        return read_node_facts(decode_data(content, name))
    except ValueError as problem:
        raise ValueError(f"cannot read the facts in {name}: {problem}") from None


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


def add_nodes(known: dict[str, Facts], further: dict[str, Facts], origin: str) -> None:
    """Add nodes to others, or raise ValueError for a node that is already known."""
    for node, facts in further.items():
        if node in known:
            raise ValueError(f"there are two sets of facts for {node}, one of them in {origin}")
        known[node] = facts


def read_mapping(path: str, contents: str) -> dict[str, Data]:
    """Return the mapping in a JSON or YAML file.

    `contents` names in errors what the file holds.
    """
    return _parse_mapping(read_bytes(path, contents), path, contents)


def parse_exported(content: bytes, name: str) -> Data:
    """Return what the content of a file says about other nodes, or raise ValueError."""
    try:
        return decode_data(content, name)
    except ValueError as problem:
        raise ValueError(f"cannot read the resources in {name}: {problem}") from None


def _parse_mapping(content: bytes, name: str, contents: str) -> dict[str, Data]:
    try:
        found = decode_data(content, name)
    except ValueError as problem:
        raise ValueError(f"cannot read the {contents} in {name}: {problem}") from None
    if not isinstance(found, dict):
        raise ValueError(f"the {contents} in {name}: no mapping of names to values")
    return found


def read_classification(path: str, node: str, *, may_run: bool) -> dict[str, Data]:
    """Return what an external node classifier says about a node.

    Args:
        path: A file with the answer, or the program that prints the answer for a name.
        node: The certname of the node.
        may_run: True if programs are permitted.

    Raises:
        ValueError: There is no answer, or the program may not run.
    """
    if path.endswith(SUFFIXES) or not (os.path.isfile(path) and os.access(path, os.X_OK)):
        return read_mapping(path, "classification")
    if not may_run:
        raise ValueError(f"{path} is a program: it is run with `--allow generate` only")
    output = bytearray()
    try:
        with program.CompanionProcess([os.path.abspath(path), node], apart=True) as classifier:
            for data in classifier.chunks(CLASSIFIER_SECONDS):
                output += data
                if len(output) > CLASSIFIER_BYTES:
                    raise ValueError(f"{path} {node} wrote more than {CLASSIFIER_BYTES:,} bytes")
            status = classifier.status(CLASSIFIER_SECONDS)
    except TimeoutError:
        raise ValueError(f"{path} {node} gave no answer within {CLASSIFIER_SECONDS} seconds") from None
    except OSError as problem:
        raise ValueError(f"cannot run {path}: {problem.strerror}") from None
    if status:
        words = classifier.complaints.decode("utf-8", "replace").strip()
        raise ValueError(f"{path} {node} ended with {status}{f': {words}' if words else ''}")
    return _parse_mapping(bytes(output), f"{path} {node}", "classification")


def read_bytes(path: str, contents: str) -> bytes:
    """Return the bytes of a file, or raise ValueError.

    `contents` names in errors what the file holds.
    """
    try:
        with open(path, "rb") as file:
            found = bytearray()
            while data := file.read(CHUNK_BYTES):
                found += data
                if len(found) > MAX_BYTES:  # a device never ends
                    raise ValueError(
                        f"cannot read the {contents} in {path}: it has more than {MAX_BYTES:,} bytes"
                    )
            return bytes(found)
    except OSError as problem:
        raise ValueError(f"cannot read the {contents} in {path}: {problem.strerror}") from None
