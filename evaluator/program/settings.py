"""The settings of a session, as its programs see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from lexer_parser.dialect import Dialect

if TYPE_CHECKING:
    from evaluator.values.kind import Value


class EnvironmentDirectory:
    """A frozen record of an environment that has a directory.

    Attributes:
        name: The name of the environment.
        folder: Its directory.
        modulepath: The directories of modules.
        manifest: The file, or directory of files, with its program.
        remarks: Remarks for the user about the environment's configuration.
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
    """A frozen record of a classifier's data about a node.

    Attributes:
        classes: The parameters of each class by name; most have none.
        parameters: The variables of the top scope.
        environment: The name of the node's environment; None when the classifier does not specify it.
    """

    __slots__ = ("classes", "environment", "parameters")

    def __init__(
        self, classes: dict[str, dict[str, Value]], parameters: dict[str, Value], environment: str | None
    ) -> None:
        self.classes: Final = classes
        self.parameters: Final = parameters
        self.environment: Final = environment


class Store:
    """A frozen record of the data about other nodes: rows of four kinds, as PuppetDB has them."""

    __slots__ = ("facts", "inventory", "nodes", "resources")

    def __init__(
        self,
        resources: tuple[dict[str, Value], ...],
        facts: tuple[dict[str, Value], ...],
        inventory: tuple[dict[str, Value], ...],
        nodes: tuple[dict[str, Value], ...],
    ) -> None:
        self.resources: Final = resources
        self.facts: Final = facts
        self.inventory: Final = inventory
        self.nodes: Final = nodes


class Settings:
    """A frozen record of the decisions made before a program runs.

    `Session` documents each entry.

    Attributes:
        dialect: The dialect of the session. A program may run in another for a while: see the running program's
            `dialect`.
        environment: The name of the environment.
        directory: The environment's directory; None when it has none.
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
        facts: dict[str, Value],
        trusted: dict[str, Value],
        environment: str = "production",
        directory: EnvironmentDirectory | None = None,
        classification: Classification | None = None,
        modulepath: tuple[str, ...],
        data: Mapping[str, Value] | None,
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
        """Return a copy of the settings in which the named ones are replaced."""
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
    """Return the names of a session's permissions as a tuple.

    Raises:
        ValueError: A name is not one of PERMISSIONS.
    """
    names = tuple(given)
    for name in names:
        if name not in PERMISSIONS:
            raise ValueError(f"there is no permission '{name}'; there are: {', '.join(PERMISSIONS)}")
    return names
