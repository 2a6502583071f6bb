"""Code that processes of the tests run: a program without a session, and a fatal call."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from lexer_parser.errors import PuppetError


class UnlimitedSupervisor:
    """A supervisor that runs work without limits."""

    def __enter__(self) -> UnlimitedSupervisor:
        return self

    def __exit__(self, *problem: object) -> None:
        pass

    def run(self, work: Callable[[], Any]) -> Any:
        return work()


class KillingProgram:
    """A program that kills its process for nodes whose name begins with `deadly`."""

    def warm(self) -> KillingProgram:
        return self

    def make_supervisor(self) -> UnlimitedSupervisor:
        return UnlimitedSupervisor()

    def use_cache(self) -> AbstractContextManager[None]:
        return nullcontext()

    def compile_catalog(self, node: str, facts: Any) -> str:
        if node.startswith("deadly"):
            os.kill(os.getpid(), signal.SIGKILL)
        return '{"name": "%s", "resources": []}' % node  # noqa: UP031

    def explain(self, problem: BaseException) -> PuppetError:
        return PuppetError("ODD", str(problem))


def call_after_kills(kills: int, folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """Kill the first processes that make a call, and make it in the next one.

    Args:
        kills: The number of processes to kill.
        folder: A folder that is empty before the first call.
    """
    for number in range(kills):
        try:
            (folder / str(number)).touch(exist_ok=False)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*arguments)
