"""The state that every program starts from: the built-in stage and classes, and the variables of the top scope."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from evaluator.catalog.export import ExportableCatalog
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, SETTINGS, Resource
from evaluator.catalog.settings import SETTINGS as DEFAULT_SETTINGS
from evaluator.program.scope import Scope
from evaluator.program.state import State

if TYPE_CHECKING:
    from evaluator.program.protocols import Program


def start(runtime: Program) -> None:
    """Gives the runtime its first state: `Stage[main]`, `Class[Settings]`, `Class[main]` and the top scope."""
    catalog = ExportableCatalog(runtime.settings.node, runtime.settings.environment)
    top = Scope(runtime, "top", container=MAIN_CLASS)
    runtime.enter(State(top, catalog))
    _add(catalog, MAIN_STAGE, {"name": "main"}, top)
    _add(catalog, SETTINGS, {}, top)
    _add(catalog, MAIN_CLASS, {"name": "main"}, top)
    if runtime.settings.classification is not None:
        catalog.classes += runtime.settings.classification.classes
    catalog.classes.append("settings")
    catalog.evaluated.add(SETTINGS)
    top.variables.update(top_variables(runtime))
    settings = Scope(runtime, "class", "settings", parent=top, caller=top, container=SETTINGS)
    settings.variables = settings_variables(runtime)
    runtime.state.classes["settings"] = settings


def _add(catalog: ExportableCatalog, key: tuple[str, str], parameters: dict[str, Any], scope: Scope) -> None:
    container = MAIN_STAGE if key[0] == "class" else key
    catalog.resources[key] = Resource(catalog.owner, *key, parameters, container, scope)


def top_variables(runtime: Program) -> dict[str, Any]:
    """The variables that a program finds: every fact, what a classifier gives, and what Puppet adds to them."""
    classification = runtime.settings.classification
    return {
        **runtime.settings.facts,
        **(classification.parameters if classification is not None else {}),
        "facts": runtime.settings.facts,
        "trusted": runtime.settings.trusted,
        "server_facts": {"environment": runtime.settings.environment},
        "environment": runtime.settings.environment,
        "title": "main",
        "name": "main",
        "module_name": "",
        "caller_module_name": "",
    }


def settings_variables(runtime: Program) -> dict[str, Any]:
    """The variables of class `settings`: the settings one by one, and all of them as `all_local`."""
    node, directory = runtime.settings.node, runtime.settings.directory
    found = {
        **{
            name: value.replace("{node}", node) if type(value) is str else value
            for name, value in DEFAULT_SETTINGS.items()
        },
        "certname": node,
        "node_name_value": node,
        "environment": runtime.settings.environment,
        "strict": runtime.settings.strict,
        "strict_variables": runtime.settings.strict_variables,
    }
    if runtime.settings.modulepath:
        found["modulepath"] = os.pathsep.join(runtime.settings.modulepath)
    if runtime.settings.hiera_config is not None:
        found["hiera_config"] = runtime.settings.hiera_config
    if directory is not None:
        found["manifest"] = directory.manifest
        found["modulepath"] = os.pathsep.join(directory.modulepath)
        found["environmentpath"] = os.path.dirname(directory.folder)
    return {**found, "all_local": found, "title": "settings", "name": "settings", "module_name": ""}
