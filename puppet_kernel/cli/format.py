"""`--format`: print manifests in the usual layout."""

from __future__ import annotations

import os

from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.printing.layout import format_source
from puppet_kernel.cli.check import OK, PUPPET_ERROR, find_dialect
from puppet_kernel.cli.options import Options, UsageError
from puppet_kernel.cli.sources import read_source
from puppet_kernel.rendering import problems
from puppet_kernel.terminal.terminal import Terminal


def print_formatted(options: Options, terminal: Terminal) -> int:
    """Print the inputs in the usual layout, report those with mistakes, and return the exit code."""
    failed = False
    for kind, value in options.inputs:
        if kind == "file" and value.endswith(".epp"):
            raise UsageError(f"{value} is a template: only manifests are laid out")
        source, path = (value, None) if kind == "code" else (read_source(value), os.path.abspath(value))
        dialect = DIALECTS[options.dialect] if options.dialect else find_dialect(path, ())
        try:
            terminal.write(format_source(source, dialect, None if path is None else value))
        except PuppetError as problem:
            failed = True
            terminal.show(problems.error(problem), to_stderr=True)
    return PUPPET_ERROR if failed else OK
