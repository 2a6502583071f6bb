"""The kernel: what a Shell gives, as Jupyter's messages."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Any, ClassVar

from ipykernel.kernelapp import IPKernelApp

from puppet_kernel import __version__
from puppet_kernel.given import session_settings
from puppet_kernel.history import Entry, History, default_path
from puppet_kernel.jupyter.answering import AnsweringKernel, BadRequestError
from puppet_kernel.jupyter.bundles import COLUMNS, EMPTY, bundle, error_content
from puppet_kernel.jupyter.streams import Stream
from puppet_kernel.options import parse
from puppet_kernel.rendering import views
from puppet_kernel.rendering.escape import printable
from puppet_kernel.rendering.text import plain
from puppet_kernel.replies import Reply
from puppet_kernel.shell import Shell
from puppet_kernel.ways import NOTEBOOK

DOCUMENTATION = "https://www.puppet.com/docs/puppet/latest"
HELP_LINKS = [
    {"text": "Puppet language reference", "url": f"{DOCUMENTATION}/puppet_language.html"},
    {"text": "Puppet functions", "url": f"{DOCUMENTATION}/function.html"},
    {"text": "Puppet resource types", "url": f"{DOCUMENTATION}/type.html"},
]
LANGUAGE: dict[str, object] = {
    "name": "puppet",
    "version": "7.23",
    "mimetype": "text/x-puppet",
    "file_extension": ".pp",
    "codemirror_mode": "puppet",
    "pygments_lexer": "puppet",
}


class PuppetKernel(AnsweringKernel):
    """Runs Puppet code for Jupyter front ends. `settings` are the keyword arguments of its Session."""

    implementation = "puppet-kernel"
    implementation_version = __version__
    banner = f"puppet-kernel {__version__}: type Puppet code, %help or ?name. Nothing is ever applied."
    language_info = LANGUAGE
    help_links = HELP_LINKS
    settings: ClassVar[dict[str, Any]] = {}
    _execute_sleep = 0  # the outputs of a cell are sent before its reply on one socket; nothing has to settle

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.puppet = Shell(self.settings, width=lambda: COLUMNS, ways=NOTEBOOK, guarded=True)
        self.puppet.on_log = self._write_log
        self.stream = Stream(self._send_text)
        self.history = History(default_path())
        self._evaluating = threading.Lock()
        self._silent = False

    @property
    def kernel_info(self) -> dict[str, Any]:
        """What the base class tells, without the search for a debugger, half of the time to start."""
        return {
            "protocol_version": "5.5",
            "implementation": self.implementation,
            "implementation_version": self.implementation_version,
            "language_info": self.language_info,
            "banner": self.banner,
            "help_links": self.help_links,
            "supported_features": ["kernel subshells"] if self._supports_kernel_subshells else [],
        }

    # --- interrupts: a signal stops the program that runs, and nothing else

    def pre_handler_hook(self) -> None:
        """Takes the place of the base class's: an interrupt must not cost the reply to a request."""
        self._saved_handler = signal.signal(signal.SIGINT, self.puppet.on_interrupt)

    def post_handler_hook(self) -> None:
        """Gives the signal back."""
        signal.signal(signal.SIGINT, self._saved_handler)

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
        """Runs a cell: streams, then one result, or exactly one error."""
        with self._evaluating:
            self._silent = silent
            self._forget((cell_meta or {}).get("deletedCells"))
            reply = self._submit(code, cell_id, self.execution_count)
            self.stream.flush()
            answer = self._answer(reply, code, store_history, user_expressions or {}, cell_id)
            if not silent and not store_history:
                self.execution_count -= 1  # the base class counts every request that is not silent
        return answer

    def _answer(
        self, reply: Reply, code: str, store_history: bool, expressions: dict[str, str], cell_id: str | None
    ) -> dict[str, Any]:
        """Sends what a reply shows and gives the content of the execute reply."""
        if store_history and not self._silent:
            shown = plain(reply.element, COLUMNS) if reply.element and not reply.error else None
            self.history.add(self.execution_count, code, shown)
        if reply.error is not None:
            return self._send_error(reply)
        payload = self._show(reply, cell_id)
        for cell in reply.updated:
            self._update(cell)
        return {
            "status": "ok",
            "execution_count": self.execution_count,
            "payload": payload,
            "user_expressions": {name: self._expression(source) for name, source in expressions.items()},
        }

    def _forget(self, deleted: Any) -> None:
        """Cells that the person deleted from the notebook vanish from the program."""
        if isinstance(deleted, list) and deleted:
            outcome = self._quietly(lambda: self.puppet.session.forget(deleted))
            for cell in outcome.updated if outcome is not None else ():
                self._update(cell)

    def _update(self, cell: Any) -> None:
        """Shows where it stands the result of another cell that changed with this one."""
        shown = self.puppet.shown(cell.outcome)
        if cell.cell_id and not self._silent:
            content = {
                "data": bundle(shown or EMPTY),
                "metadata": {},
                "transient": {"display_id": cell.cell_id},
            }
            self.send_response(self.iopub_socket, "update_display_data", content)

    def _submit(self, code: str, cell_id: str | None, number: int | None = None) -> Reply:
        return self.puppet.submit(code, cell_id, number) if code.strip() else self.puppet.withdraw(cell_id)

    def _expression(self, source: Any) -> dict[str, Any]:
        """The value of one user expression; what it does to the session is taken back."""
        before = len(self.puppet.session.cells)
        if not isinstance(source, str):
            words = "A user expression is a text"
            return {"status": "error", "ename": "BAD_REQUEST", "evalue": words, "traceback": [words]}
        reply = self._submit(source, None)
        if len(self.puppet.session.cells) > before:
            self.puppet.session.undo()
        if reply.error is not None:
            return {"status": "error", **error_content(reply)}
        return {"status": "ok", "data": bundle(reply.element), "metadata": {}}

    def _show(self, reply: Reply, cell_id: str | None) -> list[dict[str, Any]]:
        """Sends what a reply shows, and gives the payload for the execute reply."""
        if reply.action == "quit":
            return [{"source": "ask_exit", "keepkernel": False}]
        if self._silent:
            return []
        if reply.action == "clear":
            self.send_response(self.iopub_socket, "clear_output", {"wait": False})
        if reply.element is None:
            return []
        if reply.page:
            return [{"source": "page", "data": bundle(reply.element), "start": 0}]
        content: dict[str, Any] = {"data": bundle(reply.element), "metadata": {}}
        if not reply.is_value:
            self.send_response(self.iopub_socket, "display_data", content)
        elif cell_id:
            # Front ends that know cells can update a result, but only one that came as display data.
            content["transient"] = {"display_id": cell_id}
            self.send_response(self.iopub_socket, "display_data", content)
        else:
            content["execution_count"] = self.execution_count
            self.send_response(self.iopub_socket, "execute_result", content)
        return []

    def _send_error(self, reply: Reply) -> dict[str, Any]:
        content = error_content(reply)
        if not self._silent:
            self.send_response(self.iopub_socket, "error", content)
        return {"status": "error", "execution_count": self.execution_count, **content}

    def _write_log(self, entry: Any) -> None:
        if not self._silent:
            name = "stdout" if entry.level in views.QUIET_LEVELS else "stderr"
            self.stream.write(name, plain(views.log(entry)) + "\n")

    def _send_text(self, name: str, text: str) -> None:
        self.send_response(self.iopub_socket, "stream", {"name": name, "text": text})

    async def do_complete(self, code: str, cursor_pos: int) -> dict[str, Any]:
        """Completions with their kinds."""
        found = self._quietly(lambda: self.puppet.complete(code, cursor_pos))
        items = (
            [item for item in found.items if printable(item.text) == item.text] if found is not None else []
        )
        start, end = (found.start, found.end) if found is not None else (cursor_pos, cursor_pos)
        typed = [
            {
                "start": start,
                "end": end,
                "text": item.text,
                "type": item.kind,
                "signature": printable(item.words),
            }
            for item in items
        ]
        return {
            "status": "ok",
            "matches": [item.text for item in items],
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {"_jupyter_types_experimental": typed},
        }

    async def do_inspect(
        self, code: str, cursor_pos: int, detail_level: int = 0, omit_sections: Any = ()
    ) -> dict[str, Any]:
        """The card of the name at the cursor; its source only when details are wanted."""
        card = self._quietly(lambda: self.puppet.inspect(code, cursor_pos))
        if card is None:
            return {"status": "ok", "found": False, "data": {}, "metadata": {}}
        if not detail_level:
            card.source = ""
        return {"status": "ok", "found": True, "data": bundle(views.card(card)), "metadata": {}}

    async def do_is_complete(self, code: str) -> dict[str, Any]:
        """The parser's own verdict."""
        status = self._quietly(lambda: self.puppet.status(code))
        if status is None:
            return {"status": "unknown"}
        if status.kind == "incomplete":
            return {"status": "incomplete", "indent": status.indent}
        return {"status": status.kind}

    def _quietly(self, ask: Any) -> Any:
        """What `ask` gives; None when it fails, since an editor that asks while one types wants no errors."""
        try:
            return ask()
        except Exception:
            self.log.debug("a question of the editor failed", exc_info=True)
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
        """Inputs of this session and of those before it."""
        if hist_access_type == "range":
            found = self.history.range(session or 0, start or 0, stop)
        elif hist_access_type == "search":
            found = self.history.search(pattern or "*", n, unique)
        elif hist_access_type == "tail":
            found = self.history.tail(n)
        else:
            raise BadRequestError(f"There is no history of type {printable(hist_access_type)}")
        return {"status": "ok", "history": [_triple(entry, output) for entry in found]}


def _triple(entry: Entry, with_output: bool) -> tuple[int, int, Any]:
    """(session, number, input) as the protocol has it, or with (input, output) in the third place."""
    source = printable(entry.source)
    return entry.session, entry.number, (source, entry.output) if with_output else source


def launch(arguments: list[str]) -> int:
    """Starts the kernel for `-f CONNECTION_FILE [--dialect NAME]` and serves until it is shut down."""
    place = arguments.index("-f")
    connection = arguments[place : place + 2]
    options = parse(arguments[:place] + arguments[place + 2 :])
    PuppetKernel.settings = session_settings(options)
    sys.argv[1:] = connection
    IPKernelApp.launch_instance(argv=connection, kernel_class=PuppetKernel)
    return 0
