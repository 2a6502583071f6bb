"""What a session is given, as the settings of its programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

from evaluator import catalog
from evaluator.program.settings import Environment, Settings
from lexer_parser.dialect import DIALECTS


def settings_of(
    dialect: str,
    environment: str | PathLike[str] | None,
    modulepath: tuple[str, ...],
    classification: Mapping[str, Any] | None,
    allowed: Callable[[str], bool] | None,
    **others: Any,
) -> Settings:
    """The settings; a directory of an environment and a classification are read, `others` are as they should be.

    Raises ValueError for a dialect that there is not, and what reading raises.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"there is no dialect '{dialect}'; there are: {', '.join(DIALECTS)}")
    classified = None if classification is None else catalog.read_classification(classification)
    name = None if classified is None else classified.environment
    directory = None
    if environment is not None:
        directory = _environment(os.fspath(environment), modulepath, name, allowed)
    return Settings(
        DIALECTS[dialect],
        environment=name or "production" if directory is None else directory.name,
        directory=directory,
        classification=classified,
        modulepath=modulepath if directory is None else directory.modulepath,
        **others,
    )


def _environment(
    directory: str, modulepath: tuple[str, ...], name: str | None, allowed: Callable[[str], bool] | None
) -> Environment:
    from evaluator.session.environment import environment  # most sessions have none

    return environment(directory, modulepath, name, allowed or (lambda path: True))
