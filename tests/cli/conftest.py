"""Fixtures that run the command in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.forking import Result, run_repl

ROOT = Path(__file__).parents[2]


@pytest.fixture
def environment() -> dict[str, str]:
    """Return environment variables with which this checkout is the one that runs."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path}


@pytest.fixture
def repl(tmp_path: Path, environment: dict[str, str]) -> Callable[..., Result]:
    """Return a function that runs `puppet-repl` with arguments and `stdin`."""

    def run(*arguments: str, stdin: str = "") -> Result:
        return run_repl([*arguments], tmp_path, stdin, environment)

    return run
