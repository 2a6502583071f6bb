"""`--format`: prints manifests in the usual layout."""

from __future__ import annotations

import os

from lexer_parser.dialect import DIALECTS
from lexer_parser.errors import PuppetError
from lexer_parser.printing.printer import format_source
from puppet_kernel.checking import OK, PUPPET_ERROR, dialect_of
from puppet_kernel.files import read_source
from puppet_kernel.options import Options, UsageError
from puppet_kernel.rendering import problems
from puppet_kernel.terminal.terminal import Terminal


def reformat(options: Options, terminal: Terminal) -> int:
    """Prints the inputs laid out; a source with a mistake is told and left out. Gives the exit code."""
    failed = False
    for kind, given in options.inputs:
        if kind == "file" and given.endswith(".epp"):
            raise UsageError(f"{given} is a template: only manifests are laid out")
        source, path = (given, None) if kind == "code" else (read_source(given), os.path.abspath(given))
        dialect = DIALECTS[options.dialect] if options.dialect else dialect_of(path, ())
        try:
            terminal.write(format_source(source, dialect, None if path is None else given))
        except PuppetError as problem:
            failed = True
            terminal.show(problems.error(problem), to_stderr=True)
    return PUPPET_ERROR if failed else OK
