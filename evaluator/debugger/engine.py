"""The engine of the debugger: it stops programs at breakpoints, after steps, at errors and on demand.

Python traces the thread in which a program runs. Without a reason to stop that costs one call for each call; lines
are traced only in code that has breakpoints and in frames that are stepped through.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dis import opname
from types import CodeType, FrameType
from typing import Any, Protocol, TypeVar

from evaluator.debugger.frames import Breakpoint, Frame, is_puppet_frame, iterate_puppet_frames
from evaluator.debugger.statements import DebuggedCode, Statement, StatementTable
from evaluator.program import clock
from evaluator.program.tracing import LAMBDA, to_error
from lexer_parser.errors import PuppetError
from lexer_parser.record import Record, fresh
from lexer_parser.source import Span
from lexer_parser.tree import nodes

CONTINUE, OVER, IN, OUT = "continue", "over", "in", "out"
Trace = Callable[[FrameType, str, Any], Any]
_T = TypeVar("_T")


class Stop(Record):
    """A program that is stopped.

    Attributes:
        reason: "breakpoint", "step", "pause", "entry" or "exception".
        frames: The stack, the innermost frame first.
        text: An additional message.
        problem: The error that ends the program.
    """

    reason: str
    frames: list[Frame]
    text: str
    problem: PuppetError | None


class _Step:
    """A step in progress.

    Attributes:
        kind: OVER, IN or OUT.
        frame: The frame in which it began; None for the entry of a program.
        around: The frames around it, the nearest first.
        has_ended: True if the frame has ended.
        call_frame: The frame that `around[0]` called. With it ends the call that is stepped through. It is `frame`
            itself, or a Python frame between the two, such as that of a function that calls a lambda repeatedly.
    """

    def __init__(self, kind: str, frame: FrameType | None, around: list[FrameType]) -> None:
        self.kind = kind
        self.frame = frame
        self.around = around
        self.has_ended = frame is None
        self.call_frame = frame
        while around and self.call_frame is not None and self.call_frame.f_back is not around[0]:
            self.call_frame = self.call_frame.f_back

    def stops_in(self, frame: FrameType) -> bool:
        """Return whether the step ends at a statement that begins in a frame."""
        if self.kind == IN or any(frame is outer for outer in self.around):
            return True
        return self.kind != OUT and (frame is self.frame or (self.has_ended and self.may_follow(frame)))

    def may_follow(self, frame: FrameType) -> bool:
        """Return whether a new frame continues a frame that ended: the next call of a lambda, or deferred code."""
        assert self.frame is not None
        outer = next(iter(iterate_puppet_frames(frame.f_back)), None)
        if not self.around:
            return outer is None
        is_lambda = frame.f_code is self.frame.f_code and frame.f_code.co_name.startswith(LAMBDA)
        return is_lambda and outer is self.around[0]


class _WatchedCode(Record):
    """A code object that has run under the debugger, and the tracers of its frames.

    Attributes:
        raw: The code object; holding it keeps its identity from being reused.
        code: Its statements; None for code that belongs to no Puppet program.
        line_tracer: The tracer of the lines of a frame, which stops at statements; None without statements.
        default_tracer: The tracer of a new frame that is not stepped through: `line_tracer` if the code has
            breakpoints, else None.
        points: Its breakpoints, by the statements that they stop at.
    """

    raw: Any
    code: DebuggedCode | None
    line_tracer: Trace | None
    default_tracer: Trace | None = None
    points: dict[Statement, Breakpoint] = fresh(factory=dict)


class Watcher(Protocol):
    """A runner of cells for an observer: the debugger, or a front end that has one."""

    @property
    def can_stop(self) -> bool:
        """True when it can stop cells now."""

    def watch(self, function: Callable[[], _T]) -> _T:
        """Return the result of a function that runs a cell; raise what it raises."""


class Debugger:
    """The debugger of the programs that run under its `watch`.

    Attributes:
        on_stop: Called in the program's thread with each Stop; returns how the program continues: CONTINUE, or OVER, IN
            or OUT for a step.
        on_message: Called in the program's thread with the Frame and the text of a breakpoint that has a message and
            does not stop.
        stop_at_errors: True if programs stop at the error that ends them.
        stop_at_entry: True if the next program stops at its first statement.
        pausable: True if programs can be paused: the debugger watches them even if nothing else stops them.
    """

    def __init__(self, on_stop: Callable[[Stop], str]) -> None:
        self.on_stop = on_stop
        self.on_message: Callable[[Frame, str], object] = lambda frame, words: None
        self.stop_at_errors = False
        self.stop_at_entry = self.pausable = False
        self.is_running = False
        self._points: dict[str, list[Breakpoint]] = {}
        self._tables: dict[int, StatementTable] = {}
        self._watched: dict[int, _WatchedCode] = {}
        # The tracers of new frames by the identity of their code. Puppet code has no entry during a step or a requested
        # pause: then it depends on the frame whether it is traced.
        self._default_tracers: dict[int, Trace | None] = {}
        # Python's own code objects; holding them keeps their identities from being reused
        self._python_code: list[CodeType] = []
        self._step: _Step | None = None
        self._pausing = False
        self._changed = False  # True if breakpoints have changed while a program runs

    # --- requests; may be called by any thread

    def set_breakpoints(self, key: str, points: Sequence[Breakpoint], program: nodes.Program | None) -> None:
        """Set the breakpoints of a source; `program` is its syntax tree, if known."""
        self._points.pop(key, None)
        if points:
            self._points[key] = list(points)
        if program is not None:
            self._place_breakpoints(StatementTable(program))
        for watched in list(self._watched.values()):
            self._update_breakpoints(watched)
        self._changed = True
        self._default_tracers.clear()

    @property
    def breakpoints(self) -> dict[str, list[Breakpoint]]:
        """All breakpoints, by the keys of their sources."""
        return dict(self._points)

    def pause(self) -> None:
        """Stop the running program at its next statement."""
        if self.is_running:
            self._pausing = True
            self._default_tracers.clear()

    @property
    def can_stop(self) -> bool:
        """True if anything could stop a program."""
        return bool(self._points) or self.stop_at_errors or self.stop_at_entry or self.pausable

    # --- running

    def watch(self, function: Callable[[], _T]) -> _T:
        """Call a function that runs a program in this thread; return its value or raise what it raises."""
        former = sys.gettrace()
        self._clear()  # an interrupt may have ended the last program at any point
        self._step = _Step(IN, None, []) if self.stop_at_entry else None
        self._pausing = False
        self.is_running = True
        sys.settrace(self._make_call_tracer())
        try:
            return function()
        except Exception as problem:
            sys.settrace(former)
            if self.stop_at_errors:
                self._stop_at_error(problem)
            raise
        finally:
            sys.settrace(former)
            self.is_running = self.stop_at_entry = False
            self._clear()

    def _clear(self) -> None:
        """Release the program that ran."""
        self._step = None
        for table in (self._watched, self._default_tracers, self._tables, self._python_code):
            table.clear()

    def _make_call_tracer(self) -> Trace:
        """Return the function that Python calls when a frame is entered; it returns the tracer of its lines."""
        tracers, choose_tracer, identity = self._default_tracers, self._choose_tracer, id

        def trace_call(frame: FrameType, event: str, argument: Any) -> Trace | None:
            try:
                return tracers[identity(frame.f_code)]
            except KeyError:
                return choose_tracer(frame)

        return trace_call

    def _choose_tracer(self, frame: FrameType) -> Trace | None:
        """Return the line tracer of a new frame whose code has no entry in `_default_tracers`.

        An entry is added unless a step or a requested pause may end in other frames of the same code.
        """
        if "__unit__" not in frame.f_globals:
            self._python_code.append(frame.f_code)
            self._default_tracers[id(frame.f_code)] = None
            return None
        watched = self._get_watched(frame)
        if self._changed or self._pausing:
            self._changed = False
            # frames that run already have the tracers of before
            for outer in iterate_puppet_frames(frame.f_back):
                self._trace_lines(outer)
        step = self._step
        if step is None and not self._pausing:
            self._default_tracers[id(frame.f_code)] = watched.default_tracer
            # Another thread may have requested a pause or changed breakpoints meanwhile; the entry would hide that.
            if self._pausing or self._changed:
                self._default_tracers.clear()
        elif watched.code is not None and (self._pausing or (step is not None and step.stops_in(frame))):
            return watched.line_tracer
        return watched.default_tracer

    def _get_watched(self, frame: FrameType) -> _WatchedCode:
        """Return the entry of the code of a frame in `_watched`, which is added for new code."""
        watched = self._watched.get(id(frame.f_code))
        if watched is not None:
            return watched
        if not is_puppet_frame(frame):
            watched = _WatchedCode(frame.f_code, None, None)
        else:
            program = frame.f_globals["__unit__"].compiled_source.tree
            table = self._tables.get(id(program))
            if table is None:
                table = self._tables[id(program)] = StatementTable(program)
                self._place_breakpoints(table)
            code = DebuggedCode(frame.f_code, table)
            watched = _WatchedCode(frame.f_code, code, None)
            watched.line_tracer = self._make_line_tracer(watched, code)
            self._update_breakpoints(watched)
        self._watched[id(frame.f_code)] = watched
        return watched

    def _place_breakpoints(self, table: StatementTable) -> None:
        """Set the statement of each breakpoint of a source."""
        for point in self._points.get(table.key, ()):
            point.statement = table.find_statement_at(point.line)

    def _update_breakpoints(self, watched: _WatchedCode) -> None:
        """Find the breakpoints that are in some code."""
        if watched.code is None:
            return
        table, statements = watched.code.table, set(watched.code.stops.values())
        points = [(table.find_statement_at(point.line), point) for point in self._points.get(table.key, ())]
        watched.points = {statement: point for statement, point in points if statement in statements}
        watched.default_tracer = watched.line_tracer if watched.points else None

    def _trace_lines(self, frame: FrameType) -> None:
        """Trace the lines of a frame from now on."""
        frame.f_trace = self._get_watched(frame).line_tracer

    def _make_line_tracer(self, watched: _WatchedCode, code: DebuggedCode) -> Trace:
        stops = code.stops

        def trace_line(frame: FrameType, event: str, argument: Any) -> Trace:
            if event == "line":
                statement = stops.get(frame.f_lasti)
                if statement is not None:
                    point = watched.points.get(statement)
                    if point is not None or self._step is not None or self._pausing:
                        self._reach_statement(frame, code, statement, point)
            elif event == "return":
                step = self._step
                if step is not None and step.frame is frame:
                    step.has_ended = True
                    if step.call_frame is frame:
                        self._finish_call(step)
            return trace_line

        return trace_line

    def _reach_statement(
        self, frame: FrameType, code: DebuggedCode, statement: Statement, point: Breakpoint | None
    ) -> None:
        """Handle a statement that is about to run."""
        span = Span(code.table.source, statement.start, statement.end)
        reason, text = "", ""
        if point is not None:
            here = Frame(frame, code, span, list(iterate_puppet_frames(frame.f_back)))
            holds, text = point.test_condition(here)
            if holds and point.message:
                self.on_message(here, point.format_message(here))
            elif holds:
                reason = "breakpoint"
        step = self._step
        if not reason and self._pausing:
            reason = "pause"
        if not reason and step is not None and step.stops_in(frame):
            reason = "entry" if step.frame is None else "step"
        if reason:
            self._stop(reason, frame, self._collect_frames(frame, span), text)

    def _make_return_tracer(self, step: _Step) -> Trace:
        """Return the tracer of the last frame of a call that is stepped through."""

        def trace_return(frame: FrameType, event: str, argument: Any) -> Trace:
            if event == "return" and self._step is step:
                self._finish_call(step)
            return trace_return

        return trace_return

    def _finish_call(self, step: _Step) -> None:
        """End the step at the caller when a call returns, unless an error propagates."""
        call_frame, outer = step.call_frame, next(iter(step.around), None)
        if (
            call_frame is None
            or outer is None
            or not opname[call_frame.f_code.co_code[call_frame.f_lasti]].startswith("RETURN")
        ):
            return
        watched = self._get_watched(outer)
        assert watched.code is not None
        self._stop("step", outer, self._collect_frames(outer, watched.code.find_span(outer.f_lasti)), "")

    # --- stopped

    def _collect_frames(self, frame: FrameType, span: Span) -> list[Frame]:
        """Return the stack from a frame on, which is at `span`."""
        stack = list(iterate_puppet_frames(frame))
        frames = []
        for index, outer in enumerate(stack):
            watched = self._get_watched(outer)
            assert watched.code is not None
            if index and watched.code.is_part:
                continue  # users see the frame that called the part
            where = span if outer is frame else watched.code.find_span(outer.f_lasti)
            frames.append(Frame(outer, watched.code, where, stack[index + 1 :]))
        return frames

    def _stop(self, reason: str, frame: FrameType, frames: list[Frame], text: str) -> None:
        """Stop a program in a frame until `on_stop` returns, then begin the step that it returned."""
        self._step, self._pausing = None, False
        with clock.pause():
            kind = self.on_stop(Stop(reason, frames, text, None))
        if kind == CONTINUE:
            return
        around = list(iterate_puppet_frames(frame.f_back))
        self._step = step = _Step(kind, frame, around)
        self._default_tracers.clear()
        for traced in (frame, *around):
            self._trace_lines(traced)
        if step.call_frame is not None and step.call_frame is not frame:
            step.call_frame.f_trace = self._make_return_tracer(step)

    def _stop_at_error(self, problem: Exception) -> None:
        """Stop at the error that ends a program, whose stack still exists."""
        error, outermost_first, _ = to_error(problem)
        places = outermost_first[::-1]
        frames = []
        for number, place in enumerate(places):
            watched = self._get_watched(place.frame)
            assert watched.code is not None
            if not watched.code.is_part:
                around = [outer.frame for outer in places[number + 1 :]]
                frames.append(Frame(place.frame, watched.code, place.span, around))
        if frames:
            with clock.pause():
                self.on_stop(Stop("exception", frames, error.message, error))
