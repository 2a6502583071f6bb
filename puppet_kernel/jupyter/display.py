"""Messages that show results: bundles, outputs that are redrawn later, and streams."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from evaluator.session.cell import Entry, Evaluation
from evaluator.session.edits import ReplayStep
from lexer_parser.record import Record, fresh
from puppet_kernel.rendering import graphs
from puppet_kernel.rendering.elements import Element, Graph, Group, NoteElement, TextElement
from puppet_kernel.rendering.escape import to_printable
from puppet_kernel.rendering.html import PICTURE_LIMIT, render_html
from puppet_kernel.rendering.markdown import render_markdown
from puppet_kernel.rendering.text import RICH_LIMIT, render_ansi_lines, render_plain
from puppet_kernel.rendering.views import shorten_message
from puppet_kernel.replies import Reply


def make_bundle(element: Element | None, data: Any = None) -> dict[str, Any]:
    """Return an element as plain text, HTML and Markdown, and `data` as JSON.

    A graph is also SVG. SVG and JSON that are too large to view are left out.
    """
    if element is None:
        return {}
    bundle: dict[str, Any] = {
        "text/plain": render_plain(element),
        "text/html": render_html(element),
        "text/markdown": render_markdown(element),
    }
    if isinstance(element, Graph) and (element.edges or element.inside):
        svg = graphs.draw(element)
        if svg and len(svg) <= PICTURE_LIMIT:
            bundle["image/svg+xml"] = svg
    if data is not None and len(bundle["text/plain"]) <= RICH_LIMIT:  # the plain text shows the data, too
        bundle["application/json"] = data
    return bundle


def make_error_content(reply: Reply) -> dict[str, Any]:
    """Return the content of an `error` message: code, wording, and the lines to display."""
    problem = reply.error
    assert problem is not None
    return {
        "ename": problem.code,
        "evalue": to_printable(shorten_message(problem.message)),
        "traceback": render_ansi_lines(reply.element or TextElement(())),
    }


Message = tuple[str, dict[str, Any]]  # type and content

PROGRESS_SECONDS = 0.5  # a replay that takes longer displays its progress
# The number of stored outputs that show the program; they are marked when they become outdated.
MOST_VIEWS = 20


class ReplyMessages:
    """The messages of a reply, the content of the execute reply, and the text for the history.

    The output of a cell with an identity is display data, even if it is empty, because front ends redraw nothing
    else.

    Attributes:
        messages: Type and content of each message for the iopub channel.
        content: The content of the execute reply.
        text: The result as plain text, or None.
        is_final: True if the output is not redrawn when the order of the cells is decided again.
        refreshable: The element, if it shows the program and may become outdated; else None.
    """

    def __init__(self, reply: Reply, cell_id: str | None, number: int) -> None:
        self.messages: list[Message] = []
        self.content: dict[str, Any] = {"status": "ok", "payload": []}
        self.text: str | None = None
        self.refreshable = reply.element if reply.refreshable else None
        self.is_final = reply.error is not None or not reply.is_value
        if reply.error is not None:
            content = make_error_content(reply)
            self.messages.append(("error", content))
            self.content = {"status": "error", **content}
        elif reply.action == "quit":
            self.content["payload"] = [{"source": "ask_exit", "keepkernel": False}]
        else:
            self._add_result(reply, cell_id, number)

    def _add_result(self, reply: Reply, cell_id: str | None, number: int) -> None:
        """Add the messages of a reply that is neither an error nor the end of the session."""
        if reply.action == "clear":
            self.messages.append(("clear_output", {"wait": False}))
        data = make_bundle(reply.element, reply.data)
        self.text = data.get("text/plain")
        if reply.next_input:
            self.content["payload"] = [
                {"source": "set_next_input", "text": reply.next_input, "replace": False}
            ]
        if reply.page and data:
            self.content["payload"] = [{"source": "page", "data": data, "start": 0}]
        elif cell_id:
            self.messages.append(("display_data", _make_display(cell_id, data or _NOTHING)))
        elif data and reply.is_value:
            self.messages.append(
                ("execute_result", {"data": data, "metadata": {}, "execution_count": number})
            )
        elif data:
            self.messages.append(("display_data", {"data": data, "metadata": {}}))


class DisplayMemory(Record):
    """The outputs of cells with an identity: log lines, and views that may become outdated.

    Attributes:
        logged: The log lines in the output of each cell that has any.
    """

    _views: dict[str, ProgramView] = fresh(factory=dict)
    logged: dict[str, list[str]] = fresh(factory=dict)

    def store(
        self, cell_id: str | None, element: Element | None, above: Evaluation | None, logged: list[str]
    ) -> None:
        """Store what a cell displays now.

        Args:
            cell_id: The identity of the cell.
            element: The element that shows the program, if there is one.
            above: The evaluation of the cell above it.
            logged: The log lines in the output of the cell.
        """
        if not cell_id:
            return
        self._views.pop(cell_id, None)
        if element is not None:
            self._views[cell_id] = ProgramView(element, above)
            if len(self._views) > MOST_VIEWS:
                del self._views[next(iter(self._views))]
        self.logged.pop(cell_id, None)
        if logged:
            self.logged[cell_id] = logged

    def mark_changed(
        self, evaluation_above: Callable[[str], Evaluation | None], excluded: str | None
    ) -> list[tuple[str, Element, bool]]:
        """Mark the outputs that no longer show the program as it is, or do so again; return them.

        Args:
            evaluation_above: Returns the current evaluation of the cell above an input.
            excluded: The cell that ran, which is left out.

        Returns:
            For each changed output the identity of its cell, the output, and True if it is now outdated.
        """
        changed = []
        for cell_id, view in self._views.items():
            is_old = evaluation_above(cell_id) is not view.above
            if cell_id != excluded and is_old != view.is_old:
                view.is_old = is_old
                changed.append((cell_id, view.element, is_old))
        return changed


class ProgramView(Record):
    """An output that shows the program as it was above a cell when the cell ran."""

    element: Element
    above: Evaluation | None
    is_old: bool = False


class ReplayDisplay(Record):
    """The display of a front end while cells below the one that ran are evaluated again.

    The result of the cell itself comes first; each cell that differs is redrawn as soon as it is known.

    Attributes:
        redrawn: The entries that were redrawn, by the identity of the cell.
    """

    _start_time: float = 0.0  # 0 before the result of the cell itself is sent
    _last_note: float = 0.0  # the time at which the progress was last displayed
    _own: Element | None = None
    redrawn: dict[str, Entry] = fresh(factory=dict)

    @property
    def has_begun(self) -> bool:
        """True if the result of the cell itself was sent."""
        return bool(self._start_time)

    def make_messages(
        self,
        step: ReplayStep,
        draw: Callable[[Entry], Element | None],
        update: Callable[[Entry], Message],
    ) -> list[Message]:
        """Return the messages of a step.

        Args:
            step: The step of the replay.
            draw: Draws the result of the cell that ran.
            update: Returns the message that redraws another cell.
        """
        cell_id, now = step.own.cell.key, time.monotonic()
        if not self.has_begun:
            self._start_time = self._last_note = now
            self._own = draw(step.own)
            return [("display_data", _make_display(cell_id, make_bundle(self._own) or _NOTHING))]
        messages = []
        if step.updated is not None:
            self.redrawn[step.updated.cell.key] = step.updated
            messages.append(update(step.updated))
        if now - self._last_note > PROGRESS_SECONDS:
            self._last_note = now
            note = NoteElement("hint", f"{step.number} of {step.total} cells below are evaluated again")
            messages.append(make_update(cell_id, note if self._own is None else Group(self._own, note)))
        return messages

    def complete(
        self, reply: ReplyMessages, find: Callable[[str], Entry | None], update: Callable[[Entry], Message]
    ) -> list[Message]:
        """Return the messages that complete the display when the reply is known.

        Args:
            reply: The messages of the reply.
            find: Returns the current entry of a cell.
            update: Returns the message that redraws a cell.
        """
        if not self.has_begun:
            return reply.messages
        if reply.content["status"] == "ok":
            # The output of the cell exists already and is replaced.
            kinds = {"display_data": "update_display_data"}
            return [(kinds.get(kind, kind), content) for kind, content in reply.messages]
        # The replay was stopped, so the cells keep their entries; those already redrawn show them again.
        kept_entries = filter(None, map(find, self.redrawn))
        return [("clear_output", {"wait": False}), *reply.messages, *map(update, kept_entries)]


_NOTHING = {"text/plain": "", "text/html": ""}


def make_update(cell_id: str, element: Element | None) -> Message:
    """Return the message that redraws the output of a cell."""
    return "update_display_data", _make_display(cell_id, make_bundle(element) or _NOTHING)


def _make_display(cell_id: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"data": data, "metadata": {}, "transient": {"display_id": cell_id}}


# --- the standard streams of a cell

STREAM_SECONDS = 0.05  # for which text is buffered
STREAM_CHARACTERS = 16_384  # that are buffered


class BufferedStream(Record):
    """A stream that sends the first line at once, and lines that follow quickly together.

    Attributes:
        send: Sends text on a stream, given the name and the text.
        _name: The name of the stream of the buffered parts.
        _size: The number of characters in the parts.
        _timer: Sends the parts when it ends; None if nothing was sent just before.
    """

    send: Callable[[str, str], None]
    _name: str = ""
    _parts: list[str] = fresh(factory=list)
    _size: int = 0
    _timer: threading.Timer | None = None
    _lock: Any = fresh(factory=threading.RLock)

    def write(self, name: str, text: str) -> None:
        """Send text on a stream, now or after at most STREAM_SECONDS seconds."""
        with self._lock:
            if name != self._name:
                self._send()
            self._name = name
            self._parts.append(text)
            self._size += len(text)
            if self._size > STREAM_CHARACTERS:
                self._send()
            else:
                self.schedule()

    def schedule(self) -> None:
        """Send the buffered text now, or after STREAM_SECONDS seconds if something was just sent."""
        if self._timer is None:
            self._send()
            self._timer = threading.Timer(STREAM_SECONDS, self._on_timer)
            self._timer.daemon = True
            self._timer.start()

    def flush(self) -> None:
        """Send the buffered text now."""
        with self._lock:
            self._send()
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _on_timer(self) -> None:
        with self._lock:
            self._timer = None
            self._send()

    def _send(self) -> None:
        if self._parts:
            text, self._parts, self._size = "".join(self._parts), [], 0
            self.send(self._name, text)


class NotebookConsole(Record):
    """A debug console in a notebook; it is available if the front end accepts input requests."""

    _kernel: Any
    is_available: bool = False

    def show(self, element: Element) -> None:
        """Show an element below the cell."""
        self._kernel.stream.write("stdout", render_plain(element) + "\n")

    def read_line(self, prompt: str) -> str | None:
        """Return the line that the user enters; None if the front end accepts no input requests."""
        self._kernel.stream.flush()
        return str(self._kernel.raw_input(prompt)) if self.is_available else None
