"""All rows about the types that are known without any module, in one table."""

from __future__ import annotations

from evaluator.resource_types import core, modules, system
from evaluator.resource_types.common import METAPARAMETERS, Facts, Pattern

__all__ = ["METAPARAMETERS", "NOT_UNIQUE", "PATTERNS", "TYPES"]

TYPES: dict[str, Facts] = {**core.TYPES, **system.TYPES, **modules.TYPES}

# two of them may mean the same thing
NOT_UNIQUE = frozenset({"exec", "tidy"})

# of types with several title attributes: what the title gives
PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "package": (("(?m:(.*))", ("name",)),),
    "sshkey": ((r"^(.*?)@(.*)$", ("name", "type")), (r"^([^@]+)$", ("name",))),
}
