"""`--fleet`: compile for many nodes, and print what differs as text, JSON, CSV or Parquet."""

from __future__ import annotations

import os
import sys
from concurrent.futures import Executor
from contextlib import ExitStack

from evaluator.fleet import Fleet, parse_choices, vary_facts
from puppet_kernel.cli.options import OK, PUPPET_ERROR, Options, UsageError, convert_to_usage_error, refuse_if
from puppet_kernel.cli.session_options import (
    Json,
    convert_error_to_json,
    format_json,
    make_session,
    read_source,
)
from puppet_kernel.rendering import fleets
from puppet_kernel.rendering.literals import format_duration
from puppet_kernel.terminal.terminal import Terminal, get_columns
from puppet_kernel.user_files.node_data import SUFFIXES, read_fleet_facts


def compile_fleet(options: Options, terminal: Terminal) -> int:
    """Compile the inputs for each node, and return the exit code: 1 if a node has no catalog.

    Raises:
        UsageError: The command line does not describe a fleet, or a file cannot be read or written.
    """
    refuse_if(
        options.table is not None and not fleets.is_table(options.table),
        f"--table takes a file that ends in {', '.join(fleets.FORMS)}, not {options.table}",
    )
    paths = [name for kind, name in options.inputs if kind == "file" and _holds_facts(name)]
    sources = [
        text if kind == "code" else read_source(text)
        for kind, text in options.inputs
        if kind == "code" or not _holds_facts(text)
    ]
    session = make_session(options)
    try:
        facts = read_fleet_facts(paths)
        if options.vary:
            refuse_if(facts, "--vary changes the facts of one node; name these facts with --facts")
            facts = vary_facts(
                session.facts, dict(parse_choices(text, session.facts) for text in options.vary)
            )
    except (OSError, ValueError) as problem:
        raise UsageError(str(problem)) from None
    refuse_if(not facts, "--fleet needs facts of nodes: files, folders, or --vary")
    with ExitStack() as stack:
        executor = None if options.scheduler is None else _connect(options.scheduler, stack)
        fleet = session.fleet(
            facts,
            executor,
            on_progress=_print_progress if sys.stderr.isatty() else None,
            certname=session.node if options.vary else None,
            sources=sources,
        )
    if options.table is not None:
        _write_table(options.table, fleet)
    if options.json:
        terminal.write(format_json(_convert_fleet_to_json(fleet, options.catalog)))
    else:
        terminal.show(fleets.describe_fleet(fleet, get_columns(), dialect=session.dialect))
    return PUPPET_ERROR if fleet.errors else OK


def _holds_facts(name: str) -> bool:
    return name.endswith(SUFFIXES) or os.path.isdir(name)


def _print_progress(fleet: Fleet) -> None:
    """Show at a terminal how many nodes are done, and how long the rest takes."""
    if fleet.result_count:
        is_last = fleet.result_count == len(fleet.facts)
        text = f"{fleet.result_count:,} of {len(fleet.facts):,} nodes, {format_duration(fleet.seconds_left)} left"
        sys.stderr.write("\r\x1b[K" if is_last else f"\r\x1b[K{text}")
        sys.stderr.flush()


def _connect(address: str, stack: ExitStack) -> Executor:
    """Return an executor on the workers of a Dask scheduler, which the stack closes."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--scheduler needs Dask: pip install 'puppet-kernel[fleet]'") from None
    try:
        client = stack.enter_context(Client(address, timeout="10s"))
    except (OSError, ValueError) as problem:
        raise UsageError(f"there is no scheduler at {address}: {problem}") from None
    executor: Executor = stack.enter_context(client.get_executor())
    return executor


def _convert_fleet_to_json(fleet: Fleet, with_catalogs: bool) -> Json:
    """Return a fleet as JSON."""
    result: Json = {
        "nodes": len(fleet.facts),
        "seconds": fleet.seconds,
        "errors": {node: convert_error_to_json(problem) for node, problem in fleet.errors.items()},
        "table": [row.to_json() for row in fleet.table()],
    }
    return result | ({"catalogs": dict(fleet.catalogs)} if with_catalogs else {})


def _write_table(path: str, fleet: Fleet) -> None:
    """Write the table in the format of the file's suffix, or raise UsageError."""
    with convert_to_usage_error(ValueError):
        content = fleets.format_table(fleet.table(), path)
    with convert_to_usage_error(OSError, lead=f"cannot write {path}: "), open(path, "wb") as file:
        file.write(content)
