"""What a command line gives a session, and the files in it: facts, trusted data, what a classifier says."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from evaluator import Session, program
from evaluator.facts.shapes import facts_of_nodes
from puppet_kernel.decoding import SUFFIXES, decoded
from puppet_kernel.options import ALLOW_VARIABLE, Options, UsageError, listed

ENC_SECONDS, MOST_ANSWER = 30, 64_000_000  # for a classifier's answer, and the bytes of it
MOST_DATA, CHUNK = 1_000_000_000, 1_000_000  # bytes in a file that an option names, and of it at once


def new_session(options: Options) -> Session:
    """The Session that a command line asks for. Raises UsageError when it asks for what is not there."""
    try:
        return Session(**session_settings(options))
    except ValueError as problem:
        raise UsageError(str(problem)) from None


def session_settings(options: Options) -> dict[str, Any]:
    """The keyword arguments for a Session. Raises UsageError when a file cannot be read.

    The environment variable PUPPET_KERNEL_ALLOW permits as `--allow` does: kernels start without options.
    """
    try:
        settings = read_facts(options.facts, options.node) if options.facts is not None else {}
        if options.trusted is not None:
            settings["trusted"] = read_mapping(options.trusted, "trusted data")
        if options.exported is not None:
            settings["exported"] = exported_in(_content(options.exported, "resources"), options.exported)
        allowed = [*options.allow, *listed(os.environ.get(ALLOW_VARIABLE, ""))]
        if options.enc is not None:
            node = options.node or settings.get("node") or "localhost"
            settings["classification"] = classification(options.enc, node, runs="generate" in allowed)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    if options.hiera_config is not None and not os.path.isfile(options.hiera_config):
        raise UsageError(f"there is no file {options.hiera_config} for --hiera-config")
    settings |= {
        name: getattr(options, name)
        for name in ("dialect", "node", "environment", "hiera_config", "strict")
        if getattr(options, name) is not None
    }
    if options.strict_variables:
        settings["strict_variables"] = True
    if options.modulepath is not None:
        settings["modulepath"] = directories(options.modulepath)
    if options.limits:
        settings["limits"] = options.limits
    if allowed:
        settings["permissions"] = allowed
    settings["cache"] = cache_folder()
    return settings


def cache_folder() -> str:
    """Where what modules were compiled to is kept: under XDG_CACHE_HOME, by default ~/.cache."""
    return os.path.join(own_folder("XDG_CACHE_HOME", ".cache"), "puppet-kernel")


def own_folder(variable: str, *usual: str) -> str:
    """A folder of the person's, which a variable tells; by default that with the usual name below their own.

    A path that is not absolute counts as none, as who defines the variables says: it would lead into the folder of
    whatever notebook is opened.
    """
    told = os.environ.get(variable, "")
    return told if os.path.isabs(told) else os.path.abspath(os.path.join(os.path.expanduser("~"), *usual))


def directories(path: str) -> list[str]:
    """The directories of a path as it is written: with colons between them."""
    return [part for part in path.split(":") if part]


def read_facts(name: str, node: str | None = None) -> dict[str, Any]:
    """Keyword arguments for a Session: `facts`, from a file or a bundled set, and `node` where the file names it.

    node  whose facts are meant where the file has those of several
    Raises ValueError.
    """
    if not os.path.exists(name) and not name.endswith(SUFFIXES):
        return {"facts": name}
    return facts_in(_content(name, "facts"), name, node)


def facts_in(content: bytes, name: str, node: str | None = None) -> dict[str, Any]:
    """What `read_facts` gives for the content of a file. Raises ValueError."""
    try:
        nodes = facts_of_nodes(decoded(content, name))
    except ValueError as problem:
        raise ValueError(f"cannot read the facts in {name}: {problem}") from None
    if node not in nodes and len(nodes) > 1:
        known = ", ".join(sorted(nodes))
        raise ValueError(f"{name} holds the facts of several nodes, of which the node is none: {known}")
    found = node if node in nodes else next(iter(nodes))
    return {"facts": nodes[found], "node": found} if found else {"facts": nodes[found]}


def fleet_in(content: bytes, path: str) -> dict[str, dict[str, Any]]:
    """Node -> facts of what a file holds: a node that the file does not name is called as its facts or the file say.

    Raises ValueError.
    """
    try:
        nodes = facts_of_nodes(decoded(content, path))
    except ValueError as problem:
        raise ValueError(f"cannot read the facts in {path}: {problem}") from None
    return {node or _name_in(facts) or Path(path).stem: facts for node, facts in nodes.items()}


def _name_in(facts: dict[str, Any]) -> str:
    """What facts call their node, "" when they do not."""
    networking = facts.get("networking")
    name = facts.get("clientcert") or (networking.get("fqdn") if isinstance(networking, dict) else None)
    return str(name or facts.get("fqdn") or "")


def read_fleet(paths: list[str]) -> dict[str, dict[str, Any]]:
    """Node -> facts of files, and of the files in folders. Raises ValueError, also for a node that is there twice."""
    found: dict[str, dict[str, Any]] = {}
    for path in paths:
        held = sorted(os.listdir(path)) if os.path.isdir(path) else None
        files = [path] if held is None else [os.path.join(path, one) for one in held]
        for file in files:
            if held is None or file.endswith(SUFFIXES):
                join_fleet(found, fleet_in(_content(file, "facts"), file), file)
    return found


def join_fleet(known: dict[str, dict[str, Any]], further: dict[str, dict[str, Any]], where: str) -> None:
    """Adds nodes to others. Raises ValueError for one that is there already."""
    for node, facts in further.items():
        if node in known:
            raise ValueError(f"there are two sets of facts for {node}, one of them in {where}")
        known[node] = facts


def read_mapping(path: str, what: str) -> dict[str, Any]:
    """The mapping in a JSON or YAML file, which holds `what`. Raises ValueError."""
    return _mapping(_content(path, what), path, what)


def exported_in(content: bytes, name: str) -> Any:
    """What the content of a file tells of other nodes. Raises ValueError."""
    try:
        return decoded(content, name)
    except ValueError as problem:
        raise ValueError(f"cannot read the resources in {name}: {problem}") from None


def _mapping(content: bytes, name: str, what: str) -> dict[str, Any]:
    try:
        found = decoded(content, name)
    except ValueError as problem:
        raise ValueError(f"cannot read the {what} in {name}: {problem}") from None
    if not isinstance(found, dict):
        raise ValueError(f"the {what} in {name}: no mapping of names to values")
    return found


def classification(path: str, node: str, *, runs: bool) -> dict[str, Any]:
    """What a classifier says of a node: a file with its answer, or the program that gives it for a name.

    runs  whether programs may be run
    Raises ValueError.
    """
    if path.endswith(SUFFIXES) or not (os.path.isfile(path) and os.access(path, os.X_OK)):
        return read_mapping(path, "classification")
    if not runs:
        raise ValueError(f"{path} is a program: it is run with `--allow generate` only")
    said = bytearray()
    try:
        with program.Program([os.path.abspath(path), node], apart=True) as classifier:
            for data in classifier.chunks(ENC_SECONDS):
                said += data
                if len(said) > MOST_ANSWER:
                    raise ValueError(f"{path} {node} wrote more than {MOST_ANSWER:,} bytes")
            status = classifier.status(ENC_SECONDS)
    except TimeoutError:
        raise ValueError(f"{path} {node} gave no answer within {ENC_SECONDS} seconds") from None
    except OSError as problem:
        raise ValueError(f"cannot run {path}: {problem.strerror}") from None
    if status:
        words = classifier.complaints.decode("utf-8", "replace").strip()
        raise ValueError(f"{path} {node} ended with {status}{f': {words}' if words else ''}")
    return _mapping(bytes(said), f"{path} {node}", "classification")


def _content(path: str, what: str) -> bytes:
    try:
        with open(path, "rb") as file:
            found = bytearray()
            while data := file.read(CHUNK):
                found += data
                if len(found) > MOST_DATA:  # a device would give more and more
                    raise ValueError(
                        f"cannot read the {what} in {path}: it has more than {MOST_DATA:,} bytes"
                    )
            return bytes(found)
    except OSError as problem:
        raise ValueError(f"cannot read the {what} in {path}: {problem.strerror}") from None
