"""`hiera.yaml` of the versions 4 and 3, as version 5 says the same."""

from __future__ import annotations

from typing import Any

from evaluator.issues import error

# --- version 4, in modules and environments


def from_version_4(data: dict[str, Any]) -> dict[str, Any]:
    """A level has a backend, and paths without extension, by default its name."""
    levels = data.get("hierarchy", [{"name": "common", "backend": "yaml"}])
    if type(levels) is list and all(type(level) is dict for level in levels):
        data = {**data, "hierarchy": [_level(level) for level in levels]}
    if "datadir" in data:
        data["defaults"] = {"datadir": data.pop("datadir"), "data_hash": "yaml_data"}
    return {**data, "version": 5}


def _level(level: dict[str, Any]) -> dict[str, Any]:
    found = dict(level)
    backend = found.pop("backend", None)
    if backend not in ("yaml", "json"):
        return level
    paths = found.pop("paths", None) or [found.pop("path", None) or found.get("name")]
    return {**found, "data_hash": f"{backend}_data", "paths": [f"{path}.{backend}" for path in paths]}


# --- version 3, in the global layer

_PATHS = ["nodes/%{::trusted.certname}", "common"]
_DATADIR = "/etc/puppetlabs/code/environments/%{::environment}/hieradata"
_OTHERS = (":backends", ":hierarchy", ":logger", ":merge_behavior", ":deep_merge_options")
# what a backend is in version 5: kind and name of a function, and how its files end
_BACKENDS = {
    "yaml": ("data_hash", "yaml_data", "yaml"),
    "json": ("data_hash", "json_data", "json"),
    "eyaml": ("lookup_key", "eyaml_lookup_key", "eyaml"),
}
_SETTINGS = (":datadir", ":extension")  # what of a backend's own settings is no option of its function
_HASH_MERGES = {"deep": "reverse_deep", "deeper": "deep"}


def from_version_3(data: dict[str, Any]) -> dict[str, Any]:
    """The keys are symbols; each backend has all levels. Raises PuppetError for a backend that is Ruby."""
    backends, paths = _list(data.get(":backends", ["yaml"])), _list(data.get(":hierarchy", _PATHS))
    unknown = [name for name in data if name not in _OTHERS and name[1:] not in backends]
    levels = [level for name in backends for level in _levels(name, data.get(f":{name}") or {}, paths)]
    return {"version": 5, "hierarchy": levels} | {
        name[1:]: data[name] for name in unknown if name.startswith(":")
    }


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


def _levels(backend: str, settings: dict[str, Any], paths: list[Any]) -> list[dict[str, Any]]:
    if backend not in _BACKENDS:
        raise error("HIERA_BACKEND", name=backend)
    kind, function, extension = _BACKENDS[backend]
    extension = settings.get(":extension", extension)
    options = {name[1:]: value for name, value in settings.items() if name not in _SETTINGS}
    return [
        {
            "name": f"{path} ({backend})",
            kind: function,
            "datadir": settings.get(":datadir", _DATADIR),
            "path": f"{path}.{extension}",
            **({"options": options} if options else {}),
        }
        for path in paths
    ]


def hash_merge(data: dict[str, Any]) -> Any:
    """How `hiera_hash` merges where the configuration is of version 3."""
    strategy = _HASH_MERGES.get(data.get(":merge_behavior", ""), "hash")
    options = data.get(":deep_merge_options") or {}
    if strategy == "hash" or not options:
        return strategy
    return {"strategy": strategy, **{name.lstrip(":"): value for name, value in options.items()}}
