"""`%functions` and `%classes`: tables to look through, whole by first letter or those that hold a text."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from puppet_kernel.commands.command import Answer, CommandContext
from puppet_kernel.rendering.elements import Element, Group, Line, Note, Table, Tree, line
from puppet_kernel.replies import Reply

FEW = 30  # so many are one table; more are folded by first letter


def functions(context: CommandContext, argument: str) -> Answer:
    """The functions that can be called."""
    return _listed(context, "functions", argument)


def classes(context: CommandContext, argument: str) -> Answer:
    """The classes of the program and of modules."""
    return _listed(context, "classes", argument)


def _listed(context: CommandContext, table: str, text: str) -> Answer:
    items = context.session.listing(table, text)
    if not items:
        holding = f" whose name or words hold '{text}'" if text else ""
        return Note("hint", f"There are no {table}{holding}.")
    told = Note("hint", f"{len(items):,} found; %{table} TEXT looks for a text, ?NAME tells more")
    if len(items) <= FEW:
        return Group(Table([_row(item) for item in items]), told, spaced=True)
    groups = [(letter, list(found)) for letter, found in groupby(items, lambda item: item.text[0])]
    trees: list[Element] = [
        Tree(line(("title", letter), ("dim", f"  {len(found)}")), list(map(_branch, found)), open=False)
        for letter, found in groups
    ]
    return Reply(Group(*trees, told), page=True)


def _row(item: Any) -> tuple[Line, Line]:
    return line(("name", item.text)), line(("words", item.words))


def _branch(item: Any) -> Tree:
    name, words = _row(item)
    return Tree((*name, ("", "  "), *words))
