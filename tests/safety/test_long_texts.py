"""Matching a long string takes memory proportional to its size: no repetition is stored for backtracking."""

from __future__ import annotations

import tracemalloc

import pytest

from evaluator import Session
from lexer_parser import PUPPET, parse

REPETITIONS = 100_000
MAX_BYTES = (
    60  # for each repetition: the result and copies of the string; a stored backtracking state takes more
)
CALLS = {
    "a::": "getvar($text)",
    "b::": "Class[$text]",
    "c::": "defined($text)",
    "/x": "URI($text)",
    "://x": 'URI("http${text}")',
    "%20": 'URI("http://a/${text}#${text}")',
    "AAAA": "Binary($text)",
    "_1": 'parseyaml("a: 1${text}")',
    "\\\\": 'shell_split("\'\\"${text}\\"\'")',
}
SOURCES = {
    "a-word": "a" + "-a" * REPETITIONS,
    "a name with hyphens in it": "a" + "::a-b" * REPETITIONS,
    "an absolute name": "a" + "::a" * REPETITIONS,
    "a variable": "$a" + "::a" * REPETITIONS,
    "a variable in a text": '"$a' + "::a" * REPETITIONS + '"',
    "a variable in braces": '"${a' + "::a" * REPETITIONS + '}"',
}


def get_peak() -> int:
    """Return the greatest number of bytes that were allocated since the trace began."""
    return tracemalloc.get_traced_memory()[1]


@pytest.mark.parametrize("unit", CALLS)
def test_a_function_that_matches_a_long_string(unit: str) -> None:
    head = "a" if unit.endswith("::") else ""
    text = head + (unit[-2:] + "a" if head else unit) * REPETITIONS
    session = Session("puppet", interactive=True, facts={"text": text})
    session.run(CALLS[unit].replace("$text", "'a'").replace("${text}", ""))
    tracemalloc.start()
    try:
        outcome = session.run(CALLS[unit])
        assert get_peak() < MAX_BYTES * REPETITIONS
    finally:
        tracemalloc.stop()
    assert outcome.error is None or outcome.error.code == "INVALID_INTEGER"


@pytest.mark.parametrize("name", SOURCES)
def test_the_lexer_of_a_long_source(name: str) -> None:
    tracemalloc.start()
    try:
        parse(SOURCES[name], dialect=PUPPET, validate=False)
        assert get_peak() < MAX_BYTES * REPETITIONS
    finally:
        tracemalloc.stop()
