"""The debug adapter: requests of a front end, answered while the program runs, is stopped, or rests.

Requests come in the thread of the control channel. What looks at a program that is stopped is done in the program's
own thread, which waits for that; so a question that takes long stops neither the channel nor an interrupt.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from inspect import isawaitable
from typing import Any, TypeVar

from evaluator.debugger import CATALOG, Breakpoint, Frame, Stop
from lexer_parser.errors import PuppetError
from puppet_kernel.commands.inspecting import BUILTIN_VARIABLES
from puppet_kernel.debugging import sources
from puppet_kernel.debugging.dialog import get_debugger
from puppet_kernel.jupyter.bundles import bundle
from puppet_kernel.jupyter.debugging import protocol
from puppet_kernel.jupyter.debugging.cells import PREFIX, SEED, SUFFIX, Cells
from puppet_kernel.jupyter.debugging.protocol import ERRORS, THREAD
from puppet_kernel.jupyter.debugging.showing import Values
from puppet_kernel.jupyter.debugging.waiting import RefusedError, Waiting
from puppet_kernel.rendering import problems, views
from puppet_kernel.rendering.elements import Text
from puppet_kernel.rendering.escape import printable
from puppet_kernel.rendering.literals import value_lines
from puppet_kernel.rendering.text import plain
from puppet_kernel.shell import Shell

TURN = 1_000_000  # more than there can be frames
STEPS = {"next": "over", "stepIn": "in", "stepOut": "out", "continue": "continue"}
_T = TypeVar("_T")


class Adapter:
    """Answers the requests of one front end.

    tell  sends an event;  busy  is held while a cell runs;  flush  sends the log lines that wait
    """

    def __init__(
        self,
        shell: Shell,
        tell: Callable[[dict[str, Any]], None],
        busy: threading.Lock,
        flush: Callable[[], None],
    ) -> None:
        self.shell = shell
        self._tell = tell
        self._busy = busy
        self._flush = flush
        self._sequence = 0
        self._cells = Cells(shell.code_of)
        self._copied: dict[str, Any] = {}
        self._globals: list[dict[str, Any]] = []
        self._started = False
        self._kept: dict[
            str, list[Breakpoint]
        ] = {}  # while it is off: JupyterLab asks for them when it begins again
        self._lab = False
        self._turn = 0  # of the numbers of frames: JupyterLab looks again at variables where these are others
        self._waiting = Waiting()
        self._values = Values(False)
        self.debugger = get_debugger(shell)
        self._asking = self.debugger.talk, self.debugger.tell

    # --- messages

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The response to a request; an unknown or refused one says so."""
        command = str(request.get("command", ""))
        given = request.get("arguments")
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
                raise RefusedError(f"This debugger knows no {printable(command) or 'such request'}")
            found = handler(self, given if isinstance(given, dict) else {})
            reply["body"] = await found if isawaitable(found) else found
        except (RefusedError, PuppetError, KeyError, TypeError, ValueError) as problem:
            reply |= {"success": False, "message": printable(str(problem)), "body": {}}
        return reply

    def _event(self, name: str, body: dict[str, Any]) -> None:
        self._sequence += 1
        self._tell({"type": "event", "seq": self._sequence, "event": name, "body": body})

    def _talk(self, stop: Stop) -> str:
        """A program is stopped: does what it is asked for until it is to go on."""
        self._flush()
        self._values = Values(self._lab)
        body = {"reason": stop.reason, "threadId": THREAD, "allThreadsStopped": True}
        try:
            self._waiting.begin(stop)
            self._event("stopped", body | ({"text": printable(stop.text)} if stop.text else {}))
            return self._waiting.wait()
        finally:
            self.rest()

    def _told(self, frame: Frame, words: str) -> None:
        """A breakpoint has a message."""
        self._event("output", protocol.output(words, frame.line, self._cells.place(frame.source)))

    def rest(self) -> None:
        """No program is stopped any more; to be said again after a cell, which an interrupt may have ended anywhere."""
        if self._waiting.stop is not None:
            self._waiting.end()
            self._event("continued", {"threadId": THREAD, "allThreadsContinued": True})

    def _at_rest(self, look: Callable[[], _T]) -> _T | None:
        """What a function gives while no cell runs; None while one does, or when it takes long."""
        if not self._busy.acquire(blocking=False):
            return None
        try:
            return self.shell.supervise_briefly(look)
        except (TimeoutError, MemoryError, KeyboardInterrupt):
            return None
        finally:
            self._busy.release()

    # --- beginning and end

    def initialize(self, given: dict[str, Any]) -> dict[str, Any]:
        """What this debugger can do."""
        self._lab = given.get("clientID") == "jupyterlab"
        return protocol.CAPABILITIES

    def attach(self, given: dict[str, Any]) -> dict[str, Any]:
        """From now on programs run under the debugger."""
        self._started, self._kept = True, {}
        self.debugger.talk, self.debugger.tell = self._talk, self._told
        self.debugger.pausable = True
        self._event("initialized", {})
        return {}

    def disconnect(self, given: dict[str, Any]) -> dict[str, Any]:
        """Programs run alone again; one that is stopped goes on."""
        self._started, self._kept = False, self.debugger.breakpoints
        self.debugger.talk, self.debugger.tell = self._asking
        self.debugger.pausable = self.debugger.at_errors = False
        for key in self._kept:
            self.debugger.set_breakpoints(key, [], None)
        if self._waiting.stop is not None:
            self._waiting.go("continue")
        return {}

    def debug_info(self, given: dict[str, Any]) -> dict[str, Any]:
        """How cells are named, and what there is."""
        known = self.debugger.breakpoints if self._started else self._kept
        return {
            "isStarted": self._started,
            "hashMethod": "Murmur2",
            "hashSeed": SEED,
            "tmpFilePrefix": PREFIX,
            "tmpFileSuffix": SUFFIX,
            "breakpoints": [
                {"source": self._cells.path(key), "breakpoints": [{"line": point.line} for point in points]}
                for key, points in known.items()
            ],
            "stoppedThreads": [] if self._waiting.stop is None else [THREAD],
            "richRendering": True,
            "exceptionPaths": [ERRORS],
            "copyToGlobals": True,
        }

    def nothing(self, given: dict[str, Any]) -> dict[str, Any]:
        """There is nothing to do."""
        return {}

    def threads(self, given: dict[str, Any]) -> dict[str, Any]:
        """The one thread that programs have."""
        return {"threads": [{"id": THREAD, "name": "Puppet"}]}

    # --- sources and breakpoints

    def dump_cell(self, given: dict[str, Any]) -> dict[str, Any]:
        """The path by which breakpoints mean a cell of that text."""
        return {"sourcePath": self._cells.name(str(given["code"]))}

    def set_breakpoints(self, given: dict[str, Any]) -> dict[str, Any]:
        """Sets the breakpoints of a source; each is told where it stands."""
        path = str(given["source"]["path"])
        points = protocol.wanted(given)
        code, session = self._cells.code(path), self.shell.session
        text = sources.file_text(session, path) if code is None else code
        sources.place(self.debugger, session, points, text, path if code is None else None)
        return protocol.placed(points, path)

    def set_exception_breakpoints(self, given: dict[str, Any]) -> dict[str, Any]:
        """Whether programs stop at errors."""
        self.debugger.at_errors = bool(given.get("filters"))
        return {}

    def source(self, given: dict[str, Any]) -> dict[str, Any]:
        """The text of a cell, or of a file that programs may read."""
        path = str(given["source"]["path"])
        text = self._cells.text(path)
        if text is None:
            text = sources.file_text(self.shell.session, path)
        if text is None:
            raise RefusedError(f"{path} cannot be read")
        return {"content": printable(text), "mimeType": "text/x-puppet"}

    def modules(self, given: dict[str, Any]) -> dict[str, Any]:
        """The files that the program has loaded."""
        found = [path for path in self.shell.session.loaded() if os.path.isabs(path)]
        return {"modules": [{"id": path, "name": os.path.basename(path), "path": path} for path in found]}

    # --- running on

    def pause(self, given: dict[str, Any]) -> dict[str, Any]:
        """Stops the program that runs."""
        self.debugger.pause()
        return {}

    def go(self, kind: str, given: dict[str, Any]) -> dict[str, Any]:
        """The program that is stopped goes on."""
        self._waiting.go(kind)
        return {"allThreadsContinued": True} if kind == "continue" else {}

    # --- what is there

    async def stack_trace(self, given: dict[str, Any]) -> dict[str, Any]:
        """The frames of the program that is stopped, the innermost first."""

        def look(stop: Stop) -> dict[str, Any]:
            start, levels = int(given.get("startFrame") or 0), int(given.get("levels") or 0)
            rows = [self._frame(number, frame) for number, frame in enumerate(stop.frames, 1)]
            return {
                "stackFrames": rows[start : start + levels] if levels else rows[start:],
                "totalFrames": len(rows),
            }

        return await self._waiting.there(look)

    def _frame(self, number: int, frame: Frame) -> dict[str, Any]:
        return {
            "id": self._turn * TURN + number,
            "name": printable(frame.name),
            "line": frame.line,
            "column": frame.span.column,
            "source": self._cells.place(frame.source),
        }

    async def scopes(self, given: dict[str, Any]) -> dict[str, Any]:
        """What a frame sees: its variables, those of the scopes around it, the catalog so far."""

        def look(stop: Stop) -> dict[str, Any]:
            rows = []
            for name, variables in _framed(stop, given["frameId"]).scopes():
                number = self._values.variables(variables, "" if name == CATALOG else "$")
                rows.append({"name": printable(name), "variablesReference": number, "expensive": False})
            return {"scopes": rows}

        return await self._waiting.there(look)

    async def variables(self, given: dict[str, Any]) -> dict[str, Any]:
        """What is held under a number."""
        number, start, count = (
            int(given.get(name) or 0) for name in ("variablesReference", "start", "count")
        )
        if self._waiting.stop is None:
            found = self._at_rest(lambda: self._values.of(number, start, count)) or []
        else:
            found = await self._waiting.there(lambda stop: self._values.of(number, start, count))
        return {"variables": found}

    def inspect_variables(self, given: dict[str, Any]) -> dict[str, Any]:
        """The variables of the session while no program is stopped; while one runs, those from before."""

        def look() -> list[dict[str, Any]]:
            self._values = Values(self._lab)
            return self._values.of(self._values.variables(self._known))

        if self._waiting.stop is None:
            found = self._at_rest(look)
            self._globals = self._globals if found is None else found
        return {"variables": self._globals}

    def _known(self) -> dict[str, Any]:
        """The variables of the session, without facts and settings, and those that were copied."""
        hidden = {*self.shell.session.facts, *BUILTIN_VARIABLES}
        found = {**dict(self.shell.session.variables()), **self._copied}
        return {name: value for name, value in found.items() if hidden.isdisjoint(name.split("::"))}

    async def evaluate(self, given: dict[str, Any]) -> dict[str, Any]:
        """The value of an expression in a frame, behind what it logs.

        JupyterLab shows no message of a request that failed: there an error stands in the place of the value.
        """
        text = str(given["expression"])
        self._turn += 1

        def look(stop: Stop) -> dict[str, Any]:
            value, logs = _framed(stop, given.get("frameId")).evaluate(text, self._copied)
            shown = self._values.variable("", f"({text})", value)
            result = "\n".join([*(plain(views.log(entry)) for entry in logs), shown["value"]])
            return {"result": result, **{name: shown[name] for name in ("type", "variablesReference")}}

        try:
            return await self._waiting.there(look)
        except PuppetError as problem:
            if not self._lab:
                raise
            return {"result": plain(problems.error(problem, ways=self.shell.ways)), "variablesReference": 0}

    async def rich_inspect(self, given: dict[str, Any]) -> dict[str, Any]:
        """A variable as a cell shows a value."""
        name = str(given["variableName"]).removeprefix("$")

        def drawn(value: Any) -> dict[str, Any]:
            return bundle(Text(*value_lines(value), aside=views.general_type(value)))

        def look(stop: Stop) -> dict[str, Any]:
            return drawn(_framed(stop, given.get("frameId")).evaluate(f"${name}", self._copied)[0])

        if self._waiting.stop is not None:
            return {"data": await self._waiting.there(look), "metadata": {}}
        found = self._at_rest(lambda: drawn(self._known()[name]))
        return {"data": found or {}, "metadata": {}}

    async def copy_to_globals(self, given: dict[str, Any]) -> dict[str, Any]:
        """Keeps the value of a frame's variable for expressions in any frame.

        No program sees it: what there is comes from the cells alone.
        """
        source, target = (
            str(given[name]).removeprefix("$") for name in ("srcVariableName", "dstVariableName")
        )
        frame = given.get("srcFrameId")
        value = await self._waiting.there(lambda stop: _framed(stop, frame).evaluate(f"${source}")[0])
        self._copied[target] = value
        return {}

    async def exception_info(self, given: dict[str, Any]) -> dict[str, Any]:
        """The error at which the program is stopped."""

        def look(stop: Stop) -> dict[str, Any]:
            if stop.problem is None:
                raise RefusedError("The program is not stopped at an error")
            words = printable(str(stop.problem))
            return {"exceptionId": stop.problem.code, "description": words, "breakMode": "unhandled"}

        return await self._waiting.there(look)


def _framed(stop: Stop, number: Any) -> Frame:
    """A frame by its number; without one the innermost."""
    if number is None:
        return stop.frames[0]
    place = number % TURN if isinstance(number, int) else 0
    if not 0 < place <= len(stop.frames):
        raise RefusedError(f"There is no frame {number}")
    return stop.frames[place - 1]


_HANDLERS: dict[str, Callable[[Adapter, dict[str, Any]], Any]] = {
    "initialize": Adapter.initialize,
    "attach": Adapter.attach,
    "launch": Adapter.attach,
    "disconnect": Adapter.disconnect,
    "debugInfo": Adapter.debug_info,
    "configurationDone": Adapter.nothing,
    "threads": Adapter.threads,
    "dumpCell": Adapter.dump_cell,
    "setBreakpoints": Adapter.set_breakpoints,
    "setExceptionBreakpoints": Adapter.set_exception_breakpoints,
    "source": Adapter.source,
    "modules": Adapter.modules,
    "pause": Adapter.pause,
    **{name: lambda self, given, kind=kind: self.go(kind, given) for name, kind in STEPS.items()},  # type: ignore[misc]
    "stackTrace": Adapter.stack_trace,
    "scopes": Adapter.scopes,
    "variables": Adapter.variables,
    "inspectVariables": Adapter.inspect_variables,
    "evaluate": Adapter.evaluate,
    "richInspectVariables": Adapter.rich_inspect,
    "copyToGlobals": Adapter.copy_to_globals,
    "exceptionInfo": Adapter.exception_info,
}
