"""The trace of a Hiera lookup as a tree: layers, levels, files, and the value in each."""

from __future__ import annotations

import os
from itertools import groupby
from typing import Any

from evaluator.program.definitions import MISSING
from evaluator.program.lookup_trace import ABSENT, LookupStep, LookupTrace
from evaluator.values import Sensitive
from evaluator.values import literal as to_source
from puppet_kernel.rendering.elements import Fragment, Line, Tree, line
from puppet_kernel.rendering.literals import short_value

NO_DATA = "there is no data: no hiera.yaml of the session, environment or module; `%hiera FILE` names one"
_LEAST = 30  # columns that a value gets where the words before it are long


def lookup(account: LookupTrace, columns: int = 100) -> Tree:
    """Return the trace of a lookup as a tree.

    If the final value is Sensitive, the values on the way are not displayed either.
    """
    hidden = isinstance(account.value, Sensitive)
    branches = [Tree(one) for one in _manner(account, columns)]
    for layer, asked in groupby(account.steps, lambda one: one.layer):
        levels = groupby(asked, lambda one: one.level)
        shown = [_level(level, list(places), hidden, columns) for level, places in levels]
        branches.append(Tree(_label(layer), [one for level in shown for one in level]))
    if not account.steps:
        branches.append(Tree(line(("dim", NO_DATA))))
    return Tree(_render_value((("name", account.name),), account.value, columns), branches)


def _label(layer: str) -> Line:
    words, colon, path = layer.partition(": ")
    return line(("title", words), ("dim", colon + short(path)))


def _manner(account: LookupTrace, columns: int) -> list[Line]:
    """Return how several values are merged, and the conversion of the result."""
    found: list[Line] = []
    options = account.options
    if options is not None:
        found.append(_render_value((("", "lookup_options"), *_place(options)), options.answer, columns))
    strategy = account.merge["strategy"] if isinstance(account.merge, dict) else account.merge
    found.append(
        line("merge: ", ("strong", strategy or "first"), ("dim", _MERGES.get(strategy or "first", "")))
    )
    if account.convert is not None:
        wanted = account.convert if isinstance(account.convert, str) else to_source(account.convert)
        found.append(line("converted to ", ("type", wanted)))
    return found


_MERGES = {
    "first": ", the first value that is found",
    "unique": ", one flat array of all values without repetition",
    "hash": ", the hashes' keys together; the first value of each key",
    "deep": ", hashes within hashes together too, arrays joined",
}


def _level(name: str, places: list[LookupStep], hidden: bool, columns: int) -> list[Tree]:
    """Return a level: on one line if it has one file, else with a branch for each."""
    if not name:
        return [_render_step((), one, hidden, columns) for one in places]
    if len(places) == 1:
        return [_render_step((("", name),), places[0], hidden, columns)]
    return [Tree(line(name), [_render_step((), one, hidden, columns) for one in places])]


def _render_step(label: Line, asked: LookupStep, hidden: bool, columns: int) -> Tree:
    head = (*label, *_place(asked, gap=bool(label)))
    if asked.answer is ABSENT:
        return Tree((*head, ("dim", "  no such file")))
    if hidden and asked.has_value:
        return Tree((*head, ("", " = "), ("dim", "Sensitive [value redacted]")))
    if not asked.is_reached and asked.has_value:
        head = (*head, ("dim", "  not reached"))
    nested = [] if hidden else [lookup(one, columns) for one in asked.nested]
    return Tree(_render_value(head, asked.answer, columns), nested)


def _place(asked: LookupStep, gap: bool = True) -> list[Fragment]:
    if not asked.place:
        return []
    where = f", line {asked.line}" if asked.line is not None else ""
    return [("dim", f"{'  ' if gap else ''}{short(asked.place)}{where}")]


def short(path: str) -> str:
    """Return a path, relative to the working folder if it is in there."""
    inside = os.path.relpath(path)
    return path if inside.startswith("..") else inside


def _render_value(head: Line, value: Any, columns: int) -> Line:
    if value is MISSING:
        return (*head, ("dim", "  no value"))
    used = sum(len(text) for _, text in head)
    return (*head, ("", " = "), *short_value(value, max(columns - used - 12, _LEAST)))
