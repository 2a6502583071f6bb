"""The code that processes of the tests run: programs without a session, and calls that end their process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from lexer_parser.errors import PuppetError


class Supervisor:
    """Runs without limits."""

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *problem: object) -> None:
        pass

    def run(self, work: Callable[[], Any]) -> Any:
        return work()


class Deadly:
    """A program that ends its process for nodes that are called so."""

    def warm(self) -> Deadly:
        return self

    def make_supervisor(self) -> Supervisor:
        return Supervisor()

    def use_cache(self) -> AbstractContextManager[None]:
        return nullcontext()

    def compile_catalog(self, node: str, facts: Any) -> str:
        if node.startswith("deadly"):
            os.kill(os.getpid(), signal.SIGKILL)
        return '{"name": "%s", "resources": []}' % node  # noqa: UP031

    def explain(self, problem: BaseException) -> PuppetError:
        return PuppetError("ODD", str(problem))


def after_deaths(deaths: int, folder: Path, function: Callable[..., Any], *arguments: Any) -> Any:
    """Makes a call; the first so many processes that try die instead. The folder is empty at first."""
    for number in range(deaths):
        try:
            (folder / str(number)).touch(exist_ok=False)
        except FileExistsError:
            continue
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*arguments)
