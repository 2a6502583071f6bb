"""A process of the released Puppet that runs programs."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("released.rb")


class Released:
    """A running `released.rb`, as a context manager.

    Args:
        script: Another script, which writes a line of JSON for each that it reads.
        options: Options of Ruby, which decide which release it loads; see `tests.released.unpacking`.
    """

    def __init__(self, script: Path = SCRIPT, options: Sequence[str] = ()) -> None:
        self._script = script
        self._options = options
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Released:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["ruby", "-E", "UTF-8:UTF-8", *self._options, str(self._script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )

    def run(self, sources: Iterable[Any]) -> list[dict[str, Any] | None]:
        """Return the results of programs, in order.

        A result has "value", "type" and "logs", or "error" and "logs". It is None for a program that ends the process.
        """
        pending = list(sources)
        results: list[dict[str, Any] | None] = []
        while pending:
            if self._process is None:
                self._process = self._start()
            process, sent = self._process, list(pending)
            assert process.stdin is not None and process.stdout is not None
            writer = threading.Thread(target=_write, args=(process.stdin, sent))
            writer.start()
            for _ in sent:
                line = process.stdout.readline()
                if not line:
                    break
                results.append(json.loads(line))
                pending.pop(0)
            writer.join()
            if pending:  # the first program without a result has ended the process
                process.communicate()
                self._process = None
                results.append(None)
                pending.pop(0)
        return results


def _write(stream: Any, sources: list[Any]) -> None:
    try:
        for source in sources:
            stream.write(json.dumps(source) + "\n")
        stream.flush()
    except BrokenPipeError:
        pass
