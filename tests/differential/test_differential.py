"""Random programs have the results of the released Puppet.

`python -m tests.differential` runs more of them.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from lexer_parser import PuppetError, parse
from lexer_parser.dialect import PUPPET
from tests.differential.comparison import compare_results, find_differences, run_ours
from tests.differential.known import KNOWN, find_reason
from tests.differential.programs import make_program
from tests.differential.released import Released
from tests.differential.strategies import programs
from tests.released.ruby_scripts import is_installed

needs_puppet = pytest.mark.skipif(not is_installed(), reason="the released Puppet is not installed")
COUNT = 300


@needs_puppet
def test_programs_have_the_results_of_the_released_puppet():
    random = Random(20)
    sources = [make_program(Random(random.getrandbits(64))) for _ in range(COUNT)]
    with Released() as released:
        differences = find_differences(sources, released.run(sources))
    unexplained = [str(difference) for difference in differences if difference.reason is None]
    assert not unexplained, "\n\n".join(unexplained)


@given(programs)
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
def test_programs_have_a_value_or_an_error_of_the_language(source):
    result = run_ours(source)
    assert not result.get("error", "").startswith("Internal error"), source


def test_nearly_all_programs_can_be_parsed():
    random = Random(5)
    sources = [make_program(Random(random.getrandbits(64))) for _ in range(500)]
    assert sum(_can_parse(source) for source in sources) > 0.9 * len(sources)


def _can_parse(source: str) -> bool:
    try:
        parse(source, dialect=PUPPET)
    except PuppetError:
        return False
    return True


def test_a_known_difference_has_a_reason():
    assert all(reason for _, _, reason in KNOWN)
    crash = {"error": "undefined method `x' for nil:NilClass", "logs": []}
    assert find_reason("1", crash)
    assert find_reason("1", {"value": "1", "type": "Integer", "logs": []}) is None
    assert compare_results(crash, {"error": "else", "logs": []}) == ["message"]
