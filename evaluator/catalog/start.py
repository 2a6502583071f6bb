"""The state that every program starts from: the built-in stage and classes, and the variables of the top scope."""

from __future__ import annotations

from typing import Any

from evaluator.catalog.export import ExportableCatalog
from evaluator.catalog.model import MAIN_CLASS, MAIN_STAGE, SETTINGS, Resource
from evaluator.program.scope import Scope
from evaluator.program.state import State

# Of a session that runs nowhere: these directories name places that it never touches.
_SETTINGS: dict[str, Any] = {
    "confdir": "/conf",
    "codedir": "/etc/puppet/code",
    "vardir": "/var",
    "logdir": "/var/log/puppet",
    "log_level": "notice",
    "statedir": "/var/state",
    "rundir": "/run/puppet",
    "ssldir": "/var/lib/puppet/ssl",
    "environmentpath": "/etc/puppet/code/environments",
    "hiera_config": "/conf/hiera.yaml",
    "digest_algorithm": "sha256",
    "manifest": "/environments/production/manifests",
    "modulepath": "/environments/production/modules",
    "server": "puppet",
    "serverport": 8140,
    "masterport": 8140,
    "ca_server": "puppet",
    "noop": False,
    "show_diff": False,
    "storeconfigs": False,
    "tasks": False,
    "rich_data": True,
}
_TRUSTED: dict[str, Any] = {
    "authenticated": "local",
    "certname": None,
    "extensions": {},
    "hostname": None,
    "domain": None,
    "external": {},
}


def start(runtime: Any) -> None:
    """Gives the runtime its first state: `Stage[main]`, `Class[Settings]`, `Class[main]` and the top scope."""
    catalog = ExportableCatalog(runtime.node, runtime.environment)
    top = Scope(runtime, "top", container=MAIN_CLASS)
    runtime.state = State(top, catalog)
    _add(catalog, MAIN_STAGE, {"name": "main"}, top)
    _add(catalog, SETTINGS, {}, top)
    _add(catalog, MAIN_CLASS, {"name": "main"}, top)
    catalog.classes.append("settings")
    top.variables = top_variables(runtime)
    settings = Scope(runtime, "class", "settings", parent=top, caller=top, container=SETTINGS)
    settings.variables = settings_variables(runtime)
    runtime.state.classes["settings"] = settings


def _add(catalog: ExportableCatalog, key: tuple[str, str], parameters: dict[str, Any], scope: Scope) -> None:
    container = MAIN_STAGE if key[0] == "class" else key
    catalog.resources[key] = Resource(catalog.owner, *key, parameters, container, scope)


def top_variables(runtime: Any) -> dict[str, Any]:
    """The variables that a program finds: every fact, and what Puppet adds to them."""
    return {
        **runtime.facts,
        "facts": runtime.facts,
        "trusted": _TRUSTED,
        "server_facts": {"environment": runtime.environment},
        "environment": runtime.environment,
        "title": "main",
        "name": "main",
        "module_name": "",
        "caller_module_name": "",
    }


def settings_variables(runtime: Any) -> dict[str, Any]:
    """The variables of class `settings`: the settings one by one, and all of them as `all_local`."""
    found = {
        **_SETTINGS,
        "certname": runtime.node,
        "node_name_value": runtime.node,
        "environment": runtime.environment,
        "strict": runtime.strict,
        "strict_variables": runtime.strict_variables,
    }
    return {**found, "all_local": found, "title": "settings", "name": "settings", "module_name": ""}
