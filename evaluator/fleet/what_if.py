"""Variants of a node's facts, with which its program is compiled to see their effect.

If a fact has a legacy name in the facts, `osfamily` for `os.family`, a change is made under both names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from evaluator.facts.forms import NAMES, get_fact
from evaluator.values.kind import Value

_TRUTH = {"true": True, "false": False}


def parse_choices(text: str, facts: Mapping[str, Value]) -> tuple[str, list[Value]]:
    """Return a fact and its new values from a text such as `os.family=RedHat,Suse`.

    Raises:
        ValueError: The text has no `=`, or a value has the wrong type.
    """
    name, sign, values = text.partition("=")
    if not sign or not name or not values:
        raise ValueError(f"'{text}' is not a change of a fact: write FACT=VALUE,VALUE")
    present = get_fact(facts, name)
    return name, [_convert(present, name, value) for value in values.split(",")]


def _convert(present: Value, name: str, text: str) -> Value:
    """Return a text as a Boolean or number if the present value of the fact is one."""
    try:
        if isinstance(present, bool):
            return _TRUTH[text]
        return type(present)(text) if isinstance(present, int | float) else text
    except (KeyError, ValueError):
        raise ValueError(f"{name} is {present} in the facts, and cannot become '{text}'") from None


def change_facts(facts: Mapping[str, Value], changes: Mapping[str, Value]) -> dict[str, Value]:
    """Return the facts with some values replaced, which dotted names select: `os.release.major`."""
    changed = dict(facts)
    for name, value in changes.items():
        _set_fact(changed, name.split("."), value)
        for legacy, path in NAMES.items():
            if path == name and legacy in changed:
                changed[legacy] = value
    return changed


def _set_fact(facts: dict[str, Value], path: Sequence[str], value: Value) -> None:
    """Set the value at a path of names; the hashes on the path are replaced by copies."""
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
    variants = {}
    for choice in product(*values.values()):
        changes = dict(zip(values, choice, strict=True))
        variants[" ".join(f"{name}={value}" for name, value in changes.items())] = change_facts(
            facts, changes
        )
    return variants
