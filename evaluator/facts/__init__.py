"""The facts of the node that a session compiles for.

They are passed by the user, bundled under the name of a system, or a small neutral set.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

from evaluator.facts.forms import make_neutral_facts


def list_fact_sets() -> list[str]:
    """Return the names of the bundled fact sets, sorted."""
    return sorted(_load_systems().SYSTEMS)


def _fill_empty(value: Any) -> Any:
    """Return facts, or a part of them, with "" for null, as a node sends them."""
    if isinstance(value, dict):  # most facts are strings
        return {name: part if type(part) is str else _fill_empty(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_fill_empty(part) for part in value]
    return "" if value is None else value


def read_facts(facts: Mapping[str, Any] | str | None, node: str) -> dict[str, Any]:
    """Return the facts of a node.

    Args:
        facts: The facts, the name of a bundled set, or None for the neutral set.
        node: The name of the node.

    Raises:
        ValueError: There is no bundled set of that name.
    """
    if facts is None:
        return make_neutral_facts(node)
    if not isinstance(facts, str):
        return {name: _fill_empty(value) for name, value in facts.items()}
    systems = _load_systems()
    if facts not in systems.SYSTEMS:
        raise ValueError(f"there is no fact set '{facts}'; bundled are: {', '.join(list_fact_sets())}")
    system_facts: dict[str, Any] = systems.make_system_facts(systems.SYSTEMS[facts], node)
    return system_facts


def _load_systems() -> ModuleType:
    """Return the module with the table of systems, which most sessions do not need."""
    from evaluator.facts import systems

    return systems
