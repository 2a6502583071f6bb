"""An environment: a directory with `environment.conf`, manifests, modules and `hiera.yaml`, read as it is found.

What `environment.conf` says of modules and manifests counts; the other settings that it may have concern a server.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from evaluator.catalog.initial_state import DEFAULT_SETTINGS
from evaluator.issues import Failure, error
from evaluator.program import patterns, sandbox
from evaluator.program.settings import Environment
from lexer_parser.errors import PuppetError

_SERVER_SETTINGS = (
    *("config_version", "environment_timeout", "environment_data_provider", "static_catalogs", "rich_data"),
)
_LINE = r"\s*+(\w+)\s*+=(.*)$"
_SECTION = r"^\s*\[(\w+)\]\s*$"
_VARIABLE = r"\$(\w+)"


def read_environment(
    directory: str,
    base: Sequence[str],
    name: str | None,
    allowed: Callable[[str], bool],
) -> Environment:
    """The environment in a directory.

    base  the directories that `$basemodulepath` stands for; where the path of modules leaves them out, they
          stand at its end
    name  what the environment is called, by default as its directory
    allowed  tells of a path whether whoever names the directory may look there
    Raises ValueError when the directory is not there, and for a line of `environment.conf` that means nothing;
    PuppetError for a path that is not allowed, whether something is there or not.
    """
    folder = os.path.abspath(directory)
    _require(allowed, folder)
    if sandbox.get_kind(folder) != sandbox.FOLDER:
        raise ValueError(f"there is no directory '{directory}' for an environment")
    remarks: list[str] = []
    path = os.path.join(folder, "environment.conf")
    _require(allowed, path)
    written = _read(path, remarks)
    known = {
        **{setting: value for setting, value in DEFAULT_SETTINGS.items() if type(value) is str},
        "basemodulepath": os.pathsep.join(base),
        "environmentpath": os.path.dirname(folder),
    }
    modulepath = "modules" + os.pathsep + "$basemodulepath"
    manifest = "manifests"
    if "modulepath" in written:
        modulepath = written["modulepath"]
    if "manifest" in written:
        manifest = written["manifest"]
    roots = os.pathsep.join(
        place for part in modulepath.split(os.pathsep) for place in _places(_absolute(part, folder), allowed)
    )
    roots = _interpolated("modulepath", roots, known, path, remarks)
    directories = [part for part in roots.split(os.pathsep) if part]
    directories += [part for part in base if part not in directories]
    manifest = _interpolated("manifest", _absolute(manifest, folder), known, path, remarks)
    for place in (manifest, *directories):
        _require(allowed, place)
    for place in (os.path.join(root, name) for root in directories for name in sandbox.list_modules(root)):
        _require(allowed, place)  # a module may be a link to what is not for who names it
    return Environment(name or os.path.basename(folder), folder, tuple(directories), manifest, tuple(remarks))


def _require(allowed: Callable[[str], bool], path: str) -> None:
    if not allowed(path):
        raise error("PATH_NOT_PERMITTED", path=path)


def _read(path: str, remarks: list[str]) -> dict[str, str]:
    """The settings that a file has outside of sections, if there is one; adds to the remarks what it ignores."""
    try:
        lines = sandbox.decode(sandbox.read_named(path) or b"", path).splitlines()
    except Failure as problem:
        raise ValueError(f"cannot read {path}: {problem}") from None
    except PuppetError as problem:
        place = "" if problem.span is None else f", line {problem.span.line}"
        raise ValueError(f"cannot read {path}{place}: {problem.message}") from None
    found: dict[str, str] = {}
    ignored: list[str] = []
    section = "main"
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(("#", ";")):
            continue
        begins, setting = re.match(_SECTION, line), re.match(_LINE, line)
        if begins is not None:
            section = begins[1]
            if section != "main":
                ignored.append(section)
        elif setting is None:
            raise ValueError(f"{path}, line {number}: '{line}' is no setting: name = value")
        elif section == "main":
            given = setting[2].strip()
            found[setting[1]] = given.strip("\"'").rstrip()
            if -1 < given.find("{") < given.rfind("}") - 1:
                raise ValueError(f"{path}, line {number}: braces mean nothing here, write `$name`")
    if ignored:
        remarks.append(
            f"Invalid sections in environment.conf at '{path}'. Environment conf may not have sections."
            f" The following sections are being ignored: '{','.join(ignored)}'"
        )
    unknown = [name for name in found if name not in ("modulepath", "manifest", *_SERVER_SETTINGS)]
    if unknown:
        remarks.append(
            f"Invalid settings in environment.conf at '{path}'."
            f" The following unknown setting(s) are being ignored: {', '.join(unknown)}"
        )
    return found


def _absolute(path: str, folder: str) -> str:
    """A path that starts at the environment's directory, unless a setting stands at its beginning."""
    return path if path.startswith("$") or not path else os.path.normpath(os.path.join(folder, path))


def _places(path: str, allowed: Callable[[str], bool]) -> list[str]:
    """The paths that a pattern fits; a path that is no pattern, as it is."""
    if "$" in path or not any(sign in path for sign in "*?["):
        return [path]
    _require(allowed, patterns.get_literal_prefix(path))
    return patterns.expand_braces(path, allowed)


def _interpolated(name: str, value: str, known: dict[str, str], path: str, remarks: list[str]) -> str:
    """A value with other settings in it. Raises ValueError for one that there is not."""
    kept = False

    def setting(match: re.Match[str]) -> str:
        nonlocal kept
        if match[1] == "environment":  # it is not known where modules are before they are
            kept = True
            return match[0]
        if match[1] not in known:
            raise ValueError(f"{path}: there is no setting {match[0]} for the {name} '{value}'")
        return known[match[1]]

    found = re.sub(_VARIABLE, setting, value)
    if kept:
        remarks.append(
            f"You cannot interpolate $environment within '{name}' when using directory environments."
            f" Its value will remain {found}."
        )
    return found
