"""The options of a command line as the keyword arguments of a `Session`."""

from __future__ import annotations

import os
from typing import Any

from evaluator import Session
from lexer_parser.dialect import DIALECTS, PUPPET
from puppet_kernel.cli.options import (
    ALLOW_VARIABLE,
    LIMITS_VARIABLE,
    Options,
    UsageError,
    split_limit,
    split_names,
)
from puppet_kernel.cli.sources import holds_released_code
from puppet_kernel.rendering.elements import NoteElement
from puppet_kernel.user_files import find_cache_folder, split_path
from puppet_kernel.user_files.node_data import (
    parse_exported,
    read_bytes,
    read_classification,
    read_facts,
    read_mapping,
)


def describe_dialect(name: str) -> NoteElement:
    """Return the line that says in which dialect the code of a repository is compiled."""
    return NoteElement("hint", f"compiled in {name}: {DIALECTS[name].words} (--dialect takes another)")


def make_session(options: Options) -> Session:
    """Return the session that a command line asks for, or raise UsageError."""
    try:
        return Session(**read_session_settings(options))
    except ValueError as problem:
        raise UsageError(str(problem)) from None


def read_session_settings(options: Options) -> dict[str, Any]:
    """Return the keyword arguments of a Session, with the contents of the files that options name.

    The environment variables PUPPET_KERNEL_ALLOW and PUPPET_KERNEL_LIMITS add to `--allow` and `--limit`, since kernels
    start without options.

    Raises:
        UsageError: A file cannot be read.
    """
    try:
        settings: dict[str, Any] = (
            read_facts(options.facts, options.node) if options.facts is not None else {}
        )
        if options.trusted is not None:
            settings["trusted"] = read_mapping(options.trusted, "trusted data")
        if options.exported is not None:
            settings["exported"] = parse_exported(read_bytes(options.exported, "resources"), options.exported)
        allowed = [*options.allow, *split_names(os.environ.get(ALLOW_VARIABLE, ""))]
        if options.enc is not None:
            node = options.node or settings.get("node") or "localhost"
            settings["classification"] = read_classification(options.enc, node, may_run="generate" in allowed)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    if options.hiera_config is not None and not os.path.isfile(options.hiera_config):
        raise UsageError(f"there is no file {options.hiera_config} for --hiera-config")
    settings |= {
        name: getattr(options, name)
        for name in ("dialect", "node", "environment", "hiera_config", "strict")
        if getattr(options, name) is not None
    }
    if holds_released_code(options):
        settings.setdefault("dialect", PUPPET.name)
    if options.strict_variables:
        settings["strict_variables"] = True
    if options.modulepath is not None:
        settings["modulepath"] = split_path(options.modulepath)
    limits = dict(
        split_limit(LIMITS_VARIABLE, one) for one in split_names(os.environ.get(LIMITS_VARIABLE, ""))
    )
    if limits | options.limits:
        settings["limits"] = limits | options.limits
    if allowed:
        settings["permissions"] = allowed
    settings["cache"] = find_cache_folder()
    return settings
