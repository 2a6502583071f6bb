"""The JSON of a catalog keeps what JSON lacks, in the releases that keep it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluator import Session

# the value of an attribute, the JSON of the releases that keep rich data, and that of Puppet 7
ROWS = [
    ("/x/", '{"__ptype": "Regexp", "__pvalue": "x"}', '"/x/"'),
    ("default", '{"__ptype": "Default"}', '"default"'),
    ("SemVer('1.2.3')", '{"__ptype": "SemVer", "__pvalue": "1.2.3"}', '"1.2.3"'),
    ("{ 1 => 2, undef => 3 }", '{"__ptype": "Hash", "__pvalue": [1, 2, null, 3]}', '{"1": 2, "": 3}'),
    ("{ '__ptype' => 'x' }", '{"__ptype": "Hash", "__pvalue": ["__ptype", "x"]}', '{"__ptype": "x"}'),
    ("[Notify['n']]", '["Notify[n]"]', '["Notify[n]"]'),
    (
        "Optional[Boolean]",
        '{"__ptype": "Pcore::OptionalType", "type": {"__ptype": "Pcore::BooleanType"}}',
        '"Optional[Boolean]"',
    ),
    (
        "Deferred('upcase', ['x'])",
        '{"__ptype": "Deferred", "name": "upcase", "arguments": ["x"]}',
        "\"Deferred({'name' => 'upcase', 'arguments' => ['x']})\"",
    ),
    (
        "[Sensitive(/x/)]",
        '[{"__ptype": "Sensitive", "__pvalue": {"__ptype": "Regexp", "__pvalue": "x"}}]',
        '[{"__ptype": "Sensitive", "__pvalue": "/x/"}]',
    ),
    ("'plain'", '"plain"', '"plain"'),
]


def message(dialect: str, value: str, **options: Any) -> Any:
    session = Session(dialect)
    outcome = session.run(f"notify {{ 'n': message => {value} }}")
    assert outcome.error is None, outcome.error
    return session.catalog().to_json(redact=False, **options)["resources"][-1]["parameters"]["message"]


@pytest.mark.parametrize(("value", "rich", "plain"), ROWS)
def test_rich_data_follows_the_dialect(value: str, rich: str, plain: str) -> None:
    assert message("puppet", value) == message("openvox9", value) == json.loads(rich)
    assert message("puppet7", value) == message("spec", value) == json.loads(plain)
    assert message("puppet", value, rich_data=False) == json.loads(plain)
    assert message("puppet7", value, rich_data=True) == json.loads(rich)


def test_an_alias_inside_itself_is_written_by_name() -> None:
    program = "type Tree = Array[Variant[Tree, Integer]] notify { 'n': message => Tree }"
    session = Session("puppet7")
    session.run(program)
    written = json.dumps(session.catalog().to_json(rich_data=True)["resources"][-1]["parameters"]["message"])
    assert written.count("Pcore::TypeAliasType") == 1
    assert '{"__ptype": "Pcore::TypeReference", "type_string": "Tree"}' in written
    error = Session("puppet").run(program).error
    assert error is not None and error.code == "ENDLESS_TYPE"


def test_sensitive_values_are_hidden_in_rich_data() -> None:
    session = Session("puppet")
    session.run("notify { 'n': message => { Sensitive('secret') => [Sensitive('secret')] } }")
    assert "secret" not in json.dumps(session.catalog().to_json())
