"""The command `puppet-repl`.

`python -m puppet_kernel kernel -f FILE` starts the kernel, `… install` registers it.

Each mode is imported only when it runs: `--help`, `--check` and `-e` start without the modules of the others, and an
interrupt during these imports is handled.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from puppet_kernel import __version__, process

if TYPE_CHECKING:
    from puppet_kernel.cli.options import Options
    from puppet_kernel.terminal.terminal import Terminal

# Modules that asyncio, jupyter_client, ipykernel and tornado import if they exist, and that a kernel on one machine
# does not need: encryption of asyncio's streams, other message formats, colours in a log. They take 10 ms of the start.
OPTIONAL = ("ssl", "ctypes", "msgpack", "orjson", "curses")
# Modules that the same packages import and that few kernels use; of each, the functions that are imported by name. They
# take 14 ms of the start.
SELDOM = {
    "gettext": ("gettext", "ngettext"),
    "locale": (),
    "ntpath": (),
    "numbers": (),
    "pprint": (),
    "random": (),
    "textwrap": ("dedent", "indent"),
    "tokenize": (),
    "traceback": ("extract_stack",),
    "urllib.parse": ("quote_from_bytes",),
    "uuid": (),
    "logging.handlers": (),
}
USAGE_ERROR, INTERNAL_ERROR, INTERRUPTED = 2, 70, 130


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code; the user never sees a Python traceback."""
    arguments = sys.argv[1:] if arguments is None else arguments
    process.configure()
    try:
        return _dispatch(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as problem:
        if os.environ.get("PUPPET_KERNEL_DEBUG"):
            raise
        _report_internal_error(problem)
        return INTERNAL_ERROR


def _dispatch(arguments: list[str]) -> int:
    """Run the part of the program that a command line selects, and return the exit code."""
    from puppet_kernel.cli import options as command_line

    terminal = _make_terminal()
    try:
        if arguments[:1] == ["kernel"] and "-f" in arguments:
            return _launch_kernel(arguments[1:])
        if arguments[:1] == ["install"]:
            from puppet_kernel.jupyter.installing import install

            for folder in install(arguments[1:]):
                terminal.write(f"installed {folder}\n")
            return 0
        options = command_line.parse(arguments)
        if options.help and not options.inputs:
            terminal.write(command_line.format_help() + "\n")
        elif options.version:
            terminal.write(f"puppet-repl {__version__}\n")
        elif options.needs_no_input and not options.inputs:
            return _run_batch(options, terminal)
        elif not options.inputs and terminal.is_conversation():
            from puppet_kernel.cli.interactive import interact

            process.freeze_loaded_modules()
            return interact(options, terminal)
        else:
            options.inputs = options.inputs or [command_line.InputArgument("file", "-")]
            return _run_batch(options, terminal)
        return 0
    except command_line.UsageError as problem:
        terminal.complain(problem, "Try 'puppet-repl --help'.\n")
        return USAGE_ERROR
    finally:
        terminal.close()


def _launch_kernel(arguments: list[str]) -> int:
    """Start a kernel without modules that few kernels use, and return the exit code."""
    with process.omit_modules(*OPTIONAL):
        for module, functions in SELDOM.items():
            process.defer_module(module, *functions)
        if sys.implementation.name == "cpython":
            process.defer_module("platform", python_implementation=lambda: "CPython")
        from puppet_kernel.jupyter.launching import launch

    return launch(arguments)


# The modes for inputs: the option that selects a mode ("": the default), its module and its function.
MODES = (
    ("help", "puppet_kernel.cli.man", "print_guides"),
    ("check", "puppet_kernel.cli.check", "check"),
    ("format", "puppet_kernel.cli.check", "print_formatted"),
    ("lookup", "puppet_kernel.cli.lookup", "look_up"),
    ("fleet", "puppet_kernel.cli.fleet", "compile_fleet"),
    ("completion", "puppet_kernel.cli.man", "print_description"),
    ("man", "puppet_kernel.cli.man", "print_description"),
    ("", "puppet_kernel.cli.batch", "run"),
)


def _run_batch(options: Options, terminal: Terminal) -> int:
    """Run the mode that the options select, and return the exit code."""
    module, function = next(
        (module, function) for option, module, function in MODES if not option or getattr(options, option)
    )
    run: Callable[[Options, Terminal], int] = getattr(import_module(module), function)
    process.freeze_loaded_modules()
    return run(options, terminal)


def _make_terminal() -> Terminal:
    from puppet_kernel.terminal.terminal import Terminal

    return Terminal()


# The errors that a system reports if it lacks files, memory, processes or disk space.
_REFUSALS = {
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN),
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EACCES),
}


_NO_THREAD = "can't start new thread"  # the message of CPython's RuntimeError, which has no number


def _get_number(problem: BaseException) -> int | None:
    """Return the number of the system's error that caused an exception, or None."""
    if isinstance(problem, MemoryError):
        return errno.ENOMEM
    has_no_thread = isinstance(problem, RuntimeError) and str(problem) == _NO_THREAD
    if has_no_thread or getattr(problem, "code", "") == "PROCESS_LIMIT":
        return errno.EAGAIN
    return getattr(problem, "errno", None)


def _report_internal_error(problem: BaseException) -> None:
    """Report a defect, or the refusal of the system that looks like one."""
    number = _get_number(problem)
    if number in _REFUSALS:
        file = f": {problem.filename}" if isinstance(problem, OSError) and problem.filename else ""
        _make_terminal().complain(
            f"the system does not provide what puppet-repl needs: {os.strerror(number or 0)}{file}"
        )
        return
    _make_terminal().complain(
        f"sorry, this is a bug in puppet-repl: {type(problem).__name__}: {problem};"
        " please report it with the program that caused it (PUPPET_KERNEL_DEBUG=1 shows where it happened)"
    )


if __name__ == "__main__":
    sys.exit(main())
