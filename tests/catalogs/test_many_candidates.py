"""Collectors with many candidates use an index and match the same resources in order."""

from __future__ import annotations

from itertools import product

import pytest

from evaluator import Session
from evaluator.catalog import queries

MANY = 'Integer[1, 60].each |$i| { @notify { "n${i}": message => "M${$i % 3}", tag => "t${$i % 4}" } }\n'


def list_realized(source: str) -> list[str]:
    session = Session("puppet")
    outcome = session.run(MANY + source)
    assert outcome.error is None, outcome.error
    resources = session.catalog().resources
    return [
        resource.title
        for resource in resources.values()
        if resource.type == "notify" and not resource.virtual
    ]


@pytest.mark.parametrize(
    ("query", "matches"),
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
def test_matching_resources_are_realized_in_the_order_of_declaration(query: str, matches: object) -> None:
    assert list_realized(f"Notify <| {query} |>") == [f"n{i}" for i in range(1, 61) if matches(i)]  # type: ignore[operator]


def test_a_query_matches_elements_of_arrays_but_no_sensitive_values() -> None:
    source = """
      @notify { 'list': message => ['x', 'm1'] }
      @notify { 'number': message => 5 }
      @notify { 'secret': message => Sensitive('m1') }
      Notify <| message == 'm1' |>
    """
    assert list_realized(source) == [*(f"n{i}" for i in range(1, 61, 3)), "list"]


def test_a_changed_resource_is_found_by_later_and_earlier_collectors() -> None:
    source = """
      Notify <| message == 'new' |>
      Notify <| title == 'n5' |> { message => 'new' }
      Notify <| tag == 'late' |>
      Notify <| title == 'n9' |> { tag => 'late' }
    """
    assert list_realized(source) == ["n5", "n9"]


def test_a_literal_as_query_is_an_error_only_if_it_is_evaluated() -> None:
    session = Session("puppet")
    outcome = session.run(f"{MANY}Notify <| title == 'n1' and 5 |>")
    assert outcome.error is not None
    assert Session("puppet").run(f"{MANY}Notify <| title == 'no' and 5 |>").error is None


# The attributes of resources by title.
ATTRIBUTES = {
    "plain": "message => 'a', tag => 't1'",
    "upper": "message => 'A', tag => ['T1', 'x::y']",
    "array": "message => ['b', 'A']",
    "kelvin": "message => '\u212a'",
    "number": "message => 10",
    "secret": "message => Sensitive('a')",
    "none": "",
}
MATCHES = {
    "message == 'a'": {"plain", "upper", "array"},
    "message != 'a'": {"array", "kelvin", "number", "secret", "none"},
    "message == 'k'": set(),
    "message == '\u212a'": {"kelvin"},
    "message == '10'": set(),
    "message == 10": {"number"},
    "tag == 't1' and message == 'a'": {"plain", "upper"},
    "tag == 'y' or message == 'B'": {"upper", "array"},
    "tag == 'notify' and (title == 'none' or title == 'array')": {"none", "array"},
    "message == 'a' and title != 'plain'": {"upper", "array"},
    "(message == 'a' and tag == 'main') or message == 'k'": set(),
    "message == undef": {"none"},
}


@pytest.mark.parametrize("fillers", [0, 40])
@pytest.mark.parametrize("query", MATCHES)
def test_a_query_finds_the_same_among_few_and_many(query: str, fillers: int) -> None:
    program = "".join(f"@notify {{ '{name}': {attributes} }}\n" for name, attributes in ATTRIBUTES.items())
    program += f'Integer[1, {fillers}].each |$i| {{ @notify {{ "f${{i}}": message => "f${{i}}" }} }}\n' * (
        fillers > 0
    )
    session = Session("puppet")
    assert session.run(f"{program}Notify <| {query} |>").error is None
    catalog = session.catalog()
    matches = {name for name in ATTRIBUTES if not catalog.resources["notify", name].virtual}
    assert matches == MATCHES[query]


def test_a_collector_may_change_the_attributes_that_it_queries() -> None:
    session = Session("puppet")
    session.run("Integer[1, 30].each |$i| { notify { \"n${i}\": message => 'x', tag => 'a' } }")
    session.run("Notify <| message == 'x' or tag == 'b' |> { message => 'y', tag => 'b' }")
    resources = session.catalog().resources
    assert {
        resource.parameters["message"] for resource in resources.values() if resource.type == "notify"
    } == {"y"}


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
def test_the_index_finds_the_same_resources_as_a_search(
    query: str, dialect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    summaries = []
    for condition, least_candidates in product(
        (query, f"{query} or title == 'is not there'"), (queries._FEW, 1_000)
    ):
        monkeypatch.setattr(queries, "_FEW", least_candidates)  # fewer candidates are tested one by one
        session = Session(dialect)
        assert session.run(f"{PROGRAM}Notify <| {condition} |>").error is None
        summaries.append(session.catalog().summary())
    assert all(summary == summaries[0] for summary in summaries)


@pytest.mark.parametrize("dialect", ["spec", "puppet"])
def test_a_changed_tag_is_found_by_a_later_collector(dialect: str) -> None:
    session = Session(dialect)
    program = f"{PROGRAM}Notify <| tag == 't1' |> {{ tag => 'new' }}\nNotify <| tag == 'new' |> {{ message => 'seen' }}"
    assert session.run(program).error is None
    lines = [line for line in session.catalog().summary() if "message => 'seen'" in line]
    assert len(lines) == 5


def test_a_collector_matches_again_after_a_later_collector_has_changed_an_attribute() -> None:
    source = """
      @notify { 'one': message => 'a' }
      Notify <| message == 'changed' |> { loglevel => 'debug' }
      Notify <| tag == 'added' |> { withpath => true }
      Notify <| title == 'one' |> { message => 'changed' }
      Notify <| message == 'changed' |> { tag => 'added' }
    """
    session = Session("puppet")
    assert session.run(source).error is None
    parameters = session.catalog().resources["notify", "one"].parameters
    assert (parameters["loglevel"], parameters["withpath"], parameters["message"]) == (
        "debug",
        True,
        "changed",
    )


def test_a_resource_of_a_define_is_found_by_earlier_collectors() -> None:
    source = """
      define wrap { @notify { "in ${title}": tag => 'inner' } }
      Notify <| tag == 'inner' |> { message => 'found' }
      Wrap <| |>
      @wrap { 'w': }
    """
    session = Session("puppet")
    assert session.run(source).error is None
    resource = session.catalog().resources["notify", "in w"]
    assert not resource.virtual and resource.parameters["message"] == "found"


def test_tags_in_nested_arrays_are_found_without_regard_to_case() -> None:
    source = """
      @notify { 'flat': tag => ['X', 'p::q'] }
      @notify { 'deep': tag => ['y', ['Z', 5]] }
      Notify <| tag == 'x' |>
      Notify <| tag == 'q' |> { loglevel => 'debug' }
      Notify <| tag == 'z' and tag == '5' |> { loglevel => 'info' }
    """
    assert list_realized(source) == ["flat", "deep"]


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("['a', 'b'].each |$name| {\n  realize(Notify[$name])\n}", 2),
        ("@notify { 'a': }\nrealize(Notify['a'])\nrealize(Notify['b'])", 3),
        ("realize(Notify['a'])\n  realize('')", 2),
    ],
)
def test_an_error_of_realize_has_the_line_of_its_call(source: str, line: int) -> None:
    outcome = Session("puppet").run(source)
    error = outcome.error or outcome.pending[0]
    assert error.span.line == line


@pytest.mark.parametrize("count", [1, 30])
@pytest.mark.parametrize("query", ["5 == 'a'", "undef != 'a'", "title == 'n1' and 1.5 == 'a'"])
def test_a_query_that_compares_a_literal_fails_at_a_candidate(query: str, count: int) -> None:
    assert Session("puppet").run(f"Notify <| {query} |>").error is None
    error = (
        Session("puppet")
        .run(f'Integer[1, {count}].each |$i| {{ @notify {{ "n$i": }} }} Notify <| {query} |>')
        .error
    )
    assert error is not None and error.code == "ILLEGAL_QUERY_VALUE"
