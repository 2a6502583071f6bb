"""Facts of the node that a session compiles for: given, bundled by the name of a system, or a small neutral set."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from evaluator.facts.forms import make_neutral_facts


def list_fact_sets() -> list[str]:
    """The names of the bundled fact sets, sorted."""
    return sorted(_load_systems().SYSTEMS)


def _fill(value: Any) -> Any:
    """Facts, or a part of them, with an empty text for what has no value: a node sends them so."""
    if isinstance(value, dict):  # most facts are strings
        return {name: part if type(part) is str else _fill(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_fill(part) for part in value]
    return "" if value is None else value


def read_facts(facts: Mapping[str, Any] | str | None, node: str) -> dict[str, Any]:
    """The facts that a session was asked to use: a mapping, the name of a bundled set, or None for the default.

    Raises ValueError for an unknown name.
    """
    if facts is None:
        return make_neutral_facts(node)
    if not isinstance(facts, str):
        given: dict[str, Any] = _fill(dict(facts))
        return given
    systems = _load_systems()
    if facts not in systems.SYSTEMS:
        raise ValueError(f"there is no fact set '{facts}'; bundled are: {', '.join(list_fact_sets())}")
    found: dict[str, Any] = systems.make_system_facts(systems.SYSTEMS[facts], node)
    return found


def _load_systems() -> ModuleType:
    """The table of systems, which most sessions do without."""
    from evaluator.facts import systems

    return systems
