"""Each nested repetition doubles the time of the engine: patterns with too many are refused before they are matched."""

from __future__ import annotations

import pytest

from evaluator import Session
from tests.effort import run_within

REFUSED_PATTERNS = [f"a{sign * count}" for count in (40, 400) for sign in ("+", "?", "*", "{1,2}", "{1,}")]
REFUSED_PATTERNS.append(f"a{'{2}' * 14}|b")


@pytest.mark.parametrize("pattern", REFUSED_PATTERNS)
def test_deeply_nested_repetitions_are_refused(pattern: str) -> None:
    session = Session("puppet", interactive=True, facts={"pattern": pattern})
    outcome = run_within(2, lambda: session.run("'aaaa' =~ $pattern"))
    assert outcome.error is not None and "max_regexp_size" in outcome.error.message


@pytest.mark.parametrize(
    "pattern",
    ["((a+)*b?)+", "(((((((a+)+)+)+)+)+)+)+", "((a{50}){50}|a){20}", "(?:a{200}){200}|aa", "a+++++"],
)
def test_a_few_nested_repetitions_match(pattern: str) -> None:
    outcome = Session("puppet", interactive=True, facts={"pattern": pattern}).run(f"'{'a' * 40}' =~ $pattern")
    assert outcome.error is None and outcome.text == "true"
