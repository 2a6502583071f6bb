"""A terminal for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from screens import PROMPT, Screen


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Screen]:
    """Yield a terminal in which the prompt is ready."""
    screen = Screen(tmp_path)
    screen.wait_for(PROMPT)
    yield screen
    screen.child.close(force=True)
