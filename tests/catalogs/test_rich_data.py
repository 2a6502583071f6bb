"""Rich data in the JSON of a catalog: values that JSON lacks, as each release writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaluator import Session

# Each row: the value of an attribute, its JSON in the releases with rich data, its JSON in Puppet 7.
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


def compile_message(dialect: str, value: str, **options: Any) -> Any:
    """Return the JSON of the message of a resource."""
    session = Session(dialect)
    outcome = session.run(f"notify {{ 'n': message => {value} }}")
    assert outcome.error is None, outcome.error
    return session.catalog().to_json(redact=False, **options)["resources"][-1]["parameters"]["message"]


@pytest.mark.parametrize(("value", "rich", "plain"), ROWS)
def test_rich_data_is_encoded_as_in_the_release(value: str, rich: str, plain: str) -> None:
    assert compile_message("puppet", value) == compile_message("openvox9", value) == json.loads(rich)
    assert compile_message("puppet7", value) == compile_message("spec", value) == json.loads(plain)
    assert compile_message("puppet", value, rich_data=False) == json.loads(plain)
    assert compile_message("puppet7", value, rich_data=True) == json.loads(rich)


def test_a_recursive_alias_is_written_by_name() -> None:
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
