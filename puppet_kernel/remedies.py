"""The remedies of each front end: how a session gets what an error says it needs.

An error names what it needs (`error.needs`: "modulepath", "facts", "exported", "permission:files",
"limit:max_memory"), and a note names the other dialect. How users meet that need differs between the command line,
the prompt and the notebook.
"""

from __future__ import annotations

import re

from lexer_parser.errors import Note, PuppetError

Remedies = dict[str, str]

COMMAND_LINE: Remedies = {
    "modulepath": "Name the directories of modules with `--modulepath DIRS`.",
    "facts": "Read facts with `--facts FILE`.",
    "exported": "Read answers of PuppetDB with `--exported FILE`.",
    "permission": "Start `puppet-repl` with `--allow {name}`.",
    "limit": "Start `puppet-repl` with `--limit {name}=AMOUNT` to raise the limit.",
    "dialect": "--dialect {name}",
    "command": "Commands such as `{name}` are for notebooks and the prompt; a file has Puppet code alone.",
}
PROMPT: Remedies = {
    **COMMAND_LINE,
    "modulepath": "Start `puppet-repl` with `--modulepath DIRS`.",
    "facts": "Read facts with `%facts FILE`.",
    "exported": "Read answers of PuppetDB with `%exported FILE`.",
    "dialect": "%dialect {name}",
    "command": "A command such as `{name}` is the beginning of its input; before it there is no code.",
}
NOTEBOOK: Remedies = {
    **PROMPT,
    "modulepath": "Name the directories of modules with `%modulepath DIRS`.",
    "permission": "Set the environment variable PUPPET_KERNEL_ALLOW={name} before Jupyter starts.",
    "limit": "Set the environment variable PUPPET_KERNEL_LIMITS={name}=AMOUNT before Jupyter starts.",
}


def format_help(problem: PuppetError, remedies: Remedies) -> str:
    """Return the help of an error, then the remedy for its need; "" without both."""
    command = _find_command(problem)
    if command:
        return find_remedy(f"command:{command}", remedies)
    return " ".join(part for part in (problem.help, find_remedy(problem.needs, remedies)) if part)


def find_remedy(needs: str, remedies: Remedies) -> str:
    """Return how a session gets what is needed, such as "permission:files"; "" if nothing is."""
    kind, _, name = needs.partition(":")
    return remedies[kind].format(name=name) if kind else ""


def _find_command(problem: PuppetError) -> str:
    """Return the command that a program contains as if it were code; "" without one."""
    if problem.span is None or problem.code not in ("SYNTAX_ERROR", "NOT_NUMERIC"):
        return ""
    command = re.match(r"%[a-z]+", problem.span.source.line(problem.span.line))
    return command[0] if command is not None else ""


def format_remark(remark: Note | str, remedies: Remedies) -> str:
    """Return a remark as text; one about another dialect names the command that selects it."""
    if isinstance(remark, str):
        return remark
    dialect = getattr(remark, "dialect", "")
    return f"{remark.text} — {find_remedy(f'dialect:{dialect}', remedies)}" if dialect else remark.text
