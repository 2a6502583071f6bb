"""Programs as a Hypothesis strategy."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.differential.programs import program

programs: st.SearchStrategy[str] = st.randoms(use_true_random=False).map(program)
