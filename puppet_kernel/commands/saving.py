"""A person's files: running a manifest, taking its text for the next input, and writing down what has been done."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

from evaluator.issues import Failure, error
from evaluator.program import gate
from puppet_kernel.commands.command import Answer, Desk
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Note
from puppet_kernel.rendering.text import plain
from puppet_kernel.replies import CommandError, Reply

COLUMNS = 100


def run(desk: Desk, argument: str) -> Answer:
    """Run a manifest as this cell."""
    text = _text(desk, argument, "%run")
    return desk.evaluate(text, desk.cell_id, name=os.path.abspath(argument.strip()))


def load(desk: Desk, argument: str) -> Answer:
    """Take the text of a file for the next input."""
    return Reply(next_input=_text(desk, argument, "%load").rstrip("\n"))


def _text(desk: Desk, argument: str, command: str) -> str:
    """The text of a file that may be read. Raises CommandError and PuppetError."""
    path = argument.strip()
    if not path:
        raise CommandError(f"{command} takes a file", help=f"{command} site.pp")
    if not desk.may_read(path):
        raise error("PATH_NOT_PERMITTED", path=path)
    try:
        content = gate.named(path)
    except Failure as problem:
        raise CommandError(f"{path} cannot be read: {problem}") from None
    if content is None:
        raise CommandError(f"There is no file {path}")
    return gate.decoded(content, path)


# --- saving


def save(desk: Desk, argument: str) -> Answer:
    """Write the cells to a file: .pp (manifest), .ipynb (notebook), .md (transcript)."""
    words = argument.split()
    path = next((word for word in words if word != "--force"), "")
    form = FORMS.get(os.path.splitext(path)[1])
    if form is None:
        raise CommandError(
            f"%save takes a file whose name ends in {', '.join(FORMS)}",
            help="%save site.pp; --force replaces it",
        )
    if not desk.may_write():
        raise error("PATH_NOT_PERMITTED", path=path)
    if gate.kind_of(path) and "--force" not in words:
        raise CommandError(f"{path} is there already", help=f"%save {path} --force replaces it")
    try:
        written = gate.save(path, lambda: form(desk))
    except OSError as problem:
        raise CommandError(f"{path} cannot be written: {problem.strerror}") from None
    if not written:
        raise CommandError(f"{path} cannot be written", help="%save takes a file below the working folder")
    count = len(desk.session.cells)
    return Note("hint", f"{count} {'cell' if count == 1 else 'cells'} written to {path}")


def manifest(desk: Desk) -> str:
    """The cells joined, which is what the released Puppet would compile."""
    return "\n\n".join(cell.source.strip("\n") for cell in desk.session.cells) + "\n"


def notebook(desk: Desk) -> str:
    """A notebook with a cell for each, nothing of it run."""
    name = "puppet" if desk.session.dialect == "spec" else "puppet-released"
    data = {
        "cells": [
            {
                "id": f"cell-{number}",
                "cell_type": "code",
                "execution_count": None,
                "metadata": {},
                "outputs": [],
                "source": cell.source.splitlines(keepends=True),
            }
            for number, cell in enumerate(desk.session.cells, 1)
        ],
        "metadata": {"kernelspec": {"display_name": "Puppet", "language": "puppet", "name": name}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def transcript(desk: Desk) -> str:
    """What was typed and what came, as Markdown."""
    parts = []
    for cell in desk.session.cells:
        logged = [plain(views.log(entry), COLUMNS) for entry in cell.outcome.logs]
        shown = views.result(cell.outcome, COLUMNS) if cell.outcome.error is None else None
        came = "\n".join([*logged, *([plain(shown, COLUMNS)] if shown is not None else [])])
        parts.append(
            _fenced(cell.source.strip("\n"), "puppet") + (f"\n{_fenced(came, 'text')}" if came else "")
        )
    return "\n".join(parts)


def _fenced(text: str, language: str) -> str:
    """A text in a fence that is longer than any in it."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}\n"


FORMS: dict[str, Callable[[Desk], str]] = {".pp": manifest, ".ipynb": notebook, ".md": transcript}
