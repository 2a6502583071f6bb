"""Collectors that look among many resources: those found by an index are those found one by one."""

from __future__ import annotations

import pytest

from evaluator import Session

PROGRAM = """\
define part() { @notify { "in ${title}": tag => ['Made', 'x::y'] } }
class one { tag 'by_class'
  Integer[1, 15].each |$i| { @notify { "one ${i}": tag => "t${$i % 3}" } }
  part { 'p': }
}
class two { include one
  Integer[1, 15].each |$i| { @notify { "n${i}": message => "M${$i % 4}", before => [] } }
  @notify { 'list': message => ['m1', 'other'] }
  @notify { 'number': message => 1 }
}
include two
"""
QUERIES = [
    *(
        f"tag == '{tag}'"
        for tag in ("t1", "T1", "made", "x", "y", "x::y", "notify", "n3", "N3", "one", "two")
    ),
    *(f"tag == '{tag}'" for tag in ("by_class", "part", "p", "class", "nothing")),
    *(
        "message == 'm1'",
        "message == 'M1'",
        "message == '1'",
        "message == 1",
        "title == 'N3'",
        "title == 'n3'",
    ),
]


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
@pytest.mark.parametrize("query", QUERIES)
def test_an_index_finds_what_looking_at_each_finds(query: str, dialect: str) -> None:
    found = []
    for asked in (query, f"{query} or title == 'is not there'"):
        session = Session(dialect)
        assert session.run(f"{PROGRAM}Notify <| {asked} |>").error is None
        found.append(session.catalog().summary())
    assert found[0] == found[1]


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_what_a_collector_changes_is_seen_by_those_behind_it(dialect: str) -> None:
    session = Session(dialect)
    program = f"{PROGRAM}Notify <| tag == 't1' |> {{ tag => 'new' }}\nNotify <| tag == 'new' |> {{ message => 'seen' }}"
    assert session.run(program).error is None
    lines = [line for line in session.catalog().summary() if "message => 'seen'" in line]
    assert len(lines) == 5
