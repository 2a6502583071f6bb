"""The texts about `puppet-repl` itself: `--help GUIDE`, `--completion`, `--man`."""

from __future__ import annotations

from collections.abc import Callable

from puppet_kernel import __version__
from puppet_kernel.cli.options import CHOICES, EXIT_CODES, OPTIONS, USAGE, Option, Options, refuse_if
from puppet_kernel.guides import GUIDES, render_guide
from puppet_kernel.terminal.terminal import Terminal

PATH_ARGUMENTS = ("FILE", "DIR", "DIRS", "FACTS", "FILE|PROGRAM")


def print_description(options: Options, terminal: Terminal) -> int:
    """Print the manual page or a completion script, and return the exit code."""
    terminal.write(format_manual() if options.man else SHELLS[options.completion or "bash"]())
    return 0


def print_guides(options: Options, terminal: Terminal) -> int:
    """Print the guides that the command line names, and return the exit code."""
    for _, name in options.inputs:
        refuse_if(name not in GUIDES, f"there is no guide {name!r}: the guides are {', '.join(GUIDES)}")
        terminal.show(render_guide(name))
    return 0


def format_bash_completion() -> str:
    """Return the completion script for bash."""
    cases = "".join(
        f'    {"|".join(option.names)}) COMPREPLY=($(compgen -W "{" ".join(_list_choices(option))}" -- "$word"));'
        " return ;;\n"
        for option in OPTIONS
        if _list_choices(option)
    )
    without_completion = "|".join(
        name
        for option in OPTIONS
        if option.argument and option.argument not in PATH_ARGUMENTS and not _list_choices(option)
        for name in option.names
    )
    names = " ".join(name for option in OPTIONS for name in option.names)
    return f"""# bash completion of puppet-repl: source <(puppet-repl --completion bash)
_puppet_repl() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  case "$before" in
{cases}    {without_completion}) return ;;
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "{names}" -- "$word"))
  fi
}}
complete -o default -F _puppet_repl puppet-repl
"""


def format_zsh_completion() -> str:
    """Return the completion script for zsh."""
    rows = "\n".join(f"  {_format_zsh_row(name, option)} \\" for option in OPTIONS for name in option.names)
    return f"""#compdef puppet-repl
# zsh completion of puppet-repl: source <(puppet-repl --completion zsh)
_puppet_repl() {{
  _arguments -s \\
{rows}
  '*:file:_files'
}}
compdef _puppet_repl puppet-repl
"""


def _format_zsh_row(name: str, option: Option) -> str:
    """Return the description of an option for `_arguments`."""
    words = option.words.replace("'", "").replace("[", "(").replace("]", ")").replace(":", "\\:")
    if not option.argument:
        return f"'*{name}[{words}]'"
    choices = f"({' '.join(_list_choices(option))})" if _list_choices(option) else " "
    return (
        f"'*{name}[{words}]:{option.argument}:{'_files' if option.argument in PATH_ARGUMENTS else choices}'"
    )


def format_fish_completion() -> str:
    """Return the completion script for fish."""
    rows = []
    for option in OPTIONS:
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
        )
        argument = "" if not option.argument else " -r" if option.argument in PATH_ARGUMENTS else " -x"
        choices = f" -a '{' '.join(_list_choices(option))}'" if _list_choices(option) else ""
        words = option.words.replace("\\", "\\\\").replace("'", "\\'")
        rows.append(f"complete -c puppet-repl {names}{argument}{choices} -d '{words}'\n")
    return "# fish completion of puppet-repl: puppet-repl --completion fish | source\n" + "".join(rows)


SHELLS: dict[str, Callable[[], str]] = {
    "bash": format_bash_completion,
    "zsh": format_zsh_completion,
    "fish": format_fish_completion,
}


def _list_choices(option: Option) -> tuple[str, ...]:
    return CHOICES.get(option.field, ())


# --- the manual


def format_manual() -> str:
    """Return the manual page in roff, for `puppet-repl --man | man -l -`."""
    rows = "".join(f".TP\n{_format_head(option)}\n{_escape_roff(option.words)}\n" for option in OPTIONS)
    uses = "".join(f".TP\n{_format_bold(use)}\n{_escape_roff(words)}\n" for use, words in _parse_usage())
    return f""".TH PUPPET-REPL 1 "" "puppet-kernel {__version__}"
.SH NAME
puppet\\-repl \\- the Puppet language in a terminal
.SH SYNOPSIS
{uses}.SH DESCRIPTION
Evaluates Puppet code and shows the results: values, the catalog, and errors with their remedies.
Nothing is ever applied to the machine.
Without files and \\fB\\-e\\fR it reads, evaluates and prints; \\fB%help\\fR lists the commands there.
.SH OPTIONS
{rows}.SH EXIT STATUS
{_escape_roff(EXIT_CODES.partition(": ")[2])}
"""


def _format_head(option: Option) -> str:
    """Return the names of an option and its argument."""
    names = ", ".join(map(_format_bold, option.names))
    return f"{names} \\fI{_escape_roff(option.argument)}\\fR" if option.argument else names


def _format_bold(text: str) -> str:
    return f"\\fB{_escape_roff(text)}\\fR"


def _parse_usage() -> list[tuple[str, str]]:
    """Return the lines of the usage: each command with what it does."""
    lines = [line.partition("  ") for line in USAGE.strip().splitlines()]
    return [(use.strip(), words.strip()) for use, _, words in lines]


def _escape_roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
