"""Facts made from other facts: what if `os.family` were another one?

A change reaches the legacy name of a fact too, where the facts have it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from evaluator.facts.forms import NAMES, get_fact
from evaluator.values.kind import Value

_TRUTH = {"true": True, "false": False}


def parse_choices(text: str, facts: Mapping[str, Value]) -> tuple[str, list[Value]]:
    """Return a fact and its values from `os.family=RedHat,Suse`; each has the kind of the present value.

    Raises:
        ValueError: The text has no `=`, or a value has the wrong type.
    """
    name, sign, values = text.partition("=")
    if not sign or not name or not values:
        raise ValueError(f"'{text}' is not a change of a fact: write FACT=VALUE,VALUE")
    known = get_fact(facts, name)
    return name, [_convert(known, name, value) for value in values.split(",")]


def _convert(known: Value, name: str, text: str) -> Value:
    """Return a text as the kind of value that is known; as text where none is."""
    try:
        if isinstance(known, bool):
            return _TRUTH[text]
        return type(known)(text) if isinstance(known, int | float) else text
    except (KeyError, ValueError):
        raise ValueError(f"{name} is {known} in the facts, and cannot become '{text}'") from None


def change_facts(facts: Mapping[str, Value], changes: Mapping[str, Value]) -> dict[str, Value]:
    """Return the facts with some values replaced, which dotted names select: `os.release.major`."""
    found = dict(facts)
    for name, value in changes.items():
        _set_fact(found, name.split("."), value)
        for legacy, path in NAMES.items():
            if path == name and legacy in found:
                found[legacy] = value
    return found


def _set_fact(facts: dict[str, Value], path: Sequence[str], value: Value) -> None:
    """Set a value; the hashes on the way to it are copies of what was there."""
    name, *rest = path
    if rest:
        inner = facts.get(name)
        facts[name] = dict(inner) if isinstance(inner, Mapping) else {}
        _set_fact(facts[name], rest, value)
    else:
        facts[name] = value


def vary_facts(
    facts: Mapping[str, Value], values: Mapping[str, Sequence[Value]]
) -> dict[str, dict[str, Value]]:
    """Return a set of facts for each combination of values, by its description: `os.family=RedHat`.

    Args:
        facts: The facts to start from.
        values: The values of each fact, by its dotted name.
    """
    found = {}
    for choice in product(*values.values()):
        changes = dict(zip(values, choice, strict=True))
        found[" ".join(f"{name}={value}" for name, value in changes.items())] = change_facts(facts, changes)
    return found
