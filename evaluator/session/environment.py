"""An environment: a directory of `environment.conf`, manifests, modules and `hiera.yaml`.

The directory is used as it is. Only the settings `modulepath`, `manifest` and `environment_data_provider` of
`environment.conf` have an effect; its other settings concern a server.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from evaluator.catalog.initial_state import ABSENT_SETTINGS, DEFAULT_SETTINGS
from evaluator.issues import Failure, make_error
from evaluator.program import patterns, sandbox
from evaluator.program.settings import EnvironmentDirectory
from lexer_parser.errors import PuppetError

# Settings that are no paths: the pattern of their values, and its description.
_OTHER_SETTINGS = {
    "config_version": (".*", "any command"),
    "environment_data_provider": (".*", "any name"),
    "environment_timeout": (r"unlimited|\d+[smhdy]?", "`unlimited` or a time such as `30`, `30s` or `5m`"),
    **dict.fromkeys(("rich_data", "static_catalogs"), ("(?i:true|false)", "`true` or `false`")),
}
_SETTING = r"\s*+(\w+)\s*+=(.*)$"
_SECTION = r"^\s*\[(\w+)\]\s*$"
_VARIABLE = r"\$(\w+)"


def read_environment(
    directory: str,
    base_modulepath: Sequence[str],
    name: str | None,
    allowed: Callable[[str], bool],
    version: str = "",
) -> EnvironmentDirectory:
    """Return the environment in a directory.

    Args:
        directory: The path of the directory.
        base_modulepath: The directories of `$basemodulepath`. They are appended to the module path if it does not
            contain them.
        name: The name of the environment; by default that of its directory.
        allowed: Returns True for a path that the user who names the directory may read.
        version: The version of the product, which may lack a setting.

    Raises:
        ValueError: The directory does not exist, or a line of `environment.conf` is invalid.
        PuppetError: A path is not allowed; this is the same whether it exists or not.
    """
    folder = os.path.abspath(directory)
    _require(allowed, folder)
    if sandbox.get_kind(folder) != sandbox.FOLDER:
        raise ValueError(f"there is no directory '{directory}' for an environment")
    remarks: list[str] = []
    path = os.path.join(folder, "environment.conf")
    _require(allowed, path)
    settings = _read_settings(path, remarks, ABSENT_SETTINGS.get(version, frozenset()))
    puppet_settings = {  # those to which the settings of the file may refer
        **{setting: value for setting, value in DEFAULT_SETTINGS.items() if type(value) is str},
        "basemodulepath": os.pathsep.join(base_modulepath),
        "environmentpath": os.path.dirname(folder),
    }
    parts = settings.get("modulepath", f"modules{os.pathsep}$basemodulepath").split(os.pathsep)
    roots = [root for part in parts for root in _expand(_make_absolute(part, folder), allowed)]
    modulepath = _interpolate("modulepath", os.pathsep.join(roots), puppet_settings, path, remarks)
    directories = [part for part in modulepath.split(os.pathsep) if part]
    directories += [part for part in base_modulepath if part not in directories]
    manifest = _make_absolute(settings.get("manifest", "manifests"), folder) or folder
    manifest = _interpolate("manifest", manifest, puppet_settings, path, remarks)
    for used in (manifest, *directories):
        _require(allowed, used)
    for root in directories:
        for module in sandbox.list_modules(root):
            _require(allowed, os.path.join(root, module))  # it may be a link to a path that is not allowed
    return EnvironmentDirectory(
        name=name or os.path.basename(folder),
        folder=folder,
        modulepath=tuple(directories),
        manifest=manifest,
        remarks=tuple(remarks),
        data_provider=settings.get("environment_data_provider"),
    )


def _require(allowed: Callable[[str], bool], path: str) -> None:
    if not allowed(path):
        raise make_error("PATH_NOT_PERMITTED", path=path)


def _read_settings(path: str, remarks: list[str], absent: frozenset[str]) -> dict[str, str]:
    """Return the known settings of a file outside of sections; without a file there are none.

    Adds a remark for each kind of ignored content.
    """
    try:
        lines = sandbox.decode(sandbox.read_named(path) or b"", path).splitlines()
    except Failure as problem:
        raise ValueError(f"cannot read {path}: {problem}") from None
    except PuppetError as problem:
        place = "" if problem.span is None else f", line {problem.span.line}"
        raise ValueError(f"cannot read {path}{place}: {problem.message}") from None
    settings: dict[str, str] = {}
    ignored: list[str] = []
    section = "main"
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(("#", ";")):
            continue
        header, setting = re.match(_SECTION, line), re.match(_SETTING, line)
        if header is not None:
            section = header[1]
            if section != "main":
                ignored.append(section)
        elif setting is None:
            raise ValueError(f"{path}, line {number}: '{line}' is not a setting of the form name = value")
        elif section == "main":
            value, name = setting[2].strip(), setting[1]
            settings[name] = value.strip("\"'").rstrip()
            # a text in braces; a regular expression for it would take quadratic time
            if -1 < value.find("{") < value.rfind("}") - 1:
                raise ValueError(f"{path}, line {number}: braces are not permitted here; write `$name`")
            pattern, words = _OTHER_SETTINGS.get(name, (".*", ""))
            if not re.fullmatch(pattern, settings[name]):
                raise ValueError(f"{path}, line {number}: {name} takes {words}, not '{settings[name]}'")
    if ignored:
        remarks.append(
            f"Invalid sections in environment.conf at '{path}'. Environment conf may not have sections."
            f" The following sections are being ignored: '{','.join(ignored)}'"
        )
    known = {"modulepath", "manifest", *_OTHER_SETTINGS} - absent
    unknown = [name for name in settings if name not in known]
    if unknown:
        remarks.append(
            f"Invalid settings in environment.conf at '{path}'."
            f" The following unknown setting(s) are being ignored: {', '.join(unknown)}"
        )
    return {name: value for name, value in settings.items() if name in known}


def _make_absolute(path: str, folder: str) -> str:
    """Return a path as absolute, unless it begins with a setting.

    A relative path starts at the environment's directory.
    """
    return path if path.startswith("$") or not path else os.path.normpath(os.path.join(folder, path))


def _expand(path: str, allowed: Callable[[str], bool]) -> list[str]:
    """Return the paths that match a pattern; any other path is returned unchanged."""
    if "$" in path or not any(sign in path for sign in "*?["):
        return [path]
    _require(allowed, patterns.get_literal_prefix(path))
    return patterns.expand_pattern(path, allowed)


def _interpolate(name: str, value: str, settings: dict[str, str], path: str, remarks: list[str]) -> str:
    """Return the value of a setting with other settings interpolated.

    Adds a remark if it refers to `$environment`, which stays as it is.

    Args:
        name: The name of the setting.
        settings: The values of the other settings by name.
        path: The file that contains the setting.

    Raises:
        ValueError: The text refers to a setting that does not exist.
    """
    refers_to_environment = False

    def look_up_setting(match: re.Match[str]) -> str:
        nonlocal refers_to_environment
        if match[1] == "environment":  # Puppet leaves it as it is in this file
            refers_to_environment = True
            return match[0]
        if match[1] not in settings:
            raise ValueError(f"{path}: there is no setting {match[0]} for the {name} '{value}'")
        return settings[match[1]]

    interpolated = re.sub(_VARIABLE, look_up_setting, value)
    if refers_to_environment:
        remarks.append(
            f"You cannot interpolate $environment within '{name}' when using directory environments."
            f" Its value will remain {interpolated}."
        )
    return interpolated
