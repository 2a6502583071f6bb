"""After any actions of a user, a session equals one that has just run the texts of its cells in order."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import Session
from tests.sessions import notebooks

pytestmark = pytest.mark.usefixtures("unhurried_notes")
EXAMPLES = int(os.environ.get("PUPPET_KERNEL_NOTEBOOKS", "40"))


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_a_session_is_what_its_cells_say(dialect: str) -> None:
    @given(st.lists(notebooks.operation, max_size=14))
    @settings(max_examples=EXAMPLES, deadline=None)
    def check(steps: list[Any]) -> None:
        session = Session(dialect, interactive=True)
        for step in steps:
            notebooks.perform(session, step)
            other = Session(dialect, interactive=True)
            outcomes = [other.run(cell.source, number=cell.number) for cell in session.cells]
            assert notebooks.describe_state(session) == notebooks.describe_state(other)
            told = [notebooks.get_visible_outcome(cell.outcome) for cell in session.cells]
            assert told == [notebooks.get_visible_outcome(outcome) for outcome in outcomes]

    check()
