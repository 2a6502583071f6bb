"""Matching a long text takes memory in proportion to its size: no repetition is stored for backtracking."""

from __future__ import annotations

import tracemalloc

import pytest

from evaluator import Session
from lexer_parser import PUPPET, parse

REPEATED = 100_000
MOST = 60  # bytes for each repetition: what is made of a text, and copies of it; each that is remembered takes more
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
    "a-word": "a" + "-a" * REPEATED,
    "a name with hyphens in it": "a" + "::a-b" * REPEATED,
    "an absolute name": "a" + "::a" * REPEATED,
    "a variable": "$a" + "::a" * REPEATED,
    "a variable in a text": '"$a' + "::a" * REPEATED + '"',
    "a variable in braces": '"${a' + "::a" * REPEATED + '}"',
}


def peak() -> int:
    return tracemalloc.get_traced_memory()[1]


@pytest.mark.parametrize("unit", CALLS)
def test_a_text_of_a_program(unit: str) -> None:
    head = "a" if unit.endswith("::") else ""
    text = head + (unit[-2:] + "a" if head else unit) * REPEATED
    session = Session("puppet", interactive=True, facts={"text": text})
    session.run(CALLS[unit].replace("$text", "'a'").replace("${text}", ""))
    tracemalloc.start()
    try:
        outcome = session.run(CALLS[unit])
        assert peak() < MOST * REPEATED
    finally:
        tracemalloc.stop()
    assert outcome.error is None or outcome.error.code == "INVALID_INTEGER"


@pytest.mark.parametrize("name", SOURCES)
def test_a_source(name: str) -> None:
    tracemalloc.start()
    try:
        parse(SOURCES[name], dialect=PUPPET, validate=False)
        assert peak() < MOST * REPEATED
    finally:
        tracemalloc.stop()
