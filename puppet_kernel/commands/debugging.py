"""Commands that stop programs: `%break` at a line, `%debug` at the first statement."""

from __future__ import annotations

import os
import re

from evaluator.debugger import Breakpoint, Debugger, make_source_key
from lexer_parser.source import Source
from puppet_kernel import debugging
from puppet_kernel.commands.command import Answer, CommandContext, command
from puppet_kernel.rendering.elements import NoteElement, Table, make_line
from puppet_kernel.rendering.escape import cut_columns, to_one_line
from puppet_kernel.replies import CommandError, refuse_if, require_found

EXAMPLES = ("%break [3]:2", "%break ntp/manifests/init.pp:12 if $port > 1024", "%break off")
_POSITION = re.compile(
    r"(?:\[(?P<cell>\d+)\]|(?P<file>[^\s].*?)):(?P<line>\d+)(?:\s++if\s++(?P<condition>.+)|\s+(?P<off>off))?"
)

NOWHERE = "No breakpoint is set: programs run to their end. `%break [3]:2` stops at line 2 of cell [3]."


@command(
    "break",
    arguments="[PLACE:LINE [if COND]]",
    complete_argument=lambda context: (
        "off",
        *(f"{cell.label}:" for cell in context.session.cells),
        *context.session.loaded(),
    ),
    summary="Set breakpoints at lines of cells or files; or list them.",
    examples=EXAMPLES,
    demo="%break [3]:2\n%break off",
    runs_demo=False,  # a debugger waits for input
    mutates_session=True,
    immediate=True,
)
def stop_at(context: CommandContext, argument: str) -> Answer:
    """Stop programs at a line, if a condition holds; or list the breakpoints."""
    debugger = debugging.get_debugger(context)
    if not argument.strip():
        return _list_breakpoints(context, debugger)
    if argument.strip() == "off":
        for key in debugger.breakpoints:
            debugger.set_breakpoints(key, [], None)
        return NoteElement("hint", NOWHERE)
    position = require_found(
        _POSITION.fullmatch(argument.strip()),
        "%break takes a cell or file, and a line",
        help="; ".join(EXAMPLES),
    )
    cell, file = position["cell"], position["file"]
    text, path = _find_cell(context, cell) if cell else _find_file(context, file)
    number = int(position["line"])
    before = debugger.breakpoints.get(make_source_key(Source(text, path)), [])
    points = [point for point in before if point.line != number]
    if position["off"]:
        debugging.replace_breakpoints(debugger, context.session, points, text, path)
        return NoteElement("hint", f"Programs do not stop at line {number}.")
    new = Breakpoint(number, position["condition"] or "")
    debugging.replace_breakpoints(debugger, context.session, [*points, new], text, path)
    if new.statement is None:  # the debugger has found no statement for it, so it is taken away again
        debugging.replace_breakpoints(debugger, context.session, points, text, path)
        raise CommandError(f"There is no statement on line {number} or below it")
    return _list_breakpoints(context, debugger)


def _find_cell(context: CommandContext, number: str) -> tuple[str, None]:
    """Return the text of a cell, and None for its path."""
    sources = (cell.source for cell in context.session.cells if cell.number == int(number))
    return require_found(next(sources, None), f"There is no cell [{number}]", help="%cells lists all"), None


def _find_file(context: CommandContext, name: str) -> tuple[str, str]:
    """Return the text and path of a file: as it is named, or in a folder of modules."""
    for folder in ("", *context.session.modulepath):
        path = os.path.abspath(os.path.join(folder, name))
        text = debugging.read_file(context.session, path)
        if text is not None:
            return text, path
    raise CommandError(
        f"{name} cannot be read",
        help="name a path, also one below a folder of modules: ntp/manifests/init.pp",
    )


def _list_breakpoints(context: CommandContext, debugger: Debugger) -> Answer:
    """Return the list of breakpoints."""
    rows = []
    for key, points in debugger.breakpoints.items():
        cell = next((cell for cell in context.session.cells if cell.source == key), None)
        file = key if os.path.isabs(key) else "a cell"  # the key of a cell that is gone is its text
        where = file if cell is None else cell.label
        for point in points:
            number = point.line if point.statement is None else point.statement.line
            condition = cut_columns(to_one_line(f"if {point.condition}"), 60) if point.condition else ""
            rows.append(
                (make_line(("strong", to_one_line(f"{where}:{number}"))), make_line(("dim", condition)))
            )
    return Table(rows) if rows else NoteElement("hint", NOWHERE)


@command(
    "debug",
    arguments="CODE",
    summary="Run code line by line, with its variables, calls and catalog.",
    examples=("%debug [1, 2].map |$n| { $n * 2 }",),
    demo="%debug [1, 2].map |$n| { $n * 2 }",
    runs_demo=False,
    takes_code=True,
    runs_code=True,
    mutates_session=True,
)
def debug(context: CommandContext, argument: str) -> Answer:
    """Run code and stop at its first statement."""
    refuse_if(not argument.strip(), "%debug takes the code to run")
    debugger = debugging.get_debugger(context)
    refuse_if(
        not debugger.pausable and not context.debug_console.is_available,
        "There is no user here who could control a stopped program",
    )
    debugger.stop_at_entry = True
    try:
        return context.evaluate(argument, context.cell_id)
    finally:
        debugger.stop_at_entry = False
