"""The settings of a session, as its programs see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from evaluator.values.kind import Value
from lexer_parser.dialect import Dialect
from lexer_parser.record import Record


class EnvironmentDirectory(Record):
    """A frozen record of an environment that has a directory.

    Attributes:
        name: The name of the environment.
        folder: Its directory.
        modulepath: The directories of modules.
        manifest: The file, or directory of files, with its program.
        remarks: Messages for the user about the environment's configuration.
    """

    name: Final[str]
    folder: Final[str]
    modulepath: Final[tuple[str, ...]]
    manifest: Final[str]
    remarks: Final[tuple[str, ...]]


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
    """A frozen record of the data about other nodes: rows of four kinds, as PuppetDB has them."""

    resources: Final[tuple[dict[str, Value], ...]]
    facts: Final[tuple[dict[str, Value], ...]]
    inventory: Final[tuple[dict[str, Value], ...]]
    nodes: Final[tuple[dict[str, Value], ...]]


class Settings(Record):
    """A frozen record of the decisions made before a program runs.

    `Session` documents each entry.

    Attributes:
        dialect: The dialect of the session. A program may temporarily run in another one: see the running program's
            `dialect`.
        environment: The name of the environment.
        directory: The environment's directory; None when it has none.
    """

    dialect: Final[Dialect]
    node: Final[str]
    facts: Final[dict[str, Value]]
    trusted: Final[dict[str, Value]]
    modulepath: Final[tuple[str, ...]]
    data: Final[Mapping[str, Value] | None]
    hiera_config: Final[str | None]
    strict_given: Final[str | None]
    strict_variables_given: Final[bool | None]
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
        """The severity of dubious code, "off", "warning" or "error", of the user or the dialect."""
        return self.strict_given or self.dialect.strict_level

    @property
    def strict_variables(self) -> bool:
        """True if unknown variables are errors: as the user says, or else as the dialect does."""
        chosen = self.strict_variables_given
        return self.dialect.strict_variables if chosen is None else chosen

    def but(self, **others: Any) -> Settings:
        """Return a copy of the settings in which the named ones are replaced."""
        own = {name: getattr(self, name) for name in Settings.record_fields}
        return Settings(**own | others)


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
