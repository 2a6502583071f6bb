"""Stops programs: at breakpoints, after steps, at errors and on demand.

Python traces the thread in which a program runs. Where nothing is to be stopped that costs one call for each call;
lines are looked at only in code that has breakpoints and in frames that are stepped through.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dis import opname
from types import CodeType, FrameType
from typing import Any, TypeVar

from evaluator.debugger.frames import Frame, is_puppet, place_of, puppet
from evaluator.debugger.layout import Code, Layout, Statement
from evaluator.debugger.points import Breakpoint
from evaluator.program import clock
from evaluator.program.tracing import to_error
from lexer_parser.errors import PuppetError
from lexer_parser.source import Span
from lexer_parser.tree import nodes

CONTINUE, OVER, IN, OUT = "continue", "over", "in", "out"
Trace = Callable[[FrameType, str, Any], Any]
_T = TypeVar("_T")


class Stop:
    """A program that is stopped.

    reason  "breakpoint", "step", "pause", "entry" or "exception";  frames  the stack, the innermost first
    text    what else is to be said;  problem  the error that ends the program
    """

    __slots__ = ("frames", "problem", "reason", "text")

    def __init__(self, reason: str, frames: list[Frame], text: str, problem: PuppetError | None) -> None:
        self.reason = reason
        self.frames = frames
        self.text = text
        self.problem = problem


class _Step:
    """A step that is being made: its kind, the frame in which it began, and those around it, the nearest first.

    left  whether the frame has come to its end
    last  the outermost frame of what the one around it has called: when it ends, the call does. It is often Python's,
          of a function that calls a lambda again and again
    """

    __slots__ = ("around", "frame", "kind", "last", "left")

    def __init__(self, kind: str, frame: FrameType | None, around: list[FrameType]) -> None:
        self.kind = kind
        self.frame = frame
        self.around = around
        self.left = frame is None
        self.last = frame
        while around and self.last is not None and self.last.f_back is not around[0]:
            self.last = self.last.f_back

    def stops_in(self, frame: FrameType) -> bool:
        """Whether a statement that begins in a frame is where the step ends."""
        if self.kind == IN or any(frame is outer for outer in self.around):
            return True
        if self.kind == OUT:
            return False
        if frame is self.frame:
            return True
        return self.left and self.may_follow(frame)

    def may_follow(self, frame: FrameType) -> bool:
        """Whether a new frame goes on where the left one ended: the next round of a lambda, or what runs late."""
        assert self.frame is not None
        outer = next(iter(puppet(frame.f_back)), None)
        if not self.around:
            return outer is None
        is_lambda = frame.f_code is self.frame.f_code and frame.f_code.co_name.startswith("lambda")
        return is_lambda and outer is self.around[0]


class _Watched:
    """Code that is known, and what traces the lines of its frames: `always` where it has breakpoints, else None."""

    __slots__ = ("always", "code", "lines", "points", "raw")

    def __init__(self, raw: Any, code: Code | None, lines: Trace | None) -> None:
        self.raw = raw  # held, so that its identity is not given to other code
        self.code = code
        self.lines = lines
        self.always: Trace | None = None
        self.points: dict[Statement, Breakpoint] = {}


class Debugger:
    """Stops the programs that run under its `watch`.

    talk       called in the program's thread with each Stop; the program goes on as what it gives says: CONTINUE,
               or OVER, IN or OUT for a step
    tell       called there with the Frame and the words of a breakpoint that has a message, where nothing stops
    at_errors  whether programs stop at the error that ends them
    entering   whether the next program stops at its first statement
    pausable   whether programs can be paused: they run under its watch though nothing else stops them
    """

    def __init__(self, talk: Callable[[Stop], str]) -> None:
        self.talk = talk
        self.tell: Callable[[Frame, str], object] = lambda frame, words: None
        self.at_errors = False
        self.entering = self.pausable = False
        self.runs = False
        self._points: dict[str, list[Breakpoint]] = {}
        self._layouts: dict[int, Layout] = {}
        self._watched: dict[int, _Watched] = {}
        # of known code, by its identity; of Puppet code nothing while each frame of it is looked at
        self._traces: dict[int, Trace | None] = {}
        # Python's own, held so that its identity is not given to other code
        self._others: list[CodeType] = []
        self._step: _Step | None = None
        self._pausing = False
        self._changed = False  # breakpoints, while a program runs

    # --- what a person wants; may be called by any thread

    def set_breakpoints(self, key: str, points: Sequence[Breakpoint], program: nodes.Program | None) -> None:
        """Stops at these lines of a source and at no others of it; `program` is what is read there, if known."""
        self._points.pop(key, None)
        if points:
            self._points[key] = list(points)
        if program is not None:
            self._place(Layout(program))
        for watched in list(self._watched.values()):
            self._repoint(watched)
        self._changed = True
        self._traces.clear()

    @property
    def breakpoints(self) -> dict[str, list[Breakpoint]]:
        """All of them, by the keys of their sources."""
        return dict(self._points)

    def pause(self) -> None:
        """Stops the program that runs at its next statement."""
        if self.runs:
            self._pausing = True
            self._traces.clear()

    @property
    def watches(self) -> bool:
        """Whether anything could stop a program."""
        return bool(self._points) or self.at_errors or self.entering or self.pausable

    # --- running

    def watch(self, function: Callable[[], _T]) -> _T:
        """Calls what runs a program in this thread; gives its value or raises what it raises."""
        former = sys.gettrace()
        self._forget()  # an interrupt may have ended the last program anywhere
        self._step = _Step(IN, None, []) if self.entering else None
        self._pausing = False
        self.runs = True
        sys.settrace(self._entrance())
        try:
            return function()
        except Exception as problem:
            sys.settrace(former)
            if self.at_errors:
                self._failed(problem)
            raise
        finally:
            sys.settrace(former)
            self.runs = self.entering = False
            self._forget()

    def _forget(self) -> None:
        """Forgets the program that ran."""
        self._step = None
        for known in (self._watched, self._traces, self._layouts, self._others):
            known.clear()

    def _entrance(self) -> Trace:
        """What is called when a frame is entered, and gives what traces its lines, if anything does."""
        traces, entered, identity = self._traces, self._entered, id

        def called(frame: FrameType, event: str, argument: Any) -> Trace | None:
            try:
                return traces[identity(frame.f_code)]
            except KeyError:
                return entered(frame)

        return called

    def _entered(self, frame: FrameType) -> Trace | None:
        """What traces the lines of a frame of code that is not known, or while a step is made or a pause wanted."""
        if "__unit__" not in frame.f_globals:
            self._others.append(frame.f_code)
            self._traces[id(frame.f_code)] = None
            return None
        watched = self._watched.get(id(frame.f_code)) or self._learn(frame)
        if self._changed or self._pausing:
            self._changed = False
            for outer in puppet(frame.f_back):
                self._trace(outer)
        step = self._step
        if step is None and not self._pausing:
            self._traces[id(frame.f_code)] = watched.always
            if self._pausing or self._changed:  # by another thread, just now
                self._traces.clear()
        elif watched.code is not None and (self._pausing or (step is not None and step.stops_in(frame))):
            return watched.lines
        return watched.always

    def _learn(self, frame: FrameType) -> _Watched:
        if not is_puppet(frame):
            watched = _Watched(frame.f_code, None, None)
        else:
            program = frame.f_globals["__unit__"].compiled_source.program
            layout = self._layouts.get(id(program))
            if layout is None:
                layout = self._layouts[id(program)] = Layout(program)
                self._place(layout)
            code = Code(frame.f_code, layout)
            watched = _Watched(frame.f_code, code, None)
            watched.lines = self._lines(watched, code)
            self._repoint(watched)
        self._watched[id(frame.f_code)] = watched
        return watched

    def _place(self, layout: Layout) -> None:
        for point in self._points.get(layout.key, ()):
            point.statement = layout.at(point.line)

    def _repoint(self, watched: _Watched) -> None:
        """Finds the breakpoints of known code."""
        if watched.code is None:
            return
        layout = watched.code.layout
        points = {}
        for point in self._points.get(layout.key, ()):
            statement = layout.at(point.line)
            if statement is not None:
                points[statement] = point
        begun = set(watched.code.stops.values())
        watched.points = {statement: point for statement, point in points.items() if statement in begun}
        watched.always = watched.lines if watched.points else None

    def _trace(self, frame: FrameType) -> None:
        """Looks at the lines of a frame from now on."""
        watched = self._watched.get(id(frame.f_code)) or self._learn(frame)
        frame.f_trace = watched.lines

    def _lines(self, watched: _Watched, code: Code) -> Trace:
        stops = code.stops

        def traced(frame: FrameType, event: str, argument: Any) -> Trace:
            if event == "line":
                statement = stops.get(frame.f_lasti)
                if statement is not None:
                    point = watched.points.get(statement)
                    if point is not None or self._step is not None or self._pausing:
                        self._reached(frame, code, statement, point)
            elif event == "return":
                step = self._step
                if step is not None and step.frame is frame:
                    step.left = True
                    if step.last is frame:
                        self._back(step)
            return traced

        return traced

    def _reached(self, frame: FrameType, code: Code, statement: Statement, point: Breakpoint | None) -> None:
        """A statement is about to run."""
        span = Span(code.layout.source, statement.start, statement.end)
        reason, text = "", ""
        if point is not None:
            here = Frame(frame, code, span, list(puppet(frame.f_back)))
            holds, text = point.holds(here)
            if holds and point.message:
                self.tell(here, point.words(here))
            elif holds:
                reason = "breakpoint"
        step = self._step
        if not reason and self._pausing:
            reason = "pause"
        if not reason and step is not None and step.stops_in(frame):
            reason = "entry" if step.frame is None else "step"
        if reason:
            self._stop(reason, frame, self._frames(frame, span), text)

    def _ending(self, step: _Step) -> Trace:
        """What traces the last frame of a call that is stepped through."""

        def traced(frame: FrameType, event: str, argument: Any) -> Trace:
            if event == "return" and self._step is step:
                self._back(step)
            return traced

        return traced

    def _back(self, step: _Step) -> None:
        """A call comes to its end: the step ends where it was made, unless an error is on its way there."""
        last, outer = step.last, next(iter(step.around), None)
        if (
            last is None
            or outer is None
            or not opname[last.f_code.co_code[last.f_lasti]].startswith("RETURN")
        ):
            return
        watched = self._watched.get(id(outer.f_code)) or self._learn(outer)
        assert watched.code is not None
        self._stop("step", outer, self._frames(outer, place_of(outer, watched.code, outer.f_lasti)), "")

    # --- stopped

    def _frames(self, frame: FrameType, span: Span) -> list[Frame]:
        """The stack from a frame on, which is at a place."""
        stack = list(puppet(frame))
        found = []
        for place, one in enumerate(stack):
            watched = self._watched.get(id(one.f_code)) or self._learn(one)
            assert watched.code is not None
            if place and watched.code.is_part:
                continue
            where = span if one is frame else place_of(one, watched.code, one.f_lasti)
            found.append(Frame(one, watched.code, where, stack[place + 1 :]))
        return found

    def _stop(self, reason: str, frame: FrameType, frames: list[Frame], text: str) -> None:
        self._step, self._pausing = None, False
        with clock.paused():
            kind = self.talk(Stop(reason, frames, text, None))
        if kind == CONTINUE:
            return
        around = list(puppet(frame.f_back))
        self._step = step = _Step(kind, frame, around)
        self._traces.clear()
        for one in (frame, *around):
            self._trace(one)
        if step.last is not None and step.last is not frame:
            step.last.f_trace = self._ending(step)

    def _failed(self, problem: Exception) -> None:
        """A program ends with an error: its stack is still there."""
        told, places, _ = to_error(problem)
        stack = [place.frame for place in reversed(places)]
        frames = []
        for number, place in enumerate(reversed(places)):
            watched = self._watched.get(id(place.frame.f_code)) or self._learn(place.frame)
            assert watched.code is not None
            if not watched.code.is_part:
                frames.append(Frame(place.frame, watched.code, place.span, stack[number + 1 :]))
        if frames:
            with clock.paused():
                self.talk(Stop("exception", frames, told.message, told))
