"""The notebook `reference.ipynb`, which `python -m tests.regenerate reference` writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from evaluator import Session
from evaluator.issues import load_explained_rows
from evaluator.session import dialect_notes
from puppet_kernel.commands.command import COMMANDS
from puppet_kernel.rendering.markdown import Cell, make_cell, make_fence, make_notebook

TITLE = """# Reference

All functions, types, resource types, commands and errors, with the texts that a session shows for them. Each example
is a cell that ran. In a session, `?name` shows the entry of a name, and `%explain CODE` that of an error. To find an
entry, use the search of the browser.
"""
DEMO_PROGRAM = """class ntp(Array[String] $servers = ['a.example.com', 'b.example.com']) {
  package { 'ntp': ensure => installed }
  -> file { '/etc/ntp.conf': content => $servers.join("\\n"), mode => '0644' }
  ~> service { 'ntp': ensure => running }
}
include ntp
$port = 123"""
# The order in which the reference demonstrates commands: each command sees the effects of those before it. Other
# commands follow.
DEMO_ORDER = (
    *("help", "catalog", "graph", "vars", "facts", "node", "environment", "modulepath", "hiera", "exported"),
    *("lookup", "limits", "undo", "redo", "format", "explain", "step", "types", "both", "diff", "whatif"),
    *("fleet", "why", "functions", "classes", "run", "load", "cells", "time", "check", "hint", "solution"),
    *("exercises", "dialect", "clear", "reset", "break", "debug", "save", "quit"),
)
_MAY_FAIL = {"tags": ["raises-exception"]}  # the cells below such a cell run nevertheless
SECTIONS = {
    "keyword": "Keywords and operators",
    "type": "Types",
    "function": "Functions",
    "metaparameter": "Metaparameters",
    "resource type": "Resource types",
}


def build_notebook() -> dict[str, Any]:
    """Return the notebook, without outputs."""
    # Notes about the other dialect are in no cell; to find them takes much of the time.
    with patch.object(dialect_notes, "may_differ", return_value=False):
        return make_notebook(_make_cells())


def _make_cells() -> Iterator[Cell]:
    """Yield the cells of the notebook."""
    yield _make_markdown("title", TITLE)
    cards, key_counts = list(_iterate_cards()), Counter[str]()
    for kind, title in SECTIONS.items():
        yield _make_markdown(_make_name(kind), f"## {title}")
        for name, card in cards:
            if card.kind == kind:
                key = f"{_make_name(kind)}-{_make_name(name)}"
                key_counts[key] += 1
                yield from _make_entry(
                    name, card, key if key_counts[key] == 1 else f"{key}-no{key_counts[key]}"
                )
    rows = [f"| `{_escape_cell(command.usage)}` | {_escape_cell(command.summary)} |" for command in COMMANDS]
    yield _make_markdown(
        "commands", "\n".join(["## Commands", "", "| command | what it does |", "|---|---|", *rows])
    )
    yield from _show_commands()
    yield _make_markdown("errors", "## Errors")
    for code, row in sorted(load_explained_rows().items()):
        parts = [
            f"### {code}",
            row.words,
            _make_fence(f"# wrong\n{row.wrong}"),
            _make_fence(f"# right\n{row.right}"),
        ]
        yield _make_markdown(f"error-{_make_name(code)}", "\n\n".join(part for part in parts if part))


def _show_commands() -> Iterator[Cell]:
    """Yield a program, then each command with its usage and its demo."""
    yield make_cell("commands-reset", "code", "%reset")
    yield make_cell("commands-program", "code", DEMO_PROGRAM)
    order = {name: number for number, name in enumerate(DEMO_ORDER)}
    for command in sorted(COMMANDS, key=lambda command: order.get(command.name, len(order))):
        parts = [f"### `{command.usage}`", command.summary]
        parts += [] if command.runs_demo else [make_fence(command.demo)]
        yield make_cell(f"command-{command.name}", "markdown", "\n\n".join(parts))
        if command.runs_demo:
            metadata: dict[str, Any] = {"tags": ["nbval-ignore-output"]} if command.demo_varies else {}
            yield make_cell(f"command-{command.name}-shown", "code", command.demo, metadata)


def _iterate_cards() -> Iterator[tuple[str, Any]]:
    """Yield each card once, with its first name."""
    session, seen = Session("spec"), set()
    for name in session.assistant.list_topics():
        for card in session.assistant.find_cards(name):
            if (identity := (card.kind, card.signatures, card.words)) not in seen:
                seen.add(identity)
                yield name, card


def _make_entry(name: str, card: Any, key: str) -> Iterator[Cell]:
    """Yield the description of a name, then a cell for each example without effects."""
    parts = [f"### `{name}`", card.words.strip()]
    if card.signatures and card.kind != "keyword":
        parts.append(_make_fence("\n".join(card.signatures)))
    parts += [_make_table(card)] if card.rows else []
    parts += [f"*{label}*: {words}" for label, words in card.remarks]
    executable: list[tuple[str, str]] = []
    displayed: list[tuple[str, str]] = []
    for code, expected in _split_examples(card.examples):
        (executable if _has_no_effects(code) else displayed).append((code, expected))
    for code, expected in displayed:
        remarks = (f"# {row}" if row and not row.startswith("#") else row for row in expected.split("\n"))
        parts.append(_make_fence("\n".join((code, *remarks))))
    yield _make_markdown(key, "\n\n".join(parts))
    for number, (code, _) in enumerate(executable):
        yield make_cell(f"{key}-{number}", "code", code, {} if _runs_as_released(code) else _MAY_FAIL)


def _has_no_effects(code: str) -> bool:
    """Return whether an example has a value and no effects on the next one."""
    session = Session("spec", interactive=True)
    names = dict(session.assistant.iterate_variables()).keys()
    outcome = session.run(code)
    effects = (
        outcome.change
        or outcome.defined
        or outcome.pending
        or dict(session.assistant.iterate_variables()).keys() - names
    )
    return outcome.error is None and outcome.has_value and not effects


def _runs_as_released(code: str) -> bool:
    """Return whether an example has no error in releases, whose kernel would stop at it."""
    return Session("puppet", interactive=True).run(code).error is None


def _split_examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield programs and their results: lines that begin with `> `, and those below."""
    for block in re.split(r"\n\s*\n(?=> )", text.strip()):
        lines = block.split("\n")
        code = [line[2:] for line in lines if line.startswith("> ")]
        if code:
            yield "\n".join(code), "\n".join(line for line in lines if not line.startswith("> "))


def _make_table(card: Any) -> str:
    """Return the rows of a card as a Markdown table."""
    header = card.header or ("name", "what it is", "")[: max(map(len, card.rows))]
    rows = [header, ["---"] * len(header), *card.rows]
    return "\n".join("| " + " | ".join(_escape_cell(str(part)) for part in row) + " |" for row in rows)


def _escape_cell(text: str) -> str:
    """Return a text as a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|")


def _make_fence(code: str) -> str:
    """Return code as a Markdown block of Puppet code."""
    return make_fence(code.rstrip(), "puppet")


def _make_name(text: str) -> str:
    """Return a name as the id of a cell: letters, digits and hyphens."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")
    return plain[:40] if plain else "-".join(f"{ord(sign):x}" for sign in text)


def _make_markdown(name: str, text: str) -> Cell:
    """Return a cell of prose."""
    return make_cell(name, "markdown", text.strip())
