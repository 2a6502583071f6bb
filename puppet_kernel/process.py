"""The settings of the process that a front end runs in, for as long as the process lives.

The library (`lexer_parser`, `evaluator`) changes its host process only while a program runs, and restores it. A program
that imports it and parses much may call `gc.set_threshold` itself.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import cast

# Syntax trees and catalogs are many small objects that live long. With CPython's thresholds (700, 10, 10) the collector
# traverses them repeatedly: parsing a manifest of 2.4 MB takes 2.7 s of CPU time; with these thresholds it takes 1.8 s.
_THRESHOLDS = (100_000, 20, 50)
_M_ARENA_MAX = -8  # the option of mallopt(3): the largest number of heaps


def configure() -> None:
    """Set up this process for a front end.

    Each front end calls it once, before it loads the rest.
    """
    gc.set_threshold(*_THRESHOLDS)


def reserve_open_files(count: int) -> None:
    """Let this process open `count` files at once, if the user's limit permits it.

    Raises:
        OSError: The limit cannot be raised.
    """
    import resource  # not every system has this module; only kernels need it

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= count:
        return
    if hard != resource.RLIM_INFINITY and hard < count:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def save_address_space() -> None:
    """Let all threads share one heap if the address space is limited.

    The C library would reserve 64 MB for each thread.
    """
    import resource  # imported here for the same reason

    if sys.platform == "linux" and resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        from ctypes import CDLL

        with suppress(AttributeError):  # other C libraries have one heap anyway
            CDLL(None).mallopt(_M_ARENA_MAX, 1)


def raise_stack_limit(size: int) -> str | None:
    """Let the stack of the main thread have `size` bytes.

    Returns:
        The former limit in bytes, "" if there was none; None if the system does not permit it.
    """
    import resource  # imported here for the same reason

    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        return None  # in a limited address space the stack might have no room to grow
    if soft == resource.RLIM_INFINITY or soft >= size:
        return ""
    try:
        resource.setrlimit(resource.RLIMIT_STACK, (size, hard))
    except (OSError, ValueError):
        return None
    return str(soft)


def defer_module(name: str, *functions: str, **constants: object) -> None:
    """Make a module importable without running it, a package without its `__init__`.

    Any other code in this process sees the whole module: the first attribute that it reads runs the module.

    Args:
        name: The module.
        functions: The functions of the module that other modules import by name; the first call of one runs the
            module.
        constants: Attributes of the module whose values are the same without running it.
    """
    # imported here because it takes 1 ms that `puppet-repl -e` need not pay
    from importlib.util import find_spec, module_from_spec
    from threading import RLock

    spec = None if name in sys.modules else find_spec(name)
    if spec is None or spec.loader is None or not str(spec.origin).endswith((".py", "frozen")):
        return  # it is loaded already or missing, or its functions in C exist before it has run, and would crash
    module, lock, loader = module_from_spec(spec), RLock(), spec.loader
    is_started = False

    def load_attribute(attribute: str) -> object:
        """Run the module and return an attribute; this is its `__getattr__` until it has run."""
        nonlocal is_started
        with lock:  # other threads wait until the module has run
            is_running = is_started and vars(module).get("__getattr__") is load_attribute
            if attribute == "__path__" or is_running:
                raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
            if not is_started:
                is_started = True
                # a function that the module does not define must not stay in it
                for function in functions:
                    del vars(module)[function]
                loader.exec_module(module)
                if vars(module)["__getattr__"] is load_attribute:
                    del vars(module)["__getattr__"]
        return getattr(module, attribute)

    def make_deferred_function(function: str) -> Callable[..., object]:
        return lambda *arguments, **options: cast("Callable[..., object]", load_attribute(function))(
            *arguments, **options
        )

    vars(module).update(
        {function: make_deferred_function(function) for function in functions},
        __getattr__=load_attribute,
        **constants,
    )
    sys.modules[name] = module
    package, _, attribute = name.rpartition(".")
    if package:
        vars(sys.modules[package])[attribute] = module


@contextmanager
def omit_modules(*names: str) -> Iterator[None]:
    """Hide modules from libraries that are imported inside `with` and need none of them.

    A module that is loaded already stays visible.
    """
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None, which makes an import fail
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def freeze_loaded_modules() -> None:
    """Exempt everything loaded so far from garbage collection, and at exit all other objects.

    A session would spend 16 ms on the modules before the first cell: the thresholds are lower while programs run. The
    collection at exit would take 8 ms for the modules, and up to 35 ms after the compilation of a catalog.
    """
    gc.freeze()
    atexit.register(gc.freeze)
