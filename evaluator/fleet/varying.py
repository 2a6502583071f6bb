"""Facts made from other facts: what if `os.family` were another one?

A change reaches the legacy name of a fact too, where the facts have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from evaluator.facts.legacy import NAMES

_LEGACY: dict[str, list[str]] = {}
for _name, _path in NAMES.items():
    _LEGACY.setdefault(_path, []).append(_name)


def changed(facts: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with other values for some of them, which are told by dotted names: `os.release.major`."""
    found = dict(facts)
    for name, value in changes.items():
        _set(found, name.split("."), value)
        for legacy in _LEGACY.get(name, ()):
            if legacy in found:
                found[legacy] = value
    return found


def _set(facts: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Sets a value; the hashes on the way to it are copies of what was there."""
    name, *rest = path
    if rest:
        inner = facts.get(name)
        facts[name] = dict(inner) if isinstance(inner, Mapping) else {}
        _set(facts[name], rest, value)
    else:
        facts[name] = value


def varied(facts: Mapping[str, Any], values: Mapping[str, Sequence[Any]]) -> dict[str, dict[str, Any]]:
    """Node -> facts, one node for each way to choose a value for every fact: `os.family=RedHat`.

    values  dotted name of a fact -> the values that it takes
    """
    found = {}
    for choice in product(*values.values()):
        changes = dict(zip(values, choice, strict=True))
        found[",".join(f"{name}={value}" for name, value in changes.items())] = changed(facts, changes)
    return found
