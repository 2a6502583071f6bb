"""Fixtures that tests of commands share."""

from __future__ import annotations

import pytest

from puppet_kernel.rendering import views
from puppet_kernel.rendering.text import render_plain
from puppet_kernel.shell import Shell


@pytest.fixture
def shell() -> Shell:
    """Return a shell without cells."""
    return Shell({})


@pytest.fixture
def log_lines(shell: Shell) -> list[str]:
    """Return the list to which the test's `shell` appends its log lines."""
    lines: list[str] = []
    shell.on_log = lambda entry: lines.append(render_plain(views.describe_log(entry)))
    return lines
