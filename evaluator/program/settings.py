"""The settings of a session, as the programs that run in it find them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from evaluator.limits import amounts
from lexer_parser.dialect import Dialect


class Settings(NamedTuple):
    """What is decided before a program runs and holds for all programs of a session. `Session` tells each one.

    dialect  that of the session; a program may run in another for a while, which is the running program's `dialect`
    """

    dialect: Dialect
    node: str
    facts: dict[str, Any]
    environment: str = "production"
    modulepath: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
    hiera_config: str | None = None
    strict: str = "warning"
    strict_variables: bool = False
    interactive: bool = False
    permissions: tuple[str, ...] = ()
    limits: Mapping[str, float] = amounts()
