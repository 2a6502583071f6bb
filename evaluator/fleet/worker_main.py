"""The main function of a worker process: it reads a call from standard input, makes it, writes the result.

Messages are pickles, each after its length. They come from the process that started this one, and from nowhere else.
"""

from __future__ import annotations

import gc
import os
import pickle
import struct
from typing import IO, Any

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
    """Read a message. Raises EOFError if there is none any more."""
    (length,) = _LENGTH.unpack(_read_exactly(stream, _LENGTH.size))
    return pickle.loads(_read_exactly(stream, length))


def _read_exactly(stream: IO[bytes], length: int) -> bytes:
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content


def serve() -> None:
    """Make calls until there are none any more. What they print goes to standard error."""
    gc.set_threshold(*_THRESHOLDS)
    calls = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    first = True
    while True:
        try:
            function, arguments = receive(calls)
        except EOFError:
            return
        try:
            answer = True, function(*arguments)
        except Exception as problem:
            answer = False, f"{type(problem).__name__}: {problem}"
        send(answers, answer)
        if first:
            gc.collect()
            # Objects loaded by the first call stay; traversing them again would take a tenth of the time.
            gc.freeze()
            first = False
