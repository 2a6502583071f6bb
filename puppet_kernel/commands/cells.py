"""Commands about cells: their state, undo and redo, and which run again."""

from __future__ import annotations

from evaluator.program.environment import clear_environments
from evaluator.session.cell import Entry
from evaluator.session.document import REDO, UNDO
from puppet_kernel.commands.command import Answer, CommandContext, check_choice, command
from puppet_kernel.commands.inspection import format_first_line
from puppet_kernel.rendering.elements import NoteElement, Table, make_line
from puppet_kernel.rendering.literals import format_count, format_duration
from puppet_kernel.replies import Reply, refuse_if, require_found

# States whose displayed name differs from the session's.
_STATES = {"waiting": "waits for a frozen cell", "deleted": "deleted, waits for a frozen cell"}


@command("cells", refreshable=True, immediate=True, demo="%cells", demo_varies=True)
def show_cells(context: CommandContext, argument: str) -> Answer:
    """Show the cells of the program in order."""
    rows = [
        (
            make_line(("dim", entry.label)),
            make_line(("dim", format_duration(entry.outcome.seconds))),
            make_line(
                ("error", entry.outcome.error.code)
                if entry.outcome.error
                else ("warning", _STATES.get(state, state))
            ),
            make_line(format_first_line(entry.source, context.width() - 40)),
        )
        for entry, state in _list_entries(context)
    ]
    return Table(rows) if rows else NoteElement("hint", "No cell has run yet.")


@command(
    "reset",
    arguments="[--all]",
    complete_argument=lambda context: ["--all"],
    examples=("%reset --all",),
    mutates_session=True,
    immediate=True,
    demo="%reset",
)
def reset(context: CommandContext, argument: str) -> Answer:
    """Reset the session; `--all` also reloads modules."""
    check_choice(argument, ("", "--all"), "%reset")
    if argument:
        clear_environments()
    context.reset()
    beginning = context.session.beginning
    if beginning is not None and beginning.error is not None:
        raise beginning.error
    return NoteElement("hint", "The session starts again.")


@command("undo", demo="%undo", mutates_session=True, immediate=True)
def undo(context: CommandContext, argument: str) -> Answer:
    """Undo the last input."""
    return _step(context, UNDO, "undone", "There is nothing to undo")


@command("redo", demo="%redo", mutates_session=True, immediate=True)
def redo(context: CommandContext, argument: str) -> Answer:
    """Redo the input that was undone last."""
    return _step(context, REDO, "redone", "There is nothing to redo")


def _step(context: CommandContext, step: str, done: str, refusal: str) -> Answer:
    """Undo or redo an input, and name its cell.

    Args:
        context: The command context.
        step: UNDO or REDO.
        done: The word for the step in the output.
        refusal: The message if there is no such input.
    """
    changes = context.session.step(step, context.input_key)
    cell = require_found(changes.cell, refusal)
    return Reply(NoteElement("hint", f"{done}: {format_first_line(cell.source)}"), updated=changes.updated)


@command(
    "freeze",
    arguments="[off | NUMBER…]",
    complete_argument=lambda context: ["off", *(str(entry.number) for entry, _ in _list_program(context))],
    examples=("%freeze 3 4", "%freeze off"),
    mutates_session=True,
    immediate=True,
    demo="%freeze off",
)
def freeze(context: CommandContext, argument: str) -> Answer:
    """Keep this cell, given cells, or all above from running again."""
    session, words = context.session, argument.split()
    if words[:1] == ["off"]:
        keys = _find_keys(context, words[1:]) if words[1:] else None
        updated = session.thaw(keys).updated
        return Reply(NoteElement("hint", "Edits run all cells below again."), updated=updated)
    if not words and context.has_code:
        session.freeze([context.input_key], is_own=True)  # until the cell runs without %freeze
        return NoteElement("hint", "No edit above runs this cell again.")
    keys = (
        _find_keys(context, words)
        if words
        else [entry.cell.key for entry, state in _list_program(context) if state != "deleted"]
    )
    refuse_if(
        not keys,
        "There is no cell to freeze",
        help="put %freeze at the beginning of a cell, or after the cells",
    )
    session.freeze(keys)
    labels = ", ".join(entry.label for entry, _ in _list_entries(context) if entry.cell.key in keys)
    return NoteElement("hint", f"No edit above runs {labels} again until you run it, or `%freeze off`.")


@command(
    "stale",
    arguments="[run | off]",
    complete_argument=lambda context: ["run", "off"],
    examples=("%stale run", "%stale off"),
    mutates_session=True,
    immediate=True,
    demo="%stale run",
)
def mark_stale(context: CommandContext, argument: str) -> Answer:
    """Mark the cells below an edit as stale instead of running them."""
    check_choice(argument, ("", "run", "off"), "%stale")
    session = context.session
    if not argument:
        session.is_lazy = True
        return NoteElement(
            "hint", "Edits mark the cells below as stale. Run them one by one, or `%stale run`."
        )
    updated = session.refresh().updated
    words = f"{format_count(len(updated), 'cell')} evaluated again." if updated else "No cell is stale."
    if argument == "off":
        session.is_lazy = False
        words += " Edits run the cells below again."
    return Reply(NoteElement("hint", words), updated=updated)


def _list_entries(context: CommandContext) -> list[tuple[Entry, str]]:
    """Return the entries of the cells above the input, each with its state."""
    return context.session.list_cells(context.input_key)


def _list_program(context: CommandContext) -> list[tuple[Entry, str]]:
    """Return the cells that are part of the program: one that failed when it was new is not."""
    return [(entry, state) for entry, state in _list_entries(context) if state != "failed"]


def _find_keys(context: CommandContext, words: list[str]) -> list[str]:
    """Return the keys of the cells that a user names by the numbers beside them."""
    keys = {str(entry.number): entry.cell.key for entry, _ in _list_program(context)}
    numbers = [word.strip("[],") for word in words]
    for number in numbers:
        refuse_if(number not in keys, f"There is no cell [{number}] above", help="%cells lists the cells")
    return [keys[number] for number in numbers]
