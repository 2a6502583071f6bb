"""The settings of a session, as its programs see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from evaluator.values.kind import Value
from lexer_parser.dialect import Dialect
from lexer_parser.record import Record


class EnvironmentDirectory(Record):
    """A frozen record of an environment that has a directory, as on a Puppet server.

    Attributes:
        name: The name of the environment.
        folder: The path of the directory.
        modulepath: The directories of modules.
        manifest: The file, or directory of files, with its program.
        remarks: Messages for the user about the environment's configuration.
        data_provider: The data provider that `environment.conf` names; None for none.
    """

    name: Final[str]
    folder: Final[str]
    modulepath: Final[tuple[str, ...]]
    manifest: Final[str]
    remarks: Final[tuple[str, ...]]
    data_provider: Final[str | None]


class Classification(Record):
    """A frozen record of a classifier's data about a node.

    Attributes:
        classes: The parameters of each class by name; most have none.
        parameters: The variables of the top scope.
        environment: The name of the node's environment; None when the classifier does not specify it.
    """

    classes: Final[dict[str, dict[str, Value]]]
    parameters: Final[dict[str, Value]]
    environment: Final[str | None]


class Store(Record):
    """A frozen record of the data about other nodes, which exported resources and queries use.

    Each field has the rows of an entity of PuppetDB: a dict from names of columns to values.
    """

    resources: Final[tuple[dict[str, Value], ...]]
    facts: Final[tuple[dict[str, Value], ...]]
    inventory: Final[tuple[dict[str, Value], ...]]
    nodes: Final[tuple[dict[str, Value], ...]]


class Settings(Record):
    """A frozen record of the decisions made before a program runs: the arguments of a session.

    `Session` documents the arguments; those that have another name or form here are listed below.

    Attributes:
        dialect: The dialect of the session. A program may temporarily run in another one: see the running program's
            `dialect`.
        strict_argument, strict_variables_argument: The arguments `strict` and `strict_variables`; None for the default
            of the dialect.
        environment: The name of the environment.
        directory: The environment's directory; None when it has none.
        store: The argument `exported`; None when there is no data about other nodes.
    """

    dialect: Final[Dialect]
    node: Final[str]
    facts: Final[dict[str, Value]]
    trusted: Final[dict[str, Value]]
    modulepath: Final[tuple[str, ...]]
    data: Final[Mapping[str, Value] | None]
    hiera_config: Final[str | None]
    strict_argument: Final[str | None]
    strict_variables_argument: Final[bool | None]
    interactive: Final[bool]
    permissions: Final[tuple[str, ...]]
    limits: Final[Mapping[str, float]]
    environment: Final[str] = "production"
    directory: Final[EnvironmentDirectory | None] = None
    classification: Final[Classification | None] = None
    store: Final[Store | None] = None
    recorded: Final[bool] = False

    @property
    def strict(self) -> str:
        """The severity of dubious code: "off", "warning" or "error"."""
        return self.strict_argument or self.dialect.strict_level

    @property
    def strict_variables(self) -> bool:
        """True if unknown variables are errors."""
        argument = self.strict_variables_argument
        return self.dialect.strict_variables if argument is None else argument

    def replace(self, **replaced: Any) -> Settings:
        """Return a copy of the settings in which the named ones are replaced."""
        own = {name: getattr(self, name) for name in Settings.record_fields}
        return Settings(**own | replaced)


# --- permissions


# Each permission that a session may have, with what a program does that needs it, for messages.
PERMISSIONS = {
    "files": "reads files outside the module path and the working folder",
    "generate": "runs programs",
    "templates": "runs Ruby code",
    "ruby": "runs Ruby code of modules",
}


def check_permissions(permissions: Iterable[str]) -> tuple[str, ...]:
    """Return the names of a session's permissions as a tuple.

    Raises:
        ValueError: A name is not one of PERMISSIONS.
    """
    names = tuple(permissions)
    for name in names:
        if name not in PERMISSIONS:
            raise ValueError(f"there is no permission '{name}'; there are: {', '.join(PERMISSIONS)}")
    return names
