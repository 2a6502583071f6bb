"""Command lines: their sources, errors and logs as JSON, and the arguments of a `Session`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evaluator import Session
from evaluator.program.log import Log
from evaluator.program.repositories import is_in_repository
from lexer_parser.dialect import DIALECTS, PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span
from puppet_kernel.cli.options import (
    ALLOW_VARIABLE,
    LIMITS_VARIABLE,
    InputArgument,
    Options,
    UsageError,
    convert_to_usage_error,
    refuse_if,
    split_limit,
    split_names,
)
from puppet_kernel.remedies import COMMAND_LINE, format_help
from puppet_kernel.rendering.elements import NoteElement
from puppet_kernel.user_files import find_cache_folder, split_path

# --- sources

SUFFIXES = (".pp", ".epp")
MAX_BYTES = 64_000_000  # bytes that are read from a file; a device has no end


def read_source(path: str) -> str:
    """Return the text of a file, or of standard input for "-"; raise UsageError."""
    with convert_to_usage_error(OSError, lead=f"cannot read {path}: "):
        if path == "-":
            refuse_if(sys.stdin is None, "there is no standard input")
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as file:
                content = file.read(MAX_BYTES + 1)
    refuse_if(len(content) > MAX_BYTES, f"cannot read {path}: it has more than {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise UsageError(f"cannot read {path}: it is not UTF-8 (line {line})") from None


def is_for_released_puppet(options: Options) -> bool:
    """Return True for a command line about a repository, an environment, a folder or a fleet.

    Such code is written for the released Puppet, whose dialect is then the default.
    """
    files = [os.path.abspath(value) for kind, value in options.inputs if kind == "file" and value != "-"]
    is_named = options.environment is not None or options.fleet
    return is_named or any(os.path.isdir(path) or is_in_repository(path) for path in files)


def expand_folders(inputs: Iterable[InputArgument]) -> Iterator[InputArgument]:
    """Yield the inputs; the manifests and templates in a folder replace it, sorted by name."""
    for item in inputs:
        if item.kind == "file" and os.path.isdir(item.value):
            yield from (
                InputArgument("file", path) for path in _walk(item.value, os.path.realpath(item.value))
            )
        else:
            yield item


def _walk(folder: str, real: str, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the manifests and templates below a folder; follow links, skip hidden folders.

    Args:
        folder: The folder as the user named it.
        real: Its path without links.
        above: The paths, without links, of the enclosing folders.
    """
    with convert_to_usage_error(OSError, lead=f"cannot read {folder}: "):
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    enclosing = (*above, real)
    for entry in entries:
        if entry.is_dir():
            if entry.name.startswith("."):
                continue
            target = os.path.realpath(entry.path) if entry.is_symlink() else os.path.join(real, entry.name)
            if target not in enclosing:  # a link may lead back to a parent folder
                yield from _walk(entry.path, target, enclosing)
        elif entry.name.endswith(SUFFIXES):
            yield entry.path


# --- JSON

Json = dict[str, Any]  # an object of JSON


def format_json(data: object) -> str:
    """Return data as JSON with a newline; the characters are ASCII."""
    import json  # most command lines print none

    return json.dumps(data, indent=2, ensure_ascii=True) + "\n"


def convert_error_to_json(problem: PuppetError) -> Json:
    """Return an error with its code, message, position, help, and what else it has."""
    data: Json = {"code": problem.code, "message": problem.message, **convert_span_to_json(problem.span)}
    details = {
        "suggestion": problem.suggestion,
        "help": format_help(problem, COMMAND_LINE),
        "notes": [{"message": note.text, **convert_span_to_json(note.span)} for note in problem.notes],
        "related": [convert_error_to_json(other) for other in problem.related],
    }
    return data | {name: value for name, value in details.items() if value}


def convert_log_to_json(entry: Log) -> Json:
    """Return a log entry with its level, message, position and suggestion."""
    data: Json = {"level": entry.level, "message": entry.message, **convert_span_to_json(entry.span)}
    return data | ({"suggestion": entry.suggestion} if entry.suggestion else {})


def convert_span_to_json(span: Span | None) -> Json:
    """Return the file, lines and columns of a span, from 1 with an exclusive end; {} for None."""
    if span is None:
        return {}
    end_line, end_column = span.source.position(span.end)
    return {
        **({"file": span.source.name} if span.source.name else {}),
        "line": span.line,
        "column": span.column,
        "end_line": end_line,
        "end_column": end_column,
    }


# --- the session


def describe_dialect(name: str) -> NoteElement:
    """Return the line that says in which dialect the code of a repository is compiled."""
    return NoteElement("hint", f"compiled in {name}: {DIALECTS[name].words} (--dialect selects another)")


def make_session(options: Options) -> Session:
    """Return the session that a command line describes, or raise UsageError."""
    with convert_to_usage_error(ValueError):
        return Session(**read_session_settings(options))


def read_session_settings(options: Options) -> dict[str, Any]:
    """Return the keyword arguments of a Session, with the contents of the files of options.

    The environment variables PUPPET_KERNEL_ALLOW and PUPPET_KERNEL_LIMITS add to `--allow` and `--limit`, since kernels
    start without options.

    Raises:
        UsageError: A file cannot be read.
    """
    allowed = [*options.allow, *split_names(os.environ.get(ALLOW_VARIABLE, ""))]
    settings: dict[str, Any] = {}
    if any(path is not None for path in (options.facts, options.trusted, options.exported, options.enc)):
        with convert_to_usage_error(ValueError):
            settings = _read_node_data(options, allowed)
    refuse_if(
        options.hiera_config is not None and not os.path.isfile(options.hiera_config),
        f"there is no file {options.hiera_config} for --hiera-config",
    )
    settings |= {
        name: getattr(options, name)
        for name in ("dialect", "node", "environment", "hiera_config", "strict", "strict_variables")
        if getattr(options, name) is not None
    }
    if is_for_released_puppet(options):
        settings.setdefault("dialect", PUPPET.name)
    if options.modulepath is not None:
        settings["modulepath"] = split_path(options.modulepath)
    limits = dict(
        split_limit(LIMITS_VARIABLE, text) for text in split_names(os.environ.get(LIMITS_VARIABLE, ""))
    )
    if limits | options.limits:
        settings["limits"] = limits | options.limits
    if allowed:
        settings["permissions"] = allowed
    settings["cache"] = find_cache_folder()
    return settings


def _read_node_data(options: Options, allowed: Sequence[str]) -> dict[str, object]:
    """Return the arguments of a Session that are in files, or raise ValueError."""
    from puppet_kernel.user_files import node_data  # most command lines name no such file

    arguments: dict[str, object] = {}
    if options.facts is not None:
        arguments |= node_data.read_facts(options.facts, options.node)
    if options.trusted is not None:
        arguments["trusted"] = node_data.read_mapping(options.trusted, "trusted data")
    if options.exported is not None:
        content = node_data.read_bytes(options.exported, "resources")
        arguments["exported"] = node_data.parse_exported(content, options.exported)
    if options.enc is not None:
        node = str(options.node or arguments.get("node") or "localhost")
        may_run = "generate" in allowed
        arguments["classification"] = node_data.read_classification(options.enc, node, may_run=may_run)
    return arguments
