"""The protection of the WebAssembly stack, on which programs run in a browser."""

from __future__ import annotations

import builtins
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.platform == "emscripten":
    from ctypes import c_size_t, c_void_p, pythonapi

# These bounds limit the space that recursive C code may take of WebAssembly's stack in memory. There is a second stack,
# that of the JavaScript engine: its free space cannot be queried, and the whole runtime ends when it overflows. A
# browser's workers have 500 kB of it, half of which these bounds leave free. Python's own compiler takes much of the
# first stack and little of the second.
#
# Freeing nested values takes space of the engine's stack only, a frame or two for each level, and 20,000 levels
# overflow it. So all programs run where the interpreter considers its stack nearly used up: less than _DEFERRAL_BYTES
# before the end it defers freeing the values inside a freed value, and `free` frees these one after the other,
# without recursion.
_DEFERRAL_BYTES = 16 * 1024
_ABOVE_BYTES = 512  # the caller of a program is at most this far nearer to the beginning of the stack
_RESERVED_BYTES = 16 * 1024  # beyond the end, for the interpreter itself
_COMPILING_STACK_BYTES = 160 * 1024  # for Python's own compiler, measured from its call


def begin() -> None:
    """Set the bounds of the stack before a program; elsewhere each has a stack of its own."""
    if sys.platform == "emscripten":
        _bounds().begin()


def free() -> None:
    """Free the values whose deallocation was deferred; must be called at intervals."""
    if sys.platform == "emscripten":
        _bounds().free()


class _Bounds:
    """The bounds of the stack, at which the interpreter raises RecursionError.

    Without them an overflow would end the whole runtime.
    """

    def __init__(self) -> None:
        self._get_stack_position = pythonapi.emscripten_stack_get_current
        self._set_stack_bounds = pythonapi.PyUnstable_ThreadState_SetStackProtection
        state = pythonapi.PyThreadState_Get
        self._get_stack_position.restype = state.restype = c_void_p
        self._set_stack_bounds.argtypes = [c_void_p, c_void_p, c_size_t]
        pythonapi._PyTrash_thread_destroy_chain.argtypes = [c_void_p]
        self._thread_state = state()
        self._top = 0  # the address at which the stack of programs begins
        self._builtin_compile = builtins.compile
        builtins.compile = self.compile
        builtins.eval, builtins.exec = self._wrap_builtin("eval"), self._wrap_builtin("exec")

    def begin(self) -> None:
        """Set the end of the stack for a program.

        The distance is measured from the outermost place at which any program has begun.
        """
        top = self._get_stack_position() + _ABOVE_BYTES
        if top > self._top:
            self._top = top
            self._set_end(top - _DEFERRAL_BYTES - _RESERVED_BYTES)

    def _set_end(self, end: int) -> None:
        """Set the end of the stack, which grows to lower addresses."""
        self._set_stack_bounds(self._thread_state, end, self._top - end)

    def compile(self, *arguments: Any, **options: Any) -> Any:  # Any: the signature of `builtins.compile`
        """Compile as `builtins.compile` does, with more stack."""
        self.free()  # with more stack, deallocation would no longer be deferred
        self._set_end(self._get_stack_position() - _COMPILING_STACK_BYTES)
        try:
            return self._builtin_compile(*arguments, **options)
        finally:
            self._set_end(self._top - _DEFERRAL_BYTES - _RESERVED_BYTES)

    # Any: it returns a function with the signature of the one of `builtins` that it replaces
    def _wrap_builtin(self, name: str) -> Any:
        """Return a replacement of `eval` or `exec` whose strings are compiled by `compile`.

        So the compiler has the stack that it needs.
        """
        original = getattr(builtins, name)

        def run(source: Any, /, globals: Any = None, locals: Any = None, **options: Any) -> Any:
            if globals is None:
                frame = sys._getframe(1)
                globals, locals = frame.f_globals, frame.f_locals if locals is None else locals
            if isinstance(source, str):
                text = source.lstrip(" \t") if name == "eval" else source
                source = self.compile(text, "<string>", name, dont_inherit=True)
            return original(source, globals, locals, **options)

        return run

    def free(self) -> None:
        """Free the values whose deallocation was deferred."""
        pythonapi._PyTrash_thread_destroy_chain(self._thread_state)


_bounds = cache(_Bounds)
