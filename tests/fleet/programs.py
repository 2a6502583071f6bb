"""What processes of the tests run: programs that are no sessions, and that may end the process they run in."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
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

    def supervisor(self) -> Supervisor:
        return Supervisor()

    def catalog(self, node: str, facts: Any) -> str:
        if node.startswith("deadly"):
            os.kill(os.getpid(), signal.SIGKILL)
        return '{"name": "%s", "resources": []}' % node  # noqa: UP031

    def explained(self, problem: BaseException) -> PuppetError:
        return PuppetError("ODD", str(problem))
