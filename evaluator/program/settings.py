"""The settings of a session, as the programs that run in it find them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from lexer_parser.dialect import Dialect


class Environment:
    """A frozen record of an environment that a directory holds.

    name        what it is called;  folder  the directory
    modulepath  directories of modules;  manifest  the file, or directory of files, with its program
    remarks     what is to be said about the way in which it is set up
    """

    __slots__ = ("folder", "manifest", "modulepath", "name", "remarks")

    def __init__(
        self, name: str, folder: str, modulepath: tuple[str, ...], manifest: str, remarks: tuple[str, ...]
    ) -> None:
        self.name: Final = name
        self.folder: Final = folder
        self.modulepath: Final = modulepath
        self.manifest: Final = manifest
        self.remarks: Final = remarks


class Classification:
    """A frozen record of what a classifier says of a node.

    classes     name -> parameters, which are empty for most;  parameters  variables of the top scope
    environment what the node's environment is called; None when it does not say
    """

    __slots__ = ("classes", "environment", "parameters")

    def __init__(
        self, classes: dict[str, dict[str, Any]], parameters: dict[str, Any], environment: str | None
    ) -> None:
        self.classes: Final = classes
        self.parameters: Final = parameters
        self.environment: Final = environment


class Store:
    """A frozen record of what is known of other nodes: rows of four kinds, as PuppetDB answers them."""

    __slots__ = ("facts", "inventory", "nodes", "resources")

    def __init__(
        self,
        resources: tuple[dict[str, Any], ...],
        facts: tuple[dict[str, Any], ...],
        inventory: tuple[dict[str, Any], ...],
        nodes: tuple[dict[str, Any], ...],
    ) -> None:
        self.resources: Final = resources
        self.facts: Final = facts
        self.inventory: Final = inventory
        self.nodes: Final = nodes


class Settings:
    """A frozen record of what is decided before a program runs. `Session` tells what each one is.

    dialect      that of the session; a program may run in another for a while: the running program's `dialect`
    environment  its name;  directory  what a directory says of it, None when there is none
    """

    __slots__ = (
        *("classification", "data", "dialect", "directory", "environment", "facts", "hiera_config"),
        *("interactive", "limits", "modulepath"),
        *("node", "permissions", "recorded", "store", "strict", "strict_variables", "trusted"),
    )

    def __init__(
        self,
        dialect: Dialect,
        *,
        node: str,
        facts: dict[str, Any],
        trusted: dict[str, Any],
        environment: str = "production",
        directory: Environment | None = None,
        classification: Classification | None = None,
        modulepath: tuple[str, ...],
        data: Mapping[str, Any] | None,
        hiera_config: str | None,
        strict: str,
        strict_variables: bool,
        interactive: bool,
        permissions: tuple[str, ...],
        limits: Mapping[str, float],
        store: Store | None = None,
        recorded: bool = False,
    ) -> None:
        self.dialect: Final = dialect
        self.node: Final = node
        self.facts: Final = facts
        self.trusted: Final = trusted
        self.environment: Final = environment
        self.directory: Final = directory
        self.classification: Final = classification
        self.modulepath: Final = modulepath
        self.data: Final = data
        self.hiera_config: Final = hiera_config
        self.strict: Final = strict
        self.strict_variables: Final = strict_variables
        self.interactive: Final = interactive
        self.permissions: Final = permissions
        self.limits: Final = limits
        self.store: Final = store
        self.recorded: Final = recorded

    def but(self, **others: Any) -> Settings:
        """The same settings, but for those that are given by name."""
        kept = {name: getattr(self, name) for name in Settings.__slots__}
        return Settings(**kept | others)


# --- permissions


PERMISSIONS = {
    "files": "reads files outside the module path and the working folder",
    "generate": "runs programs",
    "templates": "runs Ruby code",
    "ruby": "runs Ruby code of modules",
}


def check_permissions(given: Iterable[str]) -> tuple[str, ...]:
    """The names of what a session permits. Raises ValueError for a name that is none of PERMISSIONS."""
    names = tuple(given)
    for name in names:
        if name not in PERMISSIONS:
            raise ValueError(f"there is no permission '{name}'; there are: {', '.join(PERMISSIONS)}")
    return names
