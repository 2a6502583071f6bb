"""The stack that programs have in a browser: WebAssembly's, of which little can be asked."""

from __future__ import annotations

import builtins
import sys
from ctypes import c_size_t, c_void_p, pythonapi
from functools import cache
from typing import Any

# What C code that calls itself may take of WebAssembly's stack in memory. The other stack, that of the engine, cannot
# be asked; where it ends the whole runtime ends. A browser's workers have 500 kB of it, half of which this leaves free.
# Python's own compiler takes much of the one and little of the other.
#
# What is freed takes only of the engine's, a frame or two for each value within a value, and 20,000 of these end it. So
# all programs run where the interpreter takes its stack for nearly used up: less than _PUT_OFF_BYTES before the end it
# puts off what is within what it frees, and `free` does that, one after the other, without any depth.
_PUT_OFF_BYTES = 16 * 1024
_ABOVE_BYTES = 512  # what runs a program is so much nearer to the beginning of the stack
_RESERVED_BYTES = 16 * 1024  # behind the end, for the interpreter itself
_COMPILING_STACK_BYTES = 160 * 1024


def begin() -> None:
    """A program begins here."""
    _bounds().begin()


def free() -> None:
    """Frees what was put off; to be called every now and then."""
    _bounds().free()


class _Bounds:
    """The bounds of the stack that the interpreter knows of: it raises RecursionError before the end of it.

    Without them the stack would end with everything else.
    """

    __slots__ = ("_bound", "_compiles", "_here", "_state", "_top")

    def __init__(self) -> None:
        self._here = pythonapi.emscripten_stack_get_current
        self._bound = pythonapi.PyUnstable_ThreadState_SetStackProtection
        state = pythonapi.PyThreadState_Get
        self._here.restype = state.restype = c_void_p
        self._bound.argtypes = [c_void_p, c_void_p, c_size_t]
        pythonapi._PyTrash_thread_destroy_chain.argtypes = [c_void_p]
        self._state = state()
        self._top = 0
        self._compiles = builtins.compile
        builtins.compile = self.compile
        builtins.eval, builtins.exec = self._compiling("eval"), self._compiling("exec")

    def begin(self) -> None:
        """A program begins here: the stack ends so far below the outermost one that has begun anywhere."""
        top = self._here() + _ABOVE_BYTES
        if top > self._top:
            self._top = top
            self._set(top - _PUT_OFF_BYTES - _RESERVED_BYTES)

    def _set(self, low: int) -> None:
        self._bound(self._state, low, self._top - low)

    def compile(self, *given: Any, **named: Any) -> Any:
        """As Python's own, with more room."""
        self.free()  # with more room nothing would be put off any more
        self._set(self._here() - _COMPILING_STACK_BYTES)
        try:
            return self._compiles(*given, **named)
        finally:
            self._set(self._top - _PUT_OFF_BYTES - _RESERVED_BYTES)

    def _compiling(self, kind: str) -> Any:
        """`eval` or `exec` as Python's own; what is given as text is compiled first, with the room that this takes."""
        known = getattr(builtins, kind)

        def run(source: Any, /, globals: Any = None, locals: Any = None, **named: Any) -> Any:
            if globals is None:
                frame = sys._getframe(1)
                globals, locals = frame.f_globals, frame.f_locals if locals is None else locals
            if isinstance(source, str):
                text = source.lstrip(" \t") if kind == "eval" else source
                source = self.compile(text, "<string>", kind, dont_inherit=True)
            return known(source, globals, locals, **named)

        return run

    def free(self) -> None:
        """Frees what was put off."""
        pythonapi._PyTrash_thread_destroy_chain(self._state)


_bounds = cache(_Bounds)
