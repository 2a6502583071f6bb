"""Random programs as a Hypothesis strategy, which shrinks failing examples."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.differential.programs import make_program

programs: st.SearchStrategy[str] = st.randoms(use_true_random=False).map(make_program)
