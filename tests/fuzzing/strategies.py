"""Inputs as Hypothesis strategies, which shrink what fails."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzzing.inputs import Input, generated, mutant, own_corpus

_CORPUS = own_corpus()

sentences: st.SearchStrategy[Input] = st.randoms(use_true_random=False).map(generated)
mutants: st.SearchStrategy[Input] = st.randoms(use_true_random=False).map(
    lambda random: mutant(random, _CORPUS)
)
