"""Random inputs as Hypothesis strategies, which shrink failing examples."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzzing.inputs import Input, generate_sentence, make_mutant, read_own_corpus

_CORPUS = read_own_corpus()

sentences: st.SearchStrategy[Input] = st.randoms(use_true_random=False).map(generate_sentence)
mutants: st.SearchStrategy[Input] = st.randoms(use_true_random=False).map(
    lambda random: make_mutant(random, _CORPUS)
)
