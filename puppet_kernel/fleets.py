"""`--fleet`: an environment or programs compiled for many nodes; what differs as text, JSON, CSV or Parquet."""

from __future__ import annotations

import json
import os
import sys
from contextlib import ExitStack
from typing import Any

from evaluator.fleet import Fleet, choices, varied
from puppet_kernel import tables
from puppet_kernel.as_json import problem_data
from puppet_kernel.batch import OK, PUPPET_ERROR
from puppet_kernel.decoding import SUFFIXES
from puppet_kernel.files import read_source
from puppet_kernel.given import new_session, read_fleet
from puppet_kernel.options import Options, UsageError
from puppet_kernel.rendering import fleets
from puppet_kernel.rendering.literals import duration
from puppet_kernel.terminal.terminal import Terminal, columns


def compile_fleet(options: Options, terminal: Terminal) -> int:
    """Compiles the inputs for each node. Gives the exit code: 1 when a node has no catalog. Raises UsageError."""
    if options.table is not None and not tables.is_table(options.table):
        raise UsageError(f"--table takes a file that ends in {', '.join(tables.FORMS)}, not {options.table}")
    given = [name for kind, name in options.inputs if kind == "file" and _holds_facts(name)]
    sources = [
        text if kind == "code" else read_source(text)
        for kind, text in options.inputs
        if kind == "code" or not _holds_facts(text)
    ]
    session = new_session(options)
    try:
        facts = read_fleet(given)
        certname = None
        if options.vary:
            if facts:
                raise ValueError(
                    "--vary changes the facts of one node, which --facts names; others are given"
                )
            facts = varied(session.facts, dict(choices(text, session.facts) for text in options.vary))
            certname = session.node
    except (OSError, ValueError) as problem:
        raise UsageError(str(problem)) from None
    if not facts:
        raise UsageError("--fleet needs facts of nodes: files, folders, or --vary")
    with ExitStack() as stack:
        executor = None if options.scheduler is None else _scheduled(options.scheduler, stack)
        made = session.fleet(facts, executor, told=_progress(terminal), certname=certname, sources=sources)
    if options.table is not None:
        _write(options.table, made)
    if options.json:
        terminal.write(json.dumps(_data(made, options.catalog), indent=2, ensure_ascii=True) + "\n")
    else:
        terminal.show(fleets.fleet(made, columns(), timed=True))
    return PUPPET_ERROR if made.errors else OK


def _holds_facts(name: str) -> bool:
    return name.endswith(SUFFIXES) or os.path.isdir(name)


def _progress(terminal: Terminal) -> Any:
    """Shows a person at a terminal how far it is and how long it will take."""
    shows = sys.stderr.isatty()

    def tell(made: Fleet) -> None:
        if shows and made.done:
            ends = made.done == len(made.facts)
            text = f"{made.done:,} of {len(made.facts):,} nodes, {duration(made.left)} left"
            sys.stderr.write("\r\x1b[K" if ends else f"\r\x1b[K{text}")
            sys.stderr.flush()

    return tell


def _scheduled(address: str, stack: ExitStack) -> Any:
    """An executor on the workers of a Dask scheduler, until the stack is left."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--scheduler needs Dask: pip install 'puppet-kernel[fleet]'") from None
    try:
        client = stack.enter_context(Client(address, timeout="10s"))
    except (OSError, ValueError) as problem:
        raise UsageError(f"there is no scheduler at {address}: {problem}") from None
    return stack.enter_context(client.get_executor())


def _data(made: Fleet, with_catalogs: bool) -> dict[str, Any]:
    """A fleet as JSON has it."""
    found: dict[str, Any] = {
        "nodes": len(made.facts),
        "seconds": made.seconds,
        "errors": {node: problem_data(problem) for node, problem in made.errors.items()},
        "table": [row.to_json() for row in made.table()],
    }
    return found | ({"catalogs": dict(made.catalogs)} if with_catalogs else {})


def _write(path: str, made: Fleet) -> None:
    """Writes the table in the form that the name of the file asks for. Raises UsageError."""
    try:
        content = tables.content(made.table(), path)
        with open(path, "wb") as file:
            file.write(content)
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    except OSError as problem:
        raise UsageError(f"cannot write {path}: {problem.strerror}") from None
