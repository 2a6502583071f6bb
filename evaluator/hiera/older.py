"""The translation of `hiera.yaml` of the versions 4 and 3 to version 5."""

from __future__ import annotations

from evaluator.issues import error
from evaluator.values.kind import Value

# --- version 4, in modules and environments


def from_version_4(data: dict[str, Value]) -> dict[str, Value]:
    """Return the data of version 4 in the form of version 5.

    In version 4 a level has a backend, and paths without extension; the default path is its name.
    """
    levels = data.get("hierarchy", [{"name": "common", "backend": "yaml"}])
    if type(levels) is list and all(type(level) is dict for level in levels):
        data = {**data, "hierarchy": [_level(level) for level in levels]}
    if "datadir" in data:
        data["defaults"] = {"datadir": data.pop("datadir"), "data_hash": "yaml_data"}
    return {**data, "version": 5}


def _level(level: dict[str, Value]) -> dict[str, Value]:
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
# The equivalent of a backend in version 5: the kind and name of a function, and the extension of its files.
_BACKENDS = {
    "yaml": ("data_hash", "yaml_data", "yaml"),
    "json": ("data_hash", "json_data", "json"),
    "eyaml": ("lookup_key", "eyaml_lookup_key", "eyaml"),
}
_SETTINGS = (":datadir", ":extension")  # settings of a backend that are not options of its function
_HASH_MERGES = {"deep": "reverse_deep", "deeper": "deep"}


def from_version_3(data: dict[str, Value]) -> dict[str, Value]:
    """Return the data of version 3 in the form of version 5.

    In version 3 the keys are symbols, and each backend has all levels.

    Raises:
        PuppetError: A backend is written in Ruby.
    """
    backends, paths = _list(data.get(":backends", ["yaml"])), _list(data.get(":hierarchy", _PATHS))
    unknown = [name for name in data if name not in _OTHERS and name[1:] not in backends]
    levels = [level for name in backends for level in _levels(name, data.get(f":{name}") or {}, paths)]
    return {"version": 5, "hierarchy": levels} | {
        name[1:]: data[name] for name in unknown if name.startswith(":")
    }


def _list(value: Value) -> list[Value]:
    return value if type(value) is list else [value]


def _levels(backend: str, settings: dict[str, Value], paths: list[Value]) -> list[dict[str, Value]]:
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


def hash_merge(data: dict[str, Value]) -> Value:
    """Return the merge strategy of `hiera_hash` for a configuration of version 3."""
    strategy = _HASH_MERGES.get(data.get(":merge_behavior", ""), "hash")
    options = data.get(":deep_merge_options") or {}
    if strategy == "hash" or not options:
        return strategy
    return {"strategy": strategy, **{name.lstrip(":"): value for name, value in options.items()}}
