"""The command line described for others: completion scripts of shells, and a manual page, from the table of options."""

from __future__ import annotations

from collections.abc import Callable

from puppet_kernel import __version__
from puppet_kernel.options import CHOICES, EXIT_CODES, OPTIONS, USAGE, Option, Options
from puppet_kernel.terminal.terminal import Terminal

FILES = ("FILE", "DIR", "DIRS", "FACTS", "FILE|PROGRAM")  # arguments that are paths


def describe(options: Options, terminal: Terminal) -> int:
    """Prints what is asked for; gives the exit code."""
    terminal.write(manual() if options.man else SHELLS[options.completion or "bash"]())
    return 0


def bash() -> str:
    """What `source` makes bash complete the command with."""
    cases = "".join(
        f'    {"|".join(option.names)}) COMPREPLY=($(compgen -W "{" ".join(_choices(option))}" -- "$word"));'
        " return ;;\n"
        for option in OPTIONS
        if _choices(option)
    )
    others = "|".join(
        name
        for option in OPTIONS
        if option.argument and option.argument not in FILES and not _choices(option)
        for name in option.names
    )
    return f"""# bash completion of puppet-repl: source <(puppet-repl --completion bash)
_puppet_repl() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  case "$before" in
{cases}    {others}) return ;;
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "{" ".join(_names())}" -- "$word"))
  fi
}}
complete -o default -F _puppet_repl puppet-repl
"""


def zsh() -> str:
    """The same for zsh."""
    rows = "\n".join(f"  {_zsh_row(name, option)} \\" for option in OPTIONS for name in option.names)
    return f"""#compdef puppet-repl
# zsh completion of puppet-repl: source <(puppet-repl --completion zsh)
_puppet_repl() {{
  _arguments -s \\
{rows}
  '*:file:_files'
}}
compdef _puppet_repl puppet-repl
"""


def _zsh_row(name: str, option: Option) -> str:
    words = option.words.replace("'", "").replace("[", "(").replace("]", ")").replace(":", "\\:")
    if not option.argument:
        return f"'*{name}[{words}]'"
    wanted = "_files" if option.argument in FILES else f"({' '.join(_choices(option))})"
    return f"'*{name}[{words}]:{option.argument}:{wanted if wanted != '()' else ' '}'"


def fish() -> str:
    """The same for fish."""
    rows = []
    for option in OPTIONS:
        names = " ".join(
            f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
        )
        takes = "" if not option.argument else " -r" if option.argument in FILES else " -x"
        given = f" -a '{' '.join(_choices(option))}'" if _choices(option) else ""
        words = option.words.replace("\\", "\\\\").replace("'", "\\'")
        rows.append(f"complete -c puppet-repl {names}{takes}{given} -d '{words}'\n")
    return "# fish completion of puppet-repl: puppet-repl --completion fish | source\n" + "".join(rows)


SHELLS: dict[str, Callable[[], str]] = {"bash": bash, "zsh": zsh, "fish": fish}


def _names() -> list[str]:
    return [name for option in OPTIONS for name in option.names]


def _choices(option: Option) -> tuple[str, ...]:
    return CHOICES.get(option.field, ())


# --- the manual


def manual() -> str:
    """The manual page, in the language of man: `puppet-repl --man | man -l -`."""
    rows = "".join(f".TP\n{_head(option)}\n{_roff(option.words)}\n" for option in OPTIONS)
    uses = "".join(f".TP\n{_bold(use)}\n{_roff(words)}\n" for use, words in _uses())
    return f""".TH PUPPET-REPL 1 "" "puppet-kernel {__version__}"
.SH NAME
puppet\\-repl \\- the Puppet language in a terminal
.SH SYNOPSIS
{uses}.SH DESCRIPTION
Evaluates Puppet code and shows what it means: values, the catalog, errors that say the way out.
Nothing is ever applied to the machine.
Without files and \\fB\\-e\\fR it reads, evaluates and prints; \\fB%help\\fR lists the commands there.
.SH OPTIONS
{rows}.SH EXIT STATUS
{_roff(EXIT_CODES.partition(": ")[2])}
"""


def _head(option: Option) -> str:
    """The names of an option and what it takes."""
    names = ", ".join(map(_bold, option.names))
    return f"{names} \\fI{_roff(option.argument)}\\fR" if option.argument else names


def _bold(text: str) -> str:
    return f"\\fB{_roff(text)}\\fR"


def _uses() -> list[tuple[str, str]]:
    """The lines of the usage: how it is called, and what that does."""
    lines = [line.partition("  ") for line in USAGE.strip().splitlines()]
    return [(use.strip(), words.strip()) for use, _, words in lines]


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
