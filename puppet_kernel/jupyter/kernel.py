"""The kernel: it passes cells to a Shell and sends the replies as Jupyter's messages."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import takewhile
from typing import Any, ClassVar, TypeVar

import traitlets

from evaluator import Session, assistance
from evaluator.session import stack_threads
from evaluator.session.cell import Entry, Evaluation
from evaluator.session.edits import ReplayStep, Snapshot
from lexer_parser.dialect import PUPPET
from lexer_parser.errors import PuppetError
from puppet_kernel import __version__, process
from puppet_kernel.jupyter import debugging, parameters
from puppet_kernel.jupyter.display import (
    BufferedStream,
    DisplayMemory,
    Message,
    NotebookConsole,
    ReplayDisplay,
    ReplyMessages,
    make_bundle,
    make_error_content,
    make_update,
)
from puppet_kernel.jupyter.requests import BadRequestError, RobustKernel
from puppet_kernel.jupyter.run_all import WAIT_SECONDS, CellsSentTogether, is_cell_waiting
from puppet_kernel.remedies import NOTEBOOK
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import Element, Group, NoteElement
from puppet_kernel.rendering.escape import to_printable
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from puppet_kernel.user_files.history import HistoryEntry, InputHistory, find_history_file

DOCUMENTATION = "https://www.puppet.com/docs/puppet/latest"
HELP_LINKS = [
    {"text": "Puppet language reference", "url": f"{DOCUMENTATION}/puppet_language.html"},
    {"text": "Puppet functions", "url": f"{DOCUMENTATION}/function.html"},
    {"text": "Puppet resource types", "url": f"{DOCUMENTATION}/type.html"},
]
LANGUAGE: dict[str, object] = {
    "name": "puppet",
    "version": PUPPET.product.version,
    "mimetype": "text/x-puppet",
    "file_extension": ".pp",
    "codemirror_mode": "puppet",
    "pygments_lexer": "puppet",
}
# How long before a cell begins its interrupt may be sent; a busy machine takes this long to start a cell. An earlier
# interrupt belongs to another cell. The clock of the front end may be behind.
INTERRUPT_DELAY = timedelta(seconds=2)
SHORT_SECONDS = 0.01  # a cell that takes no longer needs no interrupt
READY_SECONDS = 0.05  # the time after its start by which a front end knows the kernel
FROZEN_TAG = "frozen"  # the tag of a cell that edits of cells above do not run again
WARNINGS = 50  # the number of a cell's warnings that have their own display
_T = TypeVar("_T")


class PuppetKernel(RobustKernel):
    """A kernel that runs Puppet code; `settings` are the keyword arguments of its Session."""

    implementation = "puppet-kernel"
    implementation_version = __version__
    banner = f"puppet-kernel {__version__}: type Puppet code, %help or ?name. Nothing is ever applied."
    language_info = LANGUAGE
    help_links = HELP_LINKS
    settings: ClassVar[dict[str, Any]] = {}
    # IPython's profile folder; the import of IPython is not needed, because there is none.
    profile_dir = traitlets.Any(None)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.puppet = Shell(self.settings, remedies=NOTEBOOK, guarded=True)
        self.puppet.on_log = self._write_log
        self.puppet.on_replay = self._show_replay
        self._replay = ReplayDisplay()
        self.stream = BufferedStream(lambda name, text: self._send("stream", {"name": name, "text": text}))
        self.history = InputHistory(find_history_file())
        self.displays = DisplayMemory()
        self._evaluating = threading.Lock()
        self._silent = False
        self._request: dict[str, Any] = {}  # the request whose cell runs
        self._cell_id: str | None = None  # the identity of that cell
        # The number of cells that ran and that a front end does not store in the history; it counts them, too.
        self._unrecorded = 0
        self._logged: list[str] = []  # the log lines of the running cell
        self._warning_count = 0  # the number of its warnings
        self._interrupted: datetime | None = None
        self._sent = CellsSentTogether()
        self._deleted: dict[str, None] = {}  # cells that the program still has to remove
        self._adapter: debugging.DebugAdapter | None = None
        self.puppet.debug_console = self._console = NotebookConsole(self)

    @property
    def kernel_info(self) -> dict[str, Any]:
        """The description of the kernel; the base class would search for a debugger."""
        return {
            "protocol_version": "5.5",
            "implementation": self.implementation,
            "implementation_version": self.implementation_version,
            "language_info": self.language_info,
            "banner": self.banner,
            "help_links": self.help_links,
            "debugger": True,
            "supported_features": ["debugger", "kernel subshells"],
        }

    async def do_debug_request(self, msg: dict[str, Any]) -> dict[str, Any]:
        """Return the response to a request of the debug adapter protocol."""
        if self._adapter is None:
            self._adapter = debugging.DebugAdapter(
                self.puppet, self._send_debug_event, self._evaluating, self.stream.flush
            )
        return await self._adapter.answer(msg)

    def _send_debug_event(self, event: dict[str, Any]) -> None:
        parent = self.get_parent("control")
        assert self.session is not None
        self.session.send(self.iopub_socket, "debug_event", event, parent, ident=b"debug_event")

    # --- interrupts: a signal stops the running program, or the one that was requested directly before

    def start(self) -> None:
        """Start to listen, also to interrupts, and load what the first cell needs."""
        signal.signal(signal.SIGINT, self._on_interrupt)
        super().start()
        self.io_loop.call_later(READY_SECONDS, _warm_up, self.history, self.puppet.session)

    def _on_interrupt(self, number: int, frame: Any) -> None:
        """Record an interrupt while no cell runs: the cell that it is for may be on its way."""
        self._interrupted = datetime.now(UTC)

    def _was_interrupted_early(self) -> bool:
        """Return True if an interrupt came between the request of a cell and its start."""
        interrupted, self._interrupted = self._interrupted, None
        requested = self.get_parent("shell").get("header", {}).get("date")
        if interrupted is None or not isinstance(requested, datetime):
            return False
        return requested <= interrupted and datetime.now(UTC) - interrupted < INTERRUPT_DELAY

    @contextmanager
    def _interrupting_soon(self) -> Iterator[None]:
        """Interrupt the cell shortly after its start if an interrupt arrived with its request.

        Which of the two the user sent first cannot be known; a cell that ends at once is not affected.
        """
        if not self._was_interrupted_early():
            yield
            return
        again = threading.Timer(SHORT_SECONDS, os.kill, (os.getpid(), signal.SIGINT))
        again.start()
        try:
            yield
        finally:
            again.cancel()

    # --- requests

    async def do_execute(
        self,
        code: str,
        silent: bool,
        store_history: bool = True,
        user_expressions: dict[str, str] | None = None,
        allow_stdin: bool = False,
        *,
        cell_meta: dict[str, Any] | None = None,
        cell_id: str | None = None,
    ) -> dict[str, Any]:
        """Run a cell: send streams, then one result or exactly one error."""
        with self._evaluating, self.puppet.session.guard(), self._interrupting_soon():
            self._silent = silent
            self._allow_stdin = self._console.is_available = allow_stdin
            self._request, self._cell_id = self.get_parent(), cell_id
            self._forget_cells((cell_meta or {}).get("deletedCells"))
            self._logged, self._warning_count = [], 0
            self._replay = ReplayDisplay()
            number = self.execution_count + (0 if store_history else self._unrecorded)
            reply = self._run_among_sent(code, cell_id, number, (cell_meta or {}).get("tags"))
            if self._adapter is not None:
                self._adapter.finish()
            self.stream.flush()
            self.displays.store(cell_id, reply.refreshable, self._evaluation_above(cell_id), self._logged)
            messages = self._replay.complete(reply, self.puppet.session.displayed_cell, self._make_update)
            for kind, content in [*messages, *self._update_refreshable(cell_id)]:
                if not silent:
                    self.send_response(self.iopub_socket, kind, content)
            if store_history and not silent:
                # stored before the reply, which reports that the cell is done: this takes 25 µs
                self._add_to_history(code, reply)
            answer = {"execution_count": self.execution_count, **reply.content}
            if answer["status"] == "ok":
                expressions = user_expressions or {}
                answer["user_expressions"] = {
                    name: self._evaluate_expression(expressions[name]) for name in expressions
                }
            if not silent and not store_history:
                self.execution_count -= 1  # the base class counts every request that is not silent
                self._unrecorded += bool(code.strip())  # front ends that count cells do not run empty ones
        return answer

    def _add_to_history(self, code: str, reply: ReplyMessages) -> None:
        """Add a cell to the history; log a warning if that has become impossible."""
        warning_before = self.history.warning
        self.history.add(self.execution_count, code, reply.text, self._logged)
        if warning_before is None and self.history.warning is not None:
            # Written to the log of the kernel, its standard error, because outputs must not depend on the machine. A
            # stream would keep what it cannot write, and fail again with each reply that flushes it.
            with suppress(OSError):
                os.write(2, f"{to_printable(self.history.warning)}\n".encode(errors="replace"))

    def _run_among_sent(self, code: str, cell_id: str | None, number: int, tags: Any) -> ReplyMessages:
        """Run a cell among those that were sent together with it; return its messages.

        The first of several cells runs again if their order changes its result: the others arrived while it ran.
        """
        sent = self._sent.begin(self._request, self.shell_stream, self.puppet.session.position)
        before = self.puppet.session.snapshot()
        reply = self._run_cell(code, cell_id, number, tags, sent, before)
        was_alone = not sent
        sent = self._sent.end(self.shell_stream, WAIT_SECONDS if was_alone and cell_id else 0.0)
        is_first = was_alone and bool(sent)
        if not cell_id or not is_first:
            return reply
        if not (reply.is_final or self.puppet.session.is_moved_by(cell_id, sent)):
            return reply
        if self._logged:
            self.stream.flush()
            self.send_response(self.iopub_socket, "clear_output", {"wait": False})
        self._logged, self._warning_count = [], 0
        self.puppet.session.restore(before)
        return self._run_cell(code, cell_id, number, tags, sent, before)

    def _run_cell(
        self,
        code: str,
        cell_id: str | None,
        number: int,
        tags: Any,
        sent: Sequence[str],
        before: Snapshot,
    ) -> ReplyMessages:
        """Run a cell and return its messages.

        A cell of parameters runs as the cell whose defaults it replaces.

        Args:
            code: The text of the cell.
            cell_id: The identity of the cell, or None.
            number: The number that the front end displays beside it.
            tags: The tags of the cell.
            sent: The identities of all cells that were sent together with it.
            before: The snapshot of the session before the cell.
        """
        if parameters.is_injected(code, tags):
            session = self.puppet.session
            above = list(takewhile(lambda entry: not cell_id or entry.cell_id != cell_id, session.cells))
            replacement = self._try_briefly(lambda: parameters.find_replacement(code, above, session.dialect))
            if replacement is not None:
                cell, names = replacement.cell, ", ".join(f"${name}" for name in replacement.names)
                return self.puppet.submit_and_render(
                    replacement.source,
                    lambda reply: self._render_reply(reply, cell_id, f"in {cell.label} now: {names}"),
                    cell_id=cell.cell.key,
                    number=cell.number,
                    before=before,
                )
        return self.puppet.submit_and_render(
            code,
            lambda reply: self._render_reply(reply, cell_id),
            cell_id=cell_id,
            number=number,
            sent=sent,
            before=before,
            is_frozen=isinstance(tags, list) and FROZEN_TAG in tags,
        )

    def _forget_cells(self, deleted: Any) -> None:
        """Remove cells from the program that the user deleted from the notebook.

        If that is interrupted, the running cell is, and they are removed with the next one.
        """
        if isinstance(deleted, list):
            self._deleted |= dict.fromkeys(name for name in deleted if isinstance(name, str))
        if self._deleted:
            try:
                updated = self.puppet.forget(list(self._deleted))
            except PuppetError as problem:
                if problem.code == "INTERRUPTED":
                    signal.raise_signal(signal.SIGINT)
                return
            self._deleted.clear()
            for cell in updated:
                message = self._try_briefly(partial(self._make_update, cell))
                if message is not None and cell.cell_id is not None and not self._silent:
                    self.send_response(self.iopub_socket, *message)

    def _render_reply(self, reply: Reply, cell_id: str | None, remark: str = "") -> ReplyMessages:
        """Return the messages of a reply; `remark` is shown above its result."""
        if remark and reply.error is None:
            reply.element = Group(
                *(part for part in (NoteElement("hint", remark), reply.element) if part is not None)
            )
        reply_messages = ReplyMessages(reply, cell_id, self.execution_count)
        redrawn = self._replay.redrawn
        reply_messages.messages += [
            self._make_update(cell)
            for cell in reply.updated
            if cell.cell_id is not None and redrawn.get(cell.cell_id) is not cell
        ]
        return reply_messages

    def _show_replay(self, step: ReplayStep) -> bool:
        """Send what a step of a long replay displays, unless the front end redraws no outputs.

        Returns:
            False if the user runs another cell meanwhile; the rest of the replay waits for that cell.
        """
        if step.own.cell_id and self._cell_id and not self._silent:
            self.stream.flush()
            for message in self._replay.make_messages(step, self._draw_outcome, self._make_update):
                self._send(*message)
        return not is_cell_waiting(self.shell_stream)

    def _draw_outcome(self, entry: Entry) -> Element | None:
        return self.puppet.show_outcome(entry.outcome, entry.cell.key)

    def _make_update(self, cell: Any) -> Message:
        """Return the message that redraws another cell whose outcome has changed."""
        element = self._draw_outcome(cell)
        lines = [render_plain(views.describe_log(entry)) for entry in cell.evaluation.logs]
        if lines != self.displays.logged.get(cell.cell_id, []):
            hint = NoteElement("hint", "current log lines" if lines else "no log lines any more")
            parts = (hint, *(views.describe_log(entry) for entry in cell.evaluation.logs), element)
            element = Group(*(part for part in parts if part is not None))
        return make_update(cell.cell_id, element)

    def _evaluation_above(self, cell_id: str | None) -> Evaluation | None:
        """Return the evaluation of the cell above an input, on which all depends that it sees."""
        above = self.puppet.session.cell_above(cell_id)
        return None if above is None else above.evaluation

    def _update_refreshable(self, cell_id: str | None) -> list[Message]:
        """Return the messages that mark outputs as outdated, or as current again."""
        words = f"this shows the program before [{self.execution_count}] ran; run the cell to update it"
        changed = [
            (name, Group(NoteElement("warning", words, "old"), element) if is_old else element)
            for name, element, is_old in self.displays.mark_changed(self._evaluation_above, cell_id)
        ]
        messages = (self._try_briefly(partial(make_update, name, element)) for name, element in changed)
        return [message for message in messages if message is not None]

    def _evaluate_expression(self, source: object) -> dict[str, Any]:
        """Return the value of a user expression, which is evaluated without a trace."""
        if not isinstance(source, str):
            words = "A user expression must be a string"
            return {"status": "error", "ename": "BAD_REQUEST", "evalue": words, "traceback": [words]}
        reply = self.puppet.look(source)
        if reply.error is not None:
            return {"status": "error", **make_error_content(reply)}
        return {
            "status": "ok",
            "data": self._try_briefly(lambda: make_bundle(reply.element)) or {},
            "metadata": {},
        }

    def _write_log(self, entry: Any) -> None:
        """Send a log entry as text.

        Warnings are displays, because pages show standard error as an error.
        """
        if self._silent:
            return
        view = views.describe_log(entry)
        text = render_plain(view)
        self._logged.append(text)
        if entry.level == "warning" and self._warning_count < WARNINGS:
            self._warning_count += 1
            self.stream.flush()
            self._send("display_data", {"data": make_bundle(view), "metadata": {}})
        else:
            self.stream.write("stdout" if entry.level in views.QUIET_LEVELS else "stderr", text + "\n")

    def _send(self, kind: str, content: dict[str, Any]) -> None:
        """Send a message to the front end of the running cell; any thread may call this."""
        self.session.send(self.iopub_socket, kind, content, self._request)

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Return completions with their kinds."""
        completions = self._try_briefly(lambda: self.puppet.complete(code, cursor_pos))
        if completions is None:
            completions = assistance.Completions(cursor_pos, cursor_pos, [])
        items = [item for item in completions.items if to_printable(item.text) == item.text]
        items_with_types = [
            {
                "start": completions.start,
                "end": completions.end,
                "text": item.text,
                "type": item.kind,
                "signature": to_printable(item.words),
            }
            for item in items
        ]
        return {
            "status": "ok",
            "matches": [item.text for item in items],
            "cursor_start": completions.start,
            "cursor_end": completions.end,
            "metadata": {"_jupyter_types_experimental": items_with_types},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        """Return the card of the name at the cursor; its source only if details are requested."""

        def look() -> dict[str, Any]:
            card = self.puppet.inspect(code, cursor_pos)
            if card is None:
                return {}
            if not detail_level:
                card.source = ""
            return make_bundle(views.describe_card(card))

        data = self._try_briefly(look) or {}
        return {"status": "ok", "found": bool(data), "data": data, "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """Return the parser's verdict on whether an input is complete."""
        status = self._try_briefly(lambda: self.puppet.status(code))
        if status is None:
            return {"status": "unknown"}
        indent = {"indent": status.indent} if status.kind == "incomplete" else {}
        return {"status": status.kind, **indent}

    def _try_briefly(self, function: Callable[[], _T]) -> _T | None:
        """Return the result of a function; None if it fails or takes long.

        An editor shows no errors while a user types. In the thread of the subshells the result is None, too, because
        only the main thread may query the program.
        """
        if self.subshells.runs_in_this_thread:
            return None
        try:
            return self.puppet.supervise_briefly(function)
        except (Exception, KeyboardInterrupt):
            self.log.debug("a request of the editor failed", exc_info=True)
            return None

    async def do_history(
        self,
        hist_access_type: str,
        output: bool = False,
        raw: bool = True,
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,
    ) -> dict[str, Any]:
        """Return inputs of this session and of earlier ones."""
        match hist_access_type:
            case "range":
                entries = self.history.read_range(session or 0, start or 0, stop)
            case "search":
                entries = self.history.search(pattern or "*", n, unique)
            case "tail":
                entries = self.history.search(count=n)
            case _:
                raise BadRequestError(f"There is no history of type {to_printable(hist_access_type)}")
        return {"status": "ok", "history": [_to_history_row(entry, output) for entry in entries]}


def _warm_up(history: InputHistory, session: Session) -> None:
    """Do what the first cell would have to do.

    It loads modules by a cell in a separate session, computes the first fixed point of a session without an
    environment, searches the history, and makes room on the stack.

    It runs in a thread of its own: an interrupt at this time is for a cell on its way, and only programs of the main
    thread take interrupts.
    """

    def run() -> None:
        shell = Shell({}, remedies=NOTEBOOK, guarded=True)
        shell.submit_and_render("1 + 1", lambda reply: ReplyMessages(reply, None, 1))
        if session.beginning is None:
            session.look("1 + 1")
        history.search_last_session()
        stack_threads.use_main_thread(process.raise_stack_limit)

    thread = threading.Thread(target=run)
    with suppress(RuntimeError):  # the system permits no thread; the user's first cell reports it
        thread.start()
        thread.join()


def _to_history_row(entry: HistoryEntry, with_output: bool) -> tuple[int, int, Any]:
    """Return a session, number and input; with outputs the input is (input, output)."""
    source = to_printable(entry.source)
    return entry.session, entry.number, (source, entry.output) if with_output else source
