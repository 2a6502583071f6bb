"""The arguments of a session, and the settings of its programs that follow from them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evaluator import catalog
from evaluator.facts import read_facts
from evaluator.facts.forms import make_trusted_facts
from evaluator.limits import collect_amounts
from evaluator.program.settings import Settings, check_permissions
from lexer_parser.dialect import DIALECTS

if TYPE_CHECKING:
    from evaluator.cache import DiskCache


Arguments = Mapping[str, Any]  # the keyword arguments of `Session`, where their meaning is described


def make_settings(arguments: Arguments) -> Settings:
    """Return the settings of programs that run with arguments of a session.

    The directory of an environment, and a classification, are read.

    Raises:
        ValueError: a dialect, limit, permission or set of facts does not exist, or the environment is not valid.
        PuppetError: a path is not permitted.
    """
    dialect, node = arguments["dialect"], arguments["node"]
    if dialect not in DIALECTS:
        raise ValueError(f"there is no dialect '{dialect}'; there are: {', '.join(DIALECTS)}")
    classification, exported = arguments["classification"], arguments["exported"]
    if classification is not None:
        classification = catalog.read_classification(classification)
    environment_name = None if classification is None else classification.environment
    modulepath = tuple(map(str, arguments["modulepath"]))
    directory = None
    if arguments["environment"] is not None:
        from evaluator.session.environment import read_environment  # most sessions have none

        directory = read_environment(
            os.fspath(arguments["environment"]),
            base_modulepath=modulepath,
            name=environment_name,
            allowed=arguments["allowed"] or (lambda path: True),
            version=DIALECTS[dialect].product.version,
        )
    strict_variables = arguments["strict_variables"]
    return Settings(
        DIALECTS[dialect],
        environment=(environment_name or "production") if directory is None else directory.name,
        directory=directory,
        classification=classification,
        modulepath=modulepath if directory is None else directory.modulepath,
        node=node,
        facts=read_facts(arguments["facts"], node),
        trusted=make_trusted_facts(arguments["trusted"], node),
        data=arguments["data"],
        hiera_config=arguments["hiera_config"],
        strict_argument=arguments["strict"],
        strict_variables_argument=None if strict_variables is None else strict_variables in (True, "true"),
        interactive=arguments["interactive"],
        permissions=check_permissions(arguments["permissions"]),
        limits=collect_amounts(arguments["limits"]),
        store=None if exported is None else catalog.read_store(exported),
        recorded=arguments["recorded"],
    )


def open_cache(settings: Settings, path: str | None) -> DiskCache | None:
    """Return the cache in a folder, for a session that may have something to store; else None."""
    if path is None or not settings.modulepath:
        return None
    from evaluator.cache import get_cache  # sessions without modules store nothing

    return get_cache(path)
