"""The settings of a session, as the programs that run in it find them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lexer_parser.dialect import Dialect


class Settings:
    """A frozen record of what is decided before a program runs. `Session` tells what each one is.

    dialect  that of the session; a program may run in another for a while, which is the running program's `dialect`
    """

    __slots__ = (
        *("data", "dialect", "environment", "facts", "hiera_config", "interactive", "limits", "modulepath"),
        *("node", "permissions", "strict", "strict_variables", "trusted"),
    )

    def __init__(
        self,
        dialect: Dialect,
        *,
        node: str,
        facts: dict[str, Any],
        trusted: dict[str, Any],
        environment: str = "production",
        modulepath: tuple[str, ...],
        data: Mapping[str, Any] | None,
        hiera_config: str | None,
        strict: str,
        strict_variables: bool,
        interactive: bool,
        permissions: tuple[str, ...],
        limits: Mapping[str, float],
    ) -> None:
        self.dialect: Final = dialect
        self.node: Final = node
        self.facts: Final = facts
        self.trusted: Final = trusted
        self.environment: Final = environment
        self.modulepath: Final = modulepath
        self.data: Final = data
        self.hiera_config: Final = hiera_config
        self.strict: Final = strict
        self.strict_variables: Final = strict_variables
        self.interactive: Final = interactive
        self.permissions: Final = permissions
        self.limits: Final = limits

    def limited(self, limits: Mapping[str, float]) -> Settings:
        """The same settings with other limits."""
        kept = {name: getattr(self, name) for name in Settings.__slots__}
        return Settings(**kept | {"limits": limits})
