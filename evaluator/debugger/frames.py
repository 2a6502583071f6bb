"""The stack of a stopped program in terms of the language, and its breakpoints.

Compiled code holds the variables of functions and lambdas in Python's local variables, under names of its own; all
others are in a Scope. A lambda sees the variables of the code around it, which is further down the stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

from evaluator.catalog.initial_state import make_top_variables
from evaluator.catalog.model import BUILT_IN, format_key
from evaluator.compiler.compiled_source import CompiledSource
from evaluator.compiler.definitions import LazyBody
from evaluator.compiler.emitter import CompilationUnit
from evaluator.compiler.support import make_local_scope
from evaluator.debugger.statements import DebuggedCode, Statement
from evaluator.program import clock
from evaluator.program.definitions import MISSING, NESTED, Scope
from evaluator.program.log import Log
from evaluator.program.source_cache import parse_bounded
from evaluator.program.tracing import FUNCTION, LAMBDA, get_written_name, iterate_code_frames, to_error
from lexer_parser.errors import PuppetError
from lexer_parser.source import Source, Span

# The variables that every body has; they are listed after the variables that the program sets.
_BODY_VARIABLES = ("title", "name", "module_name", "caller_module_name")
CATALOG = "Catalog"  # the name of the entry for the resources, which is listed among the scopes
Variables = Mapping[str, Any]


class Frame:
    """A running class, define, function, lambda or program.

    Attributes:
        span: The statement or call that it is executing.
        code: The code to which it was compiled.
    """

    def __init__(self, frame: FrameType, code: DebuggedCode, span: Span, around: list[FrameType]) -> None:
        """Make a frame.

        Args:
            around: The frames of Puppet code that called it, beginning with the nearest.
        """
        self._frame = frame
        self._unit: CompilationUnit = frame.f_globals["__unit__"]
        self._around = around
        self.code = code
        self.span = span

    @property
    def source(self) -> Source:
        """The source that contains it."""
        return self.span.source

    @property
    def where(self) -> str:
        """The path of its file, or the description of a source without a file."""
        return self.source.path or _describe_text(self.source)

    @property
    def line(self) -> int:
        """The line at which it is."""
        return self.span.line

    @property
    def name(self) -> str:
        """The name to show: `class ntp`, `Web::Site[blog]`, `function double`, `lambda of each`."""
        if self.code.lambda_start is not None:
            return f"lambda of {self.code.table.find_lambda_caller(self.code.lambda_start) or 'a call'}"
        scope = self._frame.f_locals.get("scope")
        if self.code.name.startswith(FUNCTION):
            return f"function {self.code.function}"
        return describe_scope(self.scope if scope is None else scope, self.source)

    @property
    def scope(self) -> Scope:
        """The scope of variables that are not its own."""
        for frame in self._visible_frames():
            scope = frame.f_locals.get("scope")
            if isinstance(scope, Scope):
                return scope
        return self._unit.runtime.state.top

    @property
    def locals(self) -> dict[str, Any]:
        """The variables of functions and lambdas that it sees, its own first."""
        variables: dict[str, Any] = {}
        for frame in self._visible_frames():
            # Variables of inner lambdas, whose numbers are greater, come first: `v10_x` before `v9_x`. Of two numbers,
            # that with more digits is greater.
            for local, value in sorted(
                frame.f_locals.items(), key=lambda item: (item[0].find("_"), item[0]), reverse=True
            ):
                name = get_written_name(local)
                if name is not None and value is not MISSING:
                    variables.setdefault(name, value)
        return variables

    def _visible_frames(self) -> Iterator[FrameType]:
        """Yield its frame, and those of the code around it."""
        frame = self._frame
        yield frame
        for outer in self._around:
            if frame.f_code.co_name.startswith(FUNCTION):
                return
            # the code of a lambda is a constant of the code that contains it
            if any(constant is frame.f_code for constant in outer.f_code.co_consts):
                frame = outer
                yield frame

    def list_scopes(self) -> list[tuple[str, Callable[[], Variables]]]:
        """Return the names of the visible scopes, nearest first, with functions that return variables."""
        scopes: list[tuple[str, Callable[[], Variables]]] = []
        built_in = make_top_variables(self._unit.runtime)
        variables = self.locals
        if variables or self.code.name.startswith((FUNCTION, LAMBDA)):
            scopes.append(("Locals", lambda: variables))
        scope: Scope | None = self.scope
        while scope is not None:
            name = describe_scope(scope, None)
            hidden = frozenset(built_in if scope.parent is None else ())
            scopes.append((name[:1].upper() + name[1:], partial(_select_variables, scope.variables, hidden)))
            scope = scope.parent
        scopes += [(CATALOG, self.read_catalog), ("Built in", lambda: built_in)]
        return scopes

    def read_catalog(self) -> Variables:
        """Return the resources so far, each with its attributes."""
        resources = self._unit.runtime.state.catalog.resources
        return {
            format_key(key): {name: value for name, value in resource.parameters.items() if value is not None}
            for key, resource in resources.items()
            if key not in BUILT_IN
        }

    def evaluate(self, text: str, also: Variables | None = None) -> tuple[Any, list[Log]]:
        """Return the value of code in this frame, and its log lines; roll back its other effects.

        Args:
            text: The code.
            also: Additional variables; those that the frame sees take precedence.

        Raises:
            PuppetError: The code fails.
        """
        return self.compile_expression(text, also)(self)

    def compile_expression(
        self, text: str, also: Variables | None = None
    ) -> Callable[[Frame], tuple[Any, list[Log]]]:
        """Return a function that evaluates code in frames of one program. Raise PuppetError."""
        unit, runtime = self._unit, self._unit.runtime
        program = parse_bounded(text, unit.dialect, interactive=True, strict=runtime.settings.strict)
        body = LazyBody(CompilationUnit(runtime, CompiledSource(program), unit.dialect), program.body)

        def evaluate(frame: Frame) -> tuple[Any, list[Log]]:
            outer_scope, variables = frame.scope, frame.locals
            added = {name: value for name, value in (also or {}).items() if outer_scope.find(name) is MISSING}
            scope = make_local_scope(outer_scope, {**added, **variables})
            with clock.keep_running(), run_detached(runtime) as logs:
                try:
                    return body(scope), logs
                except Exception as problem:
                    raise to_error(problem)[0] from None

        return evaluate


def _select_variables(variables: Variables, names: Container[str]) -> dict[str, Any]:
    """Return the variables except some, first those that the program sets."""
    selected = {name: value for name, value in variables.items() if name not in names}
    return dict(sorted(selected.items(), key=lambda pair: pair[0] in _BODY_VARIABLES))


@contextmanager
def run_detached(runtime: Any) -> Iterator[list[Log]]:
    """Let a stopped Runtime run code, yield the list of its log lines, and roll back its effects."""
    state, match = runtime.state, runtime.match
    savepoint = state.savepoint()
    try:
        with runtime.hold_log() as lines:
            yield lines
    finally:
        state.discard(savepoint)
        runtime.match = match


def describe_scope(scope: Scope, source: Source | None) -> str:
    """Return the name to show for a scope; that of a whole program depends on the source."""
    while scope.kind in NESTED and scope.parent is not None:
        scope = scope.parent
    match scope.kind:
        case "class" | "node":
            return f"{scope.kind} {scope.name}"
        case "define":
            return format_key(scope.container)
    if source is None:
        return "top scope"
    if source.path is not None:
        return source.path.rpartition("/")[2]
    return _describe_text(source)


def _describe_text(source: Source) -> str:
    return f"cell {source.label}" if source.label else "inline template"


def is_puppet_frame(frame: FrameType) -> bool:
    """Return whether a frame runs Puppet code, rather than defining a function of it."""
    return "__unit__" in frame.f_globals and frame.f_code.co_name != "<module>"


def iterate_puppet_frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Return an iterator over the frames of Puppet code, from a frame on down the stack."""
    return (code_frame for _, code_frame in iterate_code_frames(frame) if is_puppet_frame(code_frame))


_ESCAPED = re.compile(r'[\\"$]')
_BRACE = re.compile("[{}]")


class Breakpoint:
    """A line at which a program stops, or shows a message and continues.

    Attributes:
        condition: An expression that must be true; "" for always.
        message: "" to stop; expressions in braces are replaced by their values: `n is {$n}`.
        statement: The statement on the line, if the source is known.
    """

    def __init__(self, line: int, condition: str = "", message: str = "") -> None:
        self.line = line
        self.condition = condition
        self.message = message
        self.statement: Statement | None = None
        self._condition = _Expression(condition)
        self._message = _Expression(_to_string_literal(message))

    def test_condition(self, frame: Frame) -> tuple[bool, str]:
        """Return whether the condition is true in a frame, and a message.

        A condition that fails counts as true.
        """
        if not self.condition:
            return True, ""
        try:
            value = self._condition.evaluate(frame)
        except PuppetError as problem:
            return True, f"the condition fails: {problem}"
        return value is not None and value is not False, ""

    def format_message(self, frame: Frame) -> str:
        """Return the message with the values of its expressions in a frame; or why they fail."""
        try:
            return str(self._message.evaluate(frame))
        except PuppetError as problem:
            return f"{self.message} — this fails: {problem}"


class _Expression:
    """An expression that is evaluated repeatedly in frames of the same code."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._code: DebuggedCode | None = None
        self._evaluate: Callable[[Frame], tuple[Any, Any]] | None = None

    def evaluate(self, frame: Frame) -> Any:
        """Return its value in a frame. Raise PuppetError."""
        if self._evaluate is None or self._code is not frame.code:
            self._evaluate, self._code = frame.compile_expression(self._text), frame.code
        return self._evaluate(frame)[0]


def _to_string_literal(message: str) -> str:
    """Return a message as a string literal of the language."""
    parts = (
        f"${{{part}}}" if is_expression else _ESCAPED.sub(r"\\\g<0>", part)
        for is_expression, part in _split_message(message)
    )
    return f'"{"".join(parts)}"'


def _split_message(message: str) -> Iterator[tuple[bool, str]]:
    """Yield the texts and expressions of a message; an expression that never ends is text."""
    ends, opened = dict[int, int](), list[int]()
    for brace in _BRACE.finditer(message):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            ends[opened.pop()] = brace.start()
    begun = 0
    for start in sorted(ends):
        inside = message[start + 1 : ends[start]] if start >= begun else ""
        if inside.strip():
            yield False, message[begun:start]
            yield True, inside
            begun = ends[start] + 1
    yield False, message[begun:]
