"""The mapping of Python frames to Puppet places: compiled code has Puppet's positions.

The module of compiled code has a global `__unit__`, its CompilationUnit, which finds the syntax node at a position.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any

from evaluator.issues import Failure, make_error, make_labelled_error
from evaluator.limits import CALLS, INTEGER, MEMORY, SECONDS, MemoryExceeded
from evaluator.program.definitions import BreakIteration, NextIteration, ReturnValue, Site, Unwind
from lexer_parser.errors import PuppetError
from lexer_parser.memo import MemoTable
from lexer_parser.record import Record
from lexer_parser.source import Span
from lexer_parser.tree import nodes
from lexer_parser.tree.labels import add_article_to_label

# The nodes of the type checks that compiled code makes of arguments and of returned values.
_TESTING_NODES = (nodes.Parameter, nodes.Lambda, nodes.Function)


class FramePlace(Record):
    """A place in Puppet code with the Python frame that is there: node, span and frame."""

    node: nodes.Node | None
    span: Span
    frame: FrameType


# The beginnings of the names of compiled code: of a function, of a lambda, of a part that was nested too deeply.
FUNCTION, LAMBDA, OUTLINED = "function", "lambda", "part"
Position = tuple[Any, Any, Any, Any]  # line, column, last line, last column; None for an unknown one
_MOST_POSITIONS = 2000  # cached positions


class _Positions:
    """The positions of instructions, which Python finds by reading the code from its start.

    Two things are cached: all positions of the code object queried last, as the statements of a long program query it
    one after the other; and the most recent results, as code of modules repeats the same queries.
    """

    def __init__(self) -> None:
        self._last: tuple[CodeType | None, list[Position]] = (None, [])
        # by identity, because code objects are slow to hash; the code is stored so that its identity stays in use
        self._recent: MemoTable[tuple[int, int], tuple[CodeType, Position]] = MemoTable(
            "places of code", _MOST_POSITIONS
        )

    def get(self, code: CodeType, offset: int) -> Position:
        """Return line, column, last line and last column of the instruction at an offset in bytes."""
        entry = self._recent.get((id(code), offset))
        if entry is None:
            entry = self._recent[id(code), offset] = (code, self._read(code, offset))
        return entry[1]

    def _read(self, code: CodeType, offset: int) -> Position:
        last_code, positions = self._last
        if last_code is not code:
            positions = list(code.co_positions())
            self._last = (code, positions)
        line, end_line, column, end_column = positions[offset // 2]  # an instruction has two bytes
        return line, column, end_line, end_column


_positions = _Positions()


def find_frames(traceback: TracebackType | None) -> list[FramePlace]:
    """Return the Puppet places of a traceback, outermost first, without frames of Python code."""
    places = []
    # Recursive calls have many frames at the same place, which is found once.
    found: dict[tuple[CodeType, int], FramePlace | None] = {}
    while traceback is not None:
        frame, instruction = traceback.tb_frame, traceback.tb_lasti
        unit = frame.f_globals.get("__unit__")
        if unit is not None:
            key = (frame.f_code, instruction)
            if key not in found:
                found[key] = _find_place(unit, frame, instruction)
            place = found[key]
            if place is not None:
                places.append(FramePlace(place.node, place.span, frame))
        traceback = traceback.tb_next
    return places


def _find_place(unit: Any, frame: FrameType, instruction: int) -> FramePlace | None:
    """Return the place of an instruction, which is an offset in bytes in the code of a frame."""
    node_and_span = _find_node_and_span(unit, frame.f_code, instruction)
    return FramePlace(*node_and_span, frame) if node_and_span is not None else None


def _find_node_and_span(unit: Any, code: CodeType, instruction: int) -> tuple[nodes.Node | None, Span] | None:
    line, column, end_line, end_column = _positions.get(code, instruction)
    if line is None or column is None:
        return None
    node_and_span: tuple[nodes.Node | None, Span] = unit.place(line, column, end_line, end_column)
    return node_and_span


class CodePoint(Record):
    """An instruction of compiled code; its place is computed on access, which is rare."""

    _unit: Any
    _code: CodeType
    _instruction: int

    @property
    def site(self) -> Site | None:
        """The node for which the instruction was compiled, with its source."""
        node, span = _find_node_and_span(self._unit, self._code, self._instruction) or (None, None)
        return Site(span.source, node) if node is not None and span is not None else None

    @property
    def span(self) -> Span | None:
        """The place in the source; None for an instruction that has none."""
        node_and_span = _find_node_and_span(self._unit, self._code, self._instruction)
        return node_and_span[1] if node_and_span is not None else None


def iterate_code_frames(frame: FrameType | None) -> Iterator[tuple[Any, FrameType]]:
    """Yield each frame of compiled code on the stack, with its CompilationUnit.

    Args:
        frame: The innermost frame.
    """
    while frame is not None:
        unit = frame.f_globals.get("__unit__")
        if unit is not None:
            yield unit, frame
        frame = frame.f_back


def get_written_name(local: str) -> str | None:
    """Return the Puppet name of a local variable of compiled code (`v1_name`), if it has one."""
    match = re.fullmatch(r"v\d+_(\w+)", local)
    return match and match[1]


def get_code_point() -> CodePoint | None:
    """Return the instruction of Puppet code that runs now; None when there is none."""
    for unit, frame in iterate_code_frames(sys._getframe(1)):
        return CodePoint(unit, frame.f_code, frame.f_lasti)
    return None


def to_error(exception: BaseException) -> tuple[PuppetError, list[FramePlace], list[FramePlace]]:
    """Return the PuppetError for an exception of Puppet code, with its place and call chain.

    If the caller is to blame, the error is at the place of the call.

    Returns:
        The error, the places of the traceback, outermost first, and those among them that led to the error's own place.
    """
    places = find_frames(exception.__traceback__)
    if isinstance(exception, Failure) and len(places) > 1 and _blames_caller(exception, places[-1]):
        places.pop()
    place = places[-1] if places else None
    problem = _convert_to_error(exception, place)
    if problem.span is not None or place is None:
        return problem, places, places
    problem.span = find_blamed_span(problem, place)
    return problem, places, places[:-1]


def _blames_caller(failure: Failure, place: FramePlace) -> bool:
    """Return True if the mistake is in the call rather than in the code that fails.

    That is so for an argument of a wrong type, and for a type against which no value can be tested.
    """
    return getattr(failure, "blames_caller", False) or isinstance(place.node, _TESTING_NODES)


def iterate_running() -> Iterator[FramePlace]:
    """Yield the Puppet places that run now, innermost first.

    Warnings need it, because they have no traceback.
    """
    for unit, frame in iterate_code_frames(sys._getframe(1)):
        place = _find_place(unit, frame, frame.f_lasti)
        if place is not None:
            yield place


def list_running_calls() -> list[tuple[str, int]]:
    """Return the files and lines of the calls that run now, innermost first.

    The last is line 0 of the program, unless deferred code runs. Text without a file is "unknown".
    """
    places = list(iterate_running())
    calls = [
        (place.span.source.name or "unknown", place.span.line)
        for place in places
        if isinstance(place.node, nodes.Call | nodes.MethodCall)
    ]
    if places and places[-1].frame.f_locals["scope"].kind == "top":
        calls.append((places[-1].span.source.name or "unknown", 0))
    return calls


def locate_in_caller(problem: PuppetError) -> None:
    """Add the running expression to the message of an error without a position.

    The released Puppet does so for errors in a file that the expression loads. The span still leads to the file.
    """
    place = next(iterate_running(), None)
    if problem.placeless and place is not None:
        problem.message = f"Error while evaluating {_make_label(place)}, {problem.message}"
        problem.placeless, problem.released_span = False, place.span
        problem.line_known = problem.column_known = True


# The message of the SystemError that CPython 3.11 raises if it has no memory for a MemoryError.
_LOST_MEMORY_ERROR = "error return without exception set"


def _convert_to_error(exception: BaseException, place: FramePlace | None) -> PuppetError:
    match exception:
        case PuppetError():
            return exception
        case Failure():
            return make_labelled_error(exception, _make_label(place))
        case Unwind():
            return _make_illegal_error(exception)
        case RecursionError():
            return CALLS.make_error("CALLS_TOO_DEEP")
        case ValueError() if "set_int_max_str_digits" in str(exception):
            return INTEGER.make_error()
        case MemoryExceeded():
            return MEMORY.make_error("MEMORY_EXCEEDED")
        case MemoryError():
            return make_error("MEMORY_REFUSED")
        case SystemError() if str(exception) == _LOST_MEMORY_ERROR:
            return make_error("MEMORY_REFUSED")
        case TimeoutError():
            return SECONDS.make_error("TIME_EXCEEDED")
    return _make_internal_error(exception)


def _make_internal_error(exception: BaseException) -> PuppetError:
    """Return the error for a defect of this project.

    Users get a sentence. Developers set PUPPET_KERNEL_DEBUG, which raises the exception itself.
    """
    if os.environ.get("PUPPET_KERNEL_DEBUG"):
        raise exception
    return make_error("INTERNAL_ERROR", problem=f"{type(exception).__name__}: {exception}")


def _make_illegal_error(signal: Unwind) -> PuppetError:
    names = {BreakIteration: "break", NextIteration: "next", ReturnValue: "return"}
    return make_error("CONTROL_ILLEGAL", function=names[type(signal)])


def _make_label(place: FramePlace | None) -> str:
    """Return the label of the construct in which a failure happened: `a Function Call`."""
    if place is None or place.node is None:
        return "a Function Call"
    return add_article_to_label(place.node)


def find_blamed_span(problem: PuppetError, place: FramePlace) -> Span:
    """Return the span of the place, or of the operand that the error blames.

    A message has no position if the operand has none: a list as an operand has more elements than its expression.
    """
    node: Any = place.node
    if problem.operand is None or node is None:
        return place.span
    values = [
        getattr(node, field)
        for field in ("left", "right", "keys", "arguments", "expr")
        if hasattr(node, field)
    ]
    operands = [item for value in values for item in (value if isinstance(value, list) else [value])]
    operand = operands[problem.operand] if problem.operand < len(operands) else None
    problem.placeless = operand is None
    return place.span if operand is None else Span(place.span.source, operand.start, operand.end)
