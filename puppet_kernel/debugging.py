"""The part of debugging that all front ends share: breakpoints, and a dialog at each stop.

stopped at a breakpoint: function double, cell [3]
   1  function double($x) {
→  2    $x * 2
   3  }
(debug) $x + 1
22
(debug) next
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from evaluator import Session
from evaluator.debugger import Breakpoint, Debugger, Frame, Stop, make_source_key
from evaluator.issues import Failure
from evaluator.program import sandbox
from lexer_parser.dialect import DIALECTS, PUPPET
from lexer_parser.errors import PuppetError
from lexer_parser.parsing import parse
from lexer_parser.record import Record
from lexer_parser.source import Source
from lexer_parser.tree import nodes
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Element, Line, NoteElement, TextElement, make_line
from puppet_kernel.rendering.escape import cut_columns, to_one_line
from puppet_kernel.rendering.literals import make_value_lines
from puppet_kernel.replies import refuse_if

TEMPLATE = ".epp"


def replace_breakpoints(
    debugger: Debugger, session: Session, points: Sequence[Breakpoint], text: str | None, path: str | None
) -> None:
    """Replace the breakpoints of a cell or of a file.

    Args:
        debugger: The debugger.
        session: The session whose dialect and permissions apply.
        points: The new breakpoints.
        text: The text of the cell or file; None if it is not known yet.
        path: The path of the file; None for a cell.
    """
    key = make_source_key(Source(text or "", path))
    debugger.set_breakpoints(key, points, None if text is None else parse_source(session, text, path))


def read_file(session: Session, path: str) -> str | None:
    """Return the text of a file that programs of the session may read; None for any other."""
    if not session.may_read(path):
        return None
    try:
        content = sandbox.read_named(path)
        return None if content is None else sandbox.decode(content, path)
    except (Failure, PuppetError):
        return None


def parse_source(session: Session, text: str, path: str | None) -> nodes.Program | None:
    """Return the syntax tree of a text; None if no dialect accepts it.

    A cell is first parsed in the dialect of the session, a file first in the dialect of the release.
    """
    dialects = [DIALECTS[session.dialect], PUPPET]
    for dialect in dialects if path is None else dialects[::-1]:
        try:
            is_template = path is not None and path.endswith(TEMPLATE)
            return parse(text, dialect=dialect, epp=is_template, name=path, interactive=True)
        except PuppetError:
            continue
    return None


PROMPT = "(debug) "
CONTEXT_LINES = 2  # lines shown before and after the one that runs next
REASONS = {
    "breakpoint": "stopped at a breakpoint",
    "step": "stopped after a step",
    "entry": "stopped at the beginning",
    "pause": "paused",
    "exception": "stopped at an error",
}
# For each input that resumes the program, the kind of the step, and its description in the help.
STEPS = {
    "next": ("over", "to the next line, over calls"),
    "into": ("in", "to the next line, into classes, functions and lambdas"),
    "out": ("out", "until the current call returns"),
    "continue": ("continue", "to the next breakpoint"),
}
HELP = (
    *((name, words) for name, (_, words) in STEPS.items()),
    *(("vars", "the visible variables"), ("catalog", "the resources so far")),
    *(("stack", "the call stack"), ("up", "to the calling frame"), ("down", "to the called frame")),
    *(("quit", "stop the program and discard its effects"), ("help", "this list")),
    ("anything else", "Puppet code, evaluated here; its effects are discarded"),
)
GREETING = f"{', '.join(STEPS)}, vars, stack, quit, or Puppet code; help lists all"


class DebugConsole(Protocol):
    """A place where a program waits for the user; `is_available` is False if it cannot wait."""

    is_available: bool

    def read_line(self, prompt: str) -> str | None:
        """Return the line that the user enters; None if there will be none."""

    def show(self, element: Element) -> None:
        """Show an element at once."""


class DebugDialog(Record):
    """A dialog about how to resume at each stop; without an answer, the program continues.

    Attributes:
        _console: The console for the user's input.
        _width: Returns the number of columns for drawing.
        _last: The last word that resumed the program; an empty line repeats it.
        _inspected: The index of the frame that is inspected.
    """

    _console: DebugConsole
    _width: Callable[[], int]
    _last: str = "next"
    _greeted: bool = False
    _inspected: int = 0

    def handle_stop(self, stop: Stop) -> str:
        """Show where a program is stopped and return how it resumes; KeyboardInterrupt ends it."""
        if not self._console.is_available:
            return "continue"
        self._inspected = 0
        words = f"{REASONS[stop.reason]}{f' — {stop.text}' if stop.text else ''}: "
        self._console.show(self._describe_position(stop.frames[0], words))
        if not self._greeted:
            self._greeted = True
            self._console.show(NoteElement("hint", GREETING))
        while True:
            line = self._console.read_line(PROMPT)
            if line is None:
                return "continue"
            word = line.strip() or self._last
            if word in ("quit", "q"):
                raise KeyboardInterrupt
            step = next((kind for name, (kind, _) in STEPS.items() if word in (name, name[0])), None)
            if step is not None:
                self._last = word
                return step
            self._console.show(self._reply(stop, word))

    def _reply(self, stop: Stop, word: str) -> Element:
        """Return the view for a word that does not resume the program.

        `up` and `down` also change the frame that is inspected.
        """
        frame = stop.frames[self._inspected]
        match word:
            case "up" | "down":
                index = self._inspected + (1 if word == "up" else -1)
                if not 0 <= index < len(stop.frames):
                    return NoteElement("hint", "There are no more frames.")
                self._inspected = index
                return self._describe_position(stop.frames[index], "")
            case "help":
                width = max(len(name) for name, _ in HELP) + 2
                return TextElement(*(make_line(("strong", name.ljust(width)), words) for name, words in HELP))
            case "vars":
                return self._describe_variables(frame)
            case "catalog":
                return self._describe_catalog(frame)
            case "stack":
                return TextElement(*(self._format_frame(stop, number) for number in range(len(stop.frames))))
        return self._evaluate(frame, word)

    def _evaluate(self, frame: Frame, text: str) -> Element:
        """Show the logs of an expression, and return its value or its error."""
        try:
            value, logs = frame.evaluate(text)
        except PuppetError as problem:
            return views.describe_error(problem)
        for entry in logs:
            self._console.show(views.describe_log(entry))
        return TextElement(*make_value_lines(value, self._width()))

    def _describe_variables(self, frame: Frame) -> Element:
        """Return the variables that a frame sees, each with its value."""
        *scopes, _, _ = frame.list_scopes()  # without the last two: the catalog and the built-in variables
        variables = {  # the innermost scope is last and hides the others
            f"${name}": value for _, list_values in reversed(scopes) for name, value in list_values().items()
        }
        if not variables:
            return NoteElement("hint", "There are none.")
        return views.describe_pairs(variables.items(), "variable", self._width())

    def _describe_catalog(self, frame: Frame) -> Element:
        """Return the resources so far."""
        resources = frame.read_catalog()
        if not resources:
            return NoteElement("hint", "It is empty so far.")
        return views.describe_pairs(resources.items(), "type", self._width())

    # --- the position

    def _describe_position(self, frame: Frame, words: str) -> Element:
        """Return some words and the position of a frame, with the lines around the next one."""
        source, current = frame.source, frame.line
        last = min(current + CONTEXT_LINES, len(source.line_starts))
        rows: list[Line] = [make_line(("note", words), ("strong", to_one_line(_describe_frame(frame))))]
        for number in range(max(current - CONTEXT_LINES, 1), last + 1):
            text = cut_columns(to_one_line(source.line(number)), self._width() - 10)
            mark = ("changed", f"→ {number:4}  ") if number == current else ("dim", f"  {number:4}  ")
            rows.append((mark, ("strong" if number == current else "", text)))
        return TextElement(*rows)

    def _format_frame(self, stop: Stop, number: int) -> Line:
        """Return a frame on one line; the one that is inspected is marked."""
        frame = stop.frames[number]
        mark = "→ " if number == self._inspected else "  "
        return make_line(("changed", mark), ("", to_one_line(f"{_describe_frame(frame)}, line {frame.line}")))


def _describe_frame(frame: Frame) -> str:
    """Return a description such as `function double, cell [3]`."""
    return frame.where if frame.name == frame.where else f"{frame.name}, {frame.where}"


def get_debugger(context: Any) -> Debugger:
    """Return the debugger of a command context, which gets one if it has none.

    Raises:
        CommandError: The context has no console.
    """
    if context.debugger is None:
        refuse_if(context.debug_console is None, "There is no user here who could control a stopped program")
        context.debugger = Debugger(DebugDialog(context.debug_console, context.width).handle_stop)
    debugger: Debugger = context.debugger
    return debugger
