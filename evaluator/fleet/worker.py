"""The worker of a fleet: it compiles chunks of nodes, in the process where they have arrived.

A worker process reads calls from standard input, makes them and writes their results. Messages are pickles, each after
its length. They come from the process that started this one, and from nowhere else.
"""

from __future__ import annotations

import gc
import os
import pickle
import struct
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import IO, Any, Protocol

from lexer_parser.errors import PuppetError
from lexer_parser.memo import memoize
from lexer_parser.record import Record

Facts = Mapping[str, Any]
Node = tuple[str, str, Facts]  # its name in the fleet, its certname, its facts


class NodeCompiler(Protocol):
    """A loaded program that compiles the catalog of one node after the other."""

    def make_supervisor(self) -> Any:
        """Return the supervisor under which nodes are compiled, within the limits of the program."""

    def use_cache(self) -> AbstractContextManager[None]:
        """Store compiled files for other processes while the context lasts, if they are stored at all."""

    def compile_catalog(self, node: str, facts: Facts) -> str:
        """Return the catalog of a node as JSON text."""

    def explain(self, problem: BaseException) -> PuppetError:
        """Return the error of a node for an exception of any class."""


class NodeResult(Record):
    """The result of a node: its catalog as JSON text or its error, and the seconds of CPU it took."""

    node: str
    catalog: str | None
    error: PuppetError | None
    seconds: float


def compile_chunk(program: bytes, nodes: Sequence[Node]) -> list[NodeResult]:
    """Return the results of nodes, in order. An error of a node is its result.

    Args:
        program: A pickled object whose method `warm()` returns the NodeCompiler.
        nodes: The nodes of the chunk.
    """
    compiler = _load_program(program)
    with compiler.make_supervisor() as supervisor, compiler.use_cache():
        return [_compile_node(compiler, supervisor, *node) for node in nodes]


@memoize(1)  # the last one: the chunks of one fleet follow each other
def _load_program(program: bytes) -> NodeCompiler:
    compiler: NodeCompiler = pickle.loads(program).warm()
    return compiler


def _compile_node(
    compiler: NodeCompiler, supervisor: Any, name: str, certname: str, facts: Facts
) -> NodeResult:
    start = time.process_time()
    catalog = error = None
    try:
        catalog = supervisor.run(lambda: compiler.compile_catalog(certname, facts))
    except Exception as problem:
        error = problem if isinstance(problem, PuppetError) else compiler.explain(problem)
        error.__traceback__ = error.__context__ = error.__cause__ = None
    return NodeResult(name, catalog, error, time.process_time() - start)


# --- the worker process

# This process runs only the evaluator, so its settings are set here, as a front end does. Catalogs are many small
# objects that live long; with CPython's thresholds the collector would traverse them repeatedly.
_THRESHOLDS = (100_000, 20, 50)
_LENGTH = struct.Struct(">Q")


def send(stream: IO[bytes], message: Any) -> None:
    """Write a message."""
    content = pickle.dumps(message)
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Return the next message. Raises EOFError at the end of the stream."""
    (length,) = _LENGTH.unpack(_read_exactly(stream, _LENGTH.size))
    return pickle.loads(_read_exactly(stream, length))


def _read_exactly(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content


def serve() -> None:
    """Read calls of functions, make them, and write their results, until standard input ends.

    A result is True and the value, or False and the text of an exception. What the functions print goes to standard
    error.
    """
    gc.set_threshold(*_THRESHOLDS)
    calls = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    is_first = True
    while True:
        try:
            function, arguments = receive(calls)
        except EOFError:
            return
        try:
            result = True, function(*arguments)
        except Exception as problem:
            result = False, f"{type(problem).__name__}: {problem}"
        send(results, result)
        if is_first:
            gc.collect()
            # Objects loaded by the first call stay; traversing them again would take a tenth of the time.
            gc.freeze()
            is_first = False
