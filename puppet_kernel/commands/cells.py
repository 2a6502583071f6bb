"""Commands about the cells of the program, and about the layout of code."""

from __future__ import annotations

from lexer_parser.dialect import DIALECTS
from lexer_parser.printing.layout import format_source
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.rendering.elements import Code, NoteElement, Table, line
from puppet_kernel.rendering.escape import clip
from puppet_kernel.rendering.literals import duration
from puppet_kernel.replies import CommandError, Reply


@command("cells", refreshable=True, demo="%cells", demo_varies=True)
def show_cells(context: CommandContext, argument: str) -> Answer:
    """The cells of the program, how they ended, and their times."""
    rows = [
        (
            line(("dim", cell.label)),
            line(("dim", duration(cell.outcome.seconds))),
            line(("error", cell.outcome.error.code) if cell.outcome.error else ""),
            line(first_line(cell.source, context.width() - 40)),
        )
        for cell in context.session.cells
    ]
    return Table(rows) if rows else NoteElement("hint", "No cell has run yet.")


def first_line(source: str, columns: int = 70) -> str:
    """Return the first line of code, with a mark if more lines follow."""
    lines = [text.strip() for text in source.split("\n")]
    lines = [text for text in lines if text and not text.startswith("#")] or [""]
    return clip(lines[0] + (" …" if len(lines) > 1 else ""), columns)


@command("reset", mutates_session=True, immediate=True, demo="%reset")
def reset(context: CommandContext, argument: str) -> Answer:
    """Start again with nothing."""
    context.reset()
    beginning = context.session.beginning
    if beginning is not None and beginning.error is not None:
        raise beginning.error
    return NoteElement("hint", "The session starts again.")


@command(
    *("format", "[CODE]"),
    examples=("%format file{'/a':mode=>'0644'}",),
    takes_code=True,
    demo="%format file{'/a':mode=>'0644'}",
)
def reformat(context: CommandContext, argument: str) -> Answer:
    """Code, or the last input, in the usual layout."""
    source = argument or (context.session.cells[-1].source if context.session.cells else "")
    if not source:
        raise CommandError("There is nothing to format", help="%format CODE, or %format after a cell")
    dialect = DIALECTS[context.session.dialect]
    return Code(format_source(source.strip(), dialect).rstrip("\n"))


@command(
    *("time", "CODE"),
    examples=("%time [1, 2, 3].map |$n| { $n * 2 }",),
    takes_code=True,
    runs_code=True,
    mutates_session=True,
    demo="%time [1, 2, 3].map |$n| { $n * 2 }",
    demo_varies=True,
)
def time(context: CommandContext, argument: str) -> Answer:
    """Run code and measure its time."""
    if not argument:
        raise CommandError("%time takes the code to run")
    return context.evaluate(argument, context.cell_id, timed=True)


@command("quit", aliases=("exit",), demo="%quit", runs_demo=False)
def quit_session(context: CommandContext, argument: str) -> Answer:
    """Leave."""
    return Reply(action="quit")


@command("clear", demo="%clear")
def clear(context: CommandContext, argument: str) -> Answer:
    """Clear the screen or the output."""
    return Reply(action="clear")
