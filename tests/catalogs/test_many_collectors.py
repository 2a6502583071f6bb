"""Collectors among many candidates find what they find among few, in the same order."""

from __future__ import annotations

import pytest

from evaluator import Session

MANY = 'Integer[1, 60].each |$i| { @notify { "n${i}": message => "M${$i % 3}", tag => "t${$i % 4}" } }\n'


def realized(source: str) -> list[str]:
    session = Session("puppet")
    outcome = session.run(MANY + source)
    assert outcome.error is None, outcome.error
    found = session.catalog().resources
    return [one.title for one in found.values() if one.type == "notify" and not one.virtual]


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ("title == 'N7'", lambda i: i == 7),
        ("message == 'm1'", lambda i: i % 3 == 1),
        ("message == 'm1' and tag == 'T2'", lambda i: i % 3 == 1 and i % 4 == 2),
        ("tag == 't1' or title == 'n2'", lambda i: i % 4 == 1 or i == 2),
        ("message != 'm1'", lambda i: i % 3 != 1),
        ("tag == 'notify'", lambda i: True),
        ("message == 'none'", lambda i: False),
        ("(message == 'm0' or message == 'm2') and title != 'n3'", lambda i: i % 3 != 1 and i != 3),
    ],
)
def test_queries(query: str, fits: object) -> None:
    assert realized(f"Notify <| {query} |>") == [f"n{i}" for i in range(1, 61) if fits(i)]  # type: ignore[operator]


def test_attributes_that_are_no_text() -> None:
    source = """
      @notify { 'list': message => ['x', 'm1'] }
      @notify { 'number': message => 5 }
      @notify { 'secret': message => Sensitive('m1') }
      Notify <| message == 'm1' |>
    """
    assert realized(source) == [*(f"n{i}" for i in range(1, 61, 3)), "list"]


def test_what_a_collector_changes_is_found_by_those_behind_it_and_before_it() -> None:
    source = """
      Notify <| message == 'new' |>
      Notify <| title == 'n5' |> { message => 'new' }
      Notify <| tag == 'late' |>
      Notify <| title == 'n9' |> { tag => 'late' }
    """
    assert realized(source) == ["n5", "n9"]


def test_a_query_of_no_attribute_is_an_error_only_where_something_is_looked_at() -> None:
    session = Session("puppet")
    outcome = session.run(f"{MANY}Notify <| title == 'n1' and 5 |>")
    assert outcome.error is not None
    assert Session("puppet").run(f"{MANY}Notify <| title == 'no' and 5 |>").error is None
