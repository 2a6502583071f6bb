"""From a Python traceback to a Puppet place: compiled code carries Puppet's lines and columns."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any

from evaluator.issues import Failure, error, make_labelled_error
from evaluator.limits import CALLS, INTEGER, MEMORY, SECONDS
from evaluator.program.callables import BreakIteration, NextIteration, ReturnValue, Unwind
from lexer_parser.errors import PuppetError
from lexer_parser.memo import MemoTable
from lexer_parser.source import Source, Span
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import a_label

# The places of the tests that compiled code makes of arguments and of what is returned.
_TESTING_NODES = (nodes.Parameter, nodes.Lambda, nodes.Function)


class FramePlace:
    """A point of compiled code: the node, the span, and the Python frame that was there."""

    __slots__ = ("frame", "node", "span")

    def __init__(self, node: nodes.Node | None, span: Span, frame: FrameType) -> None:
        self.node = node
        self.span = span
        self.frame = frame


Position = tuple[Any, Any, Any, Any]
_MOST = 2000


class _Positions:
    """The positions of instructions, which Python finds by reading the code from its start.

    Those of the code that was asked for last are kept, as the statements of a long program ask one after the other;
    and what was asked last, as code of modules asks the same again and again.
    """

    def __init__(self) -> None:
        self._last: tuple[CodeType | None, list[Position]] = (None, [])
        # by identity, as code is slow to hash
        self._known: MemoTable[tuple[int, int], tuple[CodeType, Position]] = MemoTable(
            "places of code", _MOST
        )

    def of(self, code: CodeType, offset: int) -> Position:
        """Line, column, last line and last column of an instruction."""
        found = self._known.get((id(code), offset))
        if found is None:
            found = self._known[id(code), offset] = (code, self._read(code, offset))
        return found[1]

    def _read(self, code: CodeType, offset: int) -> Position:
        last, positions = self._last
        if last is not code:
            positions = list(code.co_positions())
            self._last = (code, positions)
        line, end_line, column, end_column = positions[offset // 2]
        return line, column, end_line, end_column


_positions = _Positions()


def find_frames(traceback: TracebackType | None) -> list[FramePlace]:
    """The Puppet places of a traceback, outermost first; frames of Python code are left out."""
    found = []
    known: dict[tuple[CodeType, int], FramePlace | None] = {}  # calls that call themselves are many frames
    while traceback is not None:
        frame, instruction = traceback.tb_frame, traceback.tb_lasti
        unit = frame.f_globals.get("__unit__")
        if unit is not None:
            key = (frame.f_code, instruction)
            if key not in known:
                known[key] = _place(unit, frame, instruction)
            place = known[key]
            if place is not None:
                found.append(FramePlace(place.node, place.span, frame))
        traceback = traceback.tb_next
    return found


def _place(unit: Any, frame: FrameType, instruction: int) -> FramePlace | None:
    found = _node_and_span(unit, frame.f_code, instruction)
    return FramePlace(*found, frame) if found is not None else None


def _node_and_span(unit: Any, code: CodeType, instruction: int) -> tuple[nodes.Node | None, Span] | None:
    line, column, end_line, end_column = _positions.of(code, instruction)
    if line is None or column is None:
        return None
    found: tuple[nodes.Node | None, Span] = unit.place(line, column, end_line, end_column)
    return found


class CodePoint:
    """An instruction of compiled code: where that is, is found out when somebody asks, which is seldom."""

    __slots__ = ("_code", "_instruction", "_unit")

    def __init__(self, unit: Any, code: CodeType, instruction: int) -> None:
        self._unit = unit
        self._code = code
        self._instruction = instruction

    @property
    def node(self) -> tuple[Source, nodes.Node] | None:
        """The source, and the node that the instruction was made for."""
        found = _node_and_span(self._unit, self._code, self._instruction)
        return (found[1].source, found[0]) if found is not None and found[0] is not None else None

    @property
    def span(self) -> Span | None:
        """The place in the source; None for an instruction that has none."""
        found = _node_and_span(self._unit, self._code, self._instruction)
        return found[1] if found is not None else None


def get_code_point() -> CodePoint | None:
    """The instruction of Puppet code that runs now, None when there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        unit = frame.f_globals.get("__unit__")
        if unit is not None:
            return CodePoint(unit, frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return None


def get_calling_node() -> tuple[Source, nodes.Node] | None:
    """The node of Puppet code that runs now, which is a call while a built-in function runs, and its source."""
    here = get_code_point()
    return here.node if here is not None else None


def to_error(exception: BaseException) -> tuple[PuppetError, list[FramePlace], list[FramePlace]]:
    """The PuppetError for anything that was raised while Puppet code ran, with its place, and the way to it.

    That are the places of the traceback, outermost first, and those of them that led to the error's own.
    """
    found = find_frames(exception.__traceback__)
    if isinstance(exception, Failure) and len(found) > 1 and _blames_caller(exception, found[-1]):
        found.pop()
    place = found[-1] if found else None
    problem = _as_error(exception, place)
    if problem.span is not None or place is None:
        return problem, found, found
    problem.span = find_blamed_span(problem, place)
    return problem, found, found[:-1]


def _blames_caller(failure: Failure, place: FramePlace) -> bool:
    """Whether a failure is in the call: of an argument, or of a type that nothing can be tested for."""
    return getattr(failure, "blames_caller", False) or isinstance(place.node, _TESTING_NODES)


def iterate_running() -> Iterator[FramePlace]:
    """The Puppet places that run now, innermost first: for warnings, which leave no traceback."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        unit = frame.f_globals.get("__unit__")
        place = _place(unit, frame, frame.f_lasti) if unit is not None else None
        if place is not None:
            yield place
        frame = frame.f_back


def _as_error(exception: BaseException, place: FramePlace | None) -> PuppetError:
    if isinstance(exception, PuppetError):
        return exception
    if isinstance(exception, Failure):
        return make_labelled_error(exception, _label(place))
    if isinstance(exception, Unwind):
        return _illegal(exception)
    if isinstance(exception, RecursionError):
        return CALLS.make_error("CALLS_TOO_DEEP")
    if isinstance(exception, ValueError) and "set_int_max_str_digits" in str(exception):
        return INTEGER.make_error()
    if isinstance(exception, MemoryError):
        return MEMORY.make_error("MEMORY_EXCEEDED")
    if isinstance(exception, TimeoutError):
        return SECONDS.make_error("TIME_EXCEEDED")
    return _internal(exception)


def _internal(exception: BaseException) -> PuppetError:
    """A defect of this project: the person gets a sentence, who looks for it sets PUPPET_KERNEL_DEBUG."""
    if os.environ.get("PUPPET_KERNEL_DEBUG"):
        raise exception
    return error("INTERNAL_ERROR", problem=f"{type(exception).__name__}: {exception}")


def _illegal(signal: Unwind) -> PuppetError:
    names = {BreakIteration: "break", NextIteration: "next", ReturnValue: "return"}
    return error("CONTROL_ILLEGAL", function=names[type(signal)])


def _label(place: FramePlace | None) -> str:
    """What a failure is said to have happened in: `a Function Call`."""
    if place is None or place.node is None:
        return "a Function Call"
    return a_label(place.node)


def find_blamed_span(problem: PuppetError, place: FramePlace) -> Span:
    """The place itself, or that of the operand which the error blames."""
    node: Any = place.node
    if problem.operand is None or node is None:
        return place.span
    parts = [
        getattr(node, field)
        for field in ("left", "right", "keys", "arguments", "expr")
        if hasattr(node, field)
    ]
    flat = [part for item in parts for part in (item if isinstance(item, list) else [item])]
    if problem.operand >= len(flat):
        return place.span
    part = flat[problem.operand]
    return Span(place.span.source, part.start, part.end)
