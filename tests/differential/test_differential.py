"""The language against the released Puppet, where it is installed; `python -m tests.differential` asks more."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from lexer_parser import PuppetError, parse
from lexer_parser.dialect import PUPPET
from tests.differential.comparison import aspects, differing, ours
from tests.differential.known import KNOWN, reason
from tests.differential.programs import program
from tests.differential.released import Released
from tests.differential.strategies import programs
from tests.released.asking import is_installed

needs_puppet = pytest.mark.skipif(not is_installed(), reason="the released Puppet is not installed")
COUNT = 300


@needs_puppet
def test_programs_answer_as_the_released_puppet():
    random = Random(20)
    sources = [program(Random(random.getrandbits(64))) for _ in range(COUNT)]
    with Released() as released:
        found = differing(sources, released.ask(sources))
    unexplained = [str(difference) for difference in found if difference.reason is None]
    assert not unexplained, "\n\n".join(unexplained)


@given(programs)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_programs_end_with_a_value_or_an_error_of_the_language(source):
    answer = ours(source)
    assert not answer.get("error", "").startswith("Internal error"), source


def test_nearly_all_programs_can_be_read():
    random = Random(5)
    sources = [program(Random(random.getrandbits(64))) for _ in range(500)]
    assert sum(_is_readable(source) for source in sources) > 0.9 * len(sources)


def _is_readable(source: str) -> bool:
    try:
        parse(source, dialect=PUPPET)
    except PuppetError:
        return False
    return True


def test_what_is_known_is_explained():
    assert all(words for _, _, words in KNOWN)
    crash = {"error": "undefined method `x' for nil:NilClass", "logs": []}
    assert reason("1", crash)
    assert reason("1", {"value": "1", "type": "Integer", "logs": []}) is None
    assert aspects(crash, {"error": "else", "logs": []}) == ["message"]
