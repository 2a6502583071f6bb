"""The debug adapter, which replies to requests of a front end, also while a program runs.

Requests arrive in the thread of the control channel. Whatever inspects a stopped program runs in the program's own
thread, which waits for that, and what reads sources or the values of the session runs in a thread for it; so a slow
request blocks neither the channel nor an interrupt.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from inspect import isawaitable
from typing import Any, TypeVar

from evaluator.debugger import CATALOG, Breakpoint, Frame, Stop
from lexer_parser.errors import PuppetError
from puppet_kernel import debugging
from puppet_kernel.commands.inspection import list_own_variables
from puppet_kernel.jupyter.debugging import protocol
from puppet_kernel.jupyter.debugging.stopped_program import OrderedWork, RefusedError, StoppedProgram
from puppet_kernel.jupyter.display import make_bundle
from puppet_kernel.rendering import views
from puppet_kernel.rendering.elements import TextElement
from puppet_kernel.rendering.escape import to_printable
from puppet_kernel.rendering.literals import make_value_lines
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell
from puppet_kernel.user_files.history import NOT_WRITTEN, holds_secret

FRAMES = 1_000_000  # frame numbers of a generation; there cannot be more frames
STEPS = {"next": "over", "stepIn": "in", "stepOut": "out", "continue": "continue"}
_T = TypeVar("_T")


def _while_stopped(
    inspect: Callable[[DebugAdapter, Stop, dict[str, Any]], dict[str, Any]],
) -> Callable[[DebugAdapter, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]:
    """Return a handler that calls a method in the thread of the stopped program."""
    return lambda self, arguments: self._stopped.run(lambda stop: inspect(self, stop, arguments))


class DebugAdapter:
    """The debug adapter of one front end.

    Args:
        shell: The shell whose programs are debugged.
        send: Sends an event.
        busy: A lock that is held while a cell runs.
        flush: Sends buffered log lines.
    """

    def __init__(
        self,
        shell: Shell,
        send: Callable[[dict[str, Any]], None],
        busy: threading.Lock,
        flush: Callable[[], None],
    ) -> None:
        self.shell = shell
        self._send = send
        self._busy = busy
        self._flush = flush
        self._sequence = 0
        self._cells = protocol.CellSources(shell.code_of)
        self._copied: dict[str, Any] = {}
        self._globals: list[dict[str, Any]] = []
        self._started = False
        # The breakpoints while the debugger is off. JupyterLab requests them when it starts the debugger again.
        self._saved: dict[str, list[Breakpoint]] = {}
        self._is_jupyterlab = False
        # Frame numbers change with each generation, so that JupyterLab requests the variables again.
        self._generation = 0
        self._stopped = StoppedProgram()
        self._work = OrderedWork()
        self._values = protocol.VariableStore(False)
        self.debugger = debugging.get_debugger(shell)
        self._console_callbacks = self.debugger.on_stop, self.debugger.on_message

    # --- messages

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the response to a request; an unknown or refused request gets an error response."""
        command = str(request.get("command", ""))
        arguments = request.get("arguments")
        self._sequence += 1
        reply: dict[str, Any] = {
            "type": "response",
            "seq": self._sequence,
            "request_seq": request.get("seq", 0),
            "success": True,
            "command": command,
        }
        handler = _HANDLERS.get(command)
        try:
            if handler is None:
                raise RefusedError(
                    f"This debugger does not support {to_printable(command) or 'this request'}"
                )
            call = partial(handler, self, arguments if isinstance(arguments, dict) else {})
            result = self._work.run(call) if command in _SLOW else call()
            reply["body"] = await result if isawaitable(result) else result
        except (RefusedError, PuppetError, KeyError, TypeError, ValueError) as problem:
            reply |= {"success": False, "message": protocol.shorten(str(problem)), "body": {}}
        return reply

    def _send_event(self, name: str, body: dict[str, Any]) -> None:
        self._sequence += 1
        self._send({"type": "event", "seq": self._sequence, "event": name, "body": body})

    def _handle_stop(self, stop: Stop) -> str:
        """Serve requests while a program is stopped, and return how it resumes."""
        self._flush()
        self._values = protocol.VariableStore(self._is_jupyterlab)
        body = {"reason": stop.reason, "threadId": protocol.THREAD, "allThreadsStopped": True}
        try:
            self._stopped.begin(stop)
            self._send_event("stopped", body | ({"text": to_printable(stop.text)} if stop.text else {}))
            return self._stopped.run_jobs()
        finally:
            self.finish()

    def _send_log_point(self, frame: Frame, words: str) -> None:
        """Send the message of a log point, which front ends store."""
        text = protocol.shorten(NOT_WRITTEN if holds_secret(words) else words)
        source = self._cells.to_protocol(frame.source)
        body = {"category": "console", "output": f"{text}\n", "line": frame.line, "source": source}
        self._send_event("output", body)

    def finish(self) -> None:
        """End the stop, if there is one; an interrupt can end a cell at any place."""
        if self._stopped.stop is not None:
            self._stopped.end()
            self._send_event("continued", {"threadId": protocol.THREAD, "allThreadsContinued": True})

    async def _run_while_idle(self, job: Callable[[], _T]) -> _T | None:
        """Return the result of a function; None while a cell runs, or if the function takes long."""

        def work() -> _T | None:
            if not self._busy.acquire(blocking=False):
                return None
            try:
                return self.shell.supervise_briefly(job)
            except (TimeoutError, MemoryError, KeyboardInterrupt):
                return None
            finally:
                self._busy.release()

        return await self._work.run(work)

    # --- beginning and end

    def initialize(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the capabilities of this debugger."""
        self._is_jupyterlab = arguments.get("clientID") == "jupyterlab"
        return protocol.CAPABILITIES

    def attach(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Run programs under the debugger from now on."""
        self._started, self._saved = True, {}
        self.debugger.on_stop, self.debugger.on_message = self._handle_stop, self._send_log_point
        self.debugger.pausable = True
        self._send_event("initialized", {})
        return {}

    def disconnect(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Run programs without the debugger again; a stopped program resumes."""
        self._started, self._saved = False, self.debugger.breakpoints
        self.debugger.on_stop, self.debugger.on_message = self._console_callbacks
        self.debugger.pausable = self.debugger.stop_at_errors = False
        for key in self._saved:
            self.debugger.set_breakpoints(key, [], None)
        if self._stopped.stop is not None:
            self._stopped.resume("continue")
        self._send_event("terminated", {})
        return {}

    def debug_info(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return how cells are named, the breakpoints, and whether a program is stopped."""
        breakpoints = self.debugger.breakpoints if self._started else self._saved
        return {
            "isStarted": self._started,
            "hashMethod": "Murmur2",
            "hashSeed": protocol.SEED,
            "tmpFilePrefix": protocol.PREFIX,
            "tmpFileSuffix": protocol.SUFFIX,
            "breakpoints": [
                {
                    "source": self._cells.find_path(key),
                    "breakpoints": [{"line": point.line} for point in points],
                }
                for key, points in breakpoints.items()
            ],
            "stoppedThreads": [] if self._stopped.stop is None else [protocol.THREAD],
            "richRendering": True,
            "exceptionPaths": [protocol.ERRORS],
            "copyToGlobals": True,
        }

    # --- sources and breakpoints

    def set_breakpoints(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Set the breakpoints of a source, and return their positions."""
        path = str(arguments["source"]["path"])
        points = protocol.parse_breakpoints(arguments)
        _, code = self._cells.get(path)
        text = debugging.read_file(self.shell.session, path) if code is None else code
        debugging.replace_breakpoints(
            self.debugger, self.shell.session, points, text, path if code is None else None
        )
        rows = [
            {
                "id": number,
                "verified": point.statement is not None,
                "line": point.line if point.statement is None else point.statement.line,
                "source": {"path": path},
            }
            for number, point in enumerate(points)
        ]
        return {"breakpoints": rows}

    def set_exception_breakpoints(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Set whether programs stop at errors."""
        self.debugger.stop_at_errors = bool(arguments.get("filters"))
        return {}

    def source(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the text of a cell, or of a file that programs may read."""
        path = str(arguments["source"]["path"])
        cell_text, _ = self._cells.get(path)
        text = debugging.read_file(self.shell.session, path) if cell_text is None else cell_text
        if text is None:
            raise RefusedError(f"{path} cannot be read")
        return {"content": to_printable(text), "mimeType": "text/x-puppet"}

    def modules(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the files that the program has loaded."""
        paths = [path for path in self.shell.session.loaded() if os.path.isabs(path)]
        return {"modules": [{"id": path, "name": os.path.basename(path), "path": path} for path in paths]}

    # --- resuming

    def pause(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Stop the running program."""
        self.debugger.pause()
        return {}

    def resume(self, kind: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Resume the stopped program."""
        self._stopped.resume(kind)
        return {"allThreadsContinued": True} if kind == "continue" else {}

    # --- inspection

    @_while_stopped
    def stack_trace(self, stop: Stop, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the frames of the stopped program, the innermost first."""
        start, levels = int(arguments.get("startFrame") or 0), int(arguments.get("levels") or 0)
        rows = [
            {
                "id": self._generation * FRAMES + number,
                "name": to_printable(frame.name),
                "line": frame.line,
                "column": frame.span.column,
                "source": self._cells.to_protocol(frame.source),
            }
            for number, frame in enumerate(stop.frames, 1)
        ]
        return {
            "stackFrames": rows[start : start + levels] if levels else rows[start:],
            "totalFrames": len(rows),
        }

    @_while_stopped
    def scopes(self, stop: Stop, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the scopes of a frame: its own, the enclosing ones, and the catalog so far."""
        rows = [
            {
                "name": to_printable(name),
                "variablesReference": self._values.add_variables(variables, "" if name == CATALOG else "$"),
                "expensive": False,
            }
            for name, variables in _find_frame(stop, arguments["frameId"]).list_scopes()
        ]
        return {"scopes": rows}

    async def variables(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the variables with a reference number."""
        numbers = [int(arguments.get(name) or 0) for name in ("variablesReference", "start", "count")]
        if self._stopped.stop is None:
            variables = await self._run_while_idle(lambda: self._values.list_variables(*numbers))
        else:
            variables = await self._stopped.run(lambda stop: self._values.list_variables(*numbers))
        return {"variables": variables or []}

    async def inspect_variables(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the variables of the session; while a program runs, those from before."""

        def list_globals() -> list[dict[str, Any]]:
            self._values = protocol.VariableStore(self._is_jupyterlab)
            return self._values.list_variables(self._values.add_variables(self._list_variables))

        if self._stopped.stop is None:
            variables = await self._run_while_idle(list_globals)
            self._globals = self._globals if variables is None else variables
        return {"variables": self._globals}

    def _list_variables(self) -> dict[str, Any]:
        """Return the variables that the program sets, and those that were copied."""
        return {**list_own_variables(self.shell.session), **self._copied}

    async def evaluate(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the value of an expression in a frame, preceded by what it logs.

        JupyterLab shows no message of a failed request; for JupyterLab the error takes the place of the value.
        """
        text = str(arguments["expression"])
        self._generation += 1

        def evaluate_in_frame(stop: Stop) -> dict[str, Any]:
            value, logs = _find_frame(stop, arguments.get("frameId")).evaluate(text, self._copied)
            variable = self._values.to_variable("", f"({text})", value)
            log_lines = (render_plain(views.describe_log(entry)) for entry in logs)
            return {
                "result": "\n".join([*log_lines, variable["value"]]),
                **{name: variable[name] for name in ("type", "variablesReference")},
            }

        try:
            return await self._stopped.run(evaluate_in_frame)
        except PuppetError as problem:
            if not self._is_jupyterlab:
                raise
            words = render_plain(views.describe_error(problem, remedies=self.shell.remedies))
            return {"result": protocol.shorten(words), "variablesReference": 0}

    async def rich_inspect(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return a variable as a cell shows a value."""
        name = str(arguments["variableName"]).removeprefix("$")

        def draw(value: Any) -> dict[str, Any]:
            return make_bundle(TextElement(*make_value_lines(value), aside=views.get_general_type(value)))

        def draw_from_frame(stop: Stop) -> dict[str, Any]:
            return draw(_find_frame(stop, arguments.get("frameId")).evaluate(f"${name}", self._copied)[0])

        if self._stopped.stop is not None:
            return {"data": await self._stopped.run(draw_from_frame), "metadata": {}}
        bundle = await self._run_while_idle(lambda: draw(self._list_variables()[name]))
        return {"data": bundle or {}, "metadata": {}}

    async def copy_to_globals(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Store the value of a frame's variable for expressions in any frame.

        Programs do not see it, because their variables come from the cells alone.
        """
        source, target = (
            str(arguments[name]).removeprefix("$") for name in ("srcVariableName", "dstVariableName")
        )
        frame = arguments.get("srcFrameId")
        value = await self._stopped.run(lambda stop: _find_frame(stop, frame).evaluate(f"${source}")[0])
        self._copied[target] = value
        return {}

    @_while_stopped
    def exception_info(self, stop: Stop, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the error at which the program is stopped."""
        if stop.problem is None:
            raise RefusedError("The program is not stopped at an error")
        words = protocol.shorten(str(stop.problem))
        return {"exceptionId": stop.problem.code, "description": words, "breakMode": "unhandled"}


def _find_frame(stop: Stop, number: Any) -> Frame:
    """Return a frame by its number; without a number the innermost frame."""
    if number is None:
        return stop.frames[0]
    position = number % FRAMES if isinstance(number, int) else 0
    if not 0 < position <= len(stop.frames):
        raise RefusedError(f"There is no frame {number}")
    return stop.frames[position - 1]


# The requests that parse a source, read a file or wait for those: each takes time in proportion to a length.
_SLOW = {"debugInfo", "disconnect", "dumpCell", "modules", "setBreakpoints", "source"}
_HANDLERS: dict[str, Callable[[DebugAdapter, dict[str, Any]], Any]] = {
    "initialize": DebugAdapter.initialize,
    "attach": DebugAdapter.attach,
    "launch": DebugAdapter.attach,
    "disconnect": DebugAdapter.disconnect,
    "debugInfo": DebugAdapter.debug_info,
    "configurationDone": lambda self, arguments: {},
    "threads": lambda self, arguments: {"threads": [{"id": protocol.THREAD, "name": "Puppet"}]},
    "dumpCell": lambda self, arguments: {"sourcePath": self._cells.add(str(arguments["code"]))},
    "setBreakpoints": DebugAdapter.set_breakpoints,
    "setExceptionBreakpoints": DebugAdapter.set_exception_breakpoints,
    "source": DebugAdapter.source,
    "modules": DebugAdapter.modules,
    "pause": DebugAdapter.pause,
    **{name: lambda self, arguments, kind=kind: self.resume(kind, arguments) for name, kind in STEPS.items()},  # type: ignore[misc]
    "stackTrace": DebugAdapter.stack_trace,
    "scopes": DebugAdapter.scopes,
    "variables": DebugAdapter.variables,
    "inspectVariables": DebugAdapter.inspect_variables,
    "evaluate": DebugAdapter.evaluate,
    "richInspectVariables": DebugAdapter.rich_inspect,
    "copyToGlobals": DebugAdapter.copy_to_globals,
    "exceptionInfo": DebugAdapter.exception_info,
}
