"""Commands about files: run a manifest, load its text, save the cells; and their paths."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from evaluator import issues
from evaluator.program import sandbox
from evaluator.session.cell import Entry
from lexer_parser.dialect import DIALECTS
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import NoteElement
from puppet_kernel.rendering.escape import COLUMNS
from puppet_kernel.rendering.literals import format_count
from puppet_kernel.rendering.markdown import make_cell, make_fence, make_notebook, to_text
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply, refuse_if, refuse_problems, require_found
from puppet_kernel.user_files.history import NOT_WRITTEN, holds_secret


def require_readable(context: CommandContext, path: str) -> None:
    """Raise PuppetError for a path that the command must not read, whether it exists or not."""
    issues.refuse_if(not context.can_read(path), "PATH_NOT_PERMITTED", path=path)


def write_file(
    context: CommandContext, path: str, make: Callable[[], str | bytes], *, forced: bool, command: str
) -> None:
    """Write a file below the working folder, if the command may write.

    Args:
        context: The context of the command.
        path: The path that the user named.
        make: Returns the content.
        forced: True to replace an existing file.
        command: The command without its path, for the help of errors.

    Raises:
        CommandError: The file exists or cannot be written.
        PuppetError: Writing is not permitted.
    """
    issues.refuse_if(not context.can_write(), "PATH_NOT_PERMITTED", path=path)
    refuse_if(
        sandbox.get_kind(path) and not forced,
        f"{path} already exists",
        help=f"{command} {path} --force replaces it",
    )
    with refuse_problems(OSError, lead=f"{path} cannot be written: "):
        written = sandbox.save(path, make)
    refuse_if(
        not written, f"{path} cannot be written", help=f"{command} takes a file below the working folder"
    )


def list_folders(context: CommandContext) -> Iterable[str]:
    """Return the folders in the working folder."""
    return [
        name for name in _list_names() if context.can_read(name) and sandbox.get_kind(name) == sandbox.FOLDER
    ]


def list_files(*suffixes: str) -> Iterable[str]:
    """Return the names of files in the working folder that end in one of the suffixes."""
    return [name for name in _list_names() if name.endswith(suffixes)]


def _list_names() -> list[str]:
    """Return the names in the working folder, without hidden ones."""
    return [name for name in sandbox.list_folder(".") if not name.startswith(".")]


@command(
    "run",
    arguments="FILE",
    complete_argument=lambda context: list_files(".pp"),
    examples=("%run site.pp",),
    demo="%run modules/motd/functions/shout.pp",
    runs_code=True,
    mutates_session=True,
)
def run(context: CommandContext, argument: str) -> Answer:
    """Run a manifest as this cell."""
    text = _read_text(context, argument, "%run")
    return context.evaluate(text, context.cell_id, name=os.path.abspath(argument.strip()))


@command(
    "load",
    arguments="FILE",
    complete_argument=lambda context: list_files(".pp"),
    examples=("%load site.pp",),
    demo="%load modules/motd/functions/shout.pp",
)
def load(context: CommandContext, argument: str) -> Answer:
    """Load the content of a file into the next input."""
    return Reply(next_input=_read_text(context, argument, "%load").rstrip("\n"))


def _read_text(context: CommandContext, argument: str, command: str) -> str:
    """Return the text of a file that may be read; raise CommandError or PuppetError."""
    path = argument.strip()
    refuse_if(not path, f"{command} takes a file", help=f"{command} site.pp")
    require_readable(context, path)
    with refuse_problems(issues.Failure, lead=f"{path} cannot be read: "):
        content = require_found(sandbox.read_named(path), f"There is no file {path}")
    return sandbox.decode(content, path)


# --- saving


@command(
    "save",
    arguments="FILE [--force]",
    summary="Write the cells to a file: .pp, .ipynb, or .md, a transcript.",
    examples=("%save site.pp", "%save lesson.ipynb", "%save what-i-did.md"),
    demo="%save lesson.ipynb\n%save what-i-did.md --force",
    runs_demo=False,  # a file is written only if the permissions allow it
)
def save(context: CommandContext, argument: str) -> Answer:
    """Write the cells to a file: .pp (manifest), .ipynb (notebook), .md (transcript)."""
    words = argument.split()
    path = next((word for word in words if word != "--force"), "")
    make_content = require_found(
        WRITERS.get(os.path.splitext(path)[1]),
        f"%save takes a file whose name ends in {', '.join(WRITERS)}",
        help="%save site.pp; --force replaces it",
    )
    write_file(context, path, lambda: make_content(context), forced="--force" in words, command="%save")
    cells = context.session.cells
    omitted = sum(_has_secret(cell) for cell in cells)
    note = f"{format_count(len(cells) - omitted, 'cell')} written to {path}"
    if omitted:
        note += f"; not written, because they contain a secret: {omitted}"
    return NoteElement("hint", note)


def _has_secret(cell: Entry) -> bool:
    return holds_secret(cell.source, _format_outcome(cell))


def _format_source(cell: Entry) -> str:
    """Return the source of a cell, or a comment in place of one with a secret."""
    return NOT_WRITTEN if _has_secret(cell) else cell.source


def _format_outcome(cell: Entry) -> str:
    """Return what a cell shows: its log and its result."""
    outcome = cell.outcome
    logged = [render_plain(views.describe_log(entry)) for entry in outcome.logs]
    result = views.describe_result(outcome, COLUMNS) if outcome.error is None else None
    return "\n".join([*logged, *([render_plain(result)] if result is not None else [])])


def make_manifest(context: CommandContext) -> str:
    """Return the cells joined, which is what the released Puppet would compile."""
    return "\n\n".join(_format_source(cell).strip("\n") for cell in context.session.cells) + "\n"


def make_notebook_text(context: CommandContext) -> str:
    """Return a notebook with one cell for each cell, without outputs."""
    name = "puppet-released" if DIALECTS[context.session.dialect].is_released else "puppet"
    cells = (
        make_cell(f"cell-{n}", "code", _format_source(cell))
        for n, cell in enumerate(context.session.cells, 1)
    )
    return to_text(make_notebook(cells, name))


def make_transcript(context: CommandContext) -> str:
    """Return the inputs and their results as Markdown."""
    parts = []
    for cell in context.session.cells:
        parts.append(make_fence(_format_source(cell).strip("\n"), "puppet"))
        outcome = "" if _has_secret(cell) else _format_outcome(cell)
        if outcome:
            parts.append(make_fence(outcome, "text"))
    return "\n\n".join(parts) + "\n"


WRITERS: dict[str, Callable[[CommandContext], str]] = {
    ".pp": make_manifest,
    ".ipynb": make_notebook_text,
    ".md": make_transcript,
}
