"""Facts made from other facts: what if `os.family` were another one?

A change reaches the legacy name of a fact too, where the facts have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from evaluator.facts.legacy import NAMES

_TRUTH = {"true": True, "false": False}


def parse_choices(text: str, facts: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """A fact and the values that it takes, out of `os.family=RedHat,Suse`: each of the kind that it has in the facts.

    Raises ValueError for a text without `=`, and for a value of another kind.
    """
    name, sign, values = text.partition("=")
    if not sign or not name or not values:
        raise ValueError(f"'{text}' is no change of a fact: FACT=VALUE,VALUE")
    known: Any = facts
    for step in name.split("."):
        known = known.get(step) if isinstance(known, Mapping) else None
    return name, [_convert(known, name, value) for value in values.split(",")]


def _convert(known: Any, name: str, text: str) -> Any:
    """A text as the kind of value that is known; as text where none is."""
    try:
        if isinstance(known, bool):
            return _TRUTH[text]
        return type(known)(text) if isinstance(known, int | float) else text
    except (KeyError, ValueError):
        raise ValueError(f"{name} is {known} in the facts, and cannot become '{text}'") from None


def change_facts(facts: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with other values for some of them, which are told by dotted names: `os.release.major`."""
    found = dict(facts)
    for name, value in changes.items():
        _set_fact(found, name.split("."), value)
        for legacy, path in NAMES.items():
            if path == name and legacy in found:
                found[legacy] = value
    return found


def _set_fact(facts: dict[str, Any], path: Sequence[str], value: Any) -> None:
    """Sets a value; the hashes on the way to it are copies of what was there."""
    name, *rest = path
    if rest:
        inner = facts.get(name)
        facts[name] = dict(inner) if isinstance(inner, Mapping) else {}
        _set_fact(facts[name], rest, value)
    else:
        facts[name] = value


def vary_facts(facts: Mapping[str, Any], values: Mapping[str, Sequence[Any]]) -> dict[str, dict[str, Any]]:
    """What is chosen -> facts, one set for each way to choose a value for every fact: `os.family=RedHat`.

    values  dotted name of a fact -> the values that it takes
    """
    found = {}
    for choice in product(*values.values()):
        changes = dict(zip(values, choice, strict=True))
        found[" ".join(f"{name}={value}" for name, value in changes.items())] = change_facts(facts, changes)
    return found
