"""The interactive session of `puppet-repl`, with the settings of the command line."""

from __future__ import annotations

from puppet_kernel.cli.options import Options, convert_to_usage_error
from puppet_kernel.cli.session_options import describe_dialect, is_for_released_puppet, read_session_settings
from puppet_kernel.terminal.console import make_shell, run_console
from puppet_kernel.terminal.terminal import Terminal


def interact(options: Options, terminal: Terminal) -> int:
    """Read, evaluate and print until the user leaves, and return the exit code.

    Raises:
        UsageError: The command line names something that does not exist.
    """
    with convert_to_usage_error(ValueError):
        shell = make_shell(read_session_settings(options), terminal)
    if is_for_released_puppet(options):
        terminal.show(describe_dialect(shell.session.dialect))
    return run_console(shell, terminal)
