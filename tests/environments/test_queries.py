"""`puppetdb_query`: queries of the data of other nodes as text and as arrays."""

from __future__ import annotations

from typing import Any

import pytest

from evaluator import Session
from evaluator.values import format_literal


def make_row(certname: str, title: str, **others: Any) -> dict[str, Any]:
    return {
        "certname": certname,
        "type": "Class",
        "title": title,
        "tags": ["class", "role", title.lower()],
        **others,
    }


STORE = [
    make_row("web1", "Role::Web", parameters={"port": 80, "opts": {"a": [1, 2]}}, file="/x.pp", line=3),
    make_row("web2", "Role::Web", parameters={"port": 8080}, environment="testing"),
    make_row("db1", "Role::Db"),
    make_row("old", "Role::Web"),
    {"certname": "web1", "name": "ip", "value": "10.0.0.1", "environment": "production"},
    {"certname": "web1", "name": "os", "value": {"name": "Debian", "release": {"major": "12"}}},
    {
        "certname": "web2",
        "facts": {"data": [{"name": "ip", "value": "10.0.0.2"}, {"name": "cores", "value": 4}]},
    },
    {
        "certname": "db1",
        "facts": {"os": {"name": "Rocky"}, "a-b": {"c.d": 1}},
        "trusted": {"extensions": {"r": "db"}},
    },
    {"certname": "old", "deactivated": "2024-01-01T00:00:00Z", "expired": None},
    {"certname": "web1", "deactivated": None, "report_timestamp": "2024-05-01T00:00:00Z"},
]
TEXTS = {
    'resources[line] { type = "Class" and title = "Role::Web" }': "[{'line' => 3}, {'line' => undef}]",
    "nodes[certname] { } ": "[{'certname' => 'web1'}, {'certname' => 'db1'}, {'certname' => 'web2'}]",
    "nodes[certname] { order by certname desc, report_timestamp limit 1 offset 1 }": "[{'certname' => 'web1'}]",
    "nodes[certname]{resources{title='Role::Web'} and not certname='web2'}": "[{'certname' => 'web1'}]",
    "nodes[certname] { !(certname ~ '^web') }": "[{'certname' => 'db1'}]",
    "nodes[certname] { certname = 'db1' or certname = 'web1' and certname = 'x' }": "[{'certname' => 'db1'}]",
    "nodes[certname] { report_timestamp > '2024-04-01' }": "[{'certname' => 'web1'}]",
    "nodes[certname] { report_timestamp is null and certname in ['db1', 'web1'] }": "[{'certname' => 'db1'}]",
    "facts[value] { name = 'ip' and certname in resources[certname] { title ~ 'Web$' } }": (
        "[{'value' => '10.0.0.1'}, {'value' => '10.0.0.2'}]"
    ),
    "facts[value] { [certname, name] in [['web2', 'cores'], ['web1', 'cores']] }": "[{'value' => 4}]",
    "facts[certname] { name = 'cores' and value >= 4 and value < 4.5 }": "[{'certname' => 'web2'}]",
    "inventory[facts.os.name] { facts.os.name = 'Debian' or trusted.extensions.r = 'db' }": (
        "[{'facts.os.name' => 'Rocky'}, {'facts.os.name' => 'Debian'}]"
    ),
    "inventory[certname] { facts.'a-b'.\"c.d\" = 1 }": "[{'certname' => 'db1'}]",
    "resources[title, count()] { group by title }": (
        "[{'title' => 'Role::Web', 'count' => 2}, {'title' => 'Role::Db', 'count' => 1}]"
    ),
    "resources[count(), sum(parameters.port), avg(parameters.port), min(title), max(line)] { }": (
        "[{'count' => 3, 'sum' => 8160, 'avg' => 4080.0, 'min' => 'Role::Db', 'max' => 3}]"
    ),
    "resources[count()] { title = 'Nope' }": "[{'count' => 0}]",
    "resources[line] { parameters.opts.a[1] = 2 and tag = 'ROLE' }": "[{'line' => 3}]",
    "resources[environment] { environment = 'testing' }": "[{'environment' => 'testing'}]",
    "fact_contents[value] { path ~> ['os', 'rel.*', 'major'] }": "[{'value' => '12'}]",
    "fact_contents { name = 'c.d' }": (
        "[{'certname' => 'db1', 'environment' => undef, 'name' => 'c.d', 'value' => 1, 'path' => ['a-b', 'c.d']}]"
    ),
}
LISTS = {
    "['from', 'nodes', ['extract', ['certname'], ['=', ['fact', 'os', 'name'], 'Rocky']]]": "[{'certname' => 'db1'}]",
    "['from', 'facts', ['extract', 'value', ['and', ['=', 'name', 'ip'], ['not', ['=', 'certname', 'web1']]]]]": (
        "[{'value' => '10.0.0.2'}]"
    ),
    "['from', 'resources', ['extract', ['title', ['function', 'count']], ['~', 'title', '.'], ['group_by', 'title']],"
    " ['order_by', [['count', 'desc']]], ['limit', 1]]": "[{'title' => 'Role::Web', 'count' => 2}]",
    "['from', 'nodes', ['extract', 'certname', ['in', 'certname', ['extract', 'certname', ['select_resources',"
    " ['=', ['parameter', 'port'], 80]]]]]]": "[{'certname' => 'web1'}]",
    "['from', 'nodes', ['extract', 'certname', ['in', 'certname', ['from', 'resources', ['extract', ['certname'],"
    " ['=', 'title', 'Role::Db']]]]]]": "[{'certname' => 'db1'}]",
    "['from', 'nodes', ['extract', 'certname', ['in', ['certname'], ['array', ['web1']]]]]": "[{'certname' => 'web1'}]",
    "['from', 'nodes', ['extract', 'certname', ['subquery', 'resources', ['~', 'title', 'Db']]]]": (
        "[{'certname' => 'db1'}]"
    ),
    "['from', 'facts', ['extract', 'name', ['null?', 'environment', false]]]": "[{'name' => 'ip'}]",
}
WRONG = {
    "'reports { }'": "QUERY_ENTITY: you cannot query 'reports' here",
    "'nodes { nope = 1 }'": "QUERY_FIELD: 'nope' is not a field of nodes; its fields are cached_catalog_status,",
    "'nodes[nope] { }'": "QUERY_FIELD: 'nope' is not a field",
    "'nodes { order by nope }'": "QUERY_FIELD: 'nope' is not a field",
    "'nodes { nope in [1] }'": "QUERY_FIELD: 'nope' is not a field",
    "'nodes {'": "QUERY_NOT_UNDERSTOOD: the query is not understood: a name is expected at its end",
    "'nodes'": "QUERY_NOT_UNDERSTOOD: the query is not understood: '{' is expected at its end",
    "'nodes { certname = }'": "QUERY_NOT_UNDERSTOOD: the query is not understood: a value is expected before '}'",
    "'nodes { certname }'": "QUERY_NOT_UNDERSTOOD: the query is not understood: a comparison is expected",
    "'nodes { } x'": "QUERY_NOT_UNDERSTOOD: the query is not understood: 'x' follows the end of the query",
    "'nodes { certname = $x }'": "QUERY_NOT_UNDERSTOOD: the query is not understood: no token begins with '$x }'",
    "'nodes { limit x }'": "QUERY_NOT_UNDERSTOOD: the query is not understood: 'limit' takes a number",
    "'nodes { certname ~ \"(\" }'": "INVALID_PATTERN: end pattern",
    "['nodes']": "QUERY_NOT_UNDERSTOOD: the query is not understood: an array begins with",
    "['from', 'nodes', ['foo']]": "QUERY_NOT_UNDERSTOOD: the query is not understood: this is not a condition",
    "['from', 'nodes', ['in', 'certname', ['foo']]]": 'QUERY_NOT_UNDERSTOOD: the query is not understood: "in" takes',
    "['from', 'nodes', ['extract', [['function', 'median', 'x']]]]": "QUERY_NOT_UNDERSTOOD: the query is not",
}


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("puppet", exported=STORE)


@pytest.mark.parametrize("query", TEXTS)
def test_a_query_as_text_returns_its_rows(session: Session, query: str) -> None:
    assert session.run(f"puppetdb_query({format_literal(query)})").text == TEXTS[query]


@pytest.mark.parametrize("query", LISTS)
def test_a_query_as_arrays_returns_its_rows(session: Session, query: str) -> None:
    assert session.run(f"puppetdb_query({query})").text == LISTS[query]


@pytest.mark.parametrize("query", WRONG)
def test_an_invalid_query_is_reported(session: Session, query: str) -> None:
    code, _, text = WRONG[query].partition(": ")
    error = session.run(f"puppetdb_query({query})").error
    assert error.code == code and text in error.message


@pytest.mark.parametrize("opening", ["(", "!", "nodes { "])
def test_deep_nesting_is_refused(session: Session, opening: str) -> None:
    error = session.run(f"puppetdb_query('nodes {{ {opening * 5000} }}')").error
    assert error.code == "QUERY_NOT_UNDERSTOOD"


def test_a_missing_store_is_an_error_that_names_the_option() -> None:
    error = Session("puppet").run("puppetdb_query('nodes { }')").error
    assert (error.code, error.needs) == ("QUERY_NO_STORE", "exported")
    error = Session("puppet", exported=STORE[:3]).run("puppetdb_query('facts { }')").error
    assert (error.code, error.needs) == ("QUERY_NOTHING_TOLD", "exported")


def test_a_row_with_any_name_of_a_node_is_a_node() -> None:
    session = Session(
        "puppet", exported=[{"name": "a", "resources": []}, make_row("b", "X"), {"certname": "c"}]
    )
    assert session.run(
        "puppetdb_query('nodes[certname] { order by certname }').map |$row| { $row['certname'] }"
    ).value == [
        "b",
        "c",
    ]
