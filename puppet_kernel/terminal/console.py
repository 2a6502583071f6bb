"""The front end in a terminal: `run_console` connects a Shell with prompt_toolkit."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition, has_completions, has_selection
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History as PromptHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from evaluator.program.log import Log
from lexer_parser.record import Record
from puppet_kernel import __version__
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Element, NoteElement, Paragraphs
from puppet_kernel.rendering.escape import to_one_line
from puppet_kernel.rendering.highlight import PuppetLexer
from puppet_kernel.rendering.text import render_ansi, render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from puppet_kernel.terminal.terminal import Terminal, get_columns, has_colour
from puppet_kernel.user_files.history import InputHistory, find_history_file

MAX_LOG_LINES = 10_000  # the number of log lines that are searched for a secret
PROMPT, CONTINUATION = "puppet> ", "      … "
BANNER = f"puppet-kernel {__version__} applies nothing. %help lists commands, Ctrl-D leaves."
STYLE = Style.from_dict(
    {
        "prompt": "bold #b7791f",
        "continuation": "#808080",
        "bottom-toolbar": "noreverse #808080",
        "pygments.comment": "#808080",
        "pygments.string": "#2e8b57",
        "pygments.string.interpol": "#a855b5",
        "pygments.string.escape": "#2a8a9d",
        "pygments.number": "#2a8a9d",
        "pygments.keyword": "#a855b5",
        "pygments.keyword.type": "#3b82c4",
        "pygments.operator.word": "#a855b5",
        "pygments.name.variable": "#b7791f",
        "pygments.name.class": "#3b82c4",
        "pygments.name.function": "bold",
        "pygments.error": "",
    }
)


def make_shell(settings: dict[str, Any], terminal: Terminal) -> Shell:
    """Return a shell that shows logs and stopped programs in a terminal.

    Raises:
        ValueError: The settings are wrong.
    """
    shell = Shell(settings, width=get_columns, with_type=True)
    shell.on_log = lambda entry: terminal.show(views.describe_log(entry))
    shell.debug_console = TerminalConsole(terminal)
    return shell


def run_console(shell: Shell, terminal: Terminal) -> int:
    """Read, evaluate and print until the user leaves, and return the exit code."""
    history = InputHistory(find_history_file())
    inputs = PromptFileHistory(history)
    log_lines = _record_log(shell)
    prompt = make_prompt(shell, inputs)
    terminal.show(Paragraphs(BANNER))
    shown_warnings: set[str] = set()
    reply = Reply()  # to the last input; it may contain the beginning of the next one
    for number in (signal.SIGTERM, signal.SIGHUP):
        # the regular way to exit restores the modes of the terminal
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    while True:
        for warning in (history.warning, history.damage):
            if warning is not None and warning not in shown_warnings:
                shown_warnings.add(warning)
                terminal.show(NoteElement("warning", warning, "warning"))
        try:
            source = prompt.prompt(default=reply.next_input)
            text = ""
            try:
                reply = Reply()
                if source.strip():  # Ctrl-C stops only the program or the drawing
                    reply, text = shell.submit_and_render(source, lambda reply: (reply, render_reply(reply)))
            finally:  # an input that was interrupted is stored, too
                inputs.flush(text, log_lines)
                log_lines.clear()
            if reply.action == "quit":
                return 0
            if reply.is_value or not show_in_pager(text):
                terminal.write(text)
        except KeyboardInterrupt:
            reply = Reply()
        except EOFError:
            return 0


def _record_log(shell: Shell) -> deque[str]:
    """Return a queue to which the last log lines of a shell are added from now on."""
    show, lines = shell.on_log, deque[str](maxlen=MAX_LOG_LINES)

    def record(entry: Log) -> None:
        lines.append(entry.message)
        if show is not None:
            show(entry)

    shell.on_log = record
    return lines


def render_reply(reply: Reply) -> str:
    """Return a reply as the terminal shows it."""
    text = "\x1b[2J\x1b[H" if reply.action == "clear" else ""
    if reply.element is None:
        return text
    if reply.error is not None and reply.error.code == "INTERRUPTED":
        text += "\n"  # the terminal has printed ^C
    folded = reply.error is not None  # the text of an error wraps; a value does not, so that it can be copied
    render = partial(render_ansi, highlight=True) if has_colour(sys.stdout) else render_plain
    return f"{text}{render(reply.element, get_columns(), folded=folded, wrap_labels=True)}\n"


def make_prompt(shell: Shell, history: PromptFileHistory) -> PromptSession[str]:
    """Return the prompt with multi-line editing, highlighting, completion and history."""
    return PromptSession(
        message=[("class:prompt", PROMPT)],
        prompt_continuation=lambda width, number, _: [("class:continuation", CONTINUATION)],
        multiline=True,
        lexer=PygmentsLexer(PuppetLexer, sync_from_start=True),
        completer=ShellCompleter(shell),
        complete_while_typing=True,
        complete_style=CompleteStyle.COLUMN,
        complete_in_thread=False,
        history=history,
        key_bindings=make_key_bindings(shell),
        style=STYLE,
        bottom_toolbar=make_toolbar,
        reserve_space_for_menu=6,
    )


def make_toolbar() -> StyleAndTextTuples | None:
    """Return a line that says how to end an input of several lines; None for other inputs."""
    if "\n" not in get_app().current_buffer.text:
        return None
    return [("", " Enter on a complete input runs it · Alt-Enter adds a line · Ctrl-C drops it")]


class ShellCompleter(Completer):
    """The menu of completions: it queries the shell."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """Yield the candidates; while typing, only for a word that has begun."""
        try:
            completion = self.shell.supervise_briefly(
                lambda: self.shell.complete(document.text, document.cursor_position)
            )
        except (Exception, KeyboardInterrupt):
            return  # a missing menu is better than an editor that stops
        if event.text_inserted and completion.end - completion.start < 2:
            return
        typed = document.text[completion.start : document.cursor_position]
        for item in completion.items:
            if event.text_inserted and item.text == typed:
                continue
            yield Completion(
                item.text,
                start_position=completion.start - document.cursor_position,
                display=to_one_line(item.text),
                display_meta=to_one_line(item.words or item.kind)[:60],
            )


def make_key_bindings(shell: Shell) -> KeyBindings:
    """Return key bindings: Enter runs a complete input, a closing brace is unindented."""
    keys = KeyBindings()

    @Condition
    def is_item_selected() -> bool:
        state = get_app().current_buffer.complete_state
        return state is not None and state.current_completion is not None

    @keys.add("enter", filter=~has_selection & ~is_item_selected)
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        indent = find_indent(shell, buffer.text)
        if indent is None:
            buffer.cursor_position = len(buffer.text)
            buffer.validate_and_handle()
        elif buffer.document.is_cursor_at_the_end:
            buffer.insert_text("\n" + indent)
        else:
            buffer.newline()

    @keys.add("enter", filter=has_completions & is_item_selected)
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    @keys.add("}")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        before = buffer.document.current_line_before_cursor
        if before and not before.strip():
            buffer.delete_before_cursor(min(2, len(before)))
        buffer.insert_text("}")

    return keys


def find_indent(shell: Shell, text: str) -> str | None:
    """Return the indent of the next line; None if the input can run or can never be valid."""
    if not text.strip():
        return None
    try:
        status = shell.supervise_briefly(lambda: shell.status(text))
    except (Exception, KeyboardInterrupt):
        return None
    return status.indent if status.kind == "incomplete" else None


class PromptFileHistory(PromptHistory):
    """The inputs of this prompt and of earlier ones, without those that begin with a blank."""

    def __init__(self, history: InputHistory) -> None:
        super().__init__()
        self._history = history
        self._entries = history.read()
        self._waiting: list[str] = []  # inputs whose output is not known yet

    def load_history_strings(self) -> Iterable[str]:
        """Return the inputs of the file, the newest first."""
        return (entry.source for entry in reversed(self._entries))

    def store_string(self, string: str) -> None:
        """Accept an input; it is stored when its output is known, which may contain a secret."""
        if not string[:1].isspace():
            self._waiting.append(string)

    def flush(self, output: str = "", logged: Iterable[str] = ()) -> None:
        """Store the waiting inputs with their output, unless one or a log line has a secret."""
        while self._waiting:
            self._history.add(0, self._waiting.pop(0), output, logged)


POLL_SECONDS = 0.1


class TerminalConsole(Record):
    """A console that reads lines from standard input in the program's thread.

    It polls, so that an interrupt is handled between two polls.
    """

    _terminal: Terminal
    is_available: bool = True
    _typed: bytes = b""  # what was received after the last line

    def show(self, element: Element) -> None:
        """Show an element."""
        self._terminal.show(element)

    def read_line(self, prompt: str) -> str | None:
        """Return the line that the user types; None at the end of the input."""
        self._terminal.write(prompt)
        sys.stdout.flush()
        descriptor = sys.stdin.fileno()
        while b"\n" not in self._typed:
            if not select.select([descriptor], [], [], POLL_SECONDS)[0]:
                continue
            received = os.read(descriptor, 4096)
            if not received:
                self._terminal.write("\n")
                return None
            self._typed += received
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode("utf-8", "replace").rstrip("\r")


def show_in_pager(text: str) -> bool:
    """Show a text in the pager that PAGER names, `less` by default.

    Returns:
        False if there is no pager, if the text fits on the screen, or if PAGER is empty.
    """
    try:
        rows = os.get_terminal_size(1).lines
    except OSError:
        return False
    words = shlex.split(os.environ.get("PAGER", "less"))
    if text.count("\n") < rows or not words:
        return False
    environment = {"LESS": "-FRX", **os.environ}  # show colours, and leave the text on the screen
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # while the pager runs, it handles Ctrl-C
    try:
        with suppress(BrokenPipeError):
            subprocess.run(words, input=text.encode("utf-8", "replace"), env=environment, check=False)
        return True
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
