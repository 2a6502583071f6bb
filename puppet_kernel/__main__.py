"""The command `puppet-repl`; `python -m puppet_kernel kernel -f FILE`, which starts the kernel, and `… install`.

Each way to work is imported when it is asked for: `--help`, `--check` and `-e` start without the others' modules, and
an interrupt while they load is caught.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from puppet_kernel import __version__, process

if TYPE_CHECKING:
    from puppet_kernel.options import Options
    from puppet_kernel.terminal.terminal import Terminal

USAGE_ERROR, INTERNAL_ERROR, INTERRUPTED = 2, 70, 130


def main(arguments: list[str] | None = None) -> int:
    """Does what the command line says and returns the exit code; no Python traceback reaches the person."""
    arguments = sys.argv[1:] if arguments is None else arguments
    process.configure()
    try:
        return _dispatch(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as problem:
        if os.environ.get("PUPPET_KERNEL_DEBUG"):
            raise
        _apologize(problem)
        return INTERNAL_ERROR


def _dispatch(arguments: list[str]) -> int:
    from puppet_kernel import options as command_line

    terminal = _terminal()
    try:
        if arguments[:1] == ["kernel"] and "-f" in arguments:
            from puppet_kernel.jupyter.launching import launch

            return launch(arguments[1:])
        if arguments[:1] == ["install"]:
            from puppet_kernel.jupyter.installing import install

            for folder in install(arguments[1:]):
                terminal.write(f"installed {folder}\n")
            return 0
        options = command_line.parse(arguments)
        if options.help:
            terminal.write(command_line.help_text() + "\n")
        elif options.version:
            terminal.write(f"puppet-repl {__version__}\n")
        elif options.needs_no_input and not options.inputs:
            return _batch(options, terminal)
        elif not options.inputs and terminal.is_conversation():
            from puppet_kernel.terminal.console import interact

            return interact(options, terminal)
        else:
            options.inputs = options.inputs or [("file", "-")]
            return _batch(options, terminal)
        return 0
    except command_line.UsageError as problem:
        terminal.complain(problem, "Try 'puppet-repl --help'.\n")
        return USAGE_ERROR
    finally:
        terminal.close()


# The ways to work through inputs: the field of the options that asks for one, the module that does it, its function.
WAYS = (
    ("check", "puppet_kernel.checking", "check"),
    ("format", "puppet_kernel.printing", "reformat"),
    ("lookup", "puppet_kernel.looking", "look_up"),
    ("fleet", "puppet_kernel.fleets", "compile_fleet"),
    ("completion", "puppet_kernel.describing", "describe"),
    ("man", "puppet_kernel.describing", "describe"),
    ("", "puppet_kernel.batch", "run"),
)


def _batch(options: Options, terminal: Terminal) -> int:
    module, function = next(way[1:] for way in WAYS if not way[0] or getattr(options, way[0]))
    work: Callable[[Options, Terminal], int] = getattr(import_module(module), function)
    process.freeze_loaded_modules()
    return work(options, terminal)


def _terminal() -> Terminal:
    from puppet_kernel.terminal.terminal import Terminal

    return Terminal()


def _apologize(problem: BaseException) -> None:
    _terminal().complain(
        f"sorry, a mistake of puppet-repl itself: {type(problem).__name__}: {problem};"
        " please report it with the program that caused it (PUPPET_KERNEL_DEBUG=1 shows where)"
    )


if __name__ == "__main__":
    sys.exit(main())
