"""Values are displayed as source code that evaluates to an equal value."""

from __future__ import annotations

import pytest

from evaluator import Session
from evaluator.values import make_key
from puppet_kernel.rendering.literals import format_literal, make_value_lines, shorten_value

BOX_TYPE = "type Box = Object[{ attributes => { held => Any } }]"
# The source of a value: its literal.
LITERALS = {
    "SemVer('1.2.3-rc1+b')": "SemVer('1.2.3-rc1+b')",
    "SemVerRange('>=1.0.0 <2.0.0')": "SemVerRange('>=1.0.0 <2.0.0')",
    "SemVerRange('~1.2')": "SemVerRange('~1.2')",
    "1.0e100": "1.0e100",
    "1.0e-7": "1.0e-07",
    "Timestamp('2020-01-02T03:04:05 UTC')": "Timestamp('2020-01-02T03:04:05.000000000 UTC')",
    "Timespan('1-02:03:04.5')": "Timespan('1-02:03:04.5')",
    "URI('http://a/b?c')": "URI('http://a/b?c')",
    "Binary('aGFsbG8=')": 'Binary("aGFsbG8=")',
    "Deferred('upcase', [SemVer('1.0.0')])": (
        "Deferred({'name' => 'upcase', 'arguments' => [SemVer('1.0.0')]})"
    ),
    "Error('m')": "Error({'msg' => 'm'})",
    "Box([SemVer('1.0.0'), { Box(1) => 1.0e50 }])": (
        "Box({'held' => [SemVer('1.0.0'), {Box({'held' => 1}) => 1.0e50}]})"
    ),
    "[SemVer('1.0.0')]": "[SemVer('1.0.0')]",
    "SemVer['>=1.0.0']": "SemVer['>=1.0.0']",
    "/a\\/b/": "/a\\/b/",
    "default": "default",
}


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize("source", LITERALS)
def test_the_literal_of_a_value_evaluates_to_an_equal_value(source: str, dialect: str) -> None:
    session = Session(dialect)
    session.run(BOX_TYPE)
    value = session.run(source).value
    literal = format_literal(value)
    assert literal == LITERALS[source]
    outcome = session.run(literal)
    assert outcome.error is None
    assert make_key(outcome.value) == make_key(value)
    assert "".join(text for _, text in shorten_value(value, 200)) == literal
    assert "".join(text for _, text in make_value_lines(value, 200)[0]) == literal


def test_the_literal_of_a_sensitive_value_is_redacted() -> None:
    session = Session()
    session.run(BOX_TYPE)
    for source in ("Sensitive('geheim')", "Box(Sensitive('geheim'))", "[Sensitive('geheim')]"):
        literal = format_literal(session.run(source).value)
        assert "Sensitive('[value redacted]')" in literal and "geheim" not in literal
        assert session.run(literal).error is None


def test_the_text_of_an_outcome_is_not_a_literal() -> None:
    session = Session()
    assert session.run("SemVer('1.2.3')").text == "1.2.3"
    assert session.run("Sensitive(1)").text == "#<Sensitive [value redacted]>"
    assert session.run("1.0e100").text == "1.0e+100"


def test_the_literal_of_a_large_object_is_cut() -> None:
    session = Session()
    session.run(BOX_TYPE)
    value = session.run("Box(Integer[1, 20000].map |$n| { $n })").value
    assert len(format_literal(value, 100)) < 200
