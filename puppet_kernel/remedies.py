"""The ways out that only a front end knows: how a session is given what an error says is needed.

The language tells what is needed (`error.needs`: "modulepath", "facts", "exported", "permission:files",
"limit:max_memory") or that the other dialect gives something else; how a person comes by it differs between the
places where they type.
"""

from __future__ import annotations

from lexer_parser.errors import Note, PuppetError

Remedies = dict[str, str]

COMMAND_LINE: Remedies = {
    "modulepath": "Name the directories of modules with `--modulepath DIRS`.",
    "facts": "Read facts with `--facts FILE`.",
    "exported": "Read answers of PuppetDB with `--exported FILE`.",
    "permission": "Start `puppet-repl` with `--allow {name}`.",
    "limit": "`--limit {name}=AMOUNT` raises the limit.",
    "dialect": "--dialect {name}",
}
PROMPT: Remedies = {
    **COMMAND_LINE,
    "modulepath": "Start `puppet-repl` with `--modulepath DIRS`.",
    "facts": "Read facts with `%facts FILE`.",
    "exported": "Read answers of PuppetDB with `%exported FILE`.",
    "limit": "`%limits {name} AMOUNT` raises the limit.",
    "dialect": "%dialect {name}",
}
NOTEBOOK: Remedies = {
    **PROMPT,
    "modulepath": "Name the directories of modules with `%modulepath DIRS`.",
    "permission": "Set the environment variable PUPPET_KERNEL_ALLOW={name} before Jupyter starts.",
}


def format_help(problem: PuppetError, ways: Remedies) -> str:
    """The help line of an error: what it says itself, then how to come by what it needs; "" for none."""
    return " ".join(part for part in (problem.help, find_remedy(problem.needs, ways)) if part)


def find_remedy(needs: str, ways: Remedies) -> str:
    """How a session is given what is needed, "permission:files" for one; "" when nothing is."""
    kind, _, name = needs.partition(":")
    return ways[kind].format(name=name) if kind else ""


def format_remark(remark: Note | str, ways: Remedies) -> str:
    """A remark as text; one about the other dialect says how to change to it."""
    if isinstance(remark, str):
        return remark
    dialect = getattr(remark, "dialect", "")
    return f"{remark.text} — {find_remedy(f'dialect:{dialect}', ways)}" if dialect else remark.text
