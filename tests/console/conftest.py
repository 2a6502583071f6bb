"""A terminal for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from screens import PROMPT, Screen


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Screen]:
    """The prompt, ready."""
    screen = Screen(tmp_path)
    screen.wait(PROMPT)
    yield screen
    screen.child.close(force=True)
